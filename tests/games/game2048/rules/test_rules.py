"""The rules of 2048 against a second engine, and the chances of what appears."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.game2048.independent import Table, perft, push
from winnable.contract.chance import SeededDice, Turn
from winnable.contract.core import IllegalAction
from winnable.games.game2048.levels.text import parse_board
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import DOWN, LEFT, RIGHT, UP, Game2048, Seeded2048, State, slide


def table_of(state: State, columns: int) -> Table:
    values = [1 << exponent if exponent else 0 for exponent in state]
    return [values[start : start + columns] for start in range(0, len(values), columns)]


@st.composite
def positions(pick: st.DrawFn) -> tuple[Game2048, State]:
    rows, columns = pick(st.integers(2, 8)), pick(st.integers(2, 8))
    cells = st.integers(0, 5) | st.integers(0, 35)
    state = pick(st.lists(cells, min_size=rows * columns, max_size=rows * columns))
    return Game2048(Level(rows=rows, columns=columns)), tuple(state)


@given(positions())
def test_moves_are_those_of_the_second_engine(position: tuple[Game2048, State]) -> None:
    game, state = position
    table = table_of(state, game.columns)
    for action in range(4):
        expected, gained = push(table, action)
        if action in game.legal_actions(state):
            after, reward = game.afterstate(state, action)
            assert (table_of(after, game.columns), reward) == (expected, gained)
        else:
            assert expected == table
            with pytest.raises(IllegalAction):
                game.afterstate(state, action)


@given(positions())
def test_what_the_shifts_say_is_what_happens(position: tuple[Game2048, State]) -> None:
    game, state = position
    for action in game.legal_actions(state):
        shifts = game.shifts(state, action)
        cells = list(state)
        for shift in shifts:
            cells[shift.origin] = 0
        for shift in shifts:
            cells[shift.target] = state[shift.origin] + shift.merged
        assert tuple(cells) == game.afterstate(state, action)[0]
        assert len({shift.origin for shift in shifts}) == len(shifts)


@pytest.mark.parametrize(
    ("line", "after", "reward"),
    [
        ([1, 1, 1, 0], [2, 1, 0, 0], 4),
        ([1, 1, 1, 1], [2, 2, 0, 0], 8),
        ([1, 1, 2, 0], [2, 2, 0, 0], 4),
        ([0, 0, 0, 1], [1, 0, 0, 0], 0),
        ([15, 0, 0, 15], [16, 0, 0, 0], 65536),
        ([2, 1, 1, 2], [2, 2, 2, 0], 4),
    ],
)
def test_the_far_side_merges_first_and_each_tile_once(line: list[int], after: list[int], reward: int) -> None:
    assert slide(line) == (after, reward)


@given(positions(), st.integers(0, 100))
def test_outcomes_are_a_distribution(position: tuple[Game2048, State], fours: int) -> None:
    game = Game2048(Level(rows=position[0].rows, columns=position[0].columns, fours=fours))
    after = (*position[1][:-1], 0)
    outcomes = game.outcomes(after)
    assert math.isclose(sum(chance for chance, _ in outcomes), 1)
    assert len({state for _, state in outcomes}) == len(outcomes)
    expected = dict[State, float]()
    for cell in range(len(after)):
        if after[cell] == 0:
            for exponent, chance in ((1, 100 - fours), (2, fours)):
                if chance:
                    state = (*after[:cell], exponent, *after[cell + 1 :])
                    expected[state] = chance / 100 / after.count(0)
    assert {state: pytest.approx(chance) for chance, state in outcomes} == expected


def test_samples_agree_with_the_outcomes() -> None:
    """Pearson's statistic of 20,000 draws; its mean is 7, and it is above 35 once in 10,000 seeds."""
    game = Game2048(Level(rows=2, columns=3, fours=25))
    after = (0, 1, 0, 0, 2, 0)
    draws = 20_000
    counts = Counter(game.sample(after, SeededDice(7, turn)) for turn in range(draws))
    outcomes = game.outcomes(after)
    assert set(counts) == {state for _, state in outcomes}
    assert sum((counts[state] - draws * p) ** 2 / (draws * p) for p, state in outcomes) < 35


def test_a_game_begins_with_two_tiles_or_with_its_board() -> None:
    for seed in range(50):
        state = Seeded2048(Level(rows=3, columns=2, dice=seed)).initial().state
        assert len(state) == 6
        assert sum(map(bool, state)) == 2
    level = parse_board("12/00")
    assert Seeded2048(level).initial().state == (1, 2, 0, 0)


def test_reaching_the_goal_ends_the_game_only_where_it_should() -> None:
    for ends in (False, True):
        game = Game2048(Level(rows=2, columns=2, board=((4, 4), (0, 0)), goal=8, ends=ends))
        after, reward = game.afterstate((2, 2, 0, 0), LEFT)
        assert reward == 8
        state = game.sample(after, SeededDice(0, 1))
        assert game.is_reached(state)
        assert bool(game.legal_actions(state)) is not ends


def test_a_goal_is_reached_missed_or_not_there() -> None:
    for goal, expected in ((8, True), (16, False), (None, None)):
        puzzle = Seeded2048(Level(rows=2, columns=2, board=((4, 8), (0, 0)), goal=goal, ends=False))
        assert puzzle.reached(puzzle.initial()) is expected
        seen = puzzle.observe(puzzle.initial())
        assert (seen.goal, seen.reached) == ((goal or 1).bit_length() - 1, expected is True)


def test_perft() -> None:
    """From two 2s at cells 5 and 6 of an empty board; the counts are known (1, 116, 12,104, 1,198,392)."""
    game = Game2048(Level())
    start = tuple(int(cell in (5, 6)) for cell in range(16))

    def lines(state: State, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(
            lines(following, depth - 1)
            for action in game.legal_actions(state)
            for _, following in game.outcomes(game.afterstate(state, action)[0])
        )

    assert [lines(start, depth) for depth in range(3)] == [1, 116, 12_104]
    assert [perft(table_of(start, 4), depth) for depth in range(3)] == [1, 116, 12_104]


def test_frames_lead_to_what_is_shown() -> None:
    puzzle = Seeded2048(Level(dice=3))
    state = puzzle.initial()
    for _ in range(40):
        action = puzzle.legal_actions(state)[0]
        slid, last = puzzle.trace(state, action)
        after = puzzle.apply(state, action)
        assert (slid.cells, slid.reward) == puzzle.game.afterstate(state.state, action)
        assert slid.reward == after.score - state.score
        assert last.cells == after.state
        changed = [cell for cell in range(16) if slid.cells[cell] != last.cells[cell]]
        assert changed == [last.appeared]
        assert slid.cells[changed[0]] == 0
        state = after


def test_names() -> None:
    puzzle = Seeded2048(Level())
    for action, names in (
        (UP, "up w ↑ \x1b[A"),
        (RIGHT, "right d → \x1b[C"),
        (DOWN, "down s ↓ \x1b[B"),
        (LEFT, "left a ← \x1b[D"),
    ):
        assert puzzle.action_name(action) == names.split()[0]
        assert {puzzle.parse_action(f" {name.capitalize()} ") for name in names.split()} == {action}
    with pytest.raises(IllegalAction, match="'upp' is no move"):
        puzzle.parse_action("upp")


def test_a_turn_counts_score_and_moves() -> None:
    puzzle = Seeded2048(Level(board=((2, 2, 0, 0), *[(0,) * 4] * 3)))
    after = puzzle.apply(puzzle.initial(), LEFT)
    assert (after.score, after.turn) == (4, 1)
    assert isinstance(after, Turn)
