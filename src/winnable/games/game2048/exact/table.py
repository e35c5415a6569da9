"""A table of exact play: a file of layers that is made by both passes, gone on with, and checked."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from winnable.compiled.dice_kernels import U64
from winnable.contract.core import Budget, WinnableError, unusable
from winnable.contract.tables import TableState
from winnable.games.game2048.exact.layers import Form, LayerFile, Layers
from winnable.games.game2048.exact.passes import Boards, Known, Passes, nothing_known


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
        """Where it is until it is whole."""
        return self.path.with_suffix(".unfinished")

    def open(self) -> LayerFile:
        """Of each content, whether it is damaged is seen when it is asked for."""
        layers = self._found(self.path, check=False)
        if layers.whole:
            return layers
        code = "table.damaged" if self.path.exists() else "table.missing"
        raise WinnableError(code, field=str(self.path), remedy=self.remedy)

    def make(self, budget: Budget) -> LayerFile:
        """Raises BudgetEnded when it does; what there is by then stays."""
        found = self._found(self.path, check=True)
        if found.whole:
            return found
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists():
                os.replace(self.path, self.unfinished)
            layers = self._found(self.unfinished, check=True)
            fill(layers, self.boards(), self.starts(), budget)
            layers.finish()
            os.replace(self.unfinished, self.path)
        except OSError as error:
            raise unusable(self.path.parent, error) from None
        return self._found(self.path, check=False)

    def state(self, check: bool) -> TableState:
        if self.path.exists():
            found = self._found(self.path, check)
            return TableState("built" if found.whole else "damaged", found.size, found.afterstates)
        if self.unfinished.exists():
            found = self._found(self.unfinished, check)
            return TableState("unfinished", found.size, found.afterstates)
        return TableState("missing", 0, 0)

    def remove(self) -> None:
        try:
            for path in (self.path, self.unfinished):
                path.unlink(missing_ok=True)
        except OSError as error:
            raise unusable(self.path, error) from None

    def _found(self, path: Path, check: bool) -> LayerFile:
        return LayerFile(path, self.title, self.form, check, self.remedy)


def fill(
    layers: Layers, boards: Boards, starts: Sequence[U64], budget: Budget, known: Known = nothing_known
) -> None:
    """Raises BudgetEnded when it does."""
    with Passes(boards, budget, known) as passes:
        passes.explore(layers, starts)
        passes.evaluate(layers)
