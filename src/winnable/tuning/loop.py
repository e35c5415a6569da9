"""The tuning loop: an optimiser asks, an engine evaluates, the optimiser is told."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from math import ceil, inf, isfinite, isnan, nan
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from winnable.contract.arguments import whole
from winnable.contract.core import Search, WinnableError, unreadable
from winnable.contract.tunable import Judgement, Tunable
from winnable.inert.arrays import np
from winnable.optimize.base import Genomes, Optimizer
from winnable.tuning.seeds import RECOMMENDED, evaluation_seed
from winnable.tuning.survival import Horizon
from winnable.workers.engines import make_engine
from winnable.workers.executor import Evaluator, TaskError

FORMAT = "winnable.tuning/1"

Weights: TypeAlias = tuple[float, ...]
State: TypeAlias = dict[str, Any]
"""Of a run, between two generations: JSON values."""
Ended: TypeAlias = Literal["evaluations", "optimizer", "stopped"]


class TuningError(WinnableError):
    """A candidate could not be judged; the message names it, its weights and its seed."""


@dataclass(frozen=True, slots=True)
class GenerationEvent:
    """A generation is over; the last one may lack what was more than the evaluations asked for.

    best:              the least loss of the whole run, which under noise is a lucky one
    low, median, high: quartiles of this generation's losses
    recommendation:    the optimiser's: the mean where it keeps a distribution
    spread:            the standard deviation of each gene in this generation
    seconds:           since `tune` was called
    cost:              of the whole run, in the tunable's steps
    steps:             what an evaluation may take from now on
    """

    generation: int
    evaluations: int
    best: float
    low: float
    median: float
    high: float
    recommendation: Weights
    spread: Weights
    seconds: float
    cost: float
    steps: float


@dataclass(frozen=True, slots=True)
class TuningResult:
    """ended: by the number of evaluations, by the optimiser's own rule, or because `stop` said so."""

    recommendation: Weights
    best: float
    evaluations: int
    generations: int
    cost: float
    seconds: float
    ended: Ended


