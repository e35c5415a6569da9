"""Makes levels of tetris: a board, perhaps with rows of garbage, and the dice of the pieces."""

from __future__ import annotations

import random
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import Budget, LevelError
from winnable.contract.provenance import Provenance
from winnable.games.tetris.rules.level import MAX_HEIGHT, Height, Level, RuleName, Width


class Params(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `generate` takes.

    garbage: rows that are filled at the start but for one cell each
    top:     only for the rules `article`: the row in which any cell ends the game; 0: height - 2
    """

    width: Width = 10
    height: Height = 20
    rules: RuleName = "simplified"
    preview: Literal["no", "yes"] = "no"
    garbage: Annotated[int, Meta(ge=0, le=MAX_HEIGHT)] = 0
    top: Annotated[int, Meta(ge=0, le=MAX_HEIGHT - 2, extra={"only": {"rules": ["article"]}})] = 0


def generate(params: Params, seed: int, budget: Budget | None = None) -> Level:
    """The level of `(params, seed)`: always the same one. Raises LevelError. It takes no time, so `budget`
    has no effect."""
    if not 0 <= seed <= MAX_SEED:
        raise LevelError("params.range", field="seed", given=seed, low=0, high=MAX_SEED)
    rng = random.Random(seed)
    wall = tuple(_garbage(params.width, rng) for _ in range(params.garbage))
    return Level(
        width=params.width,
        height=params.height,
        rules=params.rules,
        preview=params.preview == "yes",
        top=params.top or None,
        wall=wall,
        dice=seed,
        provenance=Provenance(
            f"tetris/{params.rules}", __version__, msgspec.to_builtins(params, str_keys=True), seed
        ),
    )


def _garbage(width: int, rng: random.Random) -> str:
    gap = int(rng.random() * width)
    return "x" * gap + "." + "x" * (width - gap - 1)
