"""Runs a batch: its rows come in the order of its requests, wherever each of them was worked out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple, cast

from winnable.batches.requests import Request, answer_all, answered
from winnable.contract.core import Budget, Progress, Search, WinnableError
from winnable.workers.engines import Engine
from winnable.workers.executor import Evaluator, TaskError

AHEAD = 1024
"""So many rows may be there before the one that is to come next."""


class Row(NamedTuple):
    """What came of a request. answer: an error where it was refused, or no worker came to its end"""

    number: int
    request: Request
    answer: Any


def rows(
    requests: Iterable[Request],
    engine: Engine,
    whole: Budget,
    again: Callable[[Row], Request | None] = lambda row: None,
) -> Generator[Progress | Row]:
    """The rows, in order, and between them how far the searches are; fewer when the whole budget ends.

    again: what is to be asked in place of this request, now that all rows before it are known; None: nothing
    """
    if engine.blocking:
        for number, request in enumerate(requests):
            row = Row(number, request, (yield from _answer(request, whole)))
            while whole.limit(0) is None and (other := again(row)) is not None:
                row = Row(number, other, (yield from _answer(other, whole)))
            if whole.limit(0) is not None:
                return
            yield row
        return
    with Evaluator(engine) as evaluator:
        yield from _on_workers(enumerate(requests), evaluator, engine.chunk, whole, again)


def _answer(request: Request, whole: Budget) -> Search[Any]:
    try:
        return (yield from answered(request, whole))
    except WinnableError as error:
        return error


def _on_workers(
    waiting: Iterator[tuple[int, Request]],
    evaluator: Evaluator,
    chunk: int,
    whole: Budget,
    again: Callable[[Row], Request | None],
) -> Iterator[Progress | Row]:
    """A task is a tuple of numbers."""
    found, asked, following = dict[int, Any](), dict[int, Request](), 0

    def submit(*numbers: int) -> None:
        encoded = [asked[number].encoded() for number in numbers]
        evaluator.submit(numbers, answer_all, encoded)

    while True:
        while evaluator.free and len(asked) < AHEAD * chunk and (more := dict(islice(waiting, chunk))):
            asked |= more
            submit(*more)
        if not asked:
            return
        try:
            told = yield from evaluator.following()
        except TaskError as error:
            told = error.task, [error] * len(error.task)
        if told is None or whole.limit(0) is not None:
            return
        numbers, answers = told[0], _one_each(*told)
        if len(numbers) > 1 and isinstance(answers[0], TaskError):  # one of them is to blame
            for number in numbers:
                submit(number)
            continue
        found.update(zip(numbers, answers, strict=True))
        while following in found:
            row = Row(following, asked[following], found.pop(following))
            if (other := again(row)) is not None:
                asked[following] = other
                submit(following)
                break
            del asked[following]
            following += 1
            yield row


def _one_each(numbers: tuple[int, ...], answers: Any) -> list[Any]:
    """The answers, or what is wrong with them, for each number."""
    if isinstance(answers, list) and len(found := cast("list[Any]", answers)) == len(numbers):
        return found
    return [TaskError(numbers, "its value is none that was asked for")] * len(numbers)
