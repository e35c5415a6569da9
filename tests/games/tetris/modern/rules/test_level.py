"""Levels and handling: what is refused, and that the field is named."""

from typing import Any

import msgspec
import pytest

from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import LevelError
from winnable.games.tetris.modern.rules.level import Handling, Level
from winnable.games.tetris.modern.rules.puzzle import Modern
from winnable.levels.files import decode


def read(fields: dict[str, Any]) -> Level:
    return decode(msgspec.json.encode({"format": "winnable.modern/1", **fields}), Level)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mode": "versus"}, "mode"),
        ({"rules": "nes"}, "rules"),
        ({"lines": 0}, "lines"),
        ({"lines": 10_001}, "lines"),
        ({"lines": 10, "mode": "zen"}, "lines: only a sprint"),
        ({"start_level": 0}, "start_level"),
        ({"start_level": 21}, "start_level"),
        ({"start_level": 16, "mode": "marathon"}, "start_level: 16, but a marathon"),
        ({"dice": -1}, "dice"),
        ({"dice": MAX_SEED + 1}, "dice"),
        ({"dice": 1.5}, "dice"),
        ({"board": ["X" * 10]}, r"board\[0\]: the row is full"),
        ({"board": ["X" * 9]}, "board"),
        ({"board": ["x" * 10]}, "board"),
        ({"board": ["." * 10] * 21}, "board"),
        ({"rules": "article", "mode": "zen"}, "mode: under the rules 'article'"),
        ({"rules": "article", "mode": "marathon"}, "mode: under the rules 'article'"),
        ({"rules": "article", "start_level": 2}, "start_level: under the rules 'article'"),
        ({"rules": "article", "board": ["." * 10] * 18}, "board: 18 rows"),
        ({"wall": []}, "wall"),
    ],
)
def test_bad_levels_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(LevelError, match=message):
        read(fields)


@pytest.mark.parametrize(
    "fields",
    [
        *({"das": 0}, {"das": 61}, {"arr": -1}, {"arr": 61}),
        *({"soft": 0}, {"soft": 101}, {"soft": "slow"}, {"dcd": 1}),
    ],
)
def test_bad_handling_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(LevelError, match=next(iter(fields))):
        decode(msgspec.json.encode(fields), Handling)


def test_levels_round_trip_and_leave_out_what_is_usual() -> None:
    level = Level(mode="marathon", start_level=3, board=("X.........",), dice=9)
    assert decode(msgspec.json.encode(level), Level) == level
    assert msgspec.json.encode(Level()) == b'{"format":"winnable.modern/1"}'


def test_goals() -> None:
    assert (Level().goal, Level(lines=100).goal, Level(mode="marathon").goal) == (40, 100, 150)
    assert Level(mode="zen").goal is None
    assert Level(mode="endless").goal is None


@pytest.mark.parametrize("rules", ["guideline", "article"])
def test_every_board_that_is_accepted_can_be_played(rules: str) -> None:
    height = 20 if rules == "guideline" else 17
    level = read({"rules": rules, "mode": "endless", "board": ["XXXXXXXXX."] * height})
    puzzle = Modern(level)
    assert puzzle.initial().status == "playing"
    assert len(puzzle.observe(puzzle.initial()).cells) == 4
    assert Level(board=("..........", "X.........")).rows == ("X.........",)
