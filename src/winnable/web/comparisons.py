"""A comparison that a page asks for: the rounds of `winnable compare`, beside all else that the page does.

It has a thread of its own and at most one is under way in the studio: it may go on for hours, and what a
person waits for, a lamp or a `solve`, must find its own threads free.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, TypeAlias

from winnable.analysis.engine import engine
from winnable.comparing import Ground, Row, aims, ground, hurry, new_rows, play_rounds
from winnable.contract.core import Budget, Progress, Search, WinnableError
from winnable.contract.game import Game
from winnable.contract.methods import Chosen, Wanted, choose
from winnable.contract.registry import load_game
from winnable.levels.files import NamedLevel
from winnable.levels.find import find_level_or_board
from winnable.levels.identity import MAKING_SECONDS
from winnable.tuning import tuned
from winnable.web.events import Event, Standings
from winnable.web.hub import Hub
from winnable.web.jobs import Followed, Job
from winnable.web.protocol import Compare

LONGEST_SECONDS = 6 * 3600.0
"""For all games together: nobody holds a thread for ever."""
TOLD_SECONDS = 0.5
"""Between two messages."""

Send: TypeAlias = Callable[[Event], None]
Stage: TypeAlias = Literal["waiting", "playing", "all", "cancelled", "time", "refused"]


class _Comparison:
    """One that is under way: `play` where it is driven, all else on the event loop."""

    def __init__(self, hub: Hub, request: Compare, send: Send) -> None:
        self._hub, self._request, self._send = hub, request, send
        self._rows: list[Row] = []
        self._is_late = False

    def play(self, whole: Budget) -> Iterator[Progress | Standings]:
        """What it comes to, now and then: nothing that changes fast is told to the event loop."""
        request = self._request
        self._rows.extend((yield from engine().run(lambda: _rows(self._hub, whole, request), whole)))
        yield self.event("playing")
        if any(row.is_solver for row in self._rows):
            yield from engine().ready(load_game(request.game), whole, None)
        last, is_news = time.monotonic(), False
        for told in play_rounds(whole, self._rows, request.seconds):
            is_news = is_news or isinstance(told, Row)
            if is_news and time.monotonic() - last >= TOLD_SECONDS:
                last, is_news = time.monotonic(), False
                yield self.event("playing")
            elif isinstance(told, Progress):
                yield told
        self._is_late = whole.elapsed >= whole.seconds

    async def follow(self, job: Job[Standings]) -> None:
        """Sends `standings` as rows grow; the last one says what ended it."""
        try:
            async for event in job.told(self._send):
                self._send(event)
        except WinnableError:
            if self._rows:
                self._send(self.event("refused"))
            raise
        self._send(self.event("cancelled" if job.cancelled else "time" if self._is_late else "all"))

    def event(self, stage: Stage) -> Standings:
        rows, request = self._rows, self._request
        left = [row for row in rows if len(row.played) < row.games] if stage == "playing" else []
        now = min(left, key=lambda row: len(row.played), default=None)
        standings = [row.standing for row in rows if row.played]
        return Standings(
            game=request.game,
            rows=standings,
            played=sum(row.games for row in standings),
            games=request.games * len(request.levels) * len(request.by),
            level=now.ground.name if now else "",
            name=now.by.label if now else "",
            aims=not rows or aims(rows[0].ground.first),
            hurry=hurry(standings),
            stage=stage,
        )


def begin_comparison(hub: Hub, request: Compare, send: Send) -> Followed:
    """A job that plays the games, and what sends their rows. Before the first game is played, a refusal is
    all that there is. Raises WinnableError when too much waits."""
    comparison, whole = _Comparison(hub, request, send), Budget(LONGEST_SECONDS)
    # Players hold the interpreter, which a thread that others go before must not.
    solvers = tuned.solvers(load_game(request.game), tuned.kept(hub.store))
    is_nice, size = all(one.name in solvers for one in request.by), sum(map(len, request.levels))
    waiting = comparison.event("waiting")  # nothing is played yet
    job = hub.jobs.stream("compare", comparison.play(whole), whole, size=size, nice=is_nice)
    send(waiting)
    return job, comparison.follow(job)


def _rows(hub: Hub, whole: Budget, request: Compare) -> Search[Sequence[Row]]:
    game, find = load_game(request.game), tuned.kept(hub.store)
    table = tuned.methods(game, find)
    grounds, by = list[Ground](), list[Chosen]()
    for at, text in enumerate(request.levels):
        with _blamed_on(f"levels[{at}]"):
            budget = whole.part(most=MAKING_SECONDS)
            grounds.append((yield from _ground(game, text, request.seed, budget)))
    for at, wanted in enumerate(request.by):
        with _blamed_on(f"by[{at}]"):
            by.append(choose("by", table, Wanted(wanted.name, wanted.settings), game.name))
    return new_rows(grounds, by, lambda _: request.games, request.seed, find)


def _ground(game: Game, text: str, seed: int, budget: Budget) -> Search[Ground]:
    def read(text: str) -> Search[Sequence[NamedLevel]]:
        return [(yield from find_level_or_board(text, game.name, budget))]

    found = yield from ground(text, seed, budget, read)
    if found.first.game is not game:
        raise WinnableError("compare.games", games=[game.name, found.first.game.name])
    return found


@contextmanager
def _blamed_on(place: str) -> Generator[None]:
    """What is wrong names its place in the message."""
    try:
        yield
    except WinnableError as error:
        field = str(error.values.get("field") or "")
        place = place if field in ("", "by", "level") else f"{place}.{field}"
        raise type(error)(error.code, **error.values | {"field": place}) from None
