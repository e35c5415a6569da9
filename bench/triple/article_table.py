"""The table of the article on 马了个马 (section 4.1): greedy on random boards of 12 to 30 layers.

360 tiles (12 kinds, 10 groups of three each), 7 slots, 100 games a row. *Completion* is picked tiles / all
tiles; the article counts the tiles that are stuck in the tray as done, and so do we.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.report import Row, mean_row, rate_row
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.players.greedy_kernels import play_greedy

PUBLISHED: dict[int, tuple[float, float]] = {
    12: (0.36, 0.7954),
    13: (0.27, 0.734),
    14: (0.27, 0.7116),
    15: (0.06, 0.5726),
    16: (0.07, 0.5022),
    17: (0.07, 0.5395),
    18: (0.02, 0.4365),
    19: (0.03, 0.4277),
    20: (0.01, 0.4217),
    21: (0.02, 0.3964),
    22: (0, 0.3537),
    23: (0, 0.3250),
    24: (0, 0.3499),
    25: (0, 0.3340),
    26: (0, 0.2993),
    27: (0, 0.3217),
    28: (0, 0.3094),
    29: (0.01, 0.3317),
    30: (0, 0.3299),
}
"""Layers -> (win rate, completion) in the article, 100 games each."""


def rows(
    games: int = 100, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """Two rows for each number of layers: win rate and completion beside the article's. Board i of a row is
    `generate(Params(layers=...), seed + i)`. `progress(done, total)` counts rows of the table."""
    for done, (layers, (win_rate, completion)) in enumerate(PUBLISHED.items(), 1):
        params = Params(layers=layers)
        played = [play_greedy(generate(params, seed + index)) for index in range(games)]
        if progress is not None:
            progress(done, len(PUBLISHED))
        name = f"greedy, {layers} layers"
        yield rate_row(f"{name}: win rate", sum(game.won for game in played), games, seed, win_rate)
        yield mean_row(f"{name}: completion", [game.completion for game in played], "", seed, completion)
