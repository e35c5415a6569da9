"""Whole games of the article's player under the rules `article`, on bits; equal to player.py,
flight.py and the rules piece by piece, and the values of placements to the last bit.

A wall is that of kernels.py: uint64 [width + 2], a word for each column, with a full one on either side; bit
r is row r. How many cells a row lacks is counted for all rows at once, up to three, in three words.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from winnable.compiled.bit_kernels import bit_length, count_ones
from winnable.compiled.dice_kernels import draw
from winnable.compiled.jit import kernel
from winnable.contract.core import Budget, Search, finish
from winnable.games.tetris.article import player as article_player
from winnable.games.tetris.article.player import LIES, START
from winnable.games.tetris.players.kernels import clear, new_wall
from winnable.games.tetris.rules.flight import FORMS, SQUARE, STANDING
from winnable.inert.arrays import F64, I64, U64, U, np
from winnable.search.meter import Meter
from winnable.search.slices import SliceEnd, Slices

FORM_COUNT: Final = 19
MOST_FORMS: Final = 4
"""No piece has more."""
NOWHERE: Final = -1
NO_CAP: Final = 2**62
FIRST: Final = 256
"""Pieces of a game's first slice."""

WIDTH, LEFT, BELOW, ONWARD, BOTTOM, CELLS = 0, 1, 2, 3, 4, 8
"""Places in a row of the table of forms: four numbers, then twice four, one for each column."""


class Board(NamedTuple):
    """Where the article plays.

    top:   a cell in this row, counted from 0, ends the game
    forms: of `form_table`
    """

    width: int
    height: int
    top: int
    forms: I64


class Played(NamedTuple):
    """A game as far as it was played. unsent: pieces for which no value was less than START."""

    pieces: int
    lines: int
    over: bool
    unsent: int


def form_table(square_turns: bool = True) -> I64:
    """The table of forms, int64 [19, 12], rows in the order of `flight.FORMS`. Without `square_turns` O stays
    O, as the article's text has it."""
    table = np.zeros((FORM_COUNT, 12), np.int64)
    for row, form in zip(table, FORMS, strict=True):
        shape = form.shape
        row[:BOTTOM] = shape.width, form.left, form.below, form.onward
        for column in range(shape.width):
            row[BOTTOM + column] = shape.bottoms[column]
            row[CELLS + column] = shape.columns[column]
    if not square_turns:
        table[SQUARE, ONWARD] = SQUARE
    return table


@kernel
def is_free(now: U64, forms: I64, form: int, column: int, row: int) -> bool:
    """Whether the form has room there: on the board, and no cell filled."""
    across = forms[form, WIDTH]
    if row < 0 or column < 0 or column > now.size - 2 - across:
        return False
    hit = U(0)
    for i in range(across):
        hit |= now[column + i + 1] & U(forms[form, CELLS + i]) << U(row)
    return hit == U(0)


@kernel
def fall(now: U64, forms: I64, form: int, column: int, row: int) -> int:
    """The row where the piece rests that comes straight down from this one."""
    lowest = 0
    for i in range(forms[form, WIDTH]):
        lowest = max(lowest, bit_length(now[column + i + 1]) - forms[form, BOTTOM + i])
    if lowest <= row:
        return lowest
    while is_free(now, forms, form, column, row - 1):  # something is above it: step by step
        row -= 1
    return row


@kernel
def add(now: U64, forms: I64, form: int, column: int, row: int) -> None:
    """Fills the cells of the piece."""
    for i in range(forms[form, WIDTH]):
        now[column + i + 1] |= U(forms[form, CELLS + i]) << U(row)


@kernel
def remove(now: U64, forms: I64, form: int, column: int, row: int) -> None:
    """Empties the cells of the piece again."""
    for i in range(forms[form, WIDTH]):
        now[column + i + 1] &= ~(U(forms[form, CELLS + i]) << U(row))


