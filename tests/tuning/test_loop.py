"""The tuning loop: events, engines, resume, and what goes wrong."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from winnable.contract.core import WinnableError, finish
from winnable.contract.tunable import Judgement
from winnable.optimize.base import Optimizer
from winnable.optimize.cross_entropy import CrossEntropy
from winnable.optimize.differential_evolution import DifferentialEvolution
from winnable.tuning.loop import GenerationEvent, State, TuningError, TuningResult, tune
from winnable.tuning.seeds import evaluation_seed
from winnable.tuning.survival import Horizon
from winnable.workers.engines import make_engine
from winnable.workers.executor import Evaluator

LOW, HIGH = (-4.0, -4.0, -4.0), (4.0, 4.0, 4.0)


class Bowl:
    """Log hazards around a known best point; remembers what it was asked."""

    name, genes, low, high, start = "bowl", ("a", "b", "c"), LOW, HIGH, (0.0, 0.0, 0.0)

    def __init__(self, fails: str = "") -> None:
        self.fails = fails
        self.asked: list[tuple[tuple[float, ...], int, float]] = []

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Judgement:
        self.asked.append((genome, seed, steps))
        if self.fails and seed == evaluation_seed(3, 17):
            if self.fails == "raises":
                raise RuntimeError("the board is on fire")
            return Judgement(math.nan, None, 1.0)
        noise = np.random.default_rng(seed).normal(0, 0.1)
        loss = sum((gene - 1) ** 2 for gene in genome) - 5 + float(noise)
        return Judgement(loss, 0.1, min(steps, 2.0))


class Heard:
    """What a run tells of its generations."""

    def __init__(self) -> None:
        self.events: list[GenerationEvent] = []
        self.states: list[State] = []

    def __call__(self, event: GenerationEvent, state: State) -> None:
        self.events.append(event)
        self.states.append(json.loads(json.dumps(state)))


def optimizer(kind: str = "cross-entropy") -> Optimizer:
    if kind == "cross-entropy":
        return CrossEntropy(LOW, HIGH, 20, seed=1)
    return DifferentialEvolution(LOW, HIGH, 20, seed=1)


def run(tunable: Bowl, kind: str = "cross-entropy", evaluations: int = 200, **more: Any) -> TuningResult:
    return finish(tune(tunable, optimizer(kind), seed=3, evaluations=evaluations, **more))


def test_it_finds_the_best_point_and_says_how() -> None:
    bowl, heard = Bowl(), Heard()
    result, events = run(bowl, evaluations=1000, on_event=heard), heard.events
    assert np.allclose(result.recommendation, 1.0, atol=0.3)
    assert result.evaluations == len(bowl.asked) == 1000
    assert result.ended == "evaluations"
    assert result.generations == len(events) == 50
    assert [event.evaluations for event in events] == list(range(20, 1001, 20))
    assert all(event.best <= event.low <= event.median <= event.high for event in events)
    assert all(len(event.spread) == 3 for event in events)
    assert sum(events[-1].spread) < sum(events[0].spread) / 2
    assert events[-1].cost == result.cost == 1000.0
    assert events[-1].recommendation == result.recommendation
    assert [seed for _, seed, _ in bowl.asked] == [evaluation_seed(3, i) for i in range(1000)]


@pytest.mark.parametrize("kind", ["cross-entropy", "differential-evolution"])
def test_the_last_generation_is_no_larger_than_what_is_left(kind: str) -> None:
    bowl, heard = Bowl(), Heard()
    result = run(bowl, kind, evaluations=50, on_event=heard)
    assert result.evaluations == len(bowl.asked) == 50
    assert [(event.generation, event.evaluations) for event in heard.events] == [(1, 20), (2, 40), (3, 50)]
    for done, state in zip((20, 40, 50), heard.states, strict=True):
        again = Bowl()
        resumed = run(again, kind, evaluations=50, resume=state)
        assert again.asked == bowl.asked[done:]
        assert resumed.recommendation == result.recommendation


def test_the_optimizer_or_the_caller_may_stop_it() -> None:
    own = CrossEntropy(LOW, HIGH, 20, seed=1, max_generations=2)
    assert finish(tune(Bowl(), own, seed=3, evaluations=1000)).ended == "optimizer"
    bowl = Bowl()
    stopped = run(bowl, stop=lambda: len(bowl.asked) >= 50)
    assert (stopped.ended, stopped.evaluations) == ("stopped", 40)


def test_the_horizon_is_that_of_the_generations_before() -> None:
    bowl, horizon, heard = Bowl(), Horizon(first=10, most=1e6), Heard()
    run(bowl, evaluations=60, steps=horizon, on_event=heard)
    events = heard.events
    given = [steps for _, _, steps in bowl.asked]
    assert given[:20] == [10.0] * 20
    assert given[20:40] == [events[0].steps] * 20
    assert given[40:] == [events[1].steps] * 20
    assert events[0].steps != 10.0
    assert horizon.steps == 10.0, "the caller's own stays as it was"


@pytest.mark.parametrize("steady", [False, True])
@pytest.mark.parametrize("kind", ["cross-entropy", "differential-evolution"])
def test_resumed_from_any_generation_it_goes_on_as_if_never_ended(kind: str, steady: bool) -> None:
    def evaluator() -> Evaluator:
        return Evaluator(make_engine(), in_flight=7, ordered=True)

    whole, heard = Bowl(), Heard()
    more: dict[str, Any] = {"steps": Horizon(first=10, most=1e6), "steady": steady}

    with evaluator() as tasks:
        result = run(whole, kind, on_event=heard, executor=tasks, **more)
    assert len(heard.states) >= 10
    for state in heard.states[:-1]:
        rest = Bowl()
        told = state["asked"] - len(state["pending"])
        with evaluator() as tasks:
            again = run(rest, kind, resume=state, executor=tasks, **more)
        assert rest.asked == whole.asked[told:]
        assert (again.recommendation, again.best, again.cost) == (
            result.recommendation,
            result.best,
            result.cost,
        )


KILLED = """
import json, os, signal, sys
from tests.tuning.test_loop import Bowl, run
def keep(event, state):
    with open(sys.argv[1] + ".new", "w") as file: file.write(json.dumps(state))
    os.replace(sys.argv[1] + ".new", sys.argv[1])
