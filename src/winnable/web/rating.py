"""How hard the level on a desk is for a person, found out beside what people wait for."""

from __future__ import annotations

import asyncio

from winnable.analysis.rating import rating_of
from winnable.contract.abilities import Rates
from winnable.contract.core import Budget, answer_of
from winnable.levels.files import NamedLevel
from winnable.web.events import Rated
from winnable.web.jobs import Jobs
from winnable.web.watched import Watched

RATING_SECONDS = 20.0


class DeskRating:
    """On the event loop."""

    def __init__(self, desk: Watched, jobs: Jobs) -> None:
        self._desk, self._jobs = desk, jobs
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Looks for the rating, once, where the game has one and it is not known."""
        rates = self._desk.companion.rating is None and isinstance(self._desk.session.game, Rates)
        if rates and (self._task is None or self._task.cancelled()):
            self._task = self._jobs.task(self._rate())

    def give_up(self) -> None:
        """Ends the search; `begin` begins it anew."""
        if self._task is not None:
            self._task.cancel()

    async def _rate(self) -> None:
        await self._desk.rest()
        session, companion, budget = self._desk.session, self._desk.companion, Budget(RATING_SECONDS)
        named = NamedLevel(session.game, session.level, session.level_id)
        job = self._jobs.stream("later", answer_of(rating_of(named, budget)), budget, small=True)
        if (rating := await job.result()) is not None:
            companion.rating = rating
            self._desk.broadcast(Rated(self._desk.id, rating))
