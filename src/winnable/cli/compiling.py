"""The command line compiles in children, and shows how far they are."""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from winnable import words
from winnable.compiled import jit

if TYPE_CHECKING:
    from winnable.compiled.compiling import Compilers, Readiness

_SHOWN_EVERY = 0.1


def compile_in_children() -> None:
    """Has kernels compiled in children from now on. The engine that does it is imported when the first kernel
    is called."""
    jit.elsewhere = _begin


def _begin(kernel: Any, types: Iterable[Any]) -> bool:
    from winnable.analysis.engine import engine

    engine().take_over()
    return engine().elsewhere(kernel, types)


@contextmanager
def bar(compilers: Compilers) -> Generator[None]:
    """Shows on a terminal, as long as it lasts, how many kernels of how many are compiled."""
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


def said(standing: Readiness) -> str:
    """The line that says how many kernels of how many are compiled."""
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
