"""The share code round-trips and names what is wrong; the pictures show what a player sees."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.drops.boards import rows, rule_names
from winnable.contract.core import LevelError
from winnable.games.drops.levels.svg import svg
from winnable.games.drops.levels.text import facts, format_board, parse_board, render
from winnable.games.drops.rules.level import MAX_DROPS, MAX_ROUND, Flash, Level
from winnable.games.drops.rules.puzzle import Drops, State

any_level = st.builds(
    Level,
    rows(32),
    rules=rule_names,
    drops=st.none() | st.integers(0, MAX_DROPS),
    open=st.booleans(),
    flash=st.none() | st.builds(Flash, st.integers(0, 2**53 - 1), st.integers(1, MAX_ROUND)),
)


@given(any_level)
def test_round_trip(level: Level) -> None:
    text = format_board(level)
    assert parse_board(text) == level
    assert parse_board(f"\n {text} \n") == level
    assert re.fullmatch(r"[0-4/]+[0-9a-z.,=]*", text), "nothing that a shell or a URL would want quoted"


def test_notation_by_example() -> None:
    level = Level(("0122", "0400"), rules="snappers", drops=5, open=True, flash=Flash(3, 4))
    assert format_board(level) == "0122/0400,rules=snappers,drops=5,open,flash=3.4"
    assert parse_board("0122/0400 , flash = 3.4,open, drops=5 ,rules=snappers") == level
    assert format_board(Level(("4",))) == "4", "what is the default is left out"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", r"board\[0\]: an empty row"),
        ("/", r"board\[0\]: an empty row"),
        ("44/", r"board\[1\]: an empty row"),
        ("44//44", r"board\[1\]: an empty row"),
        ("4a", r"board\[0\]: 'a' at column 2"),
        ("44/45", r"board\[1\]: '5' at column 2"),
        ("49", r"'9' at column 2"),
        ("4-4", r"'-' at column 2"),
        ("4 4", r"' ' at column 2"),
        ("4\n4", r"board\[0\]: '\\n' at column 2"),
        ("٤٤", r"'٤' at column 1"),
        ("4４", r"'４' at column 2"),
        ("4²", r"'²' at column 2"),
        ("44/4", r"board\[1\]: 1 cell, but the first row has 2"),
        ("00/00", "board: every cell is empty"),
        ("/".join(["4"] * 33), "board: 33 rows, over 32 allowed"),
        ("4" * 33, r"board\[0\]: 33 cells, over 32 allowed"),
        ("/".join(["4" * 1000] * 1000), "board: larger than 32 × 32"),
        ("44,drops=-1", "drops: '-1'"),
        ("44,drops=1000000000", "drops: '1000000000'"),
        ("44,drops=1e9", "drops: '1e9'"),
        ("44,drops=nan", "drops: 'nan'"),
        ("44,drops=²", "drops: '²'"),
        ("44,drops=４", "drops: '４'"),
        ("44,drops=", "drops: ''"),
        ("44,drops=" + "9" * 5000, "drops: '9{40}'"),
        ("44,drops=1,drops=2", "drops is given twice"),
        ("44,rules=mine", "rules: 'mine' is none of classic, snappers, symmetric, half"),
        ("44,rules", "'rules' is none of"),
        ("44,open=1", "'open=1' is none of"),
        ("44,open,open", "open is given twice"),
        ("44,colour=red", "'colour=red' is none of"),
        ("44,", "'' is none of"),
        ("44,flash=1", "flash: '1' is not SERIES.ROUND"),
        ("44,flash=1.0", "flash: '1.0'"),
        ("44,flash=1.1000001", "flash: '1.1000001'"),
        ("44,flash=-1.1", "flash: '-1.1'"),
        ("44,flash=9007199254740992.1", "flash: '9007199254740992.1'"),
        ("44,flash=4.４", "flash: '4.４'"),
        ("44,flash=1.1\n2", "flash: "),
    ],
)
def test_bad_notation_names_the_place(text: str, complaint: str) -> None:
    with pytest.raises(LevelError, match=complaint) as caught:
        parse_board(text)
    assert len(str(caught.value)) < 200


@given(st.text(alphabet="01234567/,=.drops rulehalfnci\n-４", max_size=40))
def test_any_text_gives_a_level_or_a_level_error(text: str) -> None:
    try:
        level = parse_board(text)
    except LevelError:
        return
    assert parse_board(format_board(level)) == level


def test_facts() -> None:
    assert facts(parse_board("0401/2000")) == {
        "rows": 2,
        "columns": 4,
        "rules": "classic",
        "cells with drops": 3,
        "units of water": 7,
        "water per cell": "0.88",
        "units lacking": 8,
    }


def test_picture_by_example() -> None:
    puzzle = Drops(parse_board("0401/2030,drops=5"))
    assert render(puzzle, puzzle.initial()).splitlines() == [
        "  1 2 3 4  x",
        "1 · 4 · 1",
        "2 2 · 3 ·",
        "y",
        "Drops left: 5",
    ]
    flash = Drops(parse_board("04,flash=1.1"))
    assert render(flash, flash.initial()).splitlines()[-1] == "In the tank: 10"
    unlimited = Drops(parse_board("04"))
    assert "left" not in render(unlimited, unlimited.initial())


@given(rows(32))
def test_every_cell_stands_below_its_number(board: tuple[str, ...]) -> None:
    puzzle = Drops(Level(board))
    head, *lines = render(puzzle, puzzle.initial()).splitlines()
    for x in range(len(board[0])):
        end = head.index(f" {x + 1} ") + len(f" {x + 1}")
        for y, row in enumerate(board):
            assert lines[y][end - 1] == ("·" if row[x] == "0" else row[x])
            assert lines[y].split()[0] == str(y + 1)


@given(rows(10))
def test_the_svg_shows_one_circle_for_each_cell_with_drops(board: tuple[str, ...]) -> None:
    puzzle = Drops(Level(board))
    picture = svg(puzzle, puzzle.initial())
    digits = [digit for digit in "".join(board) if digit != "0"]
    assert re.findall(r">(\d)</text>", picture) == digits
    assert picture.count("<circle") == len(digits)
    radii = dict(zip(digits, map(float, re.findall(r' r="([0-9.]+)"', picture)), strict=True))
    assert [radii[digit] for digit in sorted(radii)] == sorted(set(radii.values()))
    assert svg(puzzle, State(bytes(puzzle.num_actions), None)).count("<circle") == 0
