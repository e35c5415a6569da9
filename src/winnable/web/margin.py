"""How much room the player of a desk has, told when its lamp has come to rest (see analysis/margin.py)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Protocol

from winnable.analysis.companion import Companion
from winnable.analysis.margin import Margin
from winnable.contract.abilities import Chance, Solves
from winnable.play.session import Session
from winnable.web.events import Event, MarginEvent
from winnable.web.jobs import Job, Jobs, Outcome
from winnable.web.kernels import Kernels, untold
from winnable.web.slot import Slot, Turn

REST_SECONDS = 0.2
"""A player who goes on sooner is not interested."""
FIRST_SECONDS, CHANCE_SECONDS, SECONDS = 1.0, 1.0, 8.0
"""Most is known after the first; then comes the chance, then what takes longer."""
TELL_SECONDS = 0.1


class MarginDesk(Protocol):
    """The desk, as far as it matters here."""

    id: str
    session: Session
    companion: Companion
    members: set[Any]

    def broadcast(self, event: Event) -> None: ...


class DeskMargin:
    """On the event loop. learned: called when the companion may know more"""

    def __init__(self, desk: MarginDesk, jobs: Jobs, kernels: Kernels, learned: Callable[[], None]) -> None:
        self._desk, self._jobs, self._kernels, self._learned = desk, jobs, kernels, learned
        self._slot = Slot(jobs)
        self._job: Job | None = None
        """The latest."""
        self._rest: asyncio.TimerHandle | None = None

    def give_up(self) -> None:
        """For a board that is not there any more."""
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        self._slot.give_up()

    def begin(self) -> None:
        """For the board that is there now."""
        self.give_up()
        desk = self._desk
        if (
            desk.members
            and desk.session.standing == "playing"
            and isinstance(desk.session.game, Solves)
            and desk.companion.verdict(desk.session.state) != "lost"
        ):
            self._rest = self._jobs.later(REST_SECONDS, self._submit)

    def _submit(self) -> None:
        desk, kernels = self._desk, self._kernels
        session, companion, state, ply = desk.session, desk.companion, desk.session.state, desk.session.ply

        def told(margin: Margin, chance: Chance | None, done: bool = False) -> None:
            desk.broadcast(MarginEvent(desk.id, ply, margin, chance, done))

        def search(job: Job, tell: Callable[[Margin, Chance | None], None]) -> _Told | None:
            kernels.wait(job, session.game, untold)
            found = _Told(job, tell)
            for margin in companion.margin(state, job.budget(FIRST_SECONDS, small=True)):
                found.tell(margin)
            if kernels.is_ready(session.game.name, None):  # nothing is compiled for an estimate
                for found.chance in companion.chance(state, job.budget(CHANCE_SECONDS, small=True)):
                    pass
            if found.margin is not None and not found.margin.is_exact:
                for margin in companion.margin(state, job.budget(SECONDS, small=True)):
                    found.tell(margin)
            return found

        def done(outcome: Outcome) -> None:
            found: _Told | None = outcome.value
            if self._job is not None and self._job.cancelled:  # others needed the thread
                self.begin()
            elif found is not None and found.margin is not None:
                told(found.margin, found.chance, done=True)
                self._learned()

        def submit(turn: Turn) -> Job:
            self._job = self._jobs.submit("margin", lambda job: search(job, turn.only(told)), turn.done)
            return self._job

        self._slot.begin(submit, done)


class _Told:
    """What was found, in the thread of the job; told now and then."""

    def __init__(self, job: Job, tell: Callable[[Margin, Chance | None], None]) -> None:
        self._job, self._tell, self._last = job, tell, float("-inf")
        self.margin: Margin | None = None
        self.chance: Chance | None = None

    def tell(self, margin: Margin) -> None:
        self.margin = margin
        if time.monotonic() - self._last >= TELL_SECONDS:
            self._last = time.monotonic()
            self._job.call(self._tell, margin, self.chance)
