"""A cabinet of the arcade: one game of modern tetris in real time, at 60 frames a second, and its clock.

A frame is played when it is due by the clock. When keys change, the next frame is played at once, so that
what a key did is on its way before the next tick; that frame is then not played again when it is due. So a
game runs ahead of its clock by one frame at most, and keys that change faster than that wait their turn.
While the bot plays, the clock stands still for as long as it thinks.
All methods are called on the event loop.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from winnable.contract.core import WinnableError
from winnable.games.tetris.modern.page import protocol
from winnable.games.tetris.modern.page.bot import Appraiser, Pilot
from winnable.games.tetris.modern.page.clock import Clock
from winnable.games.tetris.modern.page.protocol import ID_PREFIX, Event, Film, Frame, Phase, PhaseEvent, Table
from winnable.games.tetris.modern.players import replay
from winnable.games.tetris.modern.players.replay import Play
from winnable.games.tetris.modern.rules.state import CW, LEFT, NOTHING, RIGHT, Events
from winnable.store.database import KeptSession, MovedOn, Store, StoreError
from winnable.web.refusals import INTERNAL, refusal

NUDGES = LEFT | RIGHT | CW
"""Keys of a person that act in the article's automatic game too, as in its program."""
MAX_WAITING = 8
"""Changes of keys. No hand is that much faster than the clock: then only the last one counts."""
BEAT = 6
"""Frames after which the page is told the time even if nothing changed."""
KEEP_SECONDS = 5.0
RUNS_A_SECOND = 500
"""A long log is kept less often: so many runs more make it wait for a second more."""
BOT_PREFIX = f"{ID_PREFIX}bot:"
"""Of the level ids of games that the bot played, or some of them."""

log = logging.getLogger("winnable.studio")


class Showing:
    """A replay under way."""

    def __init__(self, film: Film) -> None:
        self.film = film
        self.play = Play(film.level, film.log.handling, film.by_bot)
        self.length = film.log.frames
        self.keys = film.log.keys()

    @property
    def is_over(self) -> bool:
        """Whether the last frame, or the end of the game, has been shown."""
        return self.play.state.frames >= self.length or self.play.state.status != "playing"


