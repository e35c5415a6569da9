"""What was played: counts, bests, streaks and how well it went, out of the results that are kept.

A game counts once, by the first end that it came to: who loses, goes back and wins has not won at the first
try. Wins with help are told apart; bests, streaks and the course are of games that a person played alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from statistics import fmean, median

from msgspec import Struct

from winnable.contract.core import WinnableError
from winnable.levels.files import shipped_level
from winnable.levels.identity import content_id
from winnable.play.days import by_game, days_of
from winnable.store.results import Result

WINDOW = 10
"""Games that a point of the course is about."""
MOST_POINTS = 60


class BestEnd(Struct, frozen=True):
    """Of a level that ships: the win with the fewest actions or, without a goal, the end with the highest
    score."""

    level_id: str
    actions: int
    par: int | None
    score: int | None
    seconds: float | None


class Played(Struct, frozen=True):
    """One game's.

    ended:    games that came to an end
    won:      those that were won, alone, at whichever try, or made the goal that their level had; None: there
              was none
    first:    those of them at the first try; None likewise
    helped:   those that had help when they first ended
    streak, longest: of days, see `Days`; days: its `on_time`
    course:   in the order of time, of the last WINDOW games each: the share that was won at the first try,
              or, where games are scored, the median score
    scored:   whether it is that
    """

    game: str
    ended: int
    won: int | None
    first: int | None
    helped: int
    streak: int
    longest: int
    days: int
    course: list[float]
    scored: bool
    best: list[BestEnd]


def played(results: Sequence[Result], games: Iterable[str], today: date) -> list[Played]:
    """What was played of each game of which there are results, in the order of `games`. results: in the order
    of time"""
    return [_played(game, own, today) for game, own in by_game(results, games)]


def _played(game: str, results: Sequence[Result], today: date) -> Played:
    scored = any(result.score is not None for result in results)
    has_goal = any(result.outcome != "over" for result in results)
    firsts = first_ends(results)
    alone = [result for result in firsts if not result.helped]
    won = {result.session for result in results if result.outcome == "won" and not result.helped}
    (days,) = days_of(results, [game], today)
    return Played(
        game=game,
        ended=len(firsts),
        won=len(won) if has_goal else None,
        first=sum(result.outcome == "won" for result in alone) if has_goal else None,
        helped=len(firsts) - len(alone),
        streak=days.streak,
        longest=days.longest,
        days=days.on_time,
        course=_course(alone, scored),
        scored=scored,
        best=_best(results),
    )


def first_ends(results: Iterable[Result]) -> list[Result]:
    """The first end of each game."""
    found: dict[str, Result] = {}
    for result in results:
        found.setdefault(result.session, result)
    return [*found.values()]


def _course(alone: Sequence[Result], scored: bool) -> list[float]:
    values = [float(result.score or 0 if scored else result.outcome == "won") for result in alone]
    average = median if scored else fmean
    ends = range(1, len(values) + 1)
    if len(ends) > MOST_POINTS:
        ends = [1 + (len(values) - 1) * i // (MOST_POINTS - 1) for i in range(MOST_POINTS)]
    return [average(values[max(0, end - WINDOW) : end]) for end in ends]


def _best(results: Iterable[Result]) -> list[BestEnd]:
    """By the levels' names."""
    found: dict[str, Result] = {}
    foreign: set[tuple[str, str]] = set()
    for result in results:
        level = result.level_id, result.content
        is_worthless = result.helped or (result.outcome == "lost" and result.score is None)
        if is_worthless or "/" not in result.level_id or level in foreign:
            continue
        before = found.get(result.level_id)
        if before is None and not _ships(*level):
            foreign.add(level)
        elif before is None or (before.content == result.content and _rank(result) < _rank(before)):
            found[result.level_id] = result
    return [
        BestEnd(id, best.actions, best.par, best.score, best.seconds) for id, best in sorted(found.items())
    ]


def _rank(result: Result) -> tuple[int, float]:
    worth = result.actions if result.score is None else -result.score
    return worth, float("inf") if result.seconds is None else result.seconds


def _ships(level_id: str, content: str) -> bool:
    """Whether it is that level: a saved game may call another one so."""
    try:
        shipped = shipped_level(level_id)
    except WinnableError:
        return False
    return shipped is not None and content_id(shipped.game, shipped.level) == content
