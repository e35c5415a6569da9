"""The most that can be scored on boards of 2048, by games whose new tiles are chosen, too."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from bench.game2048.perfect_game import Turn, ceiling, perfect_game, score, warm
from bench.report import CheckFailed, Row
from winnable.games.game2048.rules.puzzle import NAMES

BOARDS = ((2, 2), (2, 3), (2, 4), (3, 3), (2, 5), (3, 4), (2, 7), (3, 5), (4, 4))
LARGEST = BOARDS[-1]
KNOWN = 3_925_224
"""On 4 × 4 by the line of 129,333 moves of the Perfect 2048 of DomTheDeveloper's 2048-undo."""
SIGNS_IN_A_LINE = 100


def rows(games: int = len(BOARDS), progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """games: so many of the boards, the smallest first.

    Of each the score of a game, added up by the readable rules, beside the proved ceiling; its turns, the 4s
    that appear, and the processor time that it took to find it. Nothing is left to chance. Raises CheckFailed
    for a score above the ceiling."""
    warm()
    boards = BOARDS[:games]
    for done, (height, width) in enumerate(boards):
        if progress is not None:
            progress(done, len(boards))
        started = time.process_time()
        game = found(height, width)
        seconds = time.process_time() - started
        scored, most = score(game), ceiling(height * width)
        if scored > most:
            raise CheckFailed(f"{height} × {width}: {scored:,} points, above the ceiling of {most:,}")
        name = f"{height} × {width}"
        yield Row(f"{name}: score", scored, reference=most)
        yield Row(f"{name}: turns", len(game.turns))
        yield Row(f"{name}: 4s", sum(turn.spawn.exponent == 2 for turn in game.turns))
        yield Row(f"{name}: seconds", seconds, "s")
        if (height, width) == LARGEST:
            yield Row(f"{name}: score, beside the best line known before", scored, reference=KNOWN)
    if progress is not None:
        progress(len(boards), len(boards))


found = cache(perfect_game)


def as_document(_: Sequence[Row]) -> str:
    """The game on the largest board, for other programs to check."""
    game = found(*LARGEST)
    head = (
        f"# 2048 on {game.rows} x {game.columns}: {score(game):,} points. No game has more than"
        f" {ceiling(game.rows * game.columns):,}.",
        "# Made by `winnable bench 2048-perfect --document FILE`; examples/perfect_2048.py checks it.",
        "# First the cells of two 2s. Then for each turn a move (u, r, d, l) and the cell where a 2 appears;",
        "# after a capital letter a 4. Cells are 0 to f, row by row.",
    )
    signs = "".join(map(_signs, game.turns))
    start = "".join(f"{spawn.cell:x}" for spawn in game.start)
    lines = (signs[at : at + SIGNS_IN_A_LINE] for at in range(0, len(signs), SIGNS_IN_A_LINE))
    return "\n".join((*head, start, *lines)) + "\n"


def _signs(turn: Turn) -> str:
    move = NAMES[turn.action][0]
    return f"{move if turn.spawn.exponent == 1 else move.upper()}{turn.spawn.cell:x}"
