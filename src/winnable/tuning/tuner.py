"""Carries out one tuning run: tunes, keeps each generation, and lets the result meet the weights in use."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from msgspec import convert

from winnable.contract.core import Progress, Search, finish
from winnable.contract.methods import Wanted
from winnable.contract.tunable import Tunable
from winnable.levels.files import decode
from winnable.stats.sequential import LossRace
from winnable.store.database import RunTaken, Store
from winnable.tuning import runs
from winnable.tuning.choice import choose
from winnable.tuning.loop import GenerationEvent, State, TuningResult, tune
from winnable.tuning.optimizers import make_optimizer
from winnable.tuning.runs import Comparison, Generation, Recorder, Run, Stopped
from winnable.tuning.survival import Horizon
from winnable.workers.engines import Engine, make_engine
from winnable.workers.executor import Evaluator

PAIRS = 60
"""At most so often the recommended weights meet those in use."""
STEP_SECONDS = 0.015
"""Candidates are often judged in less: a step of each would cost an event loop more than its work."""


@runtime_checkable
class Paced(Protocol):
    """A tunable that knows what one evaluation should take; without it, one step."""

    @property
    def steps(self) -> float:
        """What an evaluation may take."""
        ...


@runtime_checkable
class Following(Protocol):
    """A tunable whose losses are log hazards: its evaluations grow with what the candidates can do."""

    def horizon(self) -> Horizon:
        """What an evaluation may take, by the losses so far."""
        ...


class Tuner:
    """`work` once, or `search`; `stop` at any time, from any thread."""

    def __init__(
        self,
        store: Store,
        run: Run,
        engine: Engine | None = None,
        *,
        threads: bool = True,
        on_judged: Callable[[int], None] = lambda evaluations: None,
        on_generation: Callable[[Generation], None] = lambda event: None,
        on_comparing: Callable[[], None] = lambda: None,
    ) -> None:
        """Takes the run over; where it is evaluated (None: in the calling thread) does not change it.
        on_judged is called before each result with the number of those before it.
        threads: whether one of its own gives signs of life, also while a candidate that takes long is judged

        Raises WinnableError when the run cannot go on.
        """
        runs.check_resumable(run)
        self._store, self._engine = store, engine or make_engine()
        self._tunable = runs.find_tunable(run.game, run.tunable)
        method = runs.chosen_optimizer(Wanted(run.optimizer, run.settings)).method
        self._optimizer = make_optimizer(method, self._tunable, run.seed, run.evaluations, run.held)
        self.recorder = Recorder(store, run)
        kept = store.load_run(run.id)  # now that nobody else writes it
        self.run = run = runs.load(store, run.id)
        self._resume: State | None = (
            decode(kept.checkpoint, dict[str, Any], f"run {run.id}: checkpoint") if kept.checkpoint else None
        )
        self._seconds = run.latest.seconds if run.latest else 0.0
        self._stop = threading.Event()
        self._end, self._has_threads = math.inf, threads
        self._judged = run.latest.evaluations if run.latest else 0
        self._on_judged, self._on_generation, self._on_comparing = on_judged, on_generation, on_comparing

    def stop(self) -> None:
        """Within one evaluation; what the last generation left stands."""
        self._stop.set()

    def work(self, seconds: float = math.inf) -> Run:
        """Drives `search` to its end."""
        return finish(self.search(seconds))

    def search(self, seconds: float = math.inf) -> Search[Run]:
        """The run as it is afterwards: finished, or stopped by `stop`, by the time or by another writer. Who
        goes on with it no more stops it, too.

        Raises WinnableError, which is kept with the run too, when a candidate cannot be judged.
        """
        self._end = time.monotonic() + seconds
        if self._has_threads:
            self.recorder.begin(on_taken=self.stop)
        try:
            with Evaluator(self._engine, ordered=self.run.steady) as evaluator:
                comparison = yield from self._in_steps(self._tuned_and_compared(evaluator))
        except (Stopped, RunTaken):
            self.recorder.end("stopped")
        except GeneratorExit:
            self.recorder.end("stopped")
            raise
        except BaseException as error:
            self.recorder.end("failed", error=str(error)[:500] or type(error).__name__)
            raise
        else:
            self.recorder.end("finished", comparison)
        return runs.load(self._store, self.run.id)

    def _in_steps(self, work: Search[Comparison]) -> Search[Comparison]:
        """Looks between them whether it goes on, and gives signs of life. Raises Stopped, RunTaken."""
        began = time.monotonic()
        while True:
            if self._stop.is_set() or time.monotonic() > self._end:
                raise Stopped
            try:
                next(work)
            except StopIteration as end:
                return end.value
            if (now := time.monotonic()) - began > STEP_SECONDS:
                if not self._has_threads:
                    self.recorder.beat()
                yield Progress("tuning", self._judged, self._judged, 0.0)
                began = now

    def _tuned_and_compared(self, evaluator: Evaluator) -> Search[Comparison]:
        return (yield from self._compare(evaluator, (yield from self._tune(evaluator))))

    def _tune(self, evaluator: Evaluator) -> Search[TuningResult]:
        return tune(
            self._tunable,
            self._optimizer,
            seed=self.run.seed,
            evaluations=self.run.evaluations,
            steps=allowed_steps(self._tunable),
            executor=evaluator,
            steady=self.run.steady,
            on_event=self._keep,
            resume=self._resume,
            stop=self._count,
        )

    def _keep(self, event: GenerationEvent, state: State) -> None:
        losses = {name: runs.bounded(getattr(event, name)) for name in ("best", "low", "median", "high")}
        seconds = round(self._seconds + event.seconds, 3)
        generation = convert(replace(event, seconds=seconds, **losses), Generation, from_attributes=True)
        self._judged = event.evaluations
        self.recorder.save(state, generation)
        self._on_generation(generation)

    def _compare(self, evaluator: Evaluator, result: TuningResult) -> Search[Comparison]:
        self._on_comparing()
        steps = allowed_steps(self._tunable)
        if isinstance(steps, Horizon):
            latest = runs.load(self._store, self.run.id).latest
            steps = latest.steps if latest else steps.first
        race = LossRace(worthwhile=1.0)
        verdict = yield from choose(
            self._tunable,
            result.recommendation,
            seed=self.run.seed,
            steps=steps,
            pairs=PAIRS,
            executor=evaluator,
            race=race,
        )
        low, high = map(runs.bounded, race.interval)
        return Comparison(verdict.decision, (low + high) / 2, low, high, verdict.evidence)

    def _count(self) -> bool:
        """Asked before each result."""
        self._on_judged(self._judged)
        self._judged += 1
        return False


def allowed_steps(tunable: Tunable) -> float | Horizon:
    """What an evaluation of a run may take."""
    if isinstance(tunable, Following):
        return tunable.horizon()
    return tunable.steps if isinstance(tunable, Paced) else 1.0
