"""Lines of clicks, played by the readable rules."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.contract.core import Action, Search
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.search.meter import Meter


def play_once(puzzle: Drops, state: State, line: Sequence[Action], meter: Meter) -> Search[None]:
    """Plays the line as a search does: the rules remember its chains, so that whoever plays it again, to see
    whether the drops last or to check it, is done at once. On a large board they take long."""
    state = state._replace(left=None)
    for click in line:
        if meter.is_due:
            yield from meter.allows("line")
        state = puzzle.apply(state, click)
