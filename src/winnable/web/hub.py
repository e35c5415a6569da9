"""What all connections of a server share: store, jobs, desks, and what is known of the levels on them."""

from __future__ import annotations

import asyncio
import os
import uuid
from functools import partial

from winnable import __version__
from winnable.contract.methods import settings_of
from winnable.contract.registry import loaded_games
from winnable.levels.identity import day_of
from winnable.search import memory
from winnable.store.database import Store, StoreError
from winnable.tuning.optimizers import OPTIMIZERS
from winnable.web.catalog import game_infos
from winnable.web.desk import Desk
from winnable.web.events import Event, Hello
from winnable.web.hosts import brought
from winnable.web.infos import SessionInfo
from winnable.web.jobs import Jobs
from winnable.web.opening import Known, Opened
from winnable.web.refusals import only_logged, refusal
from winnable.web.sets import Sets
from winnable.web.tuning_protocol import OptimizerInfo
from winnable.web.tunings import Tunings
from winnable.web.watched import Member

IDLE_SECONDS = 2.0
"""After the last player of a game has left: a page that is only loaded anew comes back sooner."""


class Hub:
    def __init__(self, store: Store, jobs: Jobs) -> None:
        self.store, self.jobs = store, jobs
        self.tunings, self.sets = Tunings(store, jobs), Sets(store, jobs)
        self.desks: dict[str, Desk] = {}
        self._known = Known()

    def seat(self, opened: Opened, id: str = "") -> Desk:
        """The desk of a session; without an id, of a new one. A desk that another connection has opened
        meanwhile goes on as it is."""
        desk = self.desks.get(id)
        if desk is None:
            new = id or uuid.uuid4().hex
            desk = self.desks[new] = Desk(new, opened, self.store, self.jobs, self._known, self._rename)
            if not id:
                desk.autosave.keep()
                with only_logged():
                    self.store.prune()
        return desk

    def _rename(self) -> None:
        """A game has got an id of its own."""
        self.desks = {one.id: one for one in self.desks.values()}

    def leave(self, member: Member, desk: Desk, for_another: bool) -> None:
        """A game that nobody touched is not worth keeping once its player has gone on to another."""
        desk.leave(member)
        if desk.members:
            return
        self.desks.pop(desk.id, None)
        asyncio.get_running_loop().call_later(IDLE_SECONDS, self._give_back, desk.session.game.name)
        if for_another and not desk.session.actions:
            desk.autosave.delete()

    def greeting(self) -> list[Event]:
        """What a page hears first."""
        events: list[Event] = []
        try:
            sessions = self.sessions()
        except StoreError as error:
            sessions = []
            events.append(refusal("", error))
        if self.store.fault is not None:
            events.append(refusal("", self.store.fault))
        optimizers = [OptimizerInfo(name, settings_of(method)) for name, method in OPTIMIZERS.items()]
        cores = (os.cpu_count() or 1) if self.jobs.has_threads else 1
        hello = Hello(__version__, game_infos(), sessions, optimizers, cores)
        return [hello, *events]

    def sessions(self) -> list[SessionInfo]:
        """The kept games, without those of games' pages, which only these can open. Raises StoreError."""
        pages, games = brought(), {game.name: game for game in loaded_games()}
        infos: list[SessionInfo] = []
        for entry in self.store.sessions():
            id, name = entry.level_id, entry.level_id.partition(":")[0]
            if name not in pages:
                day = day_of(games[name], id) if name in games else None
                infos.append(SessionInfo(entry.id, id, day, entry.ply, entry.standing, entry.updated))
        return infos

    def _give_back(self, game: str) -> None:
        """The memory of a game that nobody plays."""
        if not any(desk.session.game.name == game for desk in self.desks.values()):
            self.jobs.work("load", partial(memory.give_back, game))
