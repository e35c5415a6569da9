"""The command line where nothing is compiled yet: children compile, and what needs none answers first."""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from winnable import words
from winnable.compiled import jit
from winnable.store import caches

if TYPE_CHECKING:
    from winnable.compiled.compiling import Compilers, Standing
    from winnable.contract.chance import Outlook
    from winnable.contract.core import SolveResult
    from winnable.contract.game import Game

_SHOWN_EVERY = 0.1


class Children:
    """They are there from the first kernel on that this process misses, and cost nothing until then."""

    def __init__(self) -> None:
        self._compilers: Compilers | None = None
        self._lock = threading.Lock()

    @property
    def standing(self) -> Standing | None:
        """Of all that was asked for; None while nothing is missing."""
        standing = None if self._compilers is None else self._compilers.missing()
        return standing if standing and standing.done < standing.total else None

    def compile(self, kernel: Any, types: Iterable[Any]) -> bool:
        """For `jit.elsewhere`."""
        return self._made().compile_elsewhere(kernel, types)

    def want(self, game: str) -> None:
        """What the game's first solver needs, while this process does something else."""
        threading.Thread(target=lambda: self._made().want(game), daemon=True).start()

    def _made(self) -> Compilers:
        with self._lock:
            if self._compilers is None:
                from winnable.compiled.compiling import Compilers

                self._compilers = Compilers()
                with suppress(OSError):
                    print(words.t("cli.compiling.once"), file=sys.stderr, flush=True)
            return self._compilers


CHILDREN = Children()


def compile_in_children() -> None:
    jit.elsewhere = CHILDREN.compile


def first_answer(game: Game, level: Any, state: Any) -> SolveResult | Outlook | None:
    """What can be said before anything is compiled, where nothing was ever compiled; meanwhile that begins.
    None: nothing. Raises WinnableError."""
    from winnable.contract.abilities import AnswersFirst

    if not jit.ENABLED or not isinstance(game, AnswersFirst) or not caches.is_empty(caches.KERNELS):
        return None
    from winnable.analysis.uncompiled import FIRST_SECONDS, Uncompiled
    from winnable.contract.core import Budget

    CHILDREN.want(game.name)
    with Uncompiled() as first:
        return first.ask(game, level, state, Budget(FIRST_SECONDS))


@contextmanager
def bar(compilers: Compilers) -> Generator[None]:
    """On a terminal, as long as it lasts: how many kernels of how many are compiled."""
    if not sys.stderr.isatty():
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_show, args=(compilers, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def said(standing: Standing) -> str:
    return words.t("cli.compiling", done=standing.done, total=standing.total)


def _show(compilers: Compilers, ended: threading.Event) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = [TimeElapsedColumn(), BarColumn(), TextColumn("{task.description}", markup=False)]
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("")
        while not ended.wait(_SHOWN_EVERY):
            standing = compilers.missing()
            shown.update(task, completed=standing.done, total=standing.total, description=said(standing))
