"""Levels of 2048: the notation, the schema, what is refused; levels that are made."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.contract.core import LevelError, finish
from winnable.games.game2048.levels.generator import Params, generate
from winnable.games.game2048.levels.text import format_board, parse_board, render
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Seeded2048


@st.composite
def levels(pick: st.DrawFn) -> Level:
    params = Params(
        rows=pick(st.integers(2, 8)),
        columns=pick(st.integers(2, 8)),
        fours=pick(st.integers(0, 100)),
        goal=pick(st.sampled_from([0, 3, 11, 35])),
        moves=pick(st.integers(0, 60)),
    )
    return finish(generate(params, pick(st.integers(0, 2**53 - 1))))


@given(levels())
def test_the_notation_reads_what_it_writes(level: Level) -> None:
    bare = msgspec.structs.replace(level, provenance=None)
    assert parse_board(format_board(level)) == bare
    assert msgspec.json.decode(msgspec.json.encode(level), type=Level) == level


@given(levels())
def test_a_level_that_is_made_can_be_played(level: Level) -> None:
    puzzle = Seeded2048(level)
    state = puzzle.initial()
    assert puzzle.legal_actions(state)
    assert str(state.score) in render(puzzle, state)


def test_moves_are_made_before_the_level_begins() -> None:
    level = finish(generate(Params(rows=3, columns=3, moves=10), 5))
    assert 22 <= sum(map(sum, level.board)) <= 48
    assert finish(generate(Params(rows=2, columns=2, moves=2000), 5)).board


def test_sixteen_signs_are_a_board_of_four_by_four() -> None:
    level = parse_board("1230000000010000")
    assert level.board == ((2, 4, 8, 0), (0, 0, 0, 0), (0, 0, 0, 2), (0, 0, 0, 0))
    assert parse_board("AF00/0000/0000/0000").board[0] == (1024, 32768, 0, 0)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", "board[0]: an empty row"),
        ("12/", "board[1]: an empty row"),
        ("12/3", "board[1]: 1 cell, but the board has 2 columns"),
        ("1!/00", "board[0]: '!' at column 2 is no exponent"),
        ("1", "board: 1 row, not 2 to 8"),
        ("111111111/000000000", "board: 9 columns, not 2 to 8"),
        ("12/21", "board: no tile can move"),
        ("00/00", "board: no tile;"),
        ("12/30,goal=8,ends", "board: the goal, 8, is reached already"),
        ("-,goal=9", "goal: 9 is not a power of two from 8 on"),
        ("-,goal=4", "goal: '4' is not a whole number from 8"),
        ("-,ends", "ends: there is no goal"),
        ("-,rows=9", "rows: '9' is not a whole number from 2 to 8"),
        ("-,rows=3,rows=3", "board: rows is given twice"),
        ("-,fours=101", "fours: '101' is not a whole number from 0 to 100"),
        ("-,colour=1", "board: 'colour=1' is none of ends, rows=N"),
        ("12/00,rows=3", "board: 2 rows, but the level has 3"),
    ],
)
def test_refused(text: str, names: str) -> None:
    with pytest.raises(LevelError) as refusal:
        parse_board(text)
    assert names in str(refusal.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rows", 1),
        ("columns", 9),
        ("fours", -1),
        ("goal", 2**36),
        ("board", [[3, 0], [0, 0]]),
        ("board", [[2**36, 0], [0, 0]]),
        ("board", [[True, 0], [0, 0]]),
        ("size", 4),
    ],
)
def test_refused_in_files(field: str, value: object) -> None:
    level = {"format": "winnable.2048/1", "rows": 2, "columns": 2, field: value}
    with pytest.raises(msgspec.ValidationError, match=field):
        msgspec.json.decode(msgspec.json.encode(level), type=Level)


def test_refused_parameters() -> None:
    with pytest.raises(LevelError, match="goal: 2 is neither 0 nor 3"):
        finish(generate(Params(goal=2), 1))
    with pytest.raises(LevelError, match=r"seed: from 0 to .*, not -1"):
        finish(generate(Params(), -1))
