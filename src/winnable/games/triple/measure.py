"""What can be proved about how hard a level of triple is."""

from __future__ import annotations

from collections.abc import Iterator

from winnable.core import Budget
from winnable.game import Figure
from winnable.games.triple.fewest_tools import FewestTools, fewest_of_each
from winnable.games.triple.level import Level
from winnable.games.triple.rules import Triple
from winnable.games.triple.solver import solve_auto
from winnable.games.triple.tools import TripleWithTools
from winnable.games.triple.tools_solver import solve_with_tools
from winnable.games.triple.traps import find_forced, find_traps
from winnable.games.triple.tray import smallest_tray

CLICKS = 100


def measure(level: Level, budget: Budget, seed: int) -> Iterator[Figure]:
    """The verdict; where a line needs no tools, traps and forced clicks along it, and the smallest tray; else
    also the fewest tools, or these alone for the variant with tools. Each may take half of the time that is
    left, of the tools each set a quarter, the last all."""
    if level.tools is not None:
        tooled = TripleWithTools(level)
        found = solve_with_tools(solve_auto, tooled, tooled.initial(), budget.part(1 / 2), seed)
        yield Figure("verdict", found.status, found.status)
        yield _fewest_tools(level, budget, seed)
        return
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
    else:
        yield _fewest_tools(level, budget, seed)
    tray = smallest_tray(level, budget.part(), seed)
    yield Figure("smallest_tray", tray, _tray_words(tray.lost + 1, tray.won, level.slots))


def _fewest_tools(level: Level, budget: Budget, seed: int) -> Figure:
    found = fewest_of_each(level, lambda: budget.part(1 / 4), seed)
    words = [f"{name} {_uses(uses)}" for name, uses in found.items() if uses.most]
    return Figure("fewest_tools", found, "; ".join(words))


def _uses(found: FewestTools) -> str:
    if found.won is None:
        return f"do not help, up to {found.most}" if found.exact else f"at least {found.lost + 1}"
    return f"{found.won}" if found.exact else f"{found.lost + 1} to {found.won}"


def _tray_words(least: int, most: int | None, slots: int) -> str:
    if most is None:
        return f"at least {least} slots"
    words = f"{most} slots" if least == most else f"{least} to {most} slots"
    return words if most <= slots else f"{words}; it has {slots}"
