"""A whole game by a player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from winnable.core import Action, Player, PlaysWhole, Puzzle


def whole_game(
    puzzle: Puzzle[Any], player: Player[Any], stop: Callable[[], bool] = lambda: False
) -> Sequence[Action] | None:
    """Its actions, to a goal or to where none is legal; None when it was told to stop before."""
    if isinstance(player, PlaysWhole):
        return player.play()
    state, line = puzzle.initial(), list[Action]()
    while not puzzle.is_goal(state) and puzzle.legal_actions(state):
        if stop():
            return None
        line.append(player.choose(state))
        state = puzzle.apply(state, line[-1])
    return line
