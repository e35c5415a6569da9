"""A table of exact play: a file of layers that is made by both passes, gone on with, and checked."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from winnable.contract.core import Budget, Search, WinnableError, finish, unusable
from winnable.contract.tables import BudgetEnded, TableState
from winnable.games.game2048.exact.layers import Form, LayerFile, Layers
from winnable.games.game2048.exact.passes import Boards, KnownWorths, Passes, nothing_known
from winnable.inert.arrays import U64


@dataclass(frozen=True, slots=True)
class LayerTable:
    """Methods raise WinnableError.

    title:  says of what it is; a file with another one is damaged
    boards: makes what the passes need
    starts: boards at which they begin, by layers
    remedy: says what makes it
    """

    path: Path
    title: str
    form: Form
    boards: Callable[[], Boards]
    starts: Callable[[], Sequence[U64]]
    remedy: str

    @property
    def unfinished(self) -> Path:
        """The path of the file until it is whole."""
        return self.path.with_suffix(".unfinished")

    def open(self) -> LayerFile:
        """Opens the whole table. Whether a content is damaged is seen when it is asked for."""
        layers = self._found(self.path)
        if layers.whole:
            return layers
        code = "table.damaged" if self.path.exists() else "table.missing"
        raise WinnableError(code, field=str(self.path), remedy=self.remedy)

    def make(self, budget: Budget) -> Search[LayerFile]:
        """Raises BudgetEnded when it does; what there is by then stays."""
        found = yield from self._looked_at(self.path, True, budget)
        if found.whole:
            return found
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists():
                os.replace(self.path, self.unfinished)
            layers = yield from self._looked_at(self.unfinished, True, budget)
            yield from fill(layers, self.boards(), self.starts(), budget)
            layers.finish()
            os.replace(self.unfinished, self.path)
        except OSError as error:
            raise unusable(self.path.parent, error) from None
        return self._found(self.path)

    def state(self, check: bool) -> TableState:
        """How far the table is, by the file that is there. check: all contents are looked at, too."""
        if self.path.exists():
            found = finish(self._looked_at(self.path, check))
            return TableState("built" if found.whole else "damaged", found.size, found.afterstates)
        if self.unfinished.exists():
            found = finish(self._looked_at(self.unfinished, check))
            return TableState("unfinished", found.size, found.afterstates)
        return TableState("missing", 0, 0)

    def remove(self) -> None:
        """Removes the file, also an unfinished one."""
        try:
            for path in (self.path, self.unfinished):
                path.unlink(missing_ok=True)
        except OSError as error:
            raise unusable(self.path, error) from None

    def _found(self, path: Path) -> LayerFile:
        return LayerFile(path, self.title, self.form, self.remedy)

    def _looked_at(self, path: Path, check: bool, budget: Budget | None = None) -> Search[LayerFile]:
        """check: at all contents, too."""
        layers, budget = self._found(path), budget or Budget()
        for _ in layers.check() if check else ():
            if not (yield from budget.allows("checking", 0, 0)):
                raise BudgetEnded("2048.budget", field="budget")
        return layers


def fill(
    layers: Layers, boards: Boards, starts: Sequence[U64], budget: Budget, known: KnownWorths = nothing_known
) -> Search[None]:
    """Raises BudgetEnded when it does."""
    with Passes(boards, budget, known) as passes:
        yield from passes.explore(layers, starts)
        yield from passes.evaluate(layers)
