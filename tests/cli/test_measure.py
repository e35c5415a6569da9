"""`winnable measure`: how hard a level is for people."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.cli.cli_support import LOST, Run, document, one_error
from winnable.contract.core import Budget, finish
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.solver import solve_auto, warm
from winnable.levels.files import read_level


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    """Else the verdict would run out of its time."""
    warm()


LEVEL = "triple:layers=5,sets=3,kinds=6,side=4#1"


def test_players_difficulty_and_proofs_are_told(run: Run) -> None:
    told = run("measure", LEVEL, "--by", "matching,careful", "--games", "30", "--time", "20")
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    assert lines[0].split() == ["player", "skill", "games", "won", "win", "rate", "95", "%", "interval"]
    assert [line.split()[0] for line in lines[2:4]] == ["matching", "careful"]
    assert [line.partition(":")[0] for line in lines[4:]] == [
        "difficulty", "dead tiles", "verdict", "traps", "forced", "smallest tray",
    ]  # fmt: skip


def test_json_holds_the_same(run: Run) -> None:
    found = document(
        run("measure", LEVEL, "--by", "matching,careful", "--games", "30", "--time", "20", "--json")
    )
    assert (found["game"], found["seed"], found["level_id"]) == ("triple", 0, LEVEL)
    assert [player["games"] for player in found["players"]] == [30, 30]
    assert found["players"][0]["won"] < found["players"][1]["won"]
    assert found["ci_low"] < found["difficulty"] < found["ci_high"]
    assert found["figures"]["verdict"] == "solved"
    again = document(
        run("measure", LEVEL, "--by", "matching,careful", "--games", "30", "--time", "20", "--json")
    )
    assert again["players"] == found["players"]


def test_where_nobody_wins_the_difficulty_is_open(run: Run) -> None:
    found = document(run("measure", "triple", LOST, "--by", "careful", "--games", "5", "--json"))
    assert found["difficulty"] is None
    assert found["ci_high"] is None
    assert found["ci_low"] > 1000
    assert found["figures"]["verdict"] == "unsolvable"
    tools = found["figures"]["fewest_tools"]
    assert {name: uses["lost"] + 1 for name, uses in tools.items()} == {
        name: uses["won"] for name, uses in tools.items()
    }


def test_tools_are_counted(run: Run) -> None:
    told = run("measure", "triple", f"3+tools=1.3.0.0:{LOST[2:]}", "--by", "careful", "--games", "1")
    assert "verdict: solved" in told.stdout
    assert "fewest tools: move-outs 3; all tools 3" in told.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((LEVEL, "--by", "greedy"), "by: 'greedy' does not play triple by what a person sees"),
        ((LEVEL, "--by", ","), "by: nobody is named"),
        (("rotate",), "level: rotate has no players on the scale"),
        ((LEVEL, "--games", "0"), "--games"),
    ],
)
def test_bad_input_is_one_error(run: Run, arguments: tuple[str, ...], words: str) -> None:
    one_error(run("measure", *arguments, code=2), words)


SMALL = ("layers=5", "sets=2", "kinds=8", "side=4")


def test_levels_are_made_to_order(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "ordered.jsonl")
    run("generate", "triple", *SMALL, "--difficulty", "30%", "--count", "2", "-o", path)
    run("check", path)
    lines = Path(path).read_bytes().splitlines()
    assert len(set(lines)) == 2
    run("generate", "triple", *SMALL, "--difficulty", "30%", "--count", "2", "-o", path)
    assert Path(path).read_bytes().splitlines() == lines


def test_tight_levels_are_lost_with_a_slot_less(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "tight.jsonl")
    tiny = ("layers=3", "sets=1", "kinds=5", "side=3", "slots=5")
    run("generate", "triple", *tiny, "--tight", "--count", "2", "-o", path)
    run("check", path)
    for line in Path(path).read_bytes().splitlines():
        level = read_level(line).level
        puzzle = Triple(replace(level, slots=level.slots - 1))
        assert finish(solve_auto(puzzle, puzzle.initial(), Budget(30), 0)).status == "unsolvable"


def test_points_are_a_share_of_the_players_games(run: Run) -> None:
    made = document(run("generate", "triple", *SMALL, "--difficulty", "2000", "--by", "careful"))
    assert made["provenance"]["params"]["win_rate"] == 0.5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("triple", "--difficulty", "hard"), "'hard' is neither a share as 20% nor a number of points"),
        (("triple", "--difficulty", "nan"), "'nan' is neither"),
        (("triple", "--difficulty", "0%"), "careful would win 0.00% of its games"),
        (("triple", "--difficulty", "9000"), "careful would win 0.00% of its games"),
        (("triple", "--difficulty", "20%", "--by", "greedy"), "by: 'greedy' does not play triple"),
        (("tetris", "--tight"), "tight: tetris has nothing that could be less"),
        (("rotate", "--difficulty", "20%"), "difficulty: levels of rotate are not made to order"),
    ],
)
def test_orders_that_make_no_sense_are_one_error(run: Run, arguments: tuple[str, ...], words: str) -> None:
    one_error(run("generate", *arguments, code=2), words)


def test_drops_is_measured_by_those_who_look_as_people_do(run: Run) -> None:
    found = document(run("measure", "drops/05-puddle", "--games", "10", "--json"))
    assert [player["name"] for player in found["players"]] == [
        "random", "glance", "look", "ahead-2", "ahead-3",
    ]  # fmt: skip
    assert all(player["games"] == 10 for player in found["players"])
    assert found["ci_high"] is not None
