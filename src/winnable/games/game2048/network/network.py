"""N-tuple networks: what a board after a move is worth, as a sum of weights (S. M. Lucas, 2008; for 2048
M. Szubert and W. Jaśkowski, IEEE CIG 2014).

A tuple is a set of cells, with a weight for each way in which tiles may lie on them. A board's value adds up
the weights that it has in each tuple, seen from all 8 sides. In stages (Wu et al., TAAI 2014), which begin
when a tile is reached, boards have weights of their own. Boards with tiles so large that few games get there
are seen *folded*, as those that are like them and have smaller tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final, TypeAlias

from winnable.contract.core import WinnableError
from winnable.games.game2048.board.kernels import MAX_EXPONENT, pack
from winnable.games.game2048.network import kernels as network_kernels
from winnable.games.game2048.network.kernels import Net
from winnable.games.game2048.rules.puzzle import State
from winnable.inert.arrays import F32, np

SHAPES: Final = {
    "4x5": "01234 45678 01245 45689",
    "4x6": "012345 456789 012456 45689a",
    "8x6": "012345 456789 012456 234569 01259a 345678 134567 01489a",
}
"""Cells as digits of base 16, row-major. 4x6 is that of I-C. Wu, K.-H. Yeh and others (TAAI 2014), 8x6 that
of K. Matsuzaki (TAAI 2016); 4x5 is 4x6 with a cell less in each tuple."""
MOST_CELLS = 7
"""In a tuple: one of 7 has a GiB of weights."""
MOST_WEIGHTS = 1 << 32
"""So that 32 bits say where a weight is."""
FOLD: Final = 14
"""Exponent from which on tiles are folded, where nothing else is said."""
NO_FOLD: Final = MAX_EXPONENT + 1
GAP = 2064
"""Unused weights after those of a tuple. Without it the busiest weights of each tuple, which come first,
would lie a power of two apart, and compete for the same few lines of the processor's caches."""

Tuples: TypeAlias = tuple[tuple[int, ...], ...]


def parse_tuples(text: str) -> Tuples:
    """A name of SHAPES, or tuples as these are written. Cells get sorted. Raises WinnableError."""
    words = SHAPES.get(text.strip(), text).lower().replace(",", " ").split()
    if not words:
        raise WinnableError("2048.tuple.none", field="network")
    tuples: list[tuple[int, ...]] = []
    for word in words:
        if not set(word) <= set("0123456789abcdef"):
            raise WinnableError("2048.tuple", field="network", given=word[:40], known=list(SHAPES))
        cells = tuple(sorted(int(digit, 16) for digit in word))
        if len(cells) > MOST_CELLS:
            raise WinnableError("2048.tuple.long", field="network", given=word[:40], most=MOST_CELLS)
        if any(a == b for a, b in pairwise(cells)):
            raise WinnableError("2048.tuple.twice", field="network", given=word)
        tuples.append(cells)
    return tuple(tuples)


def format_tuples(tuples: Tuples) -> str:
    """Inverse of `parse_tuples`."""
    text = " ".join("".join(f"{cell:x}" for cell in cells) for cells in tuples)
    return next((name for name, shape in SHAPES.items() if shape == text), text)


def count_weights(tuples: Tuples, stages: Sequence[int] = (), fold: int = FOLD) -> int:
    """Counts the weights of a network. Raises WinnableError when there cannot be one."""
    if not 1 < fold <= NO_FOLD:
        raise WinnableError("2048.fold", field="fold", high=f"{1 << MAX_EXPONENT:,}")
    if any(a >= b for a, b in pairwise((0, *stages, fold))):
        raise WinnableError(
            "2048.stages" if fold == NO_FOLD else "2048.stages.folded",
            field="stages",
            high=f"{1 << fold - 1:,}",
        )
    count = sum(16 ** len(cells) + GAP for cells in tuples) * (len(stages) + 1)
    if count > MOST_WEIGHTS:
        raise WinnableError("2048.weights", field="network", given=f"{count:,}", most=f"{MOST_WEIGHTS:,}")
    return count


class Network:
    """Weights, for tuples and stages.

    tuples:  each in ascending order of its cells
    stages:  exponents in ascending order; each begins a stage, from the first board on that has such a tile
    initial: what each weight was before it learned
    fold:    exponent. Boards with such tiles, or larger ones, are seen folded, see `folded`; NO_FOLD: none
    weights: float32 [(len(stages) + 1) * size]; see `place`
    net:     the same with what else kernels need
    """

    def __init__(
        self,
        tuples: Tuples,
        stages: Sequence[int] = (),
        weights: F32 | None = None,
        initial: float = 0.0,
        fold: int = FOLD,
    ) -> None:
        """Without weights, all are `initial`. Raises WinnableError, also when there is no memory for them."""
        count = count_weights(tuples, stages, fold)
        self.tuples, self.stages, self.initial, self.fold = tuples, tuple(stages), initial, fold
        *self.firsts, self.size = accumulate((16 ** len(cells) + GAP for cells in tuples), initial=0)
        """Where in a stage each tuple's weights begin, and how many the stage has."""
        self.weights = new_weights(count, initial) if weights is None else weights
        assert self.weights.shape == (count,)
        masks = [sum(0x1000100010001 << cell for cell in cells) for cells in tuples]
        limits = [(fold, 0), *((exponent, self.size) for exponent in self.stages)]
        self.net = Net(
            self.weights,
            np.array([*zip(masks, self.firsts, strict=True)], np.uint64),
            np.array([((16 - e) * 0x0101010101010101, size) for e, size in limits], np.uint64),
        )

    def place(self, number: int, exponents: Sequence[int]) -> int:
        """The place in a stage of the weight of such tiles, of exponents up to 15, on the cells of a tuple:
        the exponents' lowest bits come first, then their second ones, and so on."""
        bits = [exponent >> bit & 1 for bit in range(4) for exponent in exponents]
        return self.firsts[number] + sum(one << place for place, one in enumerate(bits))

    def value(self, board: State) -> float:
        """The rewards to come, of a board of 4 × 4 after a move; exponents up to 15."""
        word = np.uint64(pack(board))
        return float(network_kernels.value(word, self.net))

    def with_stage(self, exponent: int) -> Network:
        """The network with one more stage, whose weights begin as those of the last one."""
        weights = np.concatenate([self.weights, self.weights[-self.size :]])
        return Network(self.tuples, (*self.stages, exponent), weights, self.initial, self.fold)


def folded(state: State, fold: int) -> State:
    """Folds the board: while a tile has the exponent `fold` or a larger one, and some tile is missing below
    the largest: with all that are larger than the missing one halved. So equal tiles stay equal, and others
    different (tile-downgrading, H. Guei et al., IEEE Trans. Games 14, 2022)."""
    while max(state) >= fold:
        missing = max((set(range(1, max(state))) - set(state)), default=0)
        if not missing:
            break
        state = tuple(exponent - (exponent > missing) for exponent in state)
    return state


def new_weights(count: int, initial: float) -> F32:
    """Raises WinnableError when there is no memory for them."""
    try:
        if initial:
            return np.full(count, initial, np.float32)
        return np.zeros(count, np.float32)  # most are never looked at, and take no memory
    except MemoryError:
        raise WinnableError("2048.memory", field="network", size=f"{4 * count / 2**30:.1f}") from None
