"""What an answer needs of the process that it is worked out in: kernels, which children compile, once, where
they are not there yet; and until then a first answer by what needs none."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Hashable, Iterable
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING, Any, TypeVar

from winnable import words
from winnable.compiled import jit
from winnable.contract.abilities import AnswersFirst
from winnable.contract.budget import Answer, Budget, Found, Progress, Search, begun
from winnable.contract.errors import WinnableError
from winnable.contract.game import Game
from winnable.contract.registry import GAMES, game_of, loaded_games
from winnable.store import caches

if TYPE_CHECKING:
    from winnable.analysis.uncompiled import Uncompiled
    from winnable.compiled.compiling import Compilers, Readiness
    from winnable.contract.chance import Outlook

T = TypeVar("T")
FIRST_SECONDS = 2.5
"""At most, for a first answer: where compilers have begun on all cores, a search takes twice its time."""
POLL_SECONDS = 0.02
COMPILING = "compiling"
"""The stage of a search that waits for kernels. Its values are `game`, `part`, and `done` of `total`; 0 of 0
once it goes on."""

log = logging.getLogger("winnable")


class _NotCompiled(Exception):
    """A kernel that is called, of a part of a game's."""

    def __init__(self, game: str, part: str, is_done: Callable[[], bool]) -> None:
        self.game, self.part, self.is_done = game, part, is_done


