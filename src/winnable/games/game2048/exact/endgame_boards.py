"""Endgame patterns: for the passes of exact play, and in files, where a board takes 2 bytes and its chance 2.

A file keeps of each layer, by the first bits of keys, where the boards with these begin; of each board the
other bits of its key; and a code of its chance, the fourth root of the chance to fail in so many STEPS. So
chances are kept in steps of less than 0.01 %, and ever smaller ones near certainty.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from winnable.games.game2048.board.kernels import slides
from winnable.games.game2048.exact import endgame_kernels as kernels
from winnable.games.game2048.exact.passes import Values, no_boards
from winnable.games.game2048.rules.level import FOURS
from winnable.inert.arrays import F64, U64, U, np

LOW: Final = 16
"""Bits of a key that are kept with each board."""
STEPS: Final = 65535


class Pattern(NamedTuple):
    """Cells that lie still, and the tile that the others are to make.

    fixed: cells, ascending; in a game they hold tiles of the goal's size or larger
    goal:  its exponent, 3 to 14
    """

    name: str
    fixed: tuple[int, ...]
    goal: int

    @property
    def free(self) -> tuple[int, ...]:
        """The other cells, ascending."""
        return tuple(cell for cell in range(16) if cell not in self.fixed)

    @property
    def word(self) -> int:
        """A board whose free cells are empty."""
        return sum(15 << 4 * cell for cell in self.fixed)


class PatternBoards:
    """Layers are numbered by the total of their boards, see `endgame_kernels`."""

    fours = FOURS

    def __init__(self, pattern: Pattern) -> None:
        self._free = len(pattern.free)
        self._arguments = U(pattern.word), pattern.goal, slides()

    def with_new_tile(self, boards: U64, exponent: int) -> U64:
        found = np.empty(boards.size * self._free, np.uint64)
        return found[: kernels.with_new_tile(boards, exponent, found)]

    def afterstates(self, states: U64) -> U64:
        found = np.empty(4 * states.size, np.uint64)
        return found[: kernels.following(states, *self._arguments, found)]

    def worths(self, boards: U64, following: Values, later: Values) -> F64:
        found = np.empty(boards.size)
        kernels.chances_of_afterstates(
            boards, FOURS / 100, *self._arguments,
            following.slots, following.worths, later.slots, later.worths,
            found,
        )  # fmt: skip
        return found


def starts(pattern: Pattern) -> list[U64]:
    """The boards with one free tile, a 2 or a 4, by layers."""
    tiles = ([pattern.word | tile << 4 * cell for cell in pattern.free] for tile in (1, 2))
    return [no_boards(), *(np.array(boards, np.uint64) for boards in tiles)]


class PatternForm:
    """How files keep layers, see `exact_layers.Form`."""

    def __init__(self, pattern: Pattern) -> None:
        largest = pattern.goal ** (len(pattern.free) - 1) - 1
        assert largest < 1 << 32, "a key is a uint32"
        self._pattern, self._highs = pattern, (largest >> LOW) + 1
        self._head = 4 * (self._highs + 1)
        """Bytes that say where boards begin."""
        self._places = np.array([4 * cell for cell in pattern.free], np.uint64)

    def count(self, size: int) -> int:
        return (size - self._head) // 2

    def kept_boards(self, boards: U64) -> Any:
        keys = np.empty(boards.size, np.uint32)
        kernels.keys(boards, self._places, self._pattern.goal, keys)
        begins = np.searchsorted(keys >> LOW, np.arange(self._highs + 1, dtype=np.uint32)).astype(np.uint32)
        return np.concatenate([begins.view(np.uint8), keys.astype(np.uint16).view(np.uint8)])

    def boards(self, content: Any, layer: int) -> U64:
        begins, lows = content[: self._head].view(np.uint32), content[self._head :].view(np.uint16)
        keys = np.repeat(np.arange(self._highs, dtype=np.uint32) << LOW, np.diff(begins)) | lows
        found = np.empty(keys.size, np.uint64)
        word, goal = U(self._pattern.word), self._pattern.goal
        kernels.boards_of(keys, layer, word, self._places, goal, found)
        return found

    def kept_worths(self, worths: F64) -> Any:
        failures = np.maximum(0.0, 1.0 - worths)
        return np.rint(STEPS * np.sqrt(np.sqrt(failures))).astype(np.uint16)

    def worths(self, content: Any) -> F64:
        return _chances()[content.view(np.uint16)]

    def chance(self, boards: memoryview, worths: memoryview, tiles: Sequence[int]) -> float | None:
        """The chance of the board with these tiles on its free cells, by what a file has of its layer; None
        if that has no such board."""
        key = 0
        for exponent in reversed(tiles[1:]):
            key = key * self._pattern.goal + exponent
        begins, lows = boards[: self._head].cast("I"), boards[self._head :].cast("H")
        high, low = key >> LOW, key & (1 << LOW) - 1
        end = begins[high + 1]
        place = bisect_left(lows, low, begins[high], end)
        if place == end or lows[place] != low:
            return None
        return float(_chances()[worths.cast("H")[place]])


@cache
def _chances() -> F64:
    """By their codes."""
    return 1.0 - (np.arange(STEPS + 1) / STEPS) ** 4
