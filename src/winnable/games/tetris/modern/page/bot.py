"""The bot at the arcade: it plays, gives hints and values boards. It plans in worker threads, never on the
event loop; a plan takes some 30 ms."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from winnable.analysis.engine import engine
from winnable.contract.core import Budget, WinnableError
from winnable.contract.methods import Wanted, choose
from winnable.contract.registry import load_game
from winnable.games.tetris.modern.players.article_bot import HURRY_ABOVE, ArticleBot, Route
from winnable.games.tetris.modern.players.bot import Bot, Plan
from winnable.games.tetris.modern.players.weights import Style
from winnable.games.tetris.modern.rules.article import ROUNDS_A_ROW, ROUNDS_WITH_DOWN
from winnable.games.tetris.modern.rules.level import Handling, Level, RuleName
from winnable.games.tetris.modern.rules.puzzle import AnyState, Modern
from winnable.store.database import Store
from winnable.tuning import tuned
from winnable.web.events import Compiling
from winnable.web.jobs import Job, Jobs, Running

Make: TypeAlias = Callable[[], Bot | ArticleBot]
Send: TypeAlias = Callable[[Compiling], None]
"""Hears that kernels are waited for."""
Done: TypeAlias = Callable[[WinnableError | None], None]
"""Hears that a plan is there, or what went wrong."""


def guideline_bot(level: Level, handling: Handling, style: Style) -> Make:
    """The maker of the guideline's bot, for a worker thread."""
    return partial(Bot, level, handling, style)


def article_bot(level: Level, by: str, store: Store) -> Make:
    """The maker of the article's bot. by: a player of tetris, or `run:ID`. Raises WinnableError."""
    game = load_game("tetris")
    player = choose("by", tuned.players(game, tuned.kept(store)), Wanted(by, {}), game.name).method
    return lambda: ArticleBot(level, player)


class Planner:
    """Plans for one game, one at a time."""

    def __init__(self, make: Make, jobs: Jobs) -> None:
        self._make, self._jobs = make, jobs
        self._bot: Bot | ArticleBot | None = None

    def plan(self, state: AnyState, hurries: bool = False) -> Job[Plan | Route]:
        """Plan the piece in play, on the event loop; the job tells the plan. hurries: see `ArticleBot`"""
        budget = Budget()
        work = partial(self._planned, state, hurries)
        return self._jobs.work("play", partial(engine().run, work, budget), budget)

    def _planned(self, state: AnyState, hurries: bool) -> Plan | Route:
        if self._bot is None:
            self._bot = self._make()
        if isinstance(self._bot, ArticleBot):
            self._bot.hurries = hurries
        return self._bot.plan(state)


class Pilot:
    """The bot that plays one game: a plan for each piece, and its keys frame by frame. On the event loop."""

    def __init__(self, name: str, make: Make, jobs: Jobs, send: Send = lambda event: None) -> None:
        """name: its style, or who it is"""
        self.name = name
        self._planner, self._jobs, self._send = Planner(make, jobs), jobs, send
        self._planning: Running | None = None
        self._done: Done = lambda trouble: None
        self._hurries = False
        self._keys: deque[int] = deque()

    @property
    def has_keys(self) -> bool:
        """Whether the next frame is planned."""
        return bool(self._keys)

    def pace(self, rules: RuleName, times: float | None) -> float | None:
        """The clock's speed for one that is asked for."""
        self._hurries = rules == "article" and (times is None or times > HURRY_ABOVE)
        return times * ROUNDS_WITH_DOWN / ROUNDS_A_ROW if times and self._hurries else times

    def next_keys(self) -> int | None:
        """The keys of the frame to come; None: they are not planned yet."""
        return self._keys.popleft() if self._keys else None

    def think(self, state: AnyState, done: Done) -> None:
        """Plans the next piece, unless it is at it already. Who asked last is told by `done` what went wrong,
        if anything; until then the state must stay as it is."""
        self._done = done
        if self._planning is None:
            job = self._planner.plan(state, self._hurries)
            self._planning = self._jobs.follow(job, self._take(job))

    async def _take(self, job: Job[Plan | Route]) -> None:
        trouble: WinnableError | None = None
        try:
            plan = await job.result(self._send)
        except WinnableError as error:
            plan, trouble = None, error
        self._planning = None
        if plan is not None:
            self._keys.extend(plan.keys)
        self._done(trouble)

    def give_up(self) -> None:
        """Play no more."""
        if self._planning is not None:
            self._planning.give_up()
            self._planning = None
        self._keys.clear()


class Appraiser:
    """Values boards in one style, once the bot is warm; a value takes some 50 µs, so it needs no thread."""

    def __init__(
        self,
        style: Style,
        jobs: Jobs,
        ready: Callable[[Appraiser], None],
        send: Send = lambda event: None,
    ) -> None:
        """`ready` is called on the event loop, unless it was given up."""
        self._bot: Bot | None = None
        budget = Budget()
        job = jobs.work("play", partial(engine().run, partial(_warm_bot, style), budget), budget)
        self._making = jobs.follow(job, self._made(job, ready, send))

    async def _made(self, job: Job[Bot], ready: Callable[[Appraiser], None], send: Send) -> None:
        with suppress(WinnableError):
            self._bot = await job.result(send)
        if self._bot is not None:
            ready(self)

    @property
    def is_ready(self) -> bool:
        """Whether the bot can value boards by now."""
        return self._bot is not None

    def value(self, state: AnyState) -> float:
        """The value of the board, once it is ready."""
        assert self._bot is not None
        return self._bot.evaluate(state)

    def give_up(self) -> None:
        """Value no more boards."""
        self._making.give_up()


def _warm_bot(style: Style) -> Bot:
    bot = Bot(Level(), style=style, width=1)
    bot.evaluate(Modern(Level()).initial())  # so that the event loop need not load the kernel
    return bot
