"""What of a game is compiled, for everything in the studio that needs it, and first answers until it is."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, TypeAlias, TypeVar

from winnable.analysis.uncompiled import FIRST_SECONDS, Uncompiled
from winnable.compiled import jit
from winnable.compiled.compiling import Compilers, Missing, Standing
from winnable.contract import clock
from winnable.contract.abilities import AnswersFirst
from winnable.contract.chance import Outlook
from winnable.contract.core import SolveResult, WinnableError
from winnable.contract.game import Game
from winnable.contract.registry import GAMES, load_game, loaded_games
from winnable.store import caches
from winnable.web.events import Compiling
from winnable.web.jobs import Cancelled, Job

Send: TypeAlias = Callable[[Compiling], None]
T = TypeVar("T")

log = logging.getLogger("winnable.studio")


class _NotCompiled(Exception):
    def __init__(self, kernel: Missing) -> None:
        self.kernel = kernel


class Kernels:
    """The methods that take a job run in its thread; all others return at once."""

    def __init__(self) -> None:
        self._compilers = Compilers()
        self._first: Uncompiled | None = None
        self._lock = threading.Lock()
        self._waits: Counter[tuple[Send, str, str | None]] = Counter()
        self._here = threading.local()
        self._closed = False

    def prepare(self) -> None:
        """While nobody plays yet: where nothing was ever compiled, what gives first answers stands by."""
        jit.elsewhere = self._elsewhere
        if jit.ENABLED and caches.is_empty(caches.KERNELS):
            threading.Thread(target=self._stand_by, name="winnable-stand-by", daemon=True).start()

    def compile_ahead(self) -> None:
        """All games, after whatever somebody waits for."""
        threading.Thread(target=self._want_all, name="winnable-ahead", daemon=True).start()

    def is_ready(self, game: str, part: str | None = "") -> bool:
        """False, too, as long as it is not known."""
        return self._compilers.knows(game) and _is_done(self._compilers.standing(game, part))

    def first_answer(self, job: Job, game: Game, level: Any, state: Any) -> SolveResult | Outlook | None:
        """What needs no compiling says of the state, where the game is not compiled yet. None: it is, or
        there is nothing to be said. Raises Cancelled."""
        if not (jit.ENABLED and game.kernels and isinstance(game, AnswersFirst)) or self.is_ready(game.name):
            return None
        looking = threading.Thread(target=self._want, args=(game.name,), daemon=True)
        looking.start()
        if not caches.is_empty(caches.KERNELS):  # most likely all is there
            looking.join()
            if self.is_ready(game.name):
                return None
        try:
            return self._uncompiled().ask(game, level, state, job.budget(FIRST_SECONDS))
        except (WinnableError, RuntimeError) as error:
            log.error("%s", error)
            return None

    def wait(
        self,
        job: Job,
        game: Game,
        send: Send,
        part: str | None = "",
        enough: Callable[[], bool] = lambda: False,
    ) -> None:
        """Until it is compiled, or as much as is enough; `send` is told on the event loop how far that is,
        and when nothing waits any more. Raises Cancelled."""
        began, key, told = clock.now(), (send, game.name, part), Standing(0, 0)

        def tell(standing: Standing) -> None:
            nonlocal told
            told = standing
            job.call(send, Compiling(game.name, part, *standing, round(clock.now() - began, 3)))

        if not game.kernels:
            return
        with self._lock:
            self._waits[key] += 1
        is_ready = self._compilers.wait(game.name, part, tell, lambda: job.cancelled, enough)
        job.stood_still += clock.now() - began
        with self._lock:
            self._waits[key] -= 1
            if not self._waits[key]:
                del self._waits[key]
                if told.done < told.total:
                    tell(Standing(0, 0))
        if not is_ready:
            raise Cancelled

    def run(self, job: Job, send: Send, work: Callable[[], T]) -> T:
        """What `work` returns. Where it calls a kernel that is not compiled, it begins anew once that is: a
        call that waits would hold the compiler's lock, and so all other threads. Raises Cancelled."""
        while True:
            self._here.is_working = True
            try:
                return work()
            except _NotCompiled as missing:
                kernel = missing.kernel
            finally:
                self._here.is_working = False
            self.wait(job, load_game(kernel.game), send, kernel.part, kernel.is_done)

    def close(self) -> None:
        """Ends all processes."""
        with self._lock:
            self._closed, first = True, self._first
        if jit.elsewhere == self._elsewhere:
            jit.elsewhere = None
        self._compilers.close()
        if first is not None:
            first.close()

    def _elsewhere(self, kernel: Any, types: Iterable[Any]) -> bool:
        """For `jit.elsewhere`."""
        types = [*types]
        is_working = getattr(self._here, "is_working", False)
        if is_working and (missing := self._compilers.missing_kernel(kernel, types)):
            raise _NotCompiled(missing)
        return self._compilers.compile_elsewhere(kernel, types)

    def _uncompiled(self) -> Uncompiled:
        with self._lock:
            if self._first is None or self._closed:
                self._first = Uncompiled()
            return self._first

    def _stand_by(self) -> None:
        with self._lock:
            if self._closed:
                return
        try:
            self._uncompiled().start(*GAMES)
        except WinnableError as error:
            log.error("%s", error)

    def _want(self, game: str, part: str | None = "", ahead: bool = False) -> None:
        try:
            self._compilers.want(game, part, ahead)
        except Exception:
            log.exception("the list of %s's kernels cannot be used", game)

    def _want_all(self) -> None:
        try:
            for part, game in product(("", None), loaded_games()):
                while not _is_done(self._compilers.missing()) and not self._closed:
                    time.sleep(1)  # even to look what is missing takes a second, which somebody waits for
                self._want(game.name, part, ahead=True)
            while not self._closed and not self._compilers.join(60):
                pass
        except Exception:
            log.exception("kernels are compiled when they are needed")
        with self._lock:
            first_one, self._first = self._first, None
        if first_one is not None:
            first_one.close()  # nobody needs it any more


def untold(_: Compiling) -> None:
    """For `wait` and `run`, where nobody waits for what comes after."""


def _is_done(standing: Standing) -> bool:
    return standing.done == standing.total