class Engine:
    """That of one process. Any thread may use it; all costs nothing before it is needed."""

    def __init__(self) -> None:
        self._compilers: Compilers | None = None
        self._first: Uncompiled | None = None
        self._lock = threading.Lock()
        self._here = threading.local()
        self._in_children = self._is_told = False

    @property
    def compilers(self) -> Compilers:
        with self._lock:
            if self._compilers is None:
                import multiprocessing

                from winnable.compiled.compiling import Compilers

                is_one_of_many = multiprocessing.parent_process() is not None
                self._compilers = Compilers(processes=1 if is_one_of_many else None)
            return self._compilers

    @property
    def first_answers(self) -> Uncompiled:
        """The child that gives them."""
        with self._lock:
            if self._first is None or self._first.is_closed:
                from winnable.analysis.uncompiled import Uncompiled

                self._first = Uncompiled()
                atexit.register(self._first.close)
            return self._first

    def take_over(self, tells: bool = True) -> None:
        """From now on no kernel is compiled in this process, wherever it is called: children do. tells: they
        are announced, once, on standard error"""
        self._in_children, self._is_told = True, not tells
        jit.elsewhere = _elsewhere

    def patient(self, work: Callable[[], T]) -> T:
        """What `work` returns, which no clock ends while children compile, as of what makes levels."""
        if jit.elsewhere is None:
            jit.elsewhere = _elsewhere
        before, self._here.waits = getattr(self._here, "waits", False), True
        try:
            return work()
        finally:
            self._here.waits = before

    @property
    def standing(self) -> Readiness | None:
        """Of all that is compiled for somebody who waits; None: nothing is missing."""
        standing = None if self._compilers is None else self._compilers.missing()
        return None if standing is None or _is_done(standing) else standing

    def close(self) -> None:
        """Ends all children; what asks later makes new ones."""
        with self._lock:
            compilers, first = self._compilers, self._first
            self._compilers = self._first = None
        self._in_children = False
        for children in (compilers, first):
            if children is not None:
                children.close()

    # -- what is compiled ------------------------------------------------------------------------------------

    def is_ready(self, game: Game, part: str | None = "") -> bool:
        """Whether nothing of the part (the first one where it is "", all of them where it is None) is to be
        compiled, as far as that is known."""
        if not jit.ENABLED:
            return jit.arrived is None or jit.arrived(game.name)
        if not game.kernels:
            return True
        if self._compilers is None:
            return not caches.is_empty(caches.KERNELS)
        return self._compilers.knows(game.name) and _is_done(self._compilers.readiness(game.name, part))

    def ready(self, game: Game, budget: Budget, part: str | None = "") -> Search[None]:
        """Until that is compiled. The budget's time stands still meanwhile."""
        if not self.is_ready(game, part):
            began = time.monotonic()
            if jit.ENABLED:
                yield from self._look(game.name, part)
            yield from self._compiled(game.name, part, partial(self.is_ready, game, part))
            budget.wait(time.monotonic() - began)

    def run(
        self, work: Callable[[], Found[T]], budget: Budget, game: Game | None = None, part: str | None = ""
    ) -> Search[T]:
        """What `work` finds, once this part of the game is compiled. Where it calls another kernel that is
        not, it begins anew once that is: a call that waits would hold the compiler's lock, and so all other
        threads. The budget's time stands still meanwhile; `work` takes parts of it."""
        if game is not None:
            yield from self.ready(game, budget, part)
        if jit.elsewhere is None:
            jit.elsewhere = _elsewhere
        jit.awaited = self.awaited
        while True:
            steps = begun(work)
            try:
                while True:
                    with self._raising():
                        told = next(steps)
                    yield told
            except StopIteration as end:
                return end.value
            except _NotCompiled as error:
                missing = error
            began = time.monotonic()
            yield from self._compiled(missing.game, missing.part, missing.is_done)
            budget.wait(time.monotonic() - began)

    def _compiled(self, game: str, part: str | None, enough: Callable[[], bool]) -> Search[None]:
        """Until all of the part is, or enough of it; what was compiled ahead has only to arrive."""
        if not jit.ENABLED:
            yield from _arrived(enough)
            return
        compilers, told, began = self.compilers, False, time.monotonic()
        while (standing := self._wanted(compilers, game, part)) and not _is_done(standing) and not enough():
            if compilers.is_closed:
                raise WinnableError("uncompiled.closed")
            self._say_once()
            yield _progress(game, part, *standing, began)
            told = True
            time.sleep(POLL_SECONDS)
        if told:
            yield _progress(game, part, 0, 0, began)

    @contextmanager
    def _raising(self) -> Generator[None]:
        """In this thread a call of a kernel that is to be compiled first raises _NotCompiled."""
        before, self._here.raises = getattr(self._here, "raises", False), True
        try:
            yield
        finally:
            self._here.raises = before

    def elsewhere(self, kernel: Any, types: Iterable[Any]) -> bool:
        """For `jit.elsewhere`: a kernel that nobody has in children is compiled where it is called."""
        types, raises = [*types], getattr(self._here, "raises", False)
        if not (raises or self._in_children or getattr(self._here, "waits", False)):
            return False
        try:
            missing = self.compilers.missing_kernel(kernel, types)
        except Exception:  # whoever waits for the game's kernels is told (`_wanted`)
            log.debug("a list of kernels cannot be used", exc_info=True)
            return False
        if missing is None:
            return False
        self._say_once()
        if raises:
            raise _NotCompiled(*missing)
        return self.compilers.compile_elsewhere(kernel, types)

    def awaited(self, module: str) -> bool:
        """For `jit.awaited`."""
        game = game_of(module)
        if game is None or jit.arrived is None or jit.arrived(game):
            return False
        if getattr(self._here, "raises", False):
            raise _NotCompiled(game, "", partial(jit.arrived, game))
        return True

    def _say_once(self) -> None:
        if not self._is_told and sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison]
            with suppress(OSError):
                print(words.t("cli.compiling.once"), file=sys.stderr, flush=True)
        self._is_told = True

    def _wanted(self, compilers: Compilers, game: str, part: str | None) -> Readiness | None:
        """How far that is; it comes next. None: its list is broken, kernels are compiled when called."""
        try:
            return compilers.want(game, part)
        except Exception:
            log.exception("the list of %s's kernels cannot be used", game)
            return None

    def _look(self, game: str, part: str | None) -> Search[None]:
        """What of it is there already: a second, in a thread, while something else may be done."""
        wanted = self.compilers, game, part
        thread = threading.Thread(target=self._wanted, args=wanted, name="winnable-look", daemon=True)
        thread.start()
        return _joined(thread)

    # -- first answers ---------------------------------------------------------------------------------------

    def first(
        self, game: Game, level: Any, state: Hashable, budget: Budget
    ) -> Search[Answer | Outlook | None]:
        """What needs no compiling says of the state, where the game is not compiled yet; that begins
        meanwhile. None: it is, or there is nothing to be said in time."""
        if not jit.ENABLED or self.is_ready(game) or not isinstance(game, AnswersFirst):
            return None
        looking = self._look(game.name, "")
        if not caches.is_empty(caches.KERNELS):  # most likely all is there
            yield from looking
            if self.is_ready(game):
                return None
        self._say_once()
        try:
            return (yield from self.first_answers.ask(game, level, state, budget.part(most=FIRST_SECONDS)))
        except (WinnableError, RuntimeError) as error:
            log.error("%s", error)
            return None

    def first_choice(
        self, game: Game, level: Any, state: Hashable, budget: Budget, by: str
    ) -> Search[int | None]:
        """The choice of a player, without the compiler; None: not in time."""
        try:
            return (yield from self.first_answers.choose(game, level, state, budget, by))
        except (WinnableError, RuntimeError) as error:
            log.error("%s", error)
            return None

    def stand_by(self) -> None:
        """Where nothing was ever compiled, what gives first answers imports the games while nobody plays."""
        if not jit.ENABLED or not caches.is_empty(caches.KERNELS):
            return

        def start() -> None:
            try:
                self.first_answers.start(*GAMES)
            except WinnableError as error:
                log.error("%s", error)

        threading.Thread(target=start, name="winnable-stand-by", daemon=True).start()

    def compile_ahead(self) -> None:
        """All games, after whatever somebody waits for; then first answers are needed no more."""
        compilers = self.compilers

        def work() -> None:
            try:
                for part, game in product(("", None), loaded_games()):
                    while not _is_done(compilers.missing()) and not compilers.is_closed:
                        time.sleep(1)  # even to look what is missing takes a second, which somebody waits for
                    compilers.want(game.name, part, ahead=True)
                while not compilers.is_closed and not compilers.join(60):
                    pass
            except Exception:
                log.exception("kernels are compiled when they are needed")
            if self._first is not None:
                self._first.close()

        threading.Thread(target=work, name="winnable-ahead", daemon=True).start()


def _progress(game: str, part: str | None, done: int, total: int, began: float) -> Progress:
    values = {"game": game, "part": part, "done": done, "total": total}
    return Progress(COMPILING, 0, 0, time.monotonic() - began, values)


def _arrived(is_there: Callable[[], bool]) -> Search[None]:
    """Until kernels that were compiled ahead are."""
    began = time.monotonic()
    while not is_there():
        yield Progress("kernels", 0, 0, time.monotonic() - began)


def _joined(thread: threading.Thread) -> Search[None]:
    began = time.monotonic()
    while thread.is_alive():
        yield Progress("first", 0, 0, time.monotonic() - began)
        thread.join(POLL_SECONDS)


def _is_done(standing: Readiness) -> bool:
    return standing.done == standing.total


@cache
def _of_process(process: int) -> Engine:
    return Engine()


def engine() -> Engine:
    """That of this process; also of one that was forked."""
    return _of_process(os.getpid())


def _elsewhere(kernel: Any, types: Iterable[Any]) -> bool:
    """In a process that was forked its own engine says it, and not its parent's."""
    return engine().elsewhere(kernel, types)
