"""Keeps the game of a desk in the store, and the ends that it comes to. What another program has kept of it
meanwhile is taken in."""

from __future__ import annotations

import hashlib
import time
import uuid
from collections.abc import Callable

import msgspec

from winnable.contract import clock
from winnable.contract.chance import Seeded
from winnable.contract.core import WinnableError, reached
from winnable.levels.identity import content_id, day_of
from winnable.store import results
from winnable.store.database import KeptSession, MovedOn, Store, StoreError
from winnable.store.results import Ended, Result
from winnable.web.opening import merge
from winnable.web.refusals import only_logged
from winnable.web.watched import Watched


class Autosave:
    """On the event loop. A game on a card of the deck is not kept."""

    def __init__(self, desk: Watched, store: Store, revision: int, renamed: Callable[[], None]) -> None:
        """revision: of what the store has. renamed: called when the game gets an id of its own"""
        self._desk, self._store, self._renamed = desk, store, renamed
        self._revision = revision
        self._ends: list[Result] = []
        """Those that are not kept yet."""
        self._opened = clock.today()
        self.trouble: WinnableError | None = None
        """Why the last change could not be kept."""

    def keep(self, with_level: bool = False) -> bool:
        """Keeps the game as it is now; False when it has become one of its own, with another id. When the
        store fails the game goes on; people are told once, until it works again."""
        id, fault = self._desk.id, self._store.fault
        if self._desk.card is not None:
            return True
        try:
            while not self._is_kept(with_level):
                pass  # another program was faster; what it played is on this desk by now
            while self._ends:
                results.add(self._store, self._ends[0])
                del self._ends[0]
        except StoreError as error:
            if not self.trouble:
                self.trouble = WinnableError("autosave", reason=error)
                self._desk.warn(self.trouble)
        else:
            self.trouble = None
            if (now := self._store.fault) is not None and now is not fault:
                self._desk.warn(now)
        return self._desk.id == id

    def add_end(self, outcome: Ended) -> None:
        """The game on the board has ended, which the next `keep` keeps too."""
        desk, session = self._desk, self._desk.session
        if desk.card is not None:
            return
        made = reached(session.puzzle, session.state)
        game, actions = session.game, session.actions[: session.ply]
        day, today = day_of(game, session.level_id), clock.today()
        self._ends.append(
            Result(
                id=hashlib.sha256(f"{desk.id} {session.level_id} {actions}".encode()).hexdigest()[:32],
                session=desk.id,
                game=game.name,
                level_id=session.level_id,
                content=content_id(game, session.level),
                day=str(day) if day and self._opened <= day <= today else None,
                outcome=outcome if made is None else "won" if made else "lost",
                helped=session.helped,
                actions=len(actions),
                par=desk.companion.fewest(session.start),
                score=session.state.score if isinstance(session.puzzle, Seeded) else None,
                seconds=session.seconds,
                finished=time.time(),
            )
        )

    def delete(self) -> None:
        """Forgets the game, unless another program has gone on with it."""
        with only_logged():
            self._store.delete(self._desk.id, self._revision)

    def _is_kept(self, with_level: bool) -> bool:
        """False: it must be tried again. Raises StoreError."""
        desk, session = self._desk, self._desk.session
        kept = KeptSession(
            desk.id,
            session.level_id,
            desk.level,
            msgspec.json.encode(session.saved_tree()),
            session.ply,
            session.standing,
            time.time(),
            self._revision,
            session.helped,
            session.seconds,
        )
        try:
            self._revision = (self._store.replace if with_level else self._store.save)(kept)
        except MovedOn as moved:
            if merge(session, moved.kept):
                self._revision = moved.kept.revision
            else:
                desk.id = uuid.uuid4().hex
                self._renamed()
            return False
        return True
