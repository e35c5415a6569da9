"""The report on a game: the action that lost it, what the others cost, and its course."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

from winnable.analysis.by_outlook import ByOutlook, Look
from winnable.analysis.by_proof import ByProof
from winnable.analysis.costs import Cost, Narrowing, worst
from winnable.analysis.verdicts import Point, Verdicts
from winnable.contract.abilities import Reason
from winnable.contract.chance import Outlook
from winnable.contract.core import Budget, WinnableError, action_name
from winnable.web import deck
from winnable.web.desk import Desk
from winnable.web.events import Costs, Event, Timeline
from winnable.web.hub import Hub
from winnable.web.infos import CostInfo
from winnable.web.jobs import Cancelled, Job, Outcome
from winnable.web.reviews import narrowings_of, review_of

REPORT_SECONDS = 120.0
REPORT_SECONDS_EACH = 10.0
REASON_SECONDS = 3.0
FIRST_ROOM_SECONDS, ROOM_SECONDS = 3.0, 10.0
"""While the report is waited for; all together after that."""
TOLD_SECONDS = 0.25
"""Between two messages about costs."""

Send = Callable[[Event], None]


def start_report(hub: Hub, desk: Desk, send: Send, done: Callable[[Outcome], None]) -> Job:
    """Sends `timeline` as it narrows and `costs` as they are found out, then `review`, which may come again
    when more is known; the last `timeline` or, where there is no goal, the last `costs` is `done`, also after
    `cancel`, but not after a `cheat`: then it would be about a level that is no more. Raises WinnableError
    for a game in which there is neither a goal nor a value of actions."""
    companion = desk.companion
    if isinstance(companion, ByProof):
        return _start_timeline(hub, desk, companion, send, done)
    if isinstance(companion, ByOutlook) and companion.weighs:
        return _start_costs(hub, desk, companion, send, done)
    raise WinnableError("report.none")


def _start_timeline(
    hub: Hub, desk: Desk, companion: ByProof, send: Send, done: Callable[[Outcome], None]
) -> Job:
    session, line = desk.session, desk.session.turns
    point = Point(session.states, session.actions, session.ply)
    found: list[Cost] = []
    rooms: list[Narrowing] = []

    def tell_cost(cost: Cost) -> None:
        if desk.session is session:
            found.append(cost)
            mistakes = [cost.ply for cost in worst(found, share=0)]
            send(Costs(desk.id, line, [_info(session.puzzle, point, cost)], mistakes, "", False, False))

    reasons: dict[int | None, Reason | None] = {}

    def tell(verdicts: Verdicts, finished: bool = False, cancelled: bool = False) -> None:
        if desk.session is not session:
            return
        verdicts = desk.learned(line, verdicts)
        blunder, mistake = verdicts.blunder, verdicts.mistake
        send(
            Timeline(
                session=desk.id,
                line=line,
                length=len(point.actions),
                known=verdicts,
                first=blunder and blunder.first,
                last=blunder and blunder.last,
                name="" if mistake is None else action_name(session.puzzle, point.actions[mistake]),
                reason=reasons.get(verdicts.lost) if finished else None,
                done=finished,
                cancelled=cancelled,
            )
        )

    def narrow(job: Job) -> None:
        def budget() -> Budget | None:
            seconds = min(REPORT_SECONDS_EACH, end - job.now())
            return job.budget(seconds) if seconds > 0 else None

        blamed = companion.blame(point, budget)
        job.call(tell, next(blamed))
        hub.kernels.wait(job, session.game, send)
        end = job.now() + REPORT_SECONDS
        with suppress(Cancelled):
            for verdicts in blamed:
                job.call(tell, verdicts)
            lost = companion.verdicts(point.states).lost
            if lost is not None:
                reasons[lost] = companion.reason(point.states[lost], job.budget(REASON_SECONDS, small=True))
            for cost in companion.detours(point, budget):
                job.call(tell_cost, cost)
            rooms.extend(narrowings_of(desk, companion, point, job, FIRST_ROOM_SECONDS))

    def tell_review() -> None:
        if desk.session is session:
            send(review_of(desk, line, point, companion.review(point, found, rooms)))

    def more_rooms(outcome: Outcome) -> None:
        if outcome.value and outcome.value != rooms:
            rooms[:] = outcome.value
            tell_review()

    def ended(outcome: Outcome) -> None:
        tell_review()
        tell(companion.verdicts(point.states), finished=True, cancelled=outcome.cancelled)
        deck.remember(hub, desk, session, point, companion.verdicts(point.states).mistake)
        done(outcome)
        desk.lamp.learned()
        if desk.session is session:
            hub.jobs.submit(
                "later", lambda job: narrowings_of(desk, companion, point, job, ROOM_SECONDS), more_rooms
            )

    return hub.jobs.submit("solve", narrow, ended)


def _start_costs(
    hub: Hub, desk: Desk, companion: ByOutlook, send: Send, done: Callable[[Outcome], None]
) -> Job:
    """From the last action to the first, as long as the time lasts."""
    session, line = desk.session, desk.session.turns
    point = Point(session.states, session.actions, session.ply)
    found: list[Cost] = []
    told, is_cut = 0, False

    def tell(finished: bool, limit: Literal["time", "cancelled"] | None = None) -> None:
        nonlocal told
        costs = found[:]
        infos = [_info(session.puzzle, point, cost) for cost in costs[told:]]
        told = len(costs)
        players = {companion.worth(point.states[cost.ply]).compared_by for cost in costs}
        by = players.pop() if len(players) == 1 else ""
        mistakes, measure = companion.mistakes(point, costs), companion.measure(point, costs)
        if finished:
            send(review_of(desk, line, point, companion.review(point, costs)))
        rewards, chances = measure == "expected", measure == "chance"
        send(Costs(desk.id, line, infos, mistakes, by, rewards, finished, chances, limit))

    def weigh(job: Job) -> None:
        nonlocal is_cut
        job.call(tell, False)
        hub.kernels.wait(job, session.game, send)
        end = job.now() + REPORT_SECONDS
        next_told = 0.0

        def ask(look: Look) -> Outlook | None:
            nonlocal is_cut
            if is_cut := is_cut or job.now() >= end:
                return None
            outlook = hub.kernels.run(job, send, lambda: look(job.budget(end - job.now())))
            is_cut = job.now() >= end and not outlook.compared
            return None if job.cancelled else outlook

        for cost in companion.costs(point, ask):
            found.append(cost)
            if time.monotonic() >= next_told:
                next_told = time.monotonic() + TOLD_SECONDS
                job.call(tell, False)

    def ended(outcome: Outcome) -> None:
        if desk.session is session:
            tell(True, "cancelled" if outcome.cancelled else "time" if is_cut else None)
            deck.remember(hub, desk, session, point, next(iter(companion.mistakes(point, found)), None))
        done(outcome)

    return hub.jobs.submit("solve", weigh, ended)


def _info(puzzle: Any, point: Point, cost: Cost) -> CostInfo:
    played = action_name(puzzle, point.actions[cost.ply])
    return CostInfo(cost.ply, cost.cost, cost.value, played, action_name(puzzle, cost.best))
