"""The article's player of 2048, whose article plays for 1,024, beside an expectimax over the same
features."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from bench.report import Row, mean_row, rate_row
from winnable.games.game2048.article.games import Game, play, warm
from winnable.games.game2048.board.kernels import MAX_EXPONENT

FOURS = 5
"""Percent, in the article's program."""
PUBLISHED = {("article(depth=1)", 10): 0.5}
"""The article: "about 50 %", for depth 1, of more than 50 games."""
GOALS = (10, 11)


def rows(
    games: int = 200, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """For each player the share of `games` games in which it makes a 1,024, and a 2,048, by the article's
    odds for new tiles; the mean score, as all games go on to their end; and the processor time of a move."""
    warm()
    players = [(sums, depth) for sums in (True, False) for depth in (1, 2)]
    for done, (sums, depth) in enumerate(players):
        name = f"{'article' if sums else 'article-expectimax'}(depth={depth})"
        began, played = time.process_time(), list[Game]()
        for one in range(games):
            played.append(play(sums, depth, FOURS, MAX_EXPONENT, seed + one))
            if progress is not None:
                progress(done * games + one + 1, len(players) * games)
        seconds = time.process_time() - began
        for goal in GOALS:
            reached = sum(game.largest >= goal for game in played)
            label = f"{name}: games that make a {1 << goal:,}"
            yield rate_row(label, reached, games, seed, PUBLISHED.get((name, goal)))
        yield mean_row(f"{name}: score", [game.score for game in played], "", seed)
        moves = sum(game.moves for game in played)
        yield Row(f"{name}: a move", seconds / moves * 1000, "ms", n=moves, seed=seed)
