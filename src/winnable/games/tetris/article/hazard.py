"""The article's six weights, tuned as `docs/tuning.md` recommends: by how seldom the player dies, with
CMA-ES.

The board is the article's, but over at row 13 instead of 7 (training) or 19 (full). A game that is over at
row 7 asks for other weights than the full one, whose games take four times the pieces of those up to row 13.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from winnable.contract.core import Search
from winnable.contract.tunable import Judgement, Tunable
from winnable.games.tetris.article.player import ARTICLE_WEIGHTS, FEATURES, ArticlePlayer
from winnable.games.tetris.article.tuning import BOUND, board, survived_on
from winnable.games.tetris.rules.puzzle import SeededTetris
from winnable.tuning.survival import Horizon

SEARCH_TOP = 13
DEATHS = 1
"""Learning-rate adaptation averages over many candidates; each of them need not be known well."""
FIRST_PIECES, MOST_PIECES = 2000, 10_000_000
"""Of an evaluation: until there are candidates to compare with, and ever."""


@dataclass(frozen=True, slots=True)
class ArticleHazard:
    """The loss is the log hazard (deaths per piece) on the board that is over at row `top`; a step is a
    piece. An evaluation ends with the death number `deaths`, or when its pieces are placed."""

    name: str
    top: int = SEARCH_TOP
    deaths: int = DEATHS
    genes: tuple[str, ...] = tuple(FEATURES)
    low: tuple[float, ...] = (-BOUND,) * len(FEATURES)
    high: tuple[float, ...] = (BOUND,) * len(FEATURES)
    start: tuple[float, ...] = ARTICLE_WEIGHTS

    def player(self, genome: tuple[float, ...]) -> Callable[[SeededTetris, int], ArticlePlayer]:
        """The article's player with these weights."""
        return partial(ArticlePlayer, weights=genome)

    def horizon(self) -> Horizon:
        """The pieces of an evaluation, at first and at the most."""
        return Horizon(FIRST_PIECES, MOST_PIECES)

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Search[Judgement]:
        """Play for at least one piece. Raises WinnableError unless the genome is six finite numbers."""
        pieces = max(1, int(steps))
        seen = yield from survived_on(board(self.top), genome, seed, self.deaths, pieces)
        return Judgement(seen.log_hazard, seen.error, seen.steps)


TUNABLES: dict[str, Tunable] = {"article-hazard": ArticleHazard("article-hazard")}
"""For `tunables` in the game's `game.py`."""
