"""Fumen: the strings `v115@...` by which players of tetris share boards, page by page (fumen.zui.jp). With
`d` or `m` the page was set otherwise; `v110@`, of before, has two rows less.

The text is a row of digits in base 64, lowest first, with a `?` after 42 and then after every 47 digits. Each
page has:

- field, if no page before says that it is unchanged: runs of two digits, of 240 cells from the top left, the
  last ten being the garbage row below the floor. A run is `240 (change + 8) + length - 1`, where a cell's
  change is its colour less the one it had. One run of 240 unchanged cells is followed by one digit: for how
  many more pages nothing changes, and these have no field.
- action, three digits: in mixed radix, lowest first, the piece (8), its orientation (4), its place (240), and
  flags: rise, mirror, colorize, has a comment, is not locked.
- comment, if the flag is set: two digits for its length, then five digits for each four characters, base 96
  from the space on, lowest first. It is written with the escapes of JavaScript's `escape`. A page without one
  shows the comment of the page before.

After a page that is locked the piece becomes part of the field and full rows go; then the field rises by the
garbage row if `rise` is set, and is mirrored if `mirror` is. Comments of quizzes (`#Q=...`) are kept as they
are written and not played on from page to page.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple
from urllib.parse import unquote

from winnable.contract.core import LevelError
from winnable.games.tetris.modern.rules.srs import Cell, shape

WIDTH = 10
HEIGHT = 23
"""Rows above the floor; the garbage row lies below it."""
ROWS = {"115": HEIGHT, "110": 21}
"""Of each version that is read; apart from that they are alike."""
MAX_TEXT = 200_000
MAX_PAGES = 2_000
MAX_COMMENT = 4_095
"""Characters, after escaping."""
LETTERS = ".ILOZTJSX"
"""Colours by number; `X` is garbage."""
EMPTY_ROW = "." * WIDTH
EMPTY_FIELD = (EMPTY_ROW,) * (HEIGHT + 1)

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_CELLS = WIDTH * (HEIGHT + 1)
_NO_CHANGE = 8
_MAX_REPEATS = len(_DIGITS) - 1
_FIRST_LINE, _LINE = 42, 47
_END = re.escape("&#<>()[]\"'")
"""What is no digit, and may follow a fumen in a link or around one."""
_FUMEN = re.compile(rf"(?:\A|[^0-9A-Za-z+/])[vmd](\d+)@([^@{_END}]*)(?:[{_END}][^@]*)?\Z", re.IGNORECASE)
_STOPS = ".,;:!。，；：！"
_MAX_ESCAPED = 3
_PLAIN = frozenset(string.ascii_letters + string.digits + "@*_+-./")
"""What `escape` leaves alone."""
_TURNS = (2, 1, 0, 3)
"""Quarter turns clockwise from how the piece appears, by the number of the orientation; its own inverse."""
_CENTRES: dict[tuple[str, int], Cell] = {
    ("O", 3): (1, -1),
    ("O", 2): (1, 0),
    ("O", 0): (0, -1),
    ("I", 2): (1, 0),
    ("I", 3): (0, -1),
    ("S", 0): (0, -1),
    ("S", 1): (-1, 0),
    ("Z", 0): (0, -1),
    ("Z", 3): (1, 0),
}
"""By piece and quarter turns: from the place that fumen writes to the centre of SRS, where they differ."""


class Operation(NamedTuple):
    """A piece on a page; x, y of its SRS centre, y up from 0 at the floor."""

    piece: str
    turn: int
    x: int
    y: int

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the piece, (x, y)."""
        return tuple((self.x + x, self.y + y) for x, y in shape(self.piece, self.turn))


class Page(NamedTuple):
    """One page.

    field:   24 rows from the top, the last one being garbage below the floor; letters of `LETTERS`
    comment: what the page shows
    """

    field: tuple[str, ...] = EMPTY_FIELD
    operation: Operation | None = None
    comment: str = ""
    lock: bool = True
    rise: bool = False
    mirror: bool = False
    colorize: bool = True

    @property
    def board(self) -> tuple[str, ...]:
        """The rows above the floor, from the top, without the empty ones there."""
        rows = self.field[:HEIGHT]
        filled = next((index for index, row in enumerate(rows) if row != EMPTY_ROW), HEIGHT)
        return rows[filled:]


def page_of(board: Sequence[str], operation: Operation | None = None, comment: str = "") -> Page:
    """A page with these rows, from the top, of 10 letters of `LETTERS`; the lowest one lies on the floor."""
    return Page((*(EMPTY_ROW,) * (HEIGHT - len(board)), *board, EMPTY_ROW), operation, comment)


def decode(text: str) -> tuple[Page, ...]:
    """The pages of a fumen, which may stand in a link: its last parameter or one of several, also with the
    escapes of addresses. Raises LevelError that names the cause."""
    if len(text) > MAX_TEXT:
        raise LevelError("fumen.long", field="fumen", given=len(text), most=MAX_TEXT)
    match = _FUMEN.search(_plain_link(text.strip()).rstrip(_STOPS))
    if match is None:
        raise LevelError("fumen.none", field="fumen")
    if match[1] not in ROWS:
        raise LevelError("fumen.version", field="fumen", given=match[1][:10], known=", ".join(ROWS))
    digits = re.sub(r"[?\s]", "", match[2])
    if not digits:
        raise LevelError("fumen.page", field="fumen")
    return tuple(_pages(_Reader(digits), ROWS[match[1]]))