class Cabinet:
    """A game, perhaps a replay that covers it, and the clock. `send` tells the page that plays."""

    def __init__(
        self, id: str, play: Play, store: Store, send: Callable[[Event], None], revision: int = 0
    ) -> None:
        """revision: of what is kept of the game"""
        self.id, self.play, self.send, self.revision = id, play, send, revision
        self.showing: Showing | None = None
        self.pilot: Pilot | None = None
        """The bot, when it plays the game."""
        self.speed: float | None = 1.0
        """Of replays and of the bot."""
        self._appraiser: Appraiser | None = None
        self._store = store
        self._held = 0
        self._nudges = 0
        """Keys that a person has pressed while the article's bot plays, and that have not counted yet."""
        self._strayed = False
        """Whether one has, for the piece in play."""
        self._waiting: deque[int] = deque()
        self._clock: Clock | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._told: dict[str, Any] = {}
        self._told_frame = 0
        self._keep_next = 0.0
        self._is_kept = True
        self._kept_id = ""

    @property
    def seen(self) -> Play:
        """The replay that covers the game, else the game."""
        return self.play if self.showing is None else self.showing.play

    @property
    def phase(self) -> Phase:
        """Whether what is seen is over, paused or playing."""
        shown = self.play if self.showing is None else self.showing
        return "over" if shown.is_over else "paused" if self._clock is None else "playing"

    @property
    def _by_hand(self) -> bool:
        return self.showing is None and self.pilot is None

    # -- requests ------------------------------------------------------------------------------------------

    def begin(self, play: Play) -> None:
        """Put another game in the place of this one, paused."""
        self.leave_it()
        self.play, self.showing, self.pilot = play, None, None
        self.keep()
        self.show_all()

    def watch(self, film: Film) -> None:
        """Show a replay from its first frame, paused."""
        self.stop()
        self.showing = Showing(film)
        self.show_all()

    def leave(self) -> None:
        """End the replay and show the game."""
        self.stop()
        self.showing = None
        self.keep()
        self.show_all()

    def hand_over(self, pilot: Pilot) -> None:
        """Let the bot play on, at once. Raises WinnableError."""
        if self.showing is not None or self.phase == "over":
            pilot.give_up()
            raise WinnableError("arcade.bot")
        self.leave_it()
        self.pilot = pilot
        self._tell_who()
        self.go()

    def take_over(self) -> None:
        """Let the person play on, after a pause."""
        self.leave_it()
        self.pilot = None
        self._tell_who()
        self._tell_phase()

    def leave_it(self) -> None:
        """Stops the clock, and the bot's thinking."""
        self.stop()
        if self.pilot is not None:
            self.pilot.give_up()

    def advance(self, to_lock: bool) -> None:
        """Play a move of the bot's piece while it pauses, or the whole way. Raises WinnableError."""
        if self.pilot is None or self.showing is not None or self.phase != "paused":
            raise WinnableError("arcade.advance")
        self._advance(to_lock)

    def _advance(self, to_lock: bool, error: WinnableError | None = None) -> None:
        """Comes again when the bot has to think first."""
        if error or self.pilot is None or self.phase != "paused":
            self._thought(error)
            return
        happened: list[Events] = []
        before, rules = self.play.state, self.play.puzzle.rules
        while not self.play.is_over:
            keys = self._next_keys()
            if keys is None:
                self.pilot.think(self.play.state, lambda error: self._advance(to_lock, error))
                break
            events = self.play.step(keys)
            if events != NOTHING:
                happened.append(events)
            if events.locked or not (to_lock or rules.cells(self.play.state) == rules.cells(before)):
                break
        self._tell(happened, at_rest=True)
        if self.play.is_over:
            self._tell_phase()
        self.keep()

    def appraise(self, appraiser: Appraiser | None) -> None:
        """Tell the board's value from now on; None: no more."""
        self._appraiser = appraiser
        self._tell_value()

    def go(self) -> None:
        """Start the clock of a game or replay that is paused."""
        if self.phase == "paused":
            if self._by_hand:
                self._waiting.append(0)  # a key that was down at the pause may go down again at once
            self._start_clock()
            self._keep_next = time.monotonic() + KEEP_SECONDS
        self._tell_phase()

    def pause(self) -> None:
        """Stop the clock and tell the page."""
        self.stop()
        self._tell_phase()

    def press(self, held: int) -> None:
        """Take the keys that are down now, for a frame at least."""
        if self._clock is None or self.showing is not None:
            return  # sent before the page knew that the game stands
        if self.pilot is not None:
            if self.play.level.rules == "article":
                self._nudges |= held & ~self._held & NUDGES
                self._held = held
            return  # else sent before the page knew who plays
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.clear()
        self._waiting.append(held)
        self._run()

    def set_speed(self, times: float | None) -> None:
        """Set how fast replays and the bot go; None: as fast as they can."""
        self.speed = times
        if self._clock is not None and not self._by_hand:
            self._start_clock()

    def film(self) -> Film:
        """The replay of what is seen."""
        return self.play.film if self.showing is None else self.showing.film

    # -- the clock -----------------------------------------------------------------------------------------

    def _start_clock(self) -> None:
        speed = 1.0 if self._by_hand else self.speed
        if self.pilot is not None and self.showing is None:
            speed = self.pilot.pace(self.play.level.rules, speed)
        self._clock = Clock(asyncio.get_running_loop().time(), speed)
        self._wake_later()

    def stop(self) -> None:
        """Stops the clock; what was played is kept."""
        if self._clock is None:
            return
        self._clock = None
        self._held = self._nudges = 0
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
        due = self._clock.due(ahead=1 if self._waiting else 0)
        self._timer = loop.call_later(max(0.0, due - loop.time()), self._run)  # a browser's knows no past

    def _run(self) -> None:
        """Plays what is due, tells the page, and comes again. A failure ends the run, never the server."""
        try:
            self._play_due()
        except Exception:
            log.exception("a frame failed")
            self.stop()
            self.send(refusal("", INTERNAL))
            self.send(PhaseEvent("paused"))

    def _play_due(self) -> None:
        clock = self._clock
        if clock is None:
            return
        owed = clock.owed(asyncio.get_running_loop().time())
        happened: list[Events] = []
        while (owed > 0 or (owed == 0 and self._waiting)) and self.phase == "playing":
            keys = self._next_keys()
            if keys is None:
                break
            events = self.seen.step(keys)
            if events != NOTHING:
                happened.append(events)
            if events.locked:
                self._locked()
            clock.played()
            owed -= 1
        self._tell(happened)
        if self.phase == "over":
            self.stop()
            self._tell_phase()
            if self.showing is None and self.play.is_full:
                self.send(refusal("", WinnableError("arcade.long")))
            return
        if self.showing is None and time.monotonic() >= self._keep_next:
            self.keep()
        if self.showing is None and self.pilot is not None and not self.pilot.has_keys:
            self.pilot.think(self.play.state, self._thought)
        else:
            self._wake_later()

    def _next_keys(self) -> int | None:
        """None: the bot has to think first."""
        if self.showing is not None:
            return next(self.showing.keys)
        if self.pilot is not None:
            keys = self.pilot.next_keys()
            self.play.by_bot |= keys is not None
            return keys if keys is None else self._nudged(keys)
        if self._waiting:
            self._held = self._waiting.popleft()
        return self._held

    def _nudged(self, keys: int) -> int:
        """The bot's keys of a frame, with those that a person has pressed: each counts once, as soon as it is
        not down already."""
        now = self._nudges & ~self.play.state.keys & ~keys
        self._nudges &= ~now
        self._strayed |= now != 0
        return keys | now

    def _locked(self) -> None:
        """A piece that a person has moved lies: the way that the bot meant for it is over too."""
        if self._strayed and self.pilot is not None and self.showing is None:
            self._strayed = False
            self.pilot.give_up()

    def _thought(self, error: WinnableError | None) -> None:
        """The bot has a plan. Time begins anew: what it took to think is forgiven."""
        if error:
            self.take_over()
            self.send(refusal("bot", error))
        elif self._clock is not None and self.showing is None:
            self._start_clock()
            self._run()

    # -- what the page sees --------------------------------------------------------------------------------

    def show_all(self) -> None:
        """Tell the page everything that is to be seen."""
        seen, level = self.seen, self.seen.level
        self._told, self._told_frame = _view(seen), seen.state.frames
        self.send(
            Table(
                session=self.id,
                phase=self.phase,
                level=protocol.LevelInfo(level.mode, level.rules, level.start_level, level.dice),
                handling=seen.puzzle.handling,
                frame=seen.state.frames,
                seen=self._told,
                length=None if self.showing is None else self.showing.length,
                style=None if self.pilot is None else self.pilot.name,
                by_bot=self._is_by_bot,
            )
        )
        self._tell_value()

    @property
    def _is_by_bot(self) -> bool:
        return self.seen.by_bot or (self.showing is None and self.pilot is not None)

    def _tell_who(self) -> None:
        self.send(protocol.BotEvent(None if self.pilot is None else self.pilot.name, self._is_by_bot))

    def _tell_value(self) -> None:
        if self._appraiser is not None and self.seen.level.rules == "guideline":
            self.send(protocol.Appraisal(round(self._appraiser.value(self.seen.state), 1)))

    def _tell_phase(self) -> None:
        """After the last frame that was played: the time stands there now."""
        self._tell((), at_rest=True)
        self.send(PhaseEvent(self.phase))

    def _tell(self, happened: Sequence[Events], at_rest: bool = False) -> None:
        frame = self.seen.state.frames
        if frame == self._told_frame:
            return
        view = _view(self.seen)
        changes = {name: value for name, value in view.items() if self._told[name] != value}
        if changes or happened or at_rest or frame - self._told_frame >= BEAT:
            self._told, self._told_frame = view, frame
            self.send(Frame(frame, changes, [_said(events) for events in happened]))
            if "placed" in changes:
                self._tell_value()

    # -- autosave ------------------------------------------------------------------------------------------

    def keep(self) -> None:
        """Save the game. When that fails the game goes on; people are told once, until it works again. Where
        another program has played on with the game, this one becomes a game of its own."""
        play = self.play
        self._keep_next = time.monotonic() + KEEP_SECONDS + len(play.runs) / RUNS_A_SECOND
        status = play.state.status
        level_id = f"{BOT_PREFIX if play.by_bot else ID_PREFIX}{play.level.mode}#{play.level.dice}"
        kept = KeptSession(
            self.id,
            level_id,
            msgspec.json.encode(play.level),
            replay.encode(play.log).encode(),
            play.state.frames,
            status if status in ("playing", "won") else "lost",
            time.time(),
            self.revision,
        )
        try:
            # Only a new game has another level, and one that the bot joins another id; a pause has neither.
            is_known = play.runs and level_id == self._kept_id
            self.revision = (self._store.save if is_known else self._store.replace)(kept)
        except MovedOn:
            self.id, self.revision = uuid.uuid4().hex, 0
            self.keep()
            self.show_all()
            self.send(refusal("", WinnableError("session.apart")))
        except StoreError as error:
            if self._is_kept:
                log.error("%s", error)
                self.send(refusal("", WinnableError("autosave", reason=error)))
            self._is_kept = False
        else:
            self._is_kept, self._kept_id = True, level_id


def _view(play: Play) -> dict[str, Any]:
    """What is to be seen, without the events of the frame."""
    view = msgspec.to_builtins(play.puzzle.observe(play.state))
    del view["events"], view["frames"]
    return view


def _said(events: Events) -> dict[str, Any]:
    pairs = zip(Events._fields, events, NOTHING, strict=True)
    return {name: value for name, value, nothing in pairs if value != nothing}
