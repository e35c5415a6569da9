"""Boards in hexadecimal, and games as 2048verse and the tables' trainer keep them."""

import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.contract.abilities import Recording
from winnable.contract.core import LevelError
from winnable.games.game2048.game import GAME
from winnable.games.game2048.levels import hexadecimal, replays
from winnable.games.game2048.levels.text import format_board, parse_board
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import DOWN, LEFT, RIGHT, UP, Seeded2048
from winnable.levels.files import read_played
from winnable.levels.find import parsed_board
from winnable.play.session import Session

ROWS = (LEFT, RIGHT, UP, DOWN)


def random_game(level: Level, seed: int, most: int = 400) -> tuple[Recording, list[tuple[int, ...]]]:
    puzzle, rng, actions = Seeded2048(level), random.Random(seed), list[int]()
    states = [puzzle.initial()]
    while (legal := puzzle.legal_actions(states[-1])) and len(actions) < most:
        actions.append(rng.choice(legal))
        states.append(puzzle.apply(states[-1], actions[-1]))
    return Recording(level, actions), [state.state for state in states]


def as_later_text(boards: list[tuple[int, ...]], actions: list[int], columns: int) -> str:
    """As the site writes today, from its description: 21 bits for each tile."""
    puzzle = Seeded2048(Level(rows=len(boards[0]) // columns, columns=columns))
    tiles = [(UP, cell, exponent) for cell, exponent in enumerate(boards[0]) if exponent]
    for before, after, action in zip(boards, boards[1:], actions, strict=False):
        moved, _ = puzzle.game.afterstate(before, action)
        cell = next(cell for cell in range(len(after)) if moved[cell] != after[cell])
        tiles.append((action, cell, after[cell]))
    text = f"{len(boards[0]) // columns}x{columns}-someone_"
    for action, cell, exponent in tiles:
        number = (UP, DOWN, LEFT, RIGHT).index(action) | exponent - 1 << 2
        number |= cell % columns << 4 | cell // columns << 7
        text += "".join(replays.LATER_ALPHABET[number >> shift & 127] for shift in (14, 7, 0))
    return text


def as_records(boards: list[tuple[int, ...]], actions: list[int]) -> bytes:
    puzzle = Seeded2048(Level())
    content = b""
    for before, after, action in zip(boards, boards[1:], actions, strict=False):
        moved, _ = puzzle.game.afterstate(before, action)
        cell = next(cell for cell in range(16) if moved[cell] != after[cell])
        board = int("".join(f"{exponent:x}" for exponent in before), 16)
        change = ROWS.index(action) << 5 | cell << 1 | after[cell] - 1
        content += struct.pack("<QBIIII", board, change, 4_000_000_000, 1, 2, 3)
    return content + struct.pack("<QBIIII", 7, 88, 666666666, 233333333, 314159265, 987654321)


@given(st.integers(0, 2**53 - 1), st.integers(0, 9))
def test_a_replay_is_the_game_again(dice: int, seed: int) -> None:
    played, boards = random_game(Level(dice=dice), seed)
    content = replays.write(played)
    session = Session.read(content)
    assert (session.ply, session.actions) == (0, played.actions)
    assert [state.state for state in session.states] == boards
    assert replays.write(Recording(session.level, session.actions)) == content
    assert parse_board(format_board(session.level)) == session.level


@given(st.integers(0, 9), st.sampled_from([(2, 4), (3, 3), (3, 4), (4, 4), (5, 5)]))
def test_the_later_form_is_the_game_again(seed: int, size: tuple[int, int]) -> None:
    played, boards = random_game(Level(rows=size[0], columns=size[1], dice=seed), seed)
    session = Session.read(as_later_text(boards, [*played.actions], size[1]).encode())
    assert [state.state for state in session.states] == boards


def test_a_smaller_board_in_the_first_form() -> None:
    level = read_played(b"replay_3x4" + replays.ALPHABET[0].encode() + replays.ALPHABET[6].encode())[0].level
    assert level.board == ((2, 0, 0, 0), (0, 0, 0, 0), (0, 2, 0, 0))


def test_records_of_the_trainer_are_the_game_again_as_far_as_they_hang_together() -> None:
    played, boards = random_game(Level(dice=3), 1, most=60)
    actions = [*played.actions]
    session = Session.read(as_records(boards, actions))
    assert [state.state for state in session.states] == boards
    gap = as_records(boards, actions)
    session = Session.read(gap[: 25 * 9] + gap[25 * 11 :])
    assert session.length == 9
    assert session.states[-1].state == boards[9]


def test_a_recorded_board_of_three_by_three_stands_among_walls() -> None:
    board = int("100f000f020fffff", 16)
    record = struct.pack("<QBIIII", board, ROWS.index(LEFT) << 5 | 2 << 1, 0, 0, 0, 0)
    end = struct.pack("<QBIIII", 0, 88, 666666666, 233333333, 314159265, 987654321)
    session = Session.read(record + end)
    assert session.level.board == ((2, 0, 0), (0, 0, 0), (0, 4, 0))
    assert session.states[-1].state == (1, 0, 1, 0, 0, 0, 2, 0, 0)


def test_one_plays_on_from_any_frame() -> None:
    played, _ = random_game(Level(dice=11), 4)
    session = Session.read(replays.write(played))
    session.go_to_ply(20)
    other = next(a for a in session.puzzle.legal_actions(session.state) if a != session.actions[20])
    session.act(other)
    assert len(session.branches(20)) == 2
    again = Session.load(session.save())
    assert again.states == session.states


def test_where_the_cell_of_a_given_tile_is_filled_the_dice_decide() -> None:
    level = Level(board=((2, 2, 0, 0), *((0,) * 4,) * 3), given="0", dice=5)
    puzzle = Seeded2048(level)
    right = puzzle.apply(puzzle.initial(), RIGHT).state
    assert (right[0], right[3]) == (1, 2)
    left = puzzle.apply(puzzle.initial(), LEFT).state
    assert left[0] == 2
    bare = Seeded2048(Level(board=level.board, dice=5))
    assert left == bare.apply(bare.initial(), LEFT).state
    assert GAME.with_dice(level, 9).given == ""


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("replay_", "2048.replay.short"),
        ("replay_ ", "2048.replay.short"),
        ("replay_  ", "2048.replay.tile"),
        ("replay_ !\x01", "2048.replay.sign"),
        ("replay_ $ ", "2048.replay.move"),
        ("replay_3x3 #", "2048.replay.tile"),
        ("4x4-x_00", "2048.replay.thirds"),
        ("4x4-x_000008", "2048.replay.value"),
        ("4x4-x_000000", "2048.replay.tile"),
        ("0x", "2048.hex"),
        ("0x12345678901234567", "2048.hex"),
        ("0xg", "2048.hex"),
        ("0x0", "2048.no_tile"),
    ],
)
def test_what_is_refused_is_named(content: str, code: str) -> None:
    with pytest.raises(LevelError) as caught:
        read_played(content.encode())
    assert caught.value.code == code