def _plain_link(text: str) -> str:
    """Without escapes, which sites put upon each other."""
    for _ in range(_MAX_ESCAPED):
        if (plain := unquote(text)) == text:
            break
        text = plain
    return text


class _Reader:
    """Digits of a text, taken from the left."""

    def __init__(self, digits: str) -> None:
        self._digits = digits
        self._at = 0

    @property
    def is_empty(self) -> bool:
        return self._at == len(self._digits)

    def take(self, count: int, what: str) -> int:
        """A number of so many digits."""
        part = self._digits[self._at : self._at + count]
        if len(part) < count:
            raise LevelError("fumen.end", field="fumen", what=what)
        self._at += count
        number = 0
        for digit in reversed(part):
            if digit not in _VALUES:
                raise LevelError("fumen.digit", field="fumen", given=digit, what=what)
            number = number * len(_DIGITS) + _VALUES[digit]
        return number


def _pages(reader: _Reader, rows: int) -> Iterator[Page]:
    """rows: that the text speaks of, above the floor"""
    field, comment, repeats, count = EMPTY_FIELD, "", 0, 0
    while not reader.is_empty:
        count += 1
        if count > MAX_PAGES:
            raise LevelError("fumen.pages", field="fumen", most=MAX_PAGES)
        where = f"page {count}"
        if repeats:
            repeats -= 1
        else:
            changed = _read_field(reader, field, rows, where)
            if changed is None:
                repeats = reader.take(1, f"{where}, repeats")
            else:
                field = changed
        number = reader.take(3, f"{where}, action")
        number, colour = divmod(number, 8)
        number, orientation = divmod(number, 4)
        number, place = divmod(number, (rows + 1) * WIDTH)
        place += (HEIGHT - rows) * WIDTH
        rise, mirror, colorize, has_comment, unlocked = (bool(number >> bit & 1) for bit in range(5))
        if has_comment:
            comment = _read_comment(reader, f"{where}, comment")
        operation = _operation(LETTERS[colour], _TURNS[orientation], place, where) if colour else None
        page = Page(field, operation, comment, not unlocked, rise, mirror, colorize)
        yield page
        field = field_after(page)


def _read_field(reader: _Reader, before: tuple[str, ...], rows: int, where: str) -> tuple[str, ...] | None:
    """None: nothing has changed."""
    cells = [LETTERS.index(cell) for row in before for cell in row]
    at, told = _CELLS - (rows + 1) * WIDTH, (rows + 1) * WIDTH
    while at < _CELLS:
        change, length = divmod(reader.take(2, f"{where}, field"), told)
        if at + length >= _CELLS:
            raise LevelError("fumen.cells", field=f"fumen: {where}, field", most=told)
        if change == _NO_CHANGE and length == told - 1:
            return None
        for index in range(at, at + length + 1):
            cells[index] += change - _NO_CHANGE
            if not 0 <= cells[index] < len(LETTERS):
                raise LevelError("fumen.colour", field=f"fumen: {where}, field", given=cells[index])
        at += length + 1
    letters = "".join(LETTERS[cell] for cell in cells)
    return tuple(letters[row : row + WIDTH] for row in range(0, _CELLS, WIDTH))


def _operation(piece: str, turn: int, place: int, where: str) -> Operation:
    row, column = divmod(place, WIDTH)
    dx, dy = _CENTRES.get((piece, turn), (0, 0))
    operation = Operation(piece, turn, column + dx, HEIGHT - 1 - row + dy)
    _check_operation(operation, where)
    return operation


def _check_operation(operation: Operation, where: str) -> None:
    if operation.piece not in LETTERS[1:-1] or not 0 <= operation.turn < 4:
        raise LevelError("fumen.piece", field=f"fumen: {where}, operation")
    if any(not (0 <= x < WIDTH and 0 <= y < HEIGHT) for x, y in operation.cells):
        raise LevelError("fumen.off", field=f"fumen: {where}, operation")


def _read_comment(reader: _Reader, where: str) -> str:
    length = reader.take(2, where)
    characters: list[str] = []
    for _ in range(0, length, 4):
        number = reader.take(5, where)
        for _ in range(4):
            number, character = divmod(number, 96)
            characters.append(chr(ord(" ") + character))
    return _unescaped("".join(characters[:length]))


def field_after(page: Page) -> tuple[str, ...]:
    """The field of the next page, unless that one changes it by hand."""
    if not page.lock:
        return page.field
    rows = [list(row) for row in page.field]
    if page.operation is not None:
        for x, y in page.operation.cells:
            rows[HEIGHT - 1 - y][x] = page.operation.piece
    above = ["".join(row) for row in rows[:HEIGHT] if "." in row]
    garbage = "".join(rows[HEIGHT])
    if page.rise:
        above, garbage = [*above, garbage], EMPTY_ROW
    field = (*(EMPTY_ROW,) * (HEIGHT - len(above)), *above[-HEIGHT:], garbage)
    return tuple(row[::-1] for row in field) if page.mirror else field


