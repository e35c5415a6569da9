"""The controller on columns of bits, beside the readable one."""

from __future__ import annotations

import random
from typing import Any

import pytest

from winnable.contract.core import Budget, finish
from winnable.games.tetris.players import first
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.placement import Placement
from winnable.games.tetris.rules.level import Level, RuleName
from winnable.games.tetris.rules.pieces import NAMES, turned_bits
from winnable.games.tetris.rules.puzzle import NONE, SeededTetris, State, Tetris


def test_it_is_the_controller_of_the_outlook() -> None:
    from winnable.games.tetris.measure.outlook import CONTROLLER

    assert first.CONTROLLER == CONTROLLER


def some_wall(game: Tetris, rng: random.Random, tall: int, density: float) -> tuple[int, ...]:
    rows = [sum(1 << c for c in range(game.width) if rng.random() < density) for _ in range(tall)]
    rows = [row if row != game.full else row ^ 1 << rng.randrange(game.width) for row in rows]
    while rows and not rows[-1]:
        rows.pop()
    return tuple(rows)


@pytest.mark.parametrize("rules", ["simplified", "travel"])
@pytest.mark.parametrize("size", [(10, 20), (4, 6), (7, 11)])
def test_it_chooses_as_the_readable_controller(size: tuple[int, int], rules: RuleName) -> None:
    """And goes on from the same wall, with as many lines. Of placements that are worth the same any does."""
    game = Tetris(Level(width=size[0], height=size[1], rules=rules))
    controller, value = CONTROLLERS[first.CONTROLLER], first.PlacementValue(game)
    rng, cleared, ended = random.Random(3), 0, 0
    for _ in range(60):
        wall = some_wall(game, rng, rng.randint(0, game.height - 1), rng.choice((0.5, 0.8, 0.95)))
        piece = rng.randrange(len(NAMES))
        state = State(wall, piece, NONE)
        placed = [Placement(game, state, action) for action in game.legal_actions(state)]
        good = [placement for placement in placed if not placement.over]
        best = value.best(turned_bits(wall, game.width), piece)
        if not good:
            assert best is None
            ended += 1
            continue
        assert best is not None
        most = max(map(controller.value, good))
        alike = [placement for placement in good if controller.value(placement) > most - 1e-6]
        assert any((turned_bits(placement.rows, game.width), placement.lines) == best for placement in alike)
        cleared += best[1]
    assert cleared
    assert ended or size == (10, 20)


def test_known_pieces_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wall on which the two pieces that are seen clear what no others would."""
    puzzle = SeededTetris(Level(preview=True, wall=("xxxxxx....",)))
    turn: Any = puzzle.initial()
    lying, square = NAMES.index("I"), NAMES.index("O")
    for piece, lines in ((lying, 1.0), (square, 0.0)):
        monkeypatch.setattr(first, "MOST_PIECES", 1)
        now = turn._replace(state=turn.state._replace(piece=piece, following=lying))
        assert finish(first.first_outlook(puzzle, now, Budget(), 0)).score == lines


def test_a_game_that_is_over_promises_nothing() -> None:
    puzzle = SeededTetris(Level())
    turn: Any = puzzle.initial()
    over = turn._replace(state=turn.state._replace(over=True))
    found = finish(first.first_outlook(puzzle, over, Budget(), 0))
    assert (found.score, found.high, found.risk) == (0.0, 0.0, 1.0)
