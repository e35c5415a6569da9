"""Questions of programs that keep to their seconds where kernels are not compiled yet, too: children compile
them, once, and what needs none answers first.

Of what a shell does about this (`cli.compiling`, `web.kernels`), what a program needs that has no loop of its
own: it waits for as long as it said, and gets what is known by then.
"""

from __future__ import annotations

import atexit
import logging
import multiprocessing
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from winnable import words
from winnable.analysis.uncompiled import FIRST_SECONDS, Uncompiled
from winnable.compiled import jit
from winnable.contract.abilities import AnswersFirst
from winnable.contract.budget import Budget
from winnable.contract.core import Action, SolveResult, WinnableError
from winnable.store import caches

if TYPE_CHECKING:
    from winnable.compiled.compiling import Compilers, Missing
    from winnable.contract.chance import Outlook
    from winnable.contract.game import Game

T = TypeVar("T")

GRACE_SECONDS = 0.2
"""Beyond the time, for a first answer that is told to end with what it has."""
log = logging.getLogger("winnable")


class _NotYet(Exception):
    def __init__(self, kernel: Missing) -> None:
        self.kernel = kernel


class _Meanwhile:
    """What compiles in the place of one process, and what answers until then; both cost nothing before they
    are needed."""

    def __init__(self) -> None:
        self._compilers: Compilers | None = None
        self._first: Uncompiled | None = None
        self._lock = threading.Lock()
        self._here = threading.local()

    @property
    def compilers(self) -> Compilers:
        with self._lock:
            if self._compilers is None:
                from winnable.compiled.compiling import Compilers

                is_one_of_many = multiprocessing.parent_process() is not None
                self._compilers = Compilers(processes=1 if is_one_of_many else None)
                if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison]
                    with suppress(OSError):
                        print(words.t("cli.compiling.once"), file=sys.stderr, flush=True)
            return self._compilers

    @property
    def first(self) -> Uncompiled:
        with self._lock:
            if self._first is None:
                self._first = Uncompiled()
                atexit.register(self._first.close)
            return self._first

    def is_needed(self, game: Game) -> bool:
        """Whether nothing was ever compiled, or what the game needs first is being compiled."""
        if self._compilers is None or not game.kernels:
            return bool(game.kernels) and caches.is_empty(caches.KERNELS)
        if not self._compilers.knows(game.name):
            return True
        standing = self._compilers.standing(game.name)
        return standing.done < standing.total

    def run(self, work: Callable[[], T], waits: bool = False) -> T:
        """Raises _NotYet at a kernel that is to be compiled first, if it does not wait for that."""
        if jit.elsewhere is None:
            jit.elsewhere = self._elsewhere
        before, self._here.waits = getattr(self._here, "waits", None), waits
        try:
            return work()
        finally:
            self._here.waits = before

    def _elsewhere(self, kernel: Any, types: Iterable[Any]) -> bool:
        """For `jit.elsewhere`: what is not run here is compiled where it is called."""
        waits, types = getattr(self._here, "waits", None), [*types]
        if waits is False and (missing := self.compilers.missing_kernel(kernel, types)):
            raise _NotYet(missing)
        return waits is True and self.compilers.compile_elsewhere(kernel, types)


@cache
def _meanwhile(process: int) -> _Meanwhile:
    """Each process has its own, also one that was forked."""
    return _Meanwhile()


def patient(work: Callable[[], T]) -> T:
    """What `work` returns, which no clock ends while kernels are compiled, as of what makes levels."""
    return _meanwhile(os.getpid()).run(work, waits=True)


class Question:
    """One, about a level. Its time begins when it is made."""

    def __init__(self, game: Game, level: Any, seconds: float) -> None:
        """Raises WinnableError for what is no number of seconds."""
        self._game, self._level = game, level
        self._end = time.monotonic() + Budget(seconds).seconds
        self._meanwhile = _meanwhile(os.getpid())

    @property
    def left(self) -> float:
        """Seconds."""
        return max(0.0, self._end - time.monotonic())

    def answer(
        self,
        work: Callable[[Budget], T],
        state: Any = None,
        learn: Callable[[SolveResult | Outlook], bool] | None = None,
    ) -> T | None:
        """What `work` returns within the budget, which loading kernels does not count against. Where they are
        not there yet, `learn` is told what can be said of the state without them, and says whether that is
        enough. None: it was, or the time was over first."""
        if not jit.ENABLED:
            return work(Budget(self.left))
        kernel: Missing | None = None
        if not self._meanwhile.is_needed(self._game):
            try:
                return self._meanwhile.run(lambda: work(Budget(self.left)))
            except _NotYet as missing:
                kernel = missing.kernel
        failed: list[Exception] = []
        looking = threading.Thread(target=self._want, args=(failed,), daemon=True)
        looking.start()
        if learn and isinstance(self._game, AnswersFirst) and (found := self._first(state)) and learn(found):
            return None
        looking.join(self.left)
        if failed:
            return work(Budget(self.left))
        while self.left > 0 and not looking.is_alive() and self._wait(kernel):
            try:
                return self._meanwhile.run(lambda: work(Budget(self.left)))
            except _NotYet as missing:
                kernel = missing.kernel
        return None

    def _want(self, failed: list[Exception]) -> None:
        try:
            self._meanwhile.compilers.want(self._game.name)
        except Exception as error:
            failed.append(error)
            log.exception("the list of %s's kernels cannot be used", self._game.name)

    def _wait(self, kernel: Missing | None) -> bool:
        """Until that is compiled, or what the game needs first; False when the time is over before."""
        compilers, game = self._meanwhile.compilers, self._game.name
        if kernel is None:
            return compilers.wait(game, cancelled=lambda: self.left <= 0)
        return compilers.wait(
            kernel.game, kernel.part, cancelled=lambda: self.left <= 0, enough=kernel.is_done
        )

    def _first(self, state: Any) -> SolveResult | Outlook | None:
        return self._of_child(lambda child, budget: child.ask(self._game, self._level, state, budget))

    def choice(self, state: Any, by: str) -> Action | None:
        """Of a player, without the compiler; None: not in time."""
        return self._of_child(lambda child, budget: child.choose(self._game, self._level, state, budget, by))

    def _of_child(self, ask: Callable[[Uncompiled, Budget], T]) -> T | None:
        """In a thread: the child may still be starting when the time is over."""
        budget = Budget(min(self.left, FIRST_SECONDS))
        answers: queue.SimpleQueue[T | None] = queue.SimpleQueue()

        def asking() -> None:
            try:
                answers.put(ask(self._meanwhile.first, budget))
            except (WinnableError, RuntimeError) as error:
                log.error("%s", error)
                answers.put(None)

        threading.Thread(target=asking, name="winnable-first", daemon=True).start()
        with suppress(queue.Empty):
            return answers.get(timeout=self.left)
        budget.cancel()
        with suppress(queue.Empty):
            return answers.get(timeout=GRACE_SECONDS)
        return None
