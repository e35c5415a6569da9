"""Whole games as 2048verse saves them, as text; and those of 2048EndgameTablebase's trainer, `.rpl`.

`replay_`, and for boards of other sizes `replay_3x4` (rows × columns), then a character for each new tile.
Its number, in an alphabet of 128 characters, holds from the lowest bit on the tile's row (2 bits), its column
(2), whether it is a 4 (1) and the move before it (2: up, right, down, left). The first two tiles are those of
the beginning, and their moves mean nothing.

The later form is `3x4-NAME_` and then three characters of another alphabet of 128, the first digit first.
They hold from the lowest bit on the move (2 bits: up, down, left, right), the tile's exponent less one (2),
its column (3), its row (3).

`.rpl`: records of 25 bytes, little-endian. Each has the board before a move (8 bytes; the first hexadecimal
digit is the upper left cell), a byte with the new tile (bit 0: a 4), its cell (4 bits) and the move (2: left,
right, up, down), and four rates that are not read here. The last record is a mark. Boards smaller than 4 × 4
stand among cells of 15. Records may leave out moves: there the game ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from winnable.contract.abilities import Recording
from winnable.contract.core import Action, IllegalAction, LevelError
from winnable.games.game2048.rules.level import MAX_GIVEN, Level, board_of, given_text
from winnable.games.game2048.rules.puzzle import DOWN, LEFT, RIGHT, UP, Game2048, Seeded2048, State, with_tile

_PRINTABLE = "".join(map(chr, range(ord(" "), ord("~") + 1)))
ALPHABET = _PRINTABLE + "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒá"
LATER_ALPHABET = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    + "".join(map(chr, range(ord("À"), ord("ÿ") + 1)))
    + "¤¾"
)
_MOVES: tuple[Action, ...] = (UP, RIGHT, DOWN, LEFT)
_LATER_MOVES: tuple[Action, ...] = (UP, DOWN, LEFT, RIGHT)
_RECORD_MOVES: tuple[Action, ...] = (LEFT, RIGHT, UP, DOWN)
_HEAD = re.compile(r"replay_(?:([2-4])x([2-4]))?")
_LATER_HEAD = re.compile(r"([2-8])x([2-8])-[^_]{0,100}_")
_RECORD = 25
_END = bytes.fromhex("58aa86bc275562e80da1b0b912b168de3a")
"""Behind the board of the last record."""
_WALL = 15


class Step(NamedTuple):
    """A move, and the tile that came then."""

    move: Action
    row: int
    column: int
    exponent: int


class _Recording:
    """A game that is being read."""

    def __init__(self, rows: int, columns: int, start: State) -> None:
        self._game = Game2048(Level(rows=rows, columns=columns))
        self._start = self.cells = start
        self._given: list[tuple[int, int]] = []
        self._moves: list[Action] = []

    def begin(self, step: Step, tile: int) -> None:
        """One of the two tiles before the first move."""
        self._start = self.cells = self._with_tile(self.cells, step, tile)[1]

    def go_on(self, step: Step, tile: int) -> None:
        """Raises LevelError."""
        move = len(self._moves) + 1
        try:
            moved, _ = self._game.afterstate(self.cells, step.move)
        except IllegalAction:
            raise LevelError("2048.replay.move", field=f"move {move}", number=move) from None
        cell, self.cells = self._with_tile(moved, step, tile)
        self._given.append((cell, step.exponent))
        self._moves.append(step.move)

    def _with_tile(self, cells: State, step: Step, tile: int) -> tuple[int, State]:
        rows, columns = self._game.rows, self._game.columns
        cell = step.row * columns + step.column
        if not (0 <= step.row < rows and 0 <= step.column < columns) or cells[cell]:
            values = {"row": step.row + 1, "column": step.column + 1}
            raise LevelError("2048.replay.tile", field=f"tile {tile}", **values)
        return cell, with_tile(cells, cell, step.exponent)

    def played(self, seed: int) -> Recording:
        """Raises LevelError."""
        rows, columns = self._game.rows, self._game.columns
        board = board_of(self._start, columns)
        given = given_text(self._given)
        return Recording(Level(rows=rows, columns=columns, board=board, given=given, dice=seed), self._moves)


def knows(content: bytes) -> bool:
    """Whether it begins or ends as one of the three forms."""
    head = content[:120].lstrip(b"\xef\xbb\xbf \r\n").decode("utf-8", "ignore")
    return bool(_HEAD.match(head) or _LATER_HEAD.match(head)) or content.endswith(_END)


def read(content: bytes, seed: int) -> Recording:
    """seed: of the tiles after the last one. Raises LevelError that names the move or the tile."""
    if content.endswith(_END):
        return _read_records(content, seed)
    try:
        text = content.decode("utf-8-sig").strip("\r\n")
    except UnicodeDecodeError as error:
        raise LevelError("file.utf8", field="file", at=error.start) from None
    if later := _LATER_HEAD.match(text):
        rows, columns, steps = int(later[1]), int(later[2]), _later_steps(text[later.end() :])
    elif head := _HEAD.match(text):
        rows, columns, steps = int(head[1] or 4), int(head[2] or 4), _steps(text[head.end() :])
    else:
        raise LevelError("2048.replay", field="file")
    recording, tiles = _Recording(rows, columns, (0,) * (rows * columns)), 0
    for tiles, step in enumerate(steps, 1):
        (recording.begin if tiles <= 2 else recording.go_on)(step, tiles)
    if tiles < 2:
        raise LevelError("2048.replay.short", field="file")
    return recording.played(seed)


def _numbers(text: str, alphabet: str) -> Iterator[int]:
    numbers = {sign: number for number, sign in enumerate(alphabet)}
    for at, sign in enumerate(text, 1):
        if sign not in numbers:
            raise LevelError("2048.replay.sign", field=f"sign {at}", given=sign)
        yield numbers[sign]


def _limited(count: int) -> None:
    if count > MAX_GIVEN:
        raise LevelError("2048.replay.long", field="file", given=count, most=MAX_GIVEN)


def _steps(text: str) -> Iterator[Step]:
    _limited(len(text))
    for number in _numbers(text, ALPHABET):
        yield Step(_MOVES[number >> 5], number & 3, number >> 2 & 3, 1 + (number >> 4 & 1))


def _later_steps(text: str) -> Iterator[Step]:
    _limited(len(text) // 3)
    if len(text) % 3:
        raise LevelError("2048.replay.thirds", field="file")
    digits = [*_numbers(text, LATER_ALPHABET)]
    for at in range(0, len(digits), 3):
        high, middle, low = digits[at : at + 3]
        number = high << 14 | middle << 7 | low
        exponent = 1 + (number >> 2 & 3)
        if exponent > 2:
            raise LevelError("2048.replay.value", field=f"tile {at // 3 + 1}", given=1 << exponent)
        yield Step(_LATER_MOVES[number & 3], number >> 7 & 7, number >> 4 & 7, exponent)


def _read_records(content: bytes, seed: int) -> Recording:
    records = [content[at : at + _RECORD] for at in range(0, len(content) - _RECORD, _RECORD)]
    _limited(len(records))
    if len(content) % _RECORD or not records:
        raise LevelError("2048.replay.records", field="file")
    inside = _cells_inside(_cells_of(records[0]))
    top, left = divmod(inside[0], 4)
    columns = 1 + inside[-1] % 4 - left
    start = tuple(_cells_of(records[0])[cell] for cell in inside)
    recording = _Recording(len(inside) // columns, columns, start)
    for tile, record in enumerate(records, 1):
        if tuple(_cells_of(record)[cell] for cell in inside) != recording.cells:
            break
        change = record[8]
        row, column = divmod(change >> 1 & 15, 4)
        move, exponent = _RECORD_MOVES[change >> 5 & 3], 1 + (change & 1)
        recording.go_on(Step(move, row - top, column - left, exponent), tile)
    return recording.played(seed)


def _cells_of(record: bytes) -> list[int]:
    return [int(digit, 16) for digit in record[:8][::-1].hex()]


def _cells_inside(cells: Sequence[int]) -> list[int]:
    """The places of a board's cells among the 16."""
    smaller: tuple[Callable[[int, int], bool], ...] = (
        lambda row, column: row in (1, 2),
        lambda row, column: row < 3 and column < 3,
        lambda row, column: row < 3,
    )
    for holds in smaller:
        inside = [cell for cell in range(16) if holds(*divmod(cell, 4))]
        if all(cells[cell] == _WALL for cell in range(16) if cell not in inside):
            return inside
    return [*range(16)]


