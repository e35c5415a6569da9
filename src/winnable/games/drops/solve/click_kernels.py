"""One click and its whole chain, on boards of bits: all droplets of a scan at once, where no order counts.

A board of bits is uint64 [3 w] with w = ceil(n / 64): w words with the ones of each cell's drops as a binary
number, w words with its twos, w with its fours. Cell c, row-major, is bit c % 64 of word c // 64.

The readable rules look at the droplets of one scan from the oldest to the youngest. That matters only where a
cell is met by more of them than it lacks: which of them fly on? Else the scan ends the same in any order. So
a chain on a board of one word keeps four sets of droplets, one for each way, and adds those that meet drops
to them with the gates of an adder. When somewhere more arrive than are lacked, it gives up, and the chain is
played from its beginning by linked_kernels.py; so are those on boards of more than one word. Only where a
cell that bursts swallows the others (`absorb`) no order ever counts: there `first` is not 0, so all droplets
of one tick are in one scan.

Until then no set has to hold two droplets in one cell. For of two that fly the same way in one line, the one
behind comes over the cell where the other set off, which is empty then: it burst in an earlier scan. The next
cell is met by the one `further` ticks after that, and was met by the other `first` ticks after the burst,
which is sooner: `first` is less than `further`, or there is one scan in a tick. From there on both have the
same pace.
"""

from __future__ import annotations

from typing import TypeAlias

from winnable.compiled.bit_kernels import count_ones
from winnable.compiled.jit import borrowing_kernel
from winnable.games.drops.solve.kernels import WORD, Geometry, link, to_int
from winnable.games.drops.solve.linked_kernels import Clicker, end_of_chain
from winnable.inert.arrays import U64, U, np

Bits: TypeAlias = U64
DIGITS = 3
UNDECIDED = -1
"""What `try_click` returns beside a number of bursts."""


