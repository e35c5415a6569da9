"""The article's player compiled is the readable one, piece by piece, values to the last bit.

Also with O turning into I, as in the article's program; the readable side then runs on altered forms.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from winnable.compiled.dice_kernels import draw, new_dice
from winnable.contract.chance import Turn
from winnable.games.tetris.article import kernels as article_kernels
from winnable.games.tetris.article.kernels import NOWHERE
from winnable.games.tetris.article.player import ARTICLE_WEIGHTS, LIES, ArticlePlayer
from winnable.games.tetris.players.kernels import F64, U64, new_wall, pack_wall
from winnable.games.tetris.rules import flight
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.puzzle import Landing, SeededTetris, add

WEIGHTS = st.lists(st.floats(-10, 10) | st.sampled_from([0.0, 300.0]), min_size=6, max_size=6)


@st.composite
def positions(pick: st.DrawFn) -> tuple[SeededTetris, tuple[int, ...], int]:
    """Any wall that has room, with gaps anywhere, also nearly full rows, and a form."""
    width, height = pick(st.integers(4, 16)), pick(st.integers(6, 40))
    full = (1 << width) - 1
    row = st.integers(0, full - 1) | st.integers(0, width - 1).map(lambda gap: full & ~(1 << gap))
    wall = pick(st.lists(row, max_size=height - 2))
    while wall and not wall[-1]:
        wall.pop()
    puzzle = SeededTetris(Level(width=width, height=height, rules="article"))
    return puzzle, tuple(wall), pick(st.integers(0, len(flight.FORMS) - 1))


def sent(player: ArticlePlayer, wall: Sequence[int], form: int, now: U64, height: int, weights: F64) -> int:
    """What the kernel chooses, in the readable player's words."""
    width, forms = now.size - 2, article_kernels.form_table()
    choice = article_kernels.choose(now, height, form, forms, weights, new_wall(width))
    target, column = player.target(wall, form)
    if choice == NOWHERE:
        assert column == flight.appears(target, width, height).column
        assert target == (LIES if LIES in flight.turn_order(form) else form)
        return target * width + column
    assert choice == target * width + column
    return choice


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(positions(), WEIGHTS)
def test_the_choice_is_the_players(
    position: tuple[SeededTetris, tuple[int, ...], int], weights: list[float]
) -> None:
    puzzle, wall, form = position
    now = pack_wall(wall, puzzle.game.width)
    sent(ArticlePlayer(puzzle, weights=weights), wall, form, now, puzzle.game.height, np.array(weights))
    assert np.array_equal(now, pack_wall(wall, puzzle.game.width))


@settings(max_examples=60)
@given(positions(), WEIGHTS)
def test_each_value_is_the_same(
    position: tuple[SeededTetris, tuple[int, ...], int], weights: list[float]
) -> None:
    puzzle, wall, form = position
    width, height = puzzle.game.width, puzzle.game.height
    player = ArticlePlayer(puzzle, weights=weights)
    for here in player._rests(wall, form):  # pyright: ignore[reportPrivateUsage]
        rows = add(wall, Landing(flight.FORMS[form].shape, here.column, here.row))
        value = article_kernels.value_of(pack_wall(rows, width), height, np.array(weights), new_wall(width))
        assert value == player.value(wall, here)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(positions(), st.data())
def test_a_piece_flies_alike(
    position: tuple[SeededTetris, tuple[int, ...], int], data: st.DataObject
) -> None:
    """To any form that it can turn to and any column, with whatever is in the way."""
    puzzle, wall, form = position
    width, height = puzzle.game.width, puzzle.game.height
    target = form
    for _ in range(data.draw(st.integers(0, 3))):
        target = flight.FORMS[target].onward
    column = data.draw(st.integers(0, width - flight.FORMS[target].shape.width))
    offset = column + flight.FORMS[target].left - width // 2
    turns = flight.turn_order(form).index(target)
    *_, rests = flight.fly(wall, width, height, form, turns, offset)
    forms = article_kernels.form_table()
    assert article_kernels.fly(pack_wall(wall, width), height, forms, form, target, column) == rests


GAMES = (
    (10, 21, 19, 150),
    (10, 21, 7, 150),
    (7, 12, 10, 150),
    (4, 6, 4, 40),
    (16, 14, 9, 100),
)


@pytest.mark.parametrize(("width", "height", "top", "most"), GAMES)
def test_whole_games_are_the_same(width: int, height: int, top: int, most: int) -> None:
    """By the same dice, with the wall after each piece."""
    puzzle = SeededTetris(Level(width=width, height=height, top=top, rules="article"))
    game, player, weights = puzzle.game, ArticlePlayer(puzzle), np.array(ARTICLE_WEIGHTS)
    board = article_kernels.Board(width, height, top, article_kernels.form_table())
    for seed in range(2):
        dice, same_dice = new_dice(seed), Mwc(new_dice(seed))
        state = game.initial(same_dice)
        assert [draw(dice, 19), draw(dice, 19)] == [state.piece, state.following]
        now, spare = new_wall(width), new_wall(width)
        for _ in range(most):
            action = player.choose(Turn(state, 0, 0))
            after, cleared = game.afterstate(state, action)
            coming = np.array([state.piece, state.following])
            played = article_kernels.play(board, now, coming, dice, 1, article_kernels.NO_CAP, weights, spare)
            assert np.array_equal(now, pack_wall(after.wall, width))
            assert played.lines == cleared
            state = game.sample(after, same_dice)
            assert played.over == state.over
            if state.over:
                break


class Mwc:
    """The kernels' dice, for the readable rules."""

    def __init__(self, dice: U64) -> None:
        self._dice = dice

    def below(self, sides: int) -> int:
        assert sides == article_kernels.FORM_COUNT
        return draw(self._dice, 19)


def test_forms_are_drawn_evenly() -> None:
    dice = new_dice(1)
    drawn = np.bincount([draw(dice, 19) for _ in range(19_000)], minlength=19)
    assert len(drawn) == 19
    assert abs(drawn - 1000).max() < 5 * np.sqrt(1000)


def test_a_game_stops_at_its_bounds() -> None:
    weights = np.array(ARTICLE_WEIGHTS)
    board = article_kernels.Board(10, 21, 19, article_kernels.form_table())
    whole = article_kernels.play_game(board, weights, new_dice(2), 10**6)
    assert whole.over
    cut = article_kernels.play_game(board, weights, new_dice(2), 50)
    assert cut.pieces == 50
    assert not cut.over
    capped = article_kernels.play_game(board, weights, new_dice(2), 10**6, 20)
    assert 20 < capped.lines <= 24
    assert capped.pieces < whole.pieces
