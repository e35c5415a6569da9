"""The whole command line with drops: what its user types and reads."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from tests.cli.cli_support import Run, document, one_error
from winnable.contract.provenance import Certificate
from winnable.games.drops.rules.level import Level

LEVEL = "drops:rows=2,columns=3#7"
BOARD = "402/041,drops=9"


def test_games_lists_drops(run: Run) -> None:
    info = {entry["name"]: entry for entry in document(run("games", "--json"))}["drops"]
    assert info["title"] == {"en": "Drops", "zh-CN": "十滴水"}
    assert "drops/01-first-drops" in info["levels"]
    params = {param["name"]: param for param in info["params"]}
    assert (params["rows"]["minimum"], params["rows"]["maximum"]) == (1, 32)
    assert params["rules"]["choices"] == ["classic", "snappers", "symmetric", "half"]


def test_an_identity_a_share_code_and_a_file_are_the_same_level(run: Run) -> None:
    code = run("export", "drops:rows=4,columns=5,slack=none#7", "--format", "text").stdout.strip()
    assert code == "10302/10202/00240/13421"
    run("export", "drops:rows=4,columns=5,slack=none#7", "-o", "level.json")
    level = json.loads(Path("level.json").read_text())
    assert level["board"] == code.split("/")
    assert level["provenance"]["params"]["columns"] == 5
    assert document(run("import", "level.json", "--json")) == level
    assert document(run("export", "drops", code, "--json"))["board"] == level["board"]
    reports = document(run("check", "level.json", "drops:rows=4,columns=5,slack=none#7", "--json"))
    assert reports[1]["same_as"] == "level.json"
    assert run("export", "drops", BOARD, "--format", "svg").stdout.startswith("<svg")
    one_error(run("export", "level.json", "--format", "png", code=2), "there are: json, text, svg")


def test_check_tells_how_large_the_level_is(run: Run) -> None:
    text = run("check", "drops/01-first-drops", "drops:rows=4,columns=5,slack=none#7").stdout
    assert "  4 rows, 5 columns, rules classic, 13 cells with drops, 28 units of water" in text
    assert "2 of 2 levels are fine." in text


def test_solve_says_the_line_in_cells_and_verify_reads_it(run: Run) -> None:
    solution = document(run("solve", LEVEL, "--json", "-o", "solution.json"))
    assert solution["status"] == "solved"
    assert all(re.fullmatch(r"\(\d,\d\)", name) for name in solution["moves"])
    text = run("solve", LEVEL).stdout.splitlines()
    assert text[0].startswith(f"{LEVEL}: SOLVED in {solution['cost']} actions")
    assert text[1].split() == solution["moves"]
    win = f"YES. {solution['cost']} actions win {LEVEL}.\n"
    assert run("verify", LEVEL, "solution.json").stdout == win
    assert run("verify", LEVEL, "-", stdin=text[1]).stdout == win
    assert (
        run("verify", LEVEL, "-", stdin=text[1].translate(str.maketrans("(,) ", "（，）\u3000"))).stdout
        == win
    )
    for between in ("；", ";", "、", "，", ", ", ",", " ; ", "\r\n"):
        line = between.join(solution["moves"])
        assert run("verify", LEVEL, "-", stdin=line).stdout == win
        assert run("verify", LEVEL, "-", stdin=line.translate(str.maketrans("(,)", "（，）"))).stdout == win
        told = document(run("margin", LEVEL, "--after", between.join(solution["moves"][:-1]), "--json"))
        assert told["verdict"] == "winnable"
    assert run("verify", LEVEL, "-", stdin=json.dumps(solution["moves"])).stdout == win
    assert run("verify", LEVEL, "-", stdin=json.dumps(solution["actions"])).stdout == win


def test_verify_says_why_not(run: Run) -> None:
    for typed, answer in (
        ("(1,1)", "NO. after 1 action the goal is not reached."),
        ("(2,1)", "NO. action 0 of 1: (2,1) is empty, and this level is not `open`."),
        ("6", "NO. action 0 of 1: cell 6 is not on a board of 6 cells."),
    ):
        assert run("verify", LEVEL, "-", stdin=typed, code=1).stdout == answer + "\n"
    one_error(run("verify", LEVEL, "-", stdin="(9,9)", code=2), "'(9,9)' is no action")


def test_too_few_drops_are_proved_to_be_too_few(run: Run) -> None:
    enough = document(run("solve", "drops", BOARD, "--json"))["cost"]
    board = BOARD.replace("drops=9", f"drops={enough - 1}")
    assert "UNSOLVABLE" in run("solve", "drops", board, code=1).stdout
    run("solve", "drops", board.replace("drops=", "drops=0"), code=1)


def test_a_game_in_the_terminal(run: Run) -> None:
    typed = "(1,1)\n3,1\n3 1\nu\nr\n9,9\nfoo\n2,1\n?\ns game.json\nq\n"
    shown = run("play", "drops", BOARD, stdin=typed).stdout
    assert shown.startswith("  1 2 3  x\n1 4 · 2\n2 · 4 1\ny\nDrops left: 9\n  1 2 3  x\n1 · · 3\n")
    for answer in (
        "(9,9) is not on a board of 3 × 2 cells",
        "'foo' is no cell; write x,y as in 1,1",
        "(2,1) is empty, and this level is not `open`",
        "(2,2)       for example: play the action of this name",
        "go on with: winnable play game.json",
    ):
        assert answer in shown
    result = document(run("play", "game.json", "--json", stdin="restart\n(2,2)\n"))
    assert (result["actions"], result["standing"]) == ([4], "playing")


def test_hints_lead_to_a_win(run: Run) -> None:
    cost = document(run("solve", "drops", BOARD, "--json"))["cost"]
    shown = run("play", "drops", BOARD, "--lamp", stdin="n\n" * cost).stdout
    assert f"Won in {cost} actions." in shown
    assert "Hint: (" in shown
    assert "winnable (1 action to go)" in shown


def test_a_game_is_won_or_lost(run: Run) -> None:
    assert "Won in 1 action." in run("play", "drops", "4,drops=1", stdin="1,1\n").stdout
    lost = run("play", "drops", "1,drops=1", stdin="1,1\n1,1\nu\n").stdout
    assert "Lost: no action is left." in lost
    assert "no drop is left to click with" in lost
    assert lost.count("Drops left: 1") == 2
    flash = run("play", "drops", "4440/0004,flash=5.1", stdin="1,1\n").stdout
    assert [line for line in flash.splitlines() if "tank" in line] == ["In the tank: 10"] * 2


@pytest.mark.parametrize("level", [LEVEL, "drops:mode=flash,rows=3#2", "drops/01-first-drops"])
def test_watch(run: Run, level: str) -> None:
    shown = run("watch", level, "--by", "random").stdout
    assert "random: " in shown
    watched = document(run("watch", level, "--by", "random", "--seed", "3", "--json"))
    assert watched["actions"]
    assert len(watched["moves"]) == len(watched["actions"])
    one_error(run("watch", level, "--by", "nobody", code=2), "drops has no 'nobody'")


def test_compare(run: Run) -> None:
    rows = document(
        run(
            "compare",
            "drops",
            "--set",
            "rows=2,columns=3,slack=none",
            "--by",
            "random",
            "--games",
            "4",
            "--json",
        )
    )
    assert [(row["name"], row["games"], row["won"]) for row in rows] == [("random", 4, 4)]
    assert "random" in run("compare", LEVEL, "--by", "random,optimal", "--games", "2").stdout


def test_generate_counts_up_and_certifies(run: Run) -> None:
    run(
        "generate",
        "drops",
        "rows=2",
        "columns=2",
        "--seed",
        "4",
        "--count",
        "3",
        "--certify",
        "-o",
        "x.jsonl",
    )
    lines = [json.loads(line) for line in Path("x.jsonl").read_text().splitlines()]
    assert [line["provenance"]["seed"] for line in lines] == [4, 5, 6]
    reports = document(run("check", "x.jsonl", "--json"))
    assert [report["certificate"] for report in reports] == ["holds"] * 3


def test_an_endless_game_goes_on_with_the_next_board(run: Run) -> None:
    level = "drops:rows=2,columns=2,mode=flash#3"
    line = document(run("solve", level, "--json"))["moves"]
    text = run("play", level, stdin="\n".join(["b", *line, "b", "q"])).stdout
    assert "board: a next board comes only after a win in an endless game" in text
    won = text.partition("b: next board, u: undo")
    assert won[1]
    assert "In the tank:" in won[2]


def test_check_does_not_take_a_certificates_figures_on_trust(run: Run) -> None:
    def wasteful(cost: int, bound: int) -> str:
        certificate = Certificate("solved", "test", "0", (0,) * 4 + (2,) * 3, cost, bound)
        Path("x.json").write_bytes(msgspec.json.encode(Level(("141",), certificate=certificate)))
        return "x.json"

    assert "YES" in run("verify", wasteful(7, 7)).stdout
    assert document(run("check", wasteful(7, 6), "--solve", "--json"))[0]["certificate"] == "holds"
    for options, cost, bound, complaint in (
        ((), 6, 6, "cost: 6 is claimed, and the line costs 7"),
        ((), 7, 8, "lower_bound: 8 is claimed, and the line costs 7"),
        (("--solve",), 7, 7, "lower_bound: 7 is claimed, and a line costs 6"),
    ):
        (report,) = document(run("check", wasteful(cost, bound), *options, "--json", code=1))
        assert report["certificate"] == "fails"
        assert complaint in report["problem"]
    assert "NO. cost: 6 is claimed" in run("verify", wasteful(6, 6), code=1).stdout
