"""Levels made by seeds, as many and as hard as asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple
from unicodedata import normalize

from msgspec import Struct

from winnable.contract.abilities import DealsToOrder, SetsTasks, skills_of
from winnable.contract.arguments import of_kind, shown
from winnable.contract.core import (
    Answer,
    Budget,
    LevelError,
    Search,
    Solver,
    WinnableError,
    decide,
    searching,
)
from winnable.contract.errors import GaveUp
from winnable.contract.game import Game, Generate
from winnable.contract.methods import Chosen
from winnable.levels.certificates import certified

TRIES = 100
"""Seeds tried for each level that is asked for, where not every level will do."""
SECONDS = 10.0
"""For a level that must be solved, where nobody says how many."""


_AMOUNT = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,2})?)\s*(%|points)?", re.ASCII)


class Difficulty(NamedTuple):
    """A share of games won, or points on the scale of skill."""

    share: float | None
    points: float

    @classmethod
    def parse(cls, given: str | float) -> Difficulty:
        """Reads a difficulty as text or as a number. `20%` and 0.2 are a share, 1500 and `20 points` are
        points; 20 might be either, and is refused as all from 0 to 100 is that says no more. Raises
        WinnableError."""
        text = normalize("NFKC", shown(given, str)).strip()
        said = _AMOUNT.fullmatch(text)
        if said is None or isinstance(given, bool):
            raise WinnableError("share", field="difficulty", given=text[:40])
        value, unit = float(said[1]), said[2]
        if unit == "points" or (not unit and not 0 <= value <= 100):
            return cls(None, value)
        if not unit and not 0 < value < 1:
            raise WinnableError("share.unclear", field="difficulty", given=said[1])
        if unit and not 0 <= value <= 100:
            raise LevelError("params.range", field="difficulty", given=f"{said[1]}%", low="0%", high="100%")
        return cls(value / 100 if unit else value, 0)


class Criteria(Struct, frozen=True):
    """Which levels are kept, and how many.

    certify:    only winnable levels, each with a winning line in it
    tight:      only winnable levels that a little less help would make unwinnable
    difficulty: for the player `by`, of those who play by what a person sees
    distinct:   no level twice, nor turned or mirrored
    """

    count: int
    certify: bool = False
    tight: bool = False
    difficulty: Difficulty | None = None
    by: str = "careful"
    distinct: bool = False

    @property
    def tries(self) -> int:
        """How many seeds each level has."""
        picky = self.certify or self.distinct or self.difficulty or self.tight
        return TRIES if picky else 1

    @property
    def needs_line(self) -> bool:
        """Whether levels are kept only with a line that wins."""
        return self.certify or (self.tight and self.difficulty is None)


class Solving(NamedTuple):
    """by: None where nothing is to be decided. seconds: to make a level, and as many to solve it; None:
    SECONDS where a line is wanted, else no limit"""

    by: Chosen[Solver] | None
    seconds: float | None
    memory: int | None = None


def generator(game: Game, criteria: Criteria, layout: Callable[[], bytes] | None = None) -> Generate:
    """What makes such levels. layout: reads a drawing or a level onto whose places it deals. Raises
    WinnableError, LevelError (one of these) for what it reads."""
    generate = game.generate if layout is None else _dealer(game, layout)
    if criteria.tight and not isinstance(game, SetsTasks):
        raise WinnableError("tight", field="tight", game=game.name)
    order = criteria.difficulty
    return generate if order is None else _to_order(game, generate, criteria.by, order)


def _dealer(game: Game, layout: Callable[[], bytes]) -> Generate:
    if not isinstance(game, DealsToOrder):
        raise WinnableError("layout", field="layout", game=game.name)
    return game.dealer(layout())


def skill_of(game: Game, player: str) -> float:
    """Raises WinnableError for one that does not play by what a person sees."""
    skills = skills_of(game)
    if of_kind("by", player, str) not in skills:
        raise WinnableError("by.sees", field="by", given=player[:40], game=game.name, known=list(skills))
    return skills[player]


def _to_order(game: Game, generate: Generate, player: str, difficulty: Difficulty) -> Generate:
    """Makes what `generate` makes as hard as asked."""
    from winnable.stats.skill import win_chance

    if not isinstance(game, DealsToOrder):
        raise WinnableError("difficulty", field="difficulty", game=game.name)
    skill, share = skill_of(game, player), difficulty.share
    if share is None:
        share = float(win_chance(skill, difficulty.points))

    def make(params: Any, seed: int, budget: Budget | None = None) -> Search[Any]:
        level = yield from searching(generate(params, seed, budget))
        return (yield from searching(game.to_order(level, player, share, seed, budget or Budget())))

    return make


class Made(NamedTuple):
    """What came of the seeds of one level.

    seed:     the last that was tried
    level:    None: none of them was what is wanted
    statuses: of the levels that were looked into
    gave_up:  seeds whose level was not made within the time, and why
    """

    seed: int
    level: Any
    statuses: frozenset[str]
    gave_up: tuple[tuple[int, GaveUp], ...]


def make_level(
    game: Game, generate: Generate, params: Any, seeds: range, criteria: Criteria, how: Solving, whole: Budget
) -> Search[Made]:
    """Goes from seed to seed until a level is what is wanted. Raises WinnableError."""
    limited = criteria.needs_line or how.seconds is not None
    seconds = SECONDS if how.seconds is None else how.seconds
    statuses, gave_up, level, seed = set[str](), list[tuple[int, GaveUp]](), None, seeds.start
    for seed in seeds:
        try:
            made = yield from searching(generate(params, seed, whole.part(most=seconds if limited else inf)))
        except GaveUp as error:
            statuses.add("budget")
            if whole.limit(0) is None:
                gave_up.append((seed, error))
        else:
            level = yield from _kept(game, made, seed, criteria, how, statuses, whole)
        if level is not None or whole.limit(0) is not None:
            break
    return Made(seed, level, frozenset(statuses), tuple(gave_up))


def _kept(
    game: Game, level: Any, seed: int, criteria: Criteria, how: Solving, statuses: set[str], whole: Budget
) -> Search[Any]:
    """The level, with a line in it where one is wanted; None: it is not what is wanted."""
    by = how.by
    if criteria.needs_line and by:
        result = yield from _decided(game, level, seed, by, how, whole)
        statuses.add(result.status)
        if result.status != "solved":
            return None
        level = certified(level, by.label, result)
    if criteria.tight and by and isinstance(game, SetsTasks):
        statuses.add("solved")
        tighter = yield from _decided(game, game.tighter(level), seed, by, how, whole)
        if tighter.status != "unsolvable":
            return None
    return level


def _decided(
    game: Game, level: Any, seed: int, by: Chosen[Solver], how: Solving, whole: Budget
) -> Search[Answer]:
    puzzle, seconds = game.puzzle(level), SECONDS if how.seconds is None else how.seconds
    return decide(by.method, puzzle, puzzle.initial(), whole.part(most=seconds, memory_mb=how.memory), seed)
