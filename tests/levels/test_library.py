"""Level files and identities beyond what every game's contract tests cover."""

import os
import stat
import time
from pathlib import Path

import pytest

from winnable.contract.core import LevelError, WinnableError
from winnable.levels.files import MAX_BYTES, read_file, read_level, write_file
from winnable.levels.find import find_level
from winnable.levels.identity import parse_identity

posix = pytest.mark.skipif(os.name != "posix", reason="a colon in a name")
LEVEL = b"""{"format":"winnable.triple/1","slots":4,"tiles":[
 {"kind":0,"x":0,"y":0,"layer":0},{"kind":0,"x":8,"y":0,"layer":0},{"kind":0,"x":16,"y":0,"layer":0},
 {"kind":1,"x":0,"y":0,"layer":1},{"kind":1,"x":8,"y":0,"layer":1},{"kind":1,"x":16,"y":0,"layer":1}]}"""


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "not JSON"),
        (LEVEL[:-9], "not JSON"),
        (b"\x00\xff\xfe garbage", "not JSON"),
        (b'"\xff"', "format"),
        (b"[" * 200_000, "no `format` field"),
        (b'{"format":' + b"[" * 200_000, "no `format` field"),
        (b'{"x":' + b"[" * 200_000, "nested too deeply"),
        (b"[]", "no `format` field"),
        (b'{"format":"winnable.chess/1"}', "winnable.chess/1"),
        (b'{"format":"winnable.triple/2"}', "winnable.triple/2"),
        (b'{"format":7}', "format"),
        (LEVEL.replace(b'"slots"', b'"holes"'), "holes"),
        (LEVEL.replace(b'"slots":4', b'"slots":-4'), r"slots"),
        (LEVEL.replace(b'"slots":4', b'"slots":1e99'), r"slots"),
        (LEVEL.replace(b'"x":16', b'"x":-8', 1), r"tiles\[2\]\.x"),
        (LEVEL.replace(b'"x":16', b'"x":9', 1), r"tiles\[2\]: overlaps tiles\[1\]"),
        (LEVEL.replace(b'"kind":1', b'"kind":2', 1), "kind 1 occurs 2 times"),
        (LEVEL.replace(b'"kind":1', b'"kind":1000000000', 1), r"tiles\[3\]\.kind"),
        (b'{"format":"winnable.triple/1","tiles":[]}', r"tiles"),
    ],
)
def test_bad_level_files_get_one_clear_error(content: bytes, complaint: str) -> None:
    with pytest.raises(LevelError, match=complaint) as caught:
        read_level(content)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("triple:layers=1000000000#1", "layers"),
        ("triple:sets=-1#1", "sets"),
        ("triple:layers=x#1", "layers"),
        ("triple:layers#1", "key=value"),
        ("triple:layers=3,layers=4#1", "twice"),
        ("triple:width=3#1", "width"),
        ("triple:layers=2#1", "tiles"),
        ("triple:", "seed"),
        ("triple:#-1", "seed"),
        ("triple:#1.5", "seed"),
        ("triple:#99999999999999999999", "seed"),
        ("triple:#٣", "seed"),
        ("no-such-file.json", "No such file"),
        ("triple/no-such-level", "triple ships no level 'no-such-level'"),
        ("/", "directory"),
        ("a\0b", "null"),
    ],
)
def test_bad_level_arguments_get_one_clear_error(text: str, complaint: str) -> None:
    with pytest.raises(WinnableError, match=complaint):
        find_level(text)


@pytest.mark.parametrize("name", ["triple#1", pytest.param("triple:#1", marks=posix), "triple/1-first-steps"])
def test_a_file_is_meant_where_there_is_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("triple").mkdir()
    Path(name).write_bytes(LEVEL)
    assert find_level(name).level == read_level(LEVEL).level


def test_what_is_half_of_our_format_is_not_taken_for_a_foreign_one() -> None:
    with pytest.raises(LevelError, match="not JSON") as caught:
        read_level(b"  " + LEVEL[:-9])
    assert caught.value.code != "level.foreign"
    with pytest.raises(LevelError) as caught:
        read_level(b"plain text")
    assert caught.value.code == "level.foreign"


def test_identities_leave_out_defaults() -> None:
    assert str(parse_identity("triple: layers=26 ,sets=4#7")) == "triple:sets=4#7"


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "level.json"
    write_file(path, b"old")
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["level.json"]
    with pytest.raises(WinnableError, match="No such file"):
        write_file(tmp_path / "missing" / "level.json", b"x")
    (tmp_path / "taken").mkdir()
    with pytest.raises(WinnableError):
        write_file(tmp_path / "taken", b"x")
    assert sorted(os.listdir(tmp_path)) == ["level.json", "taken"]


@posix
def test_a_link_stays_one(tmp_path: Path) -> None:
    (link := tmp_path / "link").symlink_to("level.json")
    for content in (b"old", b"new"):
        write_file(link, content)
        assert (tmp_path / "level.json").read_bytes() == content
    assert link.is_symlink()


def test_what_killed_writers_left_is_removed(tmp_path: Path) -> None:
    left, fresh, foreign = (
        tmp_path / name
        for name in (".level.json.abcdefgh.winnable", ".level.json.12345678.winnable", ".level.json.original")
    )
    for path in (left, fresh, foreign):
        path.touch()
    os.utime(fresh, (time.time(), time.time()))
    for path in (left, foreign):
        os.utime(path, (0, 0))
    write_file(tmp_path / "level.json", b"new")
    assert sorted(tmp_path.iterdir()) == sorted([fresh, foreign, tmp_path / "level.json"])


def test_a_temporary_file_is_known_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    def keep(*_: object, missing_ok: bool) -> None:
        pass

    monkeypatch.setattr(os, "replace", killed)
    monkeypatch.setattr(Path, "unlink", keep)
    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "level.json", b"new")
    monkeypatch.undo()
    (left,) = tmp_path.iterdir()
    os.utime(left, (0, 0))
    write_file(tmp_path / "level.json", b"new")
    assert os.listdir(tmp_path) == ["level.json"]


@posix
def test_a_file_may_be_read_by_whom_the_user_lets(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "level.json", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "level.json").stat().st_mode) == 0o640


def test_absurdly_large_files_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(WinnableError, match="larger than 64 MiB"):
        read_file(path)
    os.truncate(path, MAX_BYTES)
    assert len(read_file(path)) == MAX_BYTES
