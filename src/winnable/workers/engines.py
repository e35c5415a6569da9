"""Where tasks run: in process, on worker processes, on a Dask cluster; `executor.py` uses them."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import suppress
from ctypes import c_bool
from importlib import import_module
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.sharedctypes import RawValue
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit

from winnable import __version__
from winnable.contract.arguments import of_kind, whole
from winnable.contract.core import WinnableError, finish
from winnable.search.memory import PROGRAM_MB, for_a_search, machine_mb

P = ParamSpec("P")
T = TypeVar("T")

MAX_WORKERS = 1024
CONNECT_SECONDS = 10.0
"""For a scheduler to answer."""
STOP_SECONDS = 5.0
"""For a killed process, or for a connection, to end."""

log = logging.getLogger("winnable.workers.engines")


def make_engine(workers: int | str | None = None, executor: str | Executor | None = None) -> Engine:
    """Makes the engine where tasks run: in this process by default; on so many `workers`, processes of this
    machine, `auto` as many as its cores and memory allow; or where `executor` says: a cluster, see
    `parse_executor`, or any executor of the standard library's kind, which stays open. Starts nothing. Raises
    WinnableError that names the field."""
    if executor is not None:
        if workers is not None:
            raise WinnableError("engine.both", field="executor")
        if isinstance(executor, Executor):
            return Theirs(executor)
        if executor == "slurm":
            return Slurm()
        return Cluster(parse_executor(of_kind("executor", executor, str)))
    if workers is None:
        return InProcess()
    return Processes(_auto() if workers == "auto" else _count(workers))


def _count(workers: int | str) -> int:
    if not isinstance(workers, str):
        return whole("workers", workers, 1, MAX_WORKERS)
    if not (workers.isascii() and workers.isdigit() and 1 <= int(workers[:9]) <= MAX_WORKERS):
        raise WinnableError("engine.workers", field="workers", given=workers[:40], most=MAX_WORKERS)
    return int(workers)


def _auto() -> int:
    """As many as there are cores for, and memory for the tables of a search each."""
    known = getattr(os, "sched_getaffinity", None)  # Linux alone says which cores are ours
    cores = len(known(0)) if known else os.cpu_count() or 1
    memory = machine_mb()
    return max(1, min(cores, MAX_WORKERS, memory // (PROGRAM_MB + for_a_search()) if memory else cores))


def parse_executor(text: str) -> str:
    """`dask://HOST:PORT` -> `tcp://HOST:PORT`. Raises WinnableError that says what is wrong with it."""
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError as error:  # a port that is no number, or brackets that do not match
        raise WinnableError("engine.address", field="executor", given=text, reason=str(error)) from None
    wrong = {
        "engine.scheme": parts.scheme != "dask",
        "engine.host": not host,
        "engine.port": not port,
        "engine.around": "@" in parts.netloc or parts.path.strip("/") or parts.query or parts.fragment,
    }
    for code, holds in wrong.items():
        if holds:
            raise WinnableError(code, field="executor", given=text)
    return f"tcp://[{host}]:{port}" if ":" in str(host) else f"tcp://{host}:{port}"


class Engine:
    """Makes executors.

    open:     makes one
    name:     for people
    depth:    how many tasks an executor is given at a time
    lanes:    how many executors run side by side. When one of depth 1 breaks, its task is known to be guilty,
              and no other loses its work.
    chunk:    how many requests of a batch are one task
    blocking: tasks are not pickled, and run here when their result is asked for; nothing is opened
    killed:   besides BrokenExecutor: what a future raises for a task whose workers died again and again
    """

    blocking = False
    chunk = 1
    killed: tuple[type[BaseException], ...] = ()

    def __init__(self, open: Callable[[], Executor], name: str, depth: int = 1, lanes: int = 1) -> None:
        self.open = open
        self.name = name
        self._depth = depth
        self.lanes = lanes

    def depth(self, executor: Executor) -> int:
        """How many tasks this executor is given at a time."""
        return self._depth

    def stop(self, executor: Executor) -> str:
        """Ends it soon, whatever it runs. How its workers ended, for people, or ""."""
        executor.shutdown(wait=False, cancel_futures=True)
        return ""


def run_pickled(call: bytes) -> tuple[bytes | None, str, str]:
    """Runs a task in a worker: the pickled value; or None, what was raised, and its traceback. Exceptions
    travel as text, because many cannot be pickled, or pickle and never come back."""
    try:
        function, args = pickle.loads(call)
        return pickle.dumps(finish(function(*args))), "", ""
    except BaseException as error:
        return None, said(error), traceback.format_exc()


def said(error: BaseException) -> str:
    """The error as people read it."""
    return str(error) if isinstance(error, WinnableError) else f"{type(error).__name__}: {error}"


class InProcess(Engine):
    """One task after another in the calling thread: no processes, no threads, nothing pickled."""

    blocking = True

    def __init__(self) -> None:
        super().__init__(Executor, "in process")


class Processes(Engine):
    """So many worker processes (spawned), each a pool of one: a worker that dies takes nothing else along,
    and what it ran is known. They end with this process, however that ends."""

    def __init__(self, workers: int) -> None:
        super().__init__(_Worker, f"{workers} worker processes", lanes=workers)

    def stop(self, executor: Executor) -> str:
        """Kills the worker's process, and says how it ended."""
        assert isinstance(executor, _Worker)
        return executor.kill()


