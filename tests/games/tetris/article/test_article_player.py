"""The article's player: each figure on a wall counted by hand, and its quirks."""

import numpy as np
import pytest

from winnable.contract.chance import Turn
from winnable.games.tetris.article.player import ARTICLE_WEIGHTS, FEATURES, ArticlePlayer, wall_of
from winnable.games.tetris.rules import flight
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.pieces import TURNED
from winnable.games.tetris.rules.puzzle import SeededTetris, State

LYING_I, STANDING_I, SQUARE = 0, 1, 2


def rows_of(*drawn: str) -> list[int]:
    """From the top."""
    return [sum(1 << column for column, cell in enumerate(row) if cell == "#") for row in reversed(drawn)]


def figures(*drawn: str, height: int = 12) -> dict[str, int]:
    wall = wall_of(rows_of(*drawn), len(drawn[0]), height)
    return {name: feature(wall) for name, feature in FEATURES.items()}


def test_an_empty_wall_has_no_figures() -> None:
    assert set(figures("......").values()) == {0}


def test_columns_without_holes_count_less_than_none() -> None:
    assert figures("#.....")["space"] == -1
    assert figures("#.....", "#.....", "#....#")["space"] == -2
    assert figures("#.....", "......", "......")["space"] == 1


def test_height_differences_count_beyond_two_and_the_last_one_twice() -> None:
    tower = ["#....."] * 5
    assert figures(*tower)["height_difference"] == 4 - 2
    assert figures(*["." * 5 + "#"] * 5)["height_difference"] == 2 * (4 - 2)
    assert figures(*[".#...."] * 3)["height_difference"] == 0
    assert figures(*[".#...."] * 4)["height_difference"] == 2 * (3 - 2)


def test_the_height_is_that_before_rows_are_cleared() -> None:
    found = figures("##....", "######", "######", ".#####")
    assert found["max_height"] == 3
    assert found["complete_rows"] == 2


def test_rows_lacking_one_cell_count_nowhere() -> None:
    """Rows 0 and 1 lie more than two below row 4."""
    for lacking, one_short, more_short in ((1, 0, 0), (2, 1, 0), (3, 0, 1), (5, 0, 1)):
        row = "." * lacking + "#" * (6 - lacking)
        found = figures("#.....", "#.....", "#.....", row, row)
        assert (found["one_short"], found["more_short"]) == (2 * one_short, 2 * more_short)


def test_empty_rows_are_short_when_rows_below_the_old_top_were_cleared() -> None:
    """Row 1 is empty after clearing, yet lies more than two below the old top."""
    found = figures("#.....", *["######"] * 4)
    assert found["max_height"] == 4
    assert found["more_short"] == 2


def test_the_four_topmost_rows_are_not_scanned_after_clearing() -> None:
    tower = figures(*["#....."] * 8, height=10)
    assert tower["space"] == 5 - 6
    assert tower["height_difference"] == 5 - 2
    assert tower["max_height"] == 7
    assert tower["more_short"] == 5


def test_the_topmost_row_is_neither_cleared_nor_looked_at() -> None:
    full = figures("######", *["#....."] * 5, height=6)
    assert full["complete_rows"] == 0
    assert full["max_height"] == 4


def player(**fields: object) -> tuple[SeededTetris, ArticlePlayer]:
    puzzle = SeededTetris(Level(rules="article", **fields))  # pyright: ignore[reportArgumentType]
    return puzzle, ArticlePlayer(puzzle)


def turn(wall: list[int], piece: int) -> Turn[State]:
    return Turn(State(tuple(wall), piece, SQUARE), 0, 0)


def test_it_would_rather_not_clear_the_wall() -> None:
    """A filled column without holes counts -1, an emptied one 0: so four rows stay, and the I lies on top."""
    puzzle, seed = player(height=21)
    wall = rows_of(*["#########."] * 4)
    fills_the_gap = seed.value(wall, flight.Position(STANDING_I, 9, 0))
    lies_on_top = seed.value(wall, flight.Position(LYING_I, 0, 4))
    space, difference, complete, height, one_short, more_short = ARTICLE_WEIGHTS
    assert fills_the_gap == pytest.approx(4 * complete + 3 * height + more_short)
    assert lies_on_top == pytest.approx(-9 * space + 2 * difference + 4 * height)
    assert one_short > 0  # the rows that lack one cell do not count
    assert puzzle.action_name(seed.choose(turn(wall, STANDING_I))) == "1:1"


