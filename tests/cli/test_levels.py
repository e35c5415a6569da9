"""check, generate, repair, import, export, games: what goes in and out of level files."""

import errno
import json
import os
import re
import signal
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.cli.cli_support import LOST, SMALL, Run, document, encoded, one_error
from winnable.contract import clock
from winnable.contract.abilities import repairs_of
from winnable.contract.provenance import Certificate
from winnable.contract.registry import load_game
from winnable.levels.find import find_level
from winnable.levels.making import TRIES

TINY = ("layers=2", "sets=1", "kinds=3", "side=3")


def with_certificate(text: str, *actions: int, status: Any = "solved") -> bytes:
    from msgspec.structs import replace

    level = load_game("triple").parse_board(text)
    return encoded(replace(level, certificate=Certificate(status, "test", "0", actions)))


def test_games_lists_everything(run: Run) -> None:
    info = document(run("games", "--json"))[0]
    assert info["name"] == "triple"
    assert info["title"]["zh-CN"] == "马了个马"
    assert {"plain", "auto"} <= {method["name"] for method in info["solvers"]}
    assert {"name": "greedy", "params": []} in info["players"]
    assert [param["name"] for param in info["repairs"][1]["params"]][:2] == ["keep", "population"]
    assert "triple/1-first-steps" in info["levels"]
    params = {param["name"]: param for param in info["params"]}
    assert params["layers"] == {
        "name": "layers",
        "default": 26,
        "minimum": 1,
        "maximum": 1000,
        "step": 1,
        "choices": None,
        "only": {"layout": ["pile"]},
        "whole": True,
    }
    assert params["tiles"]["step"] == 3
    assert params["variant"]["choices"] == ["plain", "tools"]
    text = run("games").stdout
    assert "triple  Triple / 马了个马" in text
    assert "layers=26 (1 to 1000; only layout=pile)" in text
    assert "tiles=210 (60 to 399 by 3; only layout=grown)" in text


def test_generate_one_is_the_level_of_that_identity(run: Run) -> None:
    first = run("generate", "triple", *TINY, "--seed", "5").stdout
    assert first == run("generate", "triple", "--set", ",".join(TINY), "--seed", "5").stdout
    run("generate", "triple", *TINY, "--seed", "5", "--output", "five.json")
    assert Path("five.json").read_text() == first
    assert "ok" in run("check", "five.json").stdout
    assert json.loads(first)["provenance"]["seed"] == 5


def test_generate_many_counts_up(run: Run) -> None:
    lines = run("generate", "triple", *TINY, "--seed", "5", "--count", "3").stdout.splitlines()
    assert [json.loads(line)["provenance"]["seed"] for line in lines] == [5, 6, 7]
    result = run("generate", "triple", *TINY, "--seed", "5", "--count", "3", "--json", "-o", "three.jsonl")
    assert document(result) == [json.loads(line) for line in lines]
    assert Path("three.jsonl").read_text().splitlines() == lines
    assert "3 of 3 levels are fine" in run("check", "three.jsonl").stdout


def test_generate_deals_onto_the_places_of_a_file(run: Run) -> None:
    Path("row.txt").write_text("layer 0:\nx.x.x.x.x.x.\n")
    run("generate", "triple", "--layout", "row.txt", "kinds=2", "--seed", "5", "--output", "five.json")
    five = find_level("five.json").level
    assert [(tile.x, tile.y) for tile in five.tiles] == [(8 * column, 0) for column in range(6)]
    many = run("generate", "triple", "--layout", "five.json", "kinds=1", "--count", "2", "--json").stdout
    assert [{tile["kind"] for tile in level["tiles"]} for level in json.loads(many)] == [{0}, {0}]


