"""The games on the board. A desk is one kept game with all connections that look at it.

Two tabs with the same session share one desk: each change, whoever makes it, is kept at once and shown to
all, so that the last click wins and every tab shows the same board. What another program has kept of the game
meanwhile comes in as branches.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
import uuid
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from winnable.analysis import ByProof
from winnable.analysis.rating import rating_of
from winnable.contract import clock
from winnable.contract.abilities import Explains, Rates
from winnable.contract.chance import Seeded
from winnable.contract.core import (
    Action,
    Budget,
    Player,
    WinnableError,
    action_name,
    answer_of,
    completion,
    reached,
)
from winnable.levels.files import NamedLevel, shipped_levels
from winnable.levels.identity import content_id, day_of
from winnable.play.session import Session
from winnable.store import results
from winnable.store.database import KeptSession, MovedOn, Store, StoreError
from winnable.store.deck import Card
from winnable.web.answers import Lines, told
from winnable.web.boards import view_of
from winnable.web.events import Branches, Demo, Explained, Helped, Rated, State
from winnable.web.frames import frames_of
from winnable.web.infos import BranchInfo, ForkInfo
from winnable.web.jobs import Jobs
from winnable.web.lamp import DeskLamp
from winnable.web.opening import Known, Opened, merge
from winnable.web.refusals import refusal
from winnable.web.watched import Member, Watched

RATING_SECONDS = 20.0
REST_SECONDS = 1.0
"""Without an action: before, what nobody waits for does not begin. It holds the interpreter now and then,
which clicks would feel."""
MOST_THOUGHT = 120.0
"""Seconds before an action that count as play."""

log = logging.getLogger("winnable.studio")


class Desk(Watched):
    """One game being played, its verdict lamp, and whoever looks at it."""

    def __init__(
        self, id: str, opened: Opened, store: Store, jobs: Jobs, known: Known, renamed: Callable[[Desk], None]
    ) -> None:
        """known: what is known of levels. renamed: called when the game gets an id of its own"""
        super().__init__(id, opened.session, known.of(opened))
        self._level, self._code = opened.level, opened.code
        self.revision = opened.revision
        """Of what is kept, as far as this desk knows."""
        self.card, self._is_answered = opened.card, False
        self._cheats = self._has_cheat()
        self._turns = self.session.turns
        self._forks: list[int] = self.session.forks
        """Like `_turns` what the pages know of the line."""
        self._rating: asyncio.Task[None] | None = None
        self.players: dict[str, Player[Any]] = {}
        self._store, self._jobs, self._known, self._renamed = store, jobs, known, renamed
        self.lamp = DeskLamp(self, jobs)
        self._unkept: WinnableError | None = None
        """Why the last change could not be kept."""
        self._endings: list[results.Result] = []
        """That are to be kept."""
        self._opened, self._acted = clock.today(), time.monotonic()
        self.lines = Lines()

    # -- changes -------------------------------------------------------------------------------------------

    def act(self, action: Action) -> None:
        """Raises IllegalAction and changes nothing."""
        before = self.session.state
        frames = frames_of(self.session.puzzle, before, action)
        self.session.act(action)
        self.companion.follow(before, self.session.state)
        self._is_answered = True
        now = time.monotonic()
        if self.session.seconds is not None:
            self.session.seconds += min(now - self._acted, MOST_THOUGHT)
        self._acted = now
        if (outcome := self.session.standing) != "playing" and self.card is None:
            made = reached(self.session.puzzle, self.session.state)
            self._endings.append(self._result(outcome if made is None else "won" if made else "lost"))
        self._changed(frames)

    def _result(self, outcome: results.Ended) -> results.Result:
        session = self.session
        game, puzzle, actions = session.game, session.puzzle, session.actions[: session.ply]
        day, today = day_of(game, session.level_id), clock.today()
        return results.Result(
            id=hashlib.sha256(f"{self.id} {session.level_id} {actions}".encode()).hexdigest()[:32],
            session=self.id,
            game=game.name,
            level_id=session.level_id,
            content=content_id(game, session.level),
            day=str(day) if day and self._opened <= day <= today else None,
            outcome=outcome,
            helped=session.helped,
            actions=len(actions),
            par=self.companion.fewest(session.start),
            score=session.state.score if isinstance(puzzle, Seeded) else None,
            seconds=session.seconds,
            finished=time.time(),
        )

    @property
    def open_card(self) -> Card | None:
        """That the next action answers."""
        return None if self._is_answered else self.card

    def help(self) -> None:
        """Something is asked of the machine that a person may do alone. Raises WinnableError before the
        answer to a card."""
        if self.open_card is not None:
            raise WinnableError("deck.alone")
        if self.session.helped:
            return
        id = self.id
        self.session.helped = True
        self.keep()
        if self.id != id:
            self._tell_apart()
        self.broadcast(Helped(self.id))

    def is_among(self, levels: Iterable[str]) -> bool:
        """Whether one of these texts names its level."""
        game = self.session.game.name
        return not {self.session.level_id, self._code, f"{game}:{self._code}"}.isdisjoint(levels)

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
        rating, self.companion = self.companion.rating, self._known.of(easier)
        self.companion.rating = rating  # more help makes no other board
        self.forget()
        self._cheats = self._has_cheat()
        self.players.clear()
        self._changed(level_too=True)
        self._try_lines()

    def _try_lines(self) -> None:
        """Lines that the level gives enough for by now are told as results, and the lamp knows them."""
        session = self.session
        for ply, solver, found in self.lines.winning(session):
            assert isinstance(self.companion, ByProof)  # only what has a goal has solvers
            self.companion.learn(session.states[ply], found)
            self.broadcast(told(self.id, session.puzzle, ply, solver, found))
        self.lamp.learned()

    def _has_cheat(self) -> bool:
        return self.session.easier_level is not None

    def _changed(self, frames: msgspec.Raw | None = None, level_too: bool = False) -> None:
        id = self.id
        self.verdicts()  # before what another program has played may turn the line once more
        self.keep(level_too)
        if self.id == id:
            self.broadcast(self.state(frames, whole=level_too))
        else:
            self._tell_apart()
        self.lamp.light()

    def _tell_apart(self) -> None:
        """It is a game of its own now."""
        self.broadcast(self.state(whole=True))
        self._tell(WinnableError("session.apart"))

    def keep(self, level_too: bool = False) -> None:
        """Autosave. When it fails the game goes on; people are told once, until it works again."""
        if self.card is not None:
            return
        fault = self._store.fault
        try:
            while not self._is_kept(level_too):
                pass  # another program was faster; what it played is on this desk by now
            while self._endings:
                results.add(self._store, self._endings[0])
                del self._endings[0]
        except StoreError as error:
            if not self._unkept:
                self._unkept = WinnableError("autosave", reason=error)
                self._tell(self._unkept)
        else:
            self._unkept = None
            if (now := self._store.fault) is not None and now is not fault:
                self._tell(now)

    def _is_kept(self, level_too: bool) -> bool:
        """False: it must be tried again. Raises StoreError."""
        session, store = self.session, self._store
        kept = KeptSession(
            self.id,
            session.level_id,
            self._level,
            msgspec.json.encode(session.saved_tree()),
            session.ply,
            session.standing,
            time.time(),
            self.revision,
            session.helped,
            session.seconds,
        )
        try:
            self.revision = (store.replace if level_too else store.save)(kept)
        except MovedOn as moved:
            if merge(session, moved.kept):
                self.revision = moved.kept.revision
            else:
                self.id = uuid.uuid4().hex
                self._renamed(self)
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
        self.lamp.join(member)
        self._rate()

    def _rate(self) -> None:
        """Once, beside what people wait for."""
        rates = self.companion.rating is None and isinstance(self.session.game, Rates)
        if rates and (self._rating is None or self._rating.cancelled()):
            self._rating = self._jobs.task(self._rate_level())

    async def _rate_level(self) -> None:
        await self.rest()
        session, companion, budget = self.session, self.companion, Budget(RATING_SECONDS)
        named = NamedLevel(session.game, session.level, session.level_id)
        job = self._jobs.stream("later", answer_of(rating_of(named, budget)), budget, small=True)
        if (rating := await job.result()) is not None:
            companion.rating = rating
            self.broadcast(Rated(self.id, rating))

    async def rest(self) -> None:
        """Until the player has not acted for a while."""
        await asyncio.sleep(REST_SECONDS)
        while time.monotonic() - self._acted < REST_SECONDS:
            await asyncio.sleep(REST_SECONDS)

    def leave(self, member: Member) -> None:
        self.members.discard(member)
        self.lamp.leave(member)
        if not self.members:
            if self._rating is not None:
                self._rating.cancel()
            if self._unkept:
                self.keep()

    def state(self, frames: msgspec.Raw | None = None, whole: bool = False) -> State:
        """For pages that know the state before; with `whole` for one that knows nothing."""
        session = self.session
        forks, fork = session.forks, session.fork
        whole_line = whole or session.turns != self._turns
        new_forks = whole or forks != self._forks
        self._turns, self._forks = session.turns, forks
        return State(
            session=self.id,
            game=session.game.name,
            level_id=session.level_id,
            title=dict(session.level.title),
            day=day_of(session.game, session.level_id),
            code=self._code,
            cheats=self._cheats,
            follows=session.next_level is not None,
            player=session.game.default_player(session.level),
            ply=session.ply,
            length=session.length,
            last_action=session.last_action,
            standing=session.standing,
            helped=session.helped,
            card=None if self.card is None else "answered" if self._is_answered else "open",
            completion=completion(session.puzzle, session.state),
            view=view_of(session),
            legal=session.legal,
            frames=frames,
            line=session.turns,
            fork=None if fork is None else ForkInfo(fork, *session.place(fork)),
            forks=forks if new_forks else None,
            history=session.actions if whole_line else None,
            rating=self.companion.rating,
            known=self.verdicts(),
        )

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
                self.companion.verdict(branch.first),
                session.standing_of(branch.end),
            )
            for branch in found
        ]
        return Branches(self.id, fork, infos)

    def demonstrate(self) -> Demo:
        """The first move of the line at hand, else any. Raises WinnableError elsewhere than at the beginning
        of the first level, where it would be help."""
        session, puzzle, start = self.session, self.session.puzzle, self.session.start
        first = next(shipped_levels(session.game), None)
        if session.length or first is None or session.level_id != first[0]:
            raise WinnableError("none", field="demo", game=session.game.name)
        action = (self.companion.line(start) or puzzle.legal_actions(start))[0]
        shown = Session(NamedLevel(session.game, session.level, session.level_id))
        shown.act(action)
        return Demo(self.id, action, view_of(shown), shown.legal, frames_of(puzzle, start, action))

    def explain(self) -> Explained:
        """Raises WinnableError when the game has no explanations."""
        session, state, game = self.session, self.session.state, self.session.game
        if not isinstance(game, Explains):
            raise WinnableError("none", field="explain", game=game.name)
        why = game.explain(session.puzzle, state)
        answer = self.companion.answer(state)
        return Explained(
            self.id,
            session.ply,
            why,
            self.companion.verdict(state),
            len(answer.actions) if answer.status == "solved" else None,
            answer.optimal,
            answer.generated or None,
            self.lamp.searches,
        )
