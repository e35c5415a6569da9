"""The bot at the arcade: it plays, gives hints and values boards. It plans in worker threads, never on the
event loop; a plan takes some 30 ms. Nothing here loads the compiler before the bot is asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from winnable.core import LevelError, WinnableError
from winnable.games.tetris.modern.level import Handling, Level
from winnable.games.tetris.modern.rules import AnyState, Modern
from winnable.web import book
from winnable.web.arcade_protocol import Style
from winnable.web.jobs import Job, Jobs, Outcome

if TYPE_CHECKING:
    from winnable.games.tetris.modern.bot import Bot, Plan


KERNELS = "tetris: the modern bot"


def _new_bot(*arguments: Any, **options: Any) -> Bot:
    return import_module("winnable.games.tetris.modern.bot").Bot(*arguments, **options)


def _compile() -> None:
    level = Level()
    bot, state = _new_bot(level, width=1), Modern(level).initial()
    bot.plan(state)
    bot.evaluate(state)


def is_warm() -> bool:
    """Whether the kernels are compiled: for the first time on a machine that takes up to a minute."""
    return book.is_warm(KERNELS)


def warm() -> None:
    """In a worker thread."""
    book.warm_once(KERNELS, _compile)


class Planner:
    """Plans for one game, one at a time."""

    def __init__(self, level: Level, handling: Handling, style: Style, jobs: Jobs) -> None:
        """Raises LevelError where the bot does not know the rules."""
        if level.rules != "guideline":
            raise LevelError("arcade.rules", field="rules", given=level.rules)
        self._made_of = level, handling, style
        self._jobs = jobs
        self._bot: Bot | None = None

    def plan(self, state: AnyState, done: Callable[[Plan | None, WinnableError | None], None]) -> Job:
        """On the event loop, like `done`, which gets the plan, or None and what went wrong; when the job was
        cancelled both may be empty."""

        def work(_: Job) -> Plan:
            warm()
            if self._bot is None:
                self._bot = _new_bot(*self._made_of)
            return self._bot.plan(state)

        return self._jobs.submit("play", work, lambda outcome: done(outcome.value, outcome.error))


class Pilot:
    """The bot that plays one game: a plan for each piece, and its keys frame by frame. On the event loop."""

    def __init__(self, level: Level, handling: Handling, style: Style, jobs: Jobs) -> None:
        """Raises LevelError where the bot does not know the rules."""
        self.style: Style = style
        self._planner = Planner(level, handling, style, jobs)
        self._jobs = jobs
        self._keys: deque[int] = deque()
        self._job: Job | None = None

    @property
    def has_keys(self) -> bool:
        return bool(self._keys)

    def next_keys(self) -> int | None:
        """Of the frame to come; None: they are not planned yet."""
        return self._keys.popleft() if self._keys else None

    def think(self, state: AnyState, done: Callable[[WinnableError | None], None]) -> None:
        """Plans the next piece, unless it is at it already. `done` is told what went wrong, if anything;
        until then the state must stay as it is."""
        if self._job is not None:
            return

        def ended(plan: Plan | None, error: WinnableError | None) -> None:
            if self._job is not job:
                return  # it was given up
            self._job = None
            if plan is not None:
                self._keys.extend(plan.keys)
            done(error)

        job = self._job = self._planner.plan(state, ended)

    def give_up(self) -> None:
        """It plays no more."""
        self._jobs.cancel(self._job)
        self._job = None
        self._keys.clear()


class Appraiser:
    """Values boards in one style, once the bot is warm; a value takes some 50 µs, so it needs no thread."""

    def __init__(self, style: Style, jobs: Jobs, ready: Callable[[Appraiser], None]) -> None:
        """`ready` is called on the event loop, unless it was given up."""
        self._bot: Bot | None = None
        self._jobs = jobs

        def work(_: Job) -> Bot:
            warm()
            return _new_bot(Level(), style=style, width=1)

        def done(outcome: Outcome) -> None:
            if self._job is None:
                return  # it was given up
            self._bot, self._job = outcome.value, None
            if self._bot is not None:
                ready(self)

        self._job: Job | None = jobs.submit("play", work, done)

    @property
    def is_ready(self) -> bool:
        return self._bot is not None

    def value(self, state: AnyState) -> float:
        """Once it is ready."""
        assert self._bot is not None
        return self._bot.evaluate(state)

    def give_up(self) -> None:
        self._jobs.cancel(self._job)
        self._job = None