def tune(
    tunable: Tunable,
    optimizer: Optimizer,
    *,
    seed: int,
    evaluations: int,
    steps: float | Horizon = 1.0,
    executor: Evaluator | None = None,
    steady: bool = False,
    on_event: Callable[[GenerationEvent, State], None] = lambda event, state: None,
    resume: State | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Search[TuningResult]:
    """Tunes until `evaluations` are done, the optimiser stops, or `stop` says so, which is asked before each
    result.

    seed:       of the run: candidate i is judged with `evaluation_seed(seed, i)`
    steps:      what an evaluation may take; a Horizon follows the best (losses must then be log hazards)
    executor:   where candidates are judged, with nothing else submitted; None: in this thread
    steady:     asks for a new genome as soon as one is judged, so that no worker waits for the slowest of a
                generation. By generation, genomes are the same on every engine; steady-state they are if the
                evaluator is `ordered`, with the same `in_flight`
    on_event:   hears of each generation, with the run's state after it
    resume:     such a state: with the other arguments as they were, the run goes on as if it had never ended

    Raises TuningError; WinnableError for arguments and states that do not fit. After an error, or a stop, the
    optimiser and the executor are of no use: go on from the last state with new ones.
    """
    whole("evaluations", evaluations, 1)
    with ExitStack() as stack:
        evaluator = executor or stack.enter_context(Evaluator(make_engine()))
        own = replace(steps) if isinstance(steps, Horizon) else steps
        run = _Run(tunable, optimizer, seed, own, steady, evaluator, on_event)
        if resume is not None:
            run.load(resume)
        return (yield from run.result(evaluations, stop))


class _Checkpoint(Struct, frozen=True):
    """What a `State` must be; losses are texts, as JSON has no infinity."""

    asked: Annotated[int, Meta(ge=0, le=RECOMMENDED)]
    cost: float
    best: str
    horizon: list[str] | None
    pending: list[tuple[Annotated[int, Meta(ge=0)], list[float], float]]
    optimizer: dict[str, Any]


@dataclass(slots=True)
class _Candidate:
    """`genome` as the optimiser gave it."""

    number: int
    genome: Genomes
    steps: float


@dataclass(slots=True)
class _Run:
    tunable: Tunable
    optimizer: Optimizer
    seed: int
    steps: float | Horizon
    steady: bool
    evaluator: Evaluator
    on_event: Callable[[GenerationEvent, State], None]
    asked: int = 0
    cost: float = 0.0
    best: float = inf
    pending: dict[int, _Candidate] = field(default_factory=dict[int, _Candidate])
    """Submitted and not told."""
    judged: list[tuple[Weights, float]] = field(default_factory=list[tuple[Weights, float]])
    """Told since the last generation ended."""
    started: float = field(default_factory=time.monotonic)

    def _by_generation(self, evaluations: int, stop: Callable[[], bool]) -> Search[Ended]:
        while not (ended := self._ended(evaluations)):
            genomes, left = self.optimizer.ask(), evaluations - self.optimizer.evaluations
            self._submit(genomes[:left])
            found: dict[int, tuple[_Candidate, Judgement]] = {}
            while self.pending:
                if stop():
                    return "stopped"
                candidate, judgement = yield from self._next()
                found[candidate.number] = candidate, judgement
            self._tell([found[number] for number in sorted(found)])
            self._end_generation(whole=left >= len(genomes))
        return ended

    def _steady_state(self, evaluations: int, stop: Callable[[], bool]) -> Search[Ended]:
        for candidate in self.pending.values():
            self._send(candidate)
        generation = self.optimizer.generation
        while not (ended := self._ended(evaluations)):
            while self.evaluator.free and self.asked < evaluations:
                self._submit(self.optimizer.ask(1))
            if stop():
                return "stopped"
            self._tell([(yield from self._next())])
            whole = self.optimizer.generation > generation
            if whole or self._ended(evaluations):
                generation = self.optimizer.generation
                self._end_generation(whole)
        return ended

    def _ended(self, evaluations: int) -> Ended | None:
        if self.optimizer.evaluations >= evaluations:
            return "evaluations"
        return "optimizer" if self.optimizer.should_stop() else None

    def _submit(self, genomes: Genomes) -> None:
        limit = self.steps.steps if isinstance(self.steps, Horizon) else self.steps
        for genome in genomes:
            candidate = _Candidate(self.asked, genome, limit)
            self.pending[self.asked] = candidate
            self.asked += 1
            self._send(candidate)

    def _send(self, candidate: _Candidate) -> None:
        seed = evaluation_seed(self.seed, candidate.number)
        arguments = _weights(candidate.genome), seed, candidate.steps
        self.evaluator.submit(candidate.number, self.tunable.evaluate, *arguments)

    def _next(self) -> Search[tuple[_Candidate, Judgement]]:
        try:
            found = yield from self.evaluator.following()
        except TaskError as error:
            raise self._blame(self.pending[error.task], error) from error
        if found is None:
            raise WinnableError("tune.cancelled", field="executor")
        number, judgement = found
        candidate = self.pending.pop(number)
        if isnan(judgement.loss):
            raise self._blame(candidate, "its loss is not a number")
        return candidate, judgement

    def _blame(self, candidate: _Candidate, reason: object) -> TuningError:
        weights = ", ".join(
            f"{gene} = {weight!r}"
            for gene, weight in zip(self.tunable.genes, _weights(candidate.genome), strict=True)
        )
        seed = evaluation_seed(self.seed, candidate.number)
        return TuningError(
            f"{self.tunable.name}, candidate {candidate.number} ({weights}; seed {seed}): {reason}"
        )

    def _tell(self, found: Sequence[tuple[_Candidate, Judgement]]) -> None:
        losses = [judgement.loss for _, judgement in found]
        self.optimizer.tell(np.array([candidate.genome for candidate, _ in found]), losses)
        self.cost += sum(judgement.cost for _, judgement in found)
        self.best = min(self.best, *losses)
        self.judged += [(_weights(candidate.genome), judgement.loss) for candidate, judgement in found]

    def _end_generation(self, whole: bool) -> None:
        genomes, losses = (list(column) for column in zip(*self.judged, strict=True))
        self.judged = []
        if isinstance(self.steps, Horizon):
            self.steps.tell(losses)
        ordered = sorted(losses)
        low, median, high = (ordered[ceil(share * len(ordered)) - 1] for share in (0.25, 0.5, 0.75))
        event = GenerationEvent(
            generation=self.optimizer.generation + (not whole),
            evaluations=self.optimizer.evaluations,
            best=self.best,
            low=low,
            median=median,
            high=high,
            recommendation=_weights(self.optimizer.recommendation),
            spread=_weights(np.std(genomes, axis=0)),
            seconds=time.monotonic() - self.started,
            cost=self.cost,
            steps=self.steps.steps if isinstance(self.steps, Horizon) else self.steps,
        )
        self.on_event(event, self._state())

    def result(self, evaluations: int, stop: Callable[[], bool]) -> Search[TuningResult]:
        ended = yield from (self._steady_state if self.steady else self._by_generation)(evaluations, stop)
        return TuningResult(
            recommendation=_weights(self.optimizer.recommendation),
            best=self.best,
            evaluations=self.optimizer.evaluations,
            generations=self.optimizer.generation,
            cost=self.cost,
            seconds=time.monotonic() - self.started,
            ended=ended,
        )

    def _state(self) -> State:
        return {
            "format": FORMAT,
            "tunable": self.tunable.name,
            "seed": self.seed,
            "steady": self.steady,
            "steps": None if isinstance(self.steps, Horizon) else self.steps,
            "asked": self.asked,
            "cost": self.cost,
            "best": repr(self.best),
            "horizon": [repr(loss) for loss in self.steps.state_dict()]
            if isinstance(self.steps, Horizon)
            else None,
            "pending": [[one.number, one.genome.tolist(), one.steps] for one in self.pending.values()],
            "optimizer": self.optimizer.state_dict(),
        }

    def load(self, state: State) -> None:
        """Raises WinnableError that names the field."""
        own = self._state()
        if not isinstance(state, dict):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise WinnableError("tune.damaged", field="resume", reason="no object")
        for name in ("format", "tunable", "seed", "steady", "steps"):
            if state.get(name) != own[name]:
                raise WinnableError(
                    "tune.other", field="resume", name=name, given=str(state.get(name)), own=str(own[name])
                )
        try:
            kept = msgspec.convert(state, _Checkpoint)
        except msgspec.ValidationError as error:
            raise unreadable(error).within("resume") from error
        try:
            self.optimizer.load_state_dict(kept.optimizer)
            self.asked, self.cost, self.best = kept.asked, kept.cost, _loss("best", kept.best)
            for number, genome, steps in kept.pending:
                self.pending[number] = self._waiting(number, genome, steps)
            if self.optimizer.evaluations + len(self.pending) != self.asked:
                raise ValueError("asked: not as many as were told and are pending")
            if isinstance(self.steps, Horizon):
                self.steps.load_state_dict([_loss("horizon", loss) for loss in kept.horizon or ()])
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
            raise WinnableError("tune.damaged", field="resume", reason=str(error)) from error

    def _waiting(self, number: int, genome: list[float], steps: float) -> _Candidate:
        """Raises ValueError."""
        if len(genome) != len(self.tunable.genes) or not all(map(isfinite, [*genome, steps])):
            raise ValueError(f"pending: candidate {number}: a number for each gene is needed, and its steps")
        if not 0 <= number < self.asked or number in self.pending:
            raise ValueError(f"pending: candidate {number} was not asked for, or twice")
        return _Candidate(number, np.array(genome), steps)


def _weights(genome: Any) -> Weights:
    return tuple(map(float, genome))


def _loss(name: str, text: str) -> float:
    """Raises ValueError."""
    try:
        loss = float(text)
    except ValueError:
        loss = nan
    if isnan(loss):
        raise ValueError(f"{name}: {text[:40]!r} is no loss")
    return loss
