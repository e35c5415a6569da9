"""What waits for kernels says how far they are. They are compiled here when the test says so."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, cast

import pytest

from tests.kinds import of_kind
from tests.waiting import wait_until
from tests.web import toy_game
from tests.web.test_late_answers import HeldJobs, Loop, Told, ask, deliver, finish, seated
from winnable.compiled import jit
from winnable.compiled.compiling import Missing, Standing
from winnable.contract import clock
from winnable.contract.abilities import ProvesFewest, Solves, tunables_of
from winnable.contract.core import Budget, SolveResult, WinnableError
from winnable.contract.game import Game
from winnable.contract.registry import GAMES, Entry, load_game
from winnable.games.tetris.modern.page import bot as arcade_bot
from winnable.games.tetris.modern.page.arcade import Arcade, Visitor
from winnable.levels import find
from winnable.levels.files import NamedLevel
from winnable.levels.find import made_level
from winnable.levels.identity import Identity
from winnable.search import memory
from winnable.store import caches
from winnable.store.database import Store
from winnable.web import kernels, searches, tuning_protocol
from winnable.web.comparisons import start_comparison
from winnable.web.events import Compiling, ErrorEvent, Event, HintEvent, Lamp, Standings, State
from winnable.web.hosts import Services
from winnable.web.hub import Hub
from winnable.web.jobs import Cancelled, Job, Jobs
from winnable.web.kernels import Kernels
from winnable.web.messages import SetMethod
from winnable.web.protocol import Compare, Hint, Step
from winnable.web.studio import Studio
from winnable.web.tuning_protocol import RunEvent, TuningEvent

TOTAL = 3
PART = "triple", "players"


def _nothing(done: int) -> None:
    pass


class Steps:
    """In place of Compilers: one kernel after the other is done, with something to happen before."""

    def __init__(self) -> None:
        self.done = 0
        self.before_next: Callable[[int], None] = _nothing

    def knows(self, game: str) -> bool:
        return False

    def want(self, game: str, part: str | None = "") -> Standing:
        return Standing(self.done, TOTAL)

    def wait(
        self,
        game: str,
        part: str | None,
        tell: Callable[[Standing], None],
        cancelled: Callable[[], bool],
        enough: Callable[[], bool],
    ) -> bool:
        while self.done < TOTAL and not enough():
            tell(Standing(self.done, TOTAL))
            self.before_next(self.done)
            if cancelled():
                return False
            self.done += 1
        tell(Standing(self.done, TOTAL))
        return True

    def missing_kernel(self, kernel: int, types: Any) -> Missing | None:
        """kernel: its number"""
        return Missing(*PART, lambda: self.done > kernel) if self.done <= kernel else None

    def compile_elsewhere(self, kernel: Any, types: Any) -> bool:
        return False

    def close(self) -> None:
        pass


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    made = Steps()
    monkeypatch.setattr(kernels, "Compilers", lambda: made)
    return made


@pytest.fixture
def jobs() -> HeldJobs:
    return HeldJobs()


@pytest.fixture
def hub(steps: Steps, jobs: HeldJobs, monkeypatch: pytest.MonkeyPatch) -> Hub:
    monkeypatch.setitem(GAMES, "toy", Entry("toy", "tests.web.toy_game:GAME"))

    def is_never_empty(kind: str) -> bool:
        return False

    monkeypatch.setattr(caches, "is_empty", is_never_empty)
    monkeypatch.setattr(jit, "elsewhere", None)
    made = Hub(Store(None), cast(Jobs, jobs))
    made.kernels.prepare()
    return made


def solve(puzzle: Any, state: int, budget: Budget, seed: int) -> SolveResult:
    return SolveResult("solved", (0,) * state, optimal=True)


class Cold(Game, Solves):
    solvers: ClassVar = {"auto": solve}


class Proving(Cold, ProvesFewest):
    pass


@pytest.fixture
def cold() -> Game:
    """What its lamp needs is not compiled."""
    return replace(of_kind(toy_game.GAME, Cold), kernels={"solver": lambda: None})


def standings(events: list[Any]) -> list[tuple[int, int]]:
    return [(event.done, event.total) for event in events if isinstance(event, Compiling)]


RISING = [(done, TOTAL) for done in range(TOTAL + 1)]
ONE_BY_ONE = [*RISING[:2], (0, 0), *RISING[1:]]
"""Where it goes on after the first one, and then needs the last one."""


def test_a_board_is_judged_once_all_is_compiled(hub: Hub, jobs: HeldJobs, cold: Game) -> None:
    page = Told()
    seated(hub, page, cold)
    finish(jobs.submitted[-1])
    told = page.of(Compiling, Lamp)
    assert standings(told) == RISING
    lamp = told[-1]
    assert isinstance(lamp, Lamp)
    assert (lamp.verdict, lamp.searching) == ("winnable", False)


def test_a_first_answer_is_told_as_one(
    hub: Hub, jobs: HeldJobs, steps: Steps, cold: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Told()

    def answer(*_: object) -> SolveResult:
        return SolveResult("solved", (0,) * 9)

    monkeypatch.setattr(hub.kernels, "first_answer", answer)
    seated(hub, page, of_kind(cold, Proving))
    page.of()
    steps.before_next = lambda done: deliver(jobs.submitted[-1])
    finish(jobs.submitted[-1])
    assert [(lamp.first, lamp.searching, lamp.optimal) for lamp in page.of(Lamp)] == [
        (True, True, False),
        (False, False, True),
    ]


def test_a_board_that_is_left_while_it_is_compiled_hears_no_more(
    hub: Hub, jobs: HeldJobs, steps: Steps, cold: Game
) -> None:
    page, heard = Told(), list[Any]()
    desk = seated(hub, page, cold)
    job = jobs.submitted[-1]

    def leave(done: int) -> None:
        if done == 1:
            deliver(job)
            heard.extend(page.of(Compiling))
            hub.leave(page, desk, for_another=True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("winnable.web.hub.asyncio.get_running_loop", Loop)
        steps.before_next = leave
        finish(job)
    assert standings(heard) == RISING[:2]
    assert not page.of(object)
    assert steps.done == 1, "nobody waits for the others"


def test_a_page_that_goes_on_hears_that_nothing_waits_any_more(
    hub: Hub, jobs: HeldJobs, steps: Steps, cold: Game
) -> None:
    page = Told()
    desk = seated(hub, page, cold)
    old = jobs.submitted[-1]
    steps.before_next = lambda done: desk.act(0) if done == 1 else None
    finish(old)
    assert standings(page.of(Compiling)) == [*RISING[:2], (0, 0)]
    steps.before_next = _nothing
    finish(jobs.submitted[-1])
    assert standings(page.of(Compiling)) == RISING[1:]


def test_it_does_not_hear_so_while_something_else_waits(steps: Steps, cold: Game) -> None:
    told: list[Compiling] = []
    first, second = (Job("lamp", _work, _done, cast(Any, _Now()), memory.Room(64)) for _ in range(2))
    made, waiting, here = Kernels(), list[Job](), threading.local()

    def hold(done: int) -> None:
        waiting.append(here.job)
        wait_until(lambda: here.job.cancelled, "the end of the waiting")

    def begin(job: Job) -> threading.Thread:
        def work() -> None:
            here.job = job
            with pytest.raises(Cancelled):
                made.wait(job, cold, told.append)

        thread = threading.Thread(target=work)
        thread.start()
        return thread

    steps.before_next = hold
    threads = begin(first), begin(second)
    wait_until(lambda: len(waiting) == 2, "both")
    first.cancel()
    threads[0].join()
    assert standings(told) == [RISING[0]] * 2
    second.cancel()
    threads[1].join()
    assert standings(told) == [*[RISING[0]] * 2, (0, 0)]


def _work(job: Job) -> None:
    pass


def _done(outcome: object) -> None:
    pass


class _Now(Loop):
    """What is posted is done at once."""

    def call_soon_threadsafe(self, function: Callable[..., None], *arguments: Any) -> None:
        function(*arguments)


class Compiled:
    """A player, or a bot, whose kernel may be missing."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def choose(self, state: Any) -> int:
        assert jit.elsewhere is not None
        for kernel in (0, TOTAL - 1):
            jit.elsewhere(kernel, ())
        return 0

    def plan(self, state: Any) -> None:
        self.choose(state)
        raise WinnableError("nested")

    def evaluate(self, state: Any) -> float:
        return self.choose(state)


