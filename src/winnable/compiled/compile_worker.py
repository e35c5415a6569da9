"""A process that compiles kernels for others, and ends: what a compiler keeps in memory goes with it.

`python -m winnable.compiled.compile_worker work MIB` reads a `CompileRequest` a line and answers each with a
`Done`. A process that took more memory than so much ends, and another one goes on.
`python -m winnable.compiled.compile_worker record GAME` writes down the game's list (see `kernel_lists`);
nothing may have been compiled before.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import pkgutil
import sys
import time
from collections.abc import Generator, Iterator
from importlib import import_module
from types import FunctionType
from typing import IO, Any

import msgspec
from msgspec import Struct

from winnable.compiled import kernel_lists
from winnable.compiled.kernel_lists import Kernel, KernelList, Said
from winnable.contract.game import Game
from winnable.contract.registry import GAMES, load_game
from winnable.inert.late import Late
from winnable.store import caches

NICENESS = 5
"""Clicks, and answers that need no compiling, go first."""
LOCKS = "locks"
"""The part of the caches for the file whose bytes stand for what is being compiled."""
FULL = 3
"""Exit code of a process that has taken enough memory."""


class CompileRequest(Struct, frozen=True):
    """See `kernel_lists.Kernel`."""

    name: str
    arguments: list[Said]
    inner: bool = False


class Done(Struct, frozen=True):
    """seconds: of the processor."""

    seconds: float
    error: str = ""


def work(memory: int) -> None:
    """Answers requests until there are no more, see above. memory: MiB"""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    requests, answers = os.fdopen(0, "rb", buffering=0), os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a library prints is no answer
    _get_ready()
    _inner_kernels().install()
    while hasattr(os, "fork") and (child := os.fork()):
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != FULL:
            return
    ended = _work(requests, answers, memory)
    os._exit(0 if ended else FULL)


def _get_ready() -> None:
    """Whatever the compiler does once: a second and more, which those that are forked need not do again."""
    import numba
    import numpy as np

    first: Any = numba.njit(_first)
    first(np.zeros(1, np.int64))
    gc.freeze()
    gc.disable()  # the compiler makes very many objects, nearly all of which stay


def _inner_kernels() -> Any:
    """It imports numba, which a process that only has others compile does without."""
    return import_module("winnable.compiled.inner_kernels")


def _first(numbers: Any) -> Any:
    return numbers[0] + len(numbers)


def _work(requests: IO[bytes], answers: IO[bytes], most: int) -> bool:
    """True at the end of the requests, False when this process has taken enough memory."""
    while line := requests.readline():
        answers.write(msgspec.json.encode(_done(msgspec.json.decode(line, type=CompileRequest))) + b"\n")
        if _memory() > most:
            return False
    return True


def _done(request: CompileRequest) -> Done:
    began = time.process_time()
    error = ""
    try:
        types = tuple(map(kernel_lists.type_of, request.arguments))
        with _alone(request):
            _inner_kernels().compile_kernel(kernel_lists.kernel_named(request.name), types, request.inner)
    except Exception as failed:  # a list that no longer fits: the kernel is compiled when it is called
        error = f"{type(failed).__name__}: {failed}".splitlines()[0][:300]
    return Done(round(time.process_time() - began, 3), error)


@contextlib.contextmanager
def _alone(request: CompileRequest) -> Generator[None]:
    """No other process of this machine compiles the same meanwhile: many workers that begin at once would all
    do so. Whoever waited finds it on the disk. Where files cannot be locked nobody waits."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            fcntl = import_module("fcntl")  # not on Windows
            file = stack.enter_context((caches.writable(LOCKS) / "compiling").open("ab"))
            digest = hashlib.sha256(msgspec.json.encode(request)).digest()
            fcntl.lockf(file, fcntl.LOCK_EX, 1, int.from_bytes(digest[:4]))
        yield


