"""The games on the board. A desk is one kept game with all connections that look at it.

Two tabs with the same session share one desk: each change, whoever makes it, is kept at once and shown to
all, so that the last click wins and every tab shows the same board. What another program has kept of the game
meanwhile comes in as branches.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from winnable.abilities import Explains, Foresees, ProvesFewest, Solves
from winnable.analysis import Verdict
from winnable.chance import Outlook
from winnable.core import Action, Player, SolveResult, WinnableError, action_name, completion
from winnable.store import KeptSession, MovedOn, StoreError
from winnable.web.answers import Lines, told
from winnable.web.book import Book
from winnable.web.events import Branches, Event, Explained, HintEvent, Lamp, State
from winnable.web.frames import frames_of
from winnable.web.infos import BranchInfo, ForkInfo
from winnable.web.jobs import Job, Outcome
from winnable.web.opening import Opened, merge
from winnable.web.refusals import refusal

if TYPE_CHECKING:
    from winnable.web.hub import Hub

LAMP_SECONDS = 20.0
FORECAST_SECONDS, FORECAST_PAUSE = 30.0, 0.2
"""For the outlook in a game without a goal; and between two looks, while its score is being found out."""
FIRST_LOOK_SECONDS, LONGER = 0.08, 4
"""In a game whose solver may take long to prove which line is the shortest: any line lights the lamp. As long
as there is none, the next look is so many times as long."""
MOST_KNOWN = 1000
"""On lines of more actions it takes too long to look up for each what is known of it."""

log = logging.getLogger("winnable.studio")


class Member(Protocol):
    """A connection at a desk."""

    @property
    def send(self) -> Callable[[Event], None]: ...


class Desk:
    """One game being played, its verdict lamp, and whoever looks at it."""

    def __init__(self, hub: Hub, id: str, opened: Opened, book: Book) -> None:
        self.id = id
        self.session, self._level, self._code = opened.session, opened.level, opened.code
        self.book = book
        self.revision = opened.revision
        """Of what is kept, as far as this desk knows."""
        self._cheats = self._has_cheat()
        self._turns = self.session.turns
        self._forks: list[int] = self.session.forks
        """Like `_turns` what the pages know of the line."""
        self.players: dict[str, Player[Any]] = {}
        self.members: set[Member] = set()
        self._hub = hub
        self._search: Job | None = None
        self._searched = 0.0
        self._outlook: Outlook | None = None
        self._is_first = False
        """What is known comes from a first answer."""
        self._told: Lamp | None = None
        """What the lamp showed last."""
        self._asked: set[Member] = set()
        """Who waits for a hint; after a change, for one about the new board."""
        self._unkept: WinnableError | None = None
        """Why the last change could not be kept."""
        self.lines = Lines()

    # -- changes -------------------------------------------------------------------------------------------

    def act(self, action: Action) -> None:
        """Raises IllegalAction and changes nothing."""
        before = self.session.state
        frames = frames_of(self.session.puzzle, before, action)
        self.session.act(action)
        if self.book.verdict(before) == "lost":
            self.book.learn(self.session.state, SolveResult("unsolvable"))
        self._changed(frames)

    def go_to(self, ply: int, action: Action | None = None, forget: bool = False) -> None:
        """Like the request `goto`. Raises WinnableError and changes nothing."""
        if forget and ply == self.session.ply - 1:
            self.session.take_back()
        else:
            self.session.go_to_ply(ply, action)
        self._changed()

    def alternate(self, step: int) -> None:
        """Raises WinnableError and changes nothing."""
        self.session.alternate(step)
        self._changed()

    def go_on_with(self, easier: Opened) -> None:
        """The same game on another level, in which all its actions are legal."""
        self.session, self._level, self._code = easier.session, easier.level, easier.code
        self.book = self._hub.book(easier)
        self._cheats = self._has_cheat()
        self.players.clear()
        self._changed(level_too=True)
        self._try_lines()

    def _try_lines(self) -> None:
        """Lines that the level gives enough for by now are told as results, and the lamp knows them."""
        session = self.session
        for ply, solver, found in self.lines.winning(session):
            self.book.learn(session.states[ply], found)
            self.broadcast(told(self.id, session.puzzle, ply, solver, found))
        self.learned()

    def _has_cheat(self) -> bool:
        return self.session.easier_level is not None

    def _changed(self, frames: msgspec.Raw | None = None, level_too: bool = False) -> None:
        id = self.id
        self.keep(level_too)
        if self.id == id:
            self.broadcast(self.state(frames, whole=level_too))
        else:
            self.broadcast(self.state(whole=True))
            self._tell(WinnableError("session.apart"))
        self.light_lamp()

    def keep(self, level_too: bool = False) -> None:
        """Autosave. When it fails the game goes on; people are told once, until it works again."""
        trouble = self._hub.store.trouble
        try:
            while not self._is_kept(level_too):
                pass  # another program was faster; what it played is on this desk by now
        except StoreError as error:
            if not self._unkept:
                self._unkept = WinnableError("autosave", reason=error)
                self._tell(self._unkept)
        else:
            self._unkept = None
            if self._hub.store.trouble != trouble:
                self._tell(WinnableError(self._hub.store.trouble))

    def _is_kept(self, level_too: bool) -> bool:
        """False: it must be tried again. Raises StoreError."""
        session, store = self.session, self._hub.store
        kept = KeptSession(
            self.id,
            session.level_id,
            self._level,
            msgspec.json.encode(session.saved_tree()),
            session.ply,
            session.standing,
            time.time(),
            self.revision,
        )
        try:
            self.revision = (store.replace if level_too else store.save)(kept)
        except MovedOn as moved:
            if merge(session, moved.kept):
                self.revision = moved.kept.revision
            else:
                self._hub.rename(self)
            return False
        return True

    def _tell(self, trouble: WinnableError) -> None:
        log.error("%s", trouble)
        self.broadcast(refusal("", trouble))

    # -- what the page sees --------------------------------------------------------------------------------

    def join(self, member: Member) -> None:
        """Shows it the board and the lamp."""
        self.members.add(member)
        member.send(self.state(whole=True))
        if self._unkept:
            member.send(refusal("", self._unkept))
        if self._search is None:
            self.light_lamp()
        else:
            member.send(self._lamp(searching=True))

    def leave(self, member: Member) -> None:
        self.members.discard(member)
        self._asked.discard(member)
        if not self.members:
            self._stop_search()
            if self._unkept:
                self.keep()

    def broadcast(self, event: Event) -> None:
        for member in self.members:
            member.send(event)

    def state(self, frames: msgspec.Raw | None = None, whole: bool = False) -> State:
        """For pages that know the state before; with `whole` for one that knows nothing."""
        session = self.session
        forks, fork = session.forks, session.fork
        whole_line = whole or session.turns != self._turns
        new_forks = whole or forks != self._forks
        # Up to the board the pages know a line that only turned off.
        unseen = whole or (whole_line and session.ply < session.length)
        self._turns, self._forks = session.turns, forks
        return State(
            session=self.id,
            game=session.game.name,
            level_id=session.level_id,
            title=dict(session.level.title),
            code=self._code,
            cheats=self._cheats,
            follows=session.next_level is not None,
            player=session.game.default_player(session.level),
            ply=session.ply,
            length=session.length,
            last_action=session.last_action,
            standing=session.standing,
            completion=completion(session.puzzle, session.state),
            view=session.view,
            legal=session.legal,
            frames=frames,
            line=session.turns,
            fork=None if fork is None else ForkInfo(fork, *session.place(fork)),
            forks=forks if new_forks else None,
            history=session.actions if whole_line else None,
            known=self._known_line() if unseen else None,
        )

    def _known_line(self) -> list[Verdict] | None:
        session = self.session
        if not isinstance(session.game, Solves) or session.length > MOST_KNOWN:
            return None
        return [*self.book.timeline(session.states)]

    def branches(self) -> Branches:
        """Of the fork that matters here."""
        session, fork = self.session, self.session.fork
        found = [] if fork is None else session.branches(fork)
        infos = [
            BranchInfo(
                branch.action,
                action_name(session.puzzle, branch.action),
                branch.length,
                branch.here,
                self.book.verdict(branch.first) if isinstance(session.game, Solves) else "unknown",
                session.standing_of(branch.end),
            )
            for branch in found
        ]
        return Branches(self.id, fork, infos)

    # -- the verdict lamp ----------------------------------------------------------------------------------

    def light_lamp(self) -> None:
        """Says what is known of the state on the board, else searches. The search for an earlier one ends."""
        self._stop_search()
        self._searched, self._outlook, self._is_first = 0.0, None, False
        if not isinstance(self.session.game, Solves):
            self._forecast()
        elif self.book.settled(self.session.state):
            self._lamp_decided()
        elif self.members:
            self._start_search()
            self._show_search()

    def _forecast(self) -> None:
        """In a game without a goal: what the state on the board promises."""
        session = self.session
        game, puzzle, state = session.game, session.puzzle, session.state
        kernels = self._hub.kernels
        if not isinstance(game, Foresees) or not self.members or session.standing != "playing":
            self._lamp_decided()
            return

        def search(job: Job) -> Outlook:
            if isinstance(found := kernels.first_answer(job, game, session.level, state), Outlook):
                job.call(looked, found, True)
            kernels.wait(job, game, self.broadcast)
            end = time.monotonic() + FORECAST_SECONDS
            while True:
                found = kernels.run(
                    job, self.broadcast, lambda: game.outlook(puzzle, state, job.budget(FORECAST_SECONDS), 0)
                )
                if found.score is not None or found.risk is None or time.monotonic() > end:
                    return found
                job.call(looked, found)
                time.sleep(FORECAST_PAUSE)

        def looked(found: Outlook, first: bool = False) -> None:
            said = self._outlook
            if self._search is job and (found.score is not None or said is None or said.score is None):
                self._outlook, self._is_first = found, first  # what says less than the lamp is not shown
                self._show_search()

        def done(outcome: Outcome) -> None:
            if self._search is not job:
                return  # the board has changed since
            self._search = None
            self._outlook = outcome.value
            if outcome.error:
                self.broadcast(refusal("", outcome.error))
            self._lamp_decided()

        job = self._search = self._hub.jobs.submit("lamp", search, done, self._show_search)
        self._show(self._lamp(searching=True))

    def learned(self) -> None:
        """After something else asked a solver: the lamp may know more by now."""
        lamp = self._lamp(searching=self._search is not None)
        if self._search is not None and self.book.settled(self.session.state):
            self._stop_search()
            self._lamp_decided()
        elif self._told is not None and lamp != msgspec.structs.replace(self._told, seconds=lamp.seconds):
            self._show(lamp)

    def ask_hint(self, member: Member) -> None:
        """The next action of the best line at hand, once there is one, or the verdict that there is none; a
        lamp that gave up tries once more."""
        if self.book.verdict(self.session.state) != "unknown":
            member.send(self._hint())
            return
        self._asked.add(member)
        if self._search is None:
            self.light_lamp()

    def _start_search(self) -> None:
        session, book, game, kernels = self.session, self.book, self.session.game, self._hub.kernels
        state, ply, states, actions = session.state, session.ply, session.states, session.actions

        def look(job: Job, seconds: float) -> None:
            book.ask(state, job.budget(seconds))
            book.spread(states, actions, ply)

        def search(job: Job) -> float:
            began = time.monotonic()
            if ply > 0:
                book.inherit(states[ply - 1], actions[ply - 1])
                if book.settled(state):
                    return time.monotonic() - began
                job.call(looked, time.monotonic() - began)
            if isinstance(found := kernels.first_answer(job, game, session.level, state), SolveResult):
                book.learn(state, found)
                book.spread(states, actions, ply)
                if book.settled(state):
                    return time.monotonic() - began
                job.call(looked, time.monotonic() - began, True)
            kernels.wait(job, game, self.broadcast)
            began = time.monotonic()
            seconds = FIRST_LOOK_SECONDS if isinstance(game, ProvesFewest) else LAMP_SECONDS
            while seconds < LAMP_SECONDS and book.verdict(state) == "unknown":
                look(job, seconds)
                if job.cancelled:
                    break
                job.call(looked, time.monotonic() - began)
                seconds *= LONGER
            if not book.settled(state):
                look(job, LAMP_SECONDS)
                if not job.cancelled:
                    book.give_up(state)
            return time.monotonic() - began

        def looked(searched: float, first: bool = False) -> None:
            if self._search is job and book.verdict(state) != "unknown" and not book.settled(state):
                self._searched, self._is_first = searched, first
                self._show_search()
                self._answer_hints()

        def done(outcome: Outcome) -> None:
            if self._search is not job:
                return  # the board has changed since
            self._search = None
            self._searched = outcome.value or 0.0
            if outcome.error:
                self.broadcast(refusal("", outcome.error))
            self._lamp_decided()

        job = self._search = self._hub.jobs.submit("lamp", search, done, self._show_search)

    def _stop_search(self) -> None:
        self._hub.jobs.cancel(self._search)
        self._search = None

    def _show_search(self) -> None:
        self._show(self._lamp(searching=True))

    def _lamp_decided(self) -> None:
        self._show(self._lamp(searching=False))
        self._answer_hints()

    def _show(self, lamp: Lamp) -> None:
        self._told = lamp
        self.broadcast(lamp)

    def _answer_hints(self) -> None:
        for member in self._asked:
            member.send(self._hint())
        self._asked.clear()

    def explain(self) -> Explained:
        """Raises WinnableError when the game has no explanations."""
        session, state, game = self.session, self.session.state, self.session.game
        if not isinstance(game, Explains):
            raise WinnableError("none", field="explain", game=game.name)
        why = game.explain(session.puzzle, state)
        verdict, remaining, optimal = self._known()
        return Explained(self.id, session.ply, why, verdict, remaining, optimal, self.book.generated(state))

    @property
    def verdict(self) -> Verdict:
        """On the board as it is."""
        return self._known()[0]

    def _known(self) -> tuple[Verdict, int | None, bool]:
        """The verdict, the length of the line at hand, and whether none is shorter."""
        state = self.session.state
        verdict = self.book.verdict(state) if isinstance(self.session.game, Solves) else "unknown"
        remaining = self.book.remaining(state) if verdict == "winnable" else None
        return verdict, remaining, remaining is not None and remaining == self.book.fewest(state)

    def _lamp(self, searching: bool) -> Lamp:
        verdict, remaining, optimal = self._known()
        par = self.book.fewest(self.session.start)
        seconds = round(self._searched, 3)
        waits = searching and self._search is not None and self._search.waits
        rest = self._outlook, searching and self._is_first, waits
        return Lamp(self.id, self.session.ply, verdict, searching, remaining, optimal, par, seconds, *rest)

    def _hint(self) -> HintEvent:
        state = self.session.state
        action = self.book.hint(state)
        name = "" if action is None else action_name(self.session.puzzle, action)
        return HintEvent(self.id, self.session.ply, action, name, self.book.verdict(state))
