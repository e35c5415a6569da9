"""The rules against a second engine, and each way that a game can end."""

from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.tetris.independent import (
    Cells,
    cells_of,
    drop,
    moved,
    shape,
    turns_that_differ,
    without_full_rows,
)
from winnable.contract.chance import SeededDice, Turn
from winnable.contract.core import IllegalAction
from winnable.games.tetris.rules.level import Level, RuleName
from winnable.games.tetris.rules.pieces import NAMES, TURNED
from winnable.games.tetris.rules.puzzle import NONE, Afterstate, SeededTetris, State, Tetris

LEVELS = [
    Level(width=4, height=6),
    Level(),
    Level(width=16, height=40),
    Level(width=7, height=9, rules="travel"),
    Level(height=21, rules="article"),
    Level(width=5, height=8, rules="article", top=4),
    Level(width=6, height=8, preview=True),
]


@settings(max_examples=150)
@given(st.integers(4, 12), st.integers(6, 20), st.sampled_from(NAMES), st.data())
def test_placements_are_those_of_the_second_engine(
    width: int, height: int, name: str, data: st.DataObject
) -> None:
    game = Tetris(Level(width=width, height=height))
    wall = data.draw(st.lists(st.integers(1, game.full - 1), max_size=height).map(tuple))
    state = State(wall, NAMES.index(name), NONE)
    expected = [
        (turns, column)
        for turns in turns_that_differ(name)
        for column in range(width)
        if max(x for x, _ in shape(name, turns)) + column < width
    ]
    assert [divmod(action, width) for action in game.legal_actions(state)] == expected
    for turns, column in expected:
        piece = drop(cells_of(wall), name, turns, column)
        after, lines = game.afterstate(state, turns * width + column)
        over = max(y for _, y in piece) >= height
        grown = cells_of(wall) | piece
        left, cleared = (grown, 0) if over else without_full_rows(grown, width)
        assert (cells_of(after.wall), lines, after.over) == (left, cleared, over)
        assert not after.wall or after.wall[-1]


@st.composite
def high_walls(draw: st.DrawFn, width: int, height: int) -> tuple[int, ...]:
    """Up to the rows in which a piece travels, where few cells are filled."""
    full = 2**width - 1
    body = draw(st.lists(st.integers(1, full - 1), min_size=height - 6, max_size=height - 4))
    few = st.integers(0, width - 1).map(lambda column: 1 << column) | st.just(0)
    wall = [*body, *draw(st.lists(few, max_size=height - len(body)))]
    while wall and not wall[-1]:
        wall.pop()
    return tuple(wall)


