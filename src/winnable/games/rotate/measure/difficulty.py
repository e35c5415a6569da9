"""How hard a level is for a person, as far as it can be proved, and why it may be no puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

from winnable.contract.core import Budget, IllegalAction, Search, finish, replay
from winnable.games.rotate.measure.examination import Examination
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import State
from winnable.stats.difficulty import LastRating, Rating, Word, difficulty, rating

WORDS: tuple[tuple[float, Word], ...] = ((10, "easy"), (20, "medium"), (30, "tricky"), (40, "hard"))
"""Up to which figure each word goes."""
EFFORT = 300_000
"""Boards that may be expanded for the facts of one level, and as many for its good first turns."""


_last = LastRating()


def facts(level: Level, budget: Budget | None = None) -> dict[str, Any]:
    """Facts for `check`: par or its bounds, good first turns, the figure, why it may be trivial."""
    examination = Examination(level, EFFORT, budget)
    result = finish(examination.solve())
    puzzle, par = examination.puzzle, examination.par
    if result.status == "unsolvable":
        return {"no puzzle because": "it cannot be finished"}
    if par is None:
        return {"turns at the least": result.lower_bound or 0}
    if not examination.is_proved:
        return {"par": f"between {result.lower_bound or 1} and {min(par, _certified(examination))}"}
    good = finish(examination.good_first_turns(puzzle.num_actions)) if par else None
    found: dict[str, Any] = {"turns at par": par}
    if level.turns is not None:
        found["turns beyond par"] = level.turns - par
    if good:
        found["good first turns"] = len(good)
        if len(good) == 1:
            found["the one key turn"] = puzzle.action_name(good[0])
        rated = rating(difficulty(par, puzzle.num_actions, len(good)), WORDS)
        _last.keep(level, rated)
        found["difficulty"] = f"{rated.figure:.1f}, {rated.word}"
    if reasons := list(_trivial(par)):
        found["no puzzle because"] = " and ".join(reasons)
    return found


def rate(level: Level, budget: Budget) -> Search[Rating | None]:
    """Rate the level by what `facts` says; where par is not proved, from the bound that alone makes a level
    fiendish."""
    if (kept := _last.of(level)) is not None:
        return kept[0]
    examination = Examination(level, EFFORT, budget)
    result = yield from examination.solve()
    puzzle, par = examination.puzzle, examination.par
    if par is None or not examination.is_proved:
        least = rating(difficulty(result.lower_bound or 1, 1, 1), WORDS)
        return least if result.status != "unsolvable" and least.word == "fiendish" else None
    good = (yield from examination.good_first_turns(puzzle.num_actions)) if par else None
    return rating(difficulty(par, puzzle.num_actions, len(good)), WORDS) if good else None


def _certified(examination: Examination) -> float:
    """The turns of the certificate's line, if it is one of the level with its `turns`."""
    level, puzzle = examination.level, examination.puzzle
    certificate, start = level.certificate, State(level.cells, level.turns)
    try:
        if certificate is not None and puzzle.is_goal(replay(puzzle, certificate.actions, start)):
            return len(certificate.actions)
    except IllegalAction:
        pass
    return inf


def _trivial(par: int) -> Iterator[str]:
    if par == 0:
        yield "it is finished"
    if par == 1:
        yield "one turn finishes it"
