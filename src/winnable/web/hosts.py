"""What the studio lends to a page that a game brings (see `abilities.Pages`)."""

from __future__ import annotations

from dataclasses import dataclass

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