def test_generate_certified_levels_can_be_won(run: Run) -> None:
    tight = (*TINY, "slots=3")
    levels = document(run("generate", "triple", *tight, "--count", "4", "--certify", "--json"))
    assert len(levels) == 4
    assert [level["provenance"]["seed"] for level in levels] != [1, 2, 3, 4], "some seeds cannot be won"
    for level in levels:
        Path("level.json").write_text(json.dumps(level))
        run("verify", "level.json")
    lost = run("generate", "triple", *TINY, "slots=1", "--certify", code=1)
    assert "only 0 of 1 level were made" in lost.stderr
    run("generate", "triple", "--certify", "--time", "1e-9", code=3)
    hopeless = ("rotate", "rows=3", "columns=3", "par_min=9")
    late = run("generate", *hopeless, "--certify", "--time", "1e-9", code=3)
    assert "only 0 of 1 level were made" in late.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    ("game", "function", "order"),
    [
        ("drops", "draw", ("rows=1", "columns=2", "par_min=8")),
        ("rotate", "scrambled", ("rows=3", "columns=3", "par_min=9")),
    ],
)
def test_ctrl_c_ends_the_making_of_a_level(
    run: Run, monkeypatch: pytest.MonkeyPatch, game: str, function: str, order: tuple[str, ...]
) -> None:
    """Before the next board is looked at; none of them ever fits."""
    generator = import_module(f"winnable.games.{game}.levels.generator")
    make, made = getattr(generator, function), 0

    def interrupted(*arguments: Any) -> Any:
        nonlocal made
        made += 1
        if made == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return make(*arguments)

    monkeypatch.setattr(generator, function, interrupted)
    one_error(run("generate", game, *order, code=130), "interrupted")
    assert made == 3


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["triple", "layers=1000000000"], "layers: "),
        (["triple", "layers=-1"], "layers: "),
        (["triple", "layers"], "not of the form key=value"),
        (["triple", "layers=2", "--set", "layers=3"], "layers: given twice"),
        (["triple", "sets=10000", "kinds=64"], "sets"),
        (["triple", "colour=red"], "colour: triple has no such parameter"),
        (["chess"], "unknown game"),
        (["triple", "--count", "0"], "--count"),
        (["triple", "--count", "x"], "--count"),
        (["triple", "--seed", "9007199254740992"], "--seed"),
        (["triple", "layout=nowhere"], "layout: "),
        (["triple", "layout=cat", "layers=5"], "layers: the layout cat has no use for it"),
        (["triple", "--layout", "absent.txt"], "absent.txt: No such file"),
        (["triple", "--layout", "-"], "-: tiles: 0 is not a multiple of 3"),
        (["drops", "--layout", "absent.txt"], "layout: drops deals onto no places of a file"),
    ],
)
def test_generate_refuses(run: Run, arguments: list[str], complaint: str) -> None:
    one_error(run("generate", *arguments, "--json", code=2), complaint)


def test_check_reports_facts_problems_and_certificates(run: Run, level_file: str) -> None:
    Path("good.json").write_bytes(with_certificate(SMALL, 5, 3, 0, 4, 1, 2))
    Path("liar.json").write_bytes(with_certificate(SMALL, 5, 3))
    Path("claim.json").write_bytes(with_certificate(SMALL, status="unsolvable"))
    Path("bad.json").write_text("{")
    files = ["good.json", "liar.json", "claim.json", "bad.json", level_file]
    reports = document(run("check", *files, "--json", code=1))
    assert [report["ok"] for report in reports] == [True, False, True, False, True]
    assert [report.get("certificate") for report in reports] == ["holds", "fails", "unchecked", None, None]
    assert reports[0]["facts"] == {"tiles": 6, "kinds": 2, "layers": 3, "slots": 7, "hidden": 0}
    assert "after 2 actions" in reports[1]["problem"]
    assert reports[4]["same_as"] == "good.json"
    text = run("check", *files, code=1).stdout
    assert "bad.json: FAILED: not JSON" in text
    assert "6 tiles, 2 kinds, 3 layers, 7 slots, certificate holds" in text
    assert "3 of 5 levels are fine." in text


def test_check_solve_decides(run: Run, level_file: str) -> None:
    Path("lost.json").write_bytes(with_certificate(LOST, status="unsolvable"))
    Path("claim.json").write_bytes(with_certificate(SMALL, status="unsolvable"))
    (fine,) = document(run("check", level_file, "--solve", "--json"))
    assert fine["verdict"] == "solved"
    (lost,) = document(run("check", "lost.json", "--solve", "--json", code=1))
    assert (lost["verdict"], lost["certificate"], lost["problem"]) == (
        "unsolvable",
        "holds",
        "proved unsolvable",
    )
    (claim,) = document(run("check", "claim.json", "--solve", "--json", code=1))
    assert (claim["verdict"], claim["certificate"]) == ("solved", "fails")
    (open_one,) = document(run("check", level_file, "--solve", "--time", "1e-9", "--json", code=3))
    assert (open_one["ok"], open_one["verdict"]) == (True, "budget")


def test_check_names_the_line_of_a_batch(run: Run, level_file: str) -> None:
    good = Path(level_file).read_text()
    Path("batch.jsonl").write_text(f'{good}\n\n{{"format": "winnable.triple/1", "tiles": 3}}\n{good}\n')
    text = run("check", "batch.jsonl", code=1).stdout
    assert "batch.jsonl:3: FAILED" in text
    assert "tiles" in text
    assert "the same level as batch.jsonl:1" in text
    one_error(run("solve", "batch.jsonl#3", code=2), "batch.jsonl#3: tiles")
    one_error(run("solve", "batch.jsonl:2", code=2), "no level in line 2; levels in the file: 3")
    assert "SOLVED" in run("solve", "batch.jsonl:4").stdout


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000, b"x" * 100])
def test_check_answers_garbage_with_no(run: Run, content: bytes) -> None:
    Path("bad").write_bytes(content)
    (report,) = document(run("check", "bad", "--json", code=1))
    assert report["problem"]
    assert len(report["problem"]) < 400


