"""The exact mean of a player on a small board, rules `simplified`: every wall that it can come to, and what
each is worth.

The walls between placements, with the chance that the next piece brings, are a Markov chain (a controller) or
a Markov decision process (the best player there is). What a wall is worth solves V = TV: a draw is worth the
mean over the pieces of the lines that the player clears with it and of the wall that he leaves. It is found
by sweeps that put each V to its TV in place; of the best player, by policy iteration with inexact evaluation
(M. L. Puterman, M. C. Shin, Management Science 24, 1978). As long games make one error die out very slowly,
that one is extrapolated (L. A. Lyusternik; R. S. Varga, Matrix Iterative Analysis, 1962).

No matter how W was found, its error has two sides (in the manner of J. MacQueen, J. Math. Anal. Appl. 14,
1966). If a <= TW - W <= b on every wall, and W >= 0, then summed over a game

    W(empty) + a × draws of W's best player  <=  V(empty)  <=  W(empty) + b × draws of the best player

where a < 0 < b. And a game of L lines has few draws, each but the last with 4 cells of which those that lie
there at the end were not cleared: draws <= 1 + (width × L + (width - 1) × height) / 4. Both sides can so be
solved for the mean of L. As that holds when games are cut off, too, no mean is taken to be finite. What
floating-point numbers round is added to a and b.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import NamedTuple, TypeAlias

import numpy as np

from bench.tetris import exact_kernels
from winnable.contract.core import WinnableError
from winnable.games.tetris.measure.judge import herd_of
from winnable.games.tetris.players import ahead_kernels, kernels
from winnable.games.tetris.players.herd import split_weights
from winnable.games.tetris.players.kernels import F64, I64, U64
from winnable.games.tetris.players.play_kernels import PIECES
from winnable.games.tetris.players.shape_kernels import shape_table

MOST_WALLS = 4_000_000
BATCH = 1 << 15
"""Walls whose placements are followed at a time."""
TOLERANCE = 1e-6
"""How far apart the two sides may be, as a share."""
SMOOTHING = 10
"""Sweeps before one extrapolation."""
ROUNDS, MOST_ROUNDS = 4, 500
"""Extrapolations between two looks at the error, and looks."""
ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""Of a backup, as a share of what walls are worth at the most: eight sums and seven products."""

Options: TypeAlias = "Callable[[U64], I64]"
"""Walls, packed -> the placements that the player may take: int64 [walls, options], ascending by piece."""


class Graph(NamedTuple):
    """What a player can come to from the empty board, which is wall 0. See `exact_kernels`."""

    width: int
    height: int
    walls: U64
    after: exact_kernels.I32
    starts: I64


@dataclass(frozen=True, slots=True)
class Bounds:
    """The true value lies between."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class ExactMean:
    """Of a game from the empty board. pieces: with the one that ends it, as games count them; of the best
    player, those of the one that was found. walls: how many it can come to."""

    lines: Bounds
    pieces: Bounds
    walls: int


def exact_mean(
    width: int,
    height: int,
    weights: Mapping[str, float],
    ahead: bool = False,
    most_walls: int = MOST_WALLS,
    tolerance: float = TOLERANCE,
) -> ExactMean:
    """Of a controller; weights by the names in `features.FEATURES`. ahead: of the one that looks one piece
    further, without preview.

    Raises WinnableError that names the argument; also when it can come to more than `most_walls`."""
    herd = herd_of(width, height, weights, ahead="mean" if ahead else None)
    options = choices_of(width, height, herd.table, ahead)
    return mean_of(explore(width, height, options, np.arange(PIECES + 1), most_walls), tolerance)


def choices_of(width: int, height: int, table: F64, ahead: bool) -> Options:
    """What a controller does. table: of its weights, see `herd.weight_table`."""
    shapes, now = shape_table(), kernels.new_wall(width)

    def options(walls: U64) -> I64:
        actions = np.empty((walls.size, PIECES), np.int64)
        if ahead:
            weights, works = split_weights(table), ahead_kernels.new_workspaces(width)
            exact_kernels.decide_ahead(walls, height, shapes, weights, now, works, actions)
        else:
            exact_kernels.decide(walls, height, shapes, table, now, kernels.new_workspace(width), actions)
        return actions

    return options


def optimal_mean(
    width: int, height: int, most_walls: int = MOST_WALLS, tolerance: float = TOLERANCE
) -> ExactMean:
    """Of the best player that does not see the next piece. Raises WinnableError like `exact_mean`."""
    herd_of(width, height, {})
    actions, starts = every_placement(width)
    graph = explore(width, height, lambda walls: np.tile(actions, (walls.size, 1)), starts, most_walls)
    return mean_of(graph, tolerance)


def every_placement(width: int) -> tuple[I64, I64]:
    """The actions of all pieces, one after the other, and where each piece's begin: int64 [8]."""
    shapes, actions, starts = shape_table(), list[int](), [0]
    for piece in range(PIECES):
        for turns in range(kernels.MOST_TURNS):
            across = int(shapes[kernels.MOST_TURNS * piece + turns, kernels.WIDTH])
            if across:
                actions += range(turns * width, turns * width + width - across + 1)
        starts.append(len(actions))
    return np.array(actions), np.array(starts)


