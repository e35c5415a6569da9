"""The terminal as a games console: raw keys, without waiting for them, and a screen of its own.

The screen and the terminal's settings come back whatever ends the game: an exception, Ctrl-C, a signal.
Ctrl-Z gives them back too, and takes them again when the shell goes on with the game.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from types import FrameType, TracebackType
from typing import Any

from winnable.contract.core import WinnableError

ENTER = "\x1b[?1049h\x1b[?25l"
"""The alternate screen, without a cursor."""
LEAVE = "\x1b[0m\x1b[?25h\x1b[?1049l"
_NAMES = {"A": "up", "B": "down", "C": "right", "D": "left"}
_KEY = re.compile(r"\x1b(?:\[[0-9;]*|O)([A-Za-z~])|(\x1b\x1b|[^\x1b])")
_ESCAPE_SECONDS = 0.05
"""After which an escape character is the key and not the beginning of another one."""


class Terminal:
    """`with Terminal() as terminal:`. Raises WinnableError where there is no such terminal."""

    def __init__(self) -> None:
        try:
            import termios
            import tty
        except ImportError:
            raise WinnableError("cli.posix", field="terminal") from None
        self._termios: Any = termios
        self._tty: Any = tty
        self._in = sys.stdin.fileno()
        self._before: Any = None
        self._handlers: dict[int, Any] = {}
        self._unread = ""
        self._unread_since = 0.0
        self._shown: list[str] = []
        self._size = (0, 0)
        self.is_closed = False
        """Nobody can press a key any more."""
        self.was_stopped = False
        """By Ctrl-Z; the game sets it back."""

    def __enter__(self) -> Terminal:
        self._before = self._termios.tcgetattr(self._in)
        for name, handler in (("SIGTSTP", self._stop), ("SIGTERM", _end), ("SIGHUP", _end)):
            number = getattr(signal, name)
            self._handlers[number] = signal.signal(number, handler)
        try:
            self._take()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _take(self) -> None:
        self._tty.setcbreak(self._in)  # and not raw: Ctrl-C and Ctrl-Z still send their signals
        self._shown = []
        _write(ENTER)

    def _give_back(self) -> None:
        try:
            _write(LEAVE)
        except OSError:  # the terminal is gone
            self.is_closed = True
        try:
            self._termios.tcsetattr(self._in, self._termios.TCSAFLUSH, self._before)
        except self._termios.error:
            self.is_closed = True

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z. The process stops within this function, and goes on in it."""
        self._give_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._stop)
        self._take()
        self.was_stopped = True

    def keys(self, until: float) -> list[str]:
        """The keys that were pressed, as soon as any is, or none at the time `until` of time.monotonic: `up`,
        `down`, `left`, `right`, `esc`, or a character."""
        try:
            ready, _, _ = select.select([self._in], [], [], max(0.0, until - time.monotonic()))
            new = os.read(self._in, 1024) if ready else b""
        except OSError:  # the terminal is gone
            self.is_closed = True
            return []
        if ready and not new:
            self.is_closed = True
        if new:
            self._unread += new.decode("latin-1")
            self._unread_since = time.monotonic()
        keys: list[str] = []
        while match := _KEY.match(self._unread):
            self._unread = self._unread[match.end() :]
            name = "esc" if match[2] == "\x1b\x1b" else match[2] or _NAMES.get(match[1], "")
            keys += [name] if name else []
        if self._unread and time.monotonic() - self._unread_since > _ESCAPE_SECONDS:
            self._unread = ""
            keys.append("esc")
        return keys

    def show(self, lines: Sequence[str], width: int) -> bool:
        """Draws the lines that have changed, from the first row of the screen. False when they have no room.

        width: of the widest line; a line has no other control characters than those that colour it.
        """
        size = shutil.get_terminal_size()
        if size != self._size:
            self._size, self._shown = (size.columns, size.lines), []
        fits = size.columns >= width and size.lines >= len(lines)
        if not fits:
            lines = [f"too small: {width} x {len(lines)} needed"[: size.columns]]
        before = self._shown or [""] * len(lines)
        text = "" if self._shown else "\x1b[2J"
        for row, line in enumerate(lines):
            if row >= len(before) or line != before[row]:
                text += f"\x1b[{row + 1};1H{line}\x1b[0m\x1b[K"
        self._shown = list(lines)  # before Ctrl-Z may say that nothing is
        if text:
            try:
                _write(text)
            except OSError:
                self.is_closed = True
        return fits


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _write(text: str) -> None:
    """Past the buffer of sys.stdout, which Ctrl-Z must not enter while a line is being drawn."""
    rest = text.encode(sys.stdout.encoding, "replace")
    while rest:
        rest = rest[os.write(sys.stdout.fileno(), rest) :]
