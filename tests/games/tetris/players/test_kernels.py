"""Kernels are equal to the readable rules, features and controllers: to the last bit."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.fresh_python import printed_either_way
from winnable.compiled.dice_kernels import draw, new_dice
from winnable.games.tetris.players import choice_kernels, features, kernels, play_kernels, shape_kernels
from winnable.games.tetris.players.choice_kernels import choose
from winnable.games.tetris.players.controllers import CONTROLLERS, DANGER, Controller
from winnable.games.tetris.players.features import FEATURES, PUBLISHED
from winnable.games.tetris.players.herd import Controlled, weight_table
from winnable.games.tetris.players.placement import Placement
from winnable.games.tetris.players.shape_kernels import ControlledRules, shape_table
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.pieces import NAMES
from winnable.games.tetris.rules.puzzle import NONE, State, Tetris
from winnable.inert.arrays import F64, I64

WORK = kernels.new_workspace(16)
"""One workspace for walls of every size: nothing of another wall may be left in it."""
RULES = get_args(ControlledRules)
TABLES = {rules: shape_table(rules) for rules in RULES}


@st.composite
def positions(draw: st.DrawFn) -> tuple[Tetris, State]:
    """Any wall that has room: with gaps anywhere, also nearly full rows; or with few cells in the rows where
    pieces travel; or heaped up, with few holes."""
    width, height = draw(st.integers(4, 16)), draw(st.integers(6, 40))
    game = Tetris(Level(width=width, height=height, rules=draw(st.sampled_from(RULES))))
    if draw(st.booleans()):
        rows = st.integers(0, game.full - 1)
        rows |= st.integers(0, width - 1).map(lambda gap: game.full & ~(1 << gap))
        wall = draw(st.lists(rows, max_size=height))
        if draw(st.booleans()):
            few = st.just(0) | st.integers(0, width - 1).map(lambda column: 1 << column)
            depth = draw(st.integers(2, 5))
            wall = [*wall, *[1] * height][: height - depth] + draw(st.lists(few, max_size=depth))
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


def table_of(game: Tetris) -> I64:
    return TABLES[game.level.rules]


def packed(game: Tetris, state: State) -> kernels.U64:
    now = kernels.new_wall(game.width)
    for column in range(game.width):
        now[column + 1] = sum((row >> column & 1) << index for index, row in enumerate(state.wall))
    return now


def chosen(game: Tetris, state: State, table: F64) -> int:
    now, work = packed(game, state), WORK._replace(spare=kernels.new_wall(game.width))
    action = choose(now, game.height, state.piece, table_of(game), table, work)
    assert np.array_equal(now, packed(game, state))
    assert np.array_equal(now, kernels.pack_wall(state.wall, game.width))
    return action


def test_each_feature_has_a_named_place() -> None:
    assert [getattr(features, name.upper()) for name in FEATURES] == list(range(len(FEATURES)))


@settings(max_examples=60)
@given(positions(), st.lists(st.floats(-20, 20) | st.just(0.0), min_size=54, max_size=54), st.integers(0, 2))
def test_the_choice_is_the_controllers(
    position: tuple[Tetris, State], drawn: list[float], kinds: int
) -> None:
    """Of the published features, of all, and of all in danger, too."""
    game, state = position
    names = [*FEATURES, *(name + DANGER for name in FEATURES)]
    known = (len(PUBLISHED), len(FEATURES), len(names))[kinds]
    weights = dict(zip(names[:known], drawn, strict=False))
    table = weight_table(weights, game.height)
    assert table.shape == ((1, game.height + 1)[kinds == 2], len(FEATURES) if kinds else kernels.PUBLISHED)
    assert len(PUBLISHED) == kernels.PUBLISHED
    action = chosen(game, state, table)
    controller = Controller("any", weights, "")
    placements = {legal: Placement(game, state, legal) for legal in game.legal_actions(state)}
    for legal, placed in placements.items():
        value = -np.inf if placed.over else controller.value(placed)
        if np.isnan(WORK.values[legal]):
            assert value < WORK.values[action]
        else:
            assert WORK.values[legal] == value
    if all(placed.over for placed in placements.values()):
        assert action == kernels.NOWHERE
    else:
        assert action == controller.choose(game, state)


@settings(max_examples=300)
@given(positions(), st.data())
def test_a_placement_leaves_the_same_wall(position: tuple[Tetris, State], data: st.DataObject) -> None:
    game, state = position
    legal = game.legal_actions(state)
    assume(legal)
    action = data.draw(st.sampled_from(legal))
    after, lines = game.afterstate(state, action)
    now = packed(game, state)
    assert kernels.place(now, game.height, state.piece, action, table_of(game)) == (
        kernels.NOWHERE if after.over else lines
    )
    assert np.array_equal(now, packed(game, State(after.wall, 0, NONE)))


@settings(max_examples=300)
@given(positions())
def test_a_piece_gets_to_the_same_places(position: tuple[Tetris, State]) -> None:
    game, state = position
    assert places(game, packed(game, state), state.piece) == set(game.legal_actions(state))


def places(game: Tetris, now: kernels.U64, piece: int) -> set[int]:
    table, height = table_of(game), game.height
    if not shape_kernels.must_travel(now, height, piece, table):
        return set(game.actions[piece])
    pivot = shape_kernels.pivot_row(now, height, piece, table)
    if pivot == kernels.NOWHERE:
        return set()
    found: set[int] = set()
    for turns in range(len(game.shapes[piece])):
        columns = shape_kernels.reached(now, height, piece, turns, pivot, table)
        if not columns:
            break
        found |= {turns * game.width + left for left in range(game.width) if columns >> left & 1}
    return found


@pytest.mark.parametrize("rules", RULES)
def test_the_counts_of_all_games_are_the_same(rules: ControlledRules) -> None:
    """All placements of six pieces on 4 × 6 cells, most of which end before."""
    game = Tetris(Level(width=4, height=6, rules=rules))
    pieces = [NAMES.index(name) for name in "OSIJTZ"]

    def readable(wall: tuple[int, ...], depth: int) -> None:
        counted[depth] += 1
        if depth < len(pieces):
            state = State(wall, pieces[depth], NONE)
            for action in game.legal_actions(state):
                after, _ = game.afterstate(state, action)
                if not after.over:
                    readable(after.wall, depth + 1)

    def on_bits(now: kernels.U64, depth: int) -> None:
        also[depth] += 1
        if depth < len(pieces):
            for action in places(game, now, pieces[depth]):
                after = now.copy()
                lines = kernels.place(after, game.height, pieces[depth], action, table_of(game))
                if lines != kernels.NOWHERE:
                    on_bits(after, depth + 1)

    counted, also = [0] * (len(pieces) + 1), [0] * (len(pieces) + 1)
    readable((), 0)
    on_bits(kernels.new_wall(4), 0)
    assert counted == also
    assert counted[-1] > 0


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", CONTROLLERS)
def test_whole_games_are_the_same(name: str, rules: ControlledRules) -> None:
    """Piece by piece, by the same dice, until the game is over."""
    memory = np.zeros(choice_kernels.SMALLEST, np.uint64)
    game = Tetris(Level(width=7, height=6, rules=rules))
    controller, table = CONTROLLERS[name], weight_table(CONTROLLERS[name].weights, 6)
    dice, same_dice = new_dice(7), new_dice(7)
    now, work = kernels.new_wall(7), kernels.new_workspace(7)
    state, lines, over = State((), draw(dice, 7), NONE), 0, False
    for _ in range(400):
        played = play_kernels.play(now, 6, same_dice, 1, TABLES[rules], table, work, memory)
        if game.legal_actions(state):
            after, cleared = game.afterstate(state, controller.choose(game, state))
            lines, over = cleared, after.over
            state = State(after.wall, draw(dice, 7), NONE)
        else:
            over = True
        assert played.over == over
        if over:
            break
        assert played.lines == lines
        assert np.array_equal(now, packed(game, state))
    assert over


@pytest.mark.parametrize("width", [4, 10, 16])
def test_what_is_remembered_is_what_would_be_chosen(width: int) -> None:
    """However small the memory, and so however much of it is overwritten."""
    table = weight_table(CONTROLLERS["wary"].weights, 20)
    played: list[tuple[list[int], play_kernels.Played, int]] = []
    for slots in (0, 128, 1 << 12, 1 << 18):
        now, dice, work = kernels.new_wall(width), new_dice(3), kernels.new_workspace(width)
        memory = np.zeros(slots, np.uint64)
        game = play_kernels.play(now, 20, dice, 20_000, shape_table(), table, work, memory)
        played.append((now.tolist(), game, int(dice[0])))
        kept = np.count_nonzero(memory)
    assert played.count(played[0]) == 4
    assert 100 < kept < played[0][1].pieces


COLUMNS = st.lists(st.integers(0, 1) | st.integers(0, 63), min_size=10, max_size=10)


@given(st.lists(st.tuples(COLUMNS, st.integers(0, 6)), min_size=2))
def test_a_memory_takes_nothing_for_something_else(asked: list[tuple[list[int], int]]) -> None:
    memory, known = np.zeros(128, np.uint64), dict[int, tuple[tuple[int, ...], int]]()
    last: dict[int, tuple[int, int]] = {}
    for order, (columns, piece) in enumerate(asked):
        now = kernels.new_wall(10)
        now[1:-1] = columns
        number = choice_kernels.mixed_number(now, piece)
        assert number
        assert known.setdefault(int(number), (tuple(columns), piece)) == (tuple(columns), piece)
        place, action = int(number) % 128, order % 40
        before = last.get(place, (0, kernels.NOWHERE))
        expected = before[1] if before[0] == number else kernels.NOWHERE
        assert choice_kernels.recall(np.uint64(number), memory) == expected
        choice_kernels.remember(np.uint64(number), action, memory)
        last[place] = int(number), action


def test_plain_python_remembers_the_same() -> None:
    printed_either_way(
        """
import numpy as np
from winnable.compiled.dice_kernels import new_dice
from winnable.games.tetris.players import kernels, play_kernels
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.herd import weight_table
from winnable.games.tetris.players.shape_kernels import shape_table
now, work, memory = kernels.new_wall(6), kernels.new_workspace(6), np.zeros(128, np.uint64)
table = weight_table(CONTROLLERS["dellacherie"].weights, 12)
played = play_kernels.play(now, 12, new_dice(3), 60, shape_table(), table, work, memory)
print(now.tolist(), *map(int, played), memory.tolist())
"""
    )


def test_walls_with_many_rows_are_not_remembered() -> None:
    now = kernels.new_wall(10)
    now[3] = 64
    assert choice_kernels.mixed_number(now, 2) == 0


def test_a_herd_leaps_to_its_bounds_and_the_arguments_stay() -> None:
    herd = Controlled(10, 10, weight_table(CONTROLLERS["dellacherie"].weights, 10))
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
