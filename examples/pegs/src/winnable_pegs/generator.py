"""Levels that can be won: from one peg backwards, jump by jump."""

from __future__ import annotations

from random import Random
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from winnable.contract.core import Budget, Search
from winnable.contract.game import keep_to
from winnable.contract.provenance import Provenance
from winnable_pegs.rules import SIDE, Level, Pegs

VERSION = "0.1.0"


class Params(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    rows: Annotated[int, Meta(ge=3, le=SIDE)] = 5
    columns: Annotated[int, Meta(ge=3, le=SIDE)] = 5
    jumps: Annotated[int, Meta(ge=1, le=7)] = 7


def generate(params: Params, seed: int, budget: Budget | None = None) -> Search[Level]:
    """Whatever the board, 7 jumps back are always found: a line that stops short is tried anew."""
    random, tried = Random(seed), 0
    empty = ("." * params.columns,) * params.rows
    puzzle = Pegs(Level(("o" * params.columns, *empty[1:])))  # for its jumps; where the pegs are is no matter
    state = 0
    while state.bit_count() <= params.jumps:
        yield from keep_to(budget or Budget(), tried)
        back = [changed for changed, pegs in puzzle.jumps.values() if state & changed == changed ^ pegs]
        if not back:
            state, tried = 1 << int(random.random() * len(puzzle.cells)), tried + 1
        else:
            state ^= back[int(random.random() * len(back))]
    made = Provenance("pegs/backwards", VERSION, msgspec.to_builtins(params), seed)
    return Level(tuple(puzzle.observe(state)), provenance=made)
