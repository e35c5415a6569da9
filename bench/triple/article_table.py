"""The table of the article on 马了个马 (section 4.1): greedy on random boards of 12 to 30 layers.

360 tiles (12 kinds, 10 groups of three each), 7 slots, 100 games a row. *Completion* is picked tiles / all
tiles; the article counts the tiles that are stuck in the tray as done, and so do we.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.report import Row, mean_row, rate_row
from winnable.contract.core import finish
from winnable.games.triple.article.comparisons import PUBLISHED
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.players.greedy_kernels import play_greedy


def rows(
    games: int = 100, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """Two rows for each number of layers: win rate and completion beside the article's. Board i of a row is
    `generate(Params(layers=...), seed + i)`. `progress(done, total)` counts rows of the table."""
    for done, (layers, (win_rate, completion)) in enumerate(PUBLISHED.items(), 1):
        params = Params(layers=layers)
        played = [play_greedy(finish(generate(params, seed + index))) for index in range(games)]
        if progress is not None:
            progress(done, len(PUBLISHED))
        name = f"greedy, {layers} layers"
        yield rate_row(f"{name}: win rate", sum(game.won for game in played), games, seed, win_rate)
        yield mean_row(f"{name}: completion", [game.completion for game in played], "", seed, completion)
