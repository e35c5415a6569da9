"""Chance for generators of triple, built on nothing but draws: the standard library may change its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Draw: TypeAlias = Callable[[], float]
"""Uniform in [0, 1)."""


def shuffled(items: list[T], draw: Draw) -> list[T]:
    """A new list in random order (Fisher and Yates, from the last place down)."""
    result = items.copy()
    for last in range(len(result) - 1, 0, -1):
        chosen = int(draw() * (last + 1))
        result[last], result[chosen] = result[chosen], result[last]
    return result


def weighted(weights: list[int], draw: Draw) -> int:
    """An index, drawn in proportion to its weight."""
    rest = int(draw() * sum(weights))
    for index, weight in enumerate(weights):
        rest -= weight
        if rest < 0:
            return index
    raise AssertionError(f"no index may be drawn: {weights}")
