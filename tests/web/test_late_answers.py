"""What answers too late, to a board or a request that is no more, must be held off. Jobs begin when the test
says so, in its own event loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, cast

import pytest

from tests.kinds import of_kind
from tests.web import toy_game
from tests.web.held_jobs import HeldJobs, Told, all_is_heard, ask, on_the_loop, pause, seated
from winnable.analysis import by_outlook
from winnable.analysis.engine import Engine
from winnable.analysis.verdicts import Verdicts
from winnable.contract.abilities import Foresees, ProvesFewest
from winnable.contract.chance import Outlook
from winnable.contract.core import Answer, Budget, Found, Search, WinnableError
from winnable.contract.game import Game
from winnable.contract.registry import GAMES, Entry
from winnable.games.tetris.modern.page import protocol as arcade_protocol
from winnable.games.tetris.modern.page.arcade import Arcade, Visitor
from winnable.games.tetris.modern.page.bot import Appraiser, Pilot
from winnable.games.tetris.modern.page.protocol import Hello
from winnable.store.database import Store
from winnable.web.events import ErrorEvent, HintEvent, Judged, Lamp, Result, State, Timeline
from winnable.web.hosts import Services
from winnable.web.hub import Hub
from winnable.web.studio import Studio


@pytest.fixture
def jobs() -> HeldJobs:
    return HeldJobs()


@pytest.fixture
def hub(jobs: HeldJobs, monkeypatch: pytest.MonkeyPatch) -> Hub:
    monkeypatch.setitem(GAMES, "toy", Entry("toy", "tests.web.toy_game:GAME"))
    return Hub(Store(None), jobs)


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


@on_the_loop
async def test_a_forecast_is_shown_while_it_grows(
    hub: Hub, jobs: HeldJobs, without_goal: Game, outlooks: list[Callable[[int], Outlook]]
) -> None:
    page = Told()
    seated(hub, page, without_goal)
    outlooks.append(lambda state: Outlook(risk=0.5))
    outlooks.append(lambda state: Outlook(score=state, risk=0.5))
    page.of()
    await jobs.finish(jobs.submitted[-1])
    assert [(lamp.searching, lamp.outlook) for lamp in page.of(Lamp)] == [
        (True, Outlook(risk=0.5)),
        (True, Outlook(score=9, risk=0.5)),
        (False, Outlook(score=9, risk=0.5)),
    ]


@on_the_loop
async def test_a_forecast_does_not_take_back_a_first_answer(
    hub: Hub,
    jobs: HeldJobs,
    without_goal: Game,
    outlooks: list[Callable[[int], Outlook]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page, first = Told(), Outlook(score=3.0, within=50)

    def answer(*_: object) -> Search[Outlook]:
        yield from pause()
        return first

    monkeypatch.setattr(Engine, "first", answer)
    seated(hub, page, without_goal)
    outlooks.append(lambda state: Outlook(risk=0.5))
    outlooks.append(lambda state: Outlook(score=state, risk=0.5))
    page.of()
    await jobs.finish(jobs.submitted[-1])
    shown = [lamp.outlook for lamp in page.of(Lamp)]
    assert Outlook(risk=0.5) not in shown
    assert shown == [first, *[Outlook(score=9, risk=0.5)] * 2]


@on_the_loop
async def test_a_forecast_for_an_old_board_is_held_off(
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
    await jobs.finish(old)
    assert not page.of(object), "neither its first look nor its end"
    new = jobs.submitted[-1]
    outlooks.append(lambda state: Outlook(score=state, risk=0.5))
    await jobs.finish(new)
    assert [(lamp.ply, lamp.searching, lamp.outlook) for lamp in page.of(Lamp)] == [
        (1, True, Outlook(score=8, risk=0.5)),
        (1, False, Outlook(score=8, risk=0.5)),
    ]


@pytest.fixture
def answers() -> list[Callable[[int], Found[Answer]]]:
    return []


@pytest.fixture
def proving(answers: list[Callable[[int], Found[Answer]]]) -> Game:
    def solve(puzzle: Any, state: int, budget: Budget, seed: int) -> Found[Answer]:
        return answers.pop(0)(state)

    class Proving(Game, ProvesFewest):
        solvers: ClassVar = {"auto": solve}

    return of_kind(toy_game.GAME, Proving)


def line(state: int, optimal: bool = False) -> Answer:
    return Answer("solved", (0,) * state, optimal=optimal)


@on_the_loop
async def test_a_line_for_an_old_board_is_held_off(
    hub: Hub, jobs: HeldJobs, proving: Game, answers: list[Callable[[int], Found[Answer]]]
) -> None:
    page = Told()
    at = seated(hub, page, proving)
    old = jobs.submitted[-1]

    def shorter(state: int) -> Answer:
        at.act(2)  # before the page was told of the first line; the game is lost then
        page.of()
        return line(state)

    answers.extend([line, shorter])
    await jobs.finish(old)
    assert not page.of(object)
    new = jobs.submitted[-1]
    assert new is not old
    answers.append(lambda state: Answer("unsolvable"))
    await jobs.finish(new)
    assert [(lamp.ply, lamp.searching, lamp.verdict) for lamp in page.of(Lamp)] == [(1, False, "lost")]


@on_the_loop
async def test_the_first_line_is_shown_before_the_proof(
    hub: Hub, jobs: HeldJobs, proving: Game, answers: list[Callable[[int], Found[Answer]]]
) -> None:
    page = Told()
    seated(hub, page, proving)
    page.of()

    def proof(state: int) -> Search[Answer]:
        yield from pause()
        return line(state, optimal=True)

    answers.extend([line, proof])
    await jobs.finish(jobs.submitted[-1])
    assert [(lamp.searching, lamp.remaining, lamp.optimal) for lamp in page.of(Lamp)] == [
        (True, 9, False),
        (False, 9, True),
    ]


@on_the_loop
async def test_a_first_answer_that_says_all_waits_for_no_compiling(
    hub: Hub, jobs: HeldJobs, proving: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, waited = Told(), list[object]()

    def answer(*_: object) -> Search[Answer]:
        yield from pause()
        return line(9, optimal=True)

    def wait(*arguments: object) -> Search[None]:
        waited.append(arguments)
        yield from pause()

    monkeypatch.setattr(Engine, "first", answer)
    monkeypatch.setattr(Engine, "ready", wait)
    seated(hub, page, proving)
    page.of()
    await jobs.finish(jobs.submitted[-1])
    assert not waited
    assert [(lamp.searching, lamp.remaining) for lamp in page.of(Lamp)] == [(False, 9)]


# -- the studio --------------------------------------------------------------------------------------------


@pytest.fixture
def page() -> Told:
    return Told()


async def at_toy(hub: Hub, jobs: HeldJobs, page: Told) -> Studio:
    """At a game of the toy whose lamp has gone out."""
    entered = Studio(hub, page.send)
    ask(entered, "new", level="toy:start=9#1", game="")
    await jobs.finish(jobs.submitted[-1])
    await jobs.finish(jobs.submitted[-1])
    jobs.submitted.clear()
    page.of()
    return entered


@on_the_loop
async def test_a_level_that_was_given_up_is_not_opened(hub: Hub, jobs: HeldJobs, page: Told) -> None:
    studio = await at_toy(hub, jobs, page)
    ask(studio, "new", level="toy:start=20#1", game="")
    ask(studio, "new", level="toy:start=30#1", game="")
    first, second = jobs.of("make")
    page.of()
    await jobs.finish(first)
    assert not page.of(object), "another is being opened"
    await jobs.finish(second)
    assert [state.level_id for state in page.of(State)] == ["toy:start=30#1"]
    ask(studio, "new", level="toy:start=40#1", game="")
    ask(studio, "cancel")
    page.of()
    await jobs.finish(jobs.of("make")[-1])
    assert not page.of(object), "none is"


@on_the_loop
async def test_a_step_for_an_old_board_is_not_taken(hub: Hub, jobs: HeldJobs, page: Told) -> None:
    studio = await at_toy(hub, jobs, page)
    ask(studio, "step", by="ones")
    await all_is_heard()
    ask(studio, "act", action=1)
    ask(studio, "goto", ply=0)  # the same board again, but the step was given up
    ask(studio, "step", by="ones")
    first, second = jobs.of("play")
    (refused,) = page.of(ErrorEvent)
    assert (refused.request, refused.code) == ("step", "cancelled")
    await jobs.finish(first)
    assert not page.of(object), "it was refused when it was given up"
    ask(studio, "step", by="ones")
    assert [error.code for error in page.of(ErrorEvent)] == ["step.late"], "the second is under way"
    await jobs.finish(second)
    assert [(state.ply, state.last_action) for state in page.of(State)] == [(1, 0)]
    ask(studio, "step", by="ones")
    assert not page.of(ErrorEvent), "and has ended"


@pytest.mark.parametrize(
    ("request_", "fields"), [("solve", {"solver": "auto"}), ("report", {})], ids=["solve", "report"]
)
@on_the_loop
async def test_the_end_of_an_old_search_leaves_the_new_one_to_be_cancelled(
    hub: Hub, jobs: HeldJobs, page: Told, request_: str, fields: dict[str, Any]
) -> None:
    studio = await at_toy(hub, jobs, page)
    ask(studio, request_, **fields)
    await all_is_heard()
    ask(studio, request_, **fields)
    first, second = jobs.of("solve")
    assert first.cancelled
    await jobs.finish(first)
    assert not second.cancelled
    ask(studio, "cancel")
    assert second.cancelled


@on_the_loop
async def test_what_the_lamp_has_found_is_told_with_a_report(
    hub: Hub, jobs: HeldJobs, page: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio = await at_toy(hub, jobs, page)

    def nothing_yet(*_: object) -> Iterator[Verdicts]:
        yield Verdicts()

    (found,) = hub.desks.values()
    monkeypatch.setattr(found.companion, "blame", nothing_yet)
    ask(studio, "report")
    await jobs.finish(jobs.of("solve")[-1])
    assert [event.known.winnable for event in page.of(Timeline)] == [0, 0]


@on_the_loop
async def test_only_the_last_drawing_is_judged(
    hub: Hub, jobs: HeldJobs, page: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio = await at_toy(hub, jobs, page)

    def look_again(puzzle: Any, state: int, budget: Budget, seed: int) -> Answer:
        return Answer("budget")

    solvers = cast(dict[str, Any], toy_game.ToyGame.solvers)
    monkeypatch.setitem(solvers, "auto", look_again)
    jobs.submitted.clear()
    for ticket in (1, 2):
        ask(studio, "judge", game="toy", level=f"{ticket}", ticket=ticket, seconds=3)
    first, second = jobs.submitted
    await jobs.finish(first)
    assert not page.of(Judged, ErrorEvent)
    await jobs.finish(second)
    assert [(event.ticket, event.done) for event in page.of(Judged)] == [(2, False)] * 3 + [(2, True)]
    ask(studio, "judge", game="toy", level="x", ticket=3, seconds=3)
    await jobs.finish(jobs.submitted[-1])
    assert page.of(ErrorEvent), "what is no drawing is refused"


@on_the_loop
async def test_an_error_of_a_drawing_that_was_given_up_is_not_told(
    hub: Hub, jobs: HeldJobs, page: Told
) -> None:
    studio = await at_toy(hub, jobs, page)
    ask(studio, "judge", game="toy", level="x", ticket=1)
    ask(studio, "judge", game="toy", level="2", ticket=2)
    await jobs.finish(jobs.submitted[-2])
    assert not page.of(object)
    await jobs.finish(jobs.submitted[-1])
    assert [event.ticket for event in page.of(Judged)][-1] == 2


@on_the_loop
async def test_a_solver_answers_about_the_board_on_which_it_was_asked(
    hub: Hub, jobs: HeldJobs, page: Told
) -> None:
    studio = await at_toy(hub, jobs, page)
    ask(studio, "act", action=1)
    ask(studio, "solve", solver="auto")
    ask(studio, "hint", by="auto")
    ask(studio, "act", action=2)
    for job in jobs.of("solve"):
        await jobs.finish(job)
    told = page.of(Result, HintEvent)
    assert [(one.ply, one.answer.actions) for one in told if isinstance(one, Result)] == [(1, (0,) * 7)]
    assert [(one.ply, one.action) for one in told if isinstance(one, HintEvent)] == [(1, 0)]


@on_the_loop
async def test_a_report_is_about_the_line_on_which_it_was_asked(hub: Hub, jobs: HeldJobs, page: Told) -> None:
    studio = await at_toy(hub, jobs, page)
    for action in (0, 2):
        ask(studio, "act", action=action)
    ask(studio, "report")
    ask(studio, "act", action=0)
    await jobs.finish(jobs.of("solve")[-1])
    told = [event for event in page.of(Timeline) if event.done]
    assert [(event.length, event.first, event.last) for event in told] == [(2, 1, 1)]


@on_the_loop
async def test_what_a_listener_raises_is_told_where_a_request_waits(
    hub: Hub, jobs: HeldJobs, page: Told, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    studio = await at_toy(hub, jobs, page)
    (desk,) = hub.desks.values()
    monkeypatch.setattr(desk.lines, "keep", fail)
    ask(studio, "solve", solver="auto")
    await jobs.finish(jobs.of("solve")[-1])
    assert [(error.request, error.code) for error in page.of(ErrorEvent)] == [("solve", "internal")]
    assert "ZeroDivisionError" in caplog.text
    monkeypatch.setattr(desk, "act", fail)
    ask(studio, "step", by="ones")
    await jobs.finish(jobs.of("play")[-1])
    assert [(error.request, error.code) for error in page.of(ErrorEvent)] == [("step", "internal")]


@on_the_loop
async def test_a_refused_report_ends_before_its_error(hub: Hub, jobs: HeldJobs, page: Told) -> None:
    studio = await at_toy(hub, jobs, page)
    ask(studio, "report")
    await jobs.finish(jobs.of("solve")[-1], WinnableError("memory"))
    told = page.of(Timeline, ErrorEvent)
    assert [type(event) for event in told] == [Timeline, ErrorEvent]
    assert told[0].done


# -- the arcade --------------------------------------------------------------------------------------------


@pytest.fixture
def visitor(hub: Hub, page: Told) -> Visitor:
    entered = Visitor(Arcade(Services(hub.store, hub.jobs)), page.send)
    assert page.of(Hello)
    return entered


def tables(page: Told) -> list[str]:
    return [event.level.mode for event in page.of(arcade_protocol.Table)]


@on_the_loop
async def test_a_kept_game_that_was_given_up_is_not_opened(
    visitor: Visitor, jobs: HeldJobs, page: Told
) -> None:
    ask(visitor, "start", mode="zen", dice=3)
    (table,) = page.of(arcade_protocol.Table)
    visitor.close()
    ask(visitor, "open", session=table.session)
    ask(visitor, "start", mode="sprint", dice=4)
    assert tables(page) == ["sprint"]
    await jobs.finish(jobs.submitted[-1])
    assert tables(page) == [], "another game was begun"
    other = visitor.session
    visitor.close()
    ask(visitor, "open", session=other)
    ask(visitor, "open", session=table.session)
    first, second = jobs.submitted[-2:]
    page.of()
    await jobs.finish(first)
    assert tables(page) == [], "another is being opened"
    await jobs.finish(second)
    assert tables(page) == ["zen"]


def hints(page: Told) -> list[Any]:
    return page.of(arcade_protocol.Hint, ErrorEvent)


@on_the_loop
async def test_a_hint_nobody_waits_for_is_not_told(
    visitor: Visitor, jobs: HeldJobs, page: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(visitor, "start", mode="endless", dice=3, rules="article")
    for dice in (4, 5):
        ask(visitor, "start", mode="endless", dice=dice, rules="article")
        ask(visitor, "hint", by="article")
    first, second = jobs.of("play")
    page.of()
    await jobs.finish(first, WinnableError("nested"))
    assert not hints(page)
    await jobs.finish(second, WinnableError("nested"))
    assert [error.code for error in hints(page)] == ["nested"]


@on_the_loop
async def test_a_pilot_that_was_given_up_does_nothing_any_more(jobs: HeldJobs) -> None:
    ended: list[Any] = []

    class Planned:
        keys = (1, 2)

    pilot = Pilot("somebody", cast(Any, None), jobs)
    pilot.think(cast(Any, None), ended.append)
    await all_is_heard()
    (first,) = jobs.submitted
    pilot.give_up()
    pilot.think(cast(Any, None), ended.append)
    await jobs.finish(first, Planned)
    assert not pilot.has_keys
    assert not ended
    await jobs.finish(jobs.submitted[-1], Planned)
    assert pilot.has_keys
    assert ended == [None]


@on_the_loop
async def test_an_appraiser_that_was_given_up_is_never_ready(jobs: HeldJobs) -> None:
    ready: list[Appraiser] = []
    appraiser = Appraiser("attack", jobs, ready.append)
    await all_is_heard()
    appraiser.give_up()
    await jobs.finish(jobs.submitted[-1], object())
    assert not ready
    assert not appraiser.is_ready
    other = Appraiser("attack", jobs, ready.append)
    await jobs.finish(jobs.submitted[-1], object())
    assert ready == [other]
