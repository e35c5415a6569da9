"""How hard a level is for a person, as far as it can be proved or played out, and why it may be no puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from winnable.contract.core import Budget, Search, finish
from winnable.games.drops.measure.examination import Examination
from winnable.games.drops.rules.level import Level
from winnable.games.drops.rules.puzzle import need
from winnable.games.drops.solve import all_ones, beam
from winnable.stats.difficulty import LastRating, Rating, Word, difficulty, rating

EFFORT = 2_000_000
"""Chains that proofs may run for the facts of one small level: a second or two."""
BEAM_STATES = 500
"""For the upper bound of 36 cells, in proportion fewer of more."""
WORDS: tuple[tuple[float, Word], ...] = ((8, "easy"), (16, "medium"), (28, "tricky"), (40, "hard"))
"""Up to which figure each word goes; beyond: fiendish."""


_last = LastRating()


def facts(level: Level, budget: Budget | None = None) -> dict[str, Any]:
    """Facts for `check`: par or its bounds, good first clicks, the rivals' loss, the figure, and why it may
    be trivial.

    Nothing for a flash board, which the tank decides. Where empty cells may be clicked, only how hard it is
    without that: of all clicks no such proof is known.
    """
    if level.flash is not None:
        return {}
    budget = budget or Budget()
    if level.open:
        closed = facts(Level(level.board, rules=level.rules), budget)
        named = {"clicks at par": "fewest clicks, none on empty cells", "difficulty": "difficulty"}
        return {named[name]: closed[name] for name in named if name in closed}
    examination = _examine(level, budget)
    n, par = len(level.cells), finish(examination.prove())
    if par is None:
        _remember(level, _by_bound(examination), budget)
        return _bounds(examination, budget)
    good = finish(examination.good_first_clicks(n))
    greedy, a = finish(examination.greedy()), finish(examination.a())
    found: dict[str, Any] = {"clicks at par": par}
    if level.drops is not None:
        found["drops beyond par"] = level.drops - par
    if good is not None:
        found["good first clicks"] = len(good)
        if len(good) == 1:
            found["the one key move"] = examination.puzzle.action_name(good[0])
    if greedy is not None:
        found["clicks more by greedy"] = greedy - par
    if a is not None:
        found["clicks more by the article's A"] = a - par
    _remember(level, rated := _rated(level, par, good, greedy), budget)
    if rated:
        found["difficulty"] = f"{rated.figure:.1f}, {rated.word}"
    if reasons := list(_trivial(level, par, good, greedy)):
        found["no puzzle because"] = " and ".join(reasons)
    return found


def rate(level: Level, budget: Budget) -> Search[Rating | None]:
    """The rating by what `facts` says; where par is not proved, only if the bound alone makes it fiendish."""
    if level.flash is not None:
        return None
    if (kept := _last.of(level)) is not None:
        return kept[0]
    examination = _examine(level, budget)
    par = yield from examination.prove()
    if par is None:
        return _by_bound(examination)
    good = yield from examination.good_first_clicks(len(level.cells))
    return _rated(level, par, good, (yield from examination.greedy()))


def _by_bound(examination: Examination) -> Rating | None:
    least = rating(difficulty(examination.lower_bound, 1, 1), WORDS)
    return least if least.word == "fiendish" else None


def _remember(level: Level, rated: Rating | None, budget: Budget) -> None:
    """Unless it was the budget that ended the proofs."""
    if budget.limit(0) is None:
        _last.keep(level, rated)


def _examine(level: Level, budget: Budget) -> Examination:
    most = EFFORT // (1 + len(level.cells) // 100)  # long chains are slower
    return Examination(level, most, need(level.cells), budget)


def _rated(level: Level, par: int, good: list[int] | None, greedy: int | None) -> Rating | None:
    if good is None or greedy is None:
        return None
    filled = len(level.cells) - level.cells.count(0)
    return rating(difficulty(par, filled, len(good), greedy - par), WORDS)


def _bounds(examination: Examination, budget: Budget) -> dict[str, Any]:
    """Where the proof did not end within its chains. A line that meets the lower bound is a proof too."""
    level = examination.level
    if set(level.cells) == {1}:
        line = all_ones.construct(level.rows, level.columns)
    else:
        states = max(1, BEAM_STATES * 36 // len(level.cells))
        line = finish(beam.beam_line(level.cells, level, budget.counting(states)))
    lower = examination.lower_bound
    found: dict[str, Any] = {"clicks at par": lower}
    if len(line) > lower:
        found = {"par": f"between {lower} and {len(line)}"}
    if level.drops is not None and level.drops < lower:
        found["drops missing at the least"] = lower - level.drops
    if reasons := list(_trivial(level, None, None, None)):
        found["no puzzle because"] = " and ".join(reasons)
    return found


def _trivial(level: Level, par: int | None, good: list[int] | None, greedy: int | None) -> Iterator[str]:
    cells = level.cells
    if par == 1:
        yield "one click empties it"
    if good is not None and len(good) == len(cells) - cells.count(0):
        yield "every first click is a good one"
    if greedy is not None and greedy == par:
        yield "the greedy player needs no more than par"
    if level.drops is not None and level.drops >= need(cells):
        yield "it cannot be lost (there are as many drops as all cells lack together)"
