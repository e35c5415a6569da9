"""The article's tree searches: allocate, go on slice by slice, read the line off."""

from __future__ import annotations

from fractions import Fraction

from winnable.contract.core import Action, Search
from winnable.games.drops.article import kernels as article_kernels
from winnable.games.drops.article.kernels import Question, Tree, Workspace
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.games.drops.solve.click_kernels import DIGITS, to_bits
from winnable.games.drops.solve.linked_kernels import new_clicker
from winnable.inert.arrays import I64, np
from winnable.search.meter import Meter
from winnable.search.slices import SliceEnd, Slices

FIRST_NODES = 1 << 13
SLICE_ENDS: tuple[SliceEnd, ...] = ("running", "solved", "exhausted")
"""By what a slice returns: RUNNING, SOLVED, EXHAUSTED of kernels.py."""
CHUNK = 1 << 16
"""Words of states that are moved into larger tables between two looks at the clock."""
UNLIMITED = 2**30


def question_of(puzzle: Drops, state: State, method: int, k: float = 1, depth: int = UNLIMITED) -> Question:
    """The question for a search from this state. k: the article's, of a click in the rank; thousandths count.
    Without `left` in the state no tank limits the search."""
    ratio, left = Fraction(round(k * 1000), 1000), state.left
    price, gain = puzzle.level.every or 1, article_kernels.NONE
    if left is not None and (puzzle.level.flash or puzzle.level.every):
        gain = article_kernels.OF_CHAIN if puzzle.level.flash else article_kernels.ALL
    return Question(
        method=method,
        weight=ratio.numerator,
        unit=ratio.denominator,
        depth=depth,
        left=-1 if left is None else left * price + state.bursts,
        price=price,
        gain=gain,
        open=puzzle.level.open,
    )


def workspace_for(puzzle: Drops, state: State) -> Workspace:
    """A workspace, both of whose boards are that of `state`."""
    return Workspace(
        to_bits(state.cells),
        to_bits(state.cells),
        new_clicker(puzzle.level),
        np.zeros(puzzle.rows + puzzle.columns, np.int64),
    )


class TreeSearch:
    """One search from one state."""

    def __init__(self, puzzle: Drops, state: State, question: Question) -> None:
        self.question = question
        self._cells = puzzle.num_actions
        self._work = workspace_for(puzzle, state)
        words = 1 + self._work.parent.size
        self._chunk = max(1, CHUNK // words)
        at = np.zeros(9, np.int64)
        at[article_kernels.CUT], at[article_kernels.OPEN] = article_kernels.NEVER, -1
        counts = at[article_kernels.EXPANDED : article_kernels.GENERATED + 1]
        self._slices = Slices(counts, a_node=2 + self._cells)
        self._tree = _new_tree(at, FIRST_NODES, words)
        article_kernels.add_root(self._tree, question, self._work)

    def run(self, meter: Meter, stage: str) -> Search[bool]:
        """Searches until it ends or the budget does; whether it met the goal."""

        def go_on(steps: int) -> Search[SliceEnd]:
            most = int(self._tree.at[article_kernels.EXPANDED]) + meter.expanded_left
            status = article_kernels.grow_search(self._tree, self.question, self._work, steps, most)
            if status == article_kernels.FULL_TABLE:
                return "paused" if (yield from self.enlarge(meter, stage)) else "stopped"
            return SLICE_ENDS[status]

        return (yield from self._slices.run(go_on, meter, stage)) == "solved"

    def driest(self, meter: Meter, stage: str) -> Search[int]:
        """The node with the fewest drops on the board; of several, the oldest."""
        found: list[tuple[int, int]] = []
        nodes = int(self._tree.at[article_kernels.NODES])
        for start in range(0, nodes, self._chunk):
            digits = self._tree.state[start : min(start + self._chunk, nodes), 1:]
            ones, twos, fours = np.split(np.bitwise_count(digits), DIGITS, axis=1)
            drops = (ones + 2 * twos + 4 * fours).sum(axis=1, dtype=np.int64)
            found.append((int(drops.min()), start + int(drops.argmin())))
            yield from meter.allows(stage)  # also when the budget is over
        return min(found)[1]

    def line(self, node: int | None = None) -> tuple[Action, ...]:
        """The clicks that lead to this node; None: to the goal, after a run that met it."""
        node, clicks = int(self._tree.at[article_kernels.GOAL]) if node is None else node, list[Action]()
        while self._tree.parent[node] >= 0:
            clicks.append(int(self._tree.click[node]))
            node = int(self._tree.parent[node])
        return tuple(reversed(clicks))

    @property
    def is_exhausted(self) -> bool:
        """Whether there is no goal, after a run that did not meet it."""
        return self.least_rank is None and self.least_rank_cut is None

    @property
    def least_rank(self) -> int | None:
        """The least rank of the states whose children are not all made; None when there are none."""
        at, tree = self._tree.at, self._tree
        ranks: list[int] = []
        if at[article_kernels.OPEN] >= 0:
            ranks.append(int(tree.rank[at[article_kernels.OPEN]]))
        if self.question.method != article_kernels.BREADTH_FIRST:
            if at[article_kernels.HEAP]:
                ranks.append((int(tree.heap[0]) >> 32) - article_kernels.SHIFT)
        elif at[article_kernels.NEXT] < at[article_kernels.NODES]:
            ranks.append(int(tree.rank[at[article_kernels.NEXT]]))
        return min(ranks, default=None)

    @property
    def least_rank_cut(self) -> int | None:
        """The least rank of the states that lie too deep to be expanded; None when there are none."""
        rank = int(self._tree.at[article_kernels.CUT])
        return None if rank == article_kernels.NEVER else rank

    def enlarge(self, meter: Meter, stage: str) -> Search[bool]:
        """Doubles the tables, or takes what the memory has beside the old ones; False when that is too
        little, or no time is left."""
        old = self._tree
        size = old.parent.size
        # In all tables; the hash table has up to four slots for each state.
        each = 8 * old.state.shape[1] + 3 * 4 + 2 + 8 + 4 * 4
        larger = max(2 * size, size + 2 * self._cells)
        larger = min(larger, (meter.budget.memory_mb << 20) // each - size, UNLIMITED)
        if larger < size + self._cells + 1:
            return False
        tree = _new_tree(old.at, larger, old.state.shape[1])
        nodes = int(old.at[article_kernels.NODES])
        for start in range(0, size, self._chunk):
            if not (yield from meter.allows(stage)):
                return False
            part = slice(start, min(start + self._chunk, size))
            for name in ("state", "parent", "cost", "rank", "click", "heap"):
                getattr(tree, name)[part] = getattr(old, name)[part]
            article_kernels.index_states(tree, start, min(part.stop, nodes))
        self._tree = tree
        return True


def _new_tree(at: I64, nodes: int, words: int) -> Tree:
    return Tree(
        at=at,
        state=np.empty((nodes, words), np.uint64),
        parent=np.empty(nodes, np.int32),
        cost=np.empty(nodes, np.int32),
        rank=np.empty(nodes, np.int32),
        click=np.empty(nodes, np.int16),
        heap=np.empty(nodes, np.int64),
        slots=np.zeros(1 << (2 * nodes - 1).bit_length(), np.int32),
    )
