"""A controller that looks one piece further, on top of kernels.py: equal to ahead.py.

With the next piece known that is a search two pieces deep; without, the mean over all seven."""

from __future__ import annotations

from typing import Any

import numpy as np

from winnable.dice_kernels import draw
from winnable.games.tetris.kernels import (
    F64,
    I64,
    MOST_TURNS,
    NOWHERE,
    U64,
    U,
    count_wall,
    new_room,
    new_wall,
    place,
    value_placements,
)
from winnable.games.tetris.play_kernels import PIECES, Bools, highest
from winnable.jit import kernel


def new_rooms(width: int) -> tuple[I64, U64, U64, F64, U64, I64, U64, F64]:
    """What `choose_ahead` needs to work in: that of `kernels.choose` for the piece, then for the next one the
    wall, sums, rows and values."""
    sums, rows, _, values = new_room(width)
    return *new_room(width), new_wall(width), sums, rows, values


@kernel
def choose_ahead(
    now: U64, height: int, piece: int, following: int, shapes: I64, first_weights: F64, weights: F64,
    sums: I64, rows: U64, spare: U64, values: F64, after: U64, next_sums: I64, next_rows: U64,
    next_values: F64,
) -> int:  # fmt: skip
    """The action that leaves the fewest next pieces without a placement; of those the one whose value (by
    first_weights) is the most together with the mean, over the other next pieces, of their best placement's
    (by weights); of those the first. NOWHERE when each ends the game.

    following: the next piece, or NOWHERE when it is not known"""
    width = now.size - 2
    count_wall(now, height, first_weights, sums, rows)
    value_placements(now, height, piece, shapes, first_weights, sums, rows, spare, values)
    first, last = (0, PIECES) if following == NOWHERE else (following, following + 1)
    best, best_action, fewest = -np.inf, NOWHERE, PIECES + 1
    for turns in range(MOST_TURNS):
        across = int(shapes[MOST_TURNS * piece + turns, 0])
        if across == 0:
            break
        for action in range(turns * width, turns * width + width - across + 1):
            if values[action] == -np.inf:
                continue
            for c in range(now.size):
                after[c] = now[c]
            place(after, height, piece, action, shapes)
            count_wall(after, height, weights, next_sums, next_rows)
            total, deadly = 0.0, 0
            for drawn in range(first, last):
                follow_up = value_placements(
                    after, height, drawn, shapes, weights, next_sums, next_rows, spare, next_values
                )
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
    states: U64, preview: bool, height: int, dice: U64, low: I64, high: I64, limit: I64, shapes: I64,
    first_weights: F64, weights: F64,
    sums: I64, rows: U64, spare: U64, values: F64, after: U64, next_sums: I64, next_rows: U64,
    next_values: F64, died: Bools, steps: I64, lines: F64,
) -> None:  # fmt: skip
    """Like `play_kernels.leap`. A state is a wall and then the piece that comes next, which counts with
    `preview` alone: uint64 [copies, width + 3]."""
    now = np.empty(states.shape[1] - 1, np.uint64)
    for copy in range(states.shape[0]):
        for c in range(now.size):
            now[c] = states[copy, c]
        coming: Any = np.int64(states[copy, now.size])
        cleared, taken = 0, 0
        while True:
            drawn = draw(dice, PIECES)
            piece, following = (coming, drawn) if preview else (drawn, NOWHERE)
            action = choose_ahead(
                now, height, piece, following, shapes, first_weights, weights, sums, rows, spare, values,
                after, next_sums, next_rows, next_values,
            )  # fmt: skip
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
