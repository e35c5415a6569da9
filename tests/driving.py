"""Searches as their consumers drive them."""

import threading
from collections.abc import Callable, Iterable
from itertools import islice, pairwise
from typing import Any, TypeVar

from winnable.contract.core import Found, Progress, Search, collected, finish, searching

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


def progress_of(found: Found[Any]) -> list[Progress]:
    """All that a search tells on its way."""
    told: list[Progress] = []
    driven(found, told.append)
    return told


def most_at_once(found: Found[Any]) -> int:
    """What a search counts between two steps, at the most; it has several."""
    told = progress_of(found)
    assert len(told) > 1
    return max(later - sooner for sooner, later in pairwise([0, *(one.expanded for one in told)]))


def drop(make: Callable[[], Search[Any]], steps: Iterable[int]) -> None:
    """Searches that are dropped after so many steps leave no thread."""
    before = set(threading.enumerate())
    for number in steps:
        search = make()
        told = [*islice(search, number)]
        assert len(told) == number
        assert all(isinstance(one, Progress) for one in told)
        search.close()
        assert next(search, None) is None
        assert set(threading.enumerate()) == before
