"""What waits for kernels says how far they are. They are compiled here when the test says so."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import pytest

from tests.kinds import of_kind
from tests.web import toy_game
from tests.web.held_jobs import PAUSE, HeldJobs, Told, all_is_heard, ask, on_the_loop, pause, seated
from winnable.analysis import engine as engine_module
from winnable.analysis.engine import Engine
from winnable.compiled import compiling, jit
from winnable.compiled.compiling import Missing, Readiness
from winnable.contract import clock
from winnable.contract.abilities import ProvesFewest, Solves, tunables_of
from winnable.contract.core import Answer, Budget, Progress, Search, WinnableError, finish
from winnable.contract.game import Game
from winnable.contract.registry import GAMES, Entry, load_game
from winnable.games.tetris.modern.page import bot as arcade_bot
from winnable.games.tetris.modern.page.arcade import Arcade, Visitor
from winnable.levels import find
from winnable.levels.files import NamedLevel
from winnable.levels.find import made_level
from winnable.levels.identity import Identity
from winnable.store import caches
from winnable.store.database import Store
from winnable.web import searches, tuning_protocol
from winnable.web.comparisons import begin_comparison
from winnable.web.events import Compiling, ErrorEvent, Event, HintEvent, Lamp, Standings, State
from winnable.web.hosts import Services
from winnable.web.hub import Hub
from winnable.web.jobs import Job
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

    is_closed = False

    def __init__(self) -> None:
        self.done = self._slept = 0
        self.before_next: Callable[[int], None] = _nothing

    def sleep(self, seconds: float) -> None:
        """In place of time that passes: what was told is heard, then the next one is done."""
        self._slept += 1
        if self.done < TOTAL and self._slept % PAUSE == 0:
            self.before_next(self.done)
            self.done += 1

    def knows(self, game: str) -> bool:
        return True

    def want(self, game: str, part: str | None = "") -> Readiness:
        return self.readiness(game, part)

    def readiness(self, game: str, part: str | None = "") -> Readiness:
        return Readiness(self.done, TOTAL)

    def missing_kernel(self, kernel: int, types: Any) -> Missing | None:
        """kernel: its number"""
        return Missing(*PART, lambda: self.done > kernel) if self.done <= kernel else None

    def compile_elsewhere(self, kernel: Any, types: Any) -> bool:
        return False


@pytest.fixture
def steps() -> Steps:
    return Steps()


@pytest.fixture
def engine(steps: Steps, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """That of this process, for the test."""
    made = Engine()

    def engine_of(process: int) -> Engine:
        return made

    def compilers(processes: int | None) -> Steps:
        return steps

    def is_never_empty(kind: str) -> bool:
        return False

    monkeypatch.setattr(compiling, "Compilers", compilers)
    monkeypatch.setattr(engine_module, "_of_process", engine_of)
    monkeypatch.setattr(engine_module, "time", SimpleNamespace(monotonic=time.monotonic, sleep=steps.sleep))
    monkeypatch.setattr(caches, "is_empty", is_never_empty)
    monkeypatch.setattr(jit, "elsewhere", None)
    made.take_over(tells=False)
    assert made.compilers is cast(Any, steps)
    return made


@pytest.fixture
def jobs() -> HeldJobs:
    return HeldJobs()


@pytest.fixture
def hub(engine: Engine, jobs: HeldJobs, monkeypatch: pytest.MonkeyPatch) -> Hub:
    monkeypatch.setitem(GAMES, "toy", Entry("toy", "tests.web.toy_game:GAME"))
    return Hub(Store(None), jobs)


def solve(puzzle: Any, state: int, budget: Budget, seed: int) -> Answer:
    return Answer("solved", (0,) * state, optimal=True)


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


RISING = [*((done, TOTAL) for done in range(TOTAL)), (0, 0)]
ONE_BY_ONE = [RISING[0], (0, 0), *RISING[1:]]
"""Where it goes on after the first one, and then needs the last one."""


@on_the_loop
async def test_a_board_is_judged_once_all_is_compiled(hub: Hub, jobs: HeldJobs, cold: Game) -> None:
    page = Told()
    seated(hub, page, cold)
    await jobs.finish(jobs.submitted[-1])
    told = page.of(Compiling, Lamp)
    assert standings(told) == RISING
    lamp = told[-1]
    assert isinstance(lamp, Lamp)
    assert (lamp.verdict, lamp.searching) == ("winnable", False)


@on_the_loop
async def test_a_first_answer_is_told_as_one(
    hub: Hub, jobs: HeldJobs, steps: Steps, cold: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Told()

    def answer(*_: object) -> Search[Answer]:
        yield from pause()
        return Answer("solved", (0,) * 9)

    monkeypatch.setattr(Engine, "first", answer)
    seated(hub, page, of_kind(cold, Proving))
    page.of()
    await jobs.finish(jobs.submitted[-1])
    assert [(lamp.first, lamp.searching, lamp.optimal) for lamp in page.of(Lamp)] == [
        (True, True, False),
        (False, False, True),
    ]


@on_the_loop
async def test_a_board_that_is_left_while_it_is_compiled_hears_no_more(
    hub: Hub, jobs: HeldJobs, steps: Steps, cold: Game
) -> None:
    page, heard = Told(), list[Any]()
    desk = seated(hub, page, cold)
    job = jobs.submitted[-1]

    def leave(done: int) -> None:
        if done == 1:
            heard.extend(page.of(Compiling))
            hub.leave(page, desk, for_another=True)

    steps.before_next = leave
    await jobs.finish(job)
    assert standings(heard) == RISING[:2]
    assert not page.of(object)
    assert steps.done == 2, "nobody waits for the others"


@on_the_loop
async def test_a_page_that_goes_on_hears_that_nothing_waits_any_more(
    hub: Hub, jobs: HeldJobs, steps: Steps, cold: Game
) -> None:
    page = Told()
    desk = seated(hub, page, cold)
    old = jobs.submitted[-1]
    steps.before_next = lambda done: desk.act(0) if done == 1 else None
    await jobs.finish(old)
    assert standings(page.of(Compiling)) == [*RISING[:2], (0, 0)]
    steps.before_next = _nothing
    await jobs.finish(jobs.submitted[-1])
    assert standings(page.of(Compiling)) == RISING[2:]


@on_the_loop
async def test_it_does_not_hear_so_while_something_else_waits(jobs: HeldJobs) -> None:
    page = Told()

    def waits(part: str) -> Iterator[Progress]:
        while True:
            values = {"game": "toy", "part": part, "done": 1, "total": TOTAL}
            yield Progress(engine_module.COMPILING, 0, 0, 0.0, values)

    async def listen(job: Job[Any]) -> None:
        await job.result(page.send)

    async def begin(part: str) -> Job[Any]:
        job: Job[Any] = jobs.stream("play", waits(part), Budget())
        jobs.follow(job, listen(job))
        jobs.let_go(job)
        await all_is_heard()
        return job

    first, second, other = [await begin(part) for part in ("one", "one", "other")]
    assert standings(page.of(Compiling)) == [(1, TOTAL)] * 3
    jobs.cancel(first)
    await all_is_heard()
    assert not page.of(Compiling)
    for job, part in ((other, "other"), (second, "one")):
        jobs.cancel(job)
        await all_is_heard()
        (told,) = page.of(Compiling)
        assert (told.part, told.done, told.total) == (part, 0, 0)


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


def test_the_clock_of_a_budget_stands_still_while_it_waits_for_a_compiler(
    engine: Engine, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that no limit on what it looks into counts that."""
    now = 100.0

    def compile_for_long(done: int) -> None:
        nonlocal now
        now += 50

    def work() -> None:
        nonlocal now
        assert jit.elsewhere is not None
        jit.elsewhere(cast(Any, 0), ())
        now += 3

    steps.before_next = compile_for_long
    monkeypatch.setattr(clock, "now", lambda: now)
    monkeypatch.setattr(cast(Any, engine_module).time, "monotonic", lambda: now)
    budget = Budget()
    budget.begin(memory_mb=64, threads=1)
    finish(engine.run(work, budget))
    assert now == 153
    assert budget.elapsed == 3


