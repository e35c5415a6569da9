"""What is known of the states of one level: learned, inferred and asked here, whoever wants to know."""

from __future__ import annotations

from typing import Any, TypeAlias

from winnable.analysis.by_outlook import ByOutlook
from winnable.analysis.by_proof import ByProof
from winnable.contract.abilities import Solves
from winnable.contract.arguments import of_kind
from winnable.contract.core import Puzzle, Solver
from winnable.contract.game import Game

Companion: TypeAlias = ByProof | ByOutlook
"""What shells ask about the states of one level, whether its game can be won or only goes on. One thread
learns while others read."""


def companion_of(game: Game, level: Any, puzzle: Puzzle, solver: Solver | None = None) -> Companion:
    """Of the games on one level. solver: proves in the place of the game's own one. Raises WinnableError."""
    of_kind("game", game, Game)
    if isinstance(game, Solves):
        return ByProof(game, puzzle, solver, level)
    return ByOutlook(game, level, puzzle)
