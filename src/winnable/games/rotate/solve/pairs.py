"""Short lines for boards of pairs (Kosen Procon 36).

Up to twelve cells: every arrangement that can be reached, so with proof. Else there is a long line at once,
by filling rows (pairs_filling.py), and then beams over single turns, each twice as wide as the one before,
until the budget ends (pairs_kernels.py). A beam grows wider as pairs get joined: fewer turns are left to try
then, so its boards cost less time, and holes among joined pairs take the longest search.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from winnable.contract.core import Action, Answer, Best, Budget, Limit, Search
from winnable.games.rotate.rules.blocks import Block
from winnable.games.rotate.rules.bounds import cluster_bound
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve import pairs_kernels
from winnable.games.rotate.solve.pairs_exact import Mates, mates_of, shortest
from winnable.games.rotate.solve.pairs_filling import filling_line
from winnable.inert.arrays import NDArray, np
from winnable.search.meter import Meter

EXACT_CELLS = 12
NO_LIMIT = 1 << 30
FIRST_WIDTH = 16
WIDER = 8
"""A beam grows as its loose cells become fewer, but not above so many times its first width."""
PATIENCE = 30
"""A beam ends when its best board did not get better for so many turns."""
SHORT, MOST_CUTS = 15, 1
"""Turns of a board that are offered; and see pairs_kernels.Shape."""
FAR, FURTHER = 100, 25
"""A pair that is not joined costs this much, and as much more times the square root of the steps between."""
AWAY = 100
"""Costs each of its cells at the edge of the board; linearly less towards the middle."""
BORDER = (0, 10, 30, 90, 150)
"""See pairs_kernels.Shape."""
JITTER = 8
"""Costs by chance for each cell, below this, so that beams differ."""
LARGE, LARGE_SIDE = 14, 10
"""On boards of that side only blocks up to this side are tried: larger ones gain little for their time."""
CHUNK, CHUNK_TURNS, CHUNK_CELLS = 16, 16_000, 300_000
"""Boards expanded between two looks at the budget, at the most; about how many turns of these; and cells of
boards that are made."""


def solve_pairs(puzzle: Rotate, state: State, budget: Budget, seed: int) -> Search[Answer]:
    """The shortest line that is found within the budget; the same seed gives the same one, as long as the
    clock does not cut it. Proved to be the shortest, or `unsolvable`, when all arrangements were looked at
    (up to twelve cells) or when `cluster_bound` says so."""
    mates = mates_of(state.cells)
    most = NO_LIMIT if state.left is None else state.left
    if len(mates) <= EXACT_CELLS:
        return (yield from _solve_exactly(puzzle, state, mates, most, budget))
    lower = cluster_bound(puzzle, state.cells)
    if lower > most:
        return Answer("unsolvable", seconds=budget.elapsed)
    if lower == 0:
        return Answer("solved", (), 0, 0, optimal=True, seconds=budget.elapsed)
    if not (yield from budget.allows("filling", 0, 0)):
        limit = budget.limit(0)
        return Answer("budget", lower_bound=lower, seconds=budget.elapsed, limit=limit)
    search = _Search(puzzle, mates, seed)
    line = yield from search.filling_line(Meter(budget))
    width = FIRST_WIDTH
    while len(line) > lower and search.fits(width, len(line), budget):
        shorter, finished = yield from search.beam(width, min(len(line) - 1, most), budget)
        line = shorter or line
        if not finished:
            break
        width *= 2
    used = search.expanded, search.rated, budget.elapsed
    if len(line) > most:
        best = Best(tuple(line), "turns", len(line))
        return Answer("budget", (), None, lower, False, *used, Limit("supply", most), best)
    yield from Meter(budget).check(puzzle, state, line)
    return Answer("solved", tuple(line), len(line), lower, len(line) == lower, *used)


def _solve_exactly(puzzle: Rotate, state: State, mates: Mates, most: int, budget: Budget) -> Search[Answer]:
    meter = Meter(budget)
    line = yield from shortest(mates, puzzle.columns, puzzle.blocks, meter)
    if line is None or len(line) > most:
        return Answer("unsolvable", expanded=meter.expanded, seconds=budget.elapsed)
    actions = tuple(map(puzzle.numbers.__getitem__, line))
    return (yield from meter.solved(puzzle, state, actions, len(line)))


class _Search:
    """All beams on one board. expanded, rated: boards and turns so far."""

    def __init__(self, puzzle: Rotate, mates: Mates, seed: int) -> None:
        self.rows, self.columns, self.mates = puzzle.rows, puzzle.columns, mates
        self.actions = puzzle.numbers
        least = min(self.rows, self.columns)
        most = LARGE_SIDE if least >= LARGE else least
        whole = Block(0, 0, least) if self.rows == self.columns else None
        useful = [block for block in puzzle.blocks if block.side <= most and block != whole]
        self.useful = [self.actions[block] for block in useful]
        self.blocks = np.array([*chain.from_iterable(useful)], np.int64).reshape(-1, 3)
        self.made_at_once = 1 + CHUNK_CELLS // len(mates)
        self.chunk = min(CHUNK, 1 + CHUNK_TURNS // max(1, len(useful)))
        self.rng = np.random.default_rng(seed)
        self.expanded = self.rated = 0

    def filling_line(self, meter: Meter) -> Search[list[Action]]:
        line = yield from filling_line(self.mates, self.rows, self.columns, meter)
        return [self.actions[block] for block in line]

    def fits(self, width: int, turns: int, budget: Budget) -> bool:
        """Whether the tables of such a beam do."""
        return WIDER * width * (4 * len(self.mates) + 8 * turns + 200) <= budget.memory_mb << 20

    def beam(self, width: int, most: int, budget: Budget) -> Search[tuple[list[Action] | None, bool]]:
        """A line of so many turns at the most, if it finds one; and False when the budget ended before. It
        keeps `width` boards of the first depth."""
        shape, work = self._shape(), self._work()
        cells, widest = len(self.mates), WIDER * width
        here, there = _new_layer(widest, cells), _new_layer(widest, cells)
        here.boards[0], count = self.mates, 1
        here.costs[0] = pairs_kernels.board_cost(shape, here.boards[0])
        here.hashes[0] = pairs_kernels.hash_of(here.boards[0], shape.keys)
        seen = np.zeros(1 << (8 * widest).bit_length(), np.uint64)
        heap = np.zeros(widest, np.int64)
        parents: list[NDArray[np.int32]] = []
        turns: list[NDArray[np.int32]] = []
        best, best_cost, since = 0, NO_LIMIT, 0
        while len(turns) < most and since < PATIENCE:
            loose = loose_count(here.boards[best], self.columns)
            kept = min(widest, width * cells // loose)
            parent, turn = np.zeros(kept, np.int32), np.zeros(kept, np.int32)
            counts = np.zeros((3, 1), np.int64)
            children = pairs_kernels.Children(heap[:kept], parent, turn, there, seen, *counts)
            seen[:] = 0
            for first in range(0, count, self.chunk):
                if not (yield from self._allowed(width, budget)):
                    return None, False
                last = min(first + self.chunk, count)
                rated = self.rated - int(children.rated[0])
                pairs_kernels.expand(shape, here, first, last, work, children)
                self.expanded += last - first
                self.rated = rated + int(children.rated[0])
            count = int(children.kept[0])
            if count == 0:
                break
            for first in range(0, count, self.made_at_once):
                yield from self._allowed(width, budget)  # whatever it says: one may be finished
                last = min(first + self.made_at_once, count)
                pairs_kernels.make_children(shape, here, first, last, children)
            parents.append(parent[:count])
            turns.append(turn[:count])
            here, there = there, here
            best = int(here.costs[:count].argmin())
            cost = int(here.costs[best])
            if cost == 0:
                return self._line_to(best, parents, turns), True
            best_cost, since = (cost, 0) if cost < best_cost else (best_cost, since + 1)
        return None, True

    def _allowed(self, width: int, budget: Budget) -> Search[bool]:
        return budget.allows("beam.width", self.expanded, self.rated, width=width)

    def _line_to(
        self, slot: int, parents: Sequence[NDArray[np.int32]], turns: Sequence[NDArray[np.int32]]
    ) -> list[Action]:
        line: list[Action] = []
        for parent, turn in zip(reversed(parents), reversed(turns), strict=True):
            line.append(self.useful[int(turn[slot])])
            slot = int(parent[slot])
        return line[::-1]

    def _shape(self) -> pairs_kernels.Shape:
        """With some chance in `away`."""
        steps = np.arange(self.rows + self.columns)
        far = np.where(steps > 1, FAR + FURTHER * np.sqrt(np.maximum(steps - 1, 0)), 0)
        down, across = _from_middle(self.rows), _from_middle(self.columns)
        away = AWAY * np.maximum(down[:, None], across)
        away += self.rng.integers(0, JITTER, (self.rows, self.columns))
        return pairs_kernels.Shape(
            self.columns, self.blocks, np.rint(far).astype(np.int32), away.astype(np.int32).ravel(),
            border=np.array(BORDER, np.int32),
            keys=self.rng.integers(1, 2**32, len(self.mates), np.uint64),
            most_cuts=MOST_CUTS,
        )  # fmt: skip

    def _work(self) -> pairs_kernels.Workspace:
        return pairs_kernels.Workspace(
            mates=np.zeros(len(self.mates), np.int16),
            bits=np.zeros((4, self.rows), np.uint64),
            of_mates=np.zeros((len(self.mates), 3), np.int32),
            short=np.zeros(SHORT, np.int64),
        )


def loose_count(mates: NDArray[np.int16], columns: int) -> int:
    """Cells whose mate is not beside them. mates: int16 [cells], see pairs_kernels."""
    places = np.array(range(len(mates)), np.int64)
    others = mates.astype(np.int64)
    down, across = others // columns - places // columns, others % columns - places % columns
    return int(np.count_nonzero(np.abs(down) + np.abs(across) != 1))


def _from_middle(places: int) -> NDArray[np.float64]:
    """Of each row or column, how far it is from the middle: 0 there, just below 1 at the edge."""
    return np.abs(np.arange(places) * 2 + 1 - places) / places


def _new_layer(width: int, cells: int) -> pairs_kernels.Layer:
    return pairs_kernels.Layer(
        np.zeros((width, cells), np.int16), np.zeros(width, np.int32), np.zeros(width, np.uint64)
    )
