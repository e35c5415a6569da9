"""One connection to the studio: requests in, events out."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Hashable
from datetime import date
from functools import partial
from typing import Literal, TypeAlias, assert_never

import msgspec

from winnable.analysis.engine import engine
from winnable.contract import clock
from winnable.contract.abilities import Recording, formats_of
from winnable.contract.core import Action, Budget, Found, Progress, WinnableError
from winnable.contract.registry import GAMES
from winnable.levels.files import NamedLevel, encode_level
from winnable.levels.find import parsed_board
from winnable.play.days import REACH, days_of
from winnable.play.links import link_of
from winnable.play.played import played
from winnable.play.session import Session
from winnable.play.tree import SavedTree
from winnable.store import results
from winnable.store.database import Store
from winnable.web import (
    comparisons,
    deck,
    opening,
    protocol,
    reports,
    searches,
    view,
)
from winnable.web.answers import reporter
from winnable.web.desk import Desk
from winnable.web.events import (
    CodeEvent,
    DaysEvent,
    Event,
    FileEvent,
    LinkEvent,
    PlayedEvent,
    Sessions,
    Several,
    Written,
)
from winnable.web.hub import Hub
from winnable.web.inbox import Inbox
from winnable.web.jobs import Followed, Job, Running
from winnable.web.opening import Follower, Opened, Opener
from winnable.web.protocol import Request
from winnable.web.qr import qr_rows
from winnable.web.refusals import CANCELLED
from winnable.web.set_protocol import SetKeep, SetPlay, SetRequest
from winnable.web.tuning_protocol import TuneRequest

Kind: TypeAlias = Literal["opening", "stepping", "solving", "reporting", "judging", "mending", "comparing"]
DRAWING = "svg"
"""What any game's `write` takes for a format."""
MAX_HELD = 100
BESIDE: TypeAlias = protocol.Cancel | protocol.Judge | protocol.Mend | protocol.Compare | protocol.CompareStop
"""What does not wait for a level that is being opened."""

_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)


