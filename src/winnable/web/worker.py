"""The studio in a browser's worker, which answers one page as a server would. Python has no threads there,
the event loop drives all jobs. What the browser does for it is in `Browser`; see site/page/worker.js."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Protocol

import msgspec

from winnable import archive
from winnable.compiled import ahead, jit
from winnable.contract.core import WinnableError
from winnable.contract.hosts import Connection
from winnable.search.memory import MemoryPool
from winnable.store import sets
from winnable.store.database import FILE_NAME, Kind, Store, StoreError
from winnable.web.data import Answer, packed, taken_in
from winnable.web.events import Sessions
from winnable.web.hosts import Services, host_of
from winnable.web.hub import Hub
from winnable.web.jobs import Jobs
from winnable.web.refusals import refusal
from winnable.web.studio import Studio

FOLDER = Path("/winnable")
MEMORY_MB = 160
"""For all searches: a phone's tab has some 300 in all."""
log = logging.getLogger("winnable.studio")


class Browser(Protocol):
    """What the browser does. kernels: gets `GAME.json` and `GAME.so`, as a promise."""

    def send(self, text: str) -> None: ...
    async def kernels(self, game: str) -> Any: ...


class Worker:
    def __init__(self, page: str, image: bytes | None, trouble: str, browser: Browser) -> None:
        """page:    that asks: "" for the main one, or the name of one that a game brings
        image:   of the store, as it was kept last
        trouble: why nothing can be kept
        """
        FOLDER.mkdir(exist_ok=True)
        if image:
            (FOLDER / FILE_NAME).write_bytes(image)
        self._browser = browser
        self._store = Store(FOLDER)
        self._base = self._handed = self._store.last_saved()
        """What all pages had when this one kept the store last, and will have when it has kept it again."""
        self._kept = self._store.changes
        self._is_told = False
        """Whether the page knows that the last change is not kept."""
        self.is_damaged = self._store.is_kept and self._store.fault is not None
        """Whether the image cannot be used: it is to be kept beside the new one."""
        if trouble:
            self._store.fault = StoreError("site.unkept", reason=trouble)
        self._kernels: dict[str, bool] = {}
        jit.arrived = self._arrived
        self._hub = Hub(self._store, Jobs(MemoryPool(MEMORY_MB), threads=False))
        self._member = self._enter(page)

    def _enter(self, page: str) -> Connection:
        if page:
            host = host_of(page, Services(self._store, self._hub.jobs))
            if host is None:
                raise LookupError(page)
            return host.enter(self._send)
        member = Studio(self._hub, self._send)
        for event in self._hub.greeting():
            self._send(event)
        return member

    def receive(self, text: str) -> None:
        """Does what a message asks for; raises nothing."""
        self._member.receive(text)

    def _send(self, event: object) -> None:
        self._browser.send(msgspec.json.encode(event).decode())

    # -- kernels ---------------------------------------------------------------------------------------------

    def _arrived(self, game: str) -> bool:
        if game not in self._kernels:
            self._kernels[game] = False
            self._hub.jobs.task(self._bring(game))
        return self._kernels[game]

    async def _bring(self, game: str) -> None:
        try:
            entries, library = await self._browser.kernels(game)
            path = FOLDER / f"{game}.so"
            path.write_bytes(library.to_py())
            ahead.load(path, ahead.listed(entries.to_py()))
        except Exception:
            log.exception("kernels of %s", game)
            self._send(refusal("", WinnableError("site.slower", game=game)))
        finally:
            self._kernels[game] = True

    # -- what the user has -----------------------------------------------------------------------------------

    def changed(self) -> bytes | None:
        """The store, where it is another one than at the last time; never one that stands in for an image of
        a later version."""
        if not self._store.is_kept:
            return None
        self._base = self._handed
        if self._store.changes == self._kept:
            self._is_told = False
            return None
        return self._image()

    def _image(self) -> bytes:
        self._kept, self._handed = self._store.changes, self._store.last_saved()
        return self._store.image()

    def merged(self, image: Any) -> bytes:
        """The store with what another page has kept meanwhile. Raises WinnableError."""
        folder = FOLDER / "other"
        folder.mkdir(exist_ok=True)
        (folder / FILE_NAME).write_bytes(image.to_py())
        other = Store(folder)
        try:
            if other.fault is not None:  # it would be written over
                raise other.fault
            self._forget(other)
            archive.take_in(self._store, archive.pack(other)[0])
        finally:
            other.close()
        self._send(Sessions(self._hub.sessions()))
        self._hub.tunings.tell_runs()
        self._hub.sets.reload()
        return self._image()

    def _forget(self, other: Store) -> None:
        """What one of the two has deleted, in the other one too, unless that has gone on with it."""
        ours, theirs = self._store.last_saved(), other.last_saved()
        for one, updated in self._base.items():
            if one not in ours and theirs.get(one) == updated:
                _delete(other, *one)
            elif one not in theirs and ours.get(one) == updated:
                _delete(self._store, *one)

    def unkept(self, reason: str) -> None:
        """Tells, once, that the browser could not keep the store, which is to be tried again."""
        self._kept, self._handed = -1, self._base
        if not self._is_told:
            self._is_told = True
            self._send(refusal("", StoreError("autosave", reason=reason)))

    def exchange(self, body: Any) -> Answer:
        """Gives all that the user has, or takes a file of it in."""
        return taken_in(self._store, body.to_py().tobytes()) if body else packed(self._store)


def _delete(store: Store, kind: Kind, id: str) -> None:
    if kind == "game":
        store.delete(id)
    elif kind == "run":
        store.delete_run(id)
    else:
        sets.delete(store, id)


def start(page: str, image: Any, trouble: str, browser: Any) -> Worker:
    """Called from JavaScript."""
    logging.basicConfig(level=logging.WARNING)
    return Worker(page, image.to_py().tobytes() if image else None, trouble, browser)
