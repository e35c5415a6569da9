"""play, watch, compare, bench: games in the terminal and in numbers."""

import json
import os
import re
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

import bench
from tests.cli.cli_support import LOST, SMALL, Run, document, one_error
from winnable.contract.registry import load_game

TINY = "layers=2,sets=1,kinds=3,side=3"


def test_hints_lead_to_a_win(run: Run) -> None:
    """As a person would: ask, read the number, type it."""
    typed: list[str] = []
    for _ in range(6):
        shown = run("play", "triple", SMALL, stdin="\n".join([*typed, "h", "q"])).stdout
        hints = re.findall(r"Hint: (\d+):", shown)
        typed.append(hints[-1])
    end = run("play", "triple", SMALL, "--lamp", stdin="\n".join(typed)).stdout
    assert "Won in 6 actions." in end
    assert "Lamp    winnable (1 action to go)" in end


def test_next_plays_the_hint(run: Run) -> None:
    played = document(run("play", "triple/1-first-steps", "--json", stdin="n\n" * 18))
    assert played["standing"] == "won"
    assert len(played["actions"]) == len(played["moves"]) == 18


def test_undo_redo_restart_save_and_go_on(run: Run) -> None:
    script = "5\n3\nundo\nundo\nredo\nsave game.json\nq\n"
    result = run("play", "triple", SMALL, stdin=script)
    assert "Saved; go on with: winnable play game.json" in result.stdout
    saved = json.loads(Path("game.json").read_text())
    assert (saved["actions"], saved["node"]) == ([5, 3], 1)
    assert document(run("play", "game.json", "--json", stdin="redo\n"))["actions"] == [5, 3]
    assert document(run("play", "game.json", "--json", stdin="restart\n"))["actions"] == []


def test_what_was_undone_stays_as_a_branch(run: Run) -> None:
    shown = run("play", "triple", SMALL, stdin="a\n5\n3\nu\n4\na\na\ns game.json\n").stdout
    assert "alternate: nothing else was played" in shown
    assert re.findall(r"Move (\d+): (\d+):.*, branch (\d) of (\d)", shown) == [
        ("2", "3", "1", "2"),
        ("2", "4", "2", "2"),
    ]
    assert document(run("play", "game.json", "--json", stdin="a\n"))["actions"] == [5, 3]


def test_what_a_chinese_keyboard_types_is_read(run: Run) -> None:
    shown = run("play", "drops/05-puddle", stdin="？\n（２，１）\nｕ\n(1， 2)\n").stdout
    assert "for example: play the action of this name" in shown
    played = document(run("play", "drops/05-puddle", "--json", stdin="（２，１）\nｕ\n(1，2)\n"))
    assert played["moves"] == ["(1,2)"]


def test_what_cannot_be_obeyed_is_answered(run: Run) -> None:
    script = "0\n99\n-1\nfly\nundo\nredo\nsave\nsave /no/such/folder/x\n\n?\nl\nl\n5:kind0@8,8,2\n"
    shown = run("play", "triple", SMALL, stdin=script).stdout
    for answer in (
        "tile 0 is covered", "action 99 is not a tile", "'-1' names no tile",
        "'fly' names no tile: a number from 0 to 5 is meant (? shows the keys)",
        "the start of the game", "nothing was undone", "save: name a file", "No such file",
        "5           for example: play the action of this name",
        "Lamp    winnable (6 actions to go)", "Lamp    off", "Status  playing; 5 left",
    ):  # fmt: skip
        assert answer in shown, answer


def test_a_lost_game_is_said(run: Run) -> None:
    shown = run("play", "triple", LOST, "--lamp", stdin="h\n8\n7\n6\nu\n").stdout
    assert "Lamp    LOST: no line wins from here" in shown
    assert "The tray has room for 2 more, but even the nearest triple" in shown
    assert "No hint: LOST" in shown
    assert "Lost: no action is left." in shown
    one_error(run("play", "missing.json", code=2), "No such file")
    Path("bad.json").write_text('{"format": "winnable.session/1", "level": 3}')
    one_error(run("play", "bad.json", code=2), "level_id")


def test_hidden_kinds_stay_hidden_in_what_is_shown(run: Run) -> None:
    shown = run("play", "triple", "7:0@0.0,1@8.0,1@16.0,1@24.0/0@0.0,0@32.0", stdin="4\n").stdout
    first, second = shown.split("Status")[:2]
    assert "A" in second
    assert first.count("A") == 2, "tile 0 is wholly covered"


