"""First answers where nothing is compiled yet: `AnswersFirst` in a child whose kernels run as plain Python.

    with Uncompiled() as first:
        first.start("drops")  # so that it stands by; else it starts with the first question
        found = first.ask(game, level, state, Budget(0.7))

`python -m winnable.analysis.uncompiled` is the child. It imports no numba, answers one question after
another, and ends with its stdin: when that is closed, or the parent died. Both sides send pickles, each
behind its length.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Hashable
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

from winnable.contract.abilities import AnswersFirst, Solves
from winnable.contract.chance import Outlook
from winnable.contract.core import Action, Answer, Budget, Search, WinnableError, finish
from winnable.contract.registry import load_game
from winnable.levels.files import decode, encode_level

if TYPE_CHECKING:
    from winnable.contract.game import Game

POLL_SECONDS = 0.01
"""Between two looks at whether the question is cancelled."""
GRACE_SECONDS = 2.0
"""To end in after a cancel, for a step that is under way; then the child is killed."""
MOST_SECONDS = 20.0
"""Beyond the budget, to start in and for the last step, on a busy machine; then the child is killed."""
LENGTH_BYTES = 4
CANCEL = "cancel"
"""The question that was sent last."""


class Question(NamedTuple):
    """game, level: a name, and the level as in its file; seconds: what the budget has left; by: the player
    whose choice is asked for, in place of `first`"""

    game: str
    level: bytes
    state: Hashable
    seconds: float
    seed: int
    by: str = ""


class Prepare(NamedTuple):
    """Imports the game of this name."""

    game: str


Reply: TypeAlias = Answer | Outlook | Action | WinnableError | str | None
"""str: the traceback of what should not have been raised; None: of the pipe's end."""


class Uncompiled:
    """Asks a child process. Any thread may ask; one question is answered at a time."""

    def __init__(self) -> None:
        self._turn, self._known = threading.Lock(), threading.Lock()
        self._child: _Child | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, *games: str) -> None:
        """Starts the child, if there is none, and has it import these games, so that it stands by. Returns at
        once. Raises WinnableError when it cannot be started."""
        child = self._running()
        for game in games:
            child.send((0, Prepare(game)))

    def close(self) -> None:
        """Ends the child, also in the middle of a question, which then knows nothing. Nothing can be asked
        from then on."""
        with self._known:
            self._closed, child = True, self._child
        if child is not None:
            child.end()

    @property
    def is_closed(self) -> bool:
        return self._closed

    @property
    def pid(self) -> int | None:
        """Of the child, if there is one."""
        child = self._child
        return None if child is None or not child.lives else child.process.pid

    def ask(
        self, game: Game, level: Any, state: Hashable, budget: Budget, seed: int = 0
    ) -> Search[Answer | Outlook]:
        """What `game.first` says; the game must have it. Any thread may cancel the budget: then nothing is
        known, soon, and neither when the child is overdue or closed meanwhile. A child that dies is started
        once more. Raises WinnableError: that of `game.first`, or when the child died twice or cannot be
        started."""
        found = yield from self._asked(game, level, state, budget, seed)
        return _nothing(game, budget) if found is None else found

    def choose(
        self, game: Game, level: Any, state: Hashable, budget: Budget, by: str
    ) -> Search[Action | None]:
        """The choice of a player, of a state that has one; None: not in time. Likewise."""
        return self._asked(game, level, state, budget, 0, by)

    def _asked(
        self, game: Game, level: Any, state: Hashable, budget: Budget, seed: int, by: str = ""
    ) -> Search[Any]:
        """None: not in time."""
        while not self._turn.acquire(timeout=POLL_SECONDS):
            if not (yield from budget.allows("first", 0, 0)):
                return None
        try:
            encoded = encode_level(level)
            for _ in range(2):
                question = Question(game.name, encoded, state, budget.part().seconds, seed, by)
                reply = yield from self._running().ask(question, budget)
                if isinstance(reply, WinnableError):
                    raise reply
                if isinstance(reply, str):
                    raise RuntimeError(reply)
                if reply is not None or self._closed or budget.limit(0) is not None:
                    return reply
        finally:
            self._turn.release()
        raise WinnableError("uncompiled.died")

    def _running(self) -> _Child:
        with self._known:
            if self._closed:
                raise WinnableError("uncompiled.closed")
            if self._child is None or not self._child.lives:
                if self._child is not None:
                    self._child.end()
                self._child = _Child()
            return self._child


