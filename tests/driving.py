"""Searches as their consumers drive them."""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any, TypeVar

from winnable.contract.core import Answer, Budget, Found, Progress, Search, collected, finish, searching

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


def leaves_nothing(
    ask: Callable[[], Found[Any]], steps: Sequence[int], forget: Callable[[], object] = lambda: None
) -> None:
    """What is asked after searches that were dropped is answered as if nothing had been. forget: what an
    answer leaves for the next one"""

    def anew() -> Search[Any]:
        forget()
        return searching(ask())

    whole = finish(anew())
    drop(anew, steps)
    assert _timeless(finish(ask())) == _timeless(whole)


def _timeless(found: Any) -> Any:
    return replace(found, seconds=0.0) if isinstance(found, Answer) else found


def shares_what_was_dropped(
    game: Any, puzzle: Any, most: int, steps: Iterable[int], later: Iterable[int]
) -> None:
    """What positions share in their searches for few moves is of use after some that were dropped. most,
    later: how many moves those search for, and those that come then"""

    def within(solver: Any, moves: int) -> Search[Answer]:
        return searching(solver(puzzle.initial(), moves, Budget()))

    shared, fresh = game.within(puzzle), game.within(puzzle)
    for number in steps:
        drop(lambda: within(shared, most), (number,))
    for moves in later:
        one, other = finish(within(shared, moves)), finish(within(fresh, moves))
        assert (one.status, one.cost, one.lower_bound) == (other.status, other.cost, other.lower_bound)


def tells_more_often(solve: Callable[[int], Found[Answer]], nodes: int) -> list[Progress]:
    """All that a search tells that may expand so many nodes: more than one that may expand a third."""
    less, more = progress_of(solve(nodes // 3)), progress_of(solve(nodes))
    assert 3 < len(less) < len(more)
    return more


def are_searches(*asked: Found[Any]) -> None:
    """Each of these answers takes many steps."""
    for found in asked:
        assert len([*islice(searching(found), 9)]) == 9
