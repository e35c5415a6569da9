"""A cabinet of the arcade: one game of modern tetris in real time, at 60 frames a second, and its clock.

A frame is played when it is due by the clock. When keys change, the next frame is played at once, so that
what a key did is on its way before the next tick; that frame is then not played again when it is due. So a
game runs ahead of its clock by one frame at most, and keys that change faster than that wait their turn.
All methods are called on the event loop.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from winnable.games.tetris.modern import replay
from winnable.games.tetris.modern.gravity import FRAMES_A_SECOND
from winnable.games.tetris.modern.level import Handling, Level
from winnable.games.tetris.modern.replay import Log, Run
from winnable.games.tetris.modern.rules import Modern
from winnable.games.tetris.modern.state import NOTHING, Events
from winnable.store import KeptSession, Store, StoreError
from winnable.web import arcade_protocol as protocol
from winnable.web.arcade_protocol import ID_PREFIX, Event, Film, Frame, Phase, PhaseEvent, Table
from winnable.web.protocol import ErrorEvent

CATCH_UP = 6
"""Frames. What a server that was busy owes beyond them is forgiven: the game pauses for that long."""
MAX_WAITING = 8
"""Changes of keys. No hand is that much faster than the clock: then only the last one counts."""
BEAT = 6
"""Frames after which the page is told the time even if nothing changed."""
KEEP_SECONDS = 5.0
RUNS_A_SECOND = 500
"""A long log is kept less often: so many runs more make it wait for a second more."""
INTERNAL = "internal error; the terminal has the details"

log = logging.getLogger("winnable.studio")


class Play:
    """A game and the log of its keys."""

    def __init__(self, level: Level, handling: Handling) -> None:
        self.level = level
        self.puzzle = Modern(level, handling)
        self.state = self.puzzle.initial()
        self.runs: list[Run] = []

    @property
    def log(self) -> Log:
        return Log(self.puzzle.handling, tuple(self.runs))

    @property
    def is_over(self) -> bool:
        return self.state.status != "playing" or self.is_full

    @property
    def is_full(self) -> bool:
        """Whether a log can hold no more of it."""
        return self.state.frames >= replay.MAX_FRAMES or len(self.runs) >= replay.MAX_RUNS

    def step(self, keys: int) -> Events:
        """One frame. Raises IllegalAction when the game has ended."""
        self.state = self.puzzle.apply(self.state, keys)
        if self.runs and self.runs[-1][1] == keys:
            self.runs[-1] = self.runs[-1][0] + 1, keys
        else:
            self.runs.append((1, keys))
        return self.state.events

    def view(self) -> dict[str, Any]:
        view = msgspec.to_builtins(self.puzzle.observe(self.state))
        del view["events"], view["frames"]
        return view


class Showing:
    """A replay under way."""

    def __init__(self, film: Film) -> None:
        self.film = film
        self.play = Play(film.level, film.log.handling)
        self.length = film.log.frames
        self.keys: Iterator[int] = (keys for frames, keys in film.log.runs for _ in range(frames))

    @property
    def is_over(self) -> bool:
        return self.play.state.frames >= self.length or self.play.state.status != "playing"


class Clock:
    """Says how many frames are due. now: seconds of the event loop's clock."""

    def __init__(self, now: float, speed: float) -> None:
        self._began, self._rate, self._played = now, FRAMES_A_SECOND * speed, 0
        self.catch_up = int(CATCH_UP * max(1.0, speed))

    def owed(self, now: float) -> int:
        """-1: the game is a frame ahead. What is too much is forgiven."""
        owed = int((now - self._began) * self._rate) - self._played
        if owed > self.catch_up:
            self._began += (owed - self.catch_up) / self._rate
            owed = self.catch_up
        return owed

    def played(self) -> None:
        self._played += 1

    def due(self, ahead: int) -> float:
        """When the next frame may be played that runs so many frames ahead."""
        return self._began + (self._played + 1 - ahead) / self._rate