def test_watch(run: Run, level_file: str) -> None:
    assert "greedy: won after 18 actions" in run("watch", "triple/1-first-steps", "--by", "greedy").stdout
    watched = document(run("watch", level_file, "--json"))
    assert (watched["by"], watched["status"], watched["standing"]) == ("plain", "solved", "won")
    again = [document(run("watch", "triple:layers=3,sets=2#1", "--by", "random", "--seed", "4", "--json"))
             for _ in range(2)]  # fmt: skip
    assert again[0] == again[1]
    assert again[0]["status"] is None
    assert "proved that no line wins" in run("watch", "triple", LOST, code=1).stdout
    assert "found no line" in run("watch", level_file, "--time", "1e-9", code=3).stdout
    cut = run("watch", "2048/1-2048", "--by", "random", "--time", "1e-9", code=3).stdout
    assert "playing after 0 actions" in cut
    assert cut.rstrip().endswith(": its time of 1e-09 s is over")
    limit = document(run("watch", level_file, "--by", "greedy", "--time", "1e-9", "--json", code=3))["limit"]
    assert limit == {"kind": "time", "value": 1e-9}
    one_error(run("watch", level_file, "--by", "nobody", code=2), "there are: greedy, random, matching")
    one_error(run("watch", level_file, "--speed", "0", code=2), "--speed")


def test_compare_on_generated_levels(run: Run) -> None:
    rows = document(run("compare", "triple", "--set", TINY, "--by", "greedy,plain", "--games", "4", "--json"))
    assert [(row["name"], row["kind"], row["games"]) for row in rows] == [
        ("greedy", "player", 4),
        ("plain", "solver", 4),
    ]
    for row in rows:
        assert row["won"] + row["lost"] + row["undecided"] == 4
        assert 0 <= row["ci_low"] <= row["win_rate"] <= row["ci_high"] <= 1
    assert rows[1]["won"] == 4
    assert rows[1]["mean_length"] == 9


def test_compare_says_what_the_clock_cut(run: Run) -> None:
    """Where a game never ends, a mean that hangs on how fast the machine is says so."""
    arguments = ("compare", "rotate", "--by", "random", "--games", "2", "--time", "0.05")
    (row,) = document(run(*arguments, "--json"))
    assert (row["games"], row["undecided"], row["cut"]) == (2, 2, 2)
    assert row["at_least"] is True
    assert row["mean_length"] > 0
    said = run(*arguments).stdout
    assert "The clock cut 2 of 2 games short, after 0.05 s: they count with what they had" in said
    assert "≥ " in said
    (row,) = document(run("compare", "tetris", "--by", "random", "--games", "2", "--json"))
    assert (row["cut"], row["at_least"]) == (0, False)
    assert row["mean_length"] > 0
    assert row["score_low"] is None or row["score_low"] < row["mean_score"] < row["score_high"]
    (row,) = document(run("compare", "2048", "--by", "random", "--games", "2", "--time", "0.001", "--json"))
    assert (row["cut"], row["at_least"], row["score_low"]) == (2, True, None)
    assert "cut" in run("compare", "2048", "--by", "random", "--games", "2", "--time", "0.001").stdout


def test_compare_leaves_out_players_that_refuse_the_level(run: Run) -> None:
    rows = document(run("compare", "2048", "--games", "1", "--time", "0.001", "--json"))
    assert {"article", "random"} <= {row["name"] for row in rows} < set(load_game("2048").players)
    one_error(run("compare", "2048", "--by", "random,exact", code=2), "at most 10 cells, not for 4 × 4")


def test_compare_on_one_level_prints_a_table(run: Run, level_file: str) -> None:
    text = run("compare", level_file, "--by", "random,plain", "--games", "3").stdout
    assert re.search(r"plain +3 +3 +0 +0 +100.0% +43.9% - 100.0% +6.0", text)
    (row,) = document(run("compare", level_file, "--by", "plain", "--time", "1e-9", "--json"))
    assert row["undecided"] == 10
    one_error(run("compare", level_file, "--by", "x", code=2), "no 'x'")
    one_error(run("compare", level_file, "--by", ",", code=2), "nobody is named")
    one_error(run("compare", level_file, "--set", "layers=2", code=2), "for a GAME")
    one_error(run("compare", "triple", "--games", "0", code=2), "--games")