@kernel
def rows_lacking(now: U64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """The rows that lack at least one cell, at least two, at least three, as bits."""
    one, two, three = U(0), U(0), U(0)
    for c in range(1, now.size - 1):
        empty = ~now[c]
        three |= two & empty
        two |= one & empty
        one |= empty
    return one, two, three


@kernel
def value_of(now: U64, height: int, weights: F64, spare: U64) -> float:
    """The value of a wall with the piece on it, full rows and all; it stays as it is. spare: room for a
    wall."""
    width = now.size - 2
    looked_at = (U(1) << U(height - 1)) - U(1)
    every = U(0)
    for c in range(1, width + 1):
        every |= now[c]
    highest = max(bit_length(every & looked_at) - 1, 0)
    one, two, three = rows_lacking(now)
    full = ~one & looked_at
    complete = count_ones(full)
    wall = now
    if full:
        spare[:] = now
        clear(spare, full)
        wall = spare
        one, two, three = rows_lacking(spare)
    scanned = (U(1) << U(height - 4)) - U(1)
    below = (U(1) << U(max(min(highest - 2, height - 4), 0))) - U(1)
    space, difference, before, step = 0, 0, 0, 0
    for c in range(1, width + 1):
        cells = wall[c] & scanned
        here = max(bit_length(cells) - 1, 0)
        space += here - count_ones(cells)
        if c > 1:
            step = max(abs(here - before) - 2, 0)
            difference += step
        before = here
    difference += step
    return (
        space * weights[article_player.SPACE]
        + difference * weights[article_player.HEIGHT_DIFFERENCE]
        + complete * weights[article_player.COMPLETE_ROWS]
        + highest * weights[article_player.MAX_HEIGHT]
        + count_ones(two & ~three & below) * weights[article_player.ONE_SHORT]
        + count_ones(three & below) * weights[article_player.MORE_SHORT]
    )


@kernel
def choose(now: U64, height: int, form: int, forms: I64, weights: F64, spare: U64) -> int:
    """The choice `form * width + column` of the least value, the first of equals; NOWHERE if none is less
    than START."""
    width = now.size - 2
    best, choice = START, NOWHERE
    turned = form
    for _ in range(MOST_FORMS):
        start = height - 2 - forms[turned, BELOW]
        last = min(width - forms[turned, WIDTH], 2 * (width // 2) - 1 - forms[turned, LEFT])
        for column in range(last + 1):
            row = fall(now, forms, turned, column, start)
            if row == start:
                break
            add(now, forms, turned, column, row)
            value = value_of(now, height, weights, spare)
            remove(now, forms, turned, column, row)
            if value < best:
                best, choice = value, turned * width + column
        turned = forms[turned, ONWARD]
        if turned == form:
            break
    return choice


@kernel
def fly(
    now: U64, height: int, forms: I64, form: int, target: int, target_column: int
) -> tuple[int, int, int]:
    """Form, column and row where the piece rests that appears in `form` and is sent there."""
    width = now.size - 2
    offset = target_column + forms[target, LEFT] - width // 2
    column, row = width // 2 - forms[form, LEFT], height - 2 - forms[form, BELOW]
    sent = form  # the form that the turns have got to, also those that failed
    while sent != target or offset:
        if sent != target:
            sent = forms[sent, ONWARD]
            new_column = column + forms[form, LEFT] - forms[sent, LEFT]
            new_row = row + forms[form, BELOW] - forms[sent, BELOW]
            if is_free(now, forms, sent, new_column, new_row):
                form, column, row = sent, new_column, new_row
        if offset:
            step = 1 if offset > 0 else -1
            offset -= step
            if is_free(now, forms, form, column + step, row):
                column += step
        if not is_free(now, forms, form, column, row - 1):
            return form, column, row
        row -= 1
    return form, column, fall(now, forms, form, column, row)


@kernel
def place(now: U64, height: int, forms: I64, form: int, column: int, row: int) -> int:
    """Sets the piece down and clears rows, but never the highest: how many."""
    add(now, forms, form, column, row)
    lacking, _, _ = rows_lacking(now)
    full = ~lacking & ((U(1) << U(height - 1)) - U(1))
    if full:
        clear(now, full)
    return count_ones(full)


@kernel
def play(
    board: Board, now: U64, coming: I64, dice: U64, most: int, cap: int, weights: F64, spare: U64
) -> Played:
    """Plays on from a wall until the game is over, `most` pieces are placed or there are more lines than
    `cap`. coming: int64 [2], the form to be placed and the next, which go on with the wall and the dice;
    spare: for a wall."""
    (width, height, top, forms), form, lines, unsent = board, coming[0], 0, 0
    for placed in range(1, most + 1):
        choice = choose(now, height, form, forms, weights, spare)
        if choice == NOWHERE:
            unsent += 1
            target = LIES if form == STANDING or forms[form, ONWARD] == STANDING else form
            target_column = width // 2 - forms[target, LEFT]
        else:
            target, target_column = choice // width, choice % width
        rests, column, row = fly(now, height, forms, form, target, target_column)
        lines += place(now, height, forms, rests, column, row)
        for c in range(1, width + 1):
            if now[c] >> U(top) & U(1):
                return Played(placed, lines, True, unsent)
        coming[0], coming[1] = coming[1], draw(dice, FORM_COUNT)
        form = coming[0]
        appears = width // 2 - forms[form, LEFT]
        if not is_free(now, forms, form, appears, height - 2 - forms[form, BELOW]):
            return Played(placed, lines, True, unsent)
        if lines > cap:
            return Played(placed, lines, False, unsent)
    return Played(most, lines, False, unsent)


def play_game(board: Board, weights: F64, dice: U64, most: int, cap: int = NO_CAP) -> Played:
    """Plays from an empty wall for at most `most` pieces or until there are more lines than `cap`; dice goes
    on."""
    return finish(game_played(board, weights, dice, most, cap))


def game_played(board: Board, weights: F64, dice: U64, most: int, cap: int = NO_CAP) -> Search[Played]:
    """The same game."""
    coming = np.array([draw(dice, FORM_COUNT), draw(dice, FORM_COUNT)])
    now, spare, counts = new_wall(board.width), new_wall(board.width), np.zeros(2, np.int64)
    over, lines, unsent = False, 0, 0

    def go_on(pieces: int) -> SliceEnd:
        nonlocal over, lines, unsent
        played = play(board, now, coming, dice, pieces, cap - lines, weights, spare)
        counts[0] += played.pieces
        over, lines, unsent = played.over, lines + played.lines, unsent + played.unsent
        return "exhausted" if over or lines > cap else "running"

    yield from Slices(counts, FIRST).run(go_on, Meter(Budget()), "tuning", nodes=most)
    return Played(int(counts[0]), lines, over, unsent)
