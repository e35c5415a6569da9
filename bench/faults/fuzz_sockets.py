"""Fuzzing of both sockets' messages, in process: each is handed to its receiver as the server does it.

An input is a talk: JSON Lines, each a message. `@session` in one stands for the session that was told last.
No request that would begin a tuning run is sent, as it would start processes; searches get 0.2 s.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import cached_property, partial
from random import Random
from typing import Any, NamedTuple

import msgspec

from bench.faults.fuzz_examine import SECONDS, Fault
from bench.faults.fuzz_mutation import Schema, changed_bytes, changed_json, dumped
from bench.faults.fuzz_targets import Told, dice_of, simple_targets, small_levels
from winnable.contract import clock
from winnable.contract.abilities import formats_of, repairs_of, solvers_of

MESSAGES = 24
"""The most of a talk."""
SESSION = "@session"
OPENERS = '"new"', '"load"', '"open"'
"""In requests whose answer is mostly waited for."""
WAIT_SECONDS, END_SECONDS = 1.0, 10.0
"""For the answer to a message; of a processor, until all that a closed connection began has ended."""


class Complaints(logging.Handler):
    """What the program logs as an exception, it did not expect."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []
        for name in ("winnable.studio", "uvicorn.error", "asyncio"):
            logging.getLogger(name).addHandler(self)
            logging.getLogger(name).propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.found.append(
                f"{record.getMessage()}\n{logging.Formatter().formatException(record.exc_info)}"
            )

    def raise_found(self) -> None:
        if self.found:
            found, self.found[:] = "\n".join(self.found), []
            raise Fault(found)


