"""The current job of its kind: what another one reports or ends with comes too late."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

from winnable.web.jobs import Job, Jobs, Outcome

P = ParamSpec("P")


class Turn:
    """A job's time in a slot. It is over when the job ends, is given up, or another one takes its place."""

    def __init__(self, slot: Slot, done: Callable[[Outcome], None], late: Callable[[Outcome], None]) -> None:
        self._slot, self._done, self._late = slot, done, late
        self.job: Job | None = None

    @property
    def is_current(self) -> bool:
        return self._slot.turn is self

    def only(self, listener: Callable[P, None]) -> Callable[P, None]:
        """Hears what the job reports, as long as it is the current one."""

        def hear(*arguments: P.args, **named: P.kwargs) -> None:
            if self.is_current:
                listener(*arguments, **named)

        return hear

    def done(self, outcome: Outcome) -> None:
        """For the job's `done`."""
        if self.is_current:
            self._slot.turn = None
            self._done(outcome)
        else:
            self._late(outcome)


class Slot:
    """On the event loop."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self.turn: Turn | None = None

    @property
    def job(self) -> Job | None:
        return None if self.turn is None else self.turn.job

    @property
    def is_free(self) -> bool:
        return self.turn is None

    def begin(
        self,
        start: Callable[[Turn], Job | None],
        done: Callable[[Outcome], None],
        late: Callable[[Outcome], None] = lambda outcome: None,
    ) -> None:
        """start: submits the job, whose `done` is the turn's; the one before is given up then, unless this
                  raises, or submits none
        done:  hears how the job ended, if it still was the current one
        late:  hears it if it was not"""
        turn = Turn(self, done, late)
        turn.job = start(turn)
        if turn.job is not None:
            self.give_up()
            self.turn = turn

    def give_up(self) -> None:
        """It is cancelled, and nobody waits for it."""
        job, self.turn = self.job, None
        self._jobs.cancel(job)

    def cancel(self) -> None:
        """It ends soon, with what it has."""
        self._jobs.cancel(self.job)
