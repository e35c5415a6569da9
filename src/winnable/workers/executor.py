"""Where batches of tasks run, and how their results come back: `Evaluator`, over any Executor of the standard
library's kind; `winnable.workers.engines` makes those that we offer.

A task is a function and its arguments; its value may be found by a search. It must be pure: it may run again
when its worker dies, and the same arguments give the same value anywhere.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Self

from winnable.contract.arguments import whole
from winnable.contract.core import Progress, Search, WinnableError, begun, finish
from winnable.workers.engines import Engine, run_pickled, said

TRIES = 3
"""A task that was running so often when its worker died is given up."""
ORDERED_IN_FLIGHT = 32
"""Of an ordered evaluator, on every engine alike, so that the engine cannot be told from the run."""
POLL_SECONDS = 0.02
"""How long a step waits for workers."""


class TaskError(WinnableError):
    """A task ended without a value; the message names it and says what it raised. The notes hold the
    worker's traceback."""

    def __init__(self, task: Any, message: str) -> None:
        super().__init__(f"task {task!r}: {message}")
        self.task = task


class TaskKillsWorker(TaskError):
    """The worker process of this task died each time, however often it was tried."""


@dataclass(eq=False, slots=True)
class _Task:
    """`call` is the function and its arguments, pickled unless the engine is blocking."""

    id: Any
    number: int
    call: Any
    deaths: int = 0
    losses: int = 0


@dataclass(eq=False, slots=True)
class _Lane:
    """One executor after another: a broken one is replaced when the next task comes."""

    engine: Engine
    executor: Executor | None = None
    depth: int = 1
    running: set[_Task] = field(default_factory=set[_Task])

    def open(self) -> Executor:
        if self.executor is None:
            self.executor = self.engine.open()
            self.depth = self.engine.depth(self.executor)
        return self.executor

    def stop(self) -> str:
        executor, self.executor = self.executor, None
        return "" if executor is None else self.engine.stop(executor)

    def takes(self, suspect: bool) -> bool:
        """A task whose worker has died before is run alone, so that no other is blamed for the next death."""
        if suspect or any(task.deaths for task in self.running):
            return not self.running
        return len(self.running) < self.depth

    def start(self, task: _Task) -> tuple[Executor, Future[Any]]:
        """Hands the task over; to a fresh executor if this one broke while it was idle."""
        failure = BrokenExecutor()
        for _ in range(TRIES):
            executor = self.open()
            try:
                future: Any = executor.submit(run_pickled, task.call)
                if not hasattr(future, "add_done_callback"):
                    raise RuntimeError(f"submit gave {type(future).__name__} in place of a future")
                return executor, future
            except BrokenExecutor as error:
                self.stop()
                failure = error
            except (OSError, RuntimeError) as error:
                raise WinnableError(
                    "engine.start", field="executor", name=self.engine.name, reason=str(error)
                ) from error
        raise WinnableError("engine.breaks", field="executor", name=self.engine.name, reason=str(failure))


class _Arrival(NamedTuple):
    task: _Task
    lane: _Lane
    executor: Executor
    future: Future[Any]


