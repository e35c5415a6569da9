"""How a piece flies in the article's program: each tick it turns once, moves one column, falls one row.

Turns and moves that hit something are left out, so a piece does not always arrive where it was sent. A turn
that fails still counts: the next one skips a form. And the square turns into the standing I, as its place in
the program's two lists of turns has it; the article's player lives on that. All is kept as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from winnable.games.tetris.rules.pieces import SHAPES, TURNED, Shape, collides, row_bits

_DRAWINGS = (
    "##o#  #|o|#|#",
    "##|o#",
    "#o.|.##  .#|#o|#.",
    ".o#|##.  #.|o#|.#",
    "#.|o#|#.  .#.|#o#  .#|#o|.#  #o#|.#.",
    "##|.o|.#  ..#|#o#  #.|o.|##  #o#|#..",
    "##|o.|#.  #o#|..#  .#|.o|##  #..|#o#",
)
"""The forms of each piece in the order in which it turns; `o` is the cell that it turns about."""


class Form(NamedTuple):
    """A piece, turned, as the program has it.

    turned:  its place in `pieces.TURNED`
    left:    of the centre's cell: so many columns are to its left,
    below:   and so many rows below it
    onward:  the form it turns to, as its place in `TURNED`
    """

    turned: int
    left: int
    below: int
    onward: int

    @property
    def shape(self) -> Shape:
        """The cells of the form."""
        piece, turns = TURNED[self.turned]
        return SHAPES[piece][turns]


def _form_of(drawing: Sequence[str]) -> tuple[int, int, int]:
    below, row = next((index, row) for index, row in enumerate(reversed(drawing)) if "o" in row)
    rows = tuple(map(row_bits, reversed(drawing)))
    turned = next(index for index, (piece, turns) in enumerate(TURNED) if SHAPES[piece][turns].rows == rows)
    return turned, row.index("o"), below


STANDING, SQUARE = TURNED.index((0, 1)), TURNED.index((1, 0))


def _forms() -> Iterator[Form]:
    for cycle in _DRAWINGS:
        drawn = [_form_of(drawing.split("|")) for drawing in cycle.split()]
        for (turned, left, below), (onward, _, _) in zip(drawn, [*drawn[1:], drawn[0]], strict=True):
            yield Form(turned, left, below, STANDING if turned == SQUARE else onward)


FORMS: tuple[Form, ...] = tuple(sorted(_forms()))
"""At the same places as in `TURNED`."""
_SHAPES = tuple(form.shape for form in FORMS)


class Position(NamedTuple):
    """Where a piece is: its form, its leftmost column and its lowest row."""

    form: int
    column: int
    row: int


def appears(form: int, width: int, height: int) -> Position:
    """The position in which a form appears: its centre in the middle of the second row."""
    return Position(form, width // 2 - FORMS[form].left, height - 2 - FORMS[form].below)


def is_free(wall: Sequence[int], width: int, position: Position) -> bool:
    """Whether the piece has room there; the board has no ceiling."""
    form, column, row = position
    shape = _SHAPES[form]
    if row < 0 or not 0 <= column <= width - len(shape.bottoms):
        return False
    return row >= len(wall) or not collides(wall, shape, column, row)


def turned(here: Position, form: int) -> Position:
    """The position after a turn to this form: its centre stays where it is."""
    old, new = FORMS[here.form], FORMS[form]
    return Position(form, here.column + old.left - new.left, here.row + old.below - new.below)


def turn_order(form: int) -> tuple[int, ...]:
    """The form that appears, and those that it turns to, one after the other; each once."""
    met: list[int] = []
    while form not in met:
        met.append(form)
        form = FORMS[form].onward
    return tuple(met)


def fly(
    wall: Sequence[int], width: int, height: int, form: int, turns: int, offset: int
) -> Iterator[Position]:
    """Each position of a piece that appears in `form`, from there to where it rests, when it is sent `turns`
    turns and `offset` columns to the right (left when negative). wall: rows from the lowest, as bits."""
    here = appears(form, width, height)
    yield here
    while True:
        if turns > 0:
            turns -= 1
            form = FORMS[form].onward
            if is_free(wall, width, after := turned(here, form)):
                here = after
        if offset:
            step = 1 if offset > 0 else -1
            offset -= step
            moved = Position(here.form, here.column + step, here.row)
            if is_free(wall, width, moved):
                here = moved
        lower = Position(here.form, here.column, here.row - 1)
        if not is_free(wall, width, lower):
            yield here
            return
        here = lower
        yield here
