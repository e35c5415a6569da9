"""Files of both contests. Real ones are read where they are at hand."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.games.rotate.boards import REAL
from winnable.contract.core import LevelError, finish
from winnable.games.rotate.levels.files import read_procon20, read_procon36, write_procon20, write_procon36
from winnable.games.rotate.levels.generator import Params, generate
from winnable.games.rotate.levels.text import parse_board
from winnable.games.rotate.rules.level import Level
from winnable.levels.files import encode_level, read_level


def match(entities: Any, size: Any = 2, **others: Any) -> bytes:
    return json.dumps({"problem": {"field": {"size": size, "entities": entities}}, **others}).encode()


@pytest.mark.parametrize(
    "rows",
    [
        "1 2 3\n2 3 1\n3 1 2",
        "1,2,3\n2, 3, 1\n3;1;2",
        "123\r\n231\r\n312\r\n",
        "\n 1\t2 3 \n\n2 3 1\n3 1 2\n\n",
    ],
)
def test_whatever_parts_the_colours(rows: str) -> None:
    assert read_procon20(f"3 3\n{rows}".encode(), 0) == parse_board("123/231/312")


@settings(max_examples=25)
@given(st.integers(2, 9), st.integers(2, 6), st.integers(0, 2**53 - 1))
def test_levels_are_read_back(side: int, colours: int, seed: int) -> None:
    level = replace(
        finish(generate(Params(rows=side, columns=side, colours=min(colours, side)), seed)), provenance=None
    )
    assert read_procon20(write_procon20(level), 0) == level
    assert read_level(write_procon20(level)).level == level
    if side % 2 == 0:
        pairs = replace(
            finish(generate(Params(rows=side, columns=side, rules="pairs"), seed)), provenance=None
        )
        assert read_procon36(write_procon36(pairs), 0) == pairs
        assert read_level(write_procon36(pairs)).level == pairs


def test_a_byte_order_mark_and_other_fields_are_skipped() -> None:
    content = b"\xef\xbb\xbf" + match([[0, 1], [1, 0]], startsAt=1743489020, teams=["a"])
    assert replace(read_procon36(content, 0), provenance=None) == parse_board("01/10,rules=pairs")


def test_a_match_keeps_when_it_starts() -> None:
    content = match([[0, 1], [1, 0]], startsAt=1743489020)
    kept = read_level(encode_level(read_level(content).level)).level
    assert json.loads(write_procon36(kept)) == json.loads(content)


@pytest.mark.skipif(not REAL, reason="no real files at hand")
def test_real_files() -> None:
    for path in REAL:
        content = path.read_bytes()
        level = read_level(content).level
        assert isinstance(level, Level)
        assert level.rules == "pairs"
        assert level.rows == level.columns == json.loads(content)["problem"]["field"]["size"]
        assert [list(row) for row in level.board] == json.loads(content)["problem"]["field"]["entities"]
        assert read_procon36(write_procon36(level), 0) == level


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "line 1: 0 words"),
        (b"\n2 2 2\n12\n21", "line 2: 3 words"),
        (b"1 2\n1", "line 1: size: '1' is not a whole number from 2 to 64"),
        (b"65 2\n1", "line 1: size: '65'"),
        (b"2 x\n12\n21", "line 1: colours: 'x'"),
        (b"2 27\n12\n21", "line 1: colours: '27'"),
        (b"2 2\n12", "line 1: size: 2, but 1 row follows"),
        (b"2 2\n12\n21\n12", "but 3 rows follow"),
        (b"2 2\n1 2\n1 2 1", "line 3: 3 cells, but the size is 2"),
        (b"2 2\n1 2\n\n1 -2", "line 4: column 2: '-2'"),
        (b"2 2\n1 2\n1 99999", "line 3: column 2: '99999'"),
        (b"2 2\n12\n1?", "line 3: '\\?' at column 2"),
        (b"2 3\n12\n12", "line 1: colours: 3, but the rows hold 2"),
        (b"2 2\n11\n11", "one colour only"),
        (b"2 2\n1\xff", "not UTF-8 at byte 5"),
        (b"2 2\n" + b" " * 2**20, "1048580 bytes"),
    ],
)
def test_bad_text_is_refused_by_line(content: bytes, error: str) -> None:
    with pytest.raises(LevelError, match=error):
        read_procon20(content, 0)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "file"),
        (b"{}", "problem"),
        (b"[" * 100_000, "nested too deeply|file"),
        (match([[0, 1], [1, 0]], 3), r"problem.field.entities: 2 rows, but the size is 3"),
        (match([[0, 1], [1, 0, 1]]), r"problem.field.entities\[1\]: 3 cells"),
        (match([[0, 1], [1, "a"]]), r"problem.field.entities\[1\]\[1\]|entities"),
        (match([[0, 1], [1, -1]]), "entities"),
        (match([[0, 1], [1, 0]], 99), r"problem.field.size"),
        (match([[0, 1], [1, 1]]), "label 0 is there 1 time,"),
        (match([[0, 0], [0, 0]]), "one colour only"),
    ],
)
def test_bad_matches_are_refused_by_field(content: bytes, error: str) -> None:
    with pytest.raises(LevelError, match=error):
        read_procon36(content, 0)


@pytest.mark.parametrize(
    ("code", "error"),
    [("12/21,rules=pairs", "rules"), ("123/321", "3 × 2"), ("12/21,turns=3", "turns")],
)
def test_what_the_text_cannot_say_is_refused(code: str, error: str) -> None:
    with pytest.raises(LevelError, match=error):
        write_procon20(parse_board(code))


@pytest.mark.parametrize(
    ("code", "error"),
    [("12/21", "rules"), ("121/332,rules=pairs", "3 × 2"), ("12/21,rules=pairs,turns=3", "turns")],
)
def test_what_a_match_cannot_say_is_refused(code: str, error: str) -> None:
    with pytest.raises(LevelError, match=error):
        write_procon36(parse_board(code))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"no level\n", r"not JSON: .*; nor is it any of .*procon20, procon36"),
        (b"4 3\n0 1 2 0\n", "line 1: size: 4, but 1 row follows"),
        (b'{"problem": {"field": {"size": 1}}}', r"file: problem\.field"),
    ],
)
def test_what_it_is_meant_as_says_what_is_wrong(content: bytes, complaint: str) -> None:
    with pytest.raises(LevelError, match=complaint) as caught:
        read_level(content)
    assert ("procon" in str(caught.value)) == ("nor is it" in str(caught.value))
