"""Makes levels of 2048: an empty board of some size, or one that a careless player left, and its dice."""

from __future__ import annotations

import random
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.contract.arguments import MAX_SEED, whole
from winnable.contract.chance import SeededDice
from winnable.contract.core import Budget, LevelError, Search
from winnable.contract.game import keep_to
from winnable.contract.provenance import Provenance
from winnable.games.game2048.rules.level import FOURS, MAX_EXPONENT, Level, Percent, Side, board_of
from winnable.games.game2048.rules.puzzle import Game2048

MAX_MOVES = 2000
POLLED = 100
"""Moves between two looks at the budget: a few milliseconds."""


class Params(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `generate` takes.

    goal:  exponent of the goal's tile, 11 is 2,048; 0: none
    ends:  whether the game is over when it is reached
    moves: random moves that were made before the level begins; fewer where the game would be over
    """

    rows: Side = 4
    columns: Side = 4
    fours: Percent = FOURS
    goal: Annotated[int, Meta(ge=0, le=MAX_EXPONENT)] = 0
    ends: Literal["no", "yes"] = "no"
    moves: Annotated[int, Meta(ge=0, le=MAX_MOVES)] = 0


def generate(params: Params, seed: int, budget: Budget | None = None) -> Search[Level]:
    """The level of `(params, seed)`: always the same one. Raises LevelError, GaveUp when the budget ends."""
    whole("seed", seed, 0, MAX_SEED)
    if params.goal in (1, 2):
        raise LevelError("2048.goal.made", field="goal", given=params.goal, high=MAX_EXPONENT)
    empty = Level(rows=params.rows, columns=params.columns, fours=params.fours, dice=seed)
    return msgspec.structs.replace(
        empty,
        board=(yield from _played(empty, params.moves, seed, budget or Budget())) if params.moves else (),
        goal=1 << params.goal if params.goal else None,
        ends=params.ends == "yes",
        provenance=Provenance(
            "2048/random-moves", __version__, msgspec.to_builtins(params, str_keys=True), seed
        ),
    )


def _played(level: Level, moves: int, seed: int, budget: Budget) -> Search[tuple[tuple[int, ...], ...]]:
    """The board after random moves; the last one from which there is a move."""
    game, rng, dice = Game2048(level), random.Random(seed), SeededDice(seed, 0)
    state = game.initial(dice)
    for move in range(moves):
        if not move % POLLED:
            yield from keep_to(budget)
        legal = game.legal_actions(state)
        after, _ = game.afterstate(state, legal[int(rng.random() * len(legal))])
        following = game.sample(after, dice)
        if not game.legal_actions(following):
            break
        state = following
    return board_of(state, level.columns)
