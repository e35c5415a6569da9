"""The deck at the board: a card is an unkept game that begins at the mistake; the next action answers it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from winnable.analysis.answering import Answer, judge
from winnable.analysis.by_outlook import ByOutlook, Look
from winnable.analysis.by_proof import ByProof
from winnable.analysis.costs import Narrowing
from winnable.analysis.verdicts import Point
from winnable.contract.chance import Outlook
from winnable.contract.core import Budget, action_name
from winnable.contract.registry import usable_games
from winnable.levels.files import NamedLevel
from winnable.play.deck import card_of, reviewed
from winnable.play.session import Session
from winnable.store import deck
from winnable.store.database import Store, StoreError
from winnable.store.deck import Card
from winnable.web.desk import Desk
from winnable.web.events import Answered, DeckEvent, Event
from winnable.web.hub import Hub
from winnable.web.jobs import Job, Outcome
from winnable.web.kernels import untold
from winnable.web.reviews import narrowings_of, review_of

JUDGE_SECONDS = 20.0
LOOK_BACK_SECONDS, LOOK_AROUND_SECONDS = 20.0, 10.0
"""For the mistake of a game that has ended, and for the room that its actions left; nobody waits for it."""

log = logging.getLogger("winnable.studio")


def state_of_deck(store: Store) -> DeckEvent:
    """Raises StoreError."""
    return DeckEvent(deck.count_due(store, time.time(), usable_games()))


def remember(hub: Hub, desk: Desk, session: Session, point: Point, ply: int | None) -> None:
    """The action after so many was a mistake; None: none is known. Games on cards make none."""
    if ply is None or desk.card is not None:
        return
    named = NamedLevel(session.game, session.level, session.level_id)
    try:
        if deck.add(hub.store, card_of(named, point.actions[: ply + 1], time.time())):
            desk.broadcast(state_of_deck(hub.store))
    except StoreError as error:
        log.error("%s", error)


def look_back(hub: Hub, desk: Desk) -> None:
    """A person has ended a game: its mistake becomes a card, also if they never ask what it was; and what as
    good as lost it is told, for whoever shows the game to others."""
    session, companion, line = desk.session, desk.companion, desk.session.turns
    point = Point(session.states, session.actions, session.ply)
    if desk.card is not None or (isinstance(companion, ByOutlook) and not companion.weighs):
        return

    def work(job: Job) -> tuple[int | None, list[Narrowing]]:
        hub.kernels.wait(job, session.game, untold)
        end = job.now() + LOOK_BACK_SECONDS

        def budget() -> Budget | None:
            seconds = end - job.now()
            return job.budget(seconds, small=True) if seconds > 0 else None

        def ask(look: Look) -> Outlook | None:
            if job.now() >= end:
                return None
            return hub.kernels.run(job, untold, lambda: look(job.budget(end - job.now(), small=True)))

        if isinstance(companion, ByProof):
            mistake = companion.mistake(point, budget)
            return mistake, narrowings_of(desk, companion, point, job, LOOK_AROUND_SECONDS)
        assert isinstance(companion, ByOutlook)
        return companion.mistake(point, ask), []

    def keep(outcome: Outcome) -> None:
        mistake, narrowings = outcome.value or (None, list[Narrowing]())
        remember(hub, desk, session, point, mistake)
        if narrowings and isinstance(companion, ByProof) and (desk.session, session.turns) == (session, line):
            desk.broadcast(review_of(desk, line, point, companion.review(point, [], narrowings)))

    desk.when_resting(lambda: hub.jobs.submit("later", work, keep))


def start_judging(hub: Hub, desk: Desk, card: Card, done: Callable[[Outcome], None]) -> Job:
    """Of the last action: sends `answered`, and keeps when the card is due again."""
    session, companion = desk.session, desk.companion
    assert isinstance(companion, ByProof | ByOutlook)
    point = Point(session.states, session.actions, session.ply)
    played = point.actions[point.ply - 1]

    def work(job: Job) -> Answer:
        hub.kernels.wait(job, session.game, desk.broadcast)
        return judge(
            companion,
            point,
            lambda: job.budget(JUDGE_SECONDS),
            lambda look: hub.kernels.run(job, desk.broadcast, look),
        )

    def ended(outcome: Outcome) -> None:
        answer: Answer = outcome.value or Answer(None, None)
        if answer.right is not None:
            try:
                deck.put(hub.store, reviewed(card, answer.right, time.time()))
            except StoreError as error:
                log.error("%s", error)
        better = "" if answer.better is None else action_name(session.puzzle, answer.better)
        told: Event = Answered(
            desk.id, answer.right, answer.better, better, action_name(session.puzzle, played),
            state_of_deck(hub.store).due,
        )  # fmt: skip
        desk.broadcast(told)
        done(outcome)
        desk.lamp.learned()

    return hub.jobs.submit("solve", work, ended)
