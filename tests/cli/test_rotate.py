"""The whole command line with rotate: what its user types and reads."""

import json
from pathlib import Path

import pytest

from tests.cli.cli_support import Run, document, one_error

BOARD = "112/231/323"


def test_games_lists_rotate(run: Run) -> None:
    info = {entry["name"]: entry for entry in document(run("games", "--json"))}["rotate"]
    assert info["title"] == {"en": "Rotate", "zh-CN": "平面魔方"}
    assert info["notations"] == ["side", "radius"]
    params = {param["name"]: param for param in info["params"]}
    assert (params["rows"]["minimum"], params["rows"]["maximum"]) == (2, 64)
    assert params["rules"]["choices"] == ["clusters", "pairs"]


def test_an_identity_a_share_code_and_a_file_are_the_same_level(run: Run) -> None:
    code = run("export", "rotate:rows=4,columns=5#7", "--format", "text").stdout.strip()
    assert [len(row) for row in code.split("/")] == [5] * 4
    run("export", "rotate:rows=4,columns=5#7", "-o", "level.json")
    level = json.loads(Path("level.json").read_text())
    assert ["".join(map(str, row)) for row in level["board"]] == code.split("/")
    assert document(run("import", "level.json", "--json")) == level
    reports = document(run("check", "level.json", "rotate:rows=4,columns=5#7", "--json"))
    assert reports[1]["same_as"] == "level.json"
    assert run("export", "rotate", BOARD, "--format", "svg").stdout.startswith("<svg")


def test_twins_are_seen(run: Run) -> None:
    for name, code in (("a", "1122/3344"), ("b", "4433/2211"), ("c", "1212/3344")):
        run("export", "rotate", code, "-o", f"{name}.json")
    reports = document(run("check", "a.json", "b.json", "c.json", "--json"))
    assert (reports[1]["twin_of"], "twin_of" in reports[2]) == ("a.json", False)


@pytest.mark.parametrize("notation", [(), ("--notation", "side"), ("--notation", "radius")])
def test_a_line_is_read_in_the_notation_that_it_was_written_in(run: Run, notation: tuple[str, ...]) -> None:
    solution = document(run("solve", "rotate", BOARD, *notation, "--json"))
    names = solution["moves"]
    assert all(name.startswith("r:") == ("radius" in notation) for name in names)
    text = run("solve", "rotate", BOARD, *notation).stdout.splitlines()
    assert text[1].split() == names
    run("export", "rotate", BOARD, "-o", "level.json")
    win = f"YES. {solution['cost']} actions win level.json.\n"
    for typed in (text[1], ", ".join(names), "\n".join(names), json.dumps(names)):
        assert run("verify", "level.json", "-", stdin=typed).stdout == win
    actions = " ".join(map(str, solution["actions"]))
    assert run("verify", "level.json", "-", stdin=actions).stdout == win


def test_an_unknown_notation_is_refused(run: Run) -> None:
    one_error(run("solve", "rotate", BOARD, "--notation", "polar", code=2), "there are: side, radius")
    one_error(run("solve", "drops", "44", "--notation", "side", code=2), "drops has none")


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("", "empty row"),
        ("1234", "one row only"),
        ("1/2/3", "1 cell, not 2 to 64"),
        ("12/123", "board[1]: 3 cells, but the first row has 2"),
        ("11/11", "one colour only"),
        ("1?/11", "board[0]: '?' at column 2"),
        ("/".join(["12" * 32 + "1"] * 65), "more than 64 rows"),
        ("12" * 32 + "1/" + "12" * 32 + "1", "65 cells, not 2 to 64"),
        ("12/21,turns=-1", "turns"),
        ("12/21,rules=none", "rules"),
        ("11/12,rules=pairs", "label 1 is there 3 times"),
    ],
)
def test_a_bad_board_is_one_error(run: Run, code: str, cause: str) -> None:
    one_error(run("solve", "rotate", code, code=2), cause)


@pytest.mark.parametrize("turn", ["3,3,2,1", "1,1,4,1", "1,1,3,1", "r:0,0,2,1", "1,1,2,4", "0,0,0,0"])
def test_a_turn_that_is_none_is_one_error(run: Run, turn: str) -> None:
    run("export", "rotate", BOARD, "-o", "level.json")
    one_error(run("verify", "level.json", "-", stdin=f'["{turn}"]', code=2), f"{turn!r} is no action")


def test_a_game_in_the_terminal(run: Run) -> None:
    typed = "1,1,2,1\nr:0,0,1,3\nu\nu\n9,9,2,1\nfoo\nq\n"
    text = run("play", "rotate", BOARD, stdin=typed).stdout
    assert "Clusters: 8, colours: 3, score: 4" in text
    assert "there is no such block on a board of 3 × 3 cells" in text
    assert "write x,y,side,quarters" in text
