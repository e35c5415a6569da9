"""The lamp of a desk: what it shows of the state on the board, the search for that, and hints. What is known
its companion says (analysis/by_proof.py); here nothing is inferred."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import msgspec

from winnable.analysis.companion import Companion
from winnable.analysis.verdicts import Point, Verdicts
from winnable.contract.chance import Outlook
from winnable.contract.core import Budget, SolveResult
from winnable.play.session import Session
from winnable.web.answers import told_hint
from winnable.web.events import Event, HintEvent, Lamp
from winnable.web.infos import Rung
from winnable.web.jobs import Job, Jobs, Outcome
from winnable.web.kernels import Kernels
from winnable.web.margin import DeskMargin
from winnable.web.refusals import refusal
from winnable.web.slot import Slot

T = TypeVar("T")


class Member(Protocol):
    """A connection at a desk."""

    @property
    def send(self) -> Callable[[Event], None]: ...


class Lit(Protocol):
    """The desk, as its lamp sees it."""

    id: str
    session: Session
    companion: Companion
    members: set[Member]

    def verdicts(self) -> Verdicts: ...
    def broadcast(self, event: Event) -> None: ...


class DeskLamp:
    """On the event loop."""

    def __init__(self, desk: Lit, jobs: Jobs, kernels: Kernels) -> None:
        self._desk, self._jobs, self._kernels = desk, jobs, kernels
        self._search = Slot(jobs)
        self._margin = DeskMargin(desk, jobs, kernels, self.learned)
        self._seconds = 0.0
        self._outlook: Outlook | None = None
        self._is_first = False
        """What is known comes from a first answer."""
        self._told: Lamp | None = None
        """What it showed last."""
        self._asked: dict[Member, Rung] = {}
        """Who waits for a hint, and for how much; after a change, for one about the new board."""

    @property
    def searches(self) -> bool:
        """Whether more may be known soon."""
        return not self._search.is_free

    def light(self) -> None:
        """Says what is known of the state on the board, else searches. The search for an earlier one ends."""
        self._search.give_up()
        self._margin.give_up()
        self._seconds, self._outlook, self._is_first = 0.0, None, False
        if self._desk.companion.settled(self._desk.session.state):
            self._decided()
            self._margin.begin()
        elif self._desk.members:
            self._begin()
            self._show()

    def join(self, member: Member) -> None:
        """Shows it to one more, who sees the board already."""
        if self._search.is_free:
            self.light()
        else:
            member.send(self._lamp())

    def leave(self, member: Member) -> None:
        self._asked.pop(member, None)
        if not self._desk.members:
            self._search.give_up()
            self._margin.give_up()

    def learned(self) -> None:
        """After something else asked a solver: the lamp may know more by now."""
        lamp = self._lamp()
        if lamp.searching and self._desk.companion.settled(self._desk.session.state):
            self._search.give_up()
            self._decided()
            self._margin.begin()
        elif self._told is not None and lamp != msgspec.structs.replace(self._told, seconds=lamp.seconds):
            self._show()

    def ask_hint(self, member: Member, rung: Rung) -> None:
        """So much of the best line at hand, once there is one, or the verdict that there is none; a lamp that
        gave up tries once more."""
        if self._desk.companion.verdict(self._desk.session.state) != "unknown":
            member.send(self._hint(rung))
            return
        self._asked[member] = rung
        if self._search.is_free:
            self.light()

    def _begin(self) -> None:
        session, companion = self._desk.session, self._desk.companion
        point = Point(session.states, session.actions, session.ply)

        def looked(outlook: Outlook | None, first: bool, seconds: float) -> None:
            is_news = companion.verdict(point.state) != "unknown" and not companion.settled(point.state)
            if outlook is not None or is_news:
                self._outlook, self._is_first, self._seconds = outlook, first, seconds
                self._decided()

        def done(outcome: Outcome) -> None:
            self._outlook, self._seconds = outcome.value or (None, 0.0)
            if outcome.error:
                self._desk.broadcast(refusal("", outcome.error))
            self._decided()
            if not outcome.cancelled:
                self._margin.begin()

        def search(job: Job, tell: Callable[[Outlook | None, bool, float], None]) -> Any:
            means = _Means(job, self._kernels, session, point.state, self._desk.broadcast, tell)
            return companion.search(point, means), means.seconds

        self._search.begin(
            lambda turn: self._jobs.submit(
                "lamp", lambda job: search(job, turn.only(looked)), turn.done, self._show
            ),
            done,
        )

    def _decided(self) -> None:
        """At least for now."""
        self._show()
        for member, rung in self._asked.items():
            member.send(self._hint(rung))
        self._asked.clear()

    def _show(self) -> None:
        self._told = self._lamp()
        self._desk.broadcast(self._told)

    def _lamp(self) -> Lamp:
        desk, job = self._desk, self._search.job
        known = desk.companion.known(desk.session.state)
        return Lamp(
            session=desk.id,
            ply=desk.session.ply,
            verdict=known.verdict,
            searching=job is not None,
            remaining=known.remaining,
            optimal=known.optimal,
            par=desk.companion.fewest(desk.session.start),
            seconds=round(self._seconds, 3),
            known=desk.verdicts(),
            outlook=self._outlook,
            first=job is not None and self._is_first,
            busy=job is not None and job.waits,
        )

    def _hint(self, rung: Rung) -> HintEvent:
        session, companion = self._desk.session, self._desk.companion
        action = companion.hint(session.state)
        return told_hint(self._desk.id, session, session.ply, session.state, rung, action, companion)


class _Means:
    """Of one search, in the thread of its job."""

    def __init__(
        self,
        job: Job,
        kernels: Kernels,
        session: Session,
        state: Any,
        send: Callable[[Event], None],
        looked: Callable[[Outlook | None, bool, float], None],
    ) -> None:
        self._job, self._kernels, self._send, self._looked = job, kernels, send, looked
        self._session, self._state = session, state
        self._began = job.now()

    @property
    def seconds(self) -> float:
        return self._job.now() - self._began

    def first(self) -> SolveResult | Outlook | None:
        return self._kernels.first_answer(self._job, self._session.game, self._session.level, self._state)

    def ready(self) -> None:
        self._kernels.wait(self._job, self._session.game, self._send)
        self._began = self._job.now()

    def budget(self, seconds: float) -> Budget:
        return self._job.budget(seconds)

    def run(self, work: Callable[[], T]) -> T:
        return self._kernels.run(self._job, self._send, work)

    def tell(self, outlook: Outlook | None = None, first: bool = False) -> None:
        self._job.call(self._looked, outlook, first, self.seconds)