def _nothing(game: Game, budget: Budget) -> Answer | Outlook:
    return Answer("budget", limit=budget.limit(0)) if isinstance(game, Solves) else Outlook()


class _Child:
    """One process, and what reads its replies."""

    def __init__(self) -> None:
        """Raises WinnableError."""
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "winnable.analysis.uncompiled"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "WINNABLE_JIT": "0"},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise WinnableError("uncompiled.start", reason=error.strerror or str(error)) from None
        self._replies: queue.SimpleQueue[tuple[int, Reply]] = queue.SimpleQueue()
        self._asked = 0
        """Questions so far: a reply names its one, as nobody may wait for it any more."""
        self._sending = threading.Lock()
        threading.Thread(target=self._read, name="uncompiled", daemon=True).start()

    @property
    def lives(self) -> bool:
        return self.process.poll() is None

    def send(self, message: Any) -> None:
        """If it still reads."""
        with self._sending, suppress(OSError, ValueError):
            assert self.process.stdin is not None
            write(self.process.stdin, message)

    def ask(self, question: Question, budget: Budget) -> Search[Reply]:
        """None when it died, or had to be killed. Whoever goes on no more cancels the question."""
        self._asked += 1
        asked, is_told = self._asked, False
        self.send((asked, question))
        end = time.monotonic() + question.seconds + MOST_SECONDS
        while time.monotonic() < end:
            with suppress(queue.Empty):
                answered, reply = self._replies.get(timeout=POLL_SECONDS)
                if answered == asked and reply is not None:
                    return reply
                if reply is None:
                    break
            try:
                yield from budget.allows("first", 0, 0)
            except GeneratorExit:
                self.send(CANCEL)
                raise
            if not is_told and budget.is_cancelled:
                self.send(CANCEL)
                end, is_told = min(end, time.monotonic() + GRACE_SECONDS), True
        self.end()
        return None

    def end(self) -> None:
        """Kills it, if it still runs, and waits until it is gone."""
        self.process.kill()
        self.process.wait()
        with self._sending, suppress(OSError):
            assert self.process.stdin is not None
            self.process.stdin.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as pipe:
            while (reply := read(pipe)) is not None:
                self._replies.put(reply)
        self._replies.put((0, None))


def write(pipe: IO[bytes], message: Any) -> None:
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    pipe.write(len(content).to_bytes(LENGTH_BYTES, "little") + content)
    pipe.flush()


def read(pipe: IO[bytes]) -> Any:
    """None at its end."""
    length = pipe.read(LENGTH_BYTES)
    content = pipe.read(int.from_bytes(length, "little")) if len(length) == LENGTH_BYTES else b""
    return pickle.loads(content) if content else None


class _Answering:
    """In the child: one thread reads, the main one answers."""

    def __init__(self, source: IO[bytes], sink: IO[bytes]) -> None:
        self._source, self._sink = source, sink
        self._messages: queue.SimpleQueue[tuple[int, Question | Prepare, Budget]] = queue.SimpleQueue()
        self._latest = Budget()
        """Of the question that was read last; its time does not count."""
        self._known: tuple[str, bytes] | None = None
        self._puzzle: Any = None

    def run(self) -> None:
        """As long as the process lives."""
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            asked, message, budget = self._messages.get()
            if isinstance(message, Prepare):
                with suppress(WinnableError):  # whoever asks about the game hears of it
                    load_game(message.game)
            else:
                write(self._sink, (asked, self._reply(message, budget)))

    def _read(self) -> None:
        with suppress(OSError):
            while (message := read(self._source)) is not None:
                if message == CANCEL:
                    self._latest.cancel()
                else:
                    self._latest = Budget()
                    self._messages.put((*message, self._latest))
        os._exit(0)  # whatever it is doing

    def _reply(self, question: Question, budget: Budget) -> Reply:
        try:
            game = load_game(question.game)
            if self._known != question[:2]:
                self._puzzle = game.puzzle(decode(question.level, game.level_type))
                self._known = question[:2]
            if question.by:
                return finish(game.players[question.by](self._puzzle, question.seed).choose(question.state))
            assert isinstance(game, AnswersFirst)
            most = budget.part(most=question.seconds)
            return finish(game.first(self._puzzle, question.state, most, question.seed))
        except WinnableError as error:
            return error
        except Exception:
            return traceback.format_exc()


def main() -> None:
    """The child. Nothing that anything prints gets between its replies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    _Answering(source, sink).run()


if __name__ == "__main__":
    from winnable.analysis import uncompiled  # pickles name its classes, not those of __main__

    uncompiled.main()
