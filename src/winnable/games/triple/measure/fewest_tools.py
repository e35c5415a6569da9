"""The fewest uses of tools that win a level: a line with so many, a proof that one less does not do."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from msgspec.structs import replace

from winnable.contract.core import Action, Budget, Search
from winnable.games.triple.rules.level import Level, Tools
from winnable.games.triple.rules.tools import TripleWithTools
from winnable.games.triple.solve.solver import solve_auto
from winnable.games.triple.solve.tools_solver import MOVE_OUT, SHUFFLE, UNDO, ToolSearch, rounds

TOOL_SETS: dict[str, Collection[int]] = {
    "move-outs": (MOVE_OUT,),
    "shuffles": (SHUFFLE,),
    "all tools": (UNDO, MOVE_OUT, SHUFFLE),
}
"""Undo alone never helps (see tools_solver.py)."""
USES = Tools(undo=0, move_out=9, shuffle=9)
"""What a level without tools gets."""


@dataclass(frozen=True, slots=True)
class FewestTools:
    """lost: with so many uses or fewer it cannot be won, by exhaustive search; -1: even of 0 unknown
    won:  with so many it can, by `line`; None: no line is known
    most: the uses that the level has"""

    lost: int
    won: int | None
    line: tuple[Action, ...]
    most: int

    @property
    def exact(self) -> bool:
        """Whether the least number of uses that win is proved."""
        return self.lost == self.most or self.won == self.lost + 1


def fewest_of_each(
    level: Level, budget: Callable[[], Budget], seed: int = 0
) -> Search[dict[str, FewestTools]]:
    """Searches for the fewest of each of TOOL_SETS, with a budget for each. What is known of less tools is
    known of more."""
    found: dict[str, FewestTools] = {}
    for name, tools in TOOL_SETS.items():
        parts = [found[part] for part, its in TOOL_SETS.items() if part in found and set(its) < set(tools)]
        found[name] = yield from fewest_tools(level, tools, budget(), seed, parts)
    return found


def fewest_tools(
    level: Level,
    tools: Collection[int],
    budget: Budget,
    seed: int = 0,
    parts: Collection[FewestTools] = (),
) -> Search[FewestTools]:
    """Searches for the fewest of these tools (places in TOOLS), all together; what is known when both ends
    meet or the budget ends. parts: what is known of some of them alone. A level without tools gets USES."""
    puzzle = TripleWithTools(level if level.tools else replace(level, tools=USES))
    search = ToolSearch(solve_auto, puzzle, tools, budget, seed)
    start = puzzle.initial()
    most = sum(uses for tool, uses in enumerate(start.uses) if tool in tools)
    lost = min(0, max((part.lost for part in parts), default=-1))
    lines = [(part.won, part.line) for part in parts if part.won is not None]
    found = FewestTools(lost, *min(lines, default=(None, ())), most)
    for seconds, numbers in rounds():
        if found.exact or not (yield from search.meter.allows("fewest-tools")):
            break
        last = most if found.won is None else found.won - 1
        for uses in range(found.lost + 1, min(found.lost + numbers, last) + 1):
            status, line = yield from search.run(start, uses, seconds)
            if status == "unsolvable":
                found = FewestTools(uses, found.won, found.line, most)
            elif status == "solved":
                yield from search.meter.check(puzzle, start, line)
                used = sum(action >= len(level.tiles) for action in line)
                found = FewestTools(found.lost, used, line, most)
                break
    return found
