"""Values of moves on boards of any size by playing on at random: pure Monte Carlo search.

It knows nothing of the game but its rules, and plays it well all the same (R. Xiao's and others' answers to
"What is the optimal algorithm for the game 2048?", Stack Overflow, 2014). What a move is worth here is what a
random player would get from then on: a measure to compare moves by, not what a good player gets.
"""

from __future__ import annotations

from collections.abc import Iterator

from winnable.compiled.dice_kernels import new_dice
from winnable.contract.chance import Turn
from winnable.contract.core import Action, Budget, Search
from winnable.games.game2048.board import grid_kernels
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State
from winnable.inert.arrays import np

RUNS = 200
"""For each move."""
MOST_MOVES = 300
"""Of one run: on large boards random games take too long to end."""


def values(game: Game2048, state: State, seed: int, runs: int = RUNS) -> dict[Action, float]:
    """Finds for each legal action its reward and what `runs` random games get after it, MOST_MOVES long at
    most, in the mean. The same seed gives the same values."""
    return dict(_each_value(game, state, seed, runs))


def _each_value(game: Game2048, state: State, seed: int, runs: int) -> Iterator[tuple[Action, float]]:
    lines, dice = grid_kernels.lines_of(game), new_dice(seed)
    for action in game.legal_actions(state):
        after, reward = game.afterstate(state, action)
        cells = grid_kernels.pack(after)
        mean = grid_kernels.rollouts(cells, lines, game.level.fours, runs, MOST_MOVES, dice)
        yield action, reward + mean


class Rollouts:
    """Plays the move that random games like best."""

    def __init__(self, puzzle: Seeded2048, seed: int = 0) -> None:
        self._game, self._seeds = puzzle.game, np.random.SeedSequence(seed)

    def choose(self, state: Turn[State]) -> Search[Action]:
        """The action after which random games end best."""
        (drawn,) = self._seeds.spawn(1)[0].generate_state(1)
        budget, found = Budget(), dict[Action, float]()
        for action, value in _each_value(self._game, state.state, int(drawn), RUNS):
            found[action] = value
            yield from budget.allows("outlook", RUNS * len(found), RUNS * len(found))
        return max(found, key=lambda action: found[action])


def warm() -> None:
    """Compiles what `values` uses."""
    puzzle = Seeded2048(Level(rows=2, columns=2))
    values(puzzle.game, puzzle.initial().state, 0, runs=1)
