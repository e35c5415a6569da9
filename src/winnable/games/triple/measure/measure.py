"""What can be proved about how hard a level of triple is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from winnable.contract.abilities import Figure
from winnable.contract.core import Budget, Progress, Search, Status
from winnable.games.triple.measure.dead_tiles import dead_tiles
from winnable.games.triple.measure.fewest_tools import FewestTools, fewest_of_each
from winnable.games.triple.measure.traps import Forced, Traps, find_forced, find_traps
from winnable.games.triple.measure.tray import smallest_tray
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.rules.tools import TripleWithTools
from winnable.games.triple.solve.solver import solve_auto
from winnable.games.triple.solve.tools_solver import solve_with_tools
from winnable.words import t

CLICKS = 100


def measure(level: Level, budget: Budget, seed: int) -> Iterator[Figure | Progress]:
    """The dead tiles, and the verdict; where a line needs no tools, traps and forced clicks along it, and the
    smallest tray; else also the fewest tools, or these alone for the variant with tools. Each may take half
    of the time that is left, of the tools each set a quarter, the last all."""
    puzzle = Triple(level)
    dead = len(dead_tiles(puzzle))
    yield Figure("dead_tiles", dead, partial(_dead_words, dead, len(level.tiles)), dead)
    if level.tools is not None:
        tooled = TripleWithTools(level)
        found = yield from solve_with_tools(solve_auto, tooled, tooled.initial(), budget.part(1 / 2), seed)
        yield _verdict(found.status)
        yield (yield from _fewest_tools(level, budget, seed))
        return
    found = yield from solve_auto(puzzle, puzzle.initial(), budget.part(1 / 2), seed)
    yield _verdict(found.status)
    if found.status == "solved":
        traps = yield from find_traps(puzzle, found.actions, CLICKS, budget.part(1 / 2), seed)
        share = traps.lost / traps.clicks if traps.clicks else None
        yield Figure("traps", traps, partial(_traps_words, traps), share)
        forced = yield from find_forced(puzzle, found.actions, budget.part(1 / 2), seed)
        yield Figure("forced", forced, partial(_forced_words, forced), forced.forced)
    else:
        yield (yield from _fewest_tools(level, budget, seed))
    tray = yield from smallest_tray(level, budget.part(), seed)
    yield Figure("smallest_tray", tray, partial(_tray_words, tray.lost + 1, tray.won, level.slots), tray.won)


def _verdict(status: Status) -> Figure:
    return Figure("verdict", status, partial(t, f"figure.verdict.{status}"))


def _dead_words(dead: int, tiles: int) -> str:
    return t("figure.dead.words", dead=dead, tiles=tiles)


def _traps_words(traps: Traps) -> str:
    words = t("figure.traps.words", lost=traps.lost, clicks=traps.clicks)
    return words + t("figure.traps.open", open=traps.open) if traps.open else words


def _forced_words(forced: Forced) -> str:
    return t("figure.forced.words", forced=forced.forced, positions=forced.positions, longest=forced.longest)


def _fewest_tools(level: Level, budget: Budget, seed: int) -> Search[Figure]:
    found = yield from fewest_of_each(level, lambda: budget.part(1 / 4), seed)

    def words() -> str:
        return "; ".join(_uses(name, uses) for name, uses in found.items() if uses.most)

    return Figure("fewest_tools", found, words)


def _uses(tool: str, found: FewestTools) -> str:
    how = ("none" if found.exact else "least") if found.won is None else "exact" if found.exact else "between"
    return t(f"figure.uses.{how}", tool=tool, most=found.most, least=found.lost + 1, won=found.won)


def _tray_words(least: int, most: int | None, slots: int) -> str:
    if most is None:
        return t("figure.tray.least", least=least)
    words = t("figure.tray.exact" if least == most else "figure.tray.between", least=least, most=most)
    return words if most <= slots else t("figure.tray.has", words=words, slots=slots)
