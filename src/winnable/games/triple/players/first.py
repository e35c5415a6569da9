"""A line where nothing is compiled: kinds are completed one after the other, the nearest first.

A *plan* digs out as many tiles of a kind as complete its triple, with all that lies on them, from the highest
layer down; it must find room in the tray. The plan of the fewest clicks is carried out, where each tile that
it leaves in the tray counts as one more. In a dead end some of the last plans are undone, mostly one or two,
and chance changes the order from then on; after MOST_PLANS all begins anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from winnable.contract.core import Action, Answer, Budget, Search
from winnable.games.triple.rules.puzzle import Picked, Triple, members, tiles_above
from winnable.games.triple.solve.solver import solve_depth_first
from winnable.search.meter import Meter

SHARE, MOST_SECONDS = 0.15, 0.1
"""Of the budget, and at most, for the depth-first search: it proves what is as good as over, and wins easy
boards."""
MOST_PLANS = 400
NEAREST = 5
"""Tiles of a kind that are looked at."""
CHANCE = 3.0
"""Clicks, below which so many are added to a plan once there was a dead end."""
FAR_BACK = 0.7
"""Exponent of the distribution (V. Pareto's) of how many plans are undone: the less, the more."""


class Position(NamedTuple):
    """tray: of each kind, the tiles of it that rest there; resting: of all; clicks: of the last plan"""

    picked: Picked
    tray: dict[int, int]
    resting: int
    clicks: Sequence[Action]


def first_line(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> Search[Answer]:
    """Searches for a line where nothing is compiled, without tools."""
    found = yield from solve_depth_first(puzzle, state, budget.part(SHARE, MOST_SECONDS), seed)
    if found.status != "budget":
        return found
    meter, left = Meter(budget), puzzle.num_actions - state.bit_count()
    meter.expanded, meter.generated = found.expanded, found.generated
    plans, rng, line = _Plans(puzzle), Random(seed), None
    while line is None and (yield from meter.allows("depth-first")):
        line = yield from plans.line(state, meter, rng)
    if line is None:
        return meter.result("budget", lower_bound=left)
    return (yield from meter.solved(puzzle, state, line, lower_bound=left))


class _Plans:
    def __init__(self, puzzle: Triple) -> None:
        self._puzzle, self._above = puzzle, tiles_above(puzzle)
        self._layers = [tile.layer for tile in puzzle.level.tiles]
        self._of_kind: dict[int, list[int]] = {}
        for tile, kind in enumerate(puzzle.kinds):
            self._of_kind.setdefault(kind, []).append(tile)

    def line(self, state: Picked, meter: Meter, rng: Random) -> Search[tuple[Action, ...] | None]:
        """One try."""
        resting = self._puzzle.tray(state)
        path = [Position(state, {kind: resting.count(kind) for kind in self._of_kind}, len(resting), ())]
        seen, chance, most = set[Picked](), 0.0, meter.expanded + MOST_PLANS
        while meter.expanded < most:
            if meter.is_due and not (yield from meter.allows("depth-first")):
                break
            if self._puzzle.is_goal(path[-1].picked):
                return tuple(click for position in path for click in position.clicks)
            meter.expanded += 1
            best = yield from self._best(path[-1], meter, rng, chance)
            if best is not None and best.picked not in seen:
                seen.add(best.picked)
                path.append(best)
                continue
            chance = CHANCE
            undone = 1 if best is not None else 1 + int(rng.paretovariate(FAR_BACK))
            del path[max(1, len(path) - undone) :]
        return None

    def _best(self, position: Position, meter: Meter, rng: Random, chance: float) -> Search[Position | None]:
        best: tuple[float, Position] | None = None
        for kind, tiles in self._of_kind.items():
            if meter.is_due:
                yield from meter.allows("depth-first")
            dug = self._dug(position, kind, tiles)
            cost = dug.bit_count() + chance * rng.random() - position.resting
            if not dug or (best is not None and cost >= best[0]):  # what will rest only adds to it
                continue
            after = self._after(position, dug)
            if after is not None and (best is None or cost + after.resting < best[0]):
                best = cost + after.resting, after
        return None if best is None else best[1]

    def _dug(self, position: Position, kind: int, tiles: Sequence[int]) -> Picked:
        """The clicks that complete the kind's triple, by the nearest tiles one after the other; none where no
        tile of it is left."""
        free, wanted, dug, own = ~position.picked, 3 - position.tray[kind], 0, 0
        near = sorted(((self._above[tile] & free).bit_count(), tile) for tile in tiles if free >> tile & 1)
        of_kind = sum(1 << tile for _, tile in near)
        for _ in range(wanted):
            if own >= wanted:
                break
            more = [(self._above[tile] | 1 << tile) & free & ~dug for _, tile in near[:NEAREST]]
            dug |= min(filter(None, more), key=int.bit_count, default=0)
            own = (dug & of_kind).bit_count()
        return dug

    def _after(self, position: Position, dug: Picked) -> Position | None:
        """None: the tray has no room."""
        clicks = sorted(members(dug), key=lambda tile: -self._layers[tile])
        picked, tray, resting = position.picked, dict(position.tray), position.resting
        for click in clicks:
            kind = self._puzzle.kinds[click]
            tray[kind] = (tray[kind] + 1) % 3
            resting += 1 if tray[kind] else -2
            picked |= 1 << click
            if resting >= self._puzzle.slots:
                return None
        return Position(picked, tray, resting, clicks)
