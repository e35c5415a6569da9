"""The report on a game: the action that lost it, what the others cost, and its course."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Literal

from winnable.analysis import ByProof
from winnable.analysis.by_outlook import ByOutlook
from winnable.analysis.costs import Cost, Narrowing, worst
from winnable.analysis.margin import narrowings
from winnable.analysis.reviewing import ROOM_SECONDS, Findings, Told, looking_back
from winnable.analysis.verdicts import Point, Verdicts
from winnable.contract.core import Budget, Progress, Puzzle, WinnableError, action_name
from winnable.web import deck
from winnable.web.desk import Desk
from winnable.web.events import Costs, Event, Timeline
from winnable.web.hub import Hub
from winnable.web.infos import CostInfo
from winnable.web.jobs import Followed, Job, at_the_end
from winnable.web.reviews import review_of

REPORT_SECONDS = 120.0
FIRST_AROUND_SECONDS, AROUND_SECONDS = 3.0, 10.0
"""For the room that actions left, while the report is waited for; all together after that."""
TOLD_SECONDS = 0.25
"""Between two messages about costs."""

Send = Callable[[Event], None]


def begin_report(hub: Hub, desk: Desk, send: Send) -> Followed:
    """Sends `timeline` as it narrows and `costs` as they are found out, then `review`, which may come again
    when more is known; the last `timeline` or, where there is no goal, the last `costs` is `done`, also after
    `cancel`, but not after a `cheat`: then it would be about a level that is no more. Raises WinnableError
    for a game in which there is neither a goal nor a value of actions."""
    companion, budget = desk.companion, Budget(REPORT_SECONDS)
    if isinstance(companion, ByProof):
        timeline = _Timeline(hub, desk, companion, send)
        job: Job = hub.jobs.stream("solve", timeline.found(budget), budget)
        return job, timeline.follow(job)
    if companion.weighs:
        costs = _CostsOf(hub, desk, companion, send)
        job = hub.jobs.stream("solve", costs.found(budget), budget)
        return job, costs.follow(job)
    raise WinnableError("report.none")


class _Timeline:
    """Of a game that can be won: what is told of it, on the event loop."""

    def __init__(self, hub: Hub, desk: Desk, companion: ByProof, send: Send) -> None:
        self._hub, self._desk, self._companion, self._send = hub, desk, companion, send
        self._session, self._line = desk.session, desk.session.turns
        self._point = Point(desk.session.states, desk.session.actions, desk.session.ply)
        self._found = Findings()

    def found(self, budget: Budget) -> Iterator[Progress | Told]:
        """Where it is driven."""
        return looking_back(self._companion, self._point, budget, FIRST_AROUND_SECONDS)

    async def follow(self, job: Job[Told]) -> None:
        with at_the_end(lambda: self._end(job.cancelled)):
            async for told in job.told(self._send):
                self._found.take(told)
                if isinstance(told, Verdicts):
                    self._tell(told)
                elif isinstance(told, Cost):
                    self._tell_cost(told)

    def _end(self, cancelled: bool) -> None:
        hub, desk, point = self._hub, self._desk, self._point
        self._tell_review()
        verdicts = self._companion.verdicts(point.states)
        self._tell(verdicts, finished=True, cancelled=cancelled)
        deck.remember(hub, desk, self._session, point, verdicts.mistake)
        desk.lamp.learned()
        if self._is_current:
            hub.jobs.task(self._look_around())

    async def _look_around(self) -> None:
        """More of the room that the actions left, which nobody waits for."""
        budget = Budget(AROUND_SECONDS)
        looking = narrowings(self._companion, self._point, budget, ROOM_SECONDS)
        rooms: list[Narrowing] = []
        async for room in self._hub.jobs.stream("later", looking, budget, small=True).told():
            rooms.append(room)
            if not self._desk.members:
                return
        if rooms and rooms != self._found.rooms:
            self._found.rooms = rooms
            self._tell_review()

    @property
    def _is_current(self) -> bool:
        return self._desk.session is self._session

    def _tell_cost(self, cost: Cost) -> None:
        if self._is_current:
            mistakes = [cost.ply for cost in worst(self._found.costs, share=0)]
            infos = [_info(self._session.puzzle, self._point, cost)]
            self._send(Costs(self._desk.id, self._line, infos, mistakes, "", False, False))

    def _tell(self, verdicts: Verdicts, finished: bool = False, cancelled: bool = False) -> None:
        if not self._is_current:
            return
        actions, verdicts = self._point.actions, self._desk.learned(self._line, verdicts)
        blunder, mistake = verdicts.blunder, verdicts.mistake
        self._send(
            Timeline(
                session=self._desk.id,
                line=self._line,
                length=len(actions),
                known=verdicts,
                first=blunder and blunder.first,
                last=blunder and blunder.last,
                name="" if mistake is None else action_name(self._session.puzzle, actions[mistake]),
                reason=self._found.reason if finished else None,
                done=finished,
                cancelled=cancelled,
            )
        )

    def _tell_review(self) -> None:
        if self._is_current:
            review = self._found.review(self._companion, self._point)
            self._send(review_of(self._desk, self._line, self._point, review))


class _CostsOf:
    """What the actions of a game without a goal cost: what is told of it, on the event loop."""

    def __init__(self, hub: Hub, desk: Desk, companion: ByOutlook, send: Send) -> None:
        self._hub, self._desk, self._companion, self._send = hub, desk, companion, send
        self._session, self._line = desk.session, desk.session.turns
        self._point = Point(desk.session.states, desk.session.actions, desk.session.ply)
        self._found = Findings()
        self._told, self._is_cut = 0, False

    def found(self, budget: Budget) -> Iterator[Progress | Told | bool]:
        """As long as the time lasts; at the end, whether it did not."""
        yield from looking_back(self._companion, self._point, budget)
        limit = budget.limit(0)
        yield limit is not None and limit.kind == "time"

    async def follow(self, job: Job[Told | bool]) -> None:
        last = time.monotonic()
        self._tell(False)
        with at_the_end(lambda: self._end(job.cancelled)):
            async for told in job.told(self._send):
                if isinstance(told, bool):
                    self._is_cut = told and len(self._found.costs) < len(self._point.actions)
                    continue
                self._found.take(told)
                if time.monotonic() - last >= TOLD_SECONDS:
                    last = time.monotonic()
                    self._tell(False)

    def _end(self, cancelled: bool) -> None:
        if self._desk.session is self._session:
            self._tell(True, "cancelled" if cancelled else "time" if self._is_cut else None)
            mistake = next(iter(self._companion.mistakes(self._point, self._found.costs)), None)
            deck.remember(self._hub, self._desk, self._session, self._point, mistake)

    def _tell(self, finished: bool, limit: Literal["time", "cancelled"] | None = None) -> None:
        companion, point, costs = self._companion, self._point, self._found.costs
        infos = [_info(self._session.puzzle, point, cost) for cost in costs[self._told :]]
        self._told = len(costs)
        by = self._found.player(companion, point)
        mistakes, measure = companion.mistakes(point, costs), companion.measure(point, costs)
        if finished:
            self._send(review_of(self._desk, self._line, point, self._found.review(companion, point)))
        rewards, chances = measure == "expected", measure == "chance"
        ids = self._desk.id, self._line
        self._send(Costs(*ids, infos, mistakes, by, rewards, finished, chances, limit))


def _info(puzzle: Puzzle, point: Point, cost: Cost) -> CostInfo:
    played = action_name(puzzle, point.actions[cost.ply])
    return CostInfo(cost.ply, cost.cost, cost.value, played, action_name(puzzle, cost.best))
