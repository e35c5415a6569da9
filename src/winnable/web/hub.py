"""What all connections of a server share: store, jobs, desks, and what is known of the levels on them."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections import OrderedDict

from winnable.analysis.companion import Companion
from winnable.contract.registry import loaded_games
from winnable.levels.identity import day_of
from winnable.search import memory
from winnable.store.database import Store, StoreError
from winnable.web.desk import Desk
from winnable.web.infos import SessionInfo
from winnable.web.jobs import Jobs
from winnable.web.kernels import Kernels
from winnable.web.lamp import Member
from winnable.web.opening import Opened
from winnable.web.pages import brought
from winnable.web.tunings import Tunings

REMEMBERED = 16
"""Levels whose verdicts are remembered, also while nobody plays them: a reloaded page has its line again."""

IDLE_SECONDS = 2.0
"""After the last player of a game has left: a page that is only loaded anew comes back sooner."""

log = logging.getLogger("winnable.studio")


class Hub:
    def __init__(self, store: Store, jobs: Jobs, kernels: Kernels | None = None) -> None:
        self.store, self.jobs, self.kernels = store, jobs, kernels or Kernels()
        self.tunings = Tunings(store, jobs, self.kernels)
        self.desks: dict[str, Desk] = {}
        self._companions: OrderedDict[str, Companion] = OrderedDict()

    def seat(self, opened: Opened, id: str = "") -> Desk:
        """The desk of a session; without an id, of a new one. A desk that another connection has opened
        meanwhile goes on as it is."""
        desk = self.desks.get(id)
        if desk is None:
            desk = Desk(self, id or uuid.uuid4().hex, opened, self.companion(opened))
            self.desks[desk.id] = desk
            if not id:
                desk.keep()
                self._prune()
        return desk

    def rename(self, desk: Desk) -> None:
        """From now on it is a game of its own."""
        self.desks.pop(desk.id, None)
        desk.id = uuid.uuid4().hex
        self.desks[desk.id] = desk

    def leave(self, member: Member, desk: Desk, for_another: bool) -> None:
        """A game that nobody touched is not worth keeping once its player has gone on to another."""
        desk.leave(member)
        if desk.members:
            return
        self.desks.pop(desk.id, None)
        asyncio.get_running_loop().call_later(IDLE_SECONDS, self._give_back, desk.session.game.name)
        if for_another and not desk.session.actions:
            try:
                self.store.delete(desk.id, desk.revision)
            except StoreError as error:
                log.error("%s", error)

    def sessions(self) -> list[SessionInfo]:
        """Without those of games' pages, which only these can open. Raises StoreError."""
        pages, games = brought(), {game.name: game for game in loaded_games()}
        infos: list[SessionInfo] = []
        for entry in self.store.sessions():
            id, name = entry.level_id, entry.level_id.partition(":")[0]
            if name not in pages:
                day = day_of(games[name], id) if name in games else None
                infos.append(SessionInfo(entry.id, id, day, entry.ply, entry.standing, entry.updated))
        return infos

    def companion(self, opened: Opened) -> Companion:
        """What is known of the level, perhaps from an earlier game on it."""
        companion = self._companions.pop(opened.content, opened.companion)
        self._companions[opened.content] = companion
        while len(self._companions) > REMEMBERED:
            self._companions.popitem(last=False)
        return companion

    def _give_back(self, game: str) -> None:
        """The memory of a game that nobody plays."""
        if not any(desk.session.game.name == game for desk in self.desks.values()):
            self.jobs.submit("load", lambda _: memory.give_back(game), lambda _: None)

    def _prune(self) -> None:
        try:
            self.store.prune()
        except StoreError as error:
            log.error("%s", error)
