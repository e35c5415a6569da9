"""Whole games by a player, and the player of whom nothing need be known."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Generic

from winnable.contract.core import (
    Action,
    Budget,
    Player,
    PlaysWhole,
    Progress,
    Puzzle,
    S,
    Search,
    collected,
    finish,
    searching,
)


def whole_game(puzzle: Puzzle, player: Player) -> Sequence[Action]:
    """Its actions, to a goal or to where none is legal."""
    return finish(in_budget(puzzle, player, Budget())) or ()


def in_budget(puzzle: Puzzle, player: Player, budget: Budget) -> Search[Sequence[Action] | None]:
    """The actions of a whole game, to a goal or to where none is legal; None when the budget ended before."""
    if isinstance(player, PlaysWhole):
        line = player.play()
        yield from budget.allows("playing", len(line), len(line))
    else:
        line = yield from collected(play_out(puzzle, player, budget))
    return None if budget.limit(0) is not None else line


def play_out(puzzle: Puzzle, player: Player, budget: Budget) -> Iterator[Progress | Action]:
    """The player's actions until the game or the budget ends."""
    state, played = puzzle.initial(), 0
    while not puzzle.is_goal(state) and puzzle.legal_actions(state):
        if not (yield from budget.allows("playing", played, played)):
            return
        action = yield from searching(player.choose(state))
        state, played = puzzle.apply(state, action), played + 1
        yield action


class RandomPlayer(Generic[S]):
    """Takes any legal action with equal chance; the same seed, the same game."""

    def __init__(self, puzzle: Puzzle[S], seed: int = 0) -> None:
        self._puzzle, self._draw = puzzle, random.Random(seed).random

    def choose(self, state: S) -> Action:
        """One of the legal actions, each as likely."""
        legal = self._puzzle.legal_actions(state)
        return legal[int(self._draw() * len(legal))]
