"""The arcade: modern tetris in real time. A visitor is one connection, and plays at one cabinet at a time.

A game belongs to the page that opened it last; the one before is told so. All methods are called on the
event loop and return at once; only games that were kept are played again in a thread.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from winnable import __version__
from winnable.contract.core import Progress, Search, WinnableError
from winnable.contract.registry import load_game
from winnable.games.tetris.levels import fumen
from winnable.games.tetris.modern.page import protocol
from winnable.games.tetris.modern.page.bot import Appraiser, Make, Pilot, Planner, article_bot, guideline_bot
from winnable.games.tetris.modern.page.cabinet import BOT_PREFIX, Cabinet, Play
from winnable.games.tetris.modern.page.protocol import ID_PREFIX, Event, Film, Request
from winnable.games.tetris.modern.players import replay
from winnable.games.tetris.modern.players.article_bot import Route
from winnable.games.tetris.modern.players.bot import Plan
from winnable.games.tetris.modern.players.weights import Style
from winnable.games.tetris.modern.rules.level import WIDTH, Level
from winnable.games.tetris.modern.rules.puzzle import AnyState
from winnable.games.tetris.modern.rules.srs import Cell, shape
from winnable.games.tetris.rules.pieces import NAMES
from winnable.levels.files import decode
from winnable.store.database import KeptSession, Store, StoreError
from winnable.tuning import runs, tuned
from winnable.web.events import FileEvent
from winnable.web.hosts import Services
from winnable.web.inbox import Inbox
from winnable.web.jobs import Job, Running

RUNS_AT_ONCE = 50
"""Of keys that are held for some frames: between two looks at whether somebody still waits."""
log = logging.getLogger("winnable.studio")
_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)


def restored(kept: KeptSession) -> Search[Play]:
    """The kept game, played again: a few seconds for a very long one. Raises WinnableError."""
    if not kept.level_id.startswith(ID_PREFIX):
        raise WinnableError("arcade.other")
    record = replay.decode(kept.actions)
    play = Play(decode(kept.level, Level), record.handling, kept.level_id.startswith(BOT_PREFIX))
    for number, (frames, keys) in enumerate(record.runs):
        if not number % RUNS_AT_ONCE:
            yield Progress("load", number, number, 0.0)
        for _ in range(frames):
            play.step(keys)
    return play


class Arcade:
    """What all of the arcade's pages share."""

    def __init__(self, services: Services) -> None:
        self.store, self.jobs = services.store, services.jobs
        self.visitors: set[Visitor] = set()
        """Who plays."""

    def enter(self, send: Callable[[Event], None]) -> Visitor:
        """A new visitor, who hears events by `send`."""
        return Visitor(self, send)

    def player(self, session: str) -> Visitor | None:
        """The visitor that plays the session."""
        return next((visitor for visitor in self.visitors if visitor.session == session), None)