def test_bench(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = document(run("bench", "--json"))
    assert {"name", "about"} == set(listed[0])
    assert "triple-article-table  " in run("bench").stdout

    from bench.report import Row

    def rows(games: int = 7, seed: int = 0, progress: object = None) -> list[Row]:
        return [
            Row("speed", 12345.6, "1/s", None, None, games, seed),
            Row("share", 0.5, "", 0.1, 0.9, games, seed, 0.4),
        ]

    def load(name: str) -> object:
        return rows

    monkeypatch.setattr(bench, "load_benchmark", load)
    first = document(run("bench", "any", "--seed", "3", "--json"))[0]
    assert first == {
        "name": "speed", "value": 12345.6, "unit": "1/s", "ci_low": None, "ci_high": None, "n": 7, "seed": 3,
        "reference": None,
    }  # fmt: skip
    text = run("bench", "any", "--games", "2").stdout
    assert re.search(r"share +0\.500 +0\.100 - 0\.900 +2 +0\.400", text)


def test_a_benchmark_writes_its_document(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from bench.report import Row

    def rows(progress: object) -> Iterator[Row]:
        yield Row("one", 1.0)

    def names(rows: Sequence[Row]) -> str:
        return "".join(row.name for row in rows)

    def load(name: str) -> object:
        return rows

    def load_document(name: str) -> object:
        return names

    assert "makes none" in run("bench", "triple-article-table", "--document", "no.md", code=2).stderr
    monkeypatch.setattr(bench, "load_benchmark", load)
    monkeypatch.setattr(bench, "load_document", load_document)
    run("bench", "any", "--document", "made.md")
    assert Path("made.md").read_text() == "one"


def test_a_benchmark_that_finds_something_wrong_shows_its_rows(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bench.report import CheckFailed, Row

    def rows(progress: object) -> Iterator[Row]:
        yield Row("wrong", 1.0)
        raise CheckFailed("one answer is wrong")

    def load(name: str) -> object:
        return rows

    monkeypatch.setattr(bench, "load_benchmark", load)
    result = run("bench", "any", "--json", code=1)
    assert [row["name"] for row in document(result)] == ["wrong"]
    assert result.stderr == "winnable: error: one answer is wrong\n"


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_benchmark_with_the_rows_so_far(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it is heard only when the benchmark tells how far it is."""
    from bench.report import Row

    def rows(progress: Callable[[int, int], None]) -> Iterator[Row]:
        yield Row("first", 1.0)
        os.kill(os.getpid(), signal.SIGINT)
        progress(1, 2)
        yield Row("second", 2.0)

    def load(name: str) -> object:
        return rows

    monkeypatch.setattr(bench, "load_benchmark", load)
    result = run("bench", "any", "--json", code=3)
    assert [row["name"] for row in json.loads(result.stdout)] == ["first"]


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_benchmark_that_hears_of_ctrl_c_may_end_with_some_rows(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bench.report import Row

    def rows(progress: Callable[[int, int], None]) -> Iterator[Row]:
        os.kill(os.getpid(), signal.SIGINT)
        with suppress(KeyboardInterrupt):
            progress(1, 2)
        yield from (Row("first", 1.0), Row("second", 2.0))

    def load(name: str) -> object:
        return rows

    monkeypatch.setattr(bench, "load_benchmark", load)
    result = run("bench", "any", "--json", code=3)
    assert [row["name"] for row in json.loads(result.stdout)] == ["first", "second"]


def test_bench_refuses(run: Run) -> None:
    one_error(run("bench", "nothing", code=2), "unknown benchmark 'nothing'")
    one_error(run("bench", "triple-article-table", "--games", "-3", code=2), "--games")
    one_error(run("bench", "triple-article-table", "--pieces", "9", code=2), "pieces: the benchmark")
    one_error(run("bench", "drops-all-ones", "--seed", "0", code=2), "seed: the benchmark")
    one_error(run("bench", "tetris-article-rivals", "--runs", "1", code=2), "--runs")


def test_watch_refuses_a_speed_that_is_no_number(run: Run) -> None:
    one_error(run("watch", "triple/1-first-steps", "--speed", "nan", code=2), "'nan' is not a number")


def test_compare_takes_several_levels_and_the_tables_of_articles(run: Run) -> None:
    rows = document(
        run(
            "compare",
            f"triple:{TINY}",
            "triple/1-first-steps",
            "--by",
            "greedy,exact",
            "--games",
            "2",
            "--json",
        )
    )
    assert [(row["level"], row["name"]) for row in rows] == [
        (level, by) for level in (f"triple:{TINY}", "triple/1-first-steps") for by in ("greedy", "exact")
    ]
    rows = document(run("compare", "triple", "--preset", "layers", "--games", "1", "--json"))
    assert [row["level"] for row in rows] == [f"triple:layers={layers}" for layers in range(12, 31)]
    assert {(row["name"], row["games"], row["seed"]) for row in rows} == {("greedy", 1, 0)}
    assert rows[0]["article"] == {"win_rate": 0.36, "mean_completion": 0.7954}
    said = run("compare", "triple", "--preset", "layers", "--games", "1").stdout
    assert re.search(r"triple:layers=12 +greedy .* 36\.0% .* 79\.5%", said)
    assert "layers" in run("games", "triple").stdout
    one_error(run("compare", "triple", "--preset", "no", code=2), "triple has no 'no'; there are: layers")
    one_error(run("compare", "triple/1-first-steps", "--preset", "layers", code=2), "one GAME")
    for level in (f"triple:{TINY}", "triple/1-first-steps"):
        one_error(run("compare", level, "--set", "layers=3", code=2), "set: ")
    one_error(run("compare", "triple", "drops", "--by", "random", code=2), "not of triple, drops")
