"""What answers too late, to a board or a request that is no more, must be held off. Jobs begin and end here
when the test says so, in its own thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator
from typing import Any, ClassVar, cast

import msgspec
import pytest

from tests.kinds import of_kind
from tests.web import toy_game
from winnable.analysis import by_outlook, companion_of
from winnable.analysis.verdicts import Verdicts
from winnable.contract.abilities import Foresees, ProvesFewest
from winnable.contract.chance import Outlook
from winnable.contract.core import Budget, SolveResult, WinnableError
from winnable.contract.game import Game
from winnable.contract.registry import GAMES, Entry
from winnable.games.tetris.modern.page import protocol as arcade_protocol
from winnable.games.tetris.modern.page.arcade import Arcade, Visitor
from winnable.games.tetris.modern.page.bot import Appraiser, Pilot
from winnable.games.tetris.modern.page.protocol import Hello
from winnable.levels.files import NamedLevel
from winnable.play.session import Session
from winnable.search import memory
from winnable.store.database import Store
from winnable.web import opening
from winnable.web.desk import Desk
from winnable.web.events import ErrorEvent, Judged, Lamp, State, Timeline
from winnable.web.hosts import Services
from winnable.web.hub import Hub
from winnable.web.jobs import Cancelled, Job, Jobs, Lane, Outcome
from winnable.web.studio import Studio


class Loop:
    """In place of an event loop: what a job posts waits until its work is done, as if clicks came first."""

    def __init__(self) -> None:
        self.posted: list[Callable[[], None]] = []

    def call_soon_threadsafe(self, function: Callable[..., None], *arguments: Any) -> None:
        self.posted.append(lambda: function(*arguments))

    def call_later(self, seconds: float, function: Callable[..., None], *arguments: Any) -> None:
        """Nothing comes later."""


class HeldJobs:
    """In place of Jobs: nothing runs by itself."""

    def __init__(self) -> None:
        self.submitted: list[Job] = []

    def submit(
        self,
        lane: Lane,
        work: Callable[[Job], Any],
        done: Callable[[Outcome], None],
        *_: object,
        size: int = 0,
    ) -> Job:
        self.submitted.append(Job(lane, work, done, cast(Any, Loop()), memory.Room(1024)))
        return self.submitted[-1]

    def later(self, seconds: float, function: Callable[[], None]) -> None:
        """Nothing comes later."""

    def cancel(self, job: Job | None) -> None:
        if job is not None:
            job.cancel()

    def of(self, lane: Lane) -> list[Job]:
        return [job for job in self.submitted if job.lane == lane]


def finish(job: Job) -> None:
    """Its work, and its end."""
    try:
        outcome = Outcome(value=job.work(job), cancelled=job.cancelled)
    except Cancelled:
        outcome = Outcome(cancelled=True)
    except WinnableError as error:
        outcome = Outcome(error=error, cancelled=job.cancelled)
    deliver(job)
    job.done(outcome)


def deliver(job: Job) -> None:
    """What it has posted so far."""
    posted = cast(Loop, job.loop).posted
    while posted:
        posted.pop(0)()


class Told:
    """A page: what it was told."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def send(self, event: Any) -> None:
        self.events.append(event)

    def of(self, *kinds: type) -> list[Any]:
        """And forgets all of it."""
        found = [event for event in self.events if isinstance(event, kinds)]
        self.events.clear()
        return found


@pytest.fixture
def jobs() -> HeldJobs:
    return HeldJobs()


@pytest.fixture
def hub(jobs: HeldJobs, monkeypatch: pytest.MonkeyPatch) -> Hub:
    monkeypatch.setitem(GAMES, "toy", Entry("toy", "tests.web.toy_game:GAME"))
    return Hub(Store(None), cast(Jobs, jobs))


def seated(hub: Hub, page: Told, game: Game, start: int = 9) -> Desk:
    session = Session(NamedLevel(game, toy_game.Level(start), f"toy:start={start}#1"))
    level = msgspec.json.encode(session.level)
    companion = companion_of(game, session.level, session.puzzle)
    opened = opening.Opened(session, level, f"{start}", f"{start}", companion)
    found = hub.seat(opened)
    found.join(page)
    return found


# -- the desk ----------------------------------------------------------------------------------------------


@pytest.fixture
def outlooks(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[int], Outlook]]:
    """What the looks at a board without a goal find, one after the other."""
    monkeypatch.setattr(by_outlook, "PAUSE_SECONDS", 0)
    return []