class Studio:
    """All methods are called on the event loop and return at once; slow work is a job of the hub.

    Requests take effect in the order in which they come. While a level is being made or opened, later ones
    are held back; `new`, `load`, `open` and `cancel` do not wait but give that level up. `next` and `cheat`
    are openings too, but they wait their turn: two cheats are two.
    """

    def __init__(self, hub: Hub, send: Callable[[Event], None]) -> None:
        self.send = send
        self._hub = hub
        self._desk: Desk | None = None
        self._held: deque[Request] = deque()
        self._inbox = Inbox(_requests, send)
        self._under_way: dict[Kind, tuple[Request, Running]] = {}
        """At most one of each kind, with what asked for it."""

    def receive(self, message: str | bytes) -> None:
        """Does what a message asks for; raises nothing."""
        self._inbox.take(message, self._accept)

    def _accept(self, request: Request) -> None:
        if not self._runs("opening") or isinstance(request, Opener | BESIDE):
            self._dispatch(request)
        elif len(self._held) < MAX_HELD:
            self._held.append(request)
        else:
            raise WinnableError("busy")

    @property
    def is_busy(self) -> bool:
        """Whether something is under way for the page."""
        return any(self._runs(kind) for kind in self._under_way)

    def _runs(self, kind: Kind) -> bool:
        return kind in self._under_way and not self._under_way[kind][1].is_over

    def _begin(self, kind: Kind, request: Request, followed: Followed) -> None:
        """The one of this kind before ends with what it has."""
        self._cancel(kind)
        self._under_way[kind] = request, self._follow(request, followed)

    def _follow(self, request: Request, followed: Followed) -> Running:
        """Beside all others."""
        job, listens = followed
        return self._hub.jobs.follow(job, listens, partial(self._refuse, request))

    def _cancel(self, *kinds: Kind) -> None:
        """They still answer, with what they have."""
        for kind in kinds:
            if kind in self._under_way:
                self._under_way[kind][1].cancel()

    def _give_up(self, *kinds: Kind) -> None:
        for kind in kinds:
            if kind in self._under_way:
                self._under_way.pop(kind)[1].give_up()

    def _withdraw(self, kind: Kind) -> bool:
        """Gives up what is under way, and refuses what asked for it."""
        if not self._runs(kind):
            return False
        request, _ = self._under_way[kind]
        self._give_up(kind)
        self._refuse(request, CANCELLED)
        return True

    def close(self) -> None:
        """The connection is gone."""
        self._give_up_opening()
        self._cancel_searches()
        self._give_up("comparing")
        self._hub.tunings.leave(self.send)
        self._hub.sets.leave(self.send)
        if self._desk is not None:
            self._hub.leave(self, self._desk, for_another=False)
            self._desk = None

    def _dispatch(self, request: Request) -> None:
        match request:
            case protocol.Hint(rung="verdict"):
                pass  # what the lamp tells everybody is no help
            case protocol.Help() | protocol.Hint() | protocol.Solve() | protocol.Step() | protocol.Repair():
                self._at_desk().help()  # a cheat helps when it has made the level easier
            case protocol.Compare() if self._desk is not None and self._desk.is_among(request.levels):
                self._desk.help()
            case _:
                pass
        refuse = partial(self._refuse, request)
        if isinstance(request, TuneRequest):
            self._hub.tunings.handle(request, self.send, refuse)
            return
        if isinstance(request, SetRequest):
            self._hub.sets.handle(request, self.send, refuse)
            return
        match request:
            case SetKeep():
                self._keep(request)
            case protocol.New() | protocol.Load() | protocol.Open() | protocol.Practise() | SetPlay():
                self._open(request)
            case protocol.Next() | protocol.Cheat() | protocol.Repair():
                self._go_on(request)
            case protocol.Cancel():
                self._give_up_opening()
                self._cancel_searches()
            case protocol.Forget():
                self._hub.store.delete(request.session)
                self.send(Sessions(self._hub.sessions()))
            case protocol.Act():
                self._act(request)
            case protocol.GoTo():
                self._without_card().go_to(request.ply, request.action, request.forget)
                self._withdraw("stepping")
            case protocol.Alternate():
                self._at_desk().alternate(request.step)
                self._withdraw("stepping")
            case protocol.ListBranches():
                self.send(view.branches(self._at_desk()))
            case protocol.Help():
                pass  # that was all
            case protocol.Hint():
                self._hint(request)
            case protocol.Demonstrate():
                self.send(view.demonstration(self._at_desk()))
            case protocol.Explain():
                desk = self._without_card()
                self.send(view.explanation(desk, desk.lamp.searches))
            case protocol.Judge() | protocol.Mend():
                self._look_at_drawing(request)
            case protocol.Step():
                self._step(request)
            case protocol.Solve():
                followed = searches.begin_solve(self._hub, self._at_desk(), request, self.send)
                self._begin("solving", request, followed)
            case protocol.Compare():
                self._compare(request)
            case protocol.CompareStop():
                self._cancel("comparing")
            case protocol.ListPlayed():
                self._answer(request, partial(_every_game, self._hub.store, clock.today()))
            case protocol.ListDays():
                self._answer(request, partial(_every_day, self._hub.store, clock.today()))
            case protocol.AskDeck():
                self.send(deck.state_of_deck(self._hub.store))
            case protocol.Report():
                followed = reports.begin_report(self._hub, self._without_card(), self.send)
                self._begin("reporting", request, followed)
            case protocol.Save():
                self.send(_file(self._at_desk(), request.what))
            case protocol.Write():
                self._write(request)
            case protocol.AskLink() | protocol.AskCode():
                self._link(request)
            case _:
                assert_never(request)

    def _refuse(self, request: Request, error: WinnableError) -> None:
        self._inbox.refuse(request, error)

    def _act(self, request: protocol.Act) -> None:
        desk = self._at_desk()
        card = desk.open_card
        desk.act(request.action)
        self._withdraw("stepping")
        if card is not None:
            self._follow(request, deck.begin_answer(self._hub, desk, card))
        elif desk.session.standing != "playing":
            deck.look_back(self._hub, desk)

    def _without_card(self) -> Desk:
        """Before the answer to a card, the board is where it is. Raises WinnableError."""
        if self._at_desk().open_card is not None:
            raise WinnableError("deck.alone")
        return self._at_desk()

    def _answer(self, request: Request, work: Callable[[], Event]) -> None:
        """Sends what `work` returns, which may read for a while."""
        self._hub.jobs.answer(work, self.send, partial(self._refuse, request))

    def _at_desk(self) -> Desk:
        if self._desk is None:
            raise WinnableError("game.none")
        return self._desk

    def _cancel_searches(self) -> None:
        """A `solve` and a report still answer with what they have."""
        self._cancel("solving", "reporting")
        self._withdraw("stepping")
        self._give_up("judging", "mending")

    # -- opening a game ------------------------------------------------------------------------------------

    def _open(self, request: Opener) -> None:
        self._give_up_opening()
        if isinstance(request, protocol.Open) and request.session in self._hub.desks:
            self._sit_down(self._hub.desks[request.session])
            return
        budget = Budget()
        work = partial(opening.open, request, self._hub.store, budget)
        id = request.session if isinstance(request, protocol.Open) else ""
        self._begin_opening(request, partial(engine().run, work, budget), budget, partial(self._seat, id=id))

    def _go_on(self, request: Follower) -> None:
        desk, session = self._without_card(), self._at_desk().session
        before, use, budget = session.saved_tree(), self._seat, Budget()
        if isinstance(request, protocol.Repair):
            opening.repair_of(session, request)  # what is refused is refused at once
            budget = Budget(request.seconds)
        elif isinstance(request, protocol.Cheat):
            use = partial(self._cheat, desk, session, before)
        work = partial(opening.open_after, session, before, request, budget)
        self._begin_opening(request, work, budget, use)

    def _cheat(self, desk: Desk, session: Session, before: SavedTree, opened: Opened) -> None:
        if desk.session is not session or session.saved_tree() != before:
            raise WinnableError("cheat.late")
        self._cancel_searches()
        desk.go_on_with(opened)

    def _begin_opening(
        self,
        request: Opener | Follower,
        work: Callable[[], Found[Opened]],
        budget: Budget,
        use: Callable[[Opened], None],
    ) -> None:
        """The work, then `use` and what was held back meanwhile."""
        lane = "make" if isinstance(request, protocol.New | protocol.Repair) else "load"
        job = self._hub.jobs.work(lane, work, budget, size=_size(request))
        self._begin("opening", request, (job, self._use(request, job, use)))

    async def _use(self, request: Opener | Follower, job: Job[Opened], use: Callable[[Opened], None]) -> None:
        hear = reporter(request.method, self.send) if isinstance(request, protocol.Repair) else unheard
        opened, trouble = None, CANCELLED
        try:
            opened = await job.result(self.send, hear)
        except WinnableError as error:
            trouble = error
        del self._under_way["opening"]
        if opened is None or job.cancelled:
            self._refuse(request, trouble)
            self._drop_held()
        else:
            self._inbox.guard(request, partial(use, opened))
            self._handle_held()

    def _give_up_opening(self) -> None:
        """It may go on for a while, but nobody waits for it."""
        if self._withdraw("opening"):
            self._drop_held()

    def _seat(self, opened: Opened, id: str = "") -> None:
        self._sit_down(self._hub.seat(opened, id))
        if opened.levels > 1:
            self.send(Several(opened.levels))

    def _sit_down(self, desk: Desk) -> None:
        self._cancel_searches()
        before, self._desk = self._desk, desk
        if before is not None and before is not desk:
            self._hub.leave(self, before, for_another=True)
        desk.join(self)
        self.send(Sessions(self._hub.sessions()))

    def _handle_held(self) -> None:
        while self._held and not self._runs("opening"):
            request = self._held.popleft()
            self._inbox.guard(request, partial(self._dispatch, request))

    def _drop_held(self) -> None:
        """They were meant for a board that never came."""
        while self._held:
            self._refuse(self._held.popleft(), WinnableError("before"))

    # -- searches ------------------------------------------------------------------------------------------

    def _hint(self, request: protocol.Hint) -> None:
        desk = self._at_desk()
        by = request.by or desk.companion.adviser
        if by is None:
            desk.lamp.ask_hint(self, request.rung)
        else:
            self._follow(request, searches.begin_advice(self._hub, desk, by, request, self.send))

    def _write(self, request: protocol.Write) -> None:
        desk, session = self._at_desk(), self._at_desk().session
        write = _writer(session, request.format, session.ply if request.ply is None else request.ply)
        form = formats_of(session.game).get(request.format)
        if form is not None and form.suffix:
            self._answer(request, lambda: FileEvent(f"{_stem(session)}{form.suffix}", write()))
        else:
            self._answer(request, lambda: Written(desk.id, request.format, write()))

    def _keep(self, request: SetKeep) -> None:
        """The level on the board, or the one that was drawn."""
        refuse = partial(self._refuse, request)
        if not request.level:
            session = self._at_desk().session
            named = NamedLevel(session.game, session.level, session.level_id)
            self._hub.sets.keep(request, named)
        else:
            read = partial(parsed_board, [request.game], request.level)
            self._hub.jobs.answer(read, partial(self._hub.sets.keep, request), refuse)

    def _link(self, request: protocol.AskLink | protocol.AskCode) -> None:
        if isinstance(request, protocol.AskCode):
            self._answer(request, lambda: CodeEvent(request.text, qr_rows(request.text)))
        else:
            self.send(LinkEvent(self._at_desk().id, link_of(self._at_desk().session)))

    def _step(self, request: protocol.Step) -> None:
        desk = self._at_desk()
        if self._runs("stepping"):
            raise WinnableError("step.late")
        if (job := searches.begin_step(self._hub, desk, request)) is not None:
            taking = self._take_step(request, desk, desk.session, desk.session.state, job)
            self._begin("stepping", request, (job, taking))

    async def _take_step(
        self, request: protocol.Step, desk: Desk, session: Session, state: Hashable, job: Job[Action]
    ) -> None:
        try:
            action = await job.result(desk.broadcast)
        except WinnableError as error:
            self._refuse(request, error)
            desk.lamp.learned()
            return
        del self._under_way["stepping"]
        if action is None or job.cancelled or session.state != state:
            self._refuse(request, CANCELLED)
        else:
            self._inbox.guard(request, partial(desk.act, action))

    def _compare(self, request: protocol.Compare) -> None:
        """Touches no desk."""
        if self._runs("comparing"):
            raise WinnableError("compare.busy")
        self._begin("comparing", request, comparisons.begin_comparison(self._hub, request, self.send))

    def _look_at_drawing(self, request: protocol.Judge | protocol.Mend) -> None:
        """Touches no desk. Only the last one of its kind answers."""
        kind: Kind = "judging" if isinstance(request, protocol.Judge) else "mending"
        self._give_up(kind)
        if not request.level:
            return
        if isinstance(request, protocol.Judge):
            self._begin(kind, request, searches.begin_judging(self._hub, request, self.send))
        else:
            self._begin(kind, request, searches.begin_mending(self._hub, request, self.send))


