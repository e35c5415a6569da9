"""The lamp of a desk: what it shows of the state on the board, the search for that, and hints. What is known
its companion says (analysis/by_proof.py); here nothing is inferred."""

from __future__ import annotations

import msgspec

from winnable.analysis.hints import Rung
from winnable.analysis.verdicts import Point
from winnable.contract.chance import Outlook
from winnable.contract.core import Answer, Budget, WinnableError
from winnable.web.answers import told_hint
from winnable.web.events import HintEvent, Lamp
from winnable.web.jobs import Job, Jobs, Running
from winnable.web.margin import DeskMargin
from winnable.web.refusals import refusal
from winnable.web.watched import Member, Watched


class DeskLamp:
    """On the event loop."""

    def __init__(self, desk: Watched, jobs: Jobs) -> None:
        self._desk, self._jobs = desk, jobs
        self._search: Running | None = None
        self._margin = DeskMargin(desk, jobs, self.learned)
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
        return self._search is not None

    def light(self) -> None:
        """Says what is known of the state on the board, else searches. The search for an earlier one ends."""
        self._give_up()
        self._seconds, self._outlook, self._is_first = 0.0, None, False
        if self._desk.companion.settled(self._desk.session.state):
            self._decided()
            self._margin.begin()
        elif self._desk.members:
            self._begin()
            self._show()

    def join(self, member: Member) -> None:
        """Shows it to one more, who sees the board already."""
        if self._search is None:
            self.light()
        else:
            member.send(self._lamp())

    def leave(self, member: Member) -> None:
        """Shows it to this member no more; the search ends with the last one."""
        self._asked.pop(member, None)
        if not self._desk.members:
            self._give_up()

    def learned(self) -> None:
        """Shows what is known by now, after something else asked a solver."""
        lamp = self._lamp()
        if lamp.searching and self._desk.companion.settled(self._desk.session.state):
            self._give_up()
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
        if self._search is None:
            self.light()

    def _give_up(self) -> None:
        if self._search is not None:
            self._search.give_up()
            self._search = None
        self._margin.give_up()

    def _begin(self) -> None:
        session, budget = self._desk.session, Budget()
        point = Point(session.states, session.actions, session.ply)
        job = self._jobs.stream("lamp", self._desk.companion.ask(point, budget), budget, late=self._show)
        self._search = self._jobs.follow(job, self._look(job, point, budget))

    async def _look(self, job: Job[Answer], point: Point, budget: Budget) -> None:
        """Shows what the search tells, as it tells it."""
        desk, companion = self._desk, self._desk.companion
        try:
            async for answer in job.told(desk.broadcast):
                self._outlook, self._seconds = answer.outlook, budget.elapsed
                self._is_first = answer.first
                is_news = answer.status == "solved" and not companion.settled(point.state)
                if answer.outlook is not None or is_news:
                    self._decided()
        except WinnableError as error:
            desk.broadcast(refusal("", error))
        self._search = None
        self._decided()
        if not job.cancelled:
            self._margin.begin()

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
        desk, job = self._desk, self._search and self._search.job
        answer = desk.companion.answer(desk.session.state)
        return Lamp(
            session=desk.id,
            ply=desk.session.ply,
            verdict=desk.companion.verdict(desk.session.state),
            searching=job is not None,
            remaining=len(answer.actions) if answer.status == "solved" else None,
            optimal=answer.optimal,
            par=desk.companion.fewest(desk.session.start),
            seconds=round(self._seconds, 3),
            known=desk.verdicts(),
            outlook=self._outlook,
            first=job is not None and self._is_first,
            busy=job is not None and job.waits,
        )

    def _hint(self, rung: Rung) -> HintEvent:
        desk, session, companion = self._desk, self._desk.session, self._desk.companion
        return told_hint(desk.id, session, companion, session.ply, rung, companion.hint(session.state))