def test_of_equals_the_first_counts() -> None:
    """Without weights all placements are worth the same: the form that appears, and the leftmost column."""
    puzzle = SeededTetris(Level(rules="article", height=21))
    seed = ArticlePlayer(puzzle, weights=(0.0,) * 6)
    for piece in range(len(TURNED)):
        assert seed.target((), piece) == (piece, 0)


def test_in_odd_widths_the_centre_stays_out_of_the_last_column() -> None:
    puzzle = SeededTetris(Level(rules="article", width=5, height=21))
    climbs = ArticlePlayer(puzzle, weights=(0, 0, 0, 0, 0, 0))
    filled = rows_of(*["#####", "###.."][1:])
    columns = {here.column for here in climbs._rests(filled, SQUARE)}  # pyright: ignore[reportPrivateUsage]
    assert columns == {0, 1, 2, 3}
    columns = {here.column for here in climbs._rests(filled, STANDING_I)}  # pyright: ignore[reportPrivateUsage]
    assert columns == {0, 1, 2, 3}


def test_a_blocked_column_ends_the_scan_of_the_form() -> None:
    _, seed = player(width=6, height=8)
    wall = rows_of(*["..#..."] * 6)
    columns = {here.column for here in seed._rests(wall, SQUARE)}  # pyright: ignore[reportPrivateUsage]
    assert columns == {0}


def test_when_no_value_is_low_enough_it_goes_straight_down() -> None:
    """I lies then, by the way that the program counts turns."""
    puzzle = SeededTetris(Level(rules="article", height=21))
    hopeless = ArticlePlayer(puzzle, weights=(0, 0, 0, 0, 0, 1000))
    wall = rows_of(*["#..#......"] * 6)
    middle = {form: flight.appears(form, 10, 21).column for form in range(len(TURNED))}
    for piece in range(len(TURNED)):
        form = LYING_I if LYING_I in flight.turn_order(piece) else piece
        assert hopeless.target(wall, piece) == (form, middle[form])
    assert LYING_I in flight.turn_order(STANDING_I)


def test_what_it_chooses_is_legal_and_ends_where_it_was_sent() -> None:
    puzzle, seed = player(height=21, dice=3)
    state = puzzle.initial()
    for _ in range(60):
        action = seed.choose(state)
        assert action in puzzle.legal_actions(state)
        form, column = seed.target(state.state.wall, state.state.piece)
        landing = puzzle.game.landing(state.state, action)
        assert (landing.shape, landing.column) == (flight.FORMS[form].shape, column)
        state = puzzle.apply(state, action)
    assert state.score >= 20


def test_under_other_rules_it_takes_the_placement_that_its_features_like_best() -> None:
    puzzle = SeededTetris(Level(height=12, dice=3))
    seed, state = ArticlePlayer(puzzle), puzzle.initial()
    for _ in range(25):
        wall, landing = state.state.wall, puzzle.game.landing
        worth = {a: seed.worth(wall, landing(state.state, a)) for a in puzzle.legal_actions(state)}
        action = seed.choose(state)
        assert worth[action] == min(worth.values())
        state = puzzle.apply(state, action)
    assert state.score >= 5


def test_the_published_weights_beat_random_ones() -> None:
    """They are used: others end sooner, on a board that is low."""
    rng = np.random.default_rng(1)

    def pieces(weights: tuple[float, ...]) -> int:
        puzzle = SeededTetris(Level(rules="article", height=12, top=5, dice=1))
        seed, state = ArticlePlayer(puzzle, weights=weights), puzzle.initial()
        while state.turn < 60 and puzzle.legal_actions(state):
            state = puzzle.apply(state, seed.choose(state))
        return state.turn

    others = [pieces(tuple(map(float, rng.uniform(-10, 10, 6)))) for _ in range(9)]
    assert pieces(ARTICLE_WEIGHTS) > sorted(others)[4]