def unheard(_: Progress) -> None:
    """Hears progress of work that tells nothing."""


def _every_game(store: Store, today: date) -> PlayedEvent:
    return PlayedEvent(played(results.every(store), GAMES, today))


def _every_day(store: Store, today: date) -> DaysEvent:
    return DaysEvent(today, today - REACH, days_of(results.every(store), GAMES, today))


def _size(request: Opener | Follower) -> int:
    match request:
        case protocol.New():
            return len(request.level)
        case protocol.Load():
            return len(request.content)
        case _:
            return 0


def _writer(session: Session, name: str, ply: int) -> Callable[[], str]:
    """What draws the board after so many actions, or writes the game up to there. Raises WinnableError."""
    if ply > session.length:
        raise WinnableError("session.ply", field="ply", given=ply, length=session.length)
    game = session.game
    if name == DRAWING:
        return partial(game.svg, session.puzzle, session.states[ply])
    form = formats_of(game).get(name)
    if form is None or (write := form.write) is None:
        raise WinnableError("none", field="format", game=game.name)
    played = Recording(session.level, session.actions[:ply])
    return lambda: write(played).decode()


def _stem(session: Session) -> str:
    """Begins the names of its files."""
    return re.sub(r"[^A-Za-z0-9.=-]+", "-", session.level_id)[:80].strip("-")


def _file(desk: Desk, what: str) -> FileEvent:
    session = desk.session
    stem = _stem(session)
    if what == "level":
        return FileEvent(f"{stem}.json", encode_level(session.level).decode())
    return FileEvent(f"{stem}.session.json", session.save().decode())
