"""Kernels are equal to the readable rules, features and controllers: to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnable.dice_kernels import draw, new_dice
from winnable.games.tetris import kernels, play_kernels
from winnable.games.tetris.controllers import CONTROLLERS, Controller
from winnable.games.tetris.features import FEATURES, Placement
from winnable.games.tetris.herd import Controlled, weight_vector
from winnable.games.tetris.level import Level
from winnable.games.tetris.rules import NONE, State, Tetris

SHAPE_TABLE = kernels.shape_table()
SUMS, ROWS = kernels.new_sums(), kernels.new_rows()
"""One room for walls of every size: nothing of another wall may be left in it."""


@st.composite
def positions(draw: st.DrawFn) -> tuple[Tetris, State]:
    """Any wall that has room: with gaps anywhere, also nearly full rows; or heaped up, with few holes."""
    width, height = draw(st.integers(4, 16)), draw(st.integers(6, 40))
    game = Tetris(Level(width=width, height=height))
    if draw(st.booleans()):
        rows = st.integers(0, game.full - 1)
        rows |= st.integers(0, width - 1).map(lambda gap: game.full & ~(1 << gap))
        wall = draw(st.lists(rows, max_size=height))
    else:
        heights = draw(st.lists(st.integers(0, min(height, 12)), min_size=width, max_size=width))
        holes = draw(st.sets(st.tuples(st.integers(0, width - 1), st.integers(0, height)), max_size=4))
        wall = [
            sum((row < tall and (column, row) not in holes) << column for column, tall in enumerate(heights))
            for row in range(max(heights))
        ]
        wall = [row for row in wall if row != game.full]
    while wall and not wall[-1]:
        wall.pop()
    return game, State(tuple(wall), draw(st.integers(0, 6)), NONE)


def packed(game: Tetris, state: State) -> kernels.U64:
    now = kernels.new_wall(game.width)
    for column in range(game.width):
        now[column + 1] = sum((row >> column & 1) << index for index, row in enumerate(state.wall))
    return now


def chosen(game: Tetris, state: State, weights: kernels.F64) -> int:
    now, room = packed(game, state), (SUMS, ROWS, kernels.new_wall(game.width))
    action = kernels.choose(now, game.height, state.piece, SHAPE_TABLE, weights, *room)
    assert np.array_equal(now, packed(game, state))
    assert np.array_equal(now, kernels.pack_wall(state.wall, game.width))
    return action


@settings(max_examples=300)
@given(positions(), st.lists(st.floats(-20, 20) | st.just(0.0), min_size=11, max_size=11))
def test_the_choice_is_the_controllers(position: tuple[Tetris, State], weights: list[float]) -> None:
    game, state = position
    controller = Controller("any", dict(zip(FEATURES, weights, strict=True)), "")
    action = chosen(game, state, np.array(weights))
    placements = [Placement(game, state, legal) for legal in game.legal_actions(state)]
    if all(placed.over for placed in placements):
        assert action == kernels.NOWHERE
    else:
        assert action == controller.choose(game, state)


@settings(max_examples=300)
@given(positions(), st.data())
def test_a_placement_leaves_the_same_wall(position: tuple[Tetris, State], data: st.DataObject) -> None:
    game, state = position
    action = data.draw(st.sampled_from(game.legal_actions(state)))
    after, lines = game.afterstate(state, action)
    now = packed(game, state)
    assert kernels.place(now, game.height, state.piece, action, SHAPE_TABLE) == (
        kernels.NOWHERE if after.over else lines
    )
    assert np.array_equal(now, packed(game, State(after.wall, 0, NONE)))


@pytest.mark.parametrize("name", CONTROLLERS)
def test_whole_games_are_the_same(name: str) -> None:
    """Piece by piece, by the same dice."""
    game = Tetris(Level(height=8))
    controller, weights = CONTROLLERS[name], weight_vector(CONTROLLERS[name].weights)
    dice, same_dice = new_dice(7), new_dice(7)
    now, counts = kernels.new_wall(10), np.zeros(3, np.int64)
    state, lines = State((), draw(dice, 7), NONE), 0
    room = (kernels.new_sums(), kernels.new_rows(), kernels.new_wall(10))
    for _ in range(120):
        play_kernels.play(now, 8, same_dice, 1, SHAPE_TABLE, weights, *room, counts)
        after, cleared = game.afterstate(state, controller.choose(game, state))
        lines += cleared
        assert bool(counts[2]) == after.over
        if after.over:
            break
        assert counts[1] == lines
        state = State(after.wall, draw(dice, 7), NONE)
        assert np.array_equal(now, packed(game, state))


def test_a_herd_leaps_to_its_bounds_and_the_arguments_stay() -> None:
    herd = Controlled(10, 10, weight_vector(CONTROLLERS["dellacherie"].weights))
    rng = np.random.default_rng(1)
    states = herd.start(50, rng)
    low, high, limit = np.full(50, -1), np.full(50, 4), np.full(50, 1000)
    leap = herd.leap(states, low, high, limit, rng)
    assert not states[:, 1:-1].any()
    assert not leap.died.any()
    assert (herd.level(leap.states) >= 4).all()
    down = herd.leap(leap.states, np.full(50, 3), np.full(50, 2**62), np.full(50, 10**6), rng)
    assert (down.died | (herd.level(down.states) < 3)).all()
    one = herd.leap(leap.states, low, high, np.ones(50, np.int64), rng)
    assert (one.steps == 1).all()
