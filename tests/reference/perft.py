"""Counting lines of play: these numbers hold rules and kernels together (after chess programs' perft)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import TypeVar

from winnable.contract.core import Action, Puzzle

S = TypeVar("S", bound=Hashable)


def perft(puzzle: Puzzle[S], state: S, depth: int) -> int:
    """How many different sequences of `depth` legal actions start at `state`.

    Lines that end earlier, won or lost, do not count. Counts by levels: equal states are expanded once.
    """
    lines = Counter({state: 1})
    for _ in range(depth):
        longer: Counter[S] = Counter()
        for before, count in lines.items():
            for action in puzzle.legal_actions(before):
                longer[puzzle.apply(before, action)] += count
        lines = longer
    return lines.total()


def divide(puzzle: Puzzle[S], state: S, depth: int) -> dict[Action, int]:
    """`perft` of `depth` >= 1 by first action: compare two of these to find the move that is wrong."""
    return {
        action: perft(puzzle, puzzle.apply(state, action), depth - 1)
        for action in puzzle.legal_actions(state)
    }
