"""The report on a game: the action that lost it, or, where there is no goal, what the actions cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from winnable.abilities import Solves, Weighs
from winnable.analysis import Verdict
from winnable.chance import Outlook
from winnable.core import Budget, WinnableError, action_name
from winnable.costs import Cost, cost_of, worst
from winnable.web.book import Book
from winnable.web.desk import Desk
from winnable.web.events import Costs, Event, Timeline
from winnable.web.hub import Hub
from winnable.web.infos import CostInfo
from winnable.web.jobs import Cancelled, Job, Outcome

REPORT_SECONDS = 120.0
REPORT_SECONDS_EACH = 10.0
TOLD_SECONDS = 0.25
"""Between two messages about costs."""

Send = Callable[[Event], None]
Look = Callable[[Any, Any, Budget, int], Outlook]


def start_report(hub: Hub, desk: Desk, send: Send, done: Callable[[Outcome], None]) -> Job:
    """Sends `timeline` as it narrows, or `costs` as they are found out; the last one is `done`, also after
    `cancel`, but not after a `cheat`: then it would be about a level that is no more. Raises WinnableError
    for a game in which there is neither a goal nor a value of actions."""
    game = desk.session.game
    if isinstance(game, Solves):
        return _start_timeline(hub, desk, send, done)
    if isinstance(game, Weighs):
        return _start_costs(hub, desk, game.weigh, send, done)
    raise WinnableError("report.none")


def _start_timeline(hub: Hub, desk: Desk, send: Send, done: Callable[[Outcome], None]) -> Job:
    session, book = desk.session, desk.book
    states, actions, line = session.states, session.actions, session.turns

    def timeline(finished: bool) -> Timeline:
        verdicts: list[Verdict] = [*book.timeline(states)]
        blunder = book.blunder(states)
        if blunder is None:
            return Timeline(desk.id, line, verdicts, None, None, "", finished)
        exact = blunder.first == blunder.last
        name = action_name(session.puzzle, actions[blunder.first]) if exact else ""
        return Timeline(desk.id, line, verdicts, blunder.first, blunder.last, name, finished)

    def narrow(job: Job) -> None:
        job.call(send, timeline(False))
        hub.kernels.wait(job, session.game, send)
        end = time.monotonic() + REPORT_SECONDS
        try:
            for ply in _questions(book, states):
                seconds = min(REPORT_SECONDS_EACH, end - time.monotonic())
                if seconds <= 0:
                    break
                book.decide(states[ply], job.budget(seconds))
                book.spread(states, actions, ply)
                job.call(send, timeline(False))
        except Cancelled:
            pass

    def ended(outcome: Outcome) -> None:
        if desk.session is session:
            send(timeline(True))
        done(outcome)
        desk.learned()

    return hub.jobs.submit("solve", narrow, ended)


def _start_costs(hub: Hub, desk: Desk, look: Look, send: Send, done: Callable[[Outcome], None]) -> Job:
    """From the last action to the first, as long as the time lasts."""
    session, worths = desk.session, desk.book.worths
    puzzle, states, actions, line = session.puzzle, session.states, session.actions, session.turns
    found: list[Cost] = []
    told = 0

    def info(cost: Cost) -> CostInfo:
        played = action_name(puzzle, actions[cost.ply])
        return CostInfo(cost.ply, cost.cost, cost.value, played, action_name(puzzle, cost.best))

    def tell(finished: bool) -> None:
        nonlocal told
        news = found[told:]
        told += len(news)
        seen = [worths[states[cost.ply]] for cost in found[:told]]
        players = {outlook.by for outlook in seen}
        by = players.pop() if len(players) == 1 else ""
        rewards = all(outlook.score is not None for outlook in seen)
        mistakes = [cost.ply for cost in worst(found[:told], by_share=not rewards)]
        send(Costs(desk.id, line, [info(cost) for cost in news], mistakes, by, rewards, finished))

    def weigh(job: Job) -> None:
        job.call(tell, False)
        hub.kernels.wait(job, session.game, send)
        end = time.monotonic() + REPORT_SECONDS
        next_told = 0.0
        for ply in reversed(range(len(actions))):
            state = states[ply]
            if state not in worths:
                outlook = hub.kernels.run(
                    job, send, lambda state=state: look(puzzle, state, job.budget(end - time.monotonic()), 0)
                )
                if job.cancelled or time.monotonic() >= end:
                    return
                worths[state] = outlook
            if worths[state].values:
                found.append(cost_of(ply, actions[ply], worths[state].values))
            if time.monotonic() >= next_told:
                next_told = time.monotonic() + TOLD_SECONDS
                job.call(tell, False)

    def ended(outcome: Outcome) -> None:
        if desk.session is session:
            tell(True)
        done(outcome)

    return hub.jobs.submit("solve", weigh, ended)


def _questions(book: Book, states: Sequence[Any]):
    """The plies to ask the solver about, each chosen by what is known then."""
    tried: set[int] = set()
    last = len(states) - 1
    if book.timeline(states)[last] == "unknown":
        tried.add(last)
        yield last
    while (ply := book.next_to_decide(states, tried)) is not None:
        tried.add(ply)
        yield ply
