"""Exact means: beside plain Python and linear algebra on tiny boards, and games played out."""

from __future__ import annotations

import numpy as np
import pytest

from bench.tetris import exact as tetris_exact
from bench.tetris import exact_means
from bench.tetris.exact_means import (
    choices_of,
    every_placement,
    exact_mean,
    explore,
    mean_of,
    optimal_mean,
    solve,
)
from tests.games.tetris.independent import LINES, Cells, drop, shape, turns_that_differ, without_full_rows
from winnable.contract.core import WinnableError
from winnable.games.tetris.measure.judge import herd_of
from winnable.games.tetris.players.ahead import LooksAhead
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.herd import weight_table
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.puzzle import NONE, State, Tetris
from winnable.tuning.process import NO_CEILING

DT = CONTROLLERS["dt-20"]
ALONE = np.arange(8)
TINY = 4, 3
"""Smaller than a level can be."""

Wall = tuple[int, ...]
Draw = list[tuple[int, Wall] | None]
"""For each piece the lines and the wall that is left; None: the game is over."""


def chain_of(player: LooksAhead | None) -> dict[Wall, Draw]:
    """Every wall that a readable controller comes to, from the empty one."""
    game = Tetris(Level(width=TINY[0], height=TINY[1]))
    draws: dict[Wall, Draw] = {}
    waiting: list[Wall] = [()]
    while waiting:
        wall = waiting.pop()
        if wall in draws:
            continue
        draws[wall] = []
        for piece in range(7):
            state = State(wall, piece, NONE)
            action = (player or DT).choose(game, state)
            after, lines = game.afterstate(state, action)
            draws[wall].append(None if after.over else (lines, after.wall))
            if not after.over:
                waiting.append(after.wall)
    return draws


@pytest.mark.parametrize("ahead", [False, True])
def test_a_controllers_mean_solves_the_equations(ahead: bool) -> None:
    draws = chain_of(LooksAhead(DT) if ahead else None)
    number = {wall: index for index, wall in enumerate(draws)}
    moves, lines = np.zeros((len(draws), len(draws))), np.zeros(len(draws))
    for wall, draw in draws.items():
        for outcome in draw:
            if outcome is not None:
                lines[number[wall]] += outcome[0] / 7
                moves[number[wall], number[outcome[1]]] += 1 / 7
    system = np.eye(len(draws)) - moves
    true_lines, true_pieces = (
        float(np.linalg.solve(system, gain)[0]) for gain in (lines, np.ones(len(draws)))
    )
    graph = explore(*TINY, choices_of(*TINY, weight_table(DT.weights, 1), ahead), ALONE, 10_000)
    found = mean_of(graph)
    assert found.walls == len(draws) > 20
    slack = 1e-12 * true_pieces
    assert found.lines.low - slack <= true_lines <= found.lines.high + slack
    assert found.pieces.low - slack <= true_pieces <= found.pieces.high + slack
    assert found.lines.high - found.lines.low < 1e-5 * true_lines
    assert true_pieces > 2


def test_the_best_players_mean_is_that_of_the_other_engine() -> None:
    """Value iteration in exact fractions, cell by cell, from below; on the other side nothing is better."""
    width, height = TINY
    moves: dict[Cells, list[list[tuple[int, Cells]]]] = {}
    waiting: list[Cells] = [frozenset()]
    while waiting:
        wall = waiting.pop()
        if wall in moves:
            continue
        moves[wall] = []
        for name in LINES:
            reached: list[tuple[int, Cells]] = []
            for turns in turns_that_differ(name):
                across = 1 + max(x for x, _ in shape(name, turns))
                for column in range(width - across + 1):
                    piece = drop(wall, name, turns, column)
                    if max(y for _, y in piece) < height:
                        left, lines = without_full_rows(wall | piece, width)
                        reached.append((lines, left))
            moves[wall].append(reached)
            waiting += [left for _, left in reached]
    worth = dict.fromkeys(moves, 0.0)
    for _ in range(400):
        worth = {
            wall: sum(max((lines + worth[left] for lines, left in each), default=0.0) for each in pieces) / 7
            for wall, pieces in moves.items()
        }
    actions, starts = every_placement(width)
    graph = explore(width, height, lambda walls: np.tile(actions, (walls.size, 1)), starts, 10_000)
    _, found = solve(graph, 1e-9)
    assert graph.walls.size == len(moves)
    assert found.low - 1e-9 <= worth[frozenset()] <= found.high + 1e-9
    assert found.high - found.low <= 1e-9 * found.low
    assert (
        worth[frozenset()]
        > mean_of(
            explore(*TINY, choices_of(*TINY, weight_table(DT.weights, 1), False), ALONE, 10_000)
        ).lines.high
    )


