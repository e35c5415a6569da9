"""How a game stands, where nothing is compiled: what a player gets in the next pieces, and how often it dies.

Under the rules of research it is the controller of `outlook.py`, on columns of bits: what three neighbours
contribute to the value of a wall is kept, as the same ones come up again and again. Under the article's rules
it is the article's player.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from winnable.analysis.playing_on import Copy, play_on
from winnable.contract.chance import Outlook, RandomDice, Turn
from winnable.contract.core import Budget, Search
from winnable.games.tetris.article.player import ArticlePlayer
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.rules.pieces import turned_bits
from winnable.games.tetris.rules.puzzle import NONE, SeededTetris, State, Tetris
from winnable.games.tetris.rules.travel import reached

CONTROLLER = "dt-20"
ARTICLE = "article"
COPIES, MOST_PIECES = 40, 50
"""At the most: some 0.4 s for a processor."""
ARTICLE_COPIES = 16
"""Its player is slower."""
BESIDE = -1
"""A side wall, as a column."""
Columns: TypeAlias = tuple[int, ...]
"""Of the wall, from the left, as bits; bit 0 is the lowest row."""
Contribution: TypeAlias = tuple[float, int, int]
"""Of a column: to the value; its holes, and the step to its right neighbour, as bits."""


def first_outlook(puzzle: SeededTetris, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
    """The first outlook, for `AnswersFirst`."""
    game, rng = puzzle.game, random.Random(seed)
    by = ARTICLE if game.is_article else CONTROLLER
    if state.state.over:
        return Outlook(0.0, 0.0, 0.0, 1.0, by=by)
    copies: list[Copy] = []
    if game.is_article:
        copies += [_Played(puzzle, state.state, rng) for _ in range(ARTICLE_COPIES)]
    else:
        value = PlacementValue(game)
        copies += [_Controlled(value, state.state, rng) for _ in range(COPIES)]
    return (yield from play_on(copies, budget, by, MOST_PIECES))


class PlacementValue:
    """How the controller sees placements on a board."""

    def __init__(self, game: Tetris) -> None:
        weights = CONTROLLERS[CONTROLLER].weights
        self.game = game
        self._landing, self._eroded = weights["landing_height"], weights["eroded_cells"]
        self._rows_with_holes, self._diversity = weights["rows_with_holes"], weights["diversity"]
        self._contribution = _contributions(game.height)

    def best(self, columns: Columns, piece: int) -> tuple[Columns, int] | None:
        """The wall after the placement that is worth the most, and the rows it clears; None when each ends
        the game."""
        best: tuple[float, Columns, int] | None = None
        for placed, landing, fallen in self._placements(columns, piece):
            value, lines = self._landing * landing, 0
            full = placed[0]
            for column in placed:
                full &= column
            if full:
                lines = full.bit_count()
                value += self._eroded * lines * sum((cells & full).bit_count() for cells in fallen)
                placed = tuple([_without(column, full) for column in placed])
            value += self.of_wall(placed)
            if best is None or value > best[0]:
                best = value, placed, lines
        return None if best is None else best[1:]

    def of_wall(self, columns: Columns) -> float:
        """The value of a wall, full rows cleared."""
        value, holes, steps = 0.0, 0, 0
        for beside in zip((BESIDE, *columns), columns, (*columns[1:], BESIDE), strict=False):
            part, holed, step = self._contribution(*beside)
            value, holes, steps = value + part, holes | holed, steps | step
        return value + self._rows_with_holes * holes.bit_count() + self._diversity * steps.bit_count()

    def _placements(self, columns: Columns, piece: int) -> Iterator[tuple[Columns, float, Sequence[int]]]:
        """Of all that do not end the game: the wall before rows are cleared, the row of the piece's middle,
        and its cells as bits of the columns that it lies in."""
        game = self.game
        heights = [column.bit_length() for column in columns]
        from_above = (
            reached(turned_bits(columns, game.height), game.width, game.height, piece)
            if game.is_travel
            else None
        )
        for action in game.actions[piece]:
            turns, left = divmod(action, game.width)
            shape = game.shapes[piece][turns]
            row = max([heights[left + i] - bottom for i, bottom in enumerate(shape.bottoms)])
            cells = _columns(shape.rows, shape.width)
            if from_above is not None:
                if (turns, left) not in from_above:
                    continue
                row = _fallen(columns[left:], cells, from_above[turns, left])
            if row + shape.height > game.height:
                continue
            fallen = [bits << row for bits in cells]
            right = left + len(fallen)
            inside = [column | bits for column, bits in zip(columns[left:right], fallen, strict=True)]
            yield (*columns[:left], *inside, *columns[right:]), row + (shape.height - 1) / 2, fallen


def _fallen(columns: Columns, cells: Sequence[int], row: int) -> int:
    """Where a piece comes to rest that falls from this row."""
    while row > 0 and not any(column & bits << row - 1 for column, bits in zip(columns, cells, strict=False)):
        row -= 1
    return row


def _contributions(height: int) -> Callable[[int, int, int], Contribution]:
    """(left neighbour, column, right neighbour) -> what the column contributes, on boards of this height."""
    weights, board = CONTROLLERS[CONTROLLER].weights, (1 << height) - 1

    @lru_cache(1 << 16)
    def contribution(left: int, column: int, right: int) -> Contribution:
        tall, filled = column.bit_length(), column.bit_count()
        holes = ((1 << tall) - 1) & ~column
        bottom = (~column & column + 1).bit_length() - 1  # cells below the lowest empty one
        beside = ((left ^ column) & board).bit_count()
        step = 0
        if right == BESIDE:
            beside += (~column & board).bit_count()
        elif -2 <= right.bit_length() - tall <= 2:
            step = 1 << right.bit_length() - tall + 2
        value = (
            weights["row_transitions"] * beside
            + weights["column_transitions"] * (column ^ (column << 1 | 1)).bit_count()
            + weights["holes"] * (tall - filled)
            + weights["hole_depth"] * (filled - bottom)
            + weights["well_triangles"] * _triangles(left & right & ~column & board, column)
        )
        return value, holes, step

    return contribution


def _triangles(wells: int, column: int) -> int:
    """1 + 2 + ... + d for each stretch of d empty cells of the column that begins with one of the wells."""
    total = 0
    while wells:
        top = wells.bit_length()
        low = (column & (1 << top) - 1).bit_length()
        total += (top - low) * (top - low + 1) // 2
        wells &= (1 << low) - 1
    return total


@lru_cache(1 << 14)
def _without(column: int, full: int) -> int:
    """With the full rows taken out."""
    while full:
        below = (1 << full.bit_length() - 1) - 1
        column = column & below | column >> 1 & ~below
        full &= below
    return column


_columns = lru_cache(turned_bits)
"""Of a piece."""


class _Controlled:
    """A game of the controller."""

    def __init__(self, value: PlacementValue, state: State, rng: random.Random) -> None:
        self.score, self.over = 0.0, False
        self._value, self._draw = value, rng.random
        self._columns: Columns = turned_bits(state.wall, value.game.width)
        self._seen = [piece for piece in (state.following, state.piece) if piece != NONE]

    def step(self) -> None:
        game = self._value.game
        piece = self._seen.pop() if self._seen else int(game.pieces * self._draw())
        best = self._value.best(self._columns, piece)
        if best is None:
            self.over = True
        else:
            self._columns, lines = best
            self.score += lines


class _Played:
    """A game of the article's player, by the rules."""

    def __init__(self, puzzle: SeededTetris, state: State, rng: random.Random) -> None:
        self.score, self._game, self._state = 0.0, puzzle.game, state
        self._player, self._dice = ArticlePlayer(puzzle), RandomDice(rng)

    @property
    def over(self) -> bool:
        return self._state.over

    def step(self) -> None:
        action = self._player.choose(Turn(self._state, 0, 0))
        afterstate, lines = self._game.afterstate(self._state, action)
        self._state = self._game.sample(afterstate, self._dice)
        self.score += lines