class _Context(SpawnContext):
    """Remembers the processes that it made: a pool does not tell."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # pyright: ignore
        process = SpawnProcess(*args, **kwargs)
        self.made.append(process)
        return process


class _Worker(ProcessPoolExecutor):
    """A pool of one process, which starts with the first task."""

    def __init__(self) -> None:
        self._context = _Context()
        self._began = RawValue(c_bool, False)
        super().__init__(1, mp_context=self._context, initializer=_begin_worker, initargs=(self._began,))

    def kill(self) -> str:
        """Ends the process, and says how it ended."""
        self.shutdown(wait=False, cancel_futures=True)
        started = [process for process in self._context.made if process.pid is not None]
        for process in started:
            process.kill()
        until = time.monotonic() + STOP_SECONDS
        for process in started:
            process.join(STOP_SECONDS)
            while process.exitcode is None and time.monotonic() < until:
                time.sleep(0.001)  # the pool's own thread has collected it, and is about to tell
        endings = ", ".join(_ending(process.exitcode) for process in started)
        if self._began.value or not started:
            return endings
        return f"{endings} before it began; does the script guard its main part by __name__ == '__main__'?"


def _ending(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code}, {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


def _begin_worker(began: Any) -> None:
    """In a worker: Ctrl-C is for the parent, which ends us; and when it is gone, so are we."""
    began.value = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


class Theirs(Engine):
    """An executor that somebody else has opened, and closes."""

    def __init__(self, executor: Executor) -> None:
        super().__init__(lambda: executor, type(executor).__name__)

    def depth(self, executor: Executor) -> int:
        """Two tasks for each of its workers, as far as it says how many it has."""
        workers = getattr(executor, "_max_workers", None)
        return 2 * (workers if isinstance(workers, int) and workers > 0 else os.cpu_count() or 1)

    def stop(self, executor: Executor) -> str:
        """It is not ours to end."""
        return ""


def versions() -> str:
    """What tasks hang on, of this process: the same tasks have the same values where it is the same."""
    return f"winnable {__version__}, Python {sys.version_info[0]}.{sys.version_info[1]}"


class Cluster(Engine):
    """The Dask cluster whose scheduler is at `address`. Whoever may reach that scheduler may run any code on
    its workers; they need the same winnable and Python."""

    def __init__(self, address: str) -> None:
        try:
            self._distributed: Any = import_module("distributed")
        except ImportError as error:
            raise WinnableError("engine.extra", field="executor", reason=str(error)) from None
        super().__init__(self._connect, address.replace("tcp", "dask", 1))
        self._address = address
        self.killed = (self._distributed.KilledWorker,)

    def depth(self, executor: Executor) -> int:
        """Two tasks for each thread of a worker, so that none waits for the network."""
        assert isinstance(executor, _Client)
        threads = executor.threads()
        if not threads:
            log.warning("%s has no workers yet; tasks wait for them", self.name)
        return 2 * max(1, threads)

    def _connect(self) -> Executor:
        """In a thread of its own, because distributed keeps to no time-out when the other side is mute."""
        found: Future[Any] = Future()
        threading.Thread(target=self._find, args=(found,), daemon=True).start()
        try:
            return self._alike(found.result(CONNECT_SECONDS + 1))
        except WinnableError:
            raise
        except Exception as error:
            if not found.cancel() and found.exception() is None:  # it came just now
                return self._alike(found.result())
            raise WinnableError(
                "engine.scheduler",
                field="executor",
                name=self.name,
                seconds=CONNECT_SECONDS,
                reason=f"{type(error).__name__}: {error}",
            ) from None

    def _alike(self, client: Any) -> _Client:
        """The connection, unless a worker has another version of what tasks hang on; those that come later
        are asked by each request of a batch. Raises WinnableError that names the worker."""
        ours = versions()
        try:
            for worker, theirs in client.run(versions, on_error="return").items():
                if theirs != ours:
                    told = said(theirs) if isinstance(theirs, BaseException) else theirs
                    code, field = "engine.version", "executor"
                    raise WinnableError(code, field=field, name=worker, ours=ours, other=told)
        except WinnableError:
            client.close(timeout=STOP_SECONDS)
            raise
        return _Client(client)

    def _find(self, found: Future[Any]) -> None:
        try:
            client = self._distributed.Client(
                self._address, timeout=CONNECT_SECONDS, set_as_default=False, name="winnable"
            )
        except BaseException as error:
            with suppress(InvalidStateError):
                found.set_exception(error)
            return
        try:
            found.set_result(client)
        except InvalidStateError:  # too late: nobody waits any more
            client.close()


class Slurm(Engine):
    """Jobs of Slurm, CHUNK requests each, by submitit; their files lie in the folder `slurm` of where it was
    called. What a job needs beyond one core is said by Slurm's own variables, such as SBATCH_TIMELIMIT."""

    CHUNK = 64
    DEPTH = 10_000
    """Jobs that may wait in Slurm's queue."""

    def __init__(self, cluster: str = "slurm") -> None:
        """cluster: as submitit calls it. Raises WinnableError where submitit or Slurm is not there."""
        try:
            submitit: Any = import_module("submitit")
        except ImportError as error:
            raise WinnableError("engine.extra.slurm", field="executor", reason=str(error)) from None
        if cluster == "slurm" and shutil.which("srun") is None:
            raise WinnableError("engine.slurm", field="executor")
        self.chunk = self.CHUNK
        super().__init__(lambda: _Jobs(submitit, cluster), cluster, self.DEPTH)
        self.killed = (submitit.core.utils.UncompletedJobError,)


