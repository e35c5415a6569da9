"""Boards and games that the tests of drops share."""

from __future__ import annotations

import random
from typing import get_args

from hypothesis import strategies as st

from winnable.games.drops.rules.level import Level, RuleName
from winnable.games.drops.rules.puzzle import Drops, State

RULES: tuple[RuleName, ...] = get_args(RuleName)

rule_names = st.sampled_from(RULES)
SEEDS = st.integers(0, 2**32)


@st.composite
def rows(draw: st.DrawFn, side: int = 7, digits: str = "01234") -> tuple[str, ...]:
    """A board of any shape up to `side` × `side`, not empty. Full cells are common: chains are long."""
    height, width = draw(st.integers(1, side)), draw(st.integers(1, side))
    rng = random.Random(draw(SEEDS))
    common = draw(st.sampled_from([digits, digits + digits[-1] * 4, digits[-2:]]))
    board = ["".join(rng.choice(common) for _ in range(width)) for _ in range(height)]
    if set("".join(board)) == {"0"}:
        board[0] = "4" + board[0][1:]
    return tuple(board)


@st.composite
def levels(draw: st.DrawFn, side: int = 7, drops: st.SearchStrategy[int | None] | None = None) -> Level:
    given = None if drops is None else draw(drops)
    return Level(draw(rows(side)), rules=draw(rule_names), drops=given, open=draw(st.booleans()))


def clicks(puzzle: Drops, seed: int, full_first: bool = False) -> list[tuple[State, int]]:
    """A random game to its end: each state with the click that was made in it. Only non-empty cells."""
    rng, state, game = random.Random(seed), puzzle.initial(), list[tuple[State, int]]()
    while not puzzle.is_goal(state) and state.left != 0:
        cells = [cell for cell, drops in enumerate(state.cells) if drops]
        full = [cell for cell in cells if state.cells[cell] == 4]
        cell = rng.choice(full if full_first and full else cells)
        game.append((state, cell))
        state = puzzle.apply(state, cell)
    return game
