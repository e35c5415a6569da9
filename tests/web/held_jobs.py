"""Jobs that go on when the test says so, in its own event loop, and a page that notes what it is told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Iterator
from functools import wraps
from typing import Any, ParamSpec, Protocol

import msgspec

from tests.waiting import PATIENCE
from tests.web import toy_game
from winnable.analysis import companion_of
from winnable.contract.core import Budget, Progress
from winnable.contract.game import Game
from winnable.levels.files import NamedLevel
from winnable.play.session import Session
from winnable.web import opening
from winnable.web.desk import Desk
from winnable.web.hub import Hub
from winnable.web.jobs import Failed, Job, Jobs, Lane, Running

P = ParamSpec("P")
PAUSE = 10
"""Rounds of the event loop: within so many, everybody has heard what was told."""


def on_the_loop(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """A test that is a coroutine."""

    @wraps(test)
    def run(*arguments: P.args, **named: P.kwargs) -> None:
        async def main() -> None:
            await test(*arguments, **named)

        asyncio.run(main())

    return run


async def all_is_heard() -> None:
    for _ in range(PAUSE):
        await asyncio.sleep(0)


def pause() -> Generator[Progress]:
    """Of a stream, until what it told is heard."""
    for _ in range(PAUSE):
        yield Progress("", 0, 0, 0.0)


class _Gate:
    """Of one job. given: what it tells, or raises, in the place of what it would"""

    def __init__(self) -> None:
        self.is_open = self.has_begun = self.is_over = False
        self.given: Any = None

    def held(self, stream: Iterable[Any]) -> Iterator[Any]:
        self.has_begun = True
        try:
            while not self.is_open:
                yield Progress("", 0, 0, 0.0)
            if isinstance(self.given, Exception):
                raise self.given
            if self.given is not None:
                yield self.given
            else:
                yield from stream
        finally:
            self.is_over = True


class HeldJobs(Jobs):
    """No thread drives them, nothing begins before it is let go, and nothing comes later."""

    def __init__(self) -> None:
        super().__init__(threads=False)
        self.submitted: list[Job[Any]] = []
        self._gates: dict[Job[Any], _Gate] = {}
        self._followed_by: dict[Job[Any], Running] = {}

    def stream(self, lane: Lane, stream: Iterable[Any], budget: Budget, **options: Any) -> Job[Any]:
        gate = _Gate()
        job: Job[Any] = super().stream(lane, gate.held(stream), budget, **options)
        self._gates[job] = gate
        self.submitted.append(job)
        return job

    def follow(
        self, job: Job[Any], listens: Coroutine[Any, Any, None], failed: Failed = lambda error: None
    ) -> Running:
        self._followed_by[job] = super().follow(job, listens, failed)
        return self._followed_by[job]

    def later(self, seconds: float, function: Callable[[], None]) -> asyncio.TimerHandle:
        return super().later(1e6, function)

    def of(self, lane: Lane) -> list[Job[Any]]:
        return [job for job in self.submitted if job.lane == lane]

    def let_go(self, job: Job[Any]) -> None:
        self._gates[job].is_open = True

    async def finish(self, job: Job[Any], given: Any = None) -> None:
        """Until it is over, and all is heard. given: see _Gate"""
        gate, end = self._gates[job], time.monotonic() + PATIENCE
        gate.is_open, gate.given = True, given
        while not (gate.is_over or not gate.has_begun) or not self._followed_by[job].is_over:
            assert time.monotonic() < end, "the job does not end"
            await asyncio.sleep(0)
        await all_is_heard()


class Told:
    """A page: what it was told."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def send(self, event: Any) -> None:
        self.events.append(event)

    def of(self, *kinds: type) -> list[Any]:
        """And forgets all of it."""
        found = [event for event in self.events if isinstance(event, kinds)]
        self.events.clear()
        return found


class Connection(Protocol):
    def receive(self, message: str | bytes) -> None: ...


def ask(connection: Connection, type: str, **fields: Any) -> None:
    connection.receive(msgspec.json.encode({"type": type, **fields}).decode())


def seated(hub: Hub, page: Told, game: Game, start: int = 9) -> Desk:
    session = Session(NamedLevel(game, toy_game.Level(start), f"toy:start={start}#1"))
    level = msgspec.json.encode(session.level)
    companion = companion_of(game, session.level, session.puzzle)
    opened = opening.Opened(session, level, f"{start}", f"{start}", companion)
    found = hub.seat(opened)
    found.join(page)
    return found
