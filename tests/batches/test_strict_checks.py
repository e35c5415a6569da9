"""What a build refuses beyond what is wrong: doubles, lines that are not the fewest, what is too easy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.cli.cli_support import SMALL, Run, document, encoded, one_error
from winnable.contract.abilities import SetsTasks, solvers_of
from winnable.contract.core import Answer, WinnableError, check_line
from winnable.contract.provenance import Certificate
from winnable.contract.registry import load_game
from winnable.levels.checking import Span

DROPS = load_game("drops")
BOARD = "111/131/111"
TURNED = "112/131/111", "211/131/111"


def certified(*actions: int, lower_bound: int | None = None) -> bytes:
    """BOARD, with a certificate of this line."""
    level = DROPS.parse_board(BOARD)
    cost = check_line(DROPS.puzzle(level), actions)
    claim = Certificate("solved", "test", "0", actions, cost, lower_bound)
    return encoded(replace(level, certificate=claim))


def lines() -> tuple[list[int], list[int]]:
    """One of the fewest clicks for BOARD, and one that clicks the first cell in vain until it bursts."""
    from winnable.contract.core import Budget, decide, finish

    puzzle = DROPS.puzzle(DROPS.parse_board(BOARD))
    solver = next(iter(solvers_of(DROPS).values()))
    best = finish(decide(solver, puzzle, puzzle.initial(), Budget(30), 0))
    assert best.optimal
    line, state = list[int](), puzzle.initial()
    while not puzzle.is_goal(state):
        action = min(puzzle.legal_actions(state))
        line.append(action)
        state = puzzle.apply(state, action)
    assert len(line) > len(best.actions)
    return [*best.actions], line


def test_a_line_that_is_not_the_fewest_is_refused(run: Run) -> None:
    best, longer = lines()
    Path("best.json").write_bytes(certified(*best))
    Path("longer.json").write_bytes(certified(*longer))
    Path("none.json").write_bytes(encoded(DROPS.parse_board(BOARD)))
    files = ("best.json", "longer.json", "none.json")
    assert all(row["ok"] for row in document(run("check", *files, "--solve", "--json")))
    rows = document(run("check", *files, "--fewest", "--json", code=1))
    assert [(row["ok"], row.get("fault")) for row in rows] == [(True, None), (False, "fewest"), (True, None)]
    assert rows[1]["problem"] == f"its line costs {len(longer)}, but {len(best)} will do"
    assert [row["optimal"] for row in rows if row["ok"]] == [True, True]


def test_what_a_certificate_claims_of_the_fewest_is_not_believed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    best, _ = lines()
    proved = 2

    def gives_up(puzzle: Any, state: Any, budget: Any, seed: int) -> Answer:
        return Answer("budget", lower_bound=proved)

    monkeypatch.setattr(type(DROPS), "solvers", {"gives-up": gives_up})
    Path("level.json").write_bytes(certified(*best, lower_bound=len(best)))
    (row,) = document(run("check", "level.json", "--solve", "--json"))
    assert row["optimal"] is True
    (row,) = document(run("check", "level.json", "--fewest", "--json", code=1))
    assert row["fault"] == "fewest"
    assert row["problem"].endswith(f"takes {proved} at the least")
    proved = len(best)
    run("check", "level.json", "--fewest")


def test_games_without_fewest_are_refused(run: Run) -> None:
    Path("level.json").write_bytes(encoded(load_game("triple").parse_board(SMALL)))
    (row,) = document(run("check", "level.json", "--fewest", "--json", code=1))
    assert (row["fault"], row["problem"]) == ("fewest", "of triple no fewest is proved")


def test_doubles_are_refused(run: Run) -> None:
    first, mirrored = (encoded(DROPS.parse_board(board)) for board in TURNED)
    Path("a.jsonl").write_bytes(b"\n".join([first, mirrored, first]))
    Path("b.json").write_text("no level")
    assert len(document(run("check", "a.jsonl", "--json"))) == 3
    rows = document(run("check", "a.jsonl", "b.json", "--distinct", "--json", code=1))
    assert [row.get("fault") for row in rows] == [None, "double", "double", "invalid"]
    assert [row.get("problem") for row in rows[1:3]] == ["it is, or looks like, a.jsonl:1"] * 2
    assert (
        document(run("check", "a.jsonl", "b.json", "--distinct", "--workers", "2", "--json", code=1)) == rows
    )
    assert "FAILED: it is, or looks like, a.jsonl:1" in run("check", "a.jsonl", "--distinct", code=1).stdout


def test_the_declared_difficulty(run: Run) -> None:
    (row,) = document(run("check", "drops/05-puddle", "--rate", "--json"))
    figure = row["rating"]
    assert row["word"] == "easy"
    for span, fits in ((f"{figure - 1}..{figure + 1}", True), (f"..{figure - 1}", False), ("0..", True)):
        (row,) = document(run("check", "drops/05-puddle", "--difficulty", span, "--json", code=not fits))
        assert row.get("fault") == (None if fits else "difficulty")
        assert row["rating"] == figure
    assert (
        f"difficulty {round(figure, 1)} is not in ..1"
        in run("check", "drops/05-puddle", "--difficulty", "..1", code=1).stdout
    )


def test_what_cannot_be_rated_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("level.json").write_bytes(encoded(DROPS.parse_board(BOARD)))

    def rate(level: Any, budget: Any, seed: int) -> Any:
        yield from ()
        return None

    monkeypatch.setattr(type(DROPS), "rate", staticmethod(rate))
    (row,) = document(run("check", "level.json", "--difficulty", "0..", "--json", code=1))
    assert row["problem"] == "how hard it is could not be told within the budget"
    for module in ("winnable.batches.rating", "winnable.analysis.rating"):
        monkeypatch.setattr(f"{module}.Rates", SetsTasks)  # which 2048 is not
    (row,) = document(run("check", "2048:#1", "--difficulty", "0..", "--json", code=1))
    assert (row["fault"], row["problem"]) == ("difficulty", "of 2048 it is not known how hard a level is")


@pytest.mark.parametrize("text", ["", "..", "8", "9..8", "a..b", "1..2..3", "nan..", "1e9..", "٣.."])
def test_no_such_span(run: Run, text: str) -> None:
    with pytest.raises(WinnableError, match=r"LOW\.\.HIGH"):
        Span.parse(text)
    one_error(run("check", "drops/05-puddle", "--difficulty", text, code=2), "difficulty")


def test_spans() -> None:
    assert [str(Span.parse(text)) for text in ("800..1600", " ..1.5", "-17..")] == [
        "800..1600", "..1.5", "-17..",
    ]  # fmt: skip


def test_rows_of_other_rules_are_not_gone_on_with(run: Run) -> None:
    run("check", "drops/05-puddle", "--resume", "rows.jsonl")
    assert json.loads(Path("rows.jsonl").read_text())["ok"] is True
    refused = run("check", "drops/05-puddle", "--difficulty", "..1", "--resume", "rows.jsonl", code=2)
    one_error(refused, "rows.jsonl:1")
