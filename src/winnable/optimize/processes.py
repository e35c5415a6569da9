"""Worker processes that judge genomes, and end with the search that asks them."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from winnable.optimize.base import Floats, checked_loss

CHUNKS = 4
"""Of a generation, for each worker: one that has cheap genomes goes on with others."""
_GUARD = "the main part of a script must be guarded by `if __name__ == '__main__':`"
_sent: list[Any] = []
"""In a worker: the loss as it came, then as it is read."""


class _Context(SpawnContext):
    """Remembers the processes that it made: a pool does not tell."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # pyright: ignore
        process = SpawnProcess(*args, **kwargs)
        self.made.append(process)
        return process


class Processes:
    """Worker processes (spawned), which start with the first genomes. The loss is sent once to each."""

    def __init__(self, loss: Callable[[Floats], Any], workers: int) -> None:
        """Raises ValueError."""
        try:
            sent = pickle.dumps(loss)
        except Exception as error:  # pickle raises whatever an object does
            said = "cannot be sent to worker processes; a function at the top level of a module can be"
            raise ValueError(f"fun: it or one of `args` {said} ({error})") from None
        self._workers, self._context = workers, _Context()
        self._pool = ProcessPoolExecutor(workers, self._context, initializer=_begin, initargs=(sent,))

    def __call__(self, genomes: Floats, first: int) -> list[float]:
        """first: which evaluation the first genome is. Raises as `judging.Judge`."""
        size = max(1, len(genomes) // (CHUNKS * self._workers))
        try:
            judged = [
                self._pool.submit(_judge, genomes[at : at + size], first + at)
                for at in range(0, len(genomes), size)
            ]
            return [value for part in judged for value in part.result()]
        except BrokenExecutor as error:
            self._pool.shutdown()  # which ends the others
            codes = {process.exitcode for process in self._context.made} - {None, 0, -signal.SIGTERM}
            code = f" (exit code {', '.join(map(str, codes))})" if codes else ""
            ended = f"a worker process ended before it had judged its genomes{code}"
            raise RuntimeError(f"workers: {ended}; {_GUARD}") from error

    def end(self) -> None:
        """Soon, whatever they are at."""
        for process in self._context.made:
            if process.pid is not None:
                process.kill()
        # The pool's thread alone joins them: of two that do, one returns while the other is yet to note it.
        self._pool.shutdown(cancel_futures=True)


def _begin(sent: bytes) -> None:
    """In a worker: Ctrl-C is for the parent, which ends us; and when it is gone, so are we."""
    _sent[:] = [sent]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def _judge(genomes: Floats, first: int) -> list[float]:
    """In a worker. What cannot go back as it is goes back as words."""
    if isinstance(_sent[0], bytes):
        try:
            _sent[0] = pickle.loads(_sent[0])
        except Exception as error:
            said = "it must stand in a module that they import, not in a notebook or on a prompt"
            raise ValueError(f"fun: worker processes cannot read it ({error}); {said}") from None
    try:
        return [checked_loss(_sent[0](genome), first + place) for place, genome in enumerate(genomes)]
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            raise RuntimeError(f"fun: {type(error).__name__}: {error}") from None
        raise
