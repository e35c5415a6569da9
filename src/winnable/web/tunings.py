"""The tuning runs of a server: one at a time, here or in processes of its own, whoever looks.

A run belongs to no page: it goes on when all are closed, and each page that asked for `runs` hears of it.
When the server ends, the last generation is kept and the run can be resumed.
"""

from __future__ import annotations

import threading
import time
from asyncio import TimerHandle
from collections.abc import Callable, Iterator
from inspect import isgeneratorfunction
from typing import Literal, TypeAlias, assert_never

from winnable.analysis.engine import engine
from winnable.contract.core import Budget, Progress, WinnableError
from winnable.contract.methods import Wanted
from winnable.contract.registry import load_game
from winnable.store.database import Store, StoreError
from winnable.tuning import runs
from winnable.tuning.curve import MOST_POINTS, curves_svg, thinned
from winnable.tuning.runs import Generation, Run
from winnable.tuning.tuned import as_json_file, weights_of
from winnable.tuning.tuner import Tuner
from winnable.web import tuning_protocol as protocol
from winnable.web.events import Event, FileEvent
from winnable.web.jobs import Job, Jobs, at_the_end
from winnable.web.tuning_protocol import RunEvent, RunsEvent, TunableEvent, TuneRequest, TuningEvent
from winnable.workers.engines import make_engine

POST_SECONDS = 0.1
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
        self._timer: TimerHandle | None = None

    def handle(self, request: TuneRequest, send: Send, refuse: Refuse) -> None:
        """Does what the request asks for. Raises WinnableError for what can be refused at once."""
        match request:
            case protocol.Runs():
                if send not in self._followers:
                    self._followers.append(send)
                self.tell_runs(send, refuse)
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
                self.tell_runs()
            case _:
                assert_never(request)

    def leave(self, send: Send) -> None:
        """Tells this page nothing more."""
        if send in self._followers:
            self._followers.remove(send)

    def tell_runs(self, send: Send | None = None, refuse: Refuse = lambda error: None) -> None:
        """Tells which runs there are: this page, or all that ever asked."""

        def hear(event: RunsEvent) -> None:
            (send or self._tell)(event)
            if self._under_way is None and any(run.status == "running" for run in event.runs):
                self._look_again()

        self._jobs.answer(lambda: RunsEvent(runs.listed(self._store)), hear, refuse)

    def close(self) -> None:
        """Stops the run and waits a moment for its last word. From any thread."""
        under_way = self._under_way
        if under_way is not None:
            under_way.stop()
            under_way.ended.wait(CLOSE_SECONDS)

    def _start(self, request: protocol.Tune | protocol.TuneResume, send: Send, refuse: Refuse) -> None:
        if self._under_way is not None:
            raise WinnableError(BUSY)
        if request.workers > 1 and not self._jobs.has_threads:
            raise WinnableError("run.workers", field="workers")
        self._under_way = under_way = _UnderWay(self._store, request, self._jobs.has_threads)
        job = self._jobs.stream("tune", under_way.told(), under_way.budget, nice=False, small=True)
        self._jobs.follow(job, self._follow(job, send), refuse)

    async def _follow(self, job: Job[RunEvent | TuningEvent], send: Send) -> None:
        with at_the_end(self._end):
            async for event in job.told(self._tell):
                if isinstance(event, RunEvent):
                    send(event)
                    self.tell_runs()
                else:
                    self._tell(event)

    def _end(self) -> None:
        self._under_way = None
        self.tell_runs()

    def _stop(self, run: str) -> None:
        if self._under_way is None or self._under_way.run_id != run:
            raise WinnableError("run.idle", field="run", given=run)
        self._under_way.stop()

    def _tell(self, event: Event) -> None:
        for send in list(self._followers):
            send(event)

    def _look_again(self) -> None:
        """Later: who worked on a run may have been ended without a word, as by a page that is opened anew."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._jobs.later(runs.SILENT_SECONDS, self.tell_runs)


def _opened(store: Store, id: str) -> RunEvent:
    return RunEvent(runs.load(store, id), thinned(runs.generations(store, id), MOST_POINTS))


class _UnderWay:
    """The run that is being worked on. `stop` may be called from any thread, also before it has begun."""

    def __init__(self, store: Store, request: protocol.Tune | protocol.TuneResume, has_threads: bool) -> None:
        self.run_id, self.budget = "", Budget()
        self.ended = threading.Event()
        self._store, self._request, self._has_threads = store, request, has_threads
        self._stage: Stage = "starting"
        self._new: list[Generation] = []
        self._judged = 0

    def told(self) -> Iterator[Progress | RunEvent | TuningEvent]:
        """What comes of it."""
        try:
            run = _run_of(self._store, self._request, self._has_threads)
            self.run_id, self._judged = run.id, run.latest.evaluations if run.latest else 0
            yield _opened(self._store, run.id)
            yield self._event()
            yield from engine().ready(load_game(run.game), self.budget, None)
            try:
                if not self.budget.is_cancelled:
                    yield from self._carried_out(run)
            except StoreError:
                if not self.budget.is_cancelled:  # it was deleted, maybe before its tuner was made
                    raise
        finally:
            self.ended.set()

    def stop(self) -> None:
        self.budget.cancel()

    def _carried_out(self, run: Run) -> Iterator[Progress | TuningEvent]:
        tuner = Tuner(
            self._store,
            run,
            make_engine(self._request.workers if self._request.workers > 1 else None),
            threads=self._has_threads,
            on_judged=self._count,
            on_generation=self._new.append,
            on_comparing=self._compare,
        )
        told, posted = (self._stage, self._judged), time.monotonic()
        for progress in tuner.search():
            yield progress
            if self.budget.is_cancelled:
                tuner.stop()
            now = self._stage, self._judged
            if now[0] != told[0] or (now != told and time.monotonic() - posted >= POST_SECONDS):
                told, posted = now, time.monotonic()
                yield self._event()
        if self._new:
            yield self._event()
        if tuner.recorder.trouble:
            raise WinnableError("run.unkept", reason=tuner.recorder.trouble)

    def _count(self, evaluations: int) -> None:
        self._stage = "tuning"
        self._judged = max(self._judged, evaluations)

    def _compare(self) -> None:
        self._stage = "comparing"

    def _event(self) -> TuningEvent:
        new = list(self._new)
        self._new.clear()
        return TuningEvent(self.run_id, self._stage, self._judged, new)


def _run_of(store: Store, request: protocol.Tune | protocol.TuneResume, has_threads: bool) -> Run:
    if isinstance(request, protocol.TuneResume):
        run = runs.load(store, request.run)
        runs.check_resumable(run)
        _check_place(run.game, run.tunable, has_threads)
        return run
    _check_place(request.game, request.tunable, has_threads)
    optimizer = Wanted(request.optimizer, request.settings)
    return runs.new_run(
        store, request.game, request.tunable, optimizer, request.evaluations, request.seed, held=request.held
    )


def _check_place(game: str, tunable: str, has_threads: bool) -> None:
    """Raises WinnableError where judging a candidate would let nobody in for long."""
    if not (has_threads or isgeneratorfunction(runs.find_tunable(game, tunable).evaluate)):
        raise WinnableError("run.long", field="tunable", given=tunable)


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
