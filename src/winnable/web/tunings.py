"""The tuning runs of a server: one at a time, in a thread or in processes of its own, whoever looks.

A run belongs to no page: it goes on when all are closed, and each page that asked for `runs` hears of it.
When the server ends, the last generation is kept and the run can be resumed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Literal, TypeAlias

from winnable.contract.core import WinnableError
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
from winnable.web.jobs import Job, Jobs, Outcome
from winnable.web.kernels import Kernels
from winnable.web.tuning_protocol import RunEvent, RunsEvent, TunableEvent, TuneRequest, TuningEvent

POST_SECONDS = 0.1
CLOSE_SECONDS = 2.0
"""How long the end of the server waits for a run's last word."""
BUSY = "run.busy"

Send: TypeAlias = Callable[[Event], None]
Refuse: TypeAlias = Callable[[WinnableError], None]
Stage: TypeAlias = Literal["starting", "tuning", "comparing"]


class Tunings:
    """All methods are called on the event loop, except `close`, and return at once."""

    def __init__(self, store: Store, jobs: Jobs, kernels: Kernels) -> None:
        self._store, self._jobs, self._kernels = store, jobs, kernels
        self._followers: list[Send] = []
        self._under_way: _UnderWay | None = None

    def handle(self, request: TuneRequest, send: Send, refuse: Refuse) -> None:
        """Raises WinnableError for what can be refused at once."""
        match request:
            case protocol.Runs():
                if send not in self._followers:
                    self._followers.append(send)
                self._answer(self._listed, send, refuse)
            case protocol.Tune() | protocol.TuneResume():
                self._start(request, send, refuse)
            case protocol.TuneStop():
                self._stop(request.run)
            case protocol.RunOpen():
                self._answer(lambda: self._opened(request.run), send, refuse)
            case protocol.RunExport():
                self._answer(lambda: _exported(self._store, request), send, refuse)
            case protocol.TunableOpen():
                self._answer(lambda: _weights(request), send, refuse)
            case protocol.RunDelete():
                if self._under_way is not None and self._under_way.run_id == request.run:
                    self._under_way.stop()
                self._store.delete_run(request.run)
                self._tell_runs()

    def leave(self, send: Send) -> None:
        if send in self._followers:
            self._followers.remove(send)

    def close(self) -> None:
        """From any thread: stops the run and waits a moment for its last word."""
        under_way = self._under_way
        if under_way is not None:
            under_way.stop()
            under_way.ended.wait(CLOSE_SECONDS)

    def _start(self, request: protocol.Tune | protocol.TuneResume, send: Send, refuse: Refuse) -> None:
        if self._under_way is not None:
            raise WinnableError(BUSY)
        under_way = self._under_way = _UnderWay(self._tell)

        def work(job: Job) -> None:
            try:
                run = _run_of(self._store, request)
                under_way.begin(job, run.id, RunEvent(run, self._course(run.id)), send)
                job.call(self._tell_runs)
                self._kernels.wait(job, load_game(run.game), self._tell, None)
                under_way.carry_out(self._store, run, request.workers)
            finally:
                under_way.ended.set()

        def done(outcome: Outcome) -> None:
            self._under_way = None
            if outcome.error:
                refuse(outcome.error)
            self._tell_runs()

        self._jobs.submit("tune", work, done)

    def _stop(self, run: str) -> None:
        if self._under_way is None or self._under_way.run_id != run:
            raise WinnableError("run.idle", field="run", given=run)
        self._under_way.stop()

    def _tell(self, event: Event) -> None:
        for send in list(self._followers):
            send(event)

    def _tell_runs(self) -> None:
        self._answer(self._listed, self._tell, lambda error: None)

    def _answer(self, read: Callable[[], Event], send: Send, refuse: Refuse) -> None:
        """Reading may take a while: not on the event loop."""

        def done(outcome: Outcome) -> None:
            if outcome.error:
                refuse(outcome.error)
            elif outcome.value is not None:
                send(outcome.value)

        self._jobs.submit("load", lambda _: read(), done)

    def _listed(self) -> RunsEvent:
        return RunsEvent(runs.listed(self._store))

    def _opened(self, id: str) -> RunEvent:
        return RunEvent(runs.load(self._store, id), self._course(id))

    def _course(self, id: str) -> list[Generation]:
        return thinned(runs.generations(self._store, id), MOST_POINTS)


class _UnderWay:
    """The run that is being worked on. `begin` and `carry_out` are called in its thread."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self.run_id = ""
        self.ended = threading.Event()
        self._tell = tell
        self._job: Job | None = None
        self._tuner: Tuner | None = None
        self._lock = threading.Lock()
        self._stopped = False
        self._new: list[Generation] = []
        self._posted = 0.0
        self._judged = 0

    def begin(self, job: Job, id: str, opened: RunEvent, send: Send) -> None:
        self._job, self.run_id = job, id
        self._judged = opened.run.latest.evaluations if opened.run.latest else 0
        job.call(send, opened)
        self._post("starting")

    def carry_out(self, store: Store, run: Run, workers: int) -> None:
        try:
            tuner = Tuner(
                store,
                run,
                make_engine(workers if workers > 1 else None),
                on_judged=self._count,
                on_generation=self._new.append,
                on_comparing=lambda: self._post("comparing"),
            )
            with self._lock:
                self._tuner = tuner
                if self._stopped:
                    tuner.stop()
            tuner.work()
        except StoreError:
            if not self._stopped:
                raise
            return  # it was deleted, maybe before its tuner was made
        finally:
            if self._new:
                self._post("tuning")
        if tuner.recorder.trouble:
            raise WinnableError("run.unkept", reason=tuner.recorder.trouble)

    def stop(self) -> None:
        """From any thread, also before it has begun."""
        with self._lock:
            self._stopped = True
            if self._tuner is not None:
                self._tuner.stop()
            elif self._job is not None:
                self._job.cancel()  # it may wait for kernels

    def _count(self, evaluations: int) -> None:
        if evaluations > self._judged:
            self._judged = evaluations
            if time.monotonic() - self._posted >= POST_SECONDS:
                self._post("tuning")

    def _post(self, stage: Stage) -> None:
        assert self._job is not None
        self._posted = time.monotonic()
        new = list(self._new)
        self._new.clear()
        self._job.call(self._tell, TuningEvent(self.run_id, stage, self._judged, new))


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
