"""The tuning runs of a server: one at a time, in a thread or in processes of its own, whoever looks.

A run belongs to no page: it goes on when all are closed, and each page that asked for `runs` hears of it.
When the server ends, the last generation is kept and the run can be resumed.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias, assert_never

from winnable.analysis.engine import engine
from winnable.contract.core import Budget, Progress, WinnableError
from winnable.contract.methods import Wanted
from winnable.contract.registry import load_game
from winnable.store.database import Store, StoreError
from winnable.tuning import runs
from winnable.tuning.curve import MOST_POINTS, curves_svg, thinned
from winnable.tuning.engines import make_engine
from winnable.tuning.runs import Generation, Run
from winnable.tuning.tuned import as_json_file, weights_of
from winnable.tuning.tuner import Tuner
from winnable.web import tuning_protocol as protocol
from winnable.web.events import Event, FileEvent
from winnable.web.jobs import Job, Jobs, at_the_end
from winnable.web.tuning_protocol import RunEvent, RunsEvent, TunableEvent, TuneRequest, TuningEvent

POST_SECONDS, POLL_SECONDS = 0.1, 0.02
CLOSE_SECONDS = 2.0
"""How long the end of the server waits for a run's last word."""
BUSY = "run.busy"

Send: TypeAlias = Callable[[Event], None]
Refuse: TypeAlias = Callable[[WinnableError], None]
Stage: TypeAlias = Literal["starting", "tuning", "comparing"]


class Tunings:
    """All methods are called on the event loop, except `close`, and return at once."""

    def __init__(self, store: Store, jobs: Jobs) -> None:
        self._store, self._jobs = store, jobs
        self._followers: list[Send] = []
        self._under_way: _UnderWay | None = None

    def handle(self, request: TuneRequest, send: Send, refuse: Refuse) -> None:
        """Does what the request asks for. Raises WinnableError for what can be refused at once."""
        match request:
            case protocol.Runs():
                if send not in self._followers:
                    self._followers.append(send)
                self._jobs.answer(self._listed, send, refuse)
            case protocol.Tune() | protocol.TuneResume():
                self._start(request, send, refuse)
            case protocol.TuneStop():
                self._stop(request.run)
            case protocol.RunOpen():
                self._jobs.answer(lambda: _opened(self._store, request.run), send, refuse)
            case protocol.RunExport():
                self._jobs.answer(lambda: _exported(self._store, request), send, refuse)
            case protocol.TunableOpen():
                self._jobs.answer(lambda: _weights(request), send, refuse)
            case protocol.RunDelete():
                if self._under_way is not None and self._under_way.run_id == request.run:
                    self._under_way.stop()
                self._store.delete_run(request.run)
                self._tell_runs()
            case _:
                assert_never(request)

    def leave(self, send: Send) -> None:
        """Tells this page nothing more."""
        if send in self._followers:
            self._followers.remove(send)

    def close(self) -> None:
        """Stops the run and waits a moment for its last word. From any thread."""
        under_way = self._under_way
        if under_way is not None:
            under_way.stop()
            under_way.ended.wait(CLOSE_SECONDS)

    def _start(self, request: protocol.Tune | protocol.TuneResume, send: Send, refuse: Refuse) -> None:
        if self._under_way is not None:
            raise WinnableError(BUSY)
        if sys.platform == "emscripten":  # a browser's Python has neither threads nor numpy
            raise WinnableError("run.install")
        self._under_way, budget = _UnderWay(self._store, request), Budget()
        job = self._jobs.stream("tune", self._under_way.told(budget), budget, nice=False, small=True)
        self._under_way.job = job
        self._jobs.follow(job, self._follow(job, send), refuse)

    async def _follow(self, job: Job[RunEvent | TuningEvent], send: Send) -> None:
        with at_the_end(self._end):
            async for event in job.told(self._tell):
                if isinstance(event, RunEvent):
                    send(event)
                    self._tell_runs()
                else:
                    self._tell(event)

    def _end(self) -> None:
        self._under_way = None
        self._tell_runs()

    def _stop(self, run: str) -> None:
        if self._under_way is None or self._under_way.run_id != run:
            raise WinnableError("run.idle", field="run", given=run)
        self._under_way.stop()

    def _tell(self, event: Event) -> None:
        for send in list(self._followers):
            send(event)

    def _tell_runs(self) -> None:
        self._jobs.answer(self._listed, self._tell, lambda error: None)

    def _listed(self) -> RunsEvent:
        return RunsEvent(runs.listed(self._store))


