"""A game with other abilities than its own."""

from __future__ import annotations

from dataclasses import fields
from typing import TypeVar

from winnable.contract.game import Game

G = TypeVar("G", bound=Game)


def of_kind(game: Game, kind: type[G]) -> G:
    """What all games have is the game's, what only some can do is the class's."""
    return kind(**{field.name: getattr(game, field.name) for field in fields(Game)})