@pytest.mark.parametrize("compiled", [False, True])
@on_the_loop
async def test_a_step_waits_for_what_its_player_calls(
    hub: Hub, jobs: HeldJobs, steps: Steps, playing: Game, compiled: bool
) -> None:
    page, outcomes = Told(), list[Any]()
    desk = seated(hub, page, playing)
    page.of()
    steps.done = TOTAL if compiled else 0
    job = searches.begin_step(hub, desk, Step(by="compiled"))
    assert job is not None
    jobs.follow(job, noted(job, desk.broadcast, outcomes))
    await jobs.finish(job)
    assert outcomes == [0]
    told = page.of(Compiling)
    assert standings(told) == ([] if compiled else ONE_BY_ONE)
    assert {(event.game, event.part) for event in told} == (set() if compiled else {PART})


@on_the_loop
async def test_a_step_that_is_given_up_waits_no_more(
    hub: Hub, jobs: HeldJobs, steps: Steps, playing: Game
) -> None:
    page, outcomes = Told(), list[Any]()
    desk = seated(hub, page, playing)
    page.of()
    job = searches.begin_step(hub, desk, Step(by="compiled"))
    assert job is not None
    jobs.follow(job, noted(job, desk.broadcast, outcomes))
    steps.before_next = lambda done: job.cancel()
    await jobs.finish(job)
    assert outcomes == [None]
    assert job.cancelled
    assert standings(page.of(Compiling)) == [RISING[0], (0, 0)]


