"""The deck at the board: a card is an unkept game that begins at the mistake; the next action answers it."""

from __future__ import annotations

import time

from winnable.analysis import ByProof, Companion
from winnable.analysis.answering import Judged, judge
from winnable.analysis.costs import Narrowing
from winnable.analysis.margin import narrowings
from winnable.analysis.reviewing import ROOM_SECONDS
from winnable.analysis.verdicts import Point
from winnable.contract.core import Budget, WinnableError, action_name, answer_of
from winnable.contract.registry import usable_games
from winnable.levels.files import NamedLevel
from winnable.play.deck import card_of, reviewed
from winnable.play.session import Session
from winnable.store import deck
from winnable.store.database import Store
from winnable.store.deck import Card
from winnable.web.desk import Desk
from winnable.web.events import Answered, DeckEvent
from winnable.web.hub import Hub
from winnable.web.jobs import Followed, Job
from winnable.web.refusals import only_logged
from winnable.web.reviews import review_of

JUDGE_SECONDS = 20.0
LOOK_BACK_SECONDS, LOOK_AROUND_SECONDS = 20.0, 10.0
"""For the mistake of a game that has ended, and for the room that its actions left; nobody waits for it."""


def state_of_deck(store: Store) -> DeckEvent:
    """How many cards are due. Raises StoreError."""
    return DeckEvent(deck.count_due(store, time.time(), usable_games()))


def remember(hub: Hub, desk: Desk, session: Session, point: Point, ply: int | None) -> None:
    """Makes a card of a mistake, the action after `ply` of them; None: none is known. Games on cards make
    none."""
    if ply is None or desk.card is not None:
        return
    named = NamedLevel(session.game, session.level, session.level_id)
    with only_logged():
        if deck.add(hub.store, card_of(named, point.actions[: ply + 1], time.time())):
            desk.broadcast(state_of_deck(hub.store))


def look_back(hub: Hub, desk: Desk) -> None:
    """A person has ended a game: its mistake becomes a card, also if they never ask what it was; and what as
    good as lost it is told, for whoever shows the game to others."""
    companion = desk.companion
    if desk.card is None and (isinstance(companion, ByProof) or companion.weighs):
        point = Point(desk.session.states, desk.session.actions, desk.session.ply)
        hub.jobs.task(_looking_back(hub, desk, desk.session, companion, point, desk.session.turns))


async def _looking_back(
    hub: Hub, desk: Desk, session: Session, companion: Companion, point: Point, line: int
) -> None:
    await desk.rest()
    budget = Budget(LOOK_BACK_SECONDS)
    looking_back = answer_of(companion.mistake(point, budget))
    found = await hub.jobs.stream("later", looking_back, budget, small=True).result()
    remember(hub, desk, session, point, found)
    if isinstance(companion, ByProof):
        budget = Budget(LOOK_AROUND_SECONDS)
        looking = narrowings(companion, point, budget, ROOM_SECONDS)
        rooms: list[Narrowing] = []
        async for room in hub.jobs.stream("later", looking, budget, small=True).told():
            rooms.append(room)
            if not desk.members:
                break
        if rooms and (desk.session, session.turns) == (session, line):
            desk.broadcast(review_of(desk, line, point, companion.review(point, [], rooms)))


def begin_answer(hub: Hub, desk: Desk, card: Card) -> Followed:
    """A job that judges whether the last action answers the card, and what tells the page."""
    session, budget = desk.session, Budget()
    point = Point(session.states, session.actions, session.ply)
    job = hub.jobs.stream("solve", answer_of(judge(desk.companion, point, budget, JUDGE_SECONDS)), budget)
    return job, _judged(hub, desk, session, card, point, job)


async def _judged(hub: Hub, desk: Desk, session: Session, card: Card, point: Point, job: Job[Judged]) -> None:
    """Keeps when the card is due again, and sends `answered`, also where the judge was refused."""
    answer, refused = None, None
    try:
        answer = await job.result(desk.broadcast)
    except WinnableError as error:
        refused = error
    answer = answer or Judged(None, None)
    if answer.right is not None:
        with only_logged():
            deck.put(hub.store, reviewed(card, answer.right, time.time()))
    better = "" if answer.better is None else action_name(session.puzzle, answer.better)
    played = action_name(session.puzzle, point.actions[point.ply - 1])
    due = state_of_deck(hub.store).due
    desk.broadcast(Answered(desk.id, answer.right, answer.better, better, played, due))
    desk.lamp.learned()
    if refused is not None:
        raise refused
