"""What the studio lends to a page that a game brings, and what it wants of it (see `abilities.Pages`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from msgspec import Struct

from winnable.store.database import Store
from winnable.web.jobs import Jobs


@dataclass(frozen=True, slots=True)
class Services:
    """One of each for all pages of a server. `Inbox` and `refusal` of this room help to use them.

    store:   keeps games. Where the level id begins with the page's name and a colon, no list of the studio
             shows the game: only the page can open it
    jobs:    follows what is not done at once
    """

    store: Store
    jobs: Jobs


class Connection(Protocol):
    """A page that is open somewhere. Its methods are called on the event loop and return at once."""

    @property
    def is_busy(self) -> bool:
        """Whether something is under way for it: then no other page gets its place."""
        ...

    def receive(self, message: str | bytes) -> None:
        """Whatever it says; raises nothing."""
        ...

    def close(self) -> None:
        """It is gone."""
        ...


class Host(Protocol):
    """Whoever answers a page, wherever it is open."""

    def enter(self, send: Callable[[Struct], None]) -> Connection:
        """Lets a page in, on the event loop. send: an event, as JSON; it may be called as long as the page is
        open, there too."""
        ...