async def noted(job: Job[Any], send: Callable[[Compiling], None], outcomes: list[Any]) -> None:
    outcomes.append(await job.result(send))


@on_the_loop
async def test_a_hint_waits_for_what_its_player_calls(hub: Hub, jobs: HeldJobs, playing: Game) -> None:
    page, told = Told(), list[Event]()
    desk = seated(hub, page, playing)
    job, listens = searches.begin_advice(hub, desk, "compiled", Hint(), told.append)
    jobs.follow(job, listens)
    await jobs.finish(job)
    assert standings(told) == ONE_BY_ONE
    assert isinstance(told[-1], HintEvent)
    assert told[-1].action == 0


@on_the_loop
async def test_a_level_that_is_made_waits_for_what_makes_it(
    hub: Hub, jobs: HeldJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(identity: Identity, budget: Budget | None = None) -> Search[NamedLevel]:
        Compiled().choose(None)
        return made_level(identity, budget)

    monkeypatch.setattr(find, "made_level", made)
    page = Told()
    ask(Studio(hub, page.send), "new", level="toy:start=9#1", game="")
    await jobs.finish(jobs.of("make")[-1])
    told = page.of(object)
    assert standings(told) == ONE_BY_ONE
    assert any(isinstance(event, State) for event in told)


@on_the_loop
async def test_the_arcades_bot_says_how_far_its_kernels_are(
    hub: Hub, jobs: HeldJobs, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arcade_bot, "Bot", Compiled)
    page = Told()
    visitor = Visitor(Arcade(Services(hub.store, hub.jobs)), cast(Any, page.send))
    ask(visitor, "start", mode="zen", dice=3)
    for request, answer in (("hint", ErrorEvent), ("bot", ErrorEvent), ("appraise", None)):
        steps.done = 0
        ask(visitor, request)
        if request == "bot":
            ask(visitor, "pause")
            ask(visitor, "advance", to="move")
        page.of()
        await jobs.finish(jobs.of("play")[-1])
        told = page.of(object)
        assert standings(told) == ONE_BY_ONE, request
        assert answer is None or isinstance(told[-1], answer), "and then it thinks"


@on_the_loop
async def test_a_run_is_tuned_once_all_is_compiled(hub: Hub, jobs: HeldJobs, steps: Steps) -> None:
    page, tunable = Told(), next(iter(tunables_of(load_game("triple"))))

    def handle(request: Any) -> None:
        hub.tunings.handle(request, page.send, lambda error: pytest.fail(str(error)))

    handle(tuning_protocol.Runs())
    handle(tuning_protocol.Tune("triple", tunable, "de", evaluations=100))
    job = jobs.of("tune")[-1]

    def stop(done: int) -> None:
        if done == 2:
            (run,) = (event.run.id for event in page.events if isinstance(event, RunEvent))
            handle(tuning_protocol.TuneStop(run))

    steps.before_next = stop
    await jobs.finish(job)
    told = page.of(Compiling, TuningEvent)
    assert [event.stage for event in told if isinstance(event, TuningEvent)] == ["starting"]
    assert standings(told) == [*RISING[:3], (0, 0)]
    assert {event.part for event in told if isinstance(event, Compiling)} == {None}


@on_the_loop
async def test_a_comparison_waits_for_what_its_players_call_and_plays_the_game_anew(
    hub: Hub, jobs: HeldJobs, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = cast("dict[str, Any]", toy_game.GAME.players)
    monkeypatch.setitem(players, "compiled", Compiled)
    page = Told()
    request = Compare("toy", ["toy:start=3"], [SetMethod("compiled"), SetMethod("ones")], games=2)
    job, listens = begin_comparison(hub, request, page.send)
    jobs.follow(job, listens, lambda error: pytest.fail(str(error)))
    await jobs.finish(job)
    assert standings(page.events) == ONE_BY_ONE
    (*_, last) = page.of(Standings)
    assert [(row.name, row.games, row.mean_length) for row in last.rows] == [
        ("compiled", 2, 3),
        ("ones", 2, 3),
    ]
