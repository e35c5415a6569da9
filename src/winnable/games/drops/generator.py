"""Makes levels of drops. All chance comes from `random.Random(seed).random()`, the same on every platform."""

from __future__ import annotations

import random
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.core import MAX_SEED, LevelError
from winnable.games.drops.level import FULL, MAX_DROPS, MAX_ROUND, MAX_SIDE, Flash, Level, RuleName
from winnable.provenance import Provenance

Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]


class Params(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `generate` takes."""

    rows: Side = 6
    columns: Side = 6
    rules: RuleName = "classic"
    mode: Literal["budget", "flash"] = "budget"


def generate(params: Params, seed: int) -> Level:
    """The level of `(params, seed)`: always the same one. Raises LevelError."""
    if not 0 <= seed <= MAX_SEED:
        raise LevelError(f"seed: {seed} is not in 0 ... 2**53 - 1")
    return Level(
        board=_uniform(params.rows, params.columns, random.Random(seed)),
        rules=params.rules,
        flash=Flash(seed) if params.mode == "flash" else None,
        provenance=Provenance(
            f"drops/{params.mode}", __version__, msgspec.to_builtins(params, str_keys=True), seed
        ),
    )


def next_flash_board(level: Level, tank: int) -> Level | None:
    """The board after `level` in its series, of the same size, with `tank` drops; None after the last."""
    assert level.flash is not None
    if level.flash.round == MAX_ROUND:
        return None
    flash = Flash(level.flash.series, level.flash.round + 1)
    # A string, because Python keeps the meaning of such seeds on every platform.
    rng = random.Random(f"{flash.series}.{flash.round}")
    return Level(
        board=_uniform(level.rows, level.columns, rng),
        rules=level.rules,
        drops=min(tank, MAX_DROPS),
        open=level.open,
        flash=flash,
    )


def _uniform(rows: int, columns: int, rng: random.Random) -> tuple[str, ...]:
    """0 to 4 drops in each cell, all alike; never an empty board."""
    while True:
        board = tuple(
            "".join(str(int(rng.random() * (FULL + 1))) for _ in range(columns)) for _ in range(rows)
        )
        if any(set(row) != {"0"} for row in board):
            return board
