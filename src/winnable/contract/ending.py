"""How a program ends that is told to by a signal: within seconds, whatever its work is at, and not in the
middle of what would be broken for the rest of the process, as an import or the compiler.

Work that is told polls, and ends by itself. Where it does not (another package's loop, a kernel), the main
thread is interrupted once more, and at last the process exits.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from importlib.machinery import ModuleSpec, PathFinder
from types import FrameType, ModuleType
from typing import Any

from winnable.words import t

SECONDS = 6.0
"""So long work that was told may take."""
INTERRUPTED = 130
"""The exit code, as a shell says it of Ctrl-C."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)

_called_off: threading.Event | None = None
"""Of the end that is under way."""


def begin(seconds: float = SECONDS) -> None:
    """From now on there are so many seconds, unless it is called off; then as many once more for what follows
    on an interruption. Nothing happens where it has begun."""
    global _called_off
    if _called_off is None:
        _called_off = threading.Event()
        threading.Thread(target=_end, args=(_called_off, seconds), name="ending", daemon=True).start()


def call_off() -> None:
    """The program has done as it was told, and may go on."""
    global _called_off
    if _called_off is not None:
        _called_off.set()
        _called_off = None


def _end(called_off: threading.Event, seconds: float) -> None:
    if called_off.wait(seconds):
        return
    _thread.interrupt_main()
    if called_off.wait(seconds):
        return
    with suppress(Exception):
        sys.stdout.flush()
        print(f"winnable: {t('cli.error', text=t('cli.interrupted'))}", file=sys.stderr)
        sys.stderr.flush()
    os._exit(INTERRUPTED)


def interrupt(number: int, frame: FrameType | None) -> None:
    """For `signal.signal`: KeyboardInterrupt, and the end has begun."""
    begin()
    raise KeyboardInterrupt


# -- what no signal may break --------------------------------------------------------------------------------

_holders = 0
_handlers: dict[signal.Signals, Callable[[int, FrameType | None], Any]] = {}
"""What is done on the signals while nothing holds them."""
_came: list[signal.Signals] = []
_ASYNCIO = "asyncio.unix_events"
"""Its handlers do nothing: event loops hear signals by a pipe, and would hear each a second time."""


def interrupt_when_terminated() -> None:
    """Has SIGTERM do what Ctrl-C does, so that whoever ends the program so loses nothing either."""
    for number in SIGNALS:
        if number != signal.SIGINT or signal.getsignal(number) is signal.default_int_handler:
            signal.signal(number, interrupt)


def hold() -> None:
    """Signals wait from now on, until as many called `release` as called this. Only the main thread hears
    them: nothing happens in others."""
    global _holders
    if threading.current_thread() is not threading.main_thread():
        return
    if not _holders:
        _came.clear()
        for number in SIGNALS:
            handler = signal.getsignal(number)
            if handler is _hear:
                continue
            if callable(handler) and getattr(handler, "__module__", "") != _ASYNCIO:
                _handlers[number] = handler
                signal.signal(number, _hear)
            else:  # it interrupts nothing
                _handlers.pop(number, None)
    _holders += 1


def release() -> None:
    """Raises what came meanwhile."""
    if came := _release():
        signal.raise_signal(came)


def _release() -> signal.Signals | None:
    """The first of what came meanwhile, for those who cannot be interrupted here."""
    global _holders
    if threading.current_thread() is not threading.main_thread() or not _holders:
        return None
    _holders -= 1
    if _holders:
        return None
    for number, handler in _handlers.items():
        signal.signal(number, handler)
    return _came[0] if _came else None


@contextmanager
def heard() -> Generator[None]:
    """Within it signals are not held, as where the main thread only waits."""
    holders = _holders if threading.current_thread() is threading.main_thread() else 0
    try:
        for _ in range(holders):
            release()
        yield
    finally:
        for _ in range(holders):
            hold()


def _hear(number: int, frame: FrameType | None) -> None:
    _came.append(signal.Signals(number))
    if _handlers[_came[-1]] is interrupt:
        begin()


# -- imports -------------------------------------------------------------------------------------------------


class _Whole:
    """Finds packages whose import, broken off once, fails for ever after: parts of them load once."""

    NAMES = frozenset({"numpy", "numba", "llvmlite"})

    def __init__(self) -> None:
        self.within = False
        """An import that is undisturbed already."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if (
            self.within
            or name.partition(".")[0] not in self.NAMES
            or threading.current_thread() is not threading.main_thread()  # no other hears signals
        ):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            spec.loader = _Undisturbed(loader, self)  # pyright: ignore[reportAttributeAccessIssue]
        return spec


class _Undisturbed:
    """A loader in place of another one, until it is done: signals that come meanwhile come after it."""

    def __init__(self, loader: Any, finder: _Whole) -> None:
        self._loader, self._finder = loader, finder

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._finder.within = True
        hold()
        try:
            self._loader.exec_module(module)
        finally:
            self._finder.within = False
            if came := _release():  # not here, where it would undo the import
                threading.Thread(target=_deliver, args=(came, module), daemon=True).start()


def _deliver(number: signal.Signals, module: ModuleType) -> None:
    while _is_being_imported(module):
        time.sleep(0.005)
    _thread.interrupt_main(number)


def _is_being_imported(module: ModuleType) -> bool:
    name = module.__name__
    if sys.modules.get(name) is not module:  # it failed by itself
        return False
    parent, _, child = name.rpartition(".")
    known = not parent or child in vars(sys.modules[parent])
    return getattr(module.__spec__, "_initializing", False) or not known


def import_wholly() -> None:
    """From now on Ctrl-C waits for the end of such an import."""
    if not any(isinstance(finder, _Whole) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Whole())
