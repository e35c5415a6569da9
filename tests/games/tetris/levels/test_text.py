"""Levels as one line of text, bad ones included, and pictures."""

import xml.etree.ElementTree as ET
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.contract.core import LevelError
from winnable.games.tetris.levels.generator import Params, generate
from winnable.games.tetris.levels.svg import svg
from winnable.games.tetris.levels.text import format_board, parse_board, render
from winnable.games.tetris.rules.level import Level, RuleName
from winnable.games.tetris.rules.puzzle import SeededTetris


@st.composite
def levels(draw: st.DrawFn) -> Level:
    width, height = draw(st.integers(4, 16)), draw(st.integers(6, 40))
    rules = draw(st.sampled_from(get_args(RuleName)))
    top = draw(st.none() | st.integers(1, height - 2)) if rules == "article" else None
    room = height if rules != "article" else height - 2 if top is None else top
    row = st.text(".x", min_size=width, max_size=width).filter(lambda row: "." in row)
    wall = draw(st.lists(row, max_size=room).filter(lambda rows: not rows or "x" in rows[0]))
    dice, preview = draw(st.integers(0, 2**53 - 1)), draw(st.booleans())
    return Level(width, height, rules, preview, top, tuple(wall), dice)


@given(levels())
def test_the_notation_round_trips_and_pictures_can_be_drawn(level: Level) -> None:
    assert parse_board(format_board(level)) == level
    puzzle = SeededTetris(level)
    state = puzzle.initial()
    assert ET.fromstring(svg(puzzle, state)).tag.endswith("svg")
    assert "Lines: 0" in render(puzzle, state)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "board[0]: an empty row"),
        ("..o.", "'o' at column 3"),
        ("....x/...x", "board"),
        ("xx/..", "2 columns"),
        ("/".join(["x..."] * 50), "rows"),
        ("x" * 10, "wall[0]: the row is full"),
        (".........", "topmost row given is empty"),
        ("-,width=3", "width: '3' is not a whole number from 4 to 16"),
        ("-,height=1000", "height"),
        ("-,height=-1", "height"),
        ("-,dice=-1", "dice"),
        ("-,dice=1e9", "dice"),
        ("-,rules=classic", "rules: 'classic' is none of simplified, travel, article"),
        ("-,top=5", "top: there is none under the rules"),
        ("-,rules=article,height=10,top=9", "top: 9 is above"),
        ("-,preview=1", "none of rules=NAME"),
        ("-,dice=1,dice=2", "dice is given twice"),
        ("x...,width=5", "wall[0]: 4 cells, but the board has 5 columns"),
        ("/".join(["x..."] * 9) + ",height=8", "only 8 have room"),
        ("x" * 1_000_000, "columns"),
    ],
)
def test_a_bad_board_gets_one_clear_error(text: str, complaint: str) -> None:
    with pytest.raises(LevelError) as caught:
        parse_board(text)
    assert complaint in str(caught.value)
    assert len(str(caught.value)) < 200


def test_garbage_is_dealt_with_one_gap_in_each_row() -> None:
    level = generate(Params(width=8, garbage=6), 3)
    assert [row.count(".") for row in level.wall] == [1] * 6
    with pytest.raises(LevelError, match="rows"):
        generate(Params(height=10, garbage=11), 3)
