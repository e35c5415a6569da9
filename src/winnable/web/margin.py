"""How much room the player of a desk has, told when its lamp has come to rest (see analysis/margin.py)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Hashable, Iterator

from winnable.analysis import ByProof
from winnable.analysis.engine import engine
from winnable.analysis.margin import Margin, margins
from winnable.contract.abilities import Chance
from winnable.contract.core import Budget, Progress
from winnable.contract.game import Game
from winnable.web.events import MarginEvent
from winnable.web.jobs import Job, Jobs, Running
from winnable.web.watched import Watched

REST_SECONDS = 0.2
"""A player who goes on sooner is not interested."""
FIRST_SECONDS, CHANCE_SECONDS, SECONDS = 1.0, 1.0, 8.0
"""Most is known after the first; then comes the chance, then what takes longer."""
TELL_SECONDS = 0.1


class DeskMargin:
    """On the event loop. learned: called when the companion may know more"""

    def __init__(self, desk: Watched, jobs: Jobs, learned: Callable[[], None]) -> None:
        self._desk, self._jobs, self._learned = desk, jobs, learned
        self._search: Running | None = None
        self._rest: asyncio.TimerHandle | None = None

    def give_up(self) -> None:
        """For a board that is not there any more."""
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        if self._search is not None:
            self._search.give_up()
            self._search = None

    def begin(self) -> None:
        """For the board that is there now."""
        self.give_up()
        desk = self._desk
        if (
            desk.members
            and desk.session.standing == "playing"
            and isinstance(desk.companion, ByProof)
            and desk.companion.verdict(desk.session.state) != "lost"
        ):
            self._rest = self._jobs.later(REST_SECONDS, self._look)

    def _look(self) -> None:
        session, companion, budget = self._desk.session, self._desk.companion, Budget()
        assert isinstance(companion, ByProof)
        stream = _freedom(session.game, companion, session.state, budget)
        job = self._jobs.stream("margin", stream, budget, small=True)
        self._search = self._jobs.follow(job, self._tell(job, session.ply))

    async def _tell(self, job: Job[Margin | Chance], ply: int) -> None:
        desk, last = self._desk, float("-inf")
        margin: Margin | None = None
        chance: Chance | None = None
        async for one in job.told():
            if isinstance(one, Chance):
                chance = one
                continue
            margin = one
            if time.monotonic() - last >= TELL_SECONDS:
                last = time.monotonic()
                desk.broadcast(MarginEvent(desk.id, ply, margin, chance, False))
        self._search = None
        if job.cancelled:  # others needed the thread
            self.begin()
        elif margin is not None:
            desk.broadcast(MarginEvent(desk.id, ply, margin, chance, True))
            self._learned()


def _freedom(
    game: Game, companion: ByProof, state: Hashable, budget: Budget
) -> Iterator[Progress | Margin | Chance]:
    """Most of it, the chance, and what takes longer."""
    is_exact = False
    for told in margins(companion, state, budget.part(most=FIRST_SECONDS)):
        is_exact = told.is_exact if isinstance(told, Margin) else is_exact
        yield told
    if engine().is_ready(game, None):  # nothing is compiled for an estimate
        yield from companion.chance(state, budget.part(most=CHANCE_SECONDS))
    if not is_exact:
        yield from margins(companion, state, budget.part(most=SECONDS))
