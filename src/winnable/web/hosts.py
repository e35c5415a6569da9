"""The pages that games bring (see `abilities.Pages`), and what the studio lends to them."""

from __future__ import annotations

from dataclasses import dataclass

from winnable.contract.abilities import Pages
from winnable.contract.hosts import Host
from winnable.contract.registry import GAMES, loaded_games
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


def brought() -> dict[str, Pages[Services]]:
    """Pages of games -> the game; slow the first time (it imports all games). None has the name of a game."""
    return {
        name: game
        for game in reversed(loaded_games())  # of two with one name the first has it
        if isinstance(game, Pages)
        for name in game.pages
        if name not in GAMES
    }


def host_of(page: str, services: Services) -> Host | None:
    """Who answers the page; None: nobody does, or there is none."""
    game = brought().get(page)
    return game.host(page, services) if game else None
