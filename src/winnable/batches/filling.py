"""Sets of levels that fill: levels made, changed and looked into, each by one request."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from winnable.analysis.rating import rating_of
from winnable.batches.checking import Check
from winnable.batches.making import Made, Make, Order, innermost
from winnable.batches.repairing import Repair
from winnable.batches.requests import LevelGiven, Request
from winnable.contract.abilities import DealsToOrder, solvers_of
from winnable.contract.core import Budget, LevelError, Search, WinnableError, begun, searching
from winnable.contract.game import Game
from winnable.contract.params import make_params
from winnable.levels.checking import Checking, Looked
from winnable.levels.files import NamedLevel, encode_level
from winnable.levels.making import TRIES, Criteria, Difficulty
from winnable.stats.difficulty import WORDS, Word
from winnable.stats.skill import win_chance

Variation: TypeAlias = Literal["harder", "easier", "like"]
STEP = 200
"""Points of skill from a level to one that is noticeably harder: who wins one half wins 24 % of the other."""
NOTICED = 1.1
"""So many times as hard, on scales of other kinds."""
LEAST_SHARE = 0.03
"""Of games to be won: fewer cannot be told from none in the games that are played."""
LIKELY = "careful"
"""The player whose games count, where nobody names one."""


class Filled(NamedTuple):
    """made: where a level was made by seeds. content: the level, as a file has it; None: nothing came of it,
    for a reason"""

    content: bytes | None
    looked: Looked | None
    made: Made | None = None
    reason: WinnableError | None = None


class Fill(Request, frozen=True, kw_only=True):
    """A level that is made, and looked into. word: how hard it must be; others are passed over."""

    make: Make
    how: Checking
    word: Word | None = None

    def answer(self, whole: Budget) -> Search[Filled]:
        make, how = self.make, self.how
        if make.criteria.needs_line:  # which was proved just now
            how = replace(how, solve=False)
        while True:
            made: Made = yield from begun(partial(make.answer, whole))
            if made.content is None:
                return Filled(None, None, made, made.gave_up[-1][1] if made.gave_up else None)
            looked = yield from _looked(made.content, how, whole)
            if self.word in (None, looked.checked.word) or whole.limit(0) is not None:
                return Filled(made.content, looked, made)
            tried = (made.seed - make.seed) // make.step + 1
            if tried >= make.tries:
                return Filled(None, None, made._replace(content=None, picture=""))
            make = replace(make, seed=made.seed + make.step, tries=make.tries - tried)


def order_of(
    game: Game,
    params: Any,
    seed: int,
    difficulty: str,
    by: str = "",
    *,
    count: int = 1,
    certify: bool = True,
    tight: bool = False,
    distinct: bool = False,
) -> tuple[Order, Word | None]:
    """Levels as hard as asked: a word, for `Fill`, or a share or points, see `levels.making.Difficulty`. by:
    whose games count. Raises WinnableError."""
    word = difficulty if difficulty in WORDS else None
    harder = None if word or not difficulty else Difficulty.parse(difficulty)
    chooses = distinct or word is not None  # each has seeds to choose from
    criteria = Criteria(count, certify and bool(solvers_of(game)), tight, harder, by or LIKELY, chooses)
    return Order(game, params, criteria, seed), word


class Mend(Request, frozen=True, kw_only=True):
    """A level that is repaired, and looked into."""

    repair: Repair
    how: Checking

    def answer(self, whole: Budget) -> Search[Filled]:
        found = yield from begun(partial(self.repair.answer, whole))
        if found.content is None:
            return Filled(None, None, reason=found.reason)
        return Filled(found.content, (yield from _looked(found.content, self.how, whole)))


class Vary(Request, frozen=True, kw_only=True):
    """A level that is harder or easier than this one, or as hard and another, and is looked into. number:
    another one for each. seconds: to find it"""

    level: LevelGiven
    by: Variation
    number: int
    seconds: float
    how: Checking

    def answer(self, whole: Budget) -> Search[Filled]:
        named = self.level.named()
        budget = whole.part(most=self.seconds)
        try:
            # No seeds that anybody else begins with: levels of theirs are in the set already.
            level = yield from _varied(named, self.by, int(self.name[:8], 16), budget)
        except LevelError as error:
            return Filled(None, None, reason=error)
        content = encode_level(level)
        return Filled(content, (yield from _looked(content, self.how, whole)))


def _looked(content: bytes, how: Checking, whole: Budget) -> Search[Looked]:
    return begun(partial(Check(game="", source=b"", level=content, how=how).answer, whole))


def _varied(named: NamedLevel, by: Variation, seed: int, budget: Budget) -> Search[Any]:
    """Raises LevelError, GaveUp (one of these)."""
    game = named.game
    rating = yield from rating_of(named, budget.part(1 / 4))
    if rating is None:
        raise LevelError("difficulty.open", game=game.name)
    if isinstance(game, DealsToOrder):
        level = named.level
        if by == "like":
            level = yield from _another(named, seed, budget.part(1 / 2))
        points = rating.figure + {"harder": STEP, "easier": -STEP, "like": 0}[by]
        player, share = _who_wins_some(game.skills, points)
        return (yield from searching(game.to_order(level, player, share, seed, budget.part())))
    for other in range(seed, seed + TRIES):
        level = yield from _another(named, other, budget.part())
        found = yield from rating_of(NamedLevel(game, level, ""), budget.part())
        if found is not None and _is(by, found.figure, rating.figure):
            return level
        if budget.limit(0) is not None:
            break
    raise LevelError("vary.none", by=by)


def _is(by: Variation, figure: float, than: float) -> bool:
    if by == "like":
        return than / NOTICED <= figure <= than * NOTICED
    return figure >= than * NOTICED if by == "harder" else figure <= than / NOTICED


def _who_wins_some(skills: Mapping[str, float], points: float) -> tuple[str, float]:
    """The player who is nearest to so many points, and the share of such a level that he wins."""
    player = min(skills, key=lambda name: abs(skills[name] - points))
    share = float(win_chance(skills[player], points))
    return player, min(max(share, LEAST_SHARE), 1 - LEAST_SHARE)


def _another(named: NamedLevel, seed: int, budget: Budget) -> Search[Any]:
    """Made likewise: by what made it, onto its places, or else as the game makes levels. Raises
    LevelError."""
    game, origin = named.game, named.level.provenance
    params = {} if origin is None else innermost(origin.params)
    with suppress(WinnableError):
        if origin is not None:
            given = make_params(game.params_type, params, game.name)
            return (yield from searching(game.generate(given, seed, budget)))
    if isinstance(game, DealsToOrder):
        deal = game.dealer(encode_level(named.level))
        return (yield from searching(deal(game.params_type(), seed, budget)))
    return (yield from searching(game.generate(game.params_type(), seed, budget)))