def test_the_first_digit_is_the_upper_left_cell_or_the_last_one() -> None:
    level = hexadecimal.read(b"0x123400000000000f", 0).level
    assert (level.board[0], level.board[3][3]) == ((2, 4, 8, 16), 32768)
    low = hexadecimal.read(b"0x123400000000000f", 0, low=True).level
    assert low.board == tuple(row[::-1] for row in level.board[::-1])
    assert hexadecimal.write(Recording(level)) == b"0x123400000000000f"
    assert hexadecimal.write(Recording(level), low=True) == b"0xf000000000004321"
    assert parsed_board(["2048"], "0x123400000000000f").level == level
    link = b"https://2048verse.com/p/123400000000000f"
    assert read_played(link)[0].level == level


def test_what_other_programs_cannot_say_is_refused() -> None:
    big = Level(board=((65536, 0, 0, 0), *((0,) * 4,) * 3))
    for level, write, code in (
        (Level(rows=3, columns=3), hexadecimal.write, "2048.hex.size"),
        (big, hexadecimal.write, "2048.hex.tile"),
        (Level(rows=3, columns=3), replays.write, "2048.hex.size"),
        (big, replays.write, "2048.replay.start"),
    ):
        with pytest.raises(LevelError) as caught:
            write(Recording(level))
        assert caught.value.code == code


@pytest.mark.parametrize("text", ["1000,given=.", "1000,given=$", "1000/0000/0000/0000,given=g"])
def test_given_tiles_of_the_notation_are_checked(text: str) -> None:
    with pytest.raises(LevelError):
        parse_board(text)