def encode(pages: Sequence[Page]) -> str:
    """Write the pages as a fumen: the inverse of `decode`. Raises LevelError that names the cause."""
    if not 1 <= len(pages) <= MAX_PAGES:
        raise LevelError("fumen.count", field="fumen", given=len(pages), most=MAX_PAGES)
    for number, page in enumerate(pages, 1):
        _check_page(page, f"page {number}")
    befores = [EMPTY_FIELD, *(field_after(page) for page in pages[:-1])]
    unchanged = [page.field == before for page, before in zip(pages, befores, strict=True)]
    parts: list[str] = []
    comment, repeats = "", 0
    for index, (page, before) in enumerate(zip(pages, befores, strict=True)):
        if repeats:
            repeats -= 1
        else:
            parts.append(_field_runs(before, page.field))
            if unchanged[index]:
                following = unchanged[index + 1 : index + 1 + _MAX_REPEATS]
                repeats = sum(1 for _ in takewhile(bool, following))
                parts.append(_digits(repeats, 1))
        parts.append(_action(page, has_comment=page.comment != comment))
        if page.comment != comment:
            parts.append(_written_comment(page.comment, f"page {index + 1}"))
            comment = page.comment
    digits = "".join(parts)
    starts = range(_FIRST_LINE, len(digits), _LINE)
    text = "?".join(["v115@" + digits[:_FIRST_LINE], *(digits[at : at + _LINE] for at in starts)])
    if len(text) > MAX_TEXT:
        raise LevelError("fumen.written", field="fumen", given=len(text), most=MAX_TEXT)
    return text


def _check_page(page: Page, where: str) -> None:
    if len(page.field) != HEIGHT + 1:
        raise LevelError("fumen.rows", field=f"fumen: {where}, field", given=len(page.field), rows=HEIGHT + 1)
    for index, row in enumerate(page.field):
        if len(row) != WIDTH or any(cell not in LETTERS for cell in row):
            raise LevelError(
                "fumen.row", field=f"fumen: {where}, field[{index}]", width=WIDTH, letters=LETTERS
            )
    if page.operation is not None:
        _check_operation(page.operation, where)


def _digits(number: int, count: int) -> str:
    return "".join(_DIGITS[number >> 6 * place & 63] for place in range(count))


def _field_runs(before: Sequence[str], field: Sequence[str]) -> str:
    cells = zip("".join(before), "".join(field), strict=True)
    changes = (LETTERS.index(now) - LETTERS.index(old) + _NO_CHANGE for old, now in cells)
    runs = ((change, sum(1 for _ in run)) for change, run in groupby(changes))
    return "".join(_digits(change * _CELLS + length - 1, 2) for change, length in runs)


def _action(page: Page, *, has_comment: bool) -> str:
    flags = (page.rise, page.mirror, page.colorize, has_comment, not page.lock)
    number = sum(flag << bit for bit, flag in enumerate(flags))
    piece, orientation, place = 0, 0, 0
    if page.operation is not None:
        name, turn, x, y = page.operation
        dx, dy = _CENTRES.get((name, turn), (0, 0))
        piece, orientation = LETTERS.index(name), _TURNS.index(turn)
        place = (HEIGHT - 1 - (y - dy)) * WIDTH + x - dx
    return _digits(((number * _CELLS + place) * 4 + orientation) * 8 + piece, 3)


def _written_comment(comment: str, where: str) -> str:
    text = _escaped(comment, where)
    if len(text) > MAX_COMMENT:
        raise LevelError("fumen.comment", field=f"fumen: {where}, comment", most=MAX_COMMENT)
    parts = [_digits(len(text), 2)]
    for at in range(0, len(text), 4):
        number = sum((ord(c) - ord(" ")) * 96**place for place, c in enumerate(text[at : at + 4]))
        parts.append(_digits(number, 5))
    return "".join(parts)


def _escaped(text: str, where: str) -> str:
    """As JavaScript's `escape`: by units of UTF-16."""
    try:
        units = text.encode("utf-16-be")
    except UnicodeEncodeError:
        raise LevelError("fumen.unicode", field=f"fumen: {where}, comment") from None
    parts: list[str] = []
    for high, low in zip(units[::2], units[1::2], strict=True):
        unit = high << 8 | low
        parts.append(chr(unit) if chr(unit) in _PLAIN else f"%u{unit:04X}" if high else f"%{unit:02X}")
    return "".join(parts)


def _unescaped(text: str) -> str:
    def unit(match: re.Match[str]) -> str:
        return chr(int(match[1] or match[2], 16))

    units = re.sub(r"%(?:u([0-9A-Fa-f]{4})|([0-9A-Fa-f]{2}))", unit, text)
    # Halves of a character meet here; a half alone becomes the replacement character.
    return units.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "replace")