class Evaluator:
    """Runs tasks on an engine. An iterator of (task id, value): it ends when no task is outstanding, and goes
    on when more are submitted, also in between.

    engine:    from `winnable.workers.engines.make_engine`
    in_flight: how many tasks run or wait in the engine at a time; more wait here. None: as many as keep the
               engine's workers busy, or ORDERED_IN_FLIGHT.
    ordered:   results come in the order of submission, and `free` follows from what was submitted and
               delivered alone: a steady-state run is then the same on every engine with the same `in_flight`.
               Without it they come in the order of completion, which no seed decides.

    A steady-state run:

        with Evaluator(engine) as evaluator:
            while not optimiser.should_stop():
                for number in range(evaluator.free): evaluator.submit(...)
                task, value = next(evaluator)

    A task that fails raises TaskError from `next`, once, in its place; all others go on, and so may the
    iteration. One thread uses an evaluator, whichever it is; only `cancel` may be called from another.
    Raises WinnableError when the engine cannot be reached.
    """

    def __init__(self, engine: Engine, in_flight: int | None = None, ordered: bool = False) -> None:
        if in_flight is not None:
            whole("in_flight", in_flight, 1)
        self._engine = engine
        self._ordered = ordered
        self._lanes = [_Lane(engine) for _ in range(engine.lanes)]
        if not engine.blocking:
            self._lanes[0].open()
        workable = self._lanes[0].depth * engine.lanes
        self.in_flight = in_flight or (ORDERED_IN_FLIGHT if ordered else workable)
        self._waiting: deque[_Task] = deque()
        self._suspects: deque[_Task] = deque()
        # by task number, in order of completion: task id, and the value or the TaskError
        self._outcomes: dict[int, tuple[Any, Any]] = {}
        self._submitted = 0
        self._delivered = 0
        self._arrivals: SimpleQueue[_Arrival | None] = SimpleQueue()
        self._ended = False

    @property
    def outstanding(self) -> int:
        """Submitted and not delivered yet."""
        return self._submitted - self._delivered

    @property
    def free(self) -> int:
        """How many more tasks may be submitted before `in_flight` are outstanding."""
        return 0 if self._ended else max(0, self.in_flight - self.outstanding)

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled or closed."""
        return self._ended

    def submit(self, task: Any, function: Callable[..., Any], *args: Any) -> None:
        """Queues `function(*args)` under the id `task`, any value; workers import the function by its name.
        Never waits. What cannot be pickled is a TaskError in its place among the results."""
        number = self._submitted
        self._submitted += 1
        call: Any = (function, args)
        if not self._engine.blocking:
            try:
                call = pickle.dumps(call)
            except Exception as error:
                self._outcomes[number] = task, TaskError(task, f"cannot go to a worker: {said(error)}")
                return
        self._waiting.append(_Task(task, number, call))
        if not self._engine.blocking:
            self._feed()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> tuple[Any, Any]:
        """Waits for the next result. Raises TaskError; WinnableError when the engine is gone; StopIteration
        when nothing is outstanding, or after `cancel`."""
        if (found := finish(self.following())) is None:
            raise StopIteration
        return found

    def following(self) -> Search[tuple[Any, Any] | None]:
        """The next result; None in place of StopIteration. Raises likewise."""
        while not self._ended and self.outstanding:
            self._collect(wait=False)
            number = self._deliverable()
            if not self._engine.blocking:
                self._feed()
            if number is not None:
                return self._deliver(number)
            if self._engine.blocking:
                yield from self._run(self._waiting.popleft())
            else:
                self._collect(wait=True)
            yield Progress("tuning", self._delivered, self._submitted, 0.0)
        return None

    def _run(self, task: _Task) -> Search[None]:
        """In this thread."""
        function, args = task.call
        try:
            value = yield from begun(partial(function, *args))
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:
            self._fail(task, TaskError(task.id, said(error)), error)
        else:
            self._outcomes[task.number] = task.id, value

    def cancel(self) -> None:
        """Called from any thread: the iteration ends at once, without the outstanding results. In process,
        the running task comes to its end before."""
        self._ended = True
        self._arrivals.put(None)

    def close(self) -> None:
        """Ends all workers of ours, whatever they run. May be called again."""
        self.cancel()
        for lane in self._lanes:
            lane.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _deliverable(self) -> int | None:
        if self._ordered:
            return self._delivered if self._delivered in self._outcomes else None
        return next(iter(self._outcomes), None)

    def _deliver(self, number: int) -> tuple[Any, Any]:
        self._delivered += 1
        task, value = self._outcomes.pop(number)
        if isinstance(value, TaskError):
            raise value
        return task, value

    def _feed(self) -> None:
        """Gives waiting tasks to lanes that take them; suspects go first."""
        while not self._ended:
            queue = self._suspects or self._waiting
            if not queue or sum(len(lane.running) for lane in self._lanes) >= self.in_flight:
                return
            lane = next((lane for lane in self._lanes if lane.takes(queue is self._suspects)), None)
            if lane is None:
                return
            task = queue[0]
            executor, future = lane.start(task)
            queue.popleft()
            lane.running.add(task)
            future.add_done_callback(partial(self._arrive, task, lane, executor))

    def _arrive(self, task: _Task, lane: _Lane, executor: Executor, future: Future[Any]) -> None:
        """In any thread."""
        self._arrivals.put(_Arrival(task, lane, executor, future))

    def _collect(self, wait: bool) -> None:
        """Takes what has arrived."""
        with suppress(Empty):
            while (arrival := self._arrivals.get(wait, POLL_SECONDS)) is not None:
                self._take(arrival)
                wait = False

    def _take(self, arrival: _Arrival) -> None:
        task = arrival.task
        arrival.lane.running.discard(task)
        future = arrival.future
        error = CancelledError() if future.cancelled() else future.exception()
        if error is None:
            self._outcomes[task.number] = task.id, self._value(task, future.result())
        elif isinstance(error, CancelledError):
            self._lost(arrival, error)
        elif isinstance(error, (BrokenExecutor, *self._engine.killed)):
            self._died(arrival, error)
        else:
            self._fail(task, TaskError(task.id, said(error)), error)

    def _value(self, task: _Task, result: Any) -> Any:
        """The value, or the TaskError, that `run_pickled` sent back."""
        trace = ""
        try:
            pickled, message, trace = result
            if pickled is not None:
                return pickle.loads(pickled)
        except Exception as error:
            message = f"its value cannot be read: {said(error)}"
        failure = TaskError(task.id, message)
        if trace:
            failure.add_note(trace)
        return failure

    def _died(self, arrival: _Arrival, error: BaseException) -> None:
        """All tasks of a broken executor arrive here; none is blamed before it was alone."""
        task, ending = arrival.task, ""
        verdict = isinstance(error, self._engine.killed)  # of a scheduler that has tried more than once
        if not verdict and arrival.executor is arrival.lane.executor:
            ending = arrival.lane.stop()
        task.deaths += 2 if verdict else 1
        if task.deaths < TRIES:
            self._suspects.append(task)
            return
        message = "its worker died each time that it was tried, at least"
        message = f"{message} {TRIES} times ({ending or type(error).__name__})"
        self._fail(task, TaskKillsWorker(task.id, message), error)

    def _lost(self, arrival: _Arrival, error: BaseException) -> None:
        """Cancelled, and not by us: a scheduler went away. No task is to blame."""
        task = arrival.task
        if arrival.executor is arrival.lane.executor:
            arrival.lane.stop()
        task.losses += 1
        if task.losses < TRIES:
            (self._suspects if task.deaths else self._waiting).appendleft(task)
        else:
            self._fail(task, TaskError(task.id, f"cancelled {TRIES} times by {self._engine.name}"), error)

    def _fail(self, task: _Task, failure: TaskError, cause: BaseException) -> None:
        failure.__cause__ = cause
        self._outcomes[task.number] = task.id, failure
