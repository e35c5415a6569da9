"""The command line speaks the language of the locale; `--json` says the same whatever it is."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.cli_support import LOST, SMALL, Run
from winnable.cli.output import print_table

CHINESE = re.compile(r"[\u4e00-\u9fff]")
Locale = Callable[[str], None]


@pytest.fixture
def locale(monkeypatch: pytest.MonkeyPatch) -> Locale:
    def locale(name: str) -> None:
        monkeypatch.setenv("LC_ALL", name)

    return locale


@pytest.mark.parametrize(
    ("arguments", "code", "english", "chinese"),
    [
        (["solve", "triple", SMALL], 0, "SOLVED in 6 actions", "6 步"),
        (["solve", "triple", LOST], 1, "UNSOLVABLE. No line wins", "无解"),
        (
            ["verify", "small.json", "solution"],
            1,
            "NO. after 3 actions the goal is not reached.",
            "走完 3 步，目标没有达到",
        ),
        (
            ["verify", "small.json", "solution-whole"],
            0,
            "YES. 6 actions win small.json.",
            "成立：6 步赢下 small.json。",
        ),
        (
            ["check", "small.json"],
            0,
            "small.json: ok\n  6 tiles, 2 kinds, 3 layers",
            "small.json：没有问题\n  6 个牌块、2 种图案、3 层",
        ),
        (
            ["check", "bad.json"],
            1,
            "FAILED: slots: Expected `int` >= 1",
            "有问题：slots: 应为不小于 1 的 int",
        ),
        (
            ["measure", "triple", SMALL, "--by", "careful", "--games", "1", "--time", "5"],
            0,
            "difficulty: ",
            "难度：",
        ),
        (
            ["runs", "export", "0", "1"],
            2,
            "RUN: only one at a time for jsonl (see",
            "RUN: jsonl 一次只能有一个（见",
        ),
        (["solve", "bad.json"], 2, "error: bad.json: slots: Expected", "错误：bad.json: slots: 应为"),
        (
            ["solve", "missing.json"],
            2,
            "missing.json: No such file or directory",
            "missing.json: 没有这个文件或文件夹",
        ),
        (["solve", "triple:layers=0#1"], 2, "layers: from 1 to", "layers: 应在 1 到"),
        (
            ["solve", "triple:layers=3"],
            2,
            "lacks its seed; write triple:layers=3#1",
            "缺少种子；请写 triple:layers=3#1",
        ),
        (
            ["solve", "drops", "4x"],
            2,
            "board[0]: 'x' at column 2 is not a digit",
            "board[0]: 第 2 列的“x”不是 0 到 4 的数字",
        ),
        (
            ["solve"],
            2,
            "Missing argument 'LEVEL' (see `winnable solve --help`)",
            "缺少参数 'LEVEL'（见 `winnable solve --help`）",
        ),
        (
            ["solve", "triple", SMALL, "--nonsense"],
            2,
            "No such option '--nonsense'",
            "没有选项 '--nonsense'",
        ),
        (["solve", "triple", SMALL, "--seed", "x"], 2, "'x' is not a valid integer", "'x' 不是整数"),
        (
            ["solve", "triple", SMALL, "--time", "0"],
            2,
            "'0' is not a number of seconds above 0",
            "“0”不是大于 0 的秒数",
        ),
        (["nonsense"], 2, "No such command 'nonsense'", "没有命令 'nonsense'"),
    ],
)
def test_results_and_errors_follow_the_locale(
    run: Run, locale: Locale, level_file: str, arguments: list[str], code: int, english: str, chinese: str
) -> None:
    whole = json.loads(run("solve", "small.json", "--json").stdout)["moves"]
    Path("solution").write_text(" ".join(whole[:3]))
    Path("solution-whole").write_text(" ".join(whole))
    small = json.loads(Path("small.json").read_text())
    Path("bad.json").write_text(json.dumps({**small, "slots": -1}))
    told: dict[str, str] = {}
    for name in ("C", "en_GB.UTF-8", "zh_CN.UTF-8"):
        locale(name)
        told[name] = run(*arguments, code=code).output
    assert english in told["C"]
    assert not CHINESE.search(told["C"])
    assert english in told["en_GB.UTF-8"]
    assert chinese in told["zh_CN.UTF-8"]


def test_play_speaks_chinese(run: Run, locale: Locale) -> None:
    locale("zh_CN.UTF-8")
    shown = run("play", "triple", SMALL, "--lamp", stdin="?\nhint\nu\n99\nl\n").stdout
    for sentence in (
        "判定灯  可以赢（还有 6 步）", "下一步", "提示：", "已经在开局了", "（按 ? 看按键）", "已关闭",
    ):  # fmt: skip
        assert sentence in shown
    assert "没有提示：已输" in run("play", "triple", LOST, stdin="h\n").stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["check", "small.json", "bad.json"], 1),
        (["verify", "small.json", "solution"], 1),
        (["play", "triple", LOST], 0),
        (["runs"], 0),
        (["tables", "2048"], 0),
        (["games"], 0),
    ],
)
def test_json_is_the_same_in_every_locale(
    run: Run, locale: Locale, level_file: str, arguments: list[str], code: int
) -> None:
    small = json.loads(Path("small.json").read_text())
    Path("bad.json").write_text(json.dumps({**small, "slots": -1}))
    Path("solution").write_text("0")
    said = set[str]()
    for name in ("C", "zh_CN.UTF-8"):
        locale(name)
        said.add(run(*arguments, "--json", code=code, stdin="").stdout)
    assert len(said) == 1
    assert not CHINESE.search(said.pop()) or arguments == ["games"]


def test_the_program_reads_the_locale(level_file: str) -> None:
    for name, sentence in (
        ("C", "error: no.json: No such file"),
        ("zh_CN.UTF-8", "错误：no.json: 没有这个文件"),
    ):
        result = subprocess.run(
            [sys.executable, "-m", "winnable", "solve", "no.json"],
            capture_output=True, text=True, encoding="utf-8",
            env={"LC_ALL": name, "PYTHONUTF8": "1", "PYTHONPATH": ":".join(sys.path)},
        )  # fmt: skip
        assert result.returncode == 2
        assert sentence in result.stderr


def test_columns_are_aligned_by_width(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("玩家", "胜率"), [("careful", "5 %"), ("贪心", "100 %")])
    lines = capsys.readouterr().out.splitlines()
    assert {cell_len(line) for line in lines} == {7 + 2 + 5}