def explore(width: int, height: int, options: Options, starts: I64, most_walls: int) -> Graph:
    """Every wall, in the order in which they are found."""
    if width * height > 64:
        raise WinnableError(f"width, height: {width} × {height} cells are more than 64")
    if not 1 <= most_walls <= np.iinfo(np.int32).max // exact_kernels.LINES:
        raise WinnableError(f"most_walls: {most_walls} is not from 1 to 268,435,455")
    walls = np.zeros(most_walls, np.uint64)
    table = np.zeros(1 << (2 * most_walls).bit_length(), np.int64)
    shapes, now = shape_table(), kernels.new_wall(width)
    known = int(exact_kernels.number_of(np.uint64(0), walls, 0, table)) + 1
    rows, first = list[exact_kernels.I32](), 0
    while first < known:
        last = min(known, first + BATCH)
        rows.append(np.empty((last - first, int(starts[-1])), np.int32))
        actions = options(walls[first:last])
        known = exact_kernels.follow(
            first, last, known, walls, table, height, starts, actions, shapes, now, rows[-1]
        )
        if known == kernels.NOWHERE:
            raise WinnableError(f"most_walls: there are more than {most_walls} walls on {width} × {height}")
        first = last
    return Graph(width, height, walls[:known], np.concatenate(rows), starts)


def mean_of(graph: Graph, tolerance: float = TOLERANCE) -> ExactMean:
    """Of the best player among those whose options the graph has."""
    worth, lines = solve(graph, tolerance)
    alone = np.arange(PIECES + 1)
    player = graph._replace(after=_best(graph, worth), starts=alone)
    return ExactMean(lines, solve(player, tolerance, in_pieces=True)[1], graph.walls.size)


def solve(graph: Graph, tolerance: float, in_pieces: bool = False) -> tuple[F64, Bounds]:
    """What each wall is worth, about, and bounds of what the first one is: in lines, or in pieces.

    It ends when the bounds are near enough, or MOST_ROUNDS are over: they hold in any case."""
    per_line, per_piece = (0.0, 1.0) if in_pieces else (1.0, 0.0)
    worth = np.zeros(graph.walls.size)
    found = Bounds(0.0, inf)
    for _ in range(MOST_ROUNDS):
        player = _best(graph, worth)
        for _ in range(ROUNDS):
            _improve(player, per_line, per_piece, worth)
        found = _bounds(graph, worth, in_pieces)
        if found.high - found.low <= tolerance * found.low:
            break
    return worth, found


def _best(graph: Graph, worth: F64) -> exact_kernels.I32:
    """One option for each piece."""
    if graph.after.shape[1] == PIECES:
        return graph.after
    best = np.empty((worth.size, PIECES), np.int32)
    exact_kernels.best_options(graph.after, graph.starts, worth, best)
    return best


def _improve(player: exact_kernels.I32, per_line: float, per_piece: float, worth: F64) -> None:
    """Sweeps, in place; then the error that dies out the slowest is taken to go on as it did."""
    alone, before, changes = np.arange(PIECES + 1), worth.copy(), [worth, worth]
    for number in range(SMOOTHING):
        if number >= SMOOTHING - 2:
            before[:] = worth
        exact_kernels.sweep(player, alone, per_line, per_piece, worth)
        if number >= SMOOTHING - 2:
            changes = [changes[1], worth - before]
    earlier, later = changes
    square = float(earlier @ earlier)
    shrinks = float(earlier @ later) / square if square else 0.0
    if 0 < shrinks < 1:
        worth += later * (shrinks / (1 - shrinks))
        np.maximum(worth, 0.0, out=worth)


def _bounds(graph: Graph, worth: F64, in_pieces: bool) -> Bounds:
    """See above; of pieces, a game has as many draws as it has pieces."""
    per_line, per_piece = (0.0, 1.0) if in_pieces else (1.0, 0.0)
    extremes = np.empty(2)
    exact_kernels.errors(graph.after, graph.starts, per_line, per_piece, worth, extremes)
    rounding = ROUNDING * (1 + float(worth.max()))
    below, above = max(0.0, rounding - float(extremes[0])), max(0.0, float(extremes[1]) + rounding)
    draws_per, draws_more = (
        (1.0, 0.0) if in_pieces else (graph.width / 4, 1 + (graph.width - 1) * graph.height / 4)
    )
    low = (worth[0] - below * draws_more) / (1 + below * draws_per)
    high = (worth[0] + above * draws_more) / (1 - above * draws_per) if above * draws_per < 1 else inf
    return Bounds(max(0.0, float(low)), float(high))
