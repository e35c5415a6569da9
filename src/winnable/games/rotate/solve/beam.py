"""Short lines for boards of any size: beam searches over turns, wider and wider (see beam_kernels.py)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from winnable.contract.core import Action, Budget, Progress, Search
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.rotate.solve import beam_kernels
from winnable.games.rotate.solve.beam_kernels import CLUSTERS, GAPS, LINKS, SPREAD, Factors, Pool, Shape
from winnable.games.rotate.solve.beam_workspace import States, front_of, keep_best, new_pool, new_workspace
from winnable.games.rotate.solve.gap_kernels import total_gap
from winnable.games.rotate.solve.kernels import blocks_of, count_clusters, turn_action
from winnable.games.rotate.solve.rating_kernels import padded, read_bits, read_sums
from winnable.inert.arrays import F64, NDArray, np
from winnable.search.meter import Meter
from winnable.search.slices import SliceEnd, Slices

FIRST_WIDTH = 8
POOLED, MEASURED = 4, 2
"""Children for each state of the next level that are judged, and whose gaps are measured."""
PATIENCE = 20
"""Levels, besides one for each row and column, that a beam goes on without fewer clusters than ever."""
SLICE = 100_000
"""Turns rated between two looks at the clock, about: some milliseconds."""
MEASURE_SLICE = 50_000
"""Cells looked at between two looks at the clock when children are judged."""
COLOUR_UNIT = 64
"""Colours weigh as much divided by their cells, times those of the rarest: whole numbers."""
STATE_BYTES = 800
"""What a state of a level takes besides its cells and its history, with its children in the pool."""

GROWTH, INTERMEDIATE = 4, 0.15
"""Each beam is so many times as wide as the one before, if it then takes at most this share of the seconds
that are left; else they are all for one beam."""
SMALL_SIDE = 6
"""Blocks up to this side turn on any board, larger ones while there are many clusters."""
STALLED = 4
"""Each so many levels without fewer clusters let blocks turn whose side is greater by one."""
FULL_SPREAD = 144
"""Cells of a board from which on spread has its full weight."""
PLANNED = 0.7
"""The share of the seconds left that the widest beam should take, if it has as many levels as the shortest
line."""
KEPT, PLANNED_TAIL = (0.5, 0.75), 0.5
"""Beams after the widest keep these shares of the shortest line, in turn, and search its tail anew; each
should take this share of the seconds left."""
LAST_LEVELS = 3
"""A paced beam may always have so many more levels."""
LEAST_SECONDS = 1e-7
"""For a state, where the clock stood still because something was compiled."""
VARIATION = 0.3
"""Standard deviation of the logarithm of weights that are varied."""


class Slope(NamedTuple):
    """A weight that goes from `first`, on a scattered board, to `last`, on one with hardly a cluster too
    many, with the power `bend` of the share of clusters that is left."""

    first: float
    last: float
    bend: float = 1.0

    def at(self, share: float) -> float:
        """The weight while that share of the clusters too many is left."""
        return self.last + (self.first - self.last) * min(1.0, share) ** self.bend


class Weights(NamedTuple):
    """See beam_kernels: what the rank of a state is made of.

    gaps_from: while a greater share of the clusters is left, gaps are not measured; on scattered boards they
    take long and tell little.
    """

    links: Slope = Slope(0.25, 0.25, 2.0)
    spread: Slope = Slope(3.0, 3.0)
    gaps: Slope = Slope(0.1, 1.0, 2.0)
    gaps_from: float = 0.15


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Round:
    """What is known after one beam."""

    width: int
    """States of a level, at most."""
    line: tuple[Action, ...] | None
    """The shortest one so far."""


def rounds(
    puzzle: Rotate,
    cells: Sequence[int],
    meter: Meter,
    *,
    most: int | None = None,
    seed: int = 0,
    weights: Weights = WEIGHTS,
    first_width: int = FIRST_WIDTH,
) -> Iterator[Progress | Round]:
    """Beams of growing width, each yielded when it is done; at least one.

    cells: row-major, a board of the puzzle that is not finished; rules `clusters`. most: no line is longer.
    It ends with the budget of the meter (its seconds, states and memory), or when no level was full; without
    a limit of seconds and states also after the widest beam that the memory holds. When there are seconds,
    one beam is as wide as these allow, and what it leaves goes to the tail of the shortest line. Without, the
    same seed gives the same lines.
    """
    search = _Search(puzzle, cells, meter, most, seed, weights)
    timed = meter.budget.seconds < np.inf
    endless = not timed and meter.budget.expanded == sys.maxsize
    width, widest, again, kept = min(first_width, search.widest), False, 0, 0
    while search.most != 0:
        go_on = yield from search.run(width, widest and timed, again > (len(KEPT) if timed else 0), kept)
        yield Round(width, search.line)
        if not go_on or not (search.was_full or kept) or (widest and endless):
            return
        if widest:
            again += 1
            if timed:
                kept = search.kept(KEPT[(again - 1) % len(KEPT)])
                width = min(search.widest, max(1, search.affordable(PLANNED_TAIL, kept)))
            continue
        affordable = search.affordable(PLANNED) if timed else sys.maxsize
        widest = GROWTH * width > min(search.widest - 1, INTERMEDIATE * affordable)
        width = min(search.widest, max(1, affordable)) if widest else GROWTH * width


class _Search:
    """All beams on one board."""

    def __init__(
        self,
        puzzle: Rotate,
        cells: Sequence[int],
        meter: Meter,
        most: int | None,
        seed: int,
        weights: Weights,
    ) -> None:
        self.meter, self.most, self.weights = meter, most, weights
        self.line: tuple[Action, ...] | None = None
        self.was_full = False
        self._goal = -1, -1
        """A state of the level, and the action that finishes it; -1: none has been met."""
        self._counts = np.zeros(2, np.int64)
        self._slices = Slices(self._counts, first=SLICE)
        self._levels, self._seconds_per_state = 1, 0.0
        """Of the last beam."""
        self._rows, self._columns, self._colours = puzzle.rows, puzzle.columns, puzzle.colours
        self._rng = np.random.default_rng(seed)
        names = {colour: name for name, colour in enumerate(sorted(set(cells)))}
        self._root = np.array([names[colour] for colour in cells], np.int16)
        self._shape = self._new_shape(puzzle)
        self._work = new_workspace(self._rows, self._columns, self._colours, puzzle.num_actions)
        self._side = min(self._rows, self._columns)
        size, colours = len(cells), self._colours
        self._longest = 4 * size if most is None else most
        # of a board at random, by Euler's formula without holes
        self._scattered = max(1.0, size * max(0.1, 1 - 2 / colours) - colours)
        rarest = int(np.bincount(self._root).min())
        # spread, brought to about the number of cells on a finished board; it counts for less on small boards
        self._spread_unit = 3 / (COLOUR_UNIT * rarest * (self._rows**2 + self._columns**2 - 2))
        self._spread_unit *= min(1.0, size / FULL_SPREAD)

    @property
    def seconds_left(self) -> float:
        return self.meter.budget.seconds - self.meter.budget.elapsed

    @property
    def widest(self) -> int:
        """What the memory holds."""
        history = 8 * (len(self.line) if self.line else 2 * len(self._root))
        return max(1, (self.meter.budget.memory_mb << 20) // (4 * len(self._root) + history + STATE_BYTES))

    def affordable(self, share: float, kept: int = 0) -> int:
        """How wide a beam may be that takes this share of the seconds left, if its states take as long
        as those of the last one. kept: see `run`."""
        levels = len(self.line) - kept if self.line else self._levels
        return int(share * self.seconds_left / (max(1, levels) * self._seconds_per_state))

    def kept(self, share: float) -> int:
        """That share of the shortest line in turns, but no more than leaves room for a shorter one."""
        return max(0, min(int(share * len(self.line)), self._longest - 1)) if self.line else 0

    def run(self, width: int, paced: bool, varied: bool, kept: int = 0) -> Search[bool]:
        """One beam; False when the budget ended before it. paced: levels are less wide where the seconds that
        are left do not allow more. varied: the weights are a little different, so that another line may be
        found. kept: it starts after so many turns of the shortest line."""
        began, expanded = self.meter.budget.elapsed, self.meter.expanded
        go_on = yield from self._run(width, paced, varied, kept)
        expanded = max(1, self.meter.expanded - expanded)
        self._seconds_per_state = max(LEAST_SECONDS, (self.meter.budget.elapsed - began) / expanded)
        return go_on

    def _run(self, width: int, paced: bool, varied: bool, kept: int) -> Search[bool]:
        weights = self._varied() if varied else self.weights
        level, spare = States(width, len(self._root)), States(width, len(self._root))
        pool, planned = new_pool(2 * POOLED * width), width
        cells = self._after(kept)
        level.states[0], level.features[0], level.number = cells, self._features(cells), 1
        history: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        longest = self._longest - kept
        fewest, last_fall, self.was_full = np.inf, 0, False
        while len(history) < longest:
            self._levels = len(history) + 1
            clusters = float(level.features[: level.number, CLUSTERS].min())
            if clusters < fewest:
                fewest, last_fall = clusters, len(history)
            if len(history) - last_fall > PATIENCE + self._rows + self._columns:
                return True
            began = self.meter.budget.elapsed
            share = (clusters - self._colours) / self._scattered
            now = self._factors_at(share, weights)
            number = level.number
            largest = self._largest_at(share, len(history) - last_fall)
            wide = min(width, number * self._turns_to(largest))
            part = front_of(pool, 2 * POOLED * wide)
            if not (yield from self._expand(level, largest, now, part)):
                return False
            if self._goal[0] >= 0:
                self._keep_line(kept, history, *self._goal)
                return True
            pooled = int(part.number[0])
            if pooled == 0:
                return True
            if not (yield from self._choose(level, pooled, wide, now, part)):
                return False
            yield from self._build(level, wide, part, spare)
            history.append((part.parent[: spare.number].copy(), part.action[: spare.number].copy()))
            level, spare = spare, level
            self.was_full |= level.number == width or pooled > POOLED * wide or bool(part.limit[0] < np.inf)
            if paced and number == width:
                seconds = max(LEAST_SECONDS, (self.meter.budget.elapsed - began) / number)
                width = self._paced(kept + len(history), seconds, planned)
        return True

    def _paced(self, plies: int, seconds_per_state: float, planned: int) -> int:
        """How wide a level may be, if all that are left take the same time."""
        length = len(self.line) if self.line else self._longest
        left = max(LAST_LEVELS, length - plies)
        return max(1, min(planned, int(self.seconds_left / left / seconds_per_state)))

    def _largest_at(self, share: float, since: int) -> int:
        """The greatest side of blocks that turn while that share of the clusters is left. On a board that is
        not scattered, the border of a larger one cuts through more than it joins. since: levels without fewer
        clusters than ever; then larger ones may help, too."""
        return min(int(SMALL_SIDE + min(1.0, share) ** 2 * self._side) + since // STALLED, self._side)

    def _turns_to(self, largest: int) -> int:
        """With blocks up to that side."""
        return 3 * int(np.searchsorted(self._shape.blocks[:, 2], largest, side="right"))

    def _expand(self, level: States, largest: int, factors: Factors, pool: Pool) -> Search[bool]:
        turns, first = self._turns_to(largest), 0

        def go_on(states: int) -> SliceEnd:
            nonlocal first
            last = min(level.number, first + states, first + max(1, SLICE // turns))
            self._goal = beam_kernels.expand(
                self._shape, level.states, level.features, first, last, largest, factors, self._work, pool
            )
            done = last if self._goal[0] >= 0 else int(self._work.at[beam_kernels.STATE])
            self._counts += done - first, (done - first) * turns
            first = done
            return "solved" if self._goal[0] >= 0 else "exhausted" if first == level.number else "paused"

        return (yield from self._slices.run(go_on, self.meter, *self._stage)) != "stopped"

    def _choose(self, level: States, pooled: int, width: int, factors: Factors, pool: Pool) -> Search[bool]:
        """Moves the best children to the front of the pool."""
        number = keep_best(POOLED * width, pooled, pool)
        pool.seen[:] = 0
        step = max(1, MEASURE_SLICE // len(self._root))
        for first in range(0, number, step):
            if not (yield from self._allowed()):
                return False
            last = min(number, first + step)
            beam_kernels.judge(self._shape, level.states, first, last, factors, self._work, pool)
        if factors.gaps > 0:
            number = keep_best(MEASURED * width, number, pool)
            for first in range(0, number, step):
                if not (yield from self._allowed()):
                    return False
                last = min(number, first + step)
                beam_kernels.measure_gaps(self._shape, level.states, first, last, factors, self._work, pool)
        keep_best(width, number, pool)
        return True

    def _build(self, level: States, width: int, pool: Pool, into: States) -> Search[None]:
        """The states of the next level, by the front of the pool."""
        step = max(1, MEASURE_SLICE // len(self._root))
        into.number = 0
        for first in range(0, width, step):
            part = slice(first, min(width, first + step))
            some = pool._replace(
                parent=pool.parent[part], action=pool.action[part], features=pool.features[part]
            )
            states, features = into.states[part], into.features[part]
            made = beam_kernels.build(self._shape, level.states, part.stop - first, some, states, features)
            into.number += made
            if made < part.stop - first:
                break
            if self.meter.is_due:
                yield from self._allowed()

    @property
    def _stage(self) -> tuple[str, dict[str, Any]]:
        return ("beam", {}) if self.line is None else ("beam.line", {"turns": len(self.line)})

    def _allowed(self) -> Search[bool]:
        stage, told = self._stage
        return self.meter.allows(stage, **told)

    def _keep_line(
        self, kept: int, history: list[tuple[NDArray[np.int32], NDArray[np.int32]]], state: int, last: int
    ) -> None:
        line = [last]
        for parent, action in reversed(history):
            line.append(int(action[state]))
            state = int(parent[state])
        self.line = (self.line or ())[:kept] + tuple(reversed(line))
        self.most = self._longest = len(self.line) - 1

    def _factors_at(self, share: float, weights: Weights) -> Factors:
        return Factors(
            float(weights.links.at(share)),
            float(weights.spread.at(share) * self._spread_unit),
            float(weights.gaps.at(share)) if share <= weights.gaps_from else 0.0,
        )

    def _varied(self) -> Weights:
        def varied(slope: Slope) -> Slope:
            factors = np.exp(VARIATION * self._rng.standard_normal(3))
            return Slope(*(float(value * factor) for value, factor in zip(slope, factors, strict=True)))

        links, spread, gaps, *others = self.weights
        return Weights(varied(links), varied(spread), varied(gaps), *others)

    def _after(self, kept: int) -> NDArray[np.int16]:
        """The board after so many turns of the shortest line."""
        cells = self._root.copy()
        for action in (self.line or ())[:kept]:
            turn_action(cells, self._columns, self._shape.blocks, beam_kernels.WAYS, action, False)
        return cells

    def _features(self, cells: NDArray[np.int16]) -> F64:
        rows, columns, work = self._rows, self._columns, self._work
        features = np.zeros(5)
        features[CLUSTERS] = count_clusters(cells, columns, work.parents)
        features[GAPS] = total_gap(cells, self._colours, work.parents, work.growth)
        features[LINKS], _ = read_bits(cells, rows, columns, work.planes, work.likes)
        read_sums(cells, rows, columns, work.sums)
        number, x, y = work.sums[:, -1, -1]
        x, y = 2 * x - (columns - 1) * number, 2 * y - (rows - 1) * number
        features[SPREAD] = (self._shape.colour_weights * (x * x + y * y)).sum()
        return features

    def _new_shape(self, puzzle: Rotate) -> Shape:
        cells = np.bincount(self._root)
        weights = np.zeros(padded(self._colours), np.int64)
        weights[: self._colours] = np.rint(COLOUR_UNIT * cells.min() / cells)
        zobrist = self._rng.integers(1, 2**63, (len(self._root), self._colours), np.uint64)
        sides = np.arange(2, min(self._rows, self._columns) + 1, 2)
        size = puzzle.rows, puzzle.columns, puzzle.colours
        return Shape(*size, blocks_of(puzzle), sides, zobrist, weights)


def warm() -> None:
    """Compiles every kernel."""
    puzzle = Rotate(Level(((0, 1, 2, 0), (1, 2, 0, 1), (2, 0, 1, 2), (0, 2, 1, 0))))
    for _ in rounds(puzzle, puzzle.level.cells, Meter(Budget(expanded=40))):
        pass
    # What goes on from a line turns its first blocks by itself.
    turn_action(
        np.array(puzzle.level.cells, np.int16), puzzle.columns, blocks_of(puzzle), beam_kernels.WAYS, 0, False
    )