def to_bits(cells: bytes) -> Bits:
    """The board of bits of these cells, row-major, n bytes."""
    words = -(-len(cells) // WORD)
    digits = np.zeros((DIGITS, words * WORD), np.uint8)
    digits[:, : len(cells)] = np.frombuffer(cells, np.uint8) >> np.arange(DIGITS)[:, None] & 1
    return np.packbits(digits, axis=1, bitorder="little").ravel().view("<u8").astype(np.uint64)


def to_cells(board: Bits, n: int) -> bytes:
    """Inverse of `to_bits`, for a board of n cells."""
    digits = board.astype("<u8").view(np.uint8).reshape(DIGITS, -1)
    drops = np.unpackbits(digits, axis=1, bitorder="little") << np.arange(DIGITS, dtype=np.uint8)[:, None]
    return drops.sum(axis=0, dtype=np.uint8)[:n].tobytes()


@borrowing_kernel
def place_of(cell: int) -> tuple[U, U]:
    """The word of a cell and the bit in it."""
    return U(cell) >> U(6), U(cell) & U(63)


@borrowing_kernel
def drops_at(board: Bits, cell: int) -> int:
    """The drops of one cell."""
    words = U(board.size // DIGITS)
    word, bit = place_of(cell)
    ones, twos, fours = board[word] >> bit, board[words + word] >> bit, board[words + words + word] >> bit
    return to_int((ones & U(1)) | (twos & U(1)) << U(1) | (fours & U(1)) << U(2))


@borrowing_kernel
def is_empty(board: Bits) -> bool:
    """Whether no cell holds drops."""
    filled = U(0)
    for digits in board:
        filled |= digits
    return filled == U(0)


@borrowing_kernel
def water(board: Bits) -> int:
    """The drops of all cells."""
    words = board.size // DIGITS
    total = 0
    for word in range(words):
        ones, twos, fours = board[word], board[words + word], board[2 * words + word]
        total += count_ones(ones) + 2 * count_ones(twos) + 4 * count_ones(fours)
    return total


@borrowing_kernel
def try_click(board: Bits, geometry: Geometry, cell: int) -> int:
    """`click`, or UNDECIDED and the board as it was, where droplets must be looked at in order."""
    words = U(board.size // DIGITS)
    word, bit = place_of(cell)
    drop = U(1) << bit
    if not board[words + words + word] & drop:
        carry = board[word] & drop
        board[word] ^= drop
        board[words + words + word] ^= board[words + word] & carry
        board[words + word] ^= carry
        return 0
    columns, one = U(geometry.columns), U(1)
    on_board, not_left, not_right = geometry.on_board, geometry.not_left, geometry.not_right
    at_once, slow, absorb = geometry.first == 0, geometry.further > 1, geometry.absorb
    ones, twos, fours = board[0], board[1], board[2]
    before = ones | twos | fours
    fours ^= drop
    up = down = left = right = drop  # the cells that those to be looked at come from
    none = U(0)
    up_later = down_later = left_later = right_later = none
    while words == one:  # boards of more are not decided here
        up, down = up >> columns, down << columns & on_board
        left, right = (left & not_left) >> one, (right & not_right) << one
        if not up | down | left | right | up_later | down_later | left_later | right_later:
            board[0], board[1], board[2] = ones, twos, fours
            return count_ones(before ^ (ones | twos | fours))
        filled = ones | twos | fours
        up_hits, down_hits, left_hits, right_hits = up & filled, down & filled, left & filled, right & filled
        up ^= up_hits
        down ^= down_hits
        left ^= left_hits
        right ^= right_hits
        # How many hits, as binary numbers: (two, two, four) from (one + one) + (one + one).
        upright, level = up_hits ^ down_hits, left_hits ^ right_hits
        both_upright, both_level = up_hits & down_hits, left_hits & right_hits
        hit_ones = upright ^ level
        hit_twos = both_upright ^ both_level | upright & level
        hit_fours = both_upright & both_level
        # Added to the drops; 4 and 4 make 8, all else is less.
        carry = ones & hit_ones
        ones ^= hit_ones
        carry_on = twos & hit_twos | carry & (twos ^ hit_twos)
        twos ^= hit_twos ^ carry
        eight = fours & hit_fours
        fours ^= hit_fours ^ carry_on
        if not absorb and fours & twos | eight:
            break
        bursting = fours & (ones | twos) | eight
        ones &= ~bursting
        twos &= ~bursting
        fours &= ~bursting
        if slow:
            up, up_later = up_later, up
            down, down_later = down_later, down
            left, left_later = left_later, left
            right, right_later = right_later, right
        elif at_once:
            # Those of a burst are looked at in this tick, the others in the next one.
            due = none if bursting else ~none
            up, up_later = (up | up_later) & due, (up | up_later) & ~due
            down, down_later = (down | down_later) & due, (down | down_later) & ~due
            left, left_later = (left | left_later) & due, (left | left_later) & ~due
            right, right_later = (right | right_later) & due, (right | right_later) & ~due
        up |= bursting
        down |= bursting
        left |= bursting
        right |= bursting
    return UNDECIDED


@borrowing_kernel
def click_in_order(board: Bits, clicker: Clicker, cell: int) -> int:
    """`click` on a full cell, droplet by droplet."""
    cells, n, words = clicker.board, clicker.geometry.cells, board.size // DIGITS
    for word in range(words):
        ones, twos, fours = board[word], board[words + word], board[2 * words + word]
        for place in range(WORD * word, min(n, WORD * word + WORD)):
            cells[place] = (ones & U(1)) | (twos & U(1)) << U(1) | (fours & U(1)) << U(2)
            ones, twos, fours = ones >> U(1), twos >> U(1), fours >> U(1)
    link(cells, clicker.geometry)
    bursts = end_of_chain(clicker, cell)
    for word in range(words):
        ones = twos = fours = U(0)
        for place in range(min(n, WORD * word + WORD) - 1, WORD * word - 1, -1):
            drops = U(cells[place])
            ones = ones << U(1) | drops & U(1)
            twos = twos << U(1) | drops >> U(1) & U(1)
            fours = fours << U(1) | drops >> U(2)
        board[word], board[words + word], board[2 * words + word] = ones, twos, fours
    return bursts


@borrowing_kernel
def click(board: Bits, clicker: Clicker, cell: int) -> int:
    """One drop more at a cell, and all that follows; the number of bursts."""
    bursts = try_click(board, clicker.geometry, cell)
    return bursts if bursts != UNDECIDED else click_in_order(board, clicker, cell)
