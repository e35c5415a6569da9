"""The games on the board. A desk is one kept game with all connections that look at it.

Two tabs with the same session share one desk: each change, whoever makes it, is kept at once and shown to
all, so that the last click wins and every tab shows the same board. What another program has kept of the game
meanwhile comes in as branches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from winnable.analysis import ByProof
from winnable.contract.core import Action, Player, WinnableError, step
from winnable.store.database import Store
from winnable.store.deck import Card
from winnable.web.answers import Lines, told
from winnable.web.autosave import Autosave
from winnable.web.events import Helped
from winnable.web.jobs import Jobs
from winnable.web.lamp import DeskLamp
from winnable.web.opening import Known, Opened
from winnable.web.rating import DeskRating
from winnable.web.refusals import refusal
from winnable.web.view import DeskView
from winnable.web.watched import Member, Watched

MOST_THOUGHT = 120.0
"""Seconds before an action that count as play."""


class Desk(Watched):
    """One game being played, its verdict lamp, and whoever looks at it."""

    def __init__(
        self, id: str, opened: Opened, store: Store, jobs: Jobs, known: Known, renamed: Callable[[], None]
    ) -> None:
        """known: what is known of levels. renamed: called when the game gets an id of its own"""
        super().__init__(id, opened, known.of(opened))
        self._known = known
        self.players: dict[str, Player] = {}
        """Those asked for a step, by label: a player goes on with the chance that it has begun with."""
        self.lines = Lines()
        self.autosave = Autosave(self, store, opened.revision, renamed)
        self.lamp = DeskLamp(self, jobs)
        self._view, self._rating = DeskView(self), DeskRating(self, jobs)

    # -- changes -------------------------------------------------------------------------------------------

    def act(self, action: Action) -> None:
        """Plays the action on the board. Raises IllegalAction and changes nothing."""
        before = self.session.state
        after, frames = step(self.session.puzzle, before, action)
        self.session.act(action, after)
        self.companion.follow(before, after)
        self.is_answered = True
        now = time.monotonic()
        if self.session.seconds is not None:
            self.session.seconds += min(now - self.acted, MOST_THOUGHT)
        self.acted = now
        if (outcome := self.session.standing) != "playing":
            self.autosave.add_end(outcome)
        self._changed(frames)

    @property
    def open_card(self) -> Card | None:
        """The card that the next action answers."""
        return None if self.is_answered else self.card

    def help(self) -> None:
        """Marks the game as helped: something is asked of the machine that a person may do alone. Raises
        WinnableError before the answer to a card."""
        if self.open_card is not None:
            raise WinnableError("deck.alone")
        if self.session.helped:
            return
        self.session.helped = True
        if not self.autosave.keep():
            self._tell_apart()
        self.broadcast(Helped(self.id))

    def is_among(self, levels: Iterable[str]) -> bool:
        """Whether one of these texts names its level."""
        game = self.session.game.name
        return not {self.session.level_id, self.code, f"{game}:{self.code}"}.isdisjoint(levels)

    def go_to(self, ply: int, action: Action | None = None, forget: bool = False) -> None:
        """Goes to a point of the line, as the request `goto` says. Raises WinnableError and changes
        nothing."""
        if forget and ply == self.session.ply - 1:
            self.session.take_back()
        else:
            self.session.go_to_ply(ply, action)
        self._changed()

    def alternate(self, step: int) -> None:
        """Goes to another branch, as `Session.alternate` does. Raises WinnableError and changes nothing."""
        self.session.alternate(step)
        self._changed()

    def go_on_with(self, easier: Opened) -> None:
        """Goes on with the same game on another level, in which all its actions are legal."""
        rating = self.companion.rating
        self.put(easier, self._known.of(easier))
        self.companion.rating = rating  # more help makes no other board
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

    def _changed(self, frames: Sequence[Any] = (), level_too: bool = False) -> None:
        self.verdicts()  # before what another program has played may turn the line once more
        if self.autosave.keep(level_too):
            self.broadcast(self._view.state(frames, whole=level_too))
        else:
            self._tell_apart()
        self.lamp.light()

    def _tell_apart(self) -> None:
        """It is a game of its own now."""
        self.broadcast(self._view.state(whole=True))
        self.warn(WinnableError("session.apart"))

    # -- who looks on --------------------------------------------------------------------------------------

    def join(self, member: Member) -> None:
        """Shows it the board and the lamp."""
        self.members.add(member)
        member.send(self._view.state(whole=True))
        if self.autosave.trouble:
            member.send(refusal("", self.autosave.trouble))
        self.lamp.join(member)
        self._rating.begin()

    def leave(self, member: Member) -> None:
        """Shows it nothing any more; what only lookers-on wait for ends with the last of them."""
        self.members.discard(member)
        self.lamp.leave(member)
        if not self.members:
            self._rating.give_up()
            if self.autosave.trouble:
                self.autosave.keep()
