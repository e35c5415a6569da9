"""The one-line notation round-trips and names what is wrong; the picture shows what a player sees."""

import random
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.contract.core import LevelError, finish
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.levels.text import SYMBOLS, facts, format_board, parse_board, render
from winnable.games.triple.rules.level import MAX_TILES, Level, Tile, Tools
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.rules.tools import TripleWithTools

SMALL = "7:0@0.0,0@8.0,1@16.0/1@4.4,1@12.4/0@8.8h"


@st.composite
def levels(draw: st.DrawFn) -> Level:
    """Any tiles in any order: cells that cannot overlap, shifted by layer."""
    cells = st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0, 1, 2, 3, 7, 99_999, 100_000]))
    places = draw(st.lists(cells, min_size=3, max_size=30, unique=True))
    places = places[: len(places) // 3 * 3]
    kinds = draw(st.permutations([index // 3 * 5 % 64 for index in range(len(places))]))
    tiles = tuple(
        Tile(kind, column * 8 + layer % 8, row * 8, layer, draw(st.booleans()))
        for kind, (column, row, layer) in zip(kinds, places, strict=True)
    )
    uses = st.integers(0, 1000)
    tools = draw(st.none() | st.builds(Tools, uses, uses, uses, st.integers(0, 2**53 - 1)))
    return Level(tiles=tiles, slots=draw(st.integers(1, 10_000)), tools=tools)


@given(levels())
def test_round_trip(level: Level) -> None:
    text = format_board(level)
    assert parse_board(text) == level
    assert re.fullmatch(r"[0-9a-z@.,/:=+]+", text), "nothing that a shell would want quoted"


def test_title_provenance_and_certificate_are_left_out() -> None:
    level = finish(generate(Params(layers=8, sets=3, method="backwards"), 3))
    again = parse_board(format_board(level))
    assert level.certificate is not None
    assert again.tiles == level.tiles
    assert (again.title, again.provenance, again.certificate) == ({}, None, None)


def test_notation_by_example() -> None:
    level = parse_board(f" {SMALL}\n")
    assert [tile.layer for tile in level.tiles] == [0, 0, 0, 1, 1, 2]
    assert level.tiles[5] == Tile(0, 8, 8, 2, hidden=True)
    assert format_board(level) == SMALL
    gaps = "3+tools=1.2.3.44:0@0.0/5=0@0.0/0@0.0/2=1@0.0,1@8.0/2=1@16.0"
    assert [tile.layer for tile in parse_board(gaps).tiles] == [0, 5, 6, 2, 2, 2]
    assert parse_board(gaps).tools == Tools(1, 2, 3, 44)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no ':'"),
        ("7", "no ':'"),
        ("x:0@0.0", "'x' is not SLOTS"),
        ("7+tools=1.1:0@0.0", "is not SLOTS"),
        ("0:0@0.0,0@8.0,0@16.0", "slots: from 1 to 10000, not 0"),
        ("7+tools=1.1001.1.0:0@0.0,0@8.0,0@16.0", r"tools.move_out: from .*, not 1001"),
        ("7:", r"tiles\[0\]: ''"),
        ("7:0@0.0,0@8.0", "at least 3"),
        ("7:0@0.0,0@8.0,", r"tiles\[2\]: ''"),
        ("7:0@0.0,0@8.0,0@-8.0", r"tiles\[2\]: '0@-8.0'"),
        ("7:0@0.0,0@8.0,0@16.0.3", r"tiles\[2\]"),
        ("7:0@0.0,0@8.0,٣@16.0", r"tiles\[2\]"),
        ("7:64@0.0,0@8.0,0@16.0", r"tiles\[0\].kind: from .*, not 64"),
        ("7:0@0.0,0@8.100001,0@16.0", r"tiles\[1\].y: from .*, not 100001"),
        ("7:0@0.0,0@8.0/100001=0@16.0", r"tiles\[2\].layer: from .*, not 100001"),
        ("7:0@0.0/100000=0@0.0/0@0.0", r"tiles\[2\].layer: from .*, not 100001"),
        ("7:0@0.0,0@7.0,0@16.0", r"tiles\[1\]: overlaps tiles\[0\]"),
        ("7:0@0.0,0@8.0,1@16.0", "kind 0 occurs 2 times"),
        ("7:" + "0@0.0," * MAX_TILES + "0@0.0", f"more than {MAX_TILES}"),
        ("7:" + "9" * 5000, r"tiles\[0\]"),
    ],
)
def test_bad_notation_names_the_place(text: str, complaint: str) -> None:
    with pytest.raises(LevelError, match=complaint) as caught:
        parse_board(text)
    assert len(str(caught.value)) < 200


@given(st.text(alphabet="0123456789@.,/:=+htols \n-", max_size=40))
def test_any_text_gives_a_level_or_a_level_error(text: str) -> None:
    try:
        level = parse_board(text)
    except LevelError:
        return
    assert parse_board(format_board(level)) == level


def test_picture_by_example() -> None:
    level = parse_board(SMALL)
    assert render(Triple(level), 0).splitlines() == [
        "+-------+-------+-------+",
        "|.A...A.|.A...A.|.B...B.|",
        "|...+-------+-------+...|",
        "|.A.|.B...B.|.B...B.|.B.|",
        "+---|...+-------+...|---+",
        "    |.B.|   A   |.B.|",
        "    +---|   5   |---+",
        "        |       |",
        "        +-------+",
        "Tray    [ ][ ][ ][ ][ ][ ][ ]  (7 in the tray lose)",
        "Status  playing; 6 left on the board, 1 open",
    ]


def test_every_open_tile_shows_its_number_and_symbol_and_fits_a_terminal() -> None:
    puzzle = Triple(finish(generate(Params(layers=12), 4)))
    state, rng = puzzle.initial(), random.Random(1)
    while legal := puzzle.legal_actions(state):
        picture = render(puzzle, state)
        assert max(map(len, picture.splitlines())) <= 100
        for tile in legal:
            assert re.search(rf"\|\s+{tile}\s+\|", picture), f"tile {tile} is open"
        assert f"{len(legal)} open" in picture
        state = puzzle.apply(state, rng.choice(list(legal)))
    assert "lost: the tray is full" in render(puzzle, state)


def test_hidden_faces_stay_hidden_and_strips_are_listed() -> None:
    stack = "7:0@0.0h,1@20.0/0@1.0h,1@21.0/0@2.0h,1@22.0"
    first = render(Triple(parse_board(stack)), 0)
    assert "Edges   1=B 3=B" in first, "tiles of which a strip shows, with a face that is known"
    assert "0=A" not in first
    assert "?" in render(Triple(parse_board("7:0@0.0h,0@16.0,0@24.0/1@4.0,1@16.8,1@32.0")), 0)


def test_tools_show_their_numbers_and_what_lies_aside() -> None:
    level = msgspec.structs.replace(parse_board(SMALL), tools=Tools(2, 1, 0))
    puzzle = TripleWithTools(level)
    state = puzzle.apply(puzzle.apply(puzzle.initial(), 5), puzzle.parse_action("move_out"))
    picture = render(puzzle, state)
    assert "Aside   5=A" in picture
    assert "Tools   6=undo (2 left) 7=move_out (0 left) 8=shuffle (0 left)" in picture


def test_a_board_that_is_too_large_is_listed() -> None:
    far = Level(
        tiles=tuple(Tile(0, 50_000 * index, 50_000 * index, 100_000) for index in range(3)), slots=9999
    )
    picture = render(Triple(far), 1)
    assert "too large to draw" in picture
    assert "Open    1=A 2=A" in picture
    assert "1 / 9999: A" in picture
    many = Level(tiles=tuple(Tile(0, 8 * index, 0, 0) for index in range(9999)))
    assert len(render(Triple(many), 0)) < 4000


def test_facts_and_symbols() -> None:
    assert facts(parse_board(SMALL)) == {"tiles": 6, "kinds": 2, "layers": 3, "slots": 7, "hidden": 1}
    assert len(set(SYMBOLS)) == 64
    assert not set(SYMBOLS) & set("?.|+- ")


def test_a_won_board_says_so() -> None:
    level = finish(GAME.generate(GAME.daily, 1))
    puzzle = Triple(level)
    state = puzzle.initial()
    assert level.certificate is not None
    for action in level.certificate.actions:
        state = puzzle.apply(state, action)
    assert "won: the board is empty" in render(puzzle, state)
