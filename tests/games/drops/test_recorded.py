"""Recorded levels with their solutions; read where they are at hand, never part of this repository."""

import json
from pathlib import Path
from typing import Any

import pytest

from winnable.contract.core import IllegalAction, replay
from winnable.games.drops.rules.level import Level, RuleName
from winnable.games.drops.rules.puzzle import Drops

DATA = Path(__file__).parents[4] / "shared" / "data" / "drops"


def recorded(name: str) -> list[dict[str, Any]]:
    file = DATA / f"{name}.jsonl"
    if not file.is_file():
        pytest.skip("the recorded levels are not here")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def wins(entry: dict[str, Any], clicks: list[int], rules: RuleName) -> bool:
    puzzle = Drops(Level(tuple(entry["board"].split("/")), rules=rules, drops=entry["budget"]))
    try:
        return puzzle.is_goal(replay(puzzle, clicks))
    except IllegalAction:
        return False


def test_every_classic_solution_wins_within_its_budget() -> None:
    entries = recorded("classic")
    assert len(entries) == 500
    for entry in entries:
        for clicks in entry["solutions"]:
            assert wins(entry, clicks, "classic"), entry
    others: tuple[RuleName, ...] = ("snappers", "symmetric", "half")
    for rules in others:
        held = sum(wins(entry, clicks, rules) for entry in entries for clicks in entry["solutions"])
        assert held < 500, f"the recordings tell `classic` from `{rules}`"


def test_all_but_three_solutions_of_the_packs_win() -> None:
    """Of the three, two fit slower droplets (`half`), and the clicks of the other are swapped."""
    entries = {(entry["pack"], entry["number"]): entry for entry in recorded("packs")}
    assert sum(len(entry["solutions"]) for entry in entries.values()) == 1026
    failing = [
        (key, clicks)
        for key, entry in entries.items()
        for clicks in entry["solutions"]
        if not wins(entry, clicks, "snappers")
    ]
    assert failing == [((1, 38), [18, 12]), ((1, 85), [11, 26, 20]), ((2, 28), [19, 6])]
    assert wins(entries[1, 38], [18, 12], "half")
    assert wins(entries[1, 38], [11, 14], "snappers"), "its budget is right all the same"
    assert wins(entries[1, 85], [11, 26, 20], "half")
    assert wins(entries[1, 85], [11, 26], "snappers"), "here the board is empty before the third click"
    assert wins(entries[2, 28], [6, 19], "snappers")


def test_logged_boards_can_be_read() -> None:
    entries = recorded("logged")
    assert len(entries) == 250
    for entry in entries:
        level = Level(tuple(entry["board"].split("/")), rules="snappers", drops=entry["logged_minimum"])
        assert (level.rows, level.columns) == (6, 5)