def test_bounds_hold_from_the_first_look_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """However early it stops: the truth is between, in lines and in pieces."""
    graph = explore(*TINY, choices_of(*TINY, weight_table(DT.weights, 1), False), ALONE, 10_000)
    true = [solve(graph, 1e-12, in_pieces)[1].middle for in_pieces in (False, True)]
    monkeypatch.setattr(exact_means, "ROUNDS", 1)
    monkeypatch.setattr(exact_means, "SMOOTHING", 2)
    widths: list[float] = []
    for looks in (1, 2, 4):
        monkeypatch.setattr(exact_means, "MOST_ROUNDS", looks)
        for in_pieces in (False, True):
            bounds = solve(graph, 0.0, in_pieces)[1]
            assert bounds.low < true[in_pieces] < bounds.high
            widths.append(bounds.high - bounds.low)
    assert widths[0] > 100 * widths[-2] > 0


def test_games_played_out_agree() -> None:
    """10,000 games of DT-20 on 4 × 6 cells: lines and pieces within 4 standard errors."""
    found = exact_mean(4, 6, DT.weights)
    herd, rng = herd_of(4, 6, DT.weights), np.random.default_rng(2)
    games = 10_000
    anywhere = np.full(games, NO_CEILING)
    leap = herd.leap(herd.start(games, rng), -anywhere, anywhere, anywhere, rng)
    for seen, bounds in ((leap.reward, found.lines), (leap.steps, found.pieces)):
        assert abs(seen.mean() - bounds.middle) < 4 * seen.std() / games**0.5


def test_a_player_that_clears_nothing() -> None:
    """Each piece goes as high as it can: pieces are counted with the one that ends the game."""
    found = exact_mean(4, 6, {"landing_height": 1.0})
    assert 0 <= found.lines.low <= found.lines.high < 1
    assert 2 < found.pieces.low <= found.pieces.high < 5


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("width", {"width": 3}),
        ("height", {"height": 5}),
        ("width, height", {"width": 10, "height": 7}),
        ("most_walls", {"most_walls": 0}),
        ("most_walls", {"most_walls": 1000}),
    ],
)
def test_refusals_name_the_argument(field: str, arguments: dict[str, int]) -> None:
    whole = {"width": 4, "height": 6}
    with pytest.raises(WinnableError, match=field):
        optimal_mean(**(whole | arguments))
    with pytest.raises(WinnableError, match=field):
        exact_mean(**(whole | arguments), weights=DT.weights)  # type: ignore[arg-type]


def test_weights_are_checked() -> None:
    with pytest.raises(WinnableError, match="weights"):
        exact_mean(4, 6, {"hole": 1.0})


def test_the_benchmark_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    some = {name: CONTROLLERS[name] for name in ("dt-20", "dellacherie")}
    best = exact_mean(4, 6, DT.weights, True)
    monkeypatch.setattr(tetris_exact, "optimal_mean", lambda width, height: best)  # pyright: ignore
    monkeypatch.setattr(tetris_exact, "CONTROLLERS", some)
    monkeypatch.setattr(tetris_exact, "COPIES", 500)
    monkeypatch.setattr(tetris_exact, "BASE_PIECES", 4000)
    calls: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        calls.append((done, total))

    rows = list(tetris_exact.rows(games=2000, progress=note))
    assert calls[-1] == (2, 2)
    assert len(rows) == 1 + 2 * 6
    assert all(abs(row.value) < 5 for row in rows if row.unit == "z")
    shares = [row.value for row in rows if "share" in row.name]
    assert shares[1] == 1
    assert min(shares) > 0
