"""Fumens as games of these rules, and back."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.contract.abilities import Recording
from winnable.contract.core import LevelError
from winnable.games.tetris.game import GAME
from winnable.games.tetris.levels import fumen, fumen_games
from winnable.games.tetris.levels.fumen import Operation, Page, page_of
from winnable.games.tetris.levels.text import format_board, parse_board
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.puzzle import SeededTetris
from winnable.levels.files import read_played
from winnable.levels.find import parsed_board
from winnable.play.session import Session


def random_game(level: Level, seed: int, most: int = 30):
    puzzle, rng, actions = SeededTetris(level), random.Random(seed), list[int]()
    states = [puzzle.initial()]
    while (legal := puzzle.legal_actions(states[-1])) and len(actions) < most:
        actions.append(rng.choice(legal))
        states.append(puzzle.apply(states[-1], actions[-1]))
    return Recording(level, actions), states


@given(st.integers(0, 2**53 - 1), st.booleans(), st.integers(0, 9))
def test_a_game_is_itself_again(dice: int, preview: bool, seed: int) -> None:
    played, states = random_game(Level(dice=dice, preview=preview), seed)
    if states[-1].state.over:
        return  # a wall above the board is no wall of a level
    content = fumen_games.write_game(played)
    session = Session.read(content)
    assert (session.ply, session.actions) == (0, played.actions)
    assert [(s.state.wall, s.state.piece) for s in session.states] == [
        (s.state.wall, s.state.piece) for s in states
    ]
    assert fumen_games.write_game(Recording(session.level, session.actions)) == content
    assert parse_board(format_board(session.level)) == session.level
    there = Session.read(fumen_games.write_position(played))
    assert there.length == 0
    assert there.state.state == states[-1].state


def test_the_articles_game_is_written_though_these_rules_do_not_read_it_as_such() -> None:
    played, states = random_game(Level(rules="article", dice=3), 1, most=8)
    pages = fumen.decode(fumen_games.write_game(played).decode())
    assert len(pages) == len(played.actions) + 1
    filled = sum(row.count("x") for row in SeededTetris(played.level).observe(states[-1]).wall)
    assert sum(cell != "." for row in pages[-1].field for cell in row) == filled


def test_pages_that_do_not_follow_end_the_game_and_the_title_says_so() -> None:
    hole = page_of(["XXXX.XXXXX"], Operation("I", 1, 4, 2))
    elsewhere = page_of(["XX.......X"], Operation("O", 0, 4, 0), "here")
    text = fumen.encode([hole, elsewhere, Page(fumen.field_after(elsewhere))])
    session = Session.read(text.encode())
    assert session.length == 1
    assert session.level.title["en"] == "Fumen, pages 1 to 1 of 3"
    session = Session.read(f"https://fumen.zui.jp/?{text}#2".encode())
    assert session.level.wall == ("xx.......x",)
    assert (session.length, session.level.pieces) == (1, "O")


def test_a_piece_that_does_not_come_straight_down_is_the_next_one() -> None:
    under = page_of(["X.........", ".........."], Operation("O", 0, 0, 0))
    session = Session.read(fumen.encode([under]).encode())
    assert (session.length, session.level.pieces, session.level.title) == (0, "O", {})


def test_the_pieces_of_a_quiz_come() -> None:
    text = fumen.encode([page_of(["X........."], comment="#Q=[L](T)SZ;and more")])
    level = parsed_board(["tetris"], text).level
    assert (level.pieces, level.preview) == ("TSZ", True)
    session = Session.read(text.encode())
    assert session.puzzle.queue(session.state.state) == "TS"  # type: ignore[attr-defined]
    assert GAME.with_dice(level, 4).pieces == ""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("v105@vhAAgH", "fumen.version"),
        ("v115@", "fumen.page"),
        ("v115@vhAAgH#2", "fumen.page.none"),
        ("v115@vhAAgH#0", "fumen.page.none"),
        ("v115@%%", "fumen.digit"),
        (fumen.encode([page_of(["XXXXXXXXXX"])]), "row.full"),
    ],
)
def test_only_the_fumen_is_complained_of(text: str, code: str) -> None:
    with pytest.raises(LevelError) as caught:
        read_played(text.encode())
    assert caught.value.code == code


def test_boards_that_no_fumen_shows_are_refused() -> None:
    high = ("x.........",) * 24
    for level, code in ((Level(width=9), "fumen.width"), (Level(height=30, wall=high), "fumen.high")):
        with pytest.raises(LevelError) as caught:
            fumen_games.write_position(Recording(level))
        assert caught.value.code == code


def test_given_pieces_are_checked() -> None:
    for text in ("-,pieces=XQ", "-,rules=article,pieces=I"):
        with pytest.raises(LevelError):
            parse_board(text)
