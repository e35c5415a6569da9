"""Searches as their consumers drive them."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from winnable.contract.core import Found, Progress, collected, finish, searching

T = TypeVar("T")


def told(stream: Iterable[Progress | T]) -> list[T]:
    """What a stream tells beside how far it is, all of it."""
    return finish(collected(stream))


def driven(found: Found[T], hear: Callable[[Progress], object]) -> T:
    """What a search finds, which is heard of between its steps."""
    steps = searching(found)
    while True:
        try:
            hear(next(steps))
        except StopIteration as end:
            return end.value
