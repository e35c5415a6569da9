"""How hard a level is for people: players who see what a person sees play it again and again."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from math import isinf
from typing import Any, NamedTuple

from msgspec import Struct

from winnable.batches.requests import LevelGiven, Request
from winnable.comparing import willing_players
from winnable.contract.abilities import Figure, Rates, skills_of
from winnable.contract.core import Budget, Puzzle, Search, WinnableError, collected, replay
from winnable.levels.files import NamedLevel
from winnable.levels.making import skill_of
from winnable.play.playing import in_budget
from winnable.stats.intervals import wilson_interval
from winnable.stats.skill import Played, difficulty
from winnable.words import LANGUAGES, speaking

PROOFS = 1 / 4
"""Of the time."""


class PlayerRow(Struct, frozen=True):
    """One player on this level; the win rate has a 95 % interval."""

    name: str
    skill: float
    games: int
    won: int
    win_rate: float
    ci_low: float
    ci_high: float


class Measured(Struct, frozen=True):
    """One level. difficulty: the skill with which half of the games are won, in points, with a 95 % interval;
    None when all or none of the games were won; the ends of the interval are None where it is open. figures:
    what is proved of the level, by the game's names."""

    game: str
    level_id: str
    difficulty: float | None
    ci_low: float | None
    ci_high: float | None
    players: list[PlayerRow]
    figures: Mapping[str, Any]
    seed: int


class Told(NamedTuple):
    """What was measured, and the figures as people read them, (name, words) by language."""

    measured: Measured
    figures: Mapping[str, Sequence[tuple[str, str]]]


def seeing_players(named: NamedLevel, by: Sequence[str] | None) -> tuple[str, ...]:
    """Those of the game who see what a person sees and do not refuse the level; or those who are named.
    Raises WinnableError."""
    skills = skills_of(named.game)
    if not skills:
        raise WinnableError("cli.scale", field="level", game=named.game.name)
    if by is None:
        return tuple(willing_players(named, skills))
    names = tuple(dict.fromkeys(filter(None, by)))
    if not names:
        raise WinnableError("cli.by.none", field="by", known=list(skills))
    for name in names:
        skill_of(named.game, name)
    return names


def measured(
    named: NamedLevel, by: Sequence[str], games: int, seed: int, seconds: float, whole: Budget
) -> Search[Told | None]:
    """by: who play, `games` each, as far as the time allows, and one at least. seconds: a quarter of them for
    proofs. None: the whole budget ended before anybody had played."""
    found = yield from _proved(named, whole.part(most=seconds * PROOFS), seed)
    rows, end = list[PlayerRow](), time.monotonic() + seconds * (1 - PROOFS)
    for place, name in enumerate(by):
        now = time.monotonic()
        row = yield from _play(named, name, games, seed, now + (end - now) / (len(by) - place), whole)
        rows += [row] if row else []
    if not rows:
        return None
    told = difficulty([Played(row.skill, row.won, row.games) for row in rows])
    points, low, high = (None if isinf(value) else value for value in told)
    figures = {figure.name: figure.value for figure in found}
    said: dict[str, list[tuple[str, str]]] = {}
    for language in LANGUAGES:
        with speaking(language):
            said[language] = [(figure.name, figure.said()) for figure in found]
    return Told(Measured(named.game.name, named.id, points, low, high, rows, figures, seed), said)


def _proved(named: NamedLevel, budget: Budget, seed: int) -> Search[list[Figure]]:
    game = named.game
    return collected(game.measure(named.level, budget, seed) if isinstance(game, Rates) else ())


def _play(
    named: NamedLevel, name: str, games: int, seed: int, end: float, whole: Budget
) -> Search[PlayerRow | None]:
    """At least one game; until this time of the monotonic clock."""
    puzzle, played, won = named.game.puzzle(named.level), 0, 0
    while played < games and (not played or time.monotonic() < end):
        wins = yield from _wins(named, puzzle, name, seed + played, whole)
        if wins is None:
            break
        won, played = won + wins, played + 1
    if not played:
        return None
    skill = skill_of(named.game, name)
    return PlayerRow(name, skill, played, won, won / played, *wilson_interval(won, played))


def _wins(named: NamedLevel, puzzle: Puzzle, name: str, seed: int, whole: Budget) -> Search[bool | None]:
    """None when it was interrupted. A game that was begun is played to its end, whatever the time: those that
    take long are not like the others."""
    line = yield from in_budget(puzzle, named.game.players[name](puzzle, seed), whole)
    return None if line is None else puzzle.is_goal(replay(puzzle, line))


class Measure(Request, frozen=True, kw_only=True):
    """How hard a level is for people. by: players, each of whom plays so many games"""

    level: LevelGiven
    by: tuple[str, ...]
    games: int
    seed: int
    seconds: float

    def answer(self, whole: Budget) -> Search[Told | None]:
        return measured(self.level.named(), self.by, self.games, self.seed, self.seconds, whole)
