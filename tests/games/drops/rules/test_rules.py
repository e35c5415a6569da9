"""The rules of drops in plain words: which clicks are allowed, what they cost, when it is over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.drops.boards import SEEDS, clicks, levels
from winnable.contract.core import IllegalAction, replay
from winnable.contract.provenance import Certificate
from winnable.games.drops.levels.text import parse_board
from winnable.games.drops.rules.level import Level
from winnable.games.drops.rules.puzzle import Drops, State, need


def puzzle(code: str) -> Drops:
    return Drops(parse_board(code))


def test_a_click_adds_one_drop_and_the_fifth_bursts_the_cell() -> None:
    drops = puzzle("300/000/100")
    four = drops.apply(drops.initial(), 0)
    assert four == State(bytes([4, 0, 0, 0, 0, 0, 1, 0, 0]), None)
    assert drops.apply(four, 0).cells == bytes([0, 0, 0, 0, 0, 0, 2, 0, 0])


def test_the_start_is_not_changed_by_playing() -> None:
    drops = puzzle("44/44,drops=2")
    start = drops.initial()
    assert drops.apply(start, 0) == drops.apply(start, 0)
    assert start == drops.initial() == State(bytes([4, 4, 4, 4]), 2)


@given(levels(drops=st.none() | st.integers(0, 9)), SEEDS)
def test_legal_actions_are_those_that_apply_accepts(level: Level, seed: int) -> None:
    drops = Drops(level)
    for state in [drops.initial(), *(state for state, _ in clicks(drops, seed))]:
        legal = list(drops.legal_actions(state))
        allowed: list[int] = []
        for cell in range(-1, drops.num_actions + 1):
            try:
                drops.apply(state, cell)
            except IllegalAction:
                continue
            allowed.append(cell)
        assert allowed == legal
        if state.left == 0 or drops.is_goal(state):
            assert legal == []
        else:
            assert legal == [cell for cell in range(drops.num_actions) if state.cells[cell] or level.open]


@given(levels(drops=st.integers(1, 9)), SEEDS)
def test_each_click_takes_one_drop_of_a_budget(level: Level, seed: int) -> None:
    drops = Drops(level)
    for state, cell in clicks(drops, seed):
        assert state.left is not None
        assert drops.apply(state, cell).left == state.left - 1
        assert drops.cost(state, cell) == 1


def test_without_a_budget_there_is_no_count_and_no_loss() -> None:
    drops = puzzle("111/111/111")
    game = clicks(drops, 1)
    assert {state.left for state, _ in game} == {None}
    assert len(game) <= need(drops.level.cells) == 36


def test_won_lost_and_playing() -> None:
    drops = puzzle("401/000,drops=5")
    start = drops.initial()
    assert drops.observe(start).status == "playing"
    won = replay(drops, [2, 2, 0, 2], start)  # the burst of the other cell adds one of the four that it lacks
    assert (drops.observe(won).status, drops.legal_actions(won), won.left) == ("won", [], 1)
    with pytest.raises(IllegalAction, match="the board is empty"):
        drops.apply(won, 0)
    short = puzzle("401/000,drops=1")
    over = short.apply(short.initial(), 2)
    assert (short.observe(over).status, short.legal_actions(over)) == ("lost", [])
    with pytest.raises(IllegalAction, match="no drop is left"):
        short.apply(over, 2)
    last = puzzle("4,drops=1")
    assert last.observe(last.apply(last.initial(), 0)).status == "won", "the last drop may win"
    none = puzzle("4,drops=0")
    assert (none.observe(none.initial()).status, none.legal_actions(none.initial())) == ("lost", [])


def test_empty_cells_may_be_clicked_when_the_level_is_open() -> None:
    assert puzzle("40/00,open").apply(State(bytes([4, 0, 0, 0]), None), 3).cells == bytes([4, 0, 0, 1])
    with pytest.raises(IllegalAction, match=r"\(2,2\) is empty"):
        puzzle("40/00").apply(State(bytes([4, 0, 0, 0]), None), 3)


@pytest.mark.parametrize("cell", [-1, 4, 10**12])
def test_cells_that_no_board_has(cell: int) -> None:
    drops = puzzle("44/44")
    with pytest.raises(IllegalAction, match=f"cell {cell} "):
        drops.apply(drops.initial(), cell)
    with pytest.raises(IllegalAction, match=f"cell {cell} "):
        drops.trace(drops.initial(), cell)


@given(levels(side=32))
def test_names_of_cells_round_trip(level: Level) -> None:
    drops = Drops(level)
    for cell in range(drops.num_actions):
        assert drops.parse_action(drops.action_name(cell)) == cell


def test_names_count_from_one_x_before_y() -> None:
    drops = puzzle("444/444")
    assert drops.action_name(2) == "(3,1)"
    for text in ("(3,1)", " 3,1 ", "3 1", "( 3 , 1 )"):
        assert drops.parse_action(text) == 2
    for text in ("", "3", "0,1", "4,1", "1,3", "a,b", "-1,1", "1,1,1", "1.5,1", "٣,1", "9" * 400, "3,1\n4"):
        with pytest.raises(IllegalAction):
            drops.parse_action(text)


def test_par_is_shown_when_a_certificate_proves_it() -> None:
    board = ("44",)
    proved = Certificate("solved", "optimal", "0", (0,), 1, 1)
    open_gap = Certificate("solved", "beam", "0", (0, 1), 2, 1)
    for certificate, par in ((None, None), (proved, 1), (open_gap, None)):
        drops = Drops(Level(board, certificate=certificate))
        assert drops.observe(drops.initial()).par == par
