"""A game on the board with whoever looks at it: what a desk and its lamp share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from winnable.analysis import Companion
from winnable.analysis.verdicts import Verdicts
from winnable.play.session import Session
from winnable.web.events import Event

MOST_KNOWN = 1000
"""On lines of more actions it takes too long to look up what is known of each state."""


class Member(Protocol):
    """A connection at a desk."""

    @property
    def send(self) -> Callable[[Event], None]: ...


class Watched:
    """On the event loop."""

    def __init__(self, id: str, session: Session, companion: Companion) -> None:
        self.id, self.session, self.companion = id, session, companion
        self.members: set[Member] = set()
        self._verdicts = Verdicts()
        self._looked_up = -1
        """Which line was looked up, as `Session.turns` counts them; -1: none."""

    def broadcast(self, event: Event) -> None:
        for member in self.members:
            member.send(event)

    def verdicts(self) -> Verdicts:
        """What is known of the line: looked up where it has turned off, else of the state on the board."""
        session, known = self.session, self._verdicts
        if session.turns != self._looked_up:
            since = 0 if self._looked_up < 0 else session.turned
            self._looked_up = session.turns
            known = known.up_to(since)
            if session.length <= MOST_KNOWN:
                known = known.joined(self.companion.verdicts(session.states, since))
        self._verdicts = known.told(session.ply, self.companion.verdict(session.state))
        return self._verdicts

    def learned(self, line: int, verdicts: Verdicts) -> Verdicts:
        """What a report found out about the line with this number, with all else that is known of it."""
        if line == self.session.turns:
            verdicts = self._verdicts = self.verdicts().joined(verdicts)
        return verdicts

    def forget(self) -> None:
        """It is another level now."""
        self._verdicts, self._looked_up = Verdicts(), -1