def write(game: Recording) -> bytes:
    """The first form. Raises LevelError for a game that does not begin on a board of 4 × 4 with two tiles,
    each a 2 or a 4."""
    puzzle = Seeded2048(game.level)
    state = puzzle.initial()
    first = [(cell, exponent) for cell, exponent in enumerate(state.state) if exponent]
    if (puzzle.game.rows, puzzle.game.columns) != (4, 4):
        raise LevelError("2048.hex.size", field="board", rows=puzzle.game.rows, columns=puzzle.game.columns)
    if len(first) != 2 or max(exponent for _, exponent in first) > 2:
        raise LevelError("2048.replay.start", field="board")
    signs = [_sign(UP, cell, exponent) for cell, exponent in first]
    for action in game.actions:
        board, _ = puzzle.game.afterstate(state.state, action)
        state = puzzle.apply(state, action)
        cell = next(cell for cell, exponent in enumerate(board) if exponent != state.state[cell])
        signs.append(_sign(action, cell, state.state[cell]))
    return ("replay_" + "".join(signs)).encode()


def _sign(move: Action, cell: int, exponent: int) -> str:
    row, column = divmod(cell, 4)
    return ALPHABET[_MOVES.index(move) << 5 | (exponent - 1) << 4 | column << 2 | row]