@pytest.mark.parametrize("path", ["missing", "empty", "a\0b", "triple/none", "triple:layers=0#1", "x" * 5000])
def test_check_cannot_read(run: Run, level_file: str, path: str) -> None:
    Path("empty").mkdir()
    one_error(run("check", level_file, path, "--json", code=2))


def test_permission_denied(run: Run, level_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Played, because nothing is forbidden to root."""

    def denied(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "open", denied)
    one_error(run("solve", level_file, code=2), "Permission denied")


def test_a_huge_file_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch, level_file: str) -> None:
    monkeypatch.setattr("winnable.levels.files.MAX_BYTES", 50)
    one_error(run("solve", level_file, code=2), "larger than")
    monkeypatch.setattr("winnable.cli.levels.MAX_BYTES", 50)
    one_error(run("solve", "-", stdin=b" " * 99, code=2), "stdin: larger than")


def test_import_and_export_round_trip(run: Run, level_file: str) -> None:
    level = document(run("export", level_file, "--json"))
    run("export", level_file, "--format", "sheep", "--output", "foreign.json")
    assert document(run("import", "foreign.json", "--json")) == level
    run("import", "foreign.json", "-o", "ours.json")
    assert json.loads(Path("ours.json").read_text()) == level
    text = run("export", level_file, "--format", "text").stdout
    assert text == SMALL + "\n"
    assert document(run("export", "triple", text.strip(), "--format", "json")) == level
    assert run("export", level_file, "--format", "svg").stdout.startswith("<svg")
    one_error(run("export", level_file, "--format", "png", code=2), "there are: json, text, svg, sheep")
    one_error(run("import", "nothing.json", code=2), "No such file")


def test_real_levels_import(run: Run) -> None:
    folder = Path(__file__).parents[3] / "shared" / "data" / "triple" / "levels"
    files = sorted(folder.glob("*.json"))[:3] if folder.is_dir() else []
    if not files:
        pytest.skip("the real levels are not here")
    for file in files:
        run("import", str(file), "--output", "level.json")
        assert "ok" in run("check", "level.json").stdout
        run("export", "level.json", "--format", "sheep", "--output", "again.json")
        assert run("import", "again.json").stdout == Path("level.json").read_text()


def test_repair(run: Run, level_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def mend(level: Any, seed: int, budget: Any) -> Any:
        return level

    def fail(level: Any, seed: int, budget: Any) -> Any:
        from winnable.contract.core import LevelError

        raise LevelError("the budget ran out after 3 games")

    repairs: Any = repairs_of(load_game("triple"))
    monkeypatch.setitem(repairs, "mend", mend)
    monkeypatch.setitem(repairs, "fail", fail)
    result = run("repair", level_file, "--method", "mend", "--json")
    assert document(result) == json.loads(Path(level_file).read_text())
    result = run("repair", level_file, "--method", "fail", "--json", code=3)
    assert result.stdout == ""
    assert "the budget ran out after 3 games" in result.stderr
    one_error(run("repair", level_file, "--method", "pray", code=2), "there are: fewest-swaps, de-repair")


def test_a_lost_level_is_repaired_by_the_fewest_swaps(run: Run) -> None:
    Path("lost.json").write_bytes(encoded(load_game("triple").parse_board(LOST)))
    told = run("repair", "lost.json", "--time", "600", "--output", "won.json").stderr
    assert re.search(r"repaired by fewest-swaps; swaps: \d+-\d+(, \d+-\d+)+; at least: 2", told)
    run("verify", "won.json")


def test_daily_and_default_levels(run: Run) -> None:
    daily = document(run("export", "triple:daily"))
    assert daily["provenance"]["seed"] == int(f"{clock.today():%Y%m%d}")
    assert document(run("export", "triple", "--seed", "7"))["provenance"]["seed"] == 7


def test_a_time_that_is_given_ends_what_is_made_to_order(run: Run) -> None:
    order = ("--set", "layers=2", "--set", "sets=2", "--set", "kinds=4", "--difficulty", "90%")
    result = run("generate", "triple", *order, "--time", "0.001", code=3)
    assert result.stdout == ""
    assert result.stderr.count("\n") == TRIES + 1, "a line for each seed, and what is missing"
