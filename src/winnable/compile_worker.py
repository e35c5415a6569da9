"""A process that compiles kernels for others, and ends: what a compiler keeps in memory goes with it.

`python -m winnable.compile_worker` reads a `Task` a line and answers each with a `Done`.
`python -m winnable.compile_worker GAME` writes down the game's list (see `kernel_lists`); nothing may have
been compiled before.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import msgspec
from msgspec import Struct

from winnable import kernel_lists
from winnable.kernel_lists import Kernel, KernelList, Said

NICENESS = 5
"""Clicks, and answers that need no compiling, go first."""


class Task(Struct, frozen=True):
    """See `kernel_lists.Kernel`."""

    name: str
    arguments: list[Said]


class Done(Struct, frozen=True):
    """seconds: of the processor; memory: the most that this process took so far, in MiB, 0: not known."""

    seconds: float
    memory: int
    error: str = ""


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    tasks, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    for line in tasks:
        answers.write(msgspec.json.encode(_done(msgspec.json.decode(line, type=Task))) + b"\n")
        answers.flush()


def _done(task: Task) -> Done:
    began = time.process_time()
    error = ""
    try:
        types = tuple(map(kernel_lists.type_of, task.arguments))
        kernel_lists.kernel_named(task.name).compile(types)
    except Exception as failed:  # a list that no longer fits: the kernel is compiled when it is called
        error = f"{type(failed).__name__}: {failed}".splitlines()[0][:300]
    return Done(round(time.process_time() - began, 3), _memory(), error)


def _memory() -> int:
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
        from winnable import kernel_cache

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

    from winnable import kernel_cache

    for value in kernel_cache.called(kernel.py_func):
        if isinstance(value, Dispatcher) and value.targetoptions.get("inline") != "always":  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
            yield value.py_func  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
        elif isinstance(value, Dispatcher):
            yield from _called(value)


def record(name: str) -> None:
    from winnable.registry import load_game

    game, recorder = load_game(name), _Recorder()
    for recorder.part, compile in game.kernels.items():
        compile()
    kernel_lists.write(game, KernelList(recorder.said, recorder.kernels))


if __name__ == "__main__":
    record(sys.argv[1]) if len(sys.argv) > 1 else main()
