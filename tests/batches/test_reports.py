"""What a check came to, as JUnit's XML and as SARIF: right whatever files are called and levels say."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import pytest

from tests.cli.cli_support import LOST, SMALL, Run, document, encoded, one_error
from tests.waiting import PATIENCE, wait_until
from winnable.batches.reports import RULES, Place, Places, junit, sarif
from winnable.contract.registry import load_game
from winnable.levels.checking import Checked
from winnable.levels.files import lines_of

REPORTS = ("--junit", "junit.xml", "--sarif", "levels.sarif")
BAD = '{"format": "winnable.triple/1", "tiles": 3}'


@pytest.fixture
def pack(run: Run) -> None:
    """A good level, one that is lost, one that is none, and the good one once more."""
    small, lost = (encoded(load_game("triple").parse_board(board)).decode() for board in (SMALL, LOST))
    Path("pack.jsonl").write_text(f"{small}\n\n{lost}\n{BAD}\n{small}\n")


def cases(path: str = "junit.xml") -> list[tuple[str | None, str | None, list[str]]]:
    """(name, line, what is in it) of each test case; the counts are right."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == "testsuites"
    (suite,) = root
    found = [*suite]
    kinds = [child.tag for case in found for child in case]
    for element in (root, suite):
        assert element.get("tests") == str(len(found))
        assert element.get("failures") == str(kinds.count("failure"))
        assert element.get("errors") == str(kinds.count("error"))
    assert suite.get("skipped") == str(kinds.count("skipped"))
    assert all({"name", "classname", "time"} <= set(case.attrib) for case in found)
    return [
        (case.get("name"), case.get("line"), [f"{child.tag} {child.get('type')}" for child in case])
        for case in found
    ]


def results(content: bytes) -> list[dict[str, Any]]:
    """Those of SARIF, which has what its standard requires."""
    log = json.loads(content)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "winnable"
    rules = [rule["id"] for rule in driver["rules"]]
    assert rules == [*RULES]
    assert all(rule["shortDescription"]["text"] != f"report.rule.{rule['id']}" for rule in driver["rules"])
    assert isinstance(run["invocations"][0]["executionSuccessful"], bool)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["message"]["text"]
        (location,) = result["locations"]
        assert set(location) in ({"physicalLocation"}, {"logicalLocations"})
    return run["results"]


def test_reports_name_file_and_line(run: Run, pack: None) -> None:
    said = run("check", "pack.jsonl", "--solve", *REPORTS, code=1)
    assert "report written to junit.xml" in said.stderr
    assert cases() == [
        ("pack.jsonl:1", "1", []),
        ("pack.jsonl:3", "3", ["failure unsolvable"]),
        ("pack.jsonl:4", "4", ["failure invalid"]),
        ("pack.jsonl:5", "5", []),
    ]
    found = results(Path("levels.sarif").read_bytes())
    assert [(one["ruleId"], one["level"]) for one in found] == [
        ("unsolvable", "error"),
        ("invalid", "error"),
        ("like", "note"),
    ]
    places = [one["locations"][0]["physicalLocation"] for one in found]
    assert {place["artifactLocation"]["uri"] for place in places} == {"pack.jsonl"}
    assert [place["region"]["startLine"] for place in places] == [3, 4, 5]
    assert "tiles" in found[1]["message"]["text"]


def test_a_verdict_that_is_not_reached_is_neither_fine_nor_a_failure(run: Run, pack: None) -> None:
    run("check", "pack.jsonl#3", "--solve", "--time", "1e-9", *REPORTS, code=3)
    assert cases() == [("pack.jsonl#3", "3", ["error undecided"])]
    (result,) = results(Path("levels.sarif").read_bytes())
    assert (result["ruleId"], result["level"]) == ("undecided", "warning")


def test_reports_are_the_same_on_workers_and_after_a_stop(run: Run, pack: None) -> None:
    run("check", "pack.jsonl", *REPORTS, code=1)
    whole = [Path(name).read_bytes() for name in REPORTS[1::2]]
    rows = document(run("check", "pack.jsonl", "--json", code=1))
    Path("rows.jsonl").write_text("".join(json.dumps(rows[place]) + "\n" for place in (2, 0)))
    run("check", "pack.jsonl", "--workers", "2", "--resume", "rows.jsonl", *REPORTS, code=1)
    assert [Path(name).read_bytes() for name in REPORTS[1::2]] == whole
    Path("rows.jsonl").write_text(json.dumps({**rows[0], "ok": "perhaps"}) + "\n")
    refused = run("check", "pack.jsonl", "--resume", "rows.jsonl", code=2)
    one_error(refused, "ok")


