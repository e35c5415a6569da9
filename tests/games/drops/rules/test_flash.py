"""The endless game: what the tank gives back, when it is over, which boards follow, and the cheat."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.drops.boards import RULES, SEEDS, clicks, rows
from winnable.contract.core import IllegalAction, finish
from winnable.games.drops.game import GAME
from winnable.games.drops.levels.generator import Params, generate
from winnable.games.drops.levels.text import parse_board
from winnable.games.drops.rules.level import MAX_DROPS, MAX_ROUND, TANK, Flash, Level
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.levels.files import NamedLevel
from winnable.levels.identity import content_id
from winnable.play.session import Session


def following_of(level: Level, won: State) -> Level:
    found = GAME.follow(level, won)
    assert found is not None
    return found


def easier_than(level: Level) -> Level:
    found = GAME.cheat(level)
    assert found is not None
    return found


def after_one_click(code: str) -> State:
    puzzle = Drops(parse_board(code))
    return puzzle.apply(puzzle.initial(), 0)


@st.composite
def flash_levels(draw: st.DrawFn, side: int = 6) -> Level:
    return Level(
        draw(rows(side)),
        rules=draw(st.sampled_from(RULES)),
        drops=draw(st.none() | st.integers(0, 30)),
        open=draw(st.booleans()),
        flash=Flash(draw(st.integers(0, 2**53 - 1)), draw(st.integers(1, 99))),
    )


@pytest.mark.parametrize(
    ("row", "bursts"), [("4001", 1), ("4401", 2), ("4441", 3), ("44441", 4), ("44444441", 7)]
)
def test_every_third_burst_of_a_chain_gives_a_drop(row: str, bursts: int) -> None:
    assert after_one_click(f"{row},flash=1.1").left == TANK - 1 + bursts // 3
    assert after_one_click(f"{row},drops=5").left == 4, "but not in a game with a budget"


def test_what_is_over_three_is_lost_with_the_next_click() -> None:
    """Two chains of two bursts each give nothing; one of four gives one."""
    puzzle = Drops(parse_board("4400/0000/0044,flash=1.1"))
    two = puzzle.apply(puzzle.initial(), 0)
    assert two.left == TANK - 1
    four = puzzle.apply(two, 10)
    assert puzzle.is_goal(four)
    assert four.left == TANK - 2 + 1, "the one is for clearing the board"


def test_clearing_the_board_gives_a_drop_and_pays_even_for_the_last_click() -> None:
    assert after_one_click("4,flash=1.1,drops=1") == State(bytes([0]), 1)
    assert after_one_click("444,flash=1.1,drops=1") == State(bytes(3), 2)
    assert after_one_click("4,drops=1").left == 0


def test_the_game_is_lost_when_the_tank_is_empty() -> None:
    puzzle = Drops(parse_board("1,flash=1.1,drops=1"))
    over = puzzle.apply(puzzle.initial(), 0)
    assert (over.left, puzzle.observe(over).status) == (0, "lost")
    assert puzzle.legal_actions(over) == []
    with pytest.raises(IllegalAction, match="no drop is left"):
        puzzle.apply(over, 0)


@given(flash_levels(), SEEDS)
def test_the_tank_follows_the_words_of_the_rule_and_is_never_negative(level: Level, seed: int) -> None:
    puzzle = Drops(level)
    tank = TANK if level.drops is None else level.drops
    assert puzzle.initial().left == tank
    for state, cell in clicks(puzzle, seed):
        after = puzzle.apply(state, cell)
        assert (state.left, after.left) != (0, None)
        bursts = len([place for frame in puzzle.trace(state, cell) for place in frame.burst])
        tank = tank - 1 + bursts // 3 + (1 if puzzle.is_goal(after) else 0)
        assert after.left == tank >= 0


@given(flash_levels(), st.integers(0, 99))
def test_the_next_board_follows_from_the_series_alone(level: Level, left: int) -> None:
    won = State(bytes(len(level.cells)), left)
    following = following_of(level, won)
    assert following == GAME.follow(level, won)
    assert (following.rows, following.columns) == (level.rows, level.columns)
    assert (following.rules, following.open, following.drops) == (level.rules, level.open, left)
    assert level.flash is not None
    assert following.flash == Flash(level.flash.series, level.flash.round + 1)
    other = following_of(level, won._replace(left=left + 1))
    assert other.board == following.board, "the tank does not choose the board"
    assert parse_board(GAME.format_board(following)) == following


def test_a_series_goes_through_different_boards_and_differs_from_others() -> None:
    def series(seed: int) -> list[tuple[str, ...]]:
        level = finish(generate(Params(mode="flash"), seed))
        boards = [level.board]
        for _ in range(20):
            level = following_of(level, State(bytes(36), 5))
            boards.append(level.board)
        return boards

    assert len(set(series(1))) == 21
    assert series(1) == series(1)
    assert not set(series(1)) & set(series(2))


def test_the_second_board_of_a_series_by_example() -> None:
    """The same on every platform and in every later version: a saved game must go on as it would have."""
    first = parse_board("103/021,rules=half,flash=7.1")
    following = following_of(first, State(bytes(6), 12))
    assert GAME.format_board(following) == "044/142,rules=half,drops=12,flash=7.2"


def test_the_last_round_has_no_next_board() -> None:
    last = Level(("4",), flash=Flash(1, MAX_ROUND))
    assert GAME.follow(last, State(bytes(1), 3)) is None
    before = Level(("4",), flash=Flash(1, MAX_ROUND - 1))
    assert following_of(before, State(bytes(1), 3)).flash == last.flash


def test_a_full_tank_stays_a_level() -> None:
    level = Level(("444",), drops=MAX_DROPS, flash=Flash(1))
    puzzle = Drops(level)
    won = puzzle.apply(puzzle.initial(), 0)
    following = following_of(level, won)
    assert parse_board(GAME.format_board(following)) == following


def test_games_with_a_budget_end() -> None:
    assert GAME.follow(Level(("4",), drops=3), State(bytes(1), 2)) is None


@given(flash_levels() | st.builds(Level, rows(), drops=st.integers(0, 20)), SEEDS)
def test_the_cheat_keeps_every_click_of_the_game_legal(level: Level, seed: int) -> None:
    easier = easier_than(level)
    puzzle, helped = Drops(level), Drops(easier)
    start, more = puzzle.initial(), helped.initial()
    assert start.left is not None
    assert more == State(start.cells, start.left + TANK)
    assert easier.board == level.board
    for state, cell in clicks(puzzle, seed):
        after, more = puzzle.apply(state, cell), helped.apply(more, cell)
        assert after.left is not None
        assert more == State(after.cells, after.left + TANK)


def test_the_cheat_knows_its_limits() -> None:
    assert GAME.cheat(Level(("4",))) is None, "without a budget there is nothing to give"
    assert easier_than(Level(("4",), drops=MAX_DROPS - 3)).drops == MAX_DROPS
    cheated = easier_than(Level(("4",), flash=Flash(1)))
    assert content_id(GAME, cheated) != content_id(GAME, Level(("4",), flash=Flash(1)))


@given(flash_levels(), SEEDS)
def test_undo_gives_the_tank_back(level: Level, seed: int) -> None:
    session = Session(NamedLevel(GAME, level, "x"))
    game = clicks(session.puzzle, seed)  # pyright: ignore[reportArgumentType]
    for state, cell in game:
        assert session.state == state
        session.act(cell)
    loaded = Session.load(session.save())
    assert (loaded.states, loaded.level) == (session.states, level)
    for state, _ in reversed(game):
        session.undo()
        assert session.state == state
    assert session.state == Drops(level).initial()
