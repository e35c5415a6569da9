"""Every bad level through every door of the command line: one line that names the field, and no traceback."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from tests.cli.cli_support import document, one_error
from tests.games.drops.rules.test_level import BAD_FIELDS, file
from winnable.cli.app import app

BAD_BOARDS = {
    "4a": "board[0]: 'a'",
    "44/45": "board[1]: '5'",
    "49": "board[0]: '9'",
    "44/4": "board[1]: 1 cell,",
    "４4": "board[0]: '４'",
    "4²": "board[0]: '²'",
    "4\n4": "board[0]: '\\n'",
    "4\0": "board[0]: '\\x00'",
    "00": "every cell is empty",
    "": "board[0]: an empty row",
    "/".join(["4"] * 33): "board: 33 rows",
    "/".join(["4" * 1000] * 1000): "board: larger than 32 × 32",
    "44,drops=-1": "drops: '-1'",
    "44,drops=1000000000": "drops: '1000000000'",
    "44,drops=NaN": "drops: 'NaN'",
    "44,rules=mine": "rules: 'mine'",
    "44,flash=1": "flash: '1'",
    "44,flash=1.0": "flash: '1.0'",
    '{"board":["44"]}': "board[0]: '{'",
    "\x1b[31m4": "board[0]: '\\x1b'",
}
BAD_FILES = [
    *(pytest.param(file(**fields), complaint, id=str(fields)[:60]) for fields, complaint in BAD_FIELDS),
    pytest.param(file().replace(b'"board"', b'"drops":NaN,"board"'), "not JSON", id="NaN"),
    pytest.param(file().replace(b'["44","04"]', b"[" * 100_000), "nested too deeply", id="nested lists"),
    pytest.param(
        file().replace(b'["44","04"]', b'{"a":' * 100_000), "nested too deeply", id="nested objects"
    ),
    pytest.param(file()[:-3], "not JSON", id="cut off"),
    pytest.param(b"", "not JSON", id="empty file"),
]
BOARD_DOORS = ["solve", "play", "export"]
FILE_DOORS = ["solve", "play", "export", "import", "verify", "watch", "compare"]


def run(*args: str, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(app, list(args), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert "Traceback" not in result.output
    return result


@pytest.mark.parametrize("door", BOARD_DOORS)
@pytest.mark.parametrize("board", BAD_BOARDS, ids=lambda board: str(board)[:20])
def test_bad_boards(door: str, board: str) -> None:
    result = run(door, "drops", board)
    assert result.exit_code == 2
    one_error(result, BAD_BOARDS[board])
    if board != "-":
        from_stdin = run(door, "drops", "-", stdin=board)
        assert (from_stdin.exit_code, from_stdin.stderr) == (2, result.stderr)


@pytest.mark.parametrize("door", FILE_DOORS)
@pytest.mark.parametrize(("content", "complaint"), BAD_FILES)
def test_bad_files(door: str, content: bytes, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    result = run(door, str(path))
    assert result.exit_code == 2
    one_error(result)
    assert re.search(complaint, result.stderr), result.stderr


def test_bad_files_fail_their_check(tmp_path: Path) -> None:
    """`check` has read the file and answers no: exit code 1; each file keeps its own line."""
    contents = [file(**fields) for fields, _ in BAD_FIELDS]
    batch = tmp_path / "batch.jsonl"
    batch.write_bytes(b"\n".join([file(), *contents]))
    reports = document(result := run("check", str(batch), "--json"))
    assert result.exit_code == 1
    assert [report["ok"] for report in reports] == [True] + [False] * len(contents)
    assert [report["source"] for report in reports[1:3]] == [f"{batch}:2", f"{batch}:3"]
    assert all(report["problem"] and len(report["problem"]) < 400 for report in reports[1:])
    lines = run("check", str(batch)).stdout.splitlines()
    assert lines[2].startswith(f"{batch}:2: FAILED: ")
    assert "board[0]" in lines[2]
    assert lines[-1] == f"1 of {len(contents) + 1} levels is fine."


@pytest.mark.parametrize(
    ("identity", "complaint"),
    [
        ("drops:rows=0#1", "rows: "),
        ("drops:rows=33#1", "rows: "),
        ("drops:columns=x#1", "columns: "),
        ("drops:rules=mine#1", "rules: "),
        ("drops:mode=endless#1", "mode: "),
        ("drops:rows=4", "seed"),
        ("drops:#-1", "seed"),
        ("drops:#٩", "seed"),
        ("drops:depth=3#1", "depth: drops has no such parameter"),
        ("drops/nothing", "ships no level"),
    ],
)
@pytest.mark.parametrize("door", ["solve", "play", "check", "export"])
def test_bad_identities(door: str, identity: str, complaint: str) -> None:
    result = run(door, identity)
    assert result.exit_code == 2
    one_error(result, complaint)


def saved(**fields: Any) -> bytes:
    level = {"format": "winnable.drops/1", "board": ["44", "04"], "drops": 2}
    whole = {"format": "winnable.session/1", "level_id": "x", "level": level, "actions": [0], "ply": 1}
    return json.dumps(whole | fields).encode()


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"actions": [2]}, "(1,2) is empty"),
        ({"actions": [0, 4]}, "cell 4 is not on a board"),
        ({"actions": [-1]}, "actions[0]"),
        ({"actions": [0], "ply": 2}, "no point 2"),
        ({"actions": [0, 3, 3], "ply": 0}, "the board is empty"),
        ({"level": {"format": "winnable.drops/1", "board": ["45"]}}, "board[0]"),
        ({"level": {"format": "winnable.drops/1", "board": ["44\n"]}}, "board[0]"),
    ],
)
def test_bad_saved_games(fields: dict[str, Any], complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    path.write_bytes(saved())
    assert run("play", str(path), stdin="q\n").exit_code == 0
    path.write_bytes(saved(**fields))
    result = run("play", str(path), stdin="q\n")
    assert result.exit_code == 2
    one_error(result, complaint)


def test_bad_certificates_fail_their_check(tmp_path: Path) -> None:
    for actions, complaint in (([2], "(1,2) is empty"), ([4], "cell 4"), ([], "goal is not reached")):
        certificate = {"status": "solved", "solver": "x", "version": "0", "actions": actions}
        path = tmp_path / "claim.json"
        path.write_bytes(msgspec.json.encode(json.loads(file(certificate=certificate))))
        result = run("check", str(path))
        assert result.exit_code == 1
        assert complaint in result.stdout
        assert "certificate fails" in result.stdout
