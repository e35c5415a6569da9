"""Files as editors and shells of all systems leave them, and several levels in one file."""

import codecs
import json
from pathlib import Path

import pytest

from winnable.board import load
from winnable.contract.abilities import Format, Recording
from winnable.contract.core import LevelError, WinnableError, finish
from winnable.contract.registry import load_game
from winnable.games.rotate.game import RotateGame
from winnable.games.rotate.levels.files import read_procon20
from winnable.levels.files import (
    decode,
    encode_level,
    entries,
    has_fields,
    read_file,
    read_level,
    shipped_levels,
)
from winnable.levels.find import find_level, find_level_or_board, in_file
from winnable.play.session import Session
from winnable.sets import check
from winnable.tuning.tuned import at_hand

PUDDLE = next(level for name, level in shipped_levels(load_game("drops")) if name == "drops/05-puddle")
CODE = load_game("drops").format_board(PUDDLE)
LEVEL = encode_level(PUDDLE)
DRAWING = b"layer 0:\nx.x.x.\n......\n"
BOM = codecs.BOM_UTF8


def several(count: int) -> list[bytes]:
    game = load_game("drops")
    return [encode_level(finish(game.generate(game.daily, seed))) for seed in range(count)]


@pytest.mark.parametrize("before", [b"", BOM, BOM + b"\r\n"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize(
    "content",
    [
        LEVEL,
        json.dumps(json.loads(LEVEL), indent=2).encode(),
        b"0x1230000000010000\n",
        b"v115@vhAAgH\n",
        b"4 2\n0 1 0 1\n0 1 0 1\n1 0 1 0\n1 0 1 0\n",
        DRAWING,
    ],
)
def test_a_mark_and_other_ends_of_lines_mean_nothing(
    tmp_path: Path, content: bytes, newline: bytes, before: bytes
) -> None:
    plain, other = tmp_path / "plain", tmp_path / "other"
    written = before + content.replace(b"\n", newline)
    plain.write_bytes(content)
    other.write_bytes(written)
    assert load(other).id == load(plain).id
    assert find_level(str(other)) == read_level(written) == read_level(content)


def test_every_file_is_read_without_its_mark(tmp_path: Path) -> None:
    weights = {"format": "winnable.weights/1", "game": "tetris", "tunable": "t", "weights": {"a": 1.0}}
    path = tmp_path / "some.weights.json"
    path.write_bytes(BOM + json.dumps(weights).encode())
    assert read_file(path).startswith(b"{")
    assert at_hand(str(path)) is not None
    saved = tmp_path / "saved.json"
    load("drops/05-puddle").save(saved)
    assert Session.read(BOM + saved.read_bytes()).level == PUDDLE
    assert decode(BOM + b"[1]", list[int]) == [1]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_text_is_called_so(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "wide.json"
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}.get(encoding, b"")
    path.write_bytes(mark + LEVEL.decode().encode(encoding))
    with pytest.raises(LevelError, match=r"wide\.json: text in UTF-16 or UTF-32; save it as UTF-8"):
        load(path)
    with pytest.raises(LevelError, match="UTF-16"):
        decode(path.read_bytes(), dict)
    (row,) = check(path)
    assert "UTF-16" in (row.problem or "")


def test_lines_of_a_file_of_several(tmp_path: Path) -> None:
    levels = several(3)
    path = tmp_path / "levels.jsonl"
    path.write_bytes(BOM + b"\r\n\r\n".join(levels))
    assert [load(f"{path}{which}").code for which in ("", "#1", "#3", ":5")] == [
        load_game("drops").format_board(read_level(levels[at]).level) for at in (0, 0, 1, 2)
    ]
    with pytest.raises(LevelError, match="no level in line 2; levels in the file: 3"):
        load(f"{path}#2")
    assert [row.source for row in check(path)] == [f"{path}:{line}" for line in (1, 3, 5)]
    assert [row.source for row in check([f"{path}:3"])] == [f"{path}:3"]
    path.write_bytes(b"[" + b",\n".join(levels) + b"]")
    assert load(f"{path}#2").code == load_game("drops").format_board(read_level(levels[1]).level)
    assert [row.ok for row in check(path)] == [True] * 3


def test_what_is_one_level_on_many_lines_is_not_several() -> None:
    triple = load_game("triple")
    level = finish(triple.generate(triple.daily, 1))
    tiles = b",\n".join(json.dumps(tile).encode() for tile in json.loads(encode_level(level))["tiles"])
    text = b'{"format": "winnable.triple/1", "slots": 7, "tiles": [\n' + tiles + b"\n]}"
    assert len(entries(text)) == 1
    assert read_level(text).level.tiles == level.tiles
    assert entries(b"[1, 2]") == [(1, b"[1, 2]")]
    assert entries(b"") == [(1, b"")]


def test_a_damaged_line_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "levels.jsonl"
    path.write_bytes(LEVEL[:-7] + b"\n" + LEVEL + b"\n" + LEVEL)
    assert [row.ok for row in check(path)] == [False, True, True]
    with pytest.raises(LevelError, match=r"levels\.jsonl: not JSON"):
        load(path)


# -- what is no level ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "complaint"),
    [
        ("missing.json", r"^missing\.json: No such file or directory$"),
        ("there.jso", r"^there\.jso: No such file or directory; did you mean there\.json\?$"),
        ("drops/05-pudle", r"^level: drops ships no level '05-pudle'; did you mean drops/05-puddle\?$"),
        ("drops:05-puddle", r"'05-puddle'; did you mean drops/05-puddle\?$"),
        ("drops:05-pudle", r"'05-pudle'; did you mean drops/05-puddle\?$"),
        ("drops/05", r"did you mean drops/05-puddle\?$"),
        ("drops:dayly", r"^level: drops ships no level 'dayly'; did you mean drops:daily\?$"),
        ("2048/daily", r"^level: 2048 ships no level 'daily'; did you mean 2048:daily\?$"),
        ("drops/nothing-like-it", r"^level: drops ships no level 'nothing-like-it'$"),
        ("triple#5", r"write triple:#5 for the level of that seed$"),
        ("tripel", r"^level: unknown game 'tripel'; .*; did you mean triple\?$"),
        ("tripel#5", r"did you mean triple\?$"),
        ("drosp:daily", r"did you mean drops\?$"),
        ("triple:layrs=3#1", r"^layrs: triple has no such parameter; .*; did you mean layers\?$"),
        ("triple:layout=pagodda#1", r"did you mean pagoda\?$"),
        ("something", r"^level: 'something' is neither a file nor a game nor a level that ships"),
        ("", r"^level: '' is neither"),
        (None, r"^level: None is neither a path nor the name of a level$"),
        (5, r"^level: 5 is neither a path"),
        ([], r"^level: \[\] is neither a path"),
    ],
)
def test_each_mistake_has_a_sentence_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: object, complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.json").write_bytes(LEVEL)
    with pytest.raises(WinnableError, match=complaint):
        load(level)  # type: ignore[arg-type]
    (row,) = check([level])  # type: ignore[list-item]
    assert row.problem is not None
    if isinstance(level, str):
        with pytest.raises(WinnableError, match=complaint):
            find_level(level)


@pytest.mark.parametrize("board", [CODE, "0/" * 40, "1 2 3\n4 5 6", "x" * 3000])
def test_a_board_is_told_what_it_lacks_and_is_not_told_again(board: str) -> None:
    for find in (load, find_level, lambda text: finish(find_level_or_board(text, "", None))):  # type: ignore[arg-type]
        with pytest.raises(WinnableError, match="a board needs its game before it") as caught:
            find(board)
        assert board[:20] not in str(caught.value)
    assert load(f"drops:{CODE}").code == find_level(f"drops:{CODE}").game.format_board(PUDDLE) == CODE


def test_the_page_hears_the_same() -> None:
    for text, complaint in (
        ("drops/05-pudle", r"did you mean drops/05-puddle\?"),
        ("triple#5", "write triple:#5"),
        ("drops:05-pudle", r"did you mean drops/05-puddle\?"),
    ):
        with pytest.raises(WinnableError, match=complaint):
            finish(find_level_or_board(text, "drops", None))  # type: ignore[arg-type]
    with pytest.raises(LevelError, match=r"board\[0\]"):
        finish(find_level_or_board("4x", "drops", None))  # type: ignore[arg-type]


def test_a_number_means_a_line_only_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert in_file("triple:#1") is None
    assert find_level("triple:#1").id == "triple:#1"
    Path("odd#2").write_bytes(LEVEL)
    assert load("odd#2").code == load("odd#2#1").code == CODE


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (
            b"",
            r"not JSON: .*; nor is it any of sheep, layout, tiled, ldtk, fumen, fumen-game, procon20",
        ),
        (b"no level\n", "hex, hex-low, replay"),
        (b'{"board": []}', "no `format` field; nor is it any of sheep"),
        (b'{"format": "winnable.tripel/1", "tiles": []}', r"did you mean winnable\.triple/1\?$"),
        (b'{"format": "winnable.session/2"}', "'winnable.session/2' is no level that we know"),
        (LEVEL.replace(b'"board"', b'"bord"'), r"unknown field `bord`; did you mean board\?$"),
        (DRAWING.replace(b"x.x", b"x?x"), r"^line 2: "),
        (b'{"tiles": [[1, 0]]}', r"^file: tiles\[0\]"),
        (b"0x12g", "0x12g"),
    ],
)
def test_one_error_names_what_it_looks_like(content: bytes, complaint: str) -> None:
    with pytest.raises(LevelError, match=complaint) as caught:
        read_level(content)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


def test_a_drawing_is_dealt_by_the_seed() -> None:
    dealt = [read_level(DRAWING, seed) for seed in (1, 1, 2)]
    assert dealt[0] == dealt[1]
    assert {one.game.name for one in dealt} == {"triple"}
    assert dealt[0].level.provenance.seed == 1
    assert len(dealt[0].level.tiles) == 3


def test_a_format_that_cannot_tell_its_own_is_tried_last(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(content: bytes, seed: int) -> Recording:
        return Recording(read_procon20(content.removeprefix(b"!"), seed))

    monkeypatch.setattr(RotateGame, "formats", {"shy": Format("shy", "", read)})
    assert read_level(b"!2 2\n0 1\n1 0\n").game.name == "rotate"
    with pytest.raises(LevelError, match=r"nor is it any of .*shy"):
        read_level(b"!2 2\n0 1\n")


def test_fields_of_an_object() -> None:
    assert has_fields(b' {"a": [', ["a"]) is False
    assert has_fields(BOM + b'{"a": [1]}', ["b", "a"])
    assert not has_fields(b"[1]", ["a"])
