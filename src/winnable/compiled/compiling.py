"""Kernels are compiled by child processes, side by side, and loaded from the cache: what a compiler keeps in
memory goes with them. What somebody waits for comes first; of that, what most depends on.
"""

from __future__ import annotations

import atexit
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from winnable.compiled import kernel_lists
from winnable.compiled.compile_worker import CompileRequest, Done
from winnable.compiled.jit import ENABLED
from winnable.compiled.kernel_lists import Kernel
from winnable.contract.registry import game_of, load_game

log = logging.getLogger("winnable")
MEMORY = 260
"""MiB of a child: two of them, each with the one that it was forked from, and a studio stay below a GiB."""
POLL_SECONDS = 0.05
NOW, AHEAD = 0.0, 2.0**40
"""Places in the queue: of what a call waits for, and after all that was asked for: of what may be needed."""


class Took(Struct, frozen=True):
    """Seconds of a processor that a kernel took, and why it failed if it did."""

    game: str
    part: str
    name: str
    seconds: float
    error: str


class Readiness(NamedTuple):
    """How far kernels are: `done` of `total`."""

    done: int
    total: int


class Missing(NamedTuple):
    """A kernel that is not compiled yet, of a part of a game's."""

    game: str
    part: str
    is_done: Callable[[], bool]


@dataclass(eq=False, slots=True)
class _Work:
    """One kernel to be compiled."""

    kernel: Kernel
    game: str
    request: CompileRequest
    calls: list[_Work]
    path: float
    """Seconds from its beginning until all that must wait for it can be ready."""
    place: float = float("inf")
    running: bool = False
    done: bool = False
    seconds: float = 0.0
    error: str = ""