class Loop:
    """An event loop that runs only while a talk does."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self.complaints = Complaints()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        try:
            return self._loop.run_until_complete(work)
        finally:
            self.complaints.raise_found()


class _Side(NamedTuple):
    """Ours of a socket; imported when it is needed.

    requests: their type
    opened:   the event that names a session
    jobs:     of all connections
    connect:  makes a receiver, given what sends events
    """

    requests: Any
    opened: type
    jobs: Any
    connect: Callable[[Callable[[Any], None]], Any]


class _Socket:
    lingers = 0.0
    """Share of the talks that are not ended at once after the last message."""

    def __init__(self, share: float) -> None:
        self.share = share

    @cached_property
    def _loop(self) -> Loop:
        return Loop()

    def parents(self) -> Sequence[bytes]:
        raise NotImplementedError

    @cached_property
    def _side(self) -> _Side:
        raise NotImplementedError

    def _asked(self, message: str) -> str:
        """What is sent for it."""
        return message

    async def _pause(self, message: str, rng: Random, answers: Callable[[], list[Any]]) -> None:
        raise NotImplementedError

    async def _talk(self, messages: list[str], rng: Random) -> list[Any]:
        told: list[Any] = []
        session = "0" * 32

        def send(event: Any) -> None:
            nonlocal session
            msgspec.json.encode(event)
            told.append(event)
            if isinstance(event, self._side.opened):
                session = event.session

        connection = self._side.connect(send)
        for message in messages:
            before = len(told)
            connection.receive(self._asked(message.replace(SESSION, session)))
            await self._pause(message, rng, lambda before=before: told[before:])
        if rng.random() < self.lingers:
            await asyncio.sleep(0.05)
        connection.close()
        await _ended(self._side.jobs)
        return told

    @cached_property
    def _schema(self) -> Schema:
        return Schema(self._side.requests)

    def make(self, rng: Random, parents: Sequence[bytes]) -> bytes:
        lines = [line for _ in range(rng.randrange(1, 4)) for line in rng.choice(parents).split(b"\n")]
        lines = lines[:MESSAGES] if rng.random() < 0.8 else rng.sample(lines, min(len(lines), MESSAGES))
        return b"\n".join(self._changed(rng, line, rng.choice(lines)) for line in lines)

    def _changed(self, rng: Random, line: bytes, other: bytes) -> bytes:
        draw = rng.random()
        if draw < 0.5:
            return line
        if draw < 0.65:
            return dumped(self._schema.draw(rng))
        if draw < 0.75:
            return changed_bytes(rng, line, other).replace(b"\n", b" ")
        try:
            return dumped(changed_json(rng, msgspec.json.decode(line), msgspec.json.decode(other)))
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return line

    def read(self, content: bytes) -> Told:
        messages = [line.decode(errors="replace") for line in content.split(b"\n")]
        events = self._loop.run(self._talk(messages, dice_of(content)))
        refused = [event for event in events if event.__struct_config__.tag == "error"]
        if any(event.code == "internal" for event in refused):
            raise Fault("an internal error was answered")
        said = sorted({f"{event.request} {event.code}" for event in refused})
        return Told("; ".join(said), len(messages), max(0, len(messages) - len(refused)))


class StudioSocket(_Socket):
    lingers = 0.1

    def parents(self) -> Sequence[bytes]:
        return _studio_talks()

    @cached_property
    def _side(self) -> _Side:
        from winnable.store.database import Store
        from winnable.web.events import State
        from winnable.web.hub import Hub
        from winnable.web.jobs import Jobs
        from winnable.web.protocol import Request
        from winnable.web.studio import Studio

        hub = Hub(Store(None), Jobs())
        return _Side(Request, State, hub.jobs, partial(Studio, hub))

    def _asked(self, message: str) -> str:
        return _within_reason(message)

    async def _pause(self, message: str, rng: Random, answers: Callable[[], list[Any]]) -> None:
        if rng.random() < 0.9 and any(tag in message for tag in OPENERS):
            await _until(lambda: any(map(_answers, answers())), WAIT_SECONDS)
        elif rng.random() < 0.3:
            await asyncio.sleep(0)


def _answers(event: Any) -> bool:
    return event.__struct_config__.tag in ("state", "error")


def _within_reason(message: str) -> str:
    """With searches of 0.2 s, and nothing that starts processes."""
    from winnable.web import protocol, tuning_protocol

    try:
        request: Any = msgspec.json.decode(message, type=protocol.Request)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return message
    if isinstance(request, tuning_protocol.Tune | tuning_protocol.TuneResume):
        return '{"type":"runs"}'
    if getattr(request, "seconds", 0) > SECONDS:
        return msgspec.json.encode(msgspec.structs.replace(request, seconds=SECONDS)).decode()
    return message


async def _ended(jobs: Any) -> None:
    """Raises Fault when what a closed connection began goes on and on."""
    began = time.process_time()
    while not await _until(lambda: jobs.counts() == (0, 0), WAIT_SECONDS):
        if time.process_time() - began > END_SECONDS:
            raise Fault(f"work goes on for {END_SECONDS} s of a processor after the connection was closed")


async def _until(holds: Callable[[], bool], seconds: float) -> bool:
    end = clock.now() + seconds  # what has to be compiled takes no time
    pause = 0.0
    while not holds():
        if clock.now() > end:
            return False
        await asyncio.sleep(pause)
        pause = min(0.01, pause + 0.0005)
    return True


def _studio_talks() -> list[bytes]:
    rng = Random(28)
    talks: list[bytes] = []
    for named in small_levels()[::2]:
        board = named.game.format_board(named.level)
        if len(board) > 600:
            continue
        from winnable.play.session import Session

        legal = Session(named).puzzle.legal_actions(Session(named).start)
        actions = [rng.choice(legal) for _ in range(4)]
        solver = next(iter(solvers_of(named.game)), "nobody")
        player = next(iter(named.game.players))
        talk: list[dict[str, Any]] = [
            {"type": "new", "level": rng.choice((named.id, board)), "game": named.game.name},
            *({"type": "act", "action": action} for action in actions[:2]),
            {"type": "goto", "ply": 0},
            {"type": "goto", "ply": 0, "action": actions[0], "forget": False},
            {"type": "act", "action": actions[2]},
            {"type": "alternate", "step": 1},
            {"type": "branches"},
            {"type": "hint"},
            {"type": "hint", "by": player, "settings": {}, "rung": "area"},
            {"type": "hint", "rung": "line"},
            {"type": "write", "format": next(iter(formats_of(named.game)), "x")},
            {"type": "explain"},
            {"type": "step", "by": player},
            {"type": "solve", "solver": solver, "seconds": SECONDS},
            {"type": "judge", "game": named.game.name, "level": board, "ticket": 3, "seconds": SECONDS},
            {"type": "report"},
            {"type": "cancel"},
            {"type": "cheat"},
            {"type": "next"},
            {"type": "repair", "method": next(iter(repairs_of(named.game)), "x"), "seconds": SECONDS},
            {"type": "save", "what": rng.choice(("session", "level"))},
            {"type": "runs"},
            {"type": "run_open", "run": "0" * 12},
            {"type": "load", "content": msgspec.json.encode(named.level).decode()},
            {"type": "open", "session": SESSION},
            {"type": "forget", "session": SESSION},
        ]
        rest = talk[3:]
        rng.shuffle(rest)
        talks.append(b"\n".join(map(msgspec.json.encode, talk[:3] + rest[:MESSAGES])))
    return talks


class ArcadeSocket(_Socket):
    def parents(self) -> Sequence[bytes]:
        return _arcade_talks()

    @cached_property
    def _side(self) -> _Side:
        from winnable.games.tetris.modern.page.arcade import Arcade
        from winnable.games.tetris.modern.page.protocol import Request, Table
        from winnable.store.database import Store
        from winnable.web.hosts import Services
        from winnable.web.jobs import Jobs

        arcade = Arcade(Services(Store(None), Jobs()))
        return _Side(Request, Table, arcade.jobs, arcade.enter)

    async def _pause(self, message: str, rng: Random, answers: Callable[[], list[Any]]) -> None:
        if rng.random() < 0.1:
            await asyncio.sleep(rng.choice((0, 0, 0.002)))


def _arcade_talks() -> list[bytes]:
    films, fumens = ([*simple_targets()[name].parents()] for name in ("replays", "fumens"))
    rng = Random(28)
    talks: list[bytes] = []
    for mode, film, fumen in zip(
        ("sprint", "marathon", "zen", "endless") * 3, films * 2, fumens, strict=False
    ):
        rest: list[dict[str, Any]] = [
            {"type": "go"},
            {"type": "pause"},
            *({"type": "keys", "held": rng.randrange(256)} for _ in range(6)),
            {"type": "watch"},
            {"type": "leave"},
            {"type": "load", "content": film.decode()},
            {"type": "speed", "times": rng.choice((0.25, 1, 64))},
            {"type": "save"},
            {"type": "copy"},
            {"type": "bot", "style": "attack"},
            {"type": "bot", "by": "article"},
            {"type": "advance", "to": "lock"},
            {"type": "hands"},
            {"type": "hint"},
            {"type": "appraise", "style": rng.choice(("sprint", None))},
            {"type": "open", "session": SESSION},
        ]
        rng.shuffle(rest)
        start: dict[str, Any] = {"type": "start", "mode": mode, "dice": 5}
        if mode in ("sprint", "endless"):
            start |= {"rules": rng.choice(("guideline", "article"))}
        elif mode == "zen":
            start |= {"fumen": fumen.decode(), "handling": {"das": 10, "arr": 2}}
        talks.append(b"\n".join(map(msgspec.json.encode, [start, *rest])))
    return talks
