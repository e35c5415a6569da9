"""The stages of triple's solvers against brute force, on some boards; and that the benchmark sees a lie."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from bench.report import CheckFailed
from bench.triple import brute_force as triple_brute_force
from bench.triple.brute_force import can_be_won, random_position, rows
from bench.triple.stages import STAGES, Answer, Stage
from winnable.contract.provenance import ClosedSet
from winnable.games.triple.rules.puzzle import Triple

BEAMS = {name for name in STAGES if "beam" in name}
DECIDE_ALL = STAGES.keys() - BEAMS - {name for name in STAGES if "left out" in name} - {"closed set"}


def test_every_stage_agrees_with_brute_force() -> None:
    values = {row.name: row.value for row in rows(games=40)}
    lost, won = values["boards: unsolvable"], values["boards: winnable"]
    assert min(lost, won, values["boards: some clicks later"]) > 5
    assert not any(value for name, value in values.items() if name.endswith(": wrong"))
    assert values["smallest tray: right"] == 10
    for name in DECIDE_ALL:
        assert values[f"{name}: right"] == lost + won
    assert values["closed set: right"] == lost
    for reading in ("forward", "backward"):
        assert 0 < values[f"one kind left out, {reading}: right"] < lost
    for name in BEAMS:
        assert 0.8 * won < values[f"{name}: right"] <= won


def _lost_and_won() -> tuple[int, int]:
    """The first board of either sort."""
    verdicts: list[bool | None] = []
    for seed in range(30):
        level, state = random_position(random.Random(seed))
        verdicts.append(can_be_won(Triple(level), state))
    return verdicts.index(False), verdicts.index(True)


LOST, WON = _lost_and_won()


@pytest.mark.parametrize(
    ("board", "answer"),
    [
        (WON, Answer("unsolvable")),
        (WON, Answer("solved", ())),
        (WON, Answer("solved", (0, 0))),
        (LOST, Answer("solved", ())),
        (LOST, Answer("unsolvable", closed_set=ClosedSet("forward", 2_000_000))),
    ],
)
def test_a_wrong_answer_is_seen(board: int, answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    liar: Stage = lambda puzzle, state: answer  # noqa: E731
    monkeypatch.setattr(triple_brute_force, "STAGES", {"liar": liar})
    checked = rows(games=1, seed=board)
    values = {row.name: row.value for row in islice(checked, 10)}
    assert values["liar: wrong"] == 1
    with pytest.raises(CheckFailed, match=f"1 wrong answers; the first is of liar, board {board}, state"):
        next(checked)
