"""One connection to the studio: requests in, events out."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import msgspec

from winnable.contract import clock
from winnable.contract.abilities import Recording, formats_of
from winnable.contract.core import WinnableError
from winnable.contract.registry import GAMES
from winnable.levels.files import encode_level
from winnable.play.days import REACH, days_of
from winnable.play.played import played
from winnable.play.session import Session
from winnable.store import results
from winnable.web import comparisons, deck, opening, protocol, reports, searches
from winnable.web.desk import Desk
from winnable.web.events import DaysEvent, Event, FileEvent, PlayedEvent, Sessions, Several, Written
from winnable.web.hub import Hub
from winnable.web.inbox import Inbox
from winnable.web.jobs import Job, Outcome
from winnable.web.opening import Follower, Opened, Opener
from winnable.web.protocol import Request
from winnable.web.refusals import CANCELLED
from winnable.web.slot import Slot

DRAWING = "svg"
"""What any game's `write` takes for a format."""
MAX_HELD = 100
BESIDE: TypeAlias = protocol.Cancel | protocol.Judge | protocol.Compare | protocol.CompareStop
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
        self._opening, self._stepping, self._solving, self._reporting, self._judging, self._comparing = (
            Slot(hub.jobs) for _ in range(6)
        )
        self._opener: Opener | Follower | None = None
        """The request that is being carried out by `_opening`."""

    def receive(self, message: str | bytes) -> None:
        self._inbox.take(message, self._accept)

    def _accept(self, request: Request) -> None:
        if self._opening.is_free or isinstance(request, Opener | BESIDE):
            self._dispatch(request)
        elif len(self._held) < MAX_HELD:
            self._held.append(request)
        else:
            raise WinnableError("busy")

    @property
    def is_busy(self) -> bool:
        """Whether something is under way for the page."""
        return not all(slot.is_free for slot in (self._opening, self._comparing, *self._searches))

    @property
    def _searches(self) -> tuple[Slot, ...]:
        return self._stepping, self._solving, self._reporting, self._judging

    def close(self) -> None:
        """The connection is gone."""
        self._give_up_opening()
        self._cancel_searches()
        self._comparing.give_up()
        self._hub.tunings.leave(self.send)
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
        match request:
            case protocol.New() | protocol.Load() | protocol.Open() | protocol.Practise():
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
                self._board_changed()
            case protocol.Alternate():
                self._at_desk().alternate(request.step)
                self._board_changed()
            case protocol.ListBranches():
                self.send(self._at_desk().branches())
            case protocol.Help():
                pass  # that was all
            case protocol.Hint():
                self._hint(request)
            case protocol.Demonstrate():
                self.send(self._at_desk().demonstrate())
            case protocol.Explain():
                self.send(self._without_card().explain())
            case protocol.Judge():
                self._judge(request)
            case protocol.Step():
                self._step(request)
            case protocol.Solve():
                self._solve(request)
            case protocol.Compare():
                self._compare(request)
            case protocol.CompareStop():
                self._comparing.cancel()
            case protocol.ListPlayed():
                self._played(request)
            case protocol.ListDays():
                self._days(request)
            case protocol.AskDeck():
                self.send(deck.state_of_deck(self._hub.store))
            case protocol.Report():
                self._report(request)
            case protocol.Save():
                self.send(_file(self._at_desk(), request.what))
            case protocol.Write():
                self._write(request)
            case _:
                self._hub.tunings.handle(request, self.send, lambda error: self._refuse(request, error))

    def _refuse(self, request: Request, error: WinnableError) -> None:
        self._inbox.refuse(request, error)

    def _act(self, request: protocol.Act) -> None:
        desk = self._at_desk()
        card = desk.open_card
        desk.act(request.action)
        self._board_changed()
        if card is not None:
            deck.start_judging(self._hub, desk, card, self._told(request))
        elif desk.session.standing != "playing":
            deck.look_back(self._hub, desk)

    def _without_card(self) -> Desk:
        """Before the answer to a card, the board is where it is. Raises WinnableError."""
        if self._at_desk().open_card is not None:
            raise WinnableError("deck.alone")
        return self._at_desk()

    def _played(self, request: Request) -> None:
        store, told = self._hub.store, self._told(request)

        def done(outcome: Outcome) -> None:
            if outcome.value is not None:
                self.send(PlayedEvent(outcome.value))
            told(outcome)

        self._hub.jobs.submit("load", lambda _: played(results.every(store), GAMES, clock.today()), done)

    def _days(self, request: Request) -> None:
        store, told, today = self._hub.store, self._told(request), clock.today()

        def done(outcome: Outcome) -> None:
            if outcome.value is not None:
                self.send(DaysEvent(today, today - REACH, outcome.value))
            told(outcome)

        self._hub.jobs.submit("load", lambda _: days_of(results.every(store), GAMES, today), done)

    def _at_desk(self) -> Desk:
        if self._desk is None:
            raise WinnableError("game.none")
        return self._desk

    def _cancel_searches(self) -> None:
        """A `solve` and a report still answer with what they have."""
        for slot in self._searches:
            slot.cancel()
        self._stepping.give_up()
        self._judging.give_up()

    # -- opening a game ------------------------------------------------------------------------------------

    def _open(self, request: Opener) -> None:
        self._give_up_opening()
        if isinstance(request, protocol.Open) and request.session in self._hub.desks:
            self._sit_down(self._hub.desks[request.session])
            return
        id = request.session if isinstance(request, protocol.Open) else ""
        hub = self._hub
        self._begin_opening(
            request,
            # What makes a level may have to be compiled first.
            lambda job: hub.kernels.run(job, self.send, lambda: opening.open(request, hub.store, job)),
            lambda opened: self._seat(opened, id),
        )

    def _go_on(self, request: Follower) -> None:
        desk, session = self._without_card(), self._at_desk().session
        before = session.saved_tree()

        def use(opened: Opened) -> None:
            if not isinstance(request, protocol.Cheat):
                self._seat(opened)
            elif desk.session is not session or session.saved_tree() != before:
                raise WinnableError("cheat.late")
            else:
                self._cancel_searches()
                desk.go_on_with(opened)

        self._begin_opening(request, opening.open_after(session, before, request, self.send), use)

    def _begin_opening(
        self, request: Opener | Follower, work: Callable[[Job], Opened], use: Callable[[Opened], None]
    ) -> None:
        """`work` in a thread, then `use` and what was held back meanwhile."""
        lane = "make" if isinstance(request, protocol.New | protocol.Repair) else "load"

        def done(outcome: Outcome) -> None:
            if outcome.error or outcome.cancelled:
                self._refuse(request, outcome.error or CANCELLED)
                self._drop_held()
                return
            self._inbox.guard(request, lambda: use(outcome.value))
            self._handle_held()

        self._opening.begin(
            lambda turn: self._hub.jobs.submit(lane, work, turn.done, size=_size(request)), done
        )
        self._opener = request

    def _give_up_opening(self) -> None:
        """Its thread may go on for a while, but nobody waits for it."""
        if not self._opening.is_free:
            assert self._opener is not None
            self._opening.give_up()
            self._refuse(self._opener, CANCELLED)
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
        while self._held and self._opening.is_free:
            request = self._held.popleft()
            self._inbox.guard(request, partial(self._dispatch, request))

    def _drop_held(self) -> None:
        """They were meant for a board that never came."""
        while self._held:
            self._refuse(self._held.popleft(), WinnableError("before"))

    # -- searches: at most one of each kind ------------------------------------------------------------------

    def _board_changed(self) -> None:
        self._stepping.give_up()

    def _told(self, request: Request) -> Callable[[Outcome], None]:
        """What went wrong, if anything did."""

        def done(outcome: Outcome) -> None:
            if outcome.error:
                self._refuse(request, outcome.error)

        return done

    def _hint(self, request: protocol.Hint) -> None:
        desk = self._at_desk()
        by = request.by or desk.companion.adviser
        if by is None:
            desk.lamp.ask_hint(self, request.rung)
        else:
            searches.start_advice(self._hub, desk, by, request, self.send, self._told(request))

    def _write(self, request: protocol.Write) -> None:
        desk, session = self._at_desk(), self._at_desk().session
        write = _writer(session, request.format, session.ply if request.ply is None else request.ply)
        told = self._told(request)

        def done(outcome: Outcome) -> None:
            if outcome.value is not None:
                self.send(Written(desk.id, request.format, outcome.value))
            told(outcome)

        self._hub.jobs.submit("load", lambda job: write(), done)

    def _step(self, request: protocol.Step) -> None:
        desk = self._at_desk()
        if not self._stepping.is_free:
            raise WinnableError("step.late")
        session, state = desk.session, desk.session.state

        def done(outcome: Outcome) -> None:
            if outcome.cancelled or session.state != state:
                self._refuse(request, CANCELLED)
            elif outcome.error:
                self._refuse(request, outcome.error)
                desk.lamp.learned()
            else:
                self._inbox.guard(request, lambda: desk.act(outcome.value))

        self._stepping.begin(
            lambda turn: searches.start_step(self._hub, desk, request, turn.done),
            done,
            late=lambda _: self._refuse(request, CANCELLED),
        )

    def _solve(self, request: protocol.Solve) -> None:
        desk, told = self._at_desk(), self._told(request)
        self._solving.begin(
            lambda turn: searches.start_solve(self._hub, desk, request, self.send, turn.done), told, told
        )

    def _report(self, request: protocol.Report) -> None:
        desk, told = self._without_card(), self._told(request)
        self._reporting.begin(
            lambda turn: reports.start_report(self._hub, desk, self.send, turn.done), told, told
        )

    def _compare(self, request: protocol.Compare) -> None:
        """Touches no desk."""
        if not self._comparing.is_free:
            raise WinnableError("compare.busy")
        told = self._told(request)
        self._comparing.begin(
            lambda turn: comparisons.start_comparison(self._hub, request, self.send, turn.done), told
        )

    def _judge(self, request: protocol.Judge) -> None:
        """Touches no desk. Only the last one answers."""
        self._judging.give_up()
        if request.level:
            self._judging.begin(
                lambda turn: searches.start_judge(self._hub, request, turn.only(self.send), turn.done),
                self._told(request),
            )


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


def _file(desk: Desk, what: str) -> FileEvent:
    session = desk.session
    stem = re.sub(r"[^A-Za-z0-9.=-]+", "-", session.level_id)[:80].strip("-")
    if what == "level":
        return FileEvent(f"{stem}.json", encode_level(session.level).decode())
    return FileEvent(f"{stem}.session.json", session.save().decode())