class Visitor:
    """One connection to the arcade: requests in, events out."""

    def __init__(self, arcade: Arcade, send: Callable[[Event], None]) -> None:
        self._arcade, self._send = arcade, send
        self._cabinet: Cabinet | None = None
        self._inbox = Inbox(_requests, send)
        self._opening: Running | None = None
        self._hinting: Running | None = None
        self._hinted: tuple[Play, int, bool] | None = None
        """The game and the piece that the hint under way is for."""
        self._appraiser: Appraiser | None = None
        shapes = {piece: [list(shape(piece, turn)) for turn in range(4)] for piece in NAMES}
        send(protocol.Hello(__version__, shapes, *_article_players(arcade.store)))

    def receive(self, message: str | bytes) -> None:
        """Take one message of the page."""
        self._inbox.take(message, self._dispatch)

    @property
    def is_busy(self) -> bool:
        """Whether a game or a replay runs."""
        return self._cabinet is not None and self._cabinet.phase == "playing"

    def close(self) -> None:
        """End the visit, as the connection is gone: the game waits, paused, where it was."""
        self._give_up_opening()
        if self._hinting is not None:
            self._hinting.give_up()
        self._appraise(None)
        if self._cabinet is not None:
            self._cabinet.leave_it()
            self._cabinet = None
        self._arcade.visitors.discard(self)

    @property
    def session(self) -> str | None:
        """The id of the visitor's game."""
        return None if self._cabinet is None else self._cabinet.id

    def _dispatch(self, request: Request) -> None:
        match request:
            case protocol.Start():
                self._begin(Play(request.level(), request.handling))
            case protocol.Open():
                self._open(request)
            case protocol.Keys():
                self._at().press(request.held)
            case protocol.Go():
                self._at().go()
            case protocol.Pause():
                self._at().pause()
            case protocol.Watch():
                cabinet = self._at()
                cabinet.watch(cabinet.film())
            case protocol.Load():
                film: Film = decode(request.content.encode(), Film, "content: not a replay")
                self._give_up_opening()
                if self._cabinet is None:
                    self._sit_down(
                        Cabinet(uuid.uuid4().hex, Play(film.level, film.log.handling), *self._with)
                    )
                self._at().watch(film)
            case protocol.Speed():
                self._at().set_speed(request.times)
            case protocol.Leave():
                self._at().leave()
            case protocol.Save():
                self._send(_file(self._at().film()))
            case protocol.Copy():
                self._send(protocol.FumenEvent(_fumen(self._at().seen)))
            case protocol.TheBot():
                self._let_bot_play(request)
            case protocol.Advance():
                self._at().advance(request.to == "lock")
            case protocol.Hands():
                self._at().take_over()
            case protocol.AskHint():
                self._hint(request)
            case protocol.Appraise():
                self._appraise(request.style)

    @property
    def _with(self) -> tuple[Store, Callable[[Event], None]]:
        return self._arcade.store, self._send

    def _at(self) -> Cabinet:
        if self._cabinet is None:
            raise WinnableError("game.none")
        return self._cabinet

    def _begin(self, play: Play) -> None:
        self._give_up_opening()
        if self._cabinet is None:
            self._sit_down(Cabinet(uuid.uuid4().hex, play, *self._with))
        self._at().begin(play)
        try:
            self._arcade.store.prune()
        except StoreError as error:
            log.error("%s", error)

    def _open(self, request: protocol.Open) -> None:
        self._give_up_opening()
        id = request.session
        other = self._arcade.player(id)
        if other is self:
            self._at().show_all()
            return
        if other is not None:
            self._go_on(other.lose())
            return
        kept = self._arcade.store.load(id)
        job = self._arcade.jobs.work("load", partial(restored, kept))
        refuse = partial(self._inbox.refuse, request)
        self._opening = self._arcade.jobs.follow(job, self._opened(kept, job), refuse)

    async def _opened(self, kept: KeptSession, job: Job[Play]) -> None:
        play = await job.result()
        other = self._arcade.player(kept.id)  # it may have come meanwhile, and played
        if other is not None:
            self._go_on(other.lose())
        elif play is not None:
            self._go_on(Cabinet(kept.id, play, *self._with, kept.revision))

    def _give_up_opening(self) -> None:
        if self._opening is not None:
            self._opening.give_up()
            self._opening = None

    def _go_on(self, before: Cabinet) -> None:
        self._sit_down(Cabinet(before.id, before.play, *self._with, before.revision))
        self._at().show_all()

    def _sit_down(self, cabinet: Cabinet) -> None:
        if self._cabinet is not None:
            self._cabinet.leave_it()
        self._cabinet = cabinet
        if self._appraiser is not None and self._appraiser.is_ready:
            cabinet.appraise(self._appraiser)
        self._arcade.visitors.add(self)

    # -- the bot -------------------------------------------------------------------------------------------

    def _bot(self, play: Play, request: protocol.TheBot | protocol.AskHint) -> tuple[str, Make]:
        """Its name, and how it is made. Raises WinnableError."""
        if play.level.rules == "article":
            return request.by, article_bot(play.level, request.by, self._arcade.store)
        return request.style, guideline_bot(play.level, play.puzzle.handling, request.style)

    def _let_bot_play(self, request: protocol.TheBot) -> None:
        cabinet = self._at()
        cabinet.hand_over(Pilot(*self._bot(cabinet.play, request), self._arcade.jobs, self._send))

    def _hint(self, request: protocol.AskHint) -> None:
        """The page is told even if the piece has locked meanwhile: it looks at `placed`; but not in another
        game."""
        cabinet = self._at()
        play, state = cabinet.play, cabinet.play.state
        if cabinet.showing is not None or cabinet.pilot is not None or state.status != "playing":
            raise WinnableError("arcade.hint")
        asked = play, state.placed, state.has_held
        if self._hinting is not None and not self._hinting.is_over and self._hinted == asked:
            return  # it is coming
        job = Planner(self._bot(play, request)[1], self._arcade.jobs).plan(state)
        if self._hinting is not None:
            self._hinting.give_up()
        showing, refuse = self._show_hint(cabinet, play, state, job), partial(self._inbox.refuse, request)
        self._hinting = self._arcade.jobs.follow(job, showing, refuse)
        self._hinted = asked

    async def _show_hint(self, cabinet: Cabinet, play: Play, state: AnyState, job: Job[Plan | Route]) -> None:
        plan = await job.result(self._send)
        if plan is not None and self._cabinet is cabinet and cabinet.seen is play:
            piece, cells = _shown(plan, play)
            self._send(protocol.Hint(state.placed, piece, [*cells], [*plan.path]))

    def _appraise(self, style: Style | None) -> None:
        if self._appraiser is not None:
            self._appraiser.give_up()
        self._appraiser = None
        if self._cabinet is not None:
            self._cabinet.appraise(None)
        if style is not None:
            self._appraiser = Appraiser(style, self._arcade.jobs, self._appraiser_ready, self._send)

    def _appraiser_ready(self, appraiser: Appraiser) -> None:
        if self._cabinet is not None:
            self._cabinet.appraise(appraiser)

    def lose(self) -> Cabinet:
        """Give the game to another page, as it stands: the store may not have been able to keep it."""
        cabinet = self._at()
        self.close()
        self._send(protocol.Taken())
        return cabinet


def _shown(plan: Plan | Route, play: Play) -> tuple[str, Sequence[Cell]]:
    """The piece, and where it would lie."""
    if isinstance(plan, Route):
        return play.puzzle.rules.active(play.state).piece, plan.cells
    return plan.placement.piece, plan.placement.cells


def _article_players(store: Store) -> tuple[list[str], list[protocol.TunedInfo]]:
    """The article's own one first; and the runs that have weights."""
    try:
        found = runs.listed(store)
    except StoreError:
        found = []
    kept = [run for run in found if run.game == "tetris" and run.latest is not None]
    players = sorted(load_game("tetris").players, key=lambda name: name != protocol.ARTICLE)
    return players, [protocol.TunedInfo(tuned.RUN + run.id, run.tunable) for run in kept]


def _file(film: Film) -> FileEvent:
    name = f"tetris-{film.level.mode}-{film.level.dice}-{film.log.frames}.replay.json"
    return FileEvent(name, msgspec.json.encode(film).decode())


def _fumen(play: Play) -> str:
    """What lies on the board, as a fumen of one page."""
    rows = [*play.state.rows][: fumen.HEIGHT]
    return fumen.encode([fumen.page_of(list(reversed(rows)) or ["." * WIDTH])])