class Cabinet:
    """A game, perhaps a replay that covers it, and the clock. `send` tells the page that plays."""

    def __init__(self, id: str, play: Play, store: Store, send: Callable[[Event], None]) -> None:
        self.id, self.play, self.send = id, play, send
        self.showing: Showing | None = None
        self.speed = 1.0
        self._store = store
        self._held = 0
        self._waiting: deque[int] = deque()
        self._clock: Clock | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._told: dict[str, Any] = {}
        self._told_frame = 0
        self._keep_next = 0.0
        self._is_kept = True

    @property
    def seen(self) -> Play:
        return self.play if self.showing is None else self.showing.play

    @property
    def phase(self) -> Phase:
        shown = self.play if self.showing is None else self.showing
        return "over" if shown.is_over else "paused" if self._clock is None else "playing"

    # -- requests ------------------------------------------------------------------------------------------

    def begin(self, play: Play) -> None:
        self.stop()
        self.play, self.showing = play, None
        self.keep()
        self.show_all()

    def watch(self, film: Film) -> None:
        self.stop()
        self.showing = Showing(film)
        self.show_all()

    def leave(self) -> None:
        self.stop()
        self.showing = None
        self.keep()
        self.show_all()

    def go(self) -> None:
        if self.phase == "paused":
            if self.showing is None:
                self._waiting.append(0)  # a key that was down at the pause may go down again at once
            self._start_clock()
            self._keep_next = time.monotonic() + KEEP_SECONDS
        self.send(PhaseEvent(self.phase))

    def pause(self) -> None:
        self.stop()
        self.send(PhaseEvent(self.phase))

    def press(self, held: int) -> None:
        if self._clock is None or self.showing is not None:
            return  # sent before the page knew that the game stands
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.clear()
        self._waiting.append(held)
        self._run()

    def set_speed(self, times: float) -> None:
        self.speed = times
        if self._clock is not None and self.showing is not None:
            self._start_clock()

    def film(self) -> Film:
        return Film(self.play.level, self.play.log) if self.showing is None else self.showing.film

    # -- the clock -----------------------------------------------------------------------------------------

    def _start_clock(self) -> None:
        self._clock = Clock(asyncio.get_running_loop().time(), 1.0 if self.showing is None else self.speed)
        self._wake_later()

    def stop(self) -> None:
        """Stops the clock; what was played is kept."""
        if self._clock is None:
            return
        self._clock = None
        self._held = 0
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.showing is None:
            self.keep()

    def _wake_later(self) -> None:
        assert self._clock is not None
        if self._timer is not None:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(self._clock.due(ahead=1 if self._waiting else 0), self._run)

    def _run(self) -> None:
        """Plays what is due, tells the page, and comes again. A failure ends the run, never the server."""
        try:
            self._play_due()
        except Exception:
            log.exception("a frame failed")
            self.stop()
            self.send(ErrorEvent("", INTERNAL))
            self.send(PhaseEvent("paused"))

    def _play_due(self) -> None:
        clock = self._clock
        if clock is None:
            return
        owed = clock.owed(asyncio.get_running_loop().time())
        happened: list[Events] = []
        while (owed > 0 or (owed == 0 and self._waiting)) and self.phase == "playing":
            events = self._step()
            if events != NOTHING:
                happened.append(events)
            clock.played()
            owed -= 1
        self._tell(happened)
        if self.phase == "over":
            self.stop()
            self.send(PhaseEvent("over"))
            if self.showing is None and self.play.is_full:
                self.send(ErrorEvent("", "the game is longer than a log can hold; it ends here"))
            return
        if self.showing is None and time.monotonic() >= self._keep_next:
            self.keep()
        self._wake_later()

    def _step(self) -> Events:
        if self.showing is not None:
            return self.showing.play.step(next(self.showing.keys))
        if self._waiting:
            self._held = self._waiting.popleft()
        return self.play.step(self._held)

    # -- what the page sees --------------------------------------------------------------------------------

    def show_all(self) -> None:
        seen, level = self.seen, self.seen.level
        self._told, self._told_frame = seen.view(), seen.state.frames
        self.send(
            Table(
                session=self.id,
                phase=self.phase,
                level=protocol.LevelInfo(level.mode, level.rules, level.start_level, level.dice),
                handling=seen.puzzle.handling,
                frame=seen.state.frames,
                seen=self._told,
                length=None if self.showing is None else self.showing.length,
            )
        )

    def _tell(self, happened: Sequence[Events]) -> None:
        frame = self.seen.state.frames
        if frame == self._told_frame:
            return
        view = self.seen.view()
        changes = {name: value for name, value in view.items() if self._told[name] != value}
        if changes or happened or frame - self._told_frame >= BEAT:
            self._told, self._told_frame = view, frame
            self.send(Frame(frame, changes, [_said(events) for events in happened]))

    # -- autosave ------------------------------------------------------------------------------------------

    def keep(self) -> None:
        """When it fails the game goes on; people are told once, until it works again."""
        play = self.play
        self._keep_next = time.monotonic() + KEEP_SECONDS + len(play.runs) / RUNS_A_SECOND
        status = play.state.status
        kept = KeptSession(
            self.id,
            f"{ID_PREFIX}{play.level.mode}#{play.level.dice}",
            msgspec.json.encode(play.level),
            replay.encode(play.log).encode(),
            play.state.frames,
            status if status in ("playing", "won") else "lost",
            time.time(),
        )
        try:
            # Only a new game has another level; a pause need not write it again.
            (self._store.save if play.runs else self._store.replace)(kept)
        except StoreError as error:
            if self._is_kept:
                log.error("%s", error)
                self.send(ErrorEvent("", f"autosave: {error}; the game goes on but is not kept"))
            self._is_kept = False
        else:
            self._is_kept = True


def _said(events: Events) -> dict[str, Any]:
    pairs = zip(Events._fields, events, NOTHING, strict=True)
    return {name: value for name, value, nothing in pairs if value != nothing}
