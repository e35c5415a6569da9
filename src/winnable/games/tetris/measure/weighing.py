"""What each placement is worth: how many games a controller survives after it, until the wall is calm or for
some pieces.

A good controller forgets a danger that it survived (see `outlook.py`), so that this is nearly the share of
the lines to come that is left. All placements are tried in a few games, those that may be the best in more
and new ones: the best of many that are as good would else look better than it is.
"""

from __future__ import annotations

from winnable.contract.chance import Outlook, Turn
from winnable.contract.core import Budget, Progress, Search
from winnable.games.tetris.measure.long_run import CONTROLLER, Board, calm_below
from winnable.games.tetris.measure.outlook import with_known_pieces
from winnable.games.tetris.players.herd import begun
from winnable.games.tetris.players.play_kernels import Until
from winnable.games.tetris.rules.puzzle import NONE, SeededTetris, State
from winnable.inert.arrays import Bools, np
from winnable.tuning.process import NO_CEILING, Floats, Ints, States

FEW, MANY = 32, 256
"""Games for each placement. The error of a share is at most 0.09 after FEW, 0.03 after MANY."""
ROUNDS, PIECES, AT_ONCE = 3, 20, 100
"""So many pieces each, with a look at the budget between: who lives so long is safe for now; and how many
games a kernel plays."""
NEAR = 0.2
"""Placements that are worse than the best by so much after FEW games are not looked at again."""


def weigh(puzzle: SeededTetris, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
    """The outlook for `Weighs`. Its values are shares of the lines to come; none under the rules `article`,
    by which controllers are slow. A budget that ends leaves what is known by then: of FEW games, of fewer
    pieces, or nothing."""
    level, game = puzzle.level, puzzle.game
    if level.rules == "article":
        return Outlook()
    board, rng = Board(level.width, level.height, CONTROLLER, level.rules), np.random.default_rng(seed)
    shares, walls = dict.fromkeys(game.legal_actions(state.state), 0.0), dict[int, States]()
    for action in shares:
        after, _ = game.afterstate(state.state, action)
        wall = None if after.over else with_known_pieces(board, State(after.wall, after.following, NONE))
        if wall is not None:
            walls[action] = wall
        yield Progress("outlook", 0, 0, budget.elapsed)
    for copies in (FEW, MANY):
        best = max(shares.values(), default=0.0)
        again = [action for action in walls if copies == FEW or shares[action] >= best - NEAR]
        found, rounds = yield from _survived(board, [walls[action] for action in again], copies, budget, rng)
        if copies == FEW and not rounds:
            return Outlook()
        if copies == FEW or rounds == ROUNDS:  # placements are compared by games of one length
            shares.update(zip(again, found.tolist(), strict=True))
        if rounds < ROUNDS:
            break
    return Outlook(values=tuple(shares.items()), by=CONTROLLER)


def _survived(
    board: Board, walls: list[States], copies: int, budget: Budget, rng: np.random.Generator
) -> Search[tuple[Floats, int]]:
    """Of so many games from each wall, the share that is not lost after as many of the ROUNDS as the budget
    lets begin, and how many these are."""
    herd, calm = board.herd(), (yield from calm_below(board))
    states = np.repeat(np.array(walls, np.uint64).reshape(len(walls), board.width + 2), copies, axis=0)
    dead = np.zeros(len(states), np.bool_)
    pieces = 0
    rounds = 0
    while rounds < ROUNDS and (yield from budget.allows("outlook", pieces, pieces)):
        going = _not_calm(states, dead, calm)
        until = Until(*(np.full(going.size, bound) for bound in (calm, NO_CEILING, PIECES)))
        leap = begun(states[going])
        for _ in herd.leaping(leap, until, rng, AT_ONCE):
            yield Progress("outlook", pieces, pieces, budget.elapsed)
        pieces += int(leap.steps.sum())
        states[going], dead[going] = leap.states, leap.died
        rounds += 1
    return 1.0 - dead.reshape(len(walls), copies).mean(axis=1), rounds


def _not_calm(states: States, dead: Bools, calm: int) -> Ints:
    """Which walls are as high as `calm`."""
    every = np.bitwise_or.reduce(states[:, 1:-1], axis=1)
    return np.flatnonzero(~dead & (every >= np.uint64((1 << calm) >> 1)))
