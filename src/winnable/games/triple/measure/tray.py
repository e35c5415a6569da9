"""The smallest tray with which a level can be won: a line with it, a proof for one slot less."""

from __future__ import annotations

from dataclasses import dataclass

from winnable.contract.core import Action, Budget, LevelError, Search
from winnable.contract.provenance import unchecked_replace
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.solver import solve_auto

FIRST_SECONDS = 0.05
SHORTEST = 2
"""With two slots the second tile already fills the tray."""


@dataclass(frozen=True, slots=True)
class SmallestTray:
    """lost: with so many slots or fewer the level cannot be won, by exhaustive search
    won:  with so many it can, by `line`; None: no line is known"""

    lost: int
    won: int | None
    line: tuple[Action, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the smallest tray is proved."""
        return self.won == self.lost + 1


def smallest_tray(level: Level, budget: Budget, seed: int = 0) -> Search[SmallestTray]:
    """What is known when both ends meet or the budget ends. A line for one tray is one for every larger one,
    so that only sizes between the ends are looked at; each gets a short time first and then more and more.
    Raises LevelError for the variant with tools."""
    if level.tools is not None:
        raise LevelError("triple.tray.tools", field="tools")
    most = 2 * len({*level.kinds}) + 1  # never full: two of each kind rest at most
    found = SmallestTray(SHORTEST, None)
    seconds, places = FIRST_SECONDS, Triple(level)
    while not found.exact:
        for slots in _sizes(found, level.slots, most):
            if not (yield from budget.allows("smallest-tray", 0, 0)):
                return found
            if not found.lost < slots < (found.won or most + 1):
                continue  # settled by another size meanwhile
            puzzle = Triple(unchecked_replace(level, slots=slots), places)
            result = yield from solve_auto(puzzle, puzzle.initial(), budget.part(most=seconds), seed)
            if result.status == "solved":
                found = SmallestTray(found.lost, slots, result.actions)
            elif result.status == "unsolvable":
                found = SmallestTray(slots, found.won, found.line)
        seconds *= 2
    return found


def _sizes(found: SmallestTray, first: int, most: int) -> list[int]:
    """Those to try; at first the level's own and larger and larger ones, until a line is known."""
    if found.won is not None:
        return list(range(found.won - 1, found.lost, -1))
    sizes = [min(max(first, found.lost + 1), most)]
    while sizes[-1] < most:
        sizes.append(min(2 * sizes[-1], most))
    return sizes