@pytest.fixture
def without_goal(outlooks: list[Callable[[int], Outlook]]) -> Game:
    class WithoutGoal(Game, Foresees):
        def outlook(self, puzzle: Any, state: int, budget: Budget, seed: int) -> Outlook:
            return outlooks.pop(0)(state)

    return of_kind(toy_game.GAME, WithoutGoal)


def test_a_forecast_is_shown_while_it_grows(
    hub: Hub, jobs: HeldJobs, without_goal: Game, outlooks: list[Callable[[int], Outlook]]
) -> None:
    page = Told()
    seated(hub, page, without_goal)
    outlooks.append(lambda state: Outlook(risk=0.5))
    outlooks.append(lambda state: Outlook(score=state, risk=0.5))
    page.of()
    finish(jobs.submitted[-1])
    assert [(lamp.searching, lamp.outlook) for lamp in page.of(Lamp)] == [
        (True, Outlook(risk=0.5)),
        (False, Outlook(score=9, risk=0.5)),
    ]


def test_a_forecast_does_not_take_back_a_first_answer(
    hub: Hub,
    jobs: HeldJobs,
    without_goal: Game,
    outlooks: list[Callable[[int], Outlook]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page, first = Told(), Outlook(score=3.0, within=50)

    def answer(*_: object) -> Outlook:
        return first

    def ready(*_: object) -> None:
        pass

    monkeypatch.setattr(hub.kernels, "first_answer", answer)
    monkeypatch.setattr(hub.kernels, "wait", ready)
    seated(hub, page, without_goal)
    outlooks.append(lambda state: Outlook(risk=0.5))
    outlooks.append(lambda state: Outlook(score=state, risk=0.5))
    page.of()
    finish(jobs.submitted[-1])
    shown = [lamp.outlook for lamp in page.of(Lamp)]
    assert Outlook(risk=0.5) not in shown
    assert shown == [first, Outlook(score=9, risk=0.5)]


def test_a_forecast_for_an_old_board_is_held_off(
    hub: Hub, jobs: HeldJobs, without_goal: Game, outlooks: list[Callable[[int], Outlook]]
) -> None:
    page = Told()
    at = seated(hub, page, without_goal)
    old = jobs.submitted[-1]

    def first(state: int) -> Outlook:
        at.act(0)  # while it looks
        page.of()
        return Outlook(risk=0.25)

    outlooks.append(first)
    finish(old)
    assert not page.of(object), "neither its first look nor its end"
    new = jobs.submitted[-1]
    outlooks.append(lambda state: Outlook(score=state, risk=0.5))
    finish(new)
    assert [(lamp.ply, lamp.searching, lamp.outlook) for lamp in page.of(Lamp)] == [
        (1, False, Outlook(score=8, risk=0.5))
    ]
    old.done(Outcome(value=Outlook(score=9)))
    assert not page.of(object), "nor when the new one has ended before"


@pytest.fixture
def answers() -> list[Callable[[int], SolveResult]]:
    return []


@pytest.fixture
def proving(answers: list[Callable[[int], SolveResult]]) -> Game:
    def solve(puzzle: Any, state: int, budget: Budget, seed: int) -> SolveResult:
        return answers.pop(0)(state)

    class Proving(Game, ProvesFewest):
        solvers: ClassVar = {"auto": solve}

    return of_kind(toy_game.GAME, Proving)


def line(state: int, optimal: bool = False) -> SolveResult:
    return SolveResult("solved", (0,) * state, optimal=optimal)


def test_a_line_for_an_old_board_is_held_off(
    hub: Hub, jobs: HeldJobs, proving: Game, answers: list[Callable[[int], SolveResult]]
) -> None:
    page = Told()
    at = seated(hub, page, proving)
    old = jobs.submitted[-1]

    def shorter(state: int) -> SolveResult:
        at.act(2)  # before the page was told of the first line; the game is lost then
        page.of()
        return line(state)

    answers.extend([line, shorter])
    finish(old)
    assert not page.of(object)
    new = jobs.submitted[-1]
    assert new is not old
    answers.append(lambda state: SolveResult("unsolvable"))
    finish(new)
    assert [(lamp.ply, lamp.searching, lamp.verdict) for lamp in page.of(Lamp)] == [(1, False, "lost")]


def test_the_first_line_is_shown_before_the_proof(
    hub: Hub, jobs: HeldJobs, proving: Game, answers: list[Callable[[int], SolveResult]]
) -> None:
    page = Told()
    seated(hub, page, proving)
    page.of()

    def proof(state: int) -> SolveResult:
        deliver(jobs.submitted[-1])
        return line(state, optimal=True)

    answers.extend([line, proof])
    finish(jobs.submitted[-1])
    assert [(lamp.searching, lamp.remaining, lamp.optimal) for lamp in page.of(Lamp)] == [
        (True, 9, False),
        (False, 9, True),
    ]


def test_a_first_answer_that_says_all_waits_for_no_compiling(
    hub: Hub, jobs: HeldJobs, proving: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, waited = Told(), list[object]()

    def answer(*_: object) -> SolveResult:
        return line(9, optimal=True)

    def wait(*arguments: object) -> None:
        waited.append(arguments)

    monkeypatch.setattr(hub.kernels, "first_answer", answer)
    monkeypatch.setattr(hub.kernels, "wait", wait)
    seated(hub, page, proving)
    page.of()
    finish(jobs.submitted[-1])
    assert not waited
    assert [(lamp.searching, lamp.remaining) for lamp in page.of(Lamp)] == [(False, 9)]


# -- the studio --------------------------------------------------------------------------------------------


@pytest.fixture
def page() -> Told:
    return Told()


@pytest.fixture
def studio(hub: Hub, page: Told) -> Generator[Studio]:
    """At a game of the toy whose lamp has gone out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "get_running_loop", Loop)
        patch.setitem(GAMES, "toy", Entry("toy", "tests.web.toy_game:GAME"))
        entered = Studio(hub, page.send)
        ask(entered, "new", level="toy:start=9#1", game="")
        jobs = cast(HeldJobs, hub.jobs)
        finish(jobs.submitted[-1])
        finish(jobs.submitted[-1])
        jobs.submitted.clear()
        page.of()
        yield entered


def ask(studio: Studio | Visitor, type: str, **fields: Any) -> None:
    studio.receive(msgspec.json.encode({"type": type, **fields}).decode())


def test_a_level_that_was_given_up_is_not_opened(studio: Studio, jobs: HeldJobs, page: Told) -> None:
    ask(studio, "new", level="toy:start=20#1", game="")
    ask(studio, "new", level="toy:start=30#1", game="")
    first, second = jobs.of("make")
    page.of()
    finish(first)
    assert not page.of(object), "another is being opened"
    finish(second)
    assert [state.level_id for state in page.of(State)] == ["toy:start=30#1"]
    ask(studio, "new", level="toy:start=40#1", game="")
    ask(studio, "cancel")
    page.of()
    finish(jobs.of("make")[-1])
    assert not page.of(object), "none is"


def test_a_step_for_an_old_board_is_not_taken(studio: Studio, jobs: HeldJobs, page: Told) -> None:
    ask(studio, "step", by="ones")
    ask(studio, "act", action=1)
    ask(studio, "goto", ply=0)  # the same board again, but the step was given up
    ask(studio, "step", by="ones")
    first, second = jobs.of("play")
    page.of()
    first.done(Outcome(value=0))  # it had ended before it was given up
    (refused,) = page.of(ErrorEvent)
    assert refused.code == "cancelled"
    ask(studio, "step", by="ones")
    assert [error.code for error in page.of(ErrorEvent)] == ["step.late"], "the second is under way"
    finish(second)
    assert [(state.ply, state.last_action) for state in page.of(State)] == [(1, 0)]
    ask(studio, "step", by="ones")
    assert not page.of(ErrorEvent), "and has ended"


@pytest.mark.parametrize(
    ("request_", "fields"), [("solve", {"solver": "auto"}), ("report", {})], ids=["solve", "report"]
)
def test_the_end_of_an_old_search_leaves_the_new_one_to_be_cancelled(
    studio: Studio, jobs: HeldJobs, request_: str, fields: dict[str, Any]
) -> None:
    ask(studio, request_, **fields)
    ask(studio, request_, **fields)
    first, second = jobs.of("solve")
    assert first.cancelled
    finish(first)
    assert not second.cancelled
    ask(studio, "cancel")
    assert second.cancelled


def test_what_the_lamp_has_found_is_told_with_a_report(
    studio: Studio, hub: Hub, jobs: HeldJobs, page: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing_yet(*_: object) -> Iterator[Verdicts]:
        yield Verdicts()

    (found,) = hub.desks.values()
    monkeypatch.setattr(found.companion, "blame", nothing_yet)
    ask(studio, "report")
    finish(jobs.of("solve")[-1])
    assert [event.known.winnable for event in page.of(Timeline)] == [0, 0]


def test_only_the_last_drawing_is_judged(
    studio: Studio, jobs: HeldJobs, page: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_again(puzzle: Any, state: int, budget: Budget, seed: int) -> SolveResult:
        return SolveResult("budget")

    solvers = cast(dict[str, Any], toy_game.ToyGame.solvers)
    monkeypatch.setitem(solvers, "auto", look_again)
    jobs.submitted.clear()
    for ticket in (1, 2):
        ask(studio, "judge", game="toy", level=f"{ticket}", ticket=ticket, seconds=3)
    first, second = jobs.submitted
    finish(first)
    assert not page.of(Judged, ErrorEvent)
    first.done(Outcome(error=WinnableError("nested")))
    assert not page.of(Judged, ErrorEvent)
    finish(second)
    assert [(event.ticket, event.done) for event in page.of(Judged)] == [(2, False)] * 3 + [(2, True)]
    ask(studio, "judge", game="toy", level="x", ticket=3, seconds=3)
    finish(jobs.submitted[-1])
    assert page.of(ErrorEvent), "what is no drawing is refused"


def test_an_error_of_a_drawing_that_was_given_up_is_not_told(
    studio: Studio, jobs: HeldJobs, page: Told
) -> None:
    ask(studio, "judge", game="toy", level="x", ticket=1)
    ask(studio, "judge", game="toy", level="2", ticket=2)
    finish(jobs.submitted[-2])
    assert not page.of(object)
    finish(jobs.submitted[-1])
    assert [event.ticket for event in page.of(Judged)][-1] == 2


# -- the arcade --------------------------------------------------------------------------------------------


@pytest.fixture
def visitor(hub: Hub, page: Told) -> Visitor:
    entered = Visitor(Arcade(Services(hub.store, hub.jobs, hub.kernels)), page.send)
    assert page.of(Hello)
    return entered


def tables(page: Told) -> list[str]:
    return [event.level.mode for event in page.of(arcade_protocol.Table)]


def test_a_kept_game_that_was_given_up_is_not_opened(visitor: Visitor, jobs: HeldJobs, page: Told) -> None:
    ask(visitor, "start", mode="zen", dice=3)
    (table,) = page.of(arcade_protocol.Table)
    visitor.close()
    ask(visitor, "open", session=table.session)
    ask(visitor, "start", mode="sprint", dice=4)
    assert tables(page) == ["sprint"]
    finish(jobs.submitted[-1])
    assert tables(page) == [], "another game was begun"
    other = visitor.session
    visitor.close()
    ask(visitor, "open", session=other)
    ask(visitor, "open", session=table.session)
    first, second = jobs.submitted[-2:]
    page.of()
    finish(first)
    assert tables(page) == [], "another is being opened"
    finish(second)
    assert tables(page) == ["zen"]


def hints(page: Told) -> list[Any]:
    return page.of(arcade_protocol.Hint, ErrorEvent)


def test_a_hint_nobody_waits_for_is_not_told(
    visitor: Visitor, jobs: HeldJobs, page: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(visitor, "start", mode="endless", dice=3, rules="article")
    for dice in (4, 5):
        ask(visitor, "start", mode="endless", dice=dice, rules="article")
        ask(visitor, "hint", by="article")
    first, second = jobs.of("play")
    page.of()
    first.done(Outcome(error=WinnableError("nested")))
    assert not hints(page)
    second.done(Outcome(error=WinnableError("nested")))
    assert [error.code for error in hints(page)] == ["nested"]


def test_a_pilot_that_was_given_up_does_nothing_any_more(jobs: HeldJobs) -> None:
    ended: list[Any] = []

    class Planned:
        keys = (1, 2)

    pilot = Pilot("somebody", cast(Any, None), cast(Jobs, jobs))
    pilot.think(cast(Any, None), ended.append)
    (first,) = jobs.submitted
    pilot.give_up()
    first.done(Outcome(value=Planned))
    assert not pilot.has_keys
    pilot.think(cast(Any, None), ended.append)
    first.done(Outcome(value=Planned))
    assert not pilot.has_keys
    assert not ended
    jobs.submitted[-1].done(Outcome(value=Planned))
    assert pilot.has_keys
    assert ended == [None]


def test_an_appraiser_that_was_given_up_is_never_ready(jobs: HeldJobs) -> None:
    ready: list[Appraiser] = []
    appraiser = Appraiser("attack", cast(Jobs, jobs), ready.append)
    appraiser.give_up()
    jobs.submitted[-1].done(Outcome(value=object()))
    assert not ready
    assert not appraiser.is_ready
    other = Appraiser("attack", cast(Jobs, jobs), ready.append)
    jobs.submitted[-1].done(Outcome(value=object()))
    assert ready == [other]
