"""How a game stands, where nothing is compiled: what a random player gets from here on, and after each move.

Random games compare moves well (see `rollouts.py`), and are quick enough to be played by the hundred.
"""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import fmean

from winnable.analysis.playing_on import play_on
from winnable.contract.chance import Outlook, Turn
from winnable.contract.core import Action, Budget, Search
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State, slid

PLAYER = "random"
COPIES = 240
"""All together: as many for each of up to four moves."""
MOST_MOVES = 300
"""On large boards random games take too long to end."""


def first_outlook(puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
    """Plays random games after each move: what a random player gets."""
    game, rng = puzzle.game, random.Random(seed)
    legal = game.legal_actions(state.state)
    if not legal:
        return Outlook(0.0, 0.0, 0.0, by=PLAYER)
    copies = [
        RandomGame(game, state.state, action, rng) for action in legal for _ in range(COPIES // len(legal))
    ]
    found = yield from play_on(copies, budget, PLAYER, MOST_MOVES)
    values = ((action, fmean(copy.score for copy in copies if copy.first == action)) for action in legal)
    return replace(found, values=tuple(values))


class RandomGame:
    """A random game, whose first move is given."""

    def __init__(self, game: Game2048, state: State, first: Action, rng: random.Random) -> None:
        self.first, self.score, self.over = first, 0.0, False
        self._game, self._state, self._draw = game, list(state), rng.random
        self._next: Action | None = first

    @property
    def state(self) -> State:
        """The board now."""
        return tuple(self._state)

    def step(self) -> None:
        """Makes one move, and adds a tile."""
        action = self._next
        while action is None or not self._slide(action):
            action = int(4 * self._draw())
        self._next = None
        empty = [cell for cell, exponent in enumerate(self._state) if not exponent]
        cell = empty[int(len(empty) * self._draw())]
        self._state[cell] = 2 if 100 * self._draw() < self._game.level.fours else 1
        self.over = len(empty) == 1 or self._game.level.ends
        if self.over:
            self.over = not self._game.legal_actions(self.state)

    def _slide(self, action: Action) -> bool:
        """Whether that moved anything."""
        state, moved = self._state, False
        for line in self._game.lines[action]:
            before = tuple([state[cell] for cell in line])
            after, reward = slid(before)
            if after != before:
                moved = True
                self.score += reward
                for cell, exponent in zip(line, after, strict=True):
                    state[cell] = exponent
        return moved