@settings(max_examples=200)
@given(st.integers(4, 9), st.integers(6, 9), st.sampled_from(NAMES), st.data())
def test_travel_goes_where_a_walk_cell_by_cell_goes(
    width: int, height: int, name: str, data: st.DataObject
) -> None:
    game = Tetris(Level(width=width, height=height, rules="travel"))
    wall = data.draw(high_walls(width, height))
    cells = cells_of(wall)

    def free(piece: Cells) -> bool:
        return not piece & cells and all(0 <= x < width and 0 <= y < height for x, y in piece)

    upright = shape(name, 2 if name in "TJL" else 0)
    left = {"I": 2}.get(name, 1)
    piece = moved(upright, width // 2 - left, height - 1 - max(y for _, y in upright))
    pivot = (width // 2, height - 1)
    ways: dict[tuple[int, int], Cells] = {}
    lower = moved(piece, 0, -1)
    if free(piece) and not free(lower):
        ways[0, min(x for x, _ in piece)] = piece
    elif free(piece):
        px, py = pivot[0], pivot[1] - 1
        turned, turns = lower, 0
        while turns < len(turns_that_differ(name)) and free(turned):
            for step in (-1, 1):
                walking = turned
                while free(walking):
                    ways[turns, min(x for x, _ in walking)] = walking
                    walking = moved(walking, step, 0)
            turned = frozenset((px - (y - py), py + (x - px)) for x, y in turned)
            turns += 1

    state = game.outcomes(Afterstate(wall, NONE, False))[NAMES.index(name)][1]
    assert state.over == (not ways)
    assert {divmod(action, width) for action in game.legal_actions(state)} == set(ways)
    for (turns, column), falling in ways.items():
        while free(moved(falling, 0, -1)):
            falling = moved(falling, 0, -1)
        after, lines = game.afterstate(state, turns * width + column)
        assert (cells_of(after.wall), lines) == without_full_rows(cells | falling, width)
        assert not after.over


@pytest.mark.parametrize(
    ("name", "drawn", "column"),
    [("I", "xxxx", 3), ("L", "xxx/x..", 4), ("O", "xx/xx", None), ("T", "xxx/.x.", None)],
)
def test_a_travelling_piece_appears_as_published(name: str, drawn: str, column: int | None) -> None:
    """A tower below the topmost row lets only an I and an L appear; neither falls."""
    game, piece = Tetris(Level(rules="travel")), NAMES.index(name)
    tower = tuple([0b0001100000] * 19)
    state = game.outcomes(Afterstate(tower, NONE, False))[piece][1]
    assert list(game.legal_actions(state)) == ([] if column is None else [column])
    assert state.over == (column is None)
    if column is not None:
        assert game.landing(state, column).row == 19 - drawn.count("/")
    turn = Turn(State((), piece, NONE), 0, 0)
    assert "/".join(SeededTetris(Level(rules="travel")).observe(turn).shapes[0]) == drawn


def test_a_travelling_piece_falls_from_below_what_juts_out() -> None:
    game, bar = Tetris(Level(rules="travel")), NAMES.index("I")
    higher, lower = (*[1] * 19, 0b11), (*[1] * 18, 0b11)
    assert game.landing(State(higher, bar, NONE), 1).row == 0
    assert 1 not in game.legal_actions(State(lower, bar, NONE))


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_outcomes_are_a_distribution_that_samples_agree_with(level: Level) -> None:
    game = Tetris(level)
    state = game.initial(SeededDice(3, 0))
    afterstate, _ = game.afterstate(state, game.legal_actions(state)[0])
    outcomes = game.outcomes(afterstate)
    assert isclose(sum(chance for chance, _ in outcomes), 1)
    assert len({after for _, after in outcomes}) == len(outcomes) == game.pieces
    drawn = {game.sample(afterstate, SeededDice(9, turn)) for turn in range(400)}
    assert drawn == {after for _, after in outcomes}


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_a_seeded_game_is_the_same_each_time_and_ends(level: Level) -> None:
    puzzle = SeededTetris(level)
    games: list[list[State]] = []
    for _ in range(2):
        turn = puzzle.initial()
        states = [turn.state]
        while legal := puzzle.legal_actions(turn):
            assert list(legal) == sorted(legal)
            turn = puzzle.apply(turn, legal[len(states) * 7 % len(legal)])
            states.append(turn.state)
        assert turn.state.over
        assert puzzle.observe(turn).status == "over"
        games.append(states)
    assert games[0] == games[1]


def test_rows_that_are_full_when_the_piece_sticks_out_are_not_cleared() -> None:
    game = Tetris(Level(width=4, height=6))
    low = (0b0111,) * 4
    after, lines = game.afterstate(State(low, NAMES.index("I"), NONE), 1 * 4 + 3)
    assert (after.wall, lines, after.over) == ((), 4, False)
    after, lines = game.afterstate(State((*low, 0b1000), NAMES.index("I"), NONE), 1 * 4 + 3)
    assert (lines, after.over, len(after.wall)) == (0, True, 9)


@pytest.mark.parametrize("rules", ["simplified", "travel", "article"])
def test_illegal_actions_are_refused(rules: RuleName) -> None:
    puzzle = SeededTetris(Level(rules=rules))
    turn = puzzle.initial()
    legal = set(puzzle.legal_actions(turn))
    for action in {-1, puzzle.num_actions, 10**9, *range(puzzle.num_actions)} - legal:
        with pytest.raises(IllegalAction):
            puzzle.apply(turn, action)


def test_in_the_seeds_game_the_piece_flies_as_it_is_sent_where_nothing_is_in_the_way() -> None:
    game = Tetris(Level(height=21, rules="article"))
    for piece in range(19):
        state = State((), piece, 0)
        for action in game.legal_actions(state):
            landing = game.landing(state, action)
            turns, column = divmod(action, 10)
            assert (landing.column, landing.row) == (column, 0)
            assert landing.shape == game.shapes[piece][turns]


def test_in_the_seeds_game_a_piece_turns_in_the_programs_order_and_the_square_into_the_bar() -> None:
    game = Tetris(Level(height=21, rules="article"))
    forms = {game.shapes[piece][0]: piece for piece in range(19)}
    assert len(forms) == 19
    for piece in range(19):
        kind = TURNED[piece][0]
        kinds = [TURNED[forms[after]][0] for after in game.shapes[piece]]
        turns = [TURNED[forms[after]][1] for after in game.shapes[piece]]
        if NAMES[kind] == "O":
            assert (kinds, turns) == ([1, 0, 0], [0, 1, 0])
        else:
            assert set(kinds) == {kind}
            assert sorted(turns) == list(turns_that_differ(NAMES[kind]))


def test_in_the_seeds_game_a_high_wall_stops_a_piece_on_its_way() -> None:
    game = Tetris(Level(height=21, rules="article"))
    tower = tuple(0b0000000001 for _ in range(19))
    state = State(tower, 2, 0)  # an O
    landing = game.landing(state, 0)
    assert (landing.column, landing.row) == (1, 0)


def test_the_seeds_game_ends_at_its_top_row_and_never_clears_the_highest() -> None:
    game = Tetris(Level(width=4, height=8, rules="article", top=3))
    for rows, over in ((3, False), (4, True)):
        wall = tuple(0b0001 for _ in range(rows - 2))
        after, _ = game.afterstate(State(wall, 2, 2), 0)
        assert after.over == over
    full = Tetris(Level(width=4, height=6, rules="article"))
    wall = (0b0111, 0b0111, 0b0111, 0b0111, 0b0111)
    after, lines = full.afterstate(State(wall, 1, 2), 3)
    assert lines == 4
    assert not after.over
