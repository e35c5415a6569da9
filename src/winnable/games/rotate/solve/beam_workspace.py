"""Arrays for the levels of a beam, for one state, and for the pool of children (see beam_kernels.py)."""

from __future__ import annotations

from winnable.games.rotate.solve import beam_kernels
from winnable.games.rotate.solve.beam_kernels import Pool, Workspace
from winnable.games.rotate.solve.gap_kernels import new_growth
from winnable.games.rotate.solve.rating_kernels import LEFTS, new_sums, new_words, padded
from winnable.inert.arrays import np


class States:
    """The states of a level, and arrays for so many."""

    def __init__(self, width: int, cells: int) -> None:
        self.states = np.zeros((width, cells), np.int16)
        self.features = np.zeros((width, 5))
        self.number = 0


def new_workspace(rows: int, columns: int, colours: int, turns: int) -> Workspace:
    """The arrays that judging one state takes, on boards of this size."""
    size = rows * columns
    planes, likes = new_words(max(1, (colours - 1).bit_length()))
    return Workspace(
        at=np.zeros(2, np.int64),
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
        growth=new_growth(rows, columns),
    )


def new_pool(size: int) -> Pool:
    """A pool for so many children; half of them are judged."""
    return Pool(
        parent=np.zeros(size, np.int32),
        action=np.zeros(size, np.int32),
        features=np.zeros((size, 5)),
        hash=np.zeros(size, np.uint64),
        seen=np.zeros(slots(size), np.uint64),
        ranks=np.zeros(size),
        number=np.zeros(1, np.int64),
        limit=np.zeros(1),
    )


def front_of(pool: Pool, size: int) -> Pool:
    """The front of the pool, as small as a level needs it; empty."""
    pool.number[0], pool.limit[0] = 0, np.inf
    front = Pool._make(array[:size] for array in pool)
    return front._replace(seen=pool.seen[: slots(size)])


def slots(size: int) -> int:
    """The size of `seen`. Half of the pool is judged: at most half of the slots are taken."""
    return 1 << (size - 1).bit_length()


def keep_best(width: int, number: int, pool: Pool) -> int:
    """Moves the best of the first `number` children to the front; returns how many these are."""
    beam_kernels.keep(width, number, pool)
    return min(width, number)
