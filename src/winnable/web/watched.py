"""A game on the board with whoever looks at it: what a desk and its parts share."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Protocol

from winnable.analysis import Companion
from winnable.analysis.verdicts import Verdicts
from winnable.contract.core import WinnableError
from winnable.store.deck import Card
from winnable.web.events import Event
from winnable.web.opening import Opened
from winnable.web.refusals import refusal

MOST_KNOWN = 1000
"""On lines of more actions it takes too long to look up what is known of each state."""
REST_SECONDS = 1.0
"""Without an action: before, what nobody waits for does not begin. It holds the interpreter now and then,
which clicks would feel."""

log = logging.getLogger("winnable.studio")


class Member(Protocol):
    """A connection at a desk."""

    @property
    def send(self) -> Callable[[Event], None]:
        """Takes an event for the page; returns at once."""
        ...


class Watched:
    """On the event loop."""

    def __init__(self, id: str, opened: Opened, companion: Companion) -> None:
        self.id = id
        self.card: Card | None = opened.card
        self.is_answered = False
        """Whether an action has answered the card."""
        self.members: set[Member] = set()
        self.acted = time.monotonic()
        """When somebody acted last, or came first."""
        self.put(opened, companion)

    def put(self, opened: Opened, companion: Companion) -> None:
        """The game on the board is this one from now on."""
        self.session, self.level, self.code = opened.session, opened.level, opened.code
        self.companion = companion
        self._verdicts = Verdicts()
        self._looked_up = -1
        """Which line was looked up, as `Session.turns` counts them; -1: none."""

    def broadcast(self, event: Event) -> None:
        """Sends it to all who look on."""
        for member in self.members:
            member.send(event)

    def warn(self, trouble: WinnableError) -> None:
        """Tells everybody, and the log, what no request has asked for."""
        log.error("%s", trouble)
        self.broadcast(refusal("", trouble))

    async def rest(self) -> None:
        """Returns when nobody has acted for a while."""
        await asyncio.sleep(REST_SECONDS)
        while time.monotonic() - self.acted < REST_SECONDS:
            await asyncio.sleep(REST_SECONDS)

    def verdicts(self) -> Verdicts:
        """The verdicts known of the line: looked up where it has turned off, else of the state on the
        board."""
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
        """Joins what a report found out about the line with this number to all else that is known of it."""
        if line == self.session.turns:
            verdicts = self._verdicts = self.verdicts().joined(verdicts)
        return verdicts
