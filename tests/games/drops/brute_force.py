"""The fewest clicks by trying all of them with the readable rules: for small boards."""

from __future__ import annotations

from collections.abc import Iterator

from winnable.contract.core import Action
from winnable.games.drops.rules.level import FULL, Level
from winnable.games.drops.rules.puzzle import Drops, State


def _layers(puzzle: Drops, state: State) -> Iterator[set[State]]:
    """The states that so many clicks lead to and no fewer, by every legal click, tanks and empty cells
    included."""
    layer, seen = {state}, {state}
    while layer:
        yield layer
        layer = {puzzle.apply(one, cell) for one in layer for cell in puzzle.legal_actions(one)} - seen
        seen |= layer


def fewest_if_any(puzzle: Drops, state: State) -> int | None:
    """None when the board cannot be emptied."""
    for clicks, layer in enumerate(_layers(puzzle, state)):
        if any(map(puzzle.is_goal, layer)):
            return clicks
    return None


def fewest(puzzle: Drops, state: State) -> int:
    """Of a board that can be emptied."""
    clicks = fewest_if_any(puzzle, state)
    assert clicks is not None
    return clicks


def good_first_clicks(level: Level) -> list[Action]:
    """What the shortest lines begin with."""
    puzzle = Drops(Level(level.board, rules=level.rules))

    def leads_to(state: State, good: set[State]) -> list[Action]:
        return [cell for cell in puzzle.legal_actions(state) if puzzle.apply(state, cell) in good]

    before: list[set[State]] = []
    good: set[State] = set()
    for layer in _layers(puzzle, puzzle.initial()):
        if good := set(filter(puzzle.is_goal, layer)):
            break
        before.append(layer)
    for layer in reversed(before[1:]):
        good = {state for state in layer if leads_to(state, good)}
    return leads_to(puzzle.initial(), good)


def least_clicks_open(cells: bytes, columns: int) -> int:
    """A lower bound also with clicks on empty cells: clicks = cells - drops + droplets lost, where a drop on
    an empty cell adds one to clicks and cells alike and makes no line lose less; and some cell must burst."""
    rows = [cells[start : start + columns] for start in range(0, len(cells), columns)]
    counts = [len(line) - line.count(0) for line in (*rows, *zip(*rows, strict=True))]
    lost = sum(min(count, 2) + 1 for count in counts if count)
    return max(len(cells) - cells.count(0) - sum(cells) + lost, FULL + 1 - max(cells))