@pytest.fixture
def playing(cold: Game) -> Game:
    return replace(cold, players={"compiled": Compiled})


def test_the_clock_of_a_job_stands_still_while_it_waits_for_a_compiler(
    hub: Hub, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that no limit on what it looks into counts that."""
    time = 100.0

    def compile_for_long(done: int) -> None:
        nonlocal time
        time += 50

    def work() -> None:
        nonlocal time
        assert jit.elsewhere is not None
        jit.elsewhere(cast(Any, 0), ())
        time += 3

    steps.before_next = compile_for_long
    monkeypatch.setattr(clock, "now", lambda: time)
    job = Job("solve", _work, _done, cast(Any, Loop()), memory.Room(64))
    began = job.now()
    hub.kernels.run(job, kernels.untold, work)
    assert time == 153
    assert job.now() == began + 3


@pytest.mark.parametrize("compiled", [False, True])
def test_a_step_waits_for_what_its_player_calls(
    hub: Hub, jobs: HeldJobs, steps: Steps, playing: Game, compiled: bool
) -> None:
    page, outcomes = Told(), list[Any]()
    desk = seated(hub, page, playing)
    page.of()
    steps.done = TOTAL if compiled else 0
    job = searches.start_step(hub, desk, Step(by="compiled"), outcomes.append)
    assert job is not None
    finish(job)
    assert [outcome.value for outcome in outcomes] == [0]
    told = page.of(Compiling)
    assert standings(told) == ([] if compiled else ONE_BY_ONE)
    assert {(event.game, event.part) for event in told} == (set() if compiled else {PART})


def test_a_step_that_is_given_up_waits_no_more(hub: Hub, jobs: HeldJobs, steps: Steps, playing: Game) -> None:
    page, outcomes = Told(), list[Any]()
    desk = seated(hub, page, playing)
    page.of()
    job = searches.start_step(hub, desk, Step(by="compiled"), outcomes.append)
    assert job is not None
    steps.before_next = lambda done: job.cancel()
    finish(job)
    assert [outcome.cancelled for outcome in outcomes] == [True]
    assert standings(page.of(Compiling)) == [RISING[0], (0, 0)]


def test_a_hint_waits_for_what_its_player_calls(hub: Hub, jobs: HeldJobs, playing: Game) -> None:
    page, told, outcomes = Told(), list[Event](), list[Any]()
    desk = seated(hub, page, playing)
    finish(searches.start_advice(hub, desk, "compiled", Hint(), told.append, outcomes.append))
    assert standings(told) == ONE_BY_ONE
    assert isinstance(told[-1], HintEvent)
    assert told[-1].action == 0


def test_a_level_that_is_made_waits_for_what_makes_it(
    hub: Hub, jobs: HeldJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(identity: Identity, budget: Budget | None = None) -> NamedLevel:
        Compiled().choose(None)
        return made_level(identity, budget)

    monkeypatch.setattr(find, "made_level", made)
    monkeypatch.setattr("winnable.web.hub.asyncio.get_running_loop", Loop)
    page = Told()
    ask(Studio(hub, page.send), "new", level="toy:start=9#1", game="")
    finish(jobs.of("make")[-1])
    told = page.of(object)
    assert standings(told) == ONE_BY_ONE
    assert any(isinstance(event, State) for event in told)


def test_the_arcades_bot_says_how_far_its_kernels_are(
    hub: Hub, jobs: HeldJobs, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arcade_bot, "_new_bot", Compiled)
    page = Told()
    visitor = Visitor(Arcade(Services(hub.store, hub.jobs, hub.kernels)), cast(Any, page.send))
    ask(visitor, "start", mode="zen", dice=3)
    for request, answer in (("hint", ErrorEvent), ("bot", ErrorEvent), ("appraise", None)):
        steps.done = 0
        ask(visitor, request)
        if request == "bot":
            ask(visitor, "advance", to="move")
        page.of()
        finish(jobs.of("play")[-1])
        told = page.of(object)
        assert standings(told) == ONE_BY_ONE, request
        assert answer is None or isinstance(told[-1], answer), "and then it thinks"


def test_a_run_is_tuned_once_all_is_compiled(hub: Hub, jobs: HeldJobs, steps: Steps) -> None:
    page, tunable = Told(), next(iter(tunables_of(load_game("triple"))))

    def handle(request: Any) -> None:
        hub.tunings.handle(request, page.send, lambda error: pytest.fail(str(error)))

    handle(tuning_protocol.Runs())
    handle(tuning_protocol.Tune("triple", tunable, "de", evaluations=100))
    job = jobs.of("tune")[-1]

    def stop(done: int) -> None:
        if done == 2:
            deliver(job)
            (run,) = (event.run.id for event in page.events if isinstance(event, RunEvent))
            handle(tuning_protocol.TuneStop(run))

    steps.before_next = stop
    finish(job)
    told = page.of(Compiling, TuningEvent)
    assert [event.stage for event in told if isinstance(event, TuningEvent)] == ["starting"]
    assert standings(told) == [*RISING[:3], (0, 0)]
    assert {event.part for event in told if isinstance(event, Compiling)} == {None}


def test_a_comparison_waits_for_what_its_players_call_and_plays_the_game_anew(
    hub: Hub, jobs: HeldJobs, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = cast("dict[str, Any]", toy_game.GAME.players)
    monkeypatch.setitem(players, "compiled", Compiled)
    page, outcomes = Told(), list[Any]()
    request = Compare("toy", ["toy:start=3"], [SetMethod("compiled"), SetMethod("ones")], games=2)
    finish(start_comparison(hub, request, page.send, outcomes.append))
    assert [outcome.error for outcome in outcomes] == [None]
    assert standings(page.events) == ONE_BY_ONE
    (*_, last) = page.of(Standings)
    assert [(row.name, row.games, row.mean_length) for row in last.rows] == [
        ("compiled", 2, 3),
        ("ones", 2, 3),
    ]
