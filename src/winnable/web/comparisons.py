"""A comparison that a page asks for: the rounds of `winnable compare`, beside all else that the page does.

It has a thread of its own and at most one is under way in the studio: it may go on for hours, and what a
person waits for, a lamp or a `solve`, must find its own threads free.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Literal, TypeAlias, TypeVar

from winnable.comparing import Ground, Row, aims, ground, hurry, new_rows, play_rounds
from winnable.contract.core import Budget, Solver, SolveResult, WinnableError, check_line
from winnable.contract.methods import Chosen, Wanted, choose
from winnable.contract.registry import load_game
from winnable.levels.files import NamedLevel
from winnable.levels.find import find_level_or_board
from winnable.levels.identity import MAKING_SECONDS
from winnable.tuning import tuned
from winnable.web.events import Event, Standings
from winnable.web.hub import Hub
from winnable.web.jobs import Cancelled, Job, Outcome
from winnable.web.messages import SetMethod
from winnable.web.protocol import Compare

LONGEST_SECONDS = 6 * 3600.0
"""For all games together: nobody holds a thread for ever."""
TOLD_SECONDS = 0.5
"""Between two messages."""

Send: TypeAlias = Callable[[Event], None]
Stage: TypeAlias = Literal["waiting", "playing", "all", "cancelled", "time", "refused"]
S = TypeVar("S")
T = TypeVar("T")


class _Hand:
    """Lets games be played in a job's thread."""

    def __init__(self, hub: Hub, job: Job, send: Send, nice: bool) -> None:
        self._kernels, self._job, self._send, self._nice = hub.kernels, job, send, nice
        self._end = job.now() + LONGEST_SECONDS

    @property
    def is_late(self) -> bool:
        return self._job.now() >= self._end

    @property
    def interrupted(self) -> bool:
        return self._job.cancelled or self.is_late

    def budget(self, seconds: float) -> Budget:
        """To make a level."""
        return self._job.budget(seconds, nice=False, small=True)

    def run(self, work: Callable[[], T]) -> T:
        return self._kernels.run(self._job, self._send, work)

    def solve(self, solver: Solver, puzzle: Any, state: Any, seconds: float, seed: int) -> SolveResult:
        seconds = min(seconds, self._end - self._job.now())
        result = solver(puzzle, state, self._job.budget(seconds, nice=self._nice), seed)
        if result.status == "solved":
            check_line(puzzle, result.actions, state)
        return result


class _Comparison:
    """One that is under way. `play` is called in its thread, all else on the event loop."""

    def __init__(self, hub: Hub, request: Compare, send: Send) -> None:
        self._hub, self._request, self._send = hub, request, send
        self._rows: list[Row] = []
        self._is_over = self._is_late = self._is_due = False
        self._told = 0
        """Games that the last event counted."""

    def play(self, job: Job) -> None:
        hub, request, send = self._hub, self._request, self._send
        self._rows.extend(hub.kernels.run(job, send, lambda: _rows(hub, job, request)))
        solving = [row.is_solver for row in self._rows]
        # Players hold the interpreter, which a thread that others go before must not.
        hand = _Hand(hub, job, send, nice=all(solving))
        job.call(self._begin, self.event("playing"))
        if any(solving):
            hub.kernels.wait(job, load_game(request.game), send, None)
        with suppress(Cancelled):
            for _ in play_rounds(hand, self._rows, request.seconds):
                if self._is_due:
                    self._is_due = False
                    job.call(send, self.event("playing"))
        self._is_late = hand.is_late

    def event(self, stage: Stage) -> Standings:
        rows, request = self._rows, self._request
        left = [row for row in rows if len(row.played) < row.games] if stage == "playing" else []
        now = min(left, key=lambda row: len(row.played), default=None)
        standings = [row.standing for row in rows if row.played]
        self._told = sum(row.games for row in standings)
        return Standings(
            game=request.game,
            rows=standings,
            played=self._told,
            games=request.games * len(request.levels) * len(request.by),
            level=now.ground.name if now else "",
            name=now.by.label if now else "",
            aims=not rows or aims(rows[0].ground.first),
            hurry=hurry(standings),
            stage=stage,
        )

    def end(self, outcome: Outcome) -> None:
        self._is_over = True
        if self._rows or not outcome.error:
            ends: Stage = "cancelled" if outcome.cancelled else "time" if self._is_late else "all"
            self._send(self.event("refused" if outcome.error else ends))

    def _begin(self, event: Standings) -> None:
        self._send(event)
        self._tick()

    def _tick(self) -> None:
        """What the thread was to tell after its last game, and has not, is told here: its game is a long one.
        So nothing that changes fast is counted on the event loop."""
        if self._is_over:
            return
        if self._is_due and sum(len(row.played) for row in self._rows) != self._told:
            self._send(self.event("playing"))
        self._is_due = True
        self._hub.jobs.later(TOLD_SECONDS, self._tick)


def start_comparison(hub: Hub, request: Compare, send: Send, done: Callable[[Outcome], None]) -> Job:
    """Sends `standings` as rows grow; the last one says what ended it. Before the first game is played, a
    refusal is all that there is. Raises WinnableError when too much waits."""
    comparison = _Comparison(hub, request, send)

    def ended(outcome: Outcome) -> None:
        comparison.end(outcome)
        done(outcome)

    waiting = comparison.event("waiting")  # once it is submitted its thread counts games
    job = hub.jobs.submit("compare", comparison.play, ended, size=sum(map(len, request.levels)))
    send(waiting)
    return job


def _rows(hub: Hub, job: Job, request: Compare) -> Sequence[Row]:
    game, find = load_game(request.game), tuned.kept(hub.store)
    table = tuned.methods(game, find)

    def making() -> Budget:
        return job.budget(MAKING_SECONDS, nice=False, small=True)

    def read(text: str) -> list[NamedLevel]:
        return [find_level_or_board(text, game.name, making())]

    def found(text: str) -> Ground:
        one = ground(text, request.seed, making(), read)
        if one.first.game is not game:
            raise WinnableError("compare.games", games=[game.name, one.first.game.name])
        return one

    def chosen(wanted: SetMethod) -> Chosen[Any]:
        return choose("by", table, Wanted(wanted.name, wanted.settings), game.name)

    grounds = [_blaming(f"levels[{at}]", found, text) for at, text in enumerate(request.levels)]
    by = [_blaming(f"by[{at}]", chosen, one) for at, one in enumerate(request.by)]
    return new_rows(grounds, by, lambda _: request.games, request.seed, find)


def _blaming(place: str, work: Callable[[S], T], given: S) -> T:
    """What is wrong with it names its place in the message."""
    try:
        return work(given)
    except WinnableError as error:
        field = str(error.values.get("field") or "")
        place = place if field in ("", "by", "level") else f"{place}.{field}"
        raise type(error)(error.code, **error.values | {"field": place}) from None
