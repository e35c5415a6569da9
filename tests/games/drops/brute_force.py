"""The fewest clicks by trying all of them with the readable rules: for small boards."""

from __future__ import annotations

from winnable.core import Action
from winnable.games.drops.level import FULL, Level
from winnable.games.drops.rules import Drops, State


def fewest_if_any(puzzle: Drops, state: State) -> int | None:
    """By every legal click, tanks and empty cells included; None when the board cannot be emptied."""
    clicks, layer, seen = 0, {state}, {state}
    while layer:
        if any(map(puzzle.is_goal, layer)):
            return clicks
        layer = {puzzle.apply(one, cell) for one in layer for cell in puzzle.legal_actions(one)} - seen
        seen |= layer
        clicks += 1
    return None


def fewest(puzzle: Drops, state: State) -> int:
    """Of a board that can be emptied."""
    clicks = fewest_if_any(puzzle, state)
    assert clicks is not None
    return clicks


def good_first_clicks(level: Level) -> list[Action]:
    puzzle = Drops(Level(level.board, rules=level.rules))
    state = puzzle.initial()
    par = fewest(puzzle, state)
    return [
        cell for cell in puzzle.legal_actions(state) if fewest(puzzle, puzzle.apply(state, cell)) == par - 1
    ]


def least_clicks_open(cells: bytes, columns: int) -> int:
    """A lower bound also with clicks on empty cells: clicks = cells - drops + droplets lost, where a drop on
    an empty cell adds one to clicks and cells alike and makes no line lose less; and some cell must burst."""
    rows = [cells[start : start + columns] for start in range(0, len(cells), columns)]
    counts = [len(line) - line.count(0) for line in (*rows, *zip(*rows, strict=True))]
    lost = sum(min(count, 2) + 1 for count in counts if count)
    return max(len(cells) - cells.count(0) - sum(cells) + lost, FULL + 1 - max(cells))
