"""The article's player, as its program is written: six figures of the wall, weighted; least is best.

It looks at each form of the piece in the order in which it turns, from the one in which it appears, and for
each form at the columns from the left. The piece is thought to come straight down there; how it really flies
is `flight.py`'s matter, so it may rest elsewhere. Of equal values the first counts, and

- a value must be less than START (the program's 9999999, with which each form begins, then never matters).
  If none is, the piece is sent straight down. It should not turn; but by the way that the program counts,
  it turns until it is the lying I if it ever becomes that, else through all its forms, which ends in the one
  that it began with unless a turn is blocked on the way. There we send it unturned;
- the columns are those where the centre is less than width // 2 right of the middle, or at most so many left
  of it: all, if the width is even. If it is odd, the centre never comes into the last one;
- a column where the piece cannot fall by a single row ends the scan of the form, also for columns that have
  room.

The article's listing has lost its indentation. The test for short rows belongs into the loop over rows, after
the one over columns; inside the latter, each short row would count once for each column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from winnable.contract.chance import Turn
from winnable.contract.core import Action
from winnable.games.tetris.rules import flight
from winnable.games.tetris.rules.puzzle import Landing, SeededTetris, State, add

START = 1000.0
LIES = 0
"""The form of I that lies, also the program's first."""
UNSEEN = 4
"""So many rows at the top are not scanned after clearing."""
TOP_ROWS = 2
"""Short rows count if they are more than so far below the highest filled one."""


class Wall(NamedTuple):
    """A wall with the piece on it, before and after full rows are cleared: all rows of the board from the
    lowest, as bits."""

    width: int
    before: Sequence[int]
    after: Sequence[int]

    @property
    def scanned(self) -> Sequence[int]:
        """The rows that the program looks at after clearing."""
        return self.after[: len(self.after) - UNSEEN]


def wall_of(rows: Sequence[int], width: int, height: int) -> Wall:
    """The wall before and after full rows are cleared. The highest row is never cleared, as under the rules
    `article`."""
    before = [*rows, *[0] * (height - len(rows))]
    full = (1 << width) - 1
    after = [row for index, row in enumerate(before) if row != full or index == height - 1]
    return Wall(width, before, [*after, *[0] * (height - len(after))])


def _heights(wall: Wall) -> list[int]:
    """Of each column, the row of its highest cell, from 0: a column of one cell is as high as none."""
    return [
        max((row for row, cells in enumerate(wall.scanned) if cells >> column & 1), default=0)
        for column in range(wall.width)
    ]


def space(wall: Wall) -> int:
    """The holes: of each column, its height less its cells. As the height is a row's number, a column without
    holes counts -1, and an empty one 0."""
    return sum(_heights(wall)) - sum(cells.bit_count() for cells in wall.scanned)


def height_difference(wall: Wall) -> int:
    """The differences beyond 2 of the heights of each column and the next, added up. The last pair counts
    twice: the last column, having no next one, is compared with the one before."""
    heights = _heights(wall)
    steps = [abs(right - left) for left, right in pairwise(heights)]
    return sum(max(0, step - 2) for step in [*steps, steps[-1]])


def complete_rows(wall: Wall) -> int:
    """Full rows, which are cleared."""
    return sum(row != 0 for row in wall.before) - sum(row != 0 for row in wall.after)


def max_height(wall: Wall) -> int:
    """The highest row with a cell, before rows are cleared; the topmost row of the board is not looked at."""
    return max((row for row, cells in enumerate(wall.before[:-1]) if cells), default=0)


def _missing(wall: Wall) -> list[int]:
    """Of each row that counts as short or not, how many cells it lacks. The rows are those of the cleared
    wall, but how high they may be is told by the wall before: empty ones may be among them."""
    below = max(0, max_height(wall) - TOP_ROWS)
    return [wall.width - cells.bit_count() for cells in wall.scanned[:below]]


