"""Levels that can be won: lamps that were pressed at random from the dark."""

from __future__ import annotations

from random import Random
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from winnable.contract.core import Budget, Search
from winnable.contract.game import keep_to
from winnable.contract.provenance import Provenance
from winnable_lights.rules import SIDE, Level, Lights
from winnable_lights.solver import lines

VERSION = "0.1.0"


class Params(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """par: the fewest presses that win; spare: how many more there are"""

    rows: Annotated[int, Meta(ge=2, le=SIDE)] = 4
    columns: Annotated[int, Meta(ge=2, le=SIDE)] = 4
    par: Annotated[int, Meta(ge=1, le=4)] = 4
    spare: Annotated[int, Meta(ge=0, le=5)] = 0


def generate(params: Params, seed: int, budget: Budget | None = None) -> Search[Level]:
    """Tried anew until fewer presses do not suffice; on every board some do."""
    random, tried = Random(seed), 0
    presses, cells = params.par + params.spare, params.rows * params.columns
    lights = Lights(Level(("o" * params.columns,) * params.rows, presses=presses))
    while True:
        yield from keep_to(budget or Budget(), tried)
        tried, lit = tried + 1, 0
        for cell in sorted(range(cells), key=lambda _: random.random())[: params.par]:
            lit ^= lights.switches[cell]
        if lit and min(len(line) for line in lines(lights, lit) if line is not None) == params.par:
            break
    signs = "".join(".o"[lit >> cell & 1] for cell in range(cells))
    board = tuple(signs[at : at + params.columns] for at in range(0, cells, params.columns))
    made = Provenance("lights/pressed", VERSION, msgspec.to_builtins(params), seed)
    return Level(board, presses=presses, provenance=made)
