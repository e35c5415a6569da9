"""Files of several levels, files with a mark, and names that are nearly right, at the command line."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.cli.cli_support import Run, document, encoded, one_error
from winnable.contract.registry import GAMES, load_game

BOM = b"\xef\xbb\xbf"


@pytest.fixture
def batch(run: Run) -> str:
    """Three small levels of drops, with a mark and the ends of lines of another system."""
    game = load_game("drops")
    boards = ("4/3", "44/31", "4/1")
    lines = [encoded(game.parse_board(board)) for board in boards]
    Path("levels.jsonl").write_bytes(BOM + b"\r\n".join(lines) + b"\r\n")
    return "levels.jsonl"


@pytest.mark.parametrize("command", ["solve", "watch", "margin", "export", "play", "verify"])
def test_one_level_is_the_first_and_that_is_told(run: Run, batch: str, command: str) -> None:
    told = "levels.jsonl holds 3 levels; this is the first. levels.jsonl#2 is the next"
    assert told in run(command, batch, stdin="quit\n", code=None).stderr
    assert "holds" not in run(command, f"{batch}#2", stdin="quit\n", code=None).stderr
    one_error(run(command, f"{batch}#4", code=2), "no level in line 4; levels in the file: 3")
    one_error(run(command, f"{batch}#x", code=2), "which 'x' is not")


def test_import_takes_a_level_of_several(run: Run, batch: str) -> None:
    first, second = (run("import", f"{batch}{line}") for line in ("", "#2"))
    assert "levels.jsonl holds 3 levels; this is the first" in first.stderr
    assert second.stderr == ""
    assert first.stdout != second.stdout
    one_error(run("import", f"{batch}#4", code=2), "no level in line 4; levels in the file: 3")


def test_a_line_is_the_level_in_it(run: Run, batch: str) -> None:
    boards = [
        run("export", f"{batch}{line}", "--format", "text").stdout.strip() for line in ("#1", "#2", ":3")
    ]
    assert [board.partition(",")[0] for board in boards] == ["4/3", "44/31", "4/1"]
    told = run("solve", "-", stdin=Path(batch).read_bytes())
    assert "- holds 3 levels" in told.stderr


def test_all_levels_are_checked_measured_and_compared(run: Run, batch: str) -> None:
    assert [row["source"] for row in document(run("check", batch, "--json"))] == [
        f"levels.jsonl:{line}" for line in (1, 2, 3)
    ]
    assert [row["source"] for row in document(run("check", f"{batch}:3", "--json"))] == ["levels.jsonl:3"]
    rows = document(run("compare", batch, "--by", "random,optimal", "--json"))
    assert [(row["games"], row["won"] + row["lost"]) for row in rows] == [(3, 3), (3, 3)]
    assert document(run("compare", batch, "--by", "random", "--games", "5", "--json"))[0]["games"] == 5


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are text there")
def test_a_name_that_is_no_text_is_told_as_it_is(run: Run, batch: str) -> None:
    name = os.fsdecode(b"\xff.jsonl")
    Path(batch).rename(name)
    assert document(run("check", name, "--json"))[0]["source"] == f"{name}:1"


def test_levels_are_measured_one_after_the_other(run: Run) -> None:
    one = encoded(load_game("triple").parse_board("7:0@0.0,0@8.0,0@16.0"))
    Path("levels.jsonl").write_bytes(one + b"\n" + one)
    told = document(run("measure", "levels.jsonl", "--games", "2", "--by", "random", "--json"))
    assert [row["players"][0]["games"] for row in told] == [2, 2]
    shown = run("measure", "levels.jsonl", "--games", "2", "--by", "random").stdout
    assert [line for line in shown.splitlines() if line.startswith(("1. triple@", "2. triple@"))]
    assert document(run("measure", "levels.jsonl#2", "--games", "2", "--by", "random", "--json"))["seed"] == 0


def test_levels_of_two_games_are_not_compared(run: Run) -> None:
    boards = [("drops", "4/3"), ("rotate", "01/10")]
    Path("both.jsonl").write_bytes(b"\n".join(encoded(load_game(g).parse_board(b)) for g, b in boards))
    one_error(run("compare", "both.jsonl", code=2), "levels of one game, please, not of drops, rotate")


def test_marks_of_other_files_mean_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("hex.txt").write_bytes(BOM + b"1230000000010000\r\n")
    assert json.loads(run("import", "hex.txt", "--format", "hex").stdout)["board"][0] == [2, 4, 8, 0]
    one_error(run("import", "hex.txt", code=2), "nor is it any of")
    Path("line.txt").write_bytes(BOM + b"(1,1)\r\n")
    Path("level.json").write_bytes(encoded(load_game("drops").parse_board("4")))
    assert "wins" in run("verify", "level.json", "line.txt").stdout
    assert "wins" in run("verify", "level.json", "-", stdin=BOM + b"(1,1)\n").stdout
    Path("settings.toml").write_bytes(BOM + b"[generate]\r\ncount = 2\r\n")
    monkeypatch.setenv("WINNABLE_CONFIG", "settings.toml")
    assert len(run("generate", "drops").stdout.splitlines()) == 2
    assert "count = 2" in run("config").stdout
    Path("settings.toml").write_text("[generate]\ncount = 2\n", "utf-16")
    one_error(run("generate", "drops", code=2), "settings.toml: not valid UTF-8")


def test_a_marked_script_is_obeyed(run: Run) -> None:
    told = run("play", "drops", "4", stdin=BOM + b"(1,1)\r\nquit\r\n")
    assert "(? shows the keys)" not in told.stdout
    assert document(run("play", "drops", "4", "--json", stdin=BOM + b"(1,1)\n"))["standing"] == "won"


def test_a_drawing_is_a_level(run: Run) -> None:
    Path("drawing.txt").write_bytes(BOM + b"layer 0:\r\nx.x.x.\r\n")
    level = json.loads(run("import", "drawing.txt", "--seed", "3").stdout)
    assert (len(level["tiles"]), level["provenance"]["seed"]) == (3, 3)
    assert "SOLVED" in run("solve", "drawing.txt").stdout
    assert "nor is it" not in run("solve", "drawing.txt").stderr


# -- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["slove", "x"], "solve"),
        (["solve", "--tme", "3", "drops"], "--time"),
        (["generate", "drops", "--certfy"], "--certify"),
        (["data", "exprot"], "export"),
        (["--log-level", "wraning", "games"], "warning"),
        (["completion", "bsh"], "bash"),
        (["games", "drosp"], "drops"),
        (["games", "--schema", "tetri"], "tetris"),
        (["generate", "tripel"], "triple"),
        (["compare", "drosp"], "drops"),
        (["tasks", "drosp"], "drops"),
        (["tables", "2084"], "2048"),
        (["tune", "tripple", "x"], "triple"),
        (["solve", "drops/05-pudle"], "drops/05-puddle"),
        (["solve", "drops", "4/3", "--solver", "optmal"], "optimal"),
        (["solve", "triple", "7:0@0.0,0@8.0,0@16.0", "--solver", "exact(limt=3)"], None),
        (["watch", "drops", "4/3", "--by", "greedi"], "greedy"),
        (["compare", "triple", "--by", "exact,careful,greeedy"], "greedy"),
        (["generate", "triple", "layrs=3"], "layers"),
        (["generate", "triple", "layout=pagodda"], "pagoda"),
        (["generate", "triple", "--difficulty", "20%", "--by", "carefull"], "careful"),
        (["tune", "triple", "beam-bakward"], "beam-backward"),
        (["tune", "tetris", "wall", "--optimizer", "cros-entropy"], None),
        (["tasks", "drops", "--difficulty", "esay"], "easy"),
        (["repair", "triple", "--method", "fewst-swaps"], "fewest-swaps"),
        (["import", "x.txt", "--format", "shep"], None),
        (["solve", "drops", "4/3,drps=3"], "drops=N"),
        (["export", "drops/05-puddle", "--format", "jsn"], "json"),
    ],
)
def test_what_was_probably_meant_is_said(run: Run, arguments: list[str], near: str | None) -> None:
    Path("x.txt").write_bytes(b"x")
    told = run(*arguments, code=2).stderr
    if near is None:
        assert "error: " in told
    else:
        assert f"did you mean {near}?" in told


@pytest.mark.parametrize(
    ("wide", "plain"),
    [
        (["ｄｒｏｐｓ"], ["drops"]),
        (["drops／01-first-drops"], ["drops/01-first-drops"]),
        (["drops：rows＝３，columns=3"], ["drops:rows=3,columns=3"]),
        (["drops：rows=3，columns=3＃5"], ["drops:rows=3,columns=3#5"]),
        (["drops：44／31"], ["drops:44/31"]),
        (["drops", "--set", "rows＝3，columns＝３"], ["drops", "--set", "rows=3,columns=3"]),
    ],
)
def test_wide_characters_name_the_same(run: Run, wide: list[str], plain: list[str]) -> None:
    def games(arguments: list[str], by: str) -> list[object]:
        rows = document(run("compare", *arguments, "--by", by, "--games", "2", "--json"))
        return [(row["name"], row["settings"], row["won"], row["mean_length"]) for row in rows]

    assert games(wide, "greedy，a（k＝１）") == games(plain, "greedy,a(k=1)")


def test_it_is_said_in_chinese_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    for arguments, near in ((["slove"], "solve"), (["solve", "drops/05-pudle"], "drops/05-puddle")):
        assert f"；是不是 {near}？" in run(*arguments, code=2).stderr


def test_what_is_like_nothing_is_not_guessed(run: Run) -> None:
    for arguments in (["zzz"], ["generate", "zzz"], ["solve", "drops", "4/3", "--solver", "zzz"]):
        assert "did you mean" not in run(*arguments, code=2).stderr


def test_games_tells_of_those_that_are_named(run: Run) -> None:
    one = run("games", "drops").stdout
    for word in ("drops  ", "solvers", "players", "params", "levels", "drops/05-puddle"):
        assert word in one
    assert "tetris" not in one
    assert [info["name"] for info in document(run("games", "tetris", "drops", "--json"))] == [
        "tetris",
        "drops",
    ]
    assert [info["name"] for info in document(run("games", "--json"))] == list(GAMES)


def test_tasks_are_called_tasks(run: Run) -> None:
    told = run("tasks", "drops", "--difficulty", "easy", "--count", "2", "-o", "tasks.jsonl").stderr
    assert "2 tasks written to tasks.jsonl" in told
    assert "level" not in told


def test_losses_and_what_the_clock_cut_have_their_own_columns(run: Run) -> None:
    told = run("compare", "drops", "--by", "random,optimal", "--games", "2", "--time", "20").stdout
    head, _, random, optimal, *rest = told.splitlines()
    assert head.split()[:5] == ["name", "games", "won", "lost", "by"]
    assert random.split()[1:5] == ["2", "0", "2", "0"]
    assert optimal.split()[1:5] == ["2", "2", "0", "0"]
    assert "open" not in head
    assert rest[0].startswith("lost: by the rules; of a solver, proofs that nothing wins. by time:")
    told = run("compare", "rotate", "--by", "random", "--games", "1", "--time", "0.2").stdout
    assert told.splitlines()[2].split()[1:5] == ["1", "0", "0", "1"]


def test_where_nothing_may_be_written_is_said_before_the_work(
    run: Run, batch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device needs no folder that lets files be made."""
    Path("report.xml").write_text("old")
    places = ["report.xml", ".", str(Path(os.devnull).parent)]
    access = os.access

    def guarded(path: object, mode: int) -> bool:
        return str(path) != places[0] and access(str(path), mode)

    monkeypatch.setattr(os, "access", guarded)
    for _ in range(2):
        one_error(run("check", batch, "--junit", "report.xml", code=2), f"{places.pop(0)}: Permission denied")
    assert Path("report.xml").read_text() == "old"
    run("check", batch, "--junit", os.devnull)


def test_a_folder_that_cannot_be_looked_into_is_not_left_out(
    run: Run, batch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("secret").mkdir()
    scan = os.scandir

    def guarded(path: str) -> object:
        if path.endswith("secret"):
            raise PermissionError(13, "denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", guarded)
    one_error(run("check", ".", code=2), "secret: Permission denied")
