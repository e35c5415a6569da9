"""A board of 4 × 4 as 16 hexadecimal digits, each the exponent of a tile and 0 an empty cell: a number of 64
bits, as most programs keep it.

Two orders are in use. `hex`: the first digit is the upper left cell (2048verse, 2048EndgameTablebase,
Cablegen). `hex-low`: the last one is (nneonneo's 2048-ai, Guei's TDL2048, minizero). One is the other turned
by half, which in 2048 is the same position. Leading zeros may be left out after `0x`.
"""

from __future__ import annotations

import re

from winnable.contract.abilities import Recording
from winnable.contract.core import LevelError, replay
from winnable.games.game2048.rules.level import Level, board_of
from winnable.games.game2048.rules.puzzle import Seeded2048

SIDE = 4
DIGITS = SIDE * SIDE
_HEX = re.compile(
    rb"\s*(?:0x([0-9a-f]{1,16})|(?:https?://(?:www\.)?2048verse\.com/p/)?([0-9a-f]{16})/?)\s*", re.I
)


def knows(content: bytes) -> bool:
    """Whether it begins with `0x`, or is a link of 2048verse."""
    return content[:200].lstrip()[:2].lower() == b"0x" or b"2048verse.com/p/" in content[:200]


def read(content: bytes, seed: int, low: bool = False) -> Recording:
    """`0x` and up to 16 digits, just 16, or a link of 2048verse. seed: of the dice. Raises LevelError."""
    match = _HEX.fullmatch(content)
    if match is None:
        raise LevelError("2048.hex", field="board", given=content[:40].decode(errors="replace"))
    digits = (match[1] or match[2]).decode().rjust(DIGITS, "0")
    exponents = [int(digit, 16) for digit in (digits[::-1] if low else digits)]
    return Recording(Level(board=board_of(exponents, SIDE), dice=seed))


def write(game: Recording, low: bool = False) -> bytes:
    """The position that was come to. Raises LevelError for another size, and a tile above 32,768."""
    puzzle = Seeded2048(game.level)
    cells = replay(puzzle, game.actions).state
    if (puzzle.game.rows, puzzle.game.columns) != (SIDE, SIDE):
        raise LevelError("2048.hex.size", field="board", rows=puzzle.game.rows, columns=puzzle.game.columns)
    if max(cells) >= DIGITS:
        raise LevelError("2048.hex.tile", field="board", given=1 << max(cells), most=1 << DIGITS - 1)
    digits = "".join(f"{exponent:x}" for exponent in cells)
    return f"0x{digits[::-1] if low else digits}".encode()
