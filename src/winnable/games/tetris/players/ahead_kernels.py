"""A controller that looks one piece further, on top of kernels.py: equal to ahead.py.

With the next piece known that is a search two pieces deep; without, the mean over all seven."""

from __future__ import annotations

from typing import Any, NamedTuple

from winnable.compiled.dice_kernels import draw
from winnable.compiled.jit import kernel
from winnable.games.tetris.players.kernels import (
    MOST_TURNS,
    NOWHERE,
    WIDTH,
    Workspace,
    count_wall,
    new_wall,
    new_workspace,
    place,
    value_placements,
)
from winnable.games.tetris.players.play_kernels import PIECES, Until, highest
from winnable.inert.arrays import F64, I64, U64, U, np
from winnable.tuning.process import Leap


class Weights(NamedTuple):
    """Of features, in their order.

    first: for the placement that is chosen
    then:  for the one that follows
    """

    first: F64
    then: F64


class Workspaces(NamedTuple):
    """What `choose_ahead` needs: one for the piece, one for the next piece, and the wall between."""

    first: Workspace
    then: Workspace
    after: U64


def new_workspaces(width: int) -> Workspaces:
    """The workspaces for boards of this width."""
    return Workspaces(new_workspace(width), new_workspace(width), new_wall(width))


@kernel
def choose_ahead(
    now: U64, height: int, piece: int, following: int, shapes: I64, weights: Weights, works: Workspaces
) -> int:
    """The action that leaves the fewest next pieces without a placement; of those the one whose value (by
    the first weights) is the most together with the mean, over the other next pieces, of their best
    placement's (by the others); of those the first. NOWHERE when each ends the game.

    following: the next piece, or NOWHERE when it is not known"""
    width, (work, next_work, after), (first_weights, next_weights) = now.size - 2, works, weights
    values, next_values = work.values, next_work.values
    count_wall(now, height, first_weights, work)
    value_placements(now, height, piece, shapes, first_weights, work)
    first, last = (0, PIECES) if following == NOWHERE else (following, following + 1)
    best, best_action, fewest = -np.inf, NOWHERE, PIECES + 1
    for turns in range(MOST_TURNS):
        across = int(shapes[MOST_TURNS * piece + turns, WIDTH])
        if across == 0:
            break
        for action in range(turns * width, turns * width + width - across + 1):
            if values[action] == -np.inf:
                continue
            for c in range(now.size):
                after[c] = now[c]
            place(after, height, piece, action, shapes)
            count_wall(after, height, next_weights, next_work)
            total, deadly = 0.0, 0
            for drawn in range(first, last):
                follow_up = value_placements(after, height, drawn, shapes, next_weights, next_work)
                if follow_up != NOWHERE:
                    total += next_values[follow_up]
                else:
                    deadly += 1
                    if deadly > fewest:
                        break
            value = values[action]
            if deadly < last - first:
                value += total / (last - first - deadly)
            if deadly < fewest or (deadly == fewest and value > best):
                best, best_action, fewest = value, action, deadly
    return best_action


@kernel
def leap_ahead(
    end: Leap,
    until: Until,
    preview: bool,
    height: int,
    dice: U64,
    shapes: I64,
    weights: Weights,
    works: Workspaces,
) -> None:
    """Plays each state as `play_kernels.leap` does. A state is a wall and then the piece that comes next,
    which counts with `preview` alone: uint64 [copies, width + 3]."""
    states, died, steps, lines = end
    low, high, limit = until
    now = np.empty(states.shape[1] - 1, np.uint64)
    for copy in range(states.shape[0]):
        for c in range(now.size):
            now[c] = states[copy, c]
        coming: Any = np.int64(states[copy, now.size])
        cleared, taken = 0, 0
        while True:
            drawn = draw(dice, PIECES)
            piece, following = (coming, drawn) if preview else (drawn, NOWHERE)
            action = choose_ahead(now, height, piece, following, shapes, weights, works)
            taken += 1
            if action == NOWHERE:
                died[copy] = True
                break
            cleared += place(now, height, piece, action, shapes)
            coming = drawn
            level = highest(now)
            if level < low[copy] or level >= high[copy] or taken == limit[copy]:
                break
        steps[copy], lines[copy] = taken, cleared
        for c in range(now.size):
            states[copy, c] = now[c]
        states[copy, now.size] = U(coming)
