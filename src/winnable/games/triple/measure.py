"""What can be proved about how hard a level of triple is."""

from __future__ import annotations

from collections.abc import Iterator

from winnable.core import Budget, LevelError
from winnable.game import Figure
from winnable.games.triple.level import Level
from winnable.games.triple.rules import Triple
from winnable.games.triple.solver import solve_auto
from winnable.games.triple.traps import find_forced, find_traps
from winnable.games.triple.tray import smallest_tray

CLICKS = 100


def measure(level: Level, budget: Budget, seed: int) -> Iterator[Figure]:
    """The verdict; where it is a line, traps and forced clicks along it; and the smallest tray. Each may take
    half of the time that is left, the last all. Raises LevelError for the variant with tools."""
    if level.tools is not None:
        raise LevelError("tools: what is measured is the level without them")
    puzzle = Triple(level)
    found = solve_auto(puzzle, puzzle.initial(), budget.part(1 / 2), seed)
    yield Figure("verdict", found.status, found.status)
    if found.status == "solved":
        traps = find_traps(puzzle, found.actions, CLICKS, budget.part(1 / 2), seed)
        words = f"{traps.lost} of {traps.clicks} clicks beside a line that wins are proved to lose"
        if traps.open:
            words += f", {traps.open} undecided"
        yield Figure("traps", traps, words)
        forced = find_forced(puzzle, found.actions, budget.part(1 / 2), seed)
        words = f"{forced.forced} of {forced.positions} positions leave one click, {forced.longest} in a row"
        yield Figure("forced", forced, words)
    tray = smallest_tray(level, budget.part(), seed)
    yield Figure("smallest_tray", tray, _tray_words(tray.lost + 1, tray.won, level.slots))


def _tray_words(least: int, most: int | None, slots: int) -> str:
    if most is None:
        return f"at least {least} slots"
    words = f"{most} slots" if least == most else f"{least} to {most} slots"
    return words if most <= slots else f"{words}; it has {slots}"
