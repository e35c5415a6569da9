"""Arrays for the levels of a beam, for one state, and for the pool of children (see beam_kernels.py)."""

from __future__ import annotations

from winnable.games.rotate.solve import beam_kernels
from winnable.games.rotate.solve.beam_kernels import CLUSTERS, GAPS, LINKS, RANK, SPREAD, Pool, Workspace
from winnable.games.rotate.solve.rating_kernels import LEFTS, new_sums, new_words, padded
from winnable.inert.arrays import F64, np


class States:
    """The states of a level, and arrays for so many."""

    def __init__(self, width: int, cells: int) -> None:
        self.states = np.zeros((width, cells), np.int16)
        self.features = np.zeros((width, 5))
        self.number = 0

    def rank(self, weights: F64) -> None:
        """By the weights of this level, not those by which the states were chosen."""
        features = self.features[: self.number]
        features[:, RANK] = (
            features[:, CLUSTERS]
            - weights[beam_kernels.OF_LINKS] * features[:, LINKS]
            - weights[beam_kernels.OF_SPREAD] * features[:, SPREAD]
            + weights[beam_kernels.OF_GAPS] * features[:, GAPS]
        )


def new_workspace(rows: int, columns: int, colours: int, turns: int) -> Workspace:
    size = rows * columns
    planes, likes = new_words(max(1, (colours - 1).bit_length()))
    return Workspace(
        cells=np.zeros(size, np.int16),
        parents=np.zeros(size, np.int16),
        planes=planes,
        likes=likes,
        sums=new_sums(rows, columns, colours),
        borders=np.zeros(16 * LEFTS, np.uint64),
        links=np.zeros(turns, np.int64),
        euler=np.zeros(turns, np.int64),
        pulls=np.zeros((2, padded(colours)), np.int64),
        spread=np.zeros(turns, np.int64),
        gains=np.zeros(turns),
        gaps=np.zeros((6, size), np.int32),
    )


def new_pool(size: int) -> Pool:
    """For so many children; half of them are judged."""
    return Pool(
        parent=np.zeros(size, np.int32),
        action=np.zeros(size, np.int32),
        features=np.zeros((size, 5)),
        hash=np.zeros(size, np.uint64),
        seen=np.zeros(slots(size), np.uint64),
        ranks=np.zeros(size),
    )


def part_of(pool: Pool, size: int) -> Pool:
    """The front of it, as small as a level needs it."""
    seen = pool.seen[: slots(size)]
    return Pool(
        pool.parent[:size],
        pool.action[:size],
        pool.features[:size],
        pool.hash[:size],
        seen,
        pool.ranks[:size],
    )


def slots(size: int) -> int:
    """Half of the pool is judged: at most half of the slots are taken."""
    return 1 << (size - 1).bit_length()


def keep_best(width: int, number: int, pool: Pool) -> int:
    """Moves the best of the first `number` children to the front; returns how many these are."""
    beam_kernels.keep(width, number, pool)
    return min(width, number)