class _Jobs(Executor):
    """A job for each task; a thread asks how they are."""

    POLL_SECONDS = 1.0

    def __init__(self, submitit: Any, cluster: str) -> None:
        self._executor: Any = submitit.AutoExecutor("slurm", cluster=cluster)
        self._executor.update_parameters(name="winnable", cpus_per_task=1)
        self._waiting: dict[Future[Any], Any] = {}
        self._ended = threading.Event()
        threading.Thread(target=self._watch, name="winnable-slurm", daemon=True).start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        outcome: Future[T] = Future()
        self._waiting[outcome] = self._executor.submit(fn, *args, **kwargs)
        return outcome

    def _watch(self) -> None:
        while not self._ended.wait(self.POLL_SECONDS):
            for outcome, job in [*self._waiting.items()]:
                if not job.done():
                    continue
                del self._waiting[outcome]
                try:
                    outcome.set_result(job.result())
                except Exception as error:
                    outcome.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancels all jobs unless it is to `wait` for them."""
        if wait:
            wait_for(list(self._waiting))
        self._ended.set()
        for job in self._waiting.values():
            with suppress(Exception):
                job.cancel()


class _Client(Executor):
    """A connection to a scheduler, closed with its executor.

    It is not distributed's own executor (2026.8), which looks at a task again after its value has come. When
    the worker has died by then, the value counts as an error; and when that makes the task fail while the
    value is on its way, its future never ends.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._remote: dict[Future[Any], Any] = {}
        """Outcomes to come, and distributed's futures for them."""

    def threads(self) -> int:
        return sum(self._client.nthreads().values())

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        outcome: Future[T] = Future()
        remote = self._remote[outcome] = self._client.submit(fn, *args, pure=False, **kwargs)
        self._client.loop.add_callback(self._hand_on, remote, outcome)
        return outcome

    async def _hand_on(self, remote: Any, outcome: Future[Any]) -> None:
        """On the client's event loop, where to wait for `remote` is also to fetch anew what was lost."""
        try:
            outcome.set_result(await remote)
        except Exception as error:
            outcome.set_exception(error)
        except asyncio.CancelledError:  # the loop ends
            outcome.cancel()
            outcome.set_running_or_notify_cancel()
            raise
        finally:
            del self._remote[outcome]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancels what waits on the cluster unless it is to `wait` for it: what runs there comes to its end.
        A scheduler that is gone is no error."""
        with suppress(Exception):
            if wait:
                wait_for(list(self._remote))
            else:
                self._client.cancel(list(self._remote.values()))
        with suppress(Exception):
            self._client.close(timeout=STOP_SECONDS)
