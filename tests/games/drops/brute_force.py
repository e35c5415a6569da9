"""The fewest clicks by trying all of them with the readable rules: for small boards."""

from __future__ import annotations

from winnable.core import Action
from winnable.games.drops.level import Level
from winnable.games.drops.rules import Drops, State


def fewest(puzzle: Drops, state: State) -> int:
    """Breadth-first search."""
    clicks, layer, seen = 0, {state}, {state}
    while not any(puzzle.is_goal(one) for one in layer):
        layer = {puzzle.apply(one, cell) for one in layer for cell in puzzle.legal_actions(one)} - seen
        seen |= layer
        clicks += 1
    return clicks


def good_first_clicks(level: Level) -> list[Action]:
    puzzle = Drops(Level(level.board, rules=level.rules))
    state = puzzle.initial()
    par = fewest(puzzle, state)
    return [
        cell for cell in puzzle.legal_actions(state) if fewest(puzzle, puzzle.apply(state, cell)) == par - 1
    ]
