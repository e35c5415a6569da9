"""The days of the daily levels: which were played, how they went, and how many in a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from msgspec import Struct

from winnable.contract.core import WinnableError
from winnable.contract.registry import load_game
from winnable.levels.identity import day_of
from winnable.store.results import Ended, Result

REACH = timedelta(days=365)
"""So far back earlier days can be played from where they are listed."""


class DayPlayed(Struct, frozen=True):
    """The best end of the day's level, on whichever day it was played: `session` came to it."""

    day: date
    outcome: Ended
    helped: bool
    actions: int
    score: int | None
    session: str


class Days(Struct, frozen=True):
    """One game's.

    streak:  how many days in a row, until today or yesterday, the day's level was won on its day, alone, at
             whichever try, or, without a goal, played to its end; `longest` likewise, ever
    on_time: on how many it was
    days:    those whose level came to an end, ascending
    """

    game: str
    streak: int
    longest: int
    on_time: int
    days: list[DayPlayed]


def days_of(results: Sequence[Result], games: Iterable[str], today: date) -> list[Days]:
    """The days of each game of which there are results, in the order of `games`. results: in the order of
    time"""
    return [_days(game, own, today) for game, own in by_game(results, games)]


def by_game(results: Sequence[Result], games: Iterable[str]) -> Iterator[tuple[str, list[Result]]]:
    """Each game of which there are results, in this order, and its own."""
    for game in games:
        if own := [result for result in results if result.game == game]:
            yield game, own


def _days(game: str, results: Sequence[Result], today: date) -> Days:
    on_time = {
        date.fromisoformat(result.day)
        for result in results
        if result.day and result.outcome != "lost" and not result.helped
    }
    best: dict[date, Result] = {}
    for result in results:
        day = _day(game, result)
        if day is not None and (day not in best or _rank(result) < _rank(best[day])):
            best[day] = result
    streak, longest = streaks(on_time, today)
    found = [
        DayPlayed(day, one.outcome, one.helped, one.actions, one.score, one.session)
        for day, one in sorted(best.items())
    ]
    return Days(game, streak, longest, len(on_time), found)


def _day(game: str, result: Result) -> date | None:
    """Whose level it was, also where it was played later."""
    if result.day is not None:
        return date.fromisoformat(result.day)
    try:
        return day_of(load_game(game), result.level_id)
    except WinnableError:  # of a game that is not here
        return None


def _rank(result: Result) -> tuple[bool, bool, int]:
    """The best end is the least."""
    return result.outcome == "lost", result.helped, result.actions if result.score is None else -result.score


def streaks(days: set[date], today: date) -> tuple[int, int]:
    """(now, the longest). Today's level may still be played."""
    length: dict[int, int] = {}
    for day in sorted(day.toordinal() for day in days):
        length[day] = length.get(day - 1, 0) + 1
    now = today.toordinal()
    return length.get(now, length.get(now - 1, 0)), max(length.values(), default=0)
