"""Levels as a batch: which seeds each of them has, and which of them a file has already."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from msgspec import to_builtins
from msgspec.structs import replace

from winnable.batches.requests import Request
from winnable.batches.running import Row
from winnable.contract.abilities import solvers_of
from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import Budget, LevelError, Search, WinnableError
from winnable.contract.errors import GaveUp
from winnable.contract.game import Game
from winnable.contract.methods import choose_method
from winnable.contract.params import make_params
from winnable.contract.registry import load_game
from winnable.levels.files import encode_level, read_level
from winnable.levels.identity import picture_id
from winnable.levels.making import Criteria, Solving, generator, make_level


class Made(NamedTuple):
    """See `levels.making.Made`. content: the level as a file has it; picture: the same for levels that look
    alike to a person"""

    seed: int
    content: bytes | None
    picture: str
    statuses: frozenset[str]
    gave_up: tuple[tuple[int, GaveUp], ...]


class Make(Request, frozen=True, kw_only=True):
    """One level, the first that is what is wanted of `tries` seeds from `seed` on, each `step` further.

    layout: what is dealt onto its places: a drawing or a level
    by:     the solver, as `choose_method` reads it; None: the game's first one
    """

    params: dict[str, Any]
    seed: int
    step: int
    tries: int
    criteria: Criteria
    layout: bytes | None = None
    by: str | None = None
    seconds: float | None = None
    memory: int | None = None

    def answer(self, whole: Budget) -> Search[Made]:
        game, criteria = load_game(self.game), self.criteria
        layout = self.layout
        generate = generator(game, criteria, None if layout is None else lambda: layout)
        params = make_params(game.params_type, self.params, game.name)
        decides = bool(self.by or criteria.certify or criteria.tight)
        by = choose_method("solver", solvers_of(game), self.by, game.name) if decides else None
        how = Solving(by, self.seconds, self.memory)
        seeds = range(self.seed, self.seed + self.step * self.tries, self.step)
        made = yield from make_level(game, generate, params, seeds, criteria, how, whole)
        if made.level is None:
            return Made(made.seed, None, "", made.statuses, made.gave_up)
        picture = picture_id(game, made.level) if criteria.distinct else ""
        return Made(made.seed, encode_level(made.level), picture, made.statuses, made.gave_up)


@dataclass(eq=False)
class Order:
    """Levels that are wanted, `criteria.count` = n of them: the one of number k is the first that will do of
    the seeds `seed + k`, `seed + k + n`, `seed + k + 2n` ..., `criteria.tries` of them. So it hangs on no
    other, and any part of them can be made anywhere.

    layout:  reads a drawing or a level onto whose places is dealt
    solver:  None: the game's first one
    seconds: to make a level, and as many to solve it; None: see `levels.making.Solving`
    """

    game: Game
    params: Any
    criteria: Criteria
    seed: int
    layout: Callable[[], bytes] | None = None
    solver: str | None = None
    seconds: float | None = None
    memory: int | None = None
    _content: bytes | None = None
    _pictures: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        """Raises WinnableError for what cannot be met."""
        generator(self.game, self.criteria, self.layout and self._read)
        if self.solver or self.criteria.certify or self.criteria.tight:
            choose_method("solver", solvers_of(self.game), self.solver, self.game.name)
        high = MAX_SEED + 1 - self.criteria.count * self.criteria.tries
        if self.seed > high:
            raise WinnableError("params.range", field="seed", given=self.seed, low=0, high=high)

    def _read(self) -> bytes:
        assert self.layout is not None
        self._content = self.layout()
        return self._content

    def request(self, number: int) -> Make:
        """That of one level."""
        return Make(
            game=self.game.name,
            params=cast("dict[str, Any]", to_builtins(self.params)),
            seed=self.seed + number,
            step=self.criteria.count,
            tries=self.criteria.tries,
            criteria=self.criteria,
            layout=self._content,
            by=self.solver,
            seconds=self.seconds,
            memory=self.memory,
        )

    def again(self, row: Row) -> Make | None:
        """What is to be made in place of a level that looks like an earlier one."""
        made, request = row.answer, row.request
        if not isinstance(made, Made) or not isinstance(request, Make) or not made.picture:
            return None
        if made.picture not in self._pictures:
            self._pictures.add(made.picture)
            return None
        tried = (made.seed - request.seed) // request.step + 1
        return replace(request, seed=made.seed + request.step, tries=request.tries - tried)

    def know(self, pictures: Iterable[str]) -> None:
        """Of levels that are there already: none is to look like one of them."""
        self._pictures |= set(pictures)

    def take(self, content: bytes, wanted: range) -> range:
        """The numbers among those wanted that are still to be made, where a file has this level. Raises
        WinnableError for one that was not made for them."""
        number, picture = self._made(content)
        if number not in wanted:
            raise LevelError("batch.other")
        self._pictures.add(picture)
        return range(number + 1, wanted.stop)

    def _made(self, content: bytes) -> tuple[int, str]:
        """Its number and picture."""
        named = read_level(content)
        origin = named.level.provenance
        made_by = {} if origin is None else innermost(origin.params)
        params = cast("dict[str, Any]", to_builtins(self.params))
        if (
            origin is None
            or named.game.name != self.game.name
            or any(params[name] != value for name, value in made_by.items() if name in params)
            or not 0 <= origin.seed - self.seed < self.criteria.count * self.criteria.tries
            or (self.criteria.needs_line and named.level.certificate is None)
        ):
            raise LevelError("batch.other")
        picture = picture_id(named.game, named.level) if self.criteria.distinct else ""
        return (origin.seed - self.seed) % self.criteria.count, picture


def innermost(params: dict[str, Any]) -> dict[str, Any]:
    """What the first generator was set to, of a level that others changed after it."""
    while isinstance(before := params.get("from"), dict):
        params = cast("dict[str, Any]", before).get("params", {})
    return params