def _opened(store: Store, id: str) -> RunEvent:
    return RunEvent(runs.load(store, id), thinned(runs.generations(store, id), MOST_POINTS))


class _UnderWay:
    """The run that is being worked on. `stop` may be called from any thread, also before it has begun."""

    def __init__(self, store: Store, request: protocol.Tune | protocol.TuneResume) -> None:
        self.run_id = ""
        self.ended = threading.Event()
        self.job: Job[RunEvent | TuningEvent] | None = None
        self._store, self._request = store, request
        self._tuner: Tuner | None = None
        self._lock = threading.Lock()
        self._stopped = False
        self._stages: queue.SimpleQueue[Stage] = queue.SimpleQueue()
        self._new: list[Generation] = []
        self._posted = 0.0
        self._judged = 0
        self._error: Exception | None = None

    def told(self, budget: Budget) -> Iterator[Progress | RunEvent | TuningEvent]:
        """What comes of it."""
        try:
            run = _run_of(self._store, self._request)
            self.run_id, self._judged = run.id, run.latest.evaluations if run.latest else 0
            yield _opened(self._store, run.id)
            yield self._event("starting")
            yield from engine().ready(load_game(run.game), budget, None)
            yield from self._tuned(run)
        finally:
            self.stop()
            self.ended.set()

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._tuner is not None:
                self._tuner.stop()
            elif self.job is not None:
                self.job.cancel()  # it may wait for kernels

    def _tuned(self, run: Run) -> Iterator[Progress | TuningEvent]:
        """In a thread of its own: judging one candidate may take long."""
        thread = threading.Thread(target=self._carry_out, args=(run,), name="winnable-tuner", daemon=True)
        thread.start()
        while thread.is_alive() or not self._stages.empty():
            try:
                yield self._event(self._stages.get(timeout=POLL_SECONDS))
            except queue.Empty:
                yield Progress("tuning", self._judged, self._judged, 0.0)
        if self._new:
            yield self._event("tuning")
        if self._error is not None:
            raise self._error

    def _carry_out(self, run: Run) -> None:
        try:
            tuner = Tuner(
                self._store,
                run,
                make_engine(self._request.workers if self._request.workers > 1 else None),
                on_judged=self._count,
                on_generation=self._new.append,
                on_comparing=lambda: self._stages.put("comparing"),
            )
            with self._lock:
                self._tuner = tuner
                if self._stopped:
                    tuner.stop()
            tuner.work()
            if tuner.recorder.trouble:
                raise WinnableError("run.unkept", reason=tuner.recorder.trouble)
        except StoreError as error:
            self._error = None if self._stopped else error  # it was deleted, maybe before its tuner was made
        except Exception as error:
            self._error = error

    def _count(self, evaluations: int) -> None:
        if evaluations > self._judged:
            self._judged = evaluations
            if time.monotonic() - self._posted >= POST_SECONDS:
                self._posted = time.monotonic()
                self._stages.put("tuning")

    def _event(self, stage: Stage) -> TuningEvent:
        new = list(self._new)
        del self._new[: len(new)]
        return TuningEvent(self.run_id, stage, self._judged, new)


def _run_of(store: Store, request: protocol.Tune | protocol.TuneResume) -> Run:
    if isinstance(request, protocol.TuneResume):
        run = runs.load(store, request.run)
        runs.check_resumable(run)
        return run
    optimizer = Wanted(request.optimizer, request.settings)
    return runs.new_run(
        store, request.game, request.tunable, optimizer, request.evaluations, request.seed, held=request.held
    )


def _weights(request: protocol.TunableOpen) -> TunableEvent:
    found = runs.find_tunable(request.game, request.tunable)
    return TunableEvent(request.game, request.tunable, dict(zip(found.genes, found.start, strict=True)))


def _exported(store: Store, request: protocol.RunExport) -> FileEvent:
    found = [runs.load(store, id) for id in request.runs]
    stem = "-".join([found[0].game, found[0].tunable, *request.runs])
    if request.format == "jsonl":
        return FileEvent(f"{stem}.jsonl", runs.as_jsonl(store, found[0]).decode())
    if request.format == "weights":
        return FileEvent(f"{stem}.json", as_json_file(weights_of(found[0])).decode())
    title = ", ".join(dict.fromkeys(f"{run.game} {run.tunable}" for run in found))
    return FileEvent(f"{stem}.svg", curves_svg(title, [runs.curve(store, run) for run in found]))
