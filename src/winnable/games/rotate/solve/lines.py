"""Lines of turns, played by the readable rules. On a large board that takes long."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.contract.core import Action, Search, states_along
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.search.meter import Meter


def play(puzzle: Rotate, state: State, line: Sequence[Action], meter: Meter) -> Search[State]:
    """Play the line as `replay` does, a step of a search at a time."""
    for action in line:
        if meter.is_due:
            yield from meter.allows("check")
        state = puzzle.apply(state, action)
    return state


def check(puzzle: Rotate, state: State, line: Sequence[Action], meter: Meter) -> Search[int]:
    """Check the line as `check_line` does, a step of a search at a time; its cost."""
    for _ in states_along(puzzle, line, state):
        if meter.is_due:
            yield from meter.allows("check")
    return len(line)
