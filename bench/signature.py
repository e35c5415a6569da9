"""What all solvers find and all players choose on fixed positions, as one number each. A change of the code
that claims to change nothing in what they do leaves the numbers as they are.

Searches end after a number of nodes, never by the clock. Where a slice of a search may go on a little longer,
what was found counts, and not how many nodes that took.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest.mock import patch
from zlib import crc32

from bench.report import Row
from winnable.contract.abilities import solvers_of
from winnable.contract.core import Answer, Budget, Player, Puzzle, WinnableError, finish
from winnable.contract.registry import GAMES, load_game
from winnable.levels.files import shipped_levels
from winnable.levels.find import find_level

NODES = 5_000
ACTIONS = 4
"""Of each game of a player."""
POSITIONS: dict[str, Sequence[str]] = {
    "triple": (
        *(f"triple/{name}" for name in ("1-first-steps", "2-pyramid", "3-butterfly", "5-tight-tray")),
        "triple:layers=8,sets=4,side=5#1",
        "triple:layers=8,sets=4,side=5,slots=5#4",
        "triple:layers=12,sets=4#5",
        "triple:layers=14,sets=8,method=backwards#3",
    ),
    "drops": (
        *(f"drops/{name}" for name in ("03-chequers", "07-butterfly", "12-drizzle", "18-umbrella")),
        *(f"drops/{name}" for name in ("article-03-dew", "article-10-ripples", "29-nothing-to-spare")),
        "drops:rules=half#2",
    ),
    "tetris": (
        *(f"tetris/{name}" for name in ("1-ten-by-ten", "2-classic", "3-one-ahead", "4-narrow")),
        *(f"tetris/{name}" for name in ("5-dig", "7-the-articles-game")),
        "tetris:#9",
        "tetris:#10",
    ),
    "rotate": (
        *(f"rotate/{name}" for name in ("01-one-turn", "04-two-steps", "06-three-of-each", "09-corners")),
        *(f"rotate/{name}" for name in ("12-first-pairs", "15-heart", "27-ribbon")),
        "rotate:#3",
    ),
    "2048": (
        *(f"2048/{name}" for name in ("1-2048", "2-the-articles-1024", "3-two-by-two")),
        *(f"2048/{name}" for name in ("4-three-by-three", "5-two-by-five", "6-five-by-five", "7-staircase")),
        "2048:#5",
    ),
}
"""Of other games: the levels that they ship."""


def rows(
    *, targets: str | None = None, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """targets: games, with commas."""
    games = list(GAMES) if targets is None else targets.split(",")
    total = 0
    # No tables but those that ship.
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, WINNABLE_DATA=folder):
        for done, name in enumerate(games):
            for row in _of_game(name, seed):
                total = crc32(row.name.encode(), total ^ int(row.value))
                yield row
            if progress is not None:
                progress(done + 1, len(games))
    yield Row("signature", total, n=len(games), seed=seed)


def _of_game(name: str, seed: int) -> Iterator[Row]:
    game = load_game(name)
    positions = POSITIONS.get(name) or [level for level, _ in shipped_levels(game)]
    puzzles = [game.puzzle(find_level(position).level) for position in positions]
    for solver, solve in solvers_of(game).items():
        found = [finish(solve(puzzle, puzzle.initial(), Budget(expanded=NODES), seed)) for puzzle in puzzles]
        yield Row(f"{name}: solver {solver}", _number(map(_told, found)), n=len(puzzles), seed=seed)
    for player, make in game.players.items():
        chosen = [_choices(make, puzzle, seed) for puzzle in puzzles]
        yield Row(f"{name}: player {player}", _number(chosen), n=len(puzzles), seed=seed)


def _told(result: Answer) -> Any:
    nodes = (result.expanded, result.generated) if result.limit is None else None
    return result.status, result.actions, result.cost, result.lower_bound, result.optimal, nodes


def _choices(make: Callable[[Any, int], Player[Any]], puzzle: Puzzle[Any], seed: int) -> Any:
    """Where the player does not refuse the level."""
    actions: list[int] = []
    try:
        player, state = make(puzzle, seed), puzzle.initial()
    except WinnableError:
        return None
    while len(actions) < ACTIONS and len(puzzle.legal_actions(state)):
        actions.append(int(finish(player.choose(state))))
        state = puzzle.apply(state, actions[-1])
    return actions


def _number(told: Any) -> int:
    """32 bits."""
    return crc32(repr(list(told)).encode())