class Compilers:
    """As many children as there are cores, up to 8, which are there only while there is work. All methods may
    be called from any thread; `close` ends them, as does the end of this process."""

    def __init__(self, memory: int = MEMORY, processes: int | None = None) -> None:
        """memory: MiB that a child may take before another one goes on. processes: at most so many"""
        self._processes, self._memory = processes or max(1, min(os.cpu_count() or 1, 8)), memory
        self._games: dict[str, list[_Work]] = {}
        self._looking = threading.Lock()
        self._changed = threading.Condition()
        self._places = count(1)
        self._threads: set[threading.Thread] = set()
        self._children: set[subprocess.Popen[bytes]] = set()
        self._closed = False
        atexit.register(self.close)

    def want(self, game: str, part: str | None = "", ahead: bool = False) -> Readiness:
        """Has a part of the game compiled, the first one where it is "", all of them where it is None; says
        how far it is. ahead: nobody waits for it. Takes a second for the first part of a game, then no time.
        """
        self._queue(self._of(game, part), next(self._places) + (AHEAD if ahead else NOW))
        return self.readiness(game, part)

    @property
    def is_closed(self) -> bool:
        """Whether nothing is compiled any more."""
        return self._closed

    def knows(self, game: str) -> bool:
        """Whether `want` and `readiness` answer at once."""
        return game in self._games

    def missing(self) -> Readiness:
        """How far all is that was asked for."""
        with self._changed:
            asked = [work for work in self._all() if work.place < AHEAD]
        return Readiness(sum(work.done for work in asked), len(asked))

    def readiness(self, game: str, part: str | None = "") -> Readiness:
        """How far a part of the game is, with all that it calls; see `want`."""
        work = _closure(self._of(game, part))
        return Readiness(sum(one.done for one in work), len(work))

    def wait(
        self,
        game: str,
        part: str | None = "",
        tell: Callable[[Readiness], None] = lambda readiness: None,
        cancelled: Callable[[], bool] = lambda: False,
        enough: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Waits until it is compiled, or as much as is enough; or cancelled or closed: then False. `tell`
        hears of each step."""
        before: Readiness | None = None
        readiness = self.want(game, part)
        while readiness.done < readiness.total and not enough():
            if readiness != before:
                tell(readiness)
                before = readiness
            with self._changed:
                if self._closed or cancelled():
                    return False
                self._changed.wait(POLL_SECONDS)
            readiness = self.readiness(game, part)
        if before is not None:
            tell(readiness)
        return True

    def compile_elsewhere(self, kernel: Any, types: Iterable[Any]) -> bool:
        """Waits until a listed kernel is compiled, for `jit.elsewhere`; False for one that no list has."""
        work = self._missing(kernel, types)
        if work is None:
            return False
        with self._changed:
            while not work.done and not self._closed:
                self._changed.wait(POLL_SECONDS)
        return not work.error and not self._closed

    def missing_kernel(self, kernel: Any, types: Iterable[Any]) -> Missing | None:
        """Has it compiled before all others. None: no list has it, or it cannot be had."""
        work = self._missing(kernel, types)
        return None if work is None else Missing(work.game, work.kernel.part, lambda: work.done)

    def close(self) -> None:
        """Ends the children, and whoever waits."""
        atexit.unregister(self.close)
        with self._changed:
            self._closed = True
            for child in self._children:
                _kill(child)
            self._changed.notify_all()

    def join(self, seconds: float) -> bool:
        """Waits until nothing is left to compile; False when that takes longer."""
        end = time.monotonic() + seconds
        for thread in list(self._threads):
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def took(self) -> list[Took]:
        """What each kernel took that was compiled."""
        with self._changed:
            ended = [work for work in self._all() if work.seconds or work.error]
        return [
            Took(work.game, work.kernel.part, work.kernel.name, work.seconds, work.error) for work in ended
        ]

    def _of(self, game: str, part: str | None) -> list[_Work]:
        with self._looking:
            if game not in self._games:
                found = _look(game) if ENABLED else []
                with self._changed:
                    self._games[game] = found
        wanted = next(iter(load_game(game).kernels), None) if part == "" else part
        return [work for work in self._games[game] if wanted in (None, work.kernel.part)]

    def _missing(self, kernel: Any, types: Iterable[Any]) -> _Work | None:
        """Has it compiled next. None: no list has it; or it is done and yet not to be found: it failed, or
        its file did not last."""
        function = kernel.py_func
        game = game_of(function.__module__)
        if game is None:
            return None
        try:
            arguments = [*map(kernel_lists.said, types)]
        except ValueError:
            return None
        request = CompileRequest(f"{function.__module__}:{function.__name__}", arguments)
        listed = self._of(game, None)
        work = next((work for work in listed if work.request == request and not work.done), None)
        if work is not None:
            self.want(game, work.kernel.part)
            self._queue([work], NOW)
        return work

    def _queue(self, work: Iterable[_Work], place: float) -> None:
        with self._changed:
            for one in _closure(work):
                one.place = min(one.place, place)
            self._start()

    # -- with the lock held ----------------------------------------------------------------------------------

    def _all(self) -> Iterator[_Work]:
        return chain.from_iterable(self._games.values())

    def _start(self) -> None:
        if self._closed or self._next() is None:
            return
        while len(self._threads) < self._processes:
            thread = threading.Thread(target=self._run, name="winnable-compile", daemon=True)
            self._threads.add(thread)
            thread.start()
        self._changed.notify_all()

    def _next(self) -> _Work | None:
        """What is wanted first and waits for nothing else; among that, what most depends on."""
        ready = (
            work
            for work in self._all()
            if work.place < float("inf")
            and not (work.done or work.running)
            and all(called.done for called in work.calls)
        )
        return min(ready, key=lambda work: (work.place, -work.path), default=None)

    def _is_wanted(self) -> bool:
        return any(work.place < float("inf") and not work.done for work in self._all())

    # -- in a thread for each child --------------------------------------------------------------------------

    def _run(self) -> None:
        child: subprocess.Popen[bytes] | None = None
        try:
            while True:
                with self._changed:
                    while (work := self._next()) is None and self._is_wanted() and not self._closed:
                        self._changed.wait()
                    if work is None or self._closed:
                        return
                    work.running = True
                done, child = self._compile(work, child)
                log.info("%s of %s: compiled in %.2f s", work.kernel.name, work.game, done.seconds)
                with self._changed:
                    work.running, work.done = False, True
                    work.seconds, work.error = done.seconds, done.error
                    self._changed.notify_all()
        finally:
            if child is not None:
                self._end(child)
            with self._changed:
                self._threads.discard(threading.current_thread())
                self._start()  # something may have been wanted just now

    def _compile(
        self, work: _Work, child: subprocess.Popen[bytes] | None
    ) -> tuple[Done, subprocess.Popen[bytes] | None]:
        """A child that dies is followed by another, once; then the kernel is left to whoever calls it."""
        error = "the process ended"
        for _ in range(2):
            try:
                child = child or self._spawn()
                assert child.stdin is not None
                assert child.stdout is not None
                child.stdin.write(msgspec.json.encode(work.request) + b"\n")
                child.stdin.flush()
                if line := child.stdout.readline():
                    return msgspec.json.decode(line, type=Done), child
            except (OSError, msgspec.MsgspecError) as failed:
                error = str(failed)
            if child is not None:
                self._end(child)
                child = None
            if self._closed:
                break
        return Done(0.0, error), None

    def _spawn(self) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "winnable.compiled.compile_worker", "work", str(self._memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the parent, which ends it
        )
        with self._changed:
            self._children.add(child)
            if self._closed:
                _kill(child)
        return child

    def _end(self, child: subprocess.Popen[bytes]) -> None:
        """Also what it forked, which is of its group."""
        _kill(child)
        child.communicate()
        with self._changed:
            self._children.discard(child)


def _kill(child: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        os.killpg(child.pid, signal.SIGKILL) if hasattr(os, "killpg") else child.kill()


def _look(game: str) -> list[_Work]:
    """The game's list; what is on the disk already is done."""
    from winnable.compiled import kernel_cache

    listed = kernel_lists.read(load_game(game))
    work: list[_Work] = []
    for kernel in listed.kernels:
        request = CompileRequest(kernel.name, listed.arguments(kernel), kernel.inner)
        work.append(_Work(kernel, game, request, [work[index] for index in kernel.calls], kernel.seconds))
        work[-1].done = _is_kept(kernel_cache.find, request)
    needed: set[_Work] = set()
    for one in reversed(work):
        if one.kernel.inner and one not in needed:
            one.done = True  # all that it became part of is there
        if not one.done:
            needed.update(one.calls)
        for called in one.calls:
            called.path = max(called.path, called.kernel.seconds + one.path)
    return work


def _is_kept(find: Callable[[Any, Iterable[Any], bool], Any], request: CompileRequest) -> bool:
    """A kernel that is no longer there is nothing to wait for."""
    try:
        kernel = kernel_lists.kernel_named(request.name)
        return find(kernel, map(kernel_lists.type_of, request.arguments), request.inner) is not None
    except (ImportError, AttributeError):
        return True


def _closure(work: Iterable[_Work]) -> list[_Work]:
    """With all that it calls."""
    found: dict[_Work, None] = {}
    waiting = list(work)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found[one] = None
            waiting += one.calls
    return list(found)
