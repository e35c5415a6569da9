"""The schema of level files: what round-trips, and what is refused with the field's name."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.drops.boards import rows
from tests.games.drops.levels.test_text import any_level
from winnable.contract.core import LevelError
from winnable.games.drops.game import GAME
from winnable.games.drops.rules.level import Flash, Level
from winnable.levels.files import encode_level, read_level
from winnable.levels.identity import content_id


def file(**fields: Any) -> bytes:
    return msgspec.json.encode({"format": "winnable.drops/1", "board": ["44", "04"], **fields})


@given(any_level)
def test_files_round_trip(level: Level) -> None:
    named = read_level(encode_level(level))
    assert named.level == level
    assert named.game is GAME
    assert named.id == content_id(GAME, level)


@given(rows(32))
def test_cells_are_the_digits_row_by_row(board: tuple[str, ...]) -> None:
    level = Level(board)
    assert list(level.cells) == [int(digit) for row in board for digit in row]
    assert (level.rows, level.columns) == (len(board), len(board[0]))


def test_the_smallest_file() -> None:
    level = read_level(b'{"format":"winnable.drops/1","board":["4"]}').level
    assert level == Level(("4",), rules="classic", drops=None, open=False, flash=None)
    assert encode_level(level) == b'{"format":"winnable.drops/1","board":["4"]}'


def test_the_largest_board() -> None:
    assert len(read_level(file(board=["4" * 32] * 32)).level.cells) == 1024


def test_what_is_played_decides_the_id() -> None:
    level = Level(("44",))
    same = msgspec.structs.replace(level, title={"en": "Two"})
    assert content_id(GAME, same) == content_id(GAME, level)
    for other in (Level(("44",), rules="half"), Level(("44",), drops=3), Level(("44",), flash=Flash(1))):
        assert content_id(GAME, other) != content_id(GAME, level)


BAD_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"board": ["4a"]}, r"board\[0\]"),
    ({"board": ["44", "45"]}, r"board\[1\]"),
    ({"board": ["49"]}, r"board\[0\]"),
    ({"board": ["44\n"]}, r"board\[0\]"),
    ({"board": ["44", "44\n"]}, r"board\[1\]"),
    ({"board": ["\n44"]}, r"board\[0\]"),
    ({"board": ["４４"]}, r"board\[0\]"),
    ({"board": ["4²"]}, r"board\[0\]"),
    ({"board": ["٤"]}, r"board\[0\]"),
    ({"board": ["4\u0000"]}, r"board\[0\]"),
    ({"board": [""]}, r"board\[0\]"),
    ({"board": ["44", ""]}, r"board\[1\]"),
    ({"board": []}, r"board"),
    ({"board": ["44", "4"]}, r"board\[1\]: 1 cell,"),
    ({"board": ["00", "00"]}, "board: every cell is empty"),
    ({"board": ["4" * 33]}, r"board\[0\]"),
    ({"board": ["4"] * 33}, r"board"),
    ({"board": ["4" * 1000] * 1000}, r"board"),
    ({"board": "44"}, r"board"),
    ({"board": [44]}, r"board\[0\]"),
    ({"board": [["4"]]}, r"board\[0\]"),
    ({"board": None}, r"board"),
    ({"board": {"0": "44"}}, r"board"),
    ({"drops": -1}, r"drops"),
    ({"drops": 1_000_001}, r"drops"),
    ({"drops": 10**9}, r"drops"),
    ({"drops": 10**30}, r"drops"),
    ({"drops": 1.5}, r"drops"),
    ({"drops": "5"}, r"drops"),
    ({"drops": True}, r"drops"),
    ({"rules": "mine"}, r"rules"),
    ({"rules": 1}, r"rules"),
    ({"rules": None}, r"rules"),
    ({"open": 1}, r"open"),
    ({"open": "yes"}, r"open"),
    ({"flash": 7}, r"flash"),
    ({"flash": {}}, r"flash.*series"),
    ({"flash": {"series": -1}}, r"flash.series"),
    ({"flash": {"series": 2**53}}, r"flash.series"),
    ({"flash": {"series": 1, "round": 0}}, r"flash.round"),
    ({"flash": {"series": 1, "round": 1_000_001}}, r"flash.round"),
    ({"flash": {"series": 1, "level": 2}}, r"flash.*level"),
    ({"colour": "red"}, "colour"),
    ({"title": {"fr": "Trois"}}, r"title"),
    ({"certificate": {"status": "solved"}}, r"certificate"),
    ({"certificate": {"status": "won", "solver": "x", "version": "0", "actions": []}}, r"certificate"),
    ({"provenance": 3}, r"provenance"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "complaint"), BAD_FIELDS, ids=str)
def test_a_bad_field_is_named(fields: dict[str, Any], complaint: str) -> None:
    with pytest.raises(LevelError, match=complaint) as caught:
        read_level(file(**fields))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "content",
    [
        file().replace(b'["44","04"]', b"NaN"),
        file().replace(b'"board"', b'"drops":NaN,"board"'),
        file().replace(b'"board"', b'"drops":Infinity,"board"'),
        file().replace(b'"board"', b'"drops":1e999,"board"'),
        file()[:-1],
        file() + b"]",
        file().replace(b"04", b"0\xff"),
        file().replace(b'["44","04"]', b"[" * 100_000),
        file().replace(b'["44","04"]', b'{"a":' * 100_000),
        b'{"format":"winnable.drops/2","board":["4"]}',
        b'{"format":["winnable.drops/1"],"board":["4"]}',
        b'{"board":["4"]}',
        b'["44","04"]',
        b"",
    ],
)
def test_what_is_no_level_at_all_is_one_level_error(content: bytes) -> None:
    with pytest.raises(LevelError) as caught:
        read_level(content)
    assert len(str(caught.value)) < 400


@given(st.binary(max_size=60))
def test_any_bytes_in_the_place_of_a_row_give_a_level_or_a_level_error(garbage: bytes) -> None:
    try:
        level = read_level(b'{"format":"winnable.drops/1","board":["' + garbage + b'"]}').level
    except LevelError:
        return
    assert all(0 <= drops <= 4 for drops in level.cells)
