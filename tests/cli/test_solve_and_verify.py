"""solve, verify: what they say, their exit codes, and what they refuse."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert, structs

from tests.cli.cli_support import LOST, SMALL, Run, document, encoded, one_error
from winnable.contract.core import Answer, finish
from winnable.contract.provenance import Certificate, ClosedSet
from winnable.contract.registry import load_game

FIELDS = [
    "status", "actions", "cost", "lower_bound", "optimal", "expanded", "generated", "seconds",
    "limit", "best", "outlook", "moves", "reason", "first",
    "game", "level_id", "solver", "settings", "seed", "closed_set",
]  # fmt: skip


def test_solve_says_the_line_and_figures(run: Run, level_file: str) -> None:
    result = run("solve", level_file)
    assert "SOLVED in 6 actions; replayed by the rules." in result.stdout
    assert "\n  5 3 0 4 1 2\n" in result.stdout
    assert "Solver plain: " in result.stdout


def test_solve_json_has_exactly_these_fields(run: Run, level_file: str) -> None:
    answer = document(run("solve", level_file, "--json", "--seed", "9"))
    assert list(answer) == FIELDS
    assert (answer["game"], answer["status"], answer["seed"]) == ("triple", "solved", 9)
    assert len(answer["moves"]) == len(answer["actions"]) == 6
    assert answer["level_id"].startswith("triple@")


def test_solve_takes_identities_shipped_levels_boards_and_stdin(run: Run, level_file: str) -> None:
    identity = "triple:layers=2,sets=1,kinds=3,side=3#5"
    assert document(run("solve", identity, "--json", code=None))["level_id"].startswith("triple:")
    assert document(run("solve", "triple/1-first-steps", "--json"))["cost"] == 18
    from_board = document(run("solve", "triple", SMALL, "--json"))
    from_stdin = document(run("solve", "triple", "-", "--json", stdin=SMALL + "\n"))
    from_file = document(run("solve", "-", "--json", stdin=Path(level_file).read_bytes()))
    assert from_board["level_id"] == from_stdin["level_id"] == from_file["level_id"]


def test_solve_exit_codes(run: Run) -> None:
    lost = run("solve", "triple", LOST, "--json", code=1)
    assert document(lost)["status"] == "unsolvable"
    assert "UNSOLVABLE" in run("solve", "triple", LOST, code=1).stdout
    unknown = run("solve", "triple:layers=26#1", "--time", "0.01", code=3)
    assert "UNKNOWN. Neither a winning line" in unknown.stdout
    assert run("solve", "triple", SMALL, "--time", "1e-9", "--json", code=3).stdout.count("\n") == 1


def test_a_proof_that_comes_as_its_time_ends_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """No time is left then to look for a closed set, not less than none."""
    triple: Any = load_game("triple")
    exact = triple.solvers["exact"]

    def late(*arguments: Any) -> Answer:
        found: Answer = finish(exact(*arguments))
        return replace(found, seconds=61.0)

    monkeypatch.setitem(triple.solvers, "exact", late)
    told = document(run("solve", "triple", LOST, "--solver", "exact", "--time", "60", "--json", code=1))
    assert (told["status"], told["closed_set"]) == ("unsolvable", None)


def test_a_level_that_cannot_be_won_says_why(run: Run) -> None:
    said = run("solve", "triple", LOST, code=1).stdout
    assert "Proof: Putting tiles back, from the empty board up, no more than" in said
    assert "The tray has room for 2 more, but even the nearest triple" in said
    assert "needs room for 6 before it is complete. (Marked: 2, 5, 8)" in said
    solved = run("solve", "triple", LOST, "--json", code=1).stdout
    reason = {"why": "tray", "marked": [2, 5, 8], "values": {"room": 2, "more": 6}}
    assert json.loads(solved)["reason"] == reason
    claim = json.loads(solved)["closed_set"]
    level = load_game("triple").parse_board(LOST)
    Path("lost.json").write_bytes(encoded(level))
    run("verify", "lost.json", "-", stdin=solved)
    certificate = Certificate("unsolvable", "test", "0", closed_set=convert(claim, ClosedSet))
    Path("proved.json").write_bytes(encoded(structs.replace(level, certificate=certificate)))
    answer = document(run("verify", "proved.json", "--json"))
    assert (answer["valid"], answer["status"]) == (True, "unsolvable")
    said = run("verify", "proved.json").stdout
    assert f"proved.json cannot be won: there are {claim['positions']} positions and no more" in said
    wrong = solved.replace(f'"positions":{claim["positions"]}', '"positions":1')
    assert "NO. positions: 1 are claimed" in run("verify", "lost.json", "-", stdin=wrong, code=1).stdout
    (report,) = document(run("check", "proved.json", "--json"))
    assert report["certificate"] == "holds"
    (report,) = document(run("check", "proved.json", "--solve", "--time", "1e-9", "--json", code=1))
    assert (report["certificate"], report["verdict"]) == ("holds", "unsolvable")


def test_a_claim_without_reason_is_not_taken(run: Run) -> None:
    level = load_game("triple").parse_board(LOST)
    Path("lost.json").write_bytes(
        encoded(structs.replace(level, certificate=Certificate("unsolvable", "test", "0")))
    )
    one_error(run("verify", "lost.json", code=2), "closed_set")
    unknown = run("solve", "lost.json", "--time", "1e-9", "--json", code=3).stdout
    one_error(run("verify", "lost.json", "-", stdin=unknown, code=2), "its status is 'budget'")


def test_solution_files_verify(run: Run, level_file: str) -> None:
    run("solve", level_file, "--output", "solution.json")
    assert "YES. 6 actions win" in run("verify", level_file, "solution.json").stdout
    solution = json.loads(Path("solution.json").read_text())
    assert list(solution) == FIELDS
    for text in (
        json.dumps(solution["actions"]),
        json.dumps(solution["moves"]),
        " ".join(map(str, solution["actions"])),
        ",".join(map(str, solution["actions"])),
        "\n".join(solution["moves"]),
    ):
        answer = document(run("verify", level_file, "-", "--json", stdin=text))
        assert answer["valid"] is True
        assert answer["length"] == 6


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "the goal is not reached"),
        ("5 3", "after 2 actions the goal is not reached"),
        ("0", "action 0 of 1: tile 0 is covered"),
        ("5 5", "action 1 of 2: tile 5 is not on the board"),
        ("[5, 99]", "action 1 of 2: action 99 is not a tile"),
        ("[5, -1]", "action -1 is not a tile"),
    ],
)
def test_verify_says_no_and_why(run: Run, level_file: str, text: str, why: str) -> None:
    assert why in run("verify", level_file, "-", stdin=text, code=1).stdout
    answer = document(run("verify", level_file, "-", "--json", stdin=text, code=1))
    assert answer["valid"] is False
    assert why in answer["problem"]


@pytest.mark.parametrize(
    "content",
    ["", "five", "[1.5]", "[true]", "[[", "{}", '{"actions": 3}', '{"actions": [], "status": "budget"}',
     b"\xff\xfe", "[" * 100_000, '["nonsense"]', "9" * 40, '{"actions": [1e400]}'],
)  # fmt: skip
def test_an_unreadable_solution_is_an_error(run: Run, level_file: str, content: str | bytes) -> None:
    Path("bad").write_bytes(content if isinstance(content, bytes) else content.encode())
    one_error(run("verify", level_file, "bad", "--json", code=2), "solution: ")


def test_verify_takes_the_certificate(run: Run, level_file: str) -> None:
    assert "YES. 18 actions win triple/1-first-steps" in run("verify", "triple/1-first-steps").stdout
    one_error(run("verify", level_file, code=2), "carries no certificate")


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"garbage", b"\xff\xfe\x00", b"[]", b"null", b"{}", b"[" * 100_000, b'{"a":' * 100_000,
        b'{"format": "winnable.chess/1"}', b'{"format": 3}', b'{"format": "winnable.triple/1"}',
        b'{"format": "winnable.triple/1", "tiles": []}',
    ],
)  # fmt: skip
def test_bad_level_files(run: Run, content: bytes) -> None:
    Path("bad.json").write_bytes(content)
    for command in ("solve", "verify", "play", "export", "import"):
        one_error(run(command, "bad.json", "--json", code=2))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"extra": 1}, "unknown field `extra`"),
        ({"slots": -1}, "slots"),
        ({"slots": 10**30}, "slots"),
        ({"tiles": [{"kind": 0, "x": 0, "y": 0, "layer": 0}] * 3}, "overlaps tiles[0]"),
        ({"tiles": [{"kind": 0, "x": 8 * i, "y": 0, "layer": 0} for i in range(4)]}, "not a multiple of 3"),
        ({"tiles": [{"kind": 0, "x": -8 * i, "y": 0, "layer": 0} for i in range(3)]}, ".x"),
        ({"tiles": [{"kind": 99, "x": 8 * i, "y": 0, "layer": 0} for i in range(3)]}, ".kind"),
        ({"title": {"fr": "x"}}, "title"),
    ],
)
def test_levels_that_break_a_rule_name_the_field(
    run: Run, level_file: str, change: dict[str, object], complaint: str
) -> None:
    level = json.loads(Path(level_file).read_text())
    Path("bad.json").write_text(json.dumps(level | change))
    one_error(run("solve", "bad.json", code=2), complaint)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["solve"], "Missing argument"),
        (["solve", "missing.json"], "missing.json: No such file"),
        (["solve", "."], ".: Is a directory"),
        (["solve", "a\0b"], "null"),
        (["solve", "x" * 5000 + ".json"], "File name too long"),
        (["solve", "triple:" + "x" * 5000], ""),
        (["solve", "triple:layers=2"], "lacks its seed"),
        (["solve", "triple:layers=1000000000#1"], "layers: "),
        (["solve", "triple:layers=-1#1"], "layers: "),
        (["solve", "triple:layers=x#1"], "layers: "),
        (["solve", "triple:nothing=1#1"], "nothing: triple has no such parameter"),
        (["solve", "triple:#-1"], "seed: '-1'"),
        (["solve", "triple:#99999999999999999999"], "seed: "),
        (["solve", "triple/none"], "triple ships no level 'none'"),
        (["solve", "chess", SMALL], "unknown game 'chess'"),
        (["solve", "triple", "7:0@0.0"], "at least 3 tiles"),
        (["solve", "triple", SMALL, "--solver", "magic"], "solver: triple has no 'magic'; there are: plain"),
        (["solve", "triple", SMALL, "--time", "nan"], "--time"),
        (["solve", "triple", SMALL, "--time", "-1"], "--time"),
        (["solve", "triple", SMALL, "--seed", "-1"], "--seed"),
        (["solve", "triple", SMALL, "--memory", "0"], "--memory"),
        (["solve", "triple", SMALL, "--output", "no/such/folder/x"], "No such folder"),
        (["solve", "triple", SMALL, "--output", "."], "directory"),
        (["solve", "triple", SMALL, "--output", "a\0b"], "null"),
        (["solve", "triple", SMALL, "--nonsense"], "No such option"),
        (["nonsense"], "No such command"),
    ],
)
def test_bad_arguments(run: Run, arguments: list[str], complaint: str) -> None:
    one_error(run(*arguments, code=2), complaint)


def test_output_to_stdout_is_one_document(run: Run, level_file: str) -> None:
    assert list(document(run("solve", level_file, "--output", "-"))) == FIELDS
    assert list(document(run("solve", level_file, "--output", "-", "--json"))) == FIELDS


def test_a_layout_is_dealt_by_the_seed(run: Run) -> None:
    cells = [[0, 8 * index, 0, 1, 1] for index in range(9)]
    Path("layout.json").write_text(json.dumps({"cells": cells, "blockTypeData": {"1": 1, "2": 1, "3": 1}}))
    ids = {
        document(run("solve", "layout.json", "--seed", str(seed), "--json"))["level_id"] for seed in range(4)
    }
    assert len(ids) > 1
    run("solve", "layout.json", "--seed", "3", "-o", "line.json")
    run("verify", "layout.json", "line.json", "--seed", "3")


def test_a_wrong_solver_is_not_believed(run: Run, level_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def liar(*_: object) -> Answer:
        return Answer("solved", (5,), 1)

    triple: Any = load_game("triple")
    monkeypatch.setitem(triple.solvers, "liar", liar)
    with pytest.raises(AssertionError, match="does not reach the goal"):
        run("solve", level_file, "--solver", "liar")


def test_the_bytes_of_a_level_are_ours(level_file: str) -> None:
    assert Path(level_file).read_bytes() == encoded(load_game("triple").parse_board(SMALL))


def test_margin_says_how_many_actions_still_win(run: Run) -> None:
    trap = "3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0"
    assert "6 of 6 moves still win" in run("margin", "triple", trap).stdout
    answer = document(run("margin", "triple", trap, "--after", "0", "--json"))
    assert (answer["ply"], answer["verdict"], answer["legal"]) == (1, "winnable", 5)
    assert (answer["wins"], answer["fewest"]) == ({"yes": 2, "open": 0}, None)
    lost = document(run("margin", "triple", trap, "--after", "0 3", "--json", code=1))
    assert lost["wins"] == {"yes": 0, "open": 0}
    one_error(run("margin", "triple", trap, "--after", "0 0", code=2), "0")
    one_error(run("margin", "2048/1-2048", code=2), "margin")