def test_a_list_is_counted_and_its_lines_are_told(run: Run) -> None:
    small = encoded(load_game("triple").parse_board(SMALL)).decode()
    long = small.replace("[", "[\n", 1)
    Path("list.json").write_text(f"[\n{small},\n\n{long},\n{BAD}]")
    assert lines_of(Path("list.json").read_bytes()) == {1: 2, 2: 4, 3: 6}
    run("check", "list.json", *REPORTS, code=1)
    assert [line for _, line, _ in cases()] == ["2", "4", "6"]
    assert Places().of("list.json:3") == Place("list.json", 6)
    assert Places().of("triple/1-first") is None


HOSTILE = "a b&<x>\"'%#[](|`\x1b\x07\ufffe\u202e\U0001f642é.json"


def test_hostile_names_are_escaped(run: Run) -> None:
    Path(HOSTILE).write_text("no level")
    raw = os.fsdecode(b"\xff.json")
    Path(raw).write_text("no level")
    run("check", HOSTILE, raw, *REPORTS, code=1)
    assert [name for name, _, _ in cases()] == [
        "a b&<x>\"'%#[](|`\\x1b\\x07\\ufffe\\u202e\U0001f642é.json",
        "\\udcff.json",
    ]
    first, second = results(Path("levels.sarif").read_bytes())
    uris = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in (first, second)]
    assert [unquote_to_bytes(uri) for uri in uris] == [os.fsencode(HOSTILE), b"\xff.json"]
    assert all(uri.isascii() and not set(uri) & set(' #[]<>|`"') for uri in uris)


def test_rows_of_a_file_whose_name_is_no_text_are_gone_on_with(run: Run) -> None:
    raw = os.fsdecode(b"\xff.json")
    Path(raw).write_text("no level")
    for more in ((), ("--against", "rows.jsonl")):
        run("check", raw, "--resume", "rows.jsonl", *REPORTS, *more, code=1)
    assert cases() == [("\\udcff.json", "1", ["failure invalid"])]
    assert len(Path("rows.jsonl").read_bytes().splitlines()) == 1


def test_what_levels_say_is_escaped() -> None:
    row = Checked("x", False, "]]> \x00\x01\ud800 [click](http://example.org) </failure>\n next", "invalid")
    case = ElementTree.fromstring(junit([row])).find(".//failure")
    assert case is not None
    assert (
        case.text
        == case.get("message")
        == ("]]> \\x00\\x01\\ud800 [click](http://example.org) </failure> next")
    )
    (result,) = results(sarif([row]))
    assert "[click](" not in result["message"]["text"]
    assert result["locations"] == [{"logicalLocations": [{"fullyQualifiedName": "x"}]}]


def test_many_levels() -> None:
    rows = [Checked(f"x:{number}", False, "bad", "invalid") for number in range(5000)]
    assert len(results(sarif(rows))) == 5000
    assert ElementTree.fromstring(junit(rows)).get("failures") == "5000"


def test_what_was_not_checked_is_said() -> None:
    root = ElementTree.fromstring(junit([Checked("x", True, None)], ["y"]))
    assert [[child.tag for child in case] for case in root.iter("testcase")] == [[], ["skipped"]]
    (run,) = json.loads(sarif([], ["y", "z"]))["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"].endswith(": 2")


LEVELS = 20_000
"""More than are checked before the signal arrives."""


def test_an_interrupted_check_reports_what_it_has(tmp_path: Path) -> None:
    board = encoded(load_game("triple").parse_board(SMALL))
    levels, rows = tmp_path / "levels.jsonl", tmp_path / "rows.jsonl"
    levels.write_bytes((board + b"\n") * LEVELS)
    command = [sys.executable, "-m", "winnable", "check", levels.name, "--resume", rows.name, *REPORTS]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
    wait_until(lambda: rows.exists() and rows.stat().st_size > 0, "a row")
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 3
    done = len(rows.read_bytes().splitlines())
    kinds = [kind for _, _, kind in cases(str(tmp_path / "junit.xml"))]
    assert kinds == [[]] * done + [["skipped None"]] * (LEVELS - done)


@pytest.mark.parametrize("path", ["-", "none/report", "."])
def test_no_place_for_a_report(run: Run, pack: None, path: str) -> None:
    one_error(run("check", "pack.jsonl", "--junit", path, code=2), "--junit")
    assert not Path("junit.xml").exists()