def one_short(wall: Wall) -> int:
    """The article means the rows that lack one cell. Its program counts those that lack exactly two: it asks
    for fewer than width - 1 cells after fewer than width - 2. A row that lacks one counts nowhere."""
    return _missing(wall).count(2)


def more_short(wall: Wall) -> int:
    """Rows that lack three cells or more (in the article's words, more than one)."""
    return sum(missing > 2 for missing in _missing(wall))


_COUNTED = (space, height_difference, complete_rows, max_height, one_short, more_short)
FEATURES: dict[str, Callable[[Wall], int]] = {feature.__name__: feature for feature in _COUNTED}
"""In the order of the weights."""
SPACE, HEIGHT_DIFFERENCE, COMPLETE_ROWS, MAX_HEIGHT, ONE_SHORT, MORE_SHORT = range(len(FEATURES))
"""Where in this order each is."""
ARTICLE_WEIGHTS: tuple[float, ...] = (
    8.64986860882939,
    3.0577645457613123,
    -3.555880051448894,
    1.6129266015244417,
    2.4287251847128744,
    4.67971499710595,
)
"""Published by the article."""


def straight_down(wall: Sequence[int], width: int, start: flight.Position) -> flight.Position | None:
    """The position where the piece would rest; None when it cannot fall at all. Whether it is free where it
    starts is not asked."""
    here = start
    while flight.is_free(wall, width, lower := here._replace(row=here.row - 1)):
        here = lower
    return None if here == start else here


class ArticlePlayer:
    """A `Player`. Under rules other than `article`, where a piece does not fly, it takes the placement whose
    features are worth the least."""

    def __init__(
        self, puzzle: SeededTetris, seed: int = 0, weights: Sequence[float] = ARTICLE_WEIGHTS
    ) -> None:
        """weights: six, in the order of FEATURES. `seed` has no effect."""
        self._game, self._weights = puzzle.game, tuple(weights)

    def choose(self, state: Turn[State]) -> Action:
        """The placement of the least value."""
        inner, game = state.state, self._game
        if not game.is_article:
            legal = game.legal_actions(inner)
            return min(legal, key=lambda action: self.worth(inner.wall, game.landing(inner, action)))
        piece = inner.piece
        form, column = self.target(state.state.wall, piece)
        return flight.turn_order(piece).index(form) * self._game.width + column

    def target(self, wall: Sequence[int], piece: int) -> tuple[int, int]:
        """The form and its leftmost column to which the piece, which appears in the form `piece`, is sent."""
        best, target = START, self._straight(piece)
        for form in flight.turn_order(piece):
            for here in self._rests(wall, form):
                value = self.value(wall, here)
                if value < best:
                    best, target = value, (form, here.column)
        return target

    def value(self, wall: Sequence[int], rests: flight.Position) -> float:
        """The value of the wall with a piece that rests there: the less, the better."""
        return self.worth(wall, Landing(flight.FORMS[rests.form].shape, rests.column, rests.row))

    def worth(self, wall: Sequence[int], landing: Landing) -> float:
        """The weighted sum of the figures after that landing: the less, the better."""
        seen = wall_of(add(wall, landing), self._game.width, self._game.height)
        total = 0.0
        for weight, feature in zip(self._weights, FEATURES.values(), strict=True):
            total += feature(seen) * weight
        return total

    def _rests(self, wall: Sequence[int], form: int) -> Iterator[flight.Position]:
        """Where the piece may come to rest in this form, as far as the program looks."""
        width, middle = self._game.width, self._game.width // 2
        start = flight.appears(form, width, self._game.height)
        for offset in range(-middle, middle):
            column = start.column + offset
            if not 0 <= column <= width - flight.FORMS[form].shape.width:
                continue
            rests = straight_down(wall, width, start._replace(column=column))
            if rests is None:
                return
            yield rests

    def _straight(self, piece: int) -> tuple[int, int]:
        """What is done when no value is low enough."""
        form = LIES if LIES in flight.turn_order(piece) else piece
        return form, flight.appears(form, self._game.width, self._game.height).column
