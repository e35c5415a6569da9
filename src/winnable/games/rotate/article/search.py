"""The search with pruning that the article's authors had beside their genetic algorithm.

The article names it and its tree, whose nodes are turns (centre, radius, angle), but not what it prunes. Ours
is iterative deepening (Korf 1985), pruned where the clusters cannot fall far enough any more; see
`article_kernels.deepen`. So its line is the shortest, and a depth that it has gone through is proved to be
too small.
"""

from __future__ import annotations

from winnable.contract.core import Action, Search
from winnable.games.rotate.article import kernels as article_kernels
from winnable.games.rotate.rules.bounds import crossings
from winnable.games.rotate.rules.clusters import cluster_numbers
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve.kernels import blocks_of
from winnable.inert.arrays import I64, np
from winnable.search.meter import Meter
from winnable.search.slices import Outcome, SliceEnd, Slices

SLICE_ENDS: tuple[SliceEnd, ...] = ("running", "solved", "exhausted")
"""By what a slice returns: RUNNING, FOUND, EXHAUSTED of kernels.py."""


class PrunedSearch:
    """From one state that is not won.

    depth:  a line has at least so many turns
    excess: the fewest clusters too many of all boards seen
    best:   the turns that first led to such a board
    """

    def __init__(self, puzzle: Rotate, state: State) -> None:
        self._puzzle, self._blocks = puzzle, blocks_of(puzzle)
        self._crossings: I64 = np.array(crossings(puzzle), np.int64)
        self._cells = np.array(state.cells, np.int16)
        self._start = max(cluster_numbers(state.cells, puzzle.columns)) + 1 - puzzle.colours
        self.best: tuple[Action, ...] = ()
        self.depth = -(-self._start // max(1, int(self._crossings.max())))
        self._reached = article_kernels.Reached(0, 0, self._start, -1)
        self._counts = np.zeros(2, np.int64)  # expanded and generated
        self._slices = Slices(self._counts)

    @property
    def excess(self) -> int:
        """The fewest clusters too many of all boards seen."""
        return int(self._reached.least)

    def run(self, meter: Meter, most: int | None) -> Search[tuple[Action, ...] | None]:
        """The shortest line; None when the budget ends first, or it has more than `most` turns. A board that
        is made counts as one expanded and one generated."""
        while most is None or self.depth <= most:
            turns = np.full(self.depth, -1)
            outcome = yield from self._run_depth(meter, turns)
            if outcome == "solved":
                return tuple(turns[turns >= 0].tolist())
            if outcome == "stopped":
                return None
            self.depth += 1
        return None

    def _run_depth(self, meter: Meter, turns: I64) -> Search[Outcome]:
        cells, puzzle = self._cells.copy(), self._puzzle
        excess, best = np.full(len(turns) + 1, self._start), turns.copy()
        fitness = len(cells) - puzzle.colours
        self._reached = self._reached._replace(ply=0, best=-1)
        told = {"depth": self.depth, "best": fitness - self.excess, "target": fitness}

        def go_on(boards: int) -> SliceEnd:
            status, self._reached = article_kernels.deepen(
                cells, puzzle.columns, puzzle.colours, self._blocks, self._crossings, puzzle.ways,
                turns, excess, best, self._reached, boards,
            )  # fmt: skip
            self._counts[:] = self._reached.nodes
            told["best"] = fitness - self.excess
            return SLICE_ENDS[status]

        outcome = yield from self._slices.run(go_on, meter, "pruned-search", told)
        if self._reached.best >= 0:
            self.best = tuple(best[: self._reached.best].tolist())
        return outcome