def _memory() -> int:
    """The most that this process took so far, in MiB; 0: not known."""
    with contextlib.suppress(ImportError):
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most >> (20 if sys.platform == "darwin" else 10)
    return 0


# -- lists -------------------------------------------------------------------------------------------------


class _Recorder:
    """Hears of each kernel that is compiled, callees first."""

    def __init__(self) -> None:
        event: Any = import_module("numba.core.event")
        recorder = self
        self.types: dict[str, int] = {}
        self.said: list[Said] = []
        self.kernels: list[Kernel] = []
        self.part = ""
        self._running: list[tuple[float, list[float]]] = []
        """When each began, and what those within it took."""

        class Listener(event.Listener):
            def on_start(self, event: Any) -> None:
                recorder._running.append((time.process_time(), []))

            def on_end(self, event: Any) -> None:
                began, within = recorder._running.pop()
                whole, others = time.process_time() - began, sum(within)
                ours = recorder._add(event.data["dispatcher"], event.data["args"], whole - others)
                if recorder._running:
                    recorder._running[-1][1].append(whole if ours else others)

        event.register("numba:compile", Listener())

    def _add(self, kernel: Any, types: tuple[Any, ...], seconds: float) -> bool:
        """False for a function of numba's."""
        from winnable.compiled import kernel_cache

        function = kernel.py_func
        if not isinstance(kernel._cache, kernel_cache.KernelCache):
            return False
        names = {_name(called) for called in _called(kernel)}
        calls = tuple(index for index, entry in enumerate(self.kernels) if entry.name in names)
        arguments = tuple(map(self._place, types))
        self.kernels.append(Kernel(_name(function), self.part, arguments, calls, round(seconds, 2)))
        return True

    def _place(self, type: Any) -> int:
        said = kernel_lists.said(type)
        key = msgspec.json.encode(said).decode()
        if key not in self.types:
            self.types[key] = len(self.said)
            self.said.append(said)
        return self.types[key]


def _name(function: Any) -> str:
    return f"{function.__module__}:{function.__name__}"


def _called(kernel: Any) -> Iterator[Any]:
    """The functions of kernels that are compiled by themselves; others are part of their callers."""
    from numba.core.dispatcher import Dispatcher

    from winnable.compiled import kernel_cache

    for value in kernel_cache.called(kernel.py_func):
        if isinstance(value, Dispatcher) and value.targetoptions.get("inline") != "always":  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
            yield value.py_func  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
        elif isinstance(value, Dispatcher):
            yield from _called(value)


def record(name: str) -> None:
    """Compiles all kernels of a game, and writes down its list."""
    _get_ready()
    game, recorder = load_game(name), _Recorder()
    for recorder.part, compile in game.kernels.items():
        compile()
    outer = _called_by_python(game)
    kernels = [
        msgspec.structs.replace(one, inner=kernel_lists.kernel_named(one.name) not in outer)
        for one in recorder.kernels
    ]
    kernel_lists.write(game, KernelList(recorder.said, kernels))


def _called_by_python(game: Game) -> set[Any]:
    """Kernels whose names are used by functions that are none: of the game, all of which are imported, and of
    what is imported with them."""
    from numba.core.dispatcher import Dispatcher

    from winnable.compiled import kernel_cache

    package = import_module(GAMES[game.name].module.rpartition(".")[0])
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        import_module(module.name)
    gc.unfreeze()
    every = gc.get_objects()
    kernels = {id(one.py_func) for one in every if issubclass(type(one), Dispatcher)}
    kernels |= {id(vars(one).get("__wrapped__")) for one in every if type(one) is Late}  # not called so far
    return {
        called
        for one in every
        if type(one) is FunctionType
        and (one.__module__ or "").startswith(("winnable.", f"{package.__name__}."))
        and id(one) not in kernels
        for called in kernel_cache.called(one)
        if isinstance(called, Dispatcher)
    }


if __name__ == "__main__":
    record(sys.argv[2]) if sys.argv[1] == "record" else work(int(sys.argv[2]))
