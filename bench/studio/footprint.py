"""How much memory the studio takes, with all the processes that it starts: with nobody there, with twenty
games, after they were closed, and for half an hour with fifty.

A real server runs in a process of its own, from a home folder that is empty at first: the first start
compiles, the second one finds what that made.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from random import Random
from statistics import fmean
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from bench.report import Row
from bench.studio.process import OPEN_SECONDS, studio_process
from bench.studio.process_memory import Family
from winnable.contract.abilities import solvers_of
from winnable.contract.core import WinnableError
from winnable.contract.registry import GAMES, load_game

IDLE_MIB, COMPILING_MIB, CLOSED_MIB = 300, 1024, 450
"""What we promise: with nobody there, the most of all together while it compiles, and after all games."""
FLAT = 0.1
"""By so much of it the memory of the last third of a soak may lie above that of the first."""
GAMES_OPEN, SOAK_GAMES = 20, 50
QUIET_SECONDS, QUIET_SHARE = 5.0, 0.02
"""Nothing compiles once the studio is alone and has used no more of the processor than that, for so long."""
STARTING_SECONDS = 900.0
LAMP_SECONDS, SOLVE_SECONDS, SOAK_SOLVE_SECONDS = 30.0, 2.0, 30.0
AFTER_SECONDS = (5.0, 30.0)
"""After the last game was closed."""
ARCADE_SECONDS = 3.0
"""For which the bot plays."""
CLICK_SECONDS = 0.5
ALWAYS_LEGAL = 3
"""Actions that each level has in a game where all of them are legal."""
ENDED_SECONDS = 10.0
"""For all processes, after Ctrl-C."""
ARCADE: Final = "arcade"
_KINDS = (*GAMES, ARCADE)


def rows(
    games: int = GAMES_OPEN,
    soak: float | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """`games`: of all kinds in turn, each with its lamp, a hint and a solver. soak: minutes with SOAK_GAMES
    open, at the end. Raises WinnableError where there is no /proc."""
    total = 3 if soak else 2

    def tell(done: int) -> None:
        if progress is not None:
            progress(done, total)

    with tempfile.TemporaryDirectory() as home:
        for done, start in enumerate(("cold", "warm")):
            tell(done)
            yield from _visited(home, start, games, seed)
        if soak:
            tell(2)
            yield from _soaked(home, soak, seed)
        tell(total)


def _visited(home: str, start: str, games: int, seed: int) -> Iterator[Row]:
    with ExitStack() as stack:
        family = Family("HOME", home)
        most = stack.enter_context(family.watched())
        host = stack.enter_context(_studio(home))
        _wait_until_quiet(family)
        yield _row(f"{start}: with nobody there", family.use().memory, 1, seed, IDLE_MIB)
        yield _row(f"{start}: at most until then", most(), 1, seed, COMPILING_MIB)
        with ExitStack() as pages:
            for number in range(games):
                _play(pages.enter_context(_Page(host, number, seed)))
            yield _row(f"{start}: games open", family.use().memory, games, seed)
        closed = time.monotonic()
        for seconds in AFTER_SECONDS:
            time.sleep(max(0.0, closed + seconds - time.monotonic()))
            yield _row(
                f"{start}: {seconds:g} s after they were closed", family.use().memory, games, seed, CLOSED_MIB
            )
        yield _row(f"{start}: at most in all", most(), games, seed, COMPILING_MIB)
        yield Row(f"{start}: processes left over", family.interrupt(ENDED_SECONDS), reference=0, seed=seed)


def _soaked(home: str, minutes: float, seed: int) -> Iterator[Row]:
    """The mean of each minute, and how much the last third is above the first."""
    draw, means = Random(seed), list[float]()
    family = Family("HOME", home)
    with _studio(home) as host, ExitStack() as pages:
        _wait_until_quiet(family)
        opened = [pages.enter_context(_Page(host, number, seed)) for number in range(SOAK_GAMES)]
        for page in opened:
            page.solve(SOAK_SOLVE_SECONDS)
        began = time.monotonic()
        for minute in range(1, max(3, round(minutes)) + 1):
            samples = list[int]()
            while not samples or time.monotonic() < began + 60 * minutes * minute / max(3, round(minutes)):
                for page in opened:
                    page.read()
                page = draw.choice(opened)
                page.click(draw)
                if page.is_idle:
                    page.solve(SOAK_SOLVE_SECONDS)
                samples.append(family.use().memory)
                time.sleep(CLICK_SECONDS)
            means.append(fmean(samples))
            yield _row(f"soak: minute {minute}", means[-1], len(samples), seed)
        pages.close()
        third = len(means) // 3
        above = fmean(means[-third:]) / fmean(means[:third]) - 1
        yield Row("soak: the last third above the first", above, n=len(means), reference=FLAT, seed=seed)
        yield Row("soak: processes left over", family.interrupt(ENDED_SECONDS), reference=0, seed=seed)


def _studio(home: str) -> Any:
    """With nothing but that home folder."""
    return studio_process(
        HOME=home, USERPROFILE=home, LOCALAPPDATA=home, XDG_CACHE_HOME="", XDG_DATA_HOME="", WINNABLE_CACHE=""
    )


def _wait_until_quiet(family: Family) -> None:
    """Raises WinnableError when that takes too long."""
    end = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < end:
        before = family.use()
        time.sleep(QUIET_SECONDS)
        now = family.use()
        used = now.seconds - before.seconds
        if before.processes == now.processes == 1 and used < QUIET_SHARE * QUIET_SECONDS:
            return
    raise WinnableError("the studio was busy for too long; nothing was measured")


def _row(name: str, memory: float, n: int, seed: int, goal: float | None = None) -> Row:
    return Row(name, memory / 2**20, "MiB", n=n, seed=seed, reference=goal)


class _Page:
    """A game on a WebSocket of its own."""

    def __init__(self, host: str, number: int, seed: int) -> None:
        self._host, self._level_seed = host, seed + number
        self.kind = _KINDS[number % len(_KINDS)]
        self.state: dict[str, Any] = {}
        self.is_idle = True
        """Whether no solver runs that it asked for."""

    def __enter__(self) -> _Page:
        path = "ws/arcade" if self.kind == ARCADE else "ws"
        origin = Origin(f"http://{self._host}")
        # What nobody reads must wait here: a connection on which nothing is read is closed.
        self._connection = connect(
            f"ws://{self._host}/{path}",
            origin=origin,
            max_size=None,
            max_queue=None,
            open_timeout=OPEN_SECONDS,
        )
        self._socket: ClientConnection = self._connection.__enter__()
        if self.kind == ARCADE:
            self.send(type="start", mode="marathon", dice=self._level_seed)
            self.send(type="bot")
            self.wait(lambda _: False, ARCADE_SECONDS)
            self.send(type="hands")
        else:
            self.ask("state", type="new", level=f"{self.kind}:#{self._level_seed}")
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.__exit__(None, None, None)

    def send(self, **request: Any) -> None:
        self._socket.send(json.dumps(request))

    def ask(self, answer: str, **request: Any) -> None:
        self.send(**request)
        self.wait(lambda event: event["type"] == answer, 60)

    def wait(self, wanted: Callable[[dict[str, Any]], bool], seconds: float) -> bool:
        """Whether the event came within so many seconds, and none that refused. Notes boards and results."""
        end = time.monotonic() + seconds
        while True:
            try:
                event = json.loads(self._socket.recv(timeout=max(0.0, end - time.monotonic())))
            except TimeoutError:
                return False
            if event["type"] == "state":
                self.state = event
            self.is_idle |= event["type"] in ("result", "error")
            if event["type"] == "error":
                return False
            if wanted(event):
                return True

    def read(self) -> None:
        """What is there."""
        self.wait(lambda _: False, 0)

    @property
    def solver(self) -> str | None:
        return None if self.kind == ARCADE else next(iter(solvers_of(load_game(self.kind))), None)

    def solve(self, seconds: float) -> None:
        if self.solver is not None:
            self.is_idle = False
            self.send(type="solve", solver=self.solver, seconds=seconds)

    def click(self, draw: Random) -> None:
        """Something legal; a game that is over begins again."""
        if self.kind == ARCADE:
            return
        if self.state["standing"] == "playing":
            legal = self.state["legal"] or range(ALWAYS_LEGAL)
            self.ask("state", type="act", action=draw.choice(legal))
        else:
            self.ask("state", type="goto", ply=0)


def _play(page: _Page) -> None:
    """With its lamp, a hint that is followed, and a solver where there is one."""
    if page.kind == ARCADE:
        return
    page.wait(lambda event: event["type"] == "lamp" and not event["searching"], LAMP_SECONDS)
    hint: dict[str, Any] = {}
    page.send(type="hint")
    page.wait(lambda event: hint.update(event) or event["type"] == "hint", LAMP_SECONDS)
    if hint.get("action") is not None:
        page.ask("state", type="act", action=hint["action"])
    if page.solver is not None:
        page.solve(SOLVE_SECONDS)
        page.wait(lambda event: event["type"] == "result", LAMP_SECONDS)