class Deadly(Bowl):
    def evaluate(self, genome, seed, steps):
        if len(self.asked) == 130: os.kill(os.getpid(), signal.SIGKILL)
        return super().evaluate(genome, seed, steps)
run(Deadly(), on_event=keep)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
def test_a_run_that_is_killed_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    kept = tmp_path / "state.json"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(kept)], env={**os.environ, "PYTHONPATH": "."})
    assert killed.returncode == -signal.SIGKILL
    whole, rest = Bowl(), Bowl()
    result = run(whole)
    again = run(rest, resume=json.loads(kept.read_text()))
    assert rest.asked == whole.asked[120:]
    assert again.recommendation == result.recommendation


def test_processes_give_the_same_run() -> None:
    here = run(Bowl(), evaluations=100)
    with Evaluator(make_engine(workers=2)) as tasks:
        there = run(Bowl(), evaluations=100, executor=tasks)
    assert (here.recommendation, here.best, here.cost) == (there.recommendation, there.best, there.cost)


@pytest.mark.parametrize("steady", [False, True])
@pytest.mark.parametrize(("fails", "says"), [("raises", "the board is on fire"), ("nan", "not a number")])
def test_a_failing_candidate_is_named(fails: str, says: str, steady: bool) -> None:
    with pytest.raises(
        TuningError, match=r"bowl, candidate 17 \(a = .*, b = .*, c = .*; seed \d+\)"
    ) as error:
        run(Bowl(fails), steady=steady)
    assert says in str(error.value)


def test_what_does_not_fit_is_refused() -> None:
    heard = Heard()
    run(Bowl(), evaluations=20, on_event=heard)
    with pytest.raises(WinnableError, match="evaluations"):
        run(Bowl(), evaluations=0)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"seed": 4}, "seed"),
        ({"format": "x"}, "format"),
        ({"asked": None}, "asked"),
        ({"asked": -5}, "asked"),
        ({"asked": 2**40}, "asked"),
        ({"asked": 7}, "damaged: asked"),
        ({"cost": "x"}, "cost"),
        ({"best": "x"}, "damaged: best"),
        ({"best": "nan"}, "damaged: best"),
        ({"horizon": "a"}, "horizon"),
        ({"pending": [[0, [1.0] * 3, {}]]}, "pending"),
        ({"pending": [[0, [1.0] * 2, 1.0]]}, "damaged: pending"),
        ({"pending": [[40, [1.0] * 3, 1.0]]}, "damaged: pending"),
        ({"steps": 5.0}, "steps"),
        ({"steady": True}, "steady"),
        ({"optimizer": {}}, "damaged"),
    ]
    for change, says in changes:
        with pytest.raises(WinnableError, match=says):
            run(Bowl(), resume=heard.states[0] | change)
    with pytest.raises(WinnableError, match="damaged"):
        run(Bowl(), resume=cast("State", [heard.states[0]]))
    state = heard.states[0]
    state["optimizer"]["ledger"]["evaluations"] = 2**40
    with pytest.raises(WinnableError, match="damaged: asked"):
        run(Bowl(), resume=state)
