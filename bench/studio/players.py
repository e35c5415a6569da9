"""Many players of one studio, as pages would be, each at a small level of triple: an action each two seconds.

`python -m bench.studio.players HOST:PORT PLAYERS SECONDS SEED` prints a `Played` as JSON. In a
process of its own, so that the studio's answers wait for nothing of it but their own player.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import Counter
from contextlib import suppress
from random import Random

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Origin

from bench.studio.process import OPEN_SECONDS, origin

LEVEL = "triple:layers=4,sets=3,kinds=4,side=4#{seed}"
"""36 tiles; solved in 0.4 to 10 ms."""
PERIOD_SECONDS = 2.0
AT_THE_DOOR = 50
"""So many come in at a time."""
FIRST_WAIT, LONGEST_WAIT, LONGER = 0.4, 10.0, 1.7
"""Seconds until one who was turned away knocks again, as in the page's connection.js."""


class Played(msgspec.Struct):
    """What the players saw.

    admitted:   players who sat at a board when the time was over
    turned_away: who came at least once and was told that there is no room
    dropped:    connections that ended without a word
    times:      milliseconds from each action to its board
    lamps:      how each lamp of these boards ended: `decided`, `busy`, `unknown`, or `unanswered`
    """

    admitted: int
    turned_away: int
    dropped: int
    times: list[float]
    lamps: dict[str, int]


class _Event(msgspec.Struct):
    type: str
    ply: int = 0
    legal: list[int] | None = None
    standing: str = ""
    searching: bool = False
    busy: bool = False
    verdict: str = ""
    message: str = ""


_events = msgspec.json.Decoder(_Event)


class _Crowd:
    """All players, and what they saw while `measuring`."""

    def __init__(self, host: str, seconds: float) -> None:
        self.host, self.seconds = host, seconds
        self.measuring = False
        self.played = Played(0, 0, 0, [], {})
        self.lamps: Counter[str] = Counter()
        self._door = asyncio.Semaphore(AT_THE_DOOR)
        self._arrived = 0

    async def play(self, players: int, seed: int) -> Played:
        tasks = [asyncio.create_task(self._player(seed + i)) for i in range(players)]
        while self._arrived < players:
            await asyncio.sleep(0.1)
        await asyncio.sleep(PERIOD_SECONDS)
        self.measuring = True
        await asyncio.sleep(self.seconds)
        self.measuring = False
        self.played.lamps = dict(self.lamps)
        assert len(tasks) == players
        return self.played

    async def _player(self, seed: int) -> None:
        draw, wait, first, was_refused = Random(seed), FIRST_WAIT, True, False
        while True:
            try:
                async with self._door:
                    socket = await connect(
                        f"ws://{self.host}/ws",
                        origin=Origin(origin(self.host)),
                        compression=None,
                        max_size=None,
                        open_timeout=OPEN_SECONDS,
                        close_timeout=1,
                        ping_interval=None,
                    )
                    player = _Player(self, socket, draw)
                    await player.sit_down(seed)
                if first:
                    self._arrived += 1
                first, wait = False, FIRST_WAIT
                await player.play()
            except ConnectionClosed as closed:
                if closed.rcvd is None or closed.rcvd.code == 1006:
                    self.played.dropped += 1
                else:
                    self.played.turned_away += not was_refused
                    was_refused = True
            except (OSError, WebSocketException):
                self.played.dropped += 1
            if first:
                self._arrived += 1
            first = False
            await asyncio.sleep(wait * draw.uniform(0.8, 1.2))
            wait = min(LONGEST_WAIT, wait * LONGER)


class _Player:
    def __init__(self, crowd: _Crowd, socket: ClientConnection, draw: Random) -> None:
        self._crowd, self._socket, self._draw = crowd, socket, draw
        self._board = _Event("state")
        self._lamp: str | None = None
        """How the lamp of the board on it ended; None: it is not known yet, or nobody asks."""
        self._asked = 0.0
        self._ready = asyncio.Event()

    async def sit_down(self, seed: int) -> None:
        await self._send(type="new", level=LEVEL.format(seed=seed))
        while (await self._hear()).type != "state":
            pass

    async def play(self) -> None:
        """Until it is cancelled. Raises ConnectionClosed."""
        listening = asyncio.create_task(self._listen())
        self._crowd.played.admitted += 1
        try:
            await asyncio.sleep(self._draw.uniform(0, PERIOD_SECONDS))
            due = time.perf_counter()
            while not listening.done():
                self._count_lamp()
                await self._act()
                with suppress(TimeoutError):  # the studio is slow: then the next one is late
                    await asyncio.wait_for(self._ready.wait(), 60)
                due = max(due + PERIOD_SECONDS, time.perf_counter())
                await asyncio.sleep(due - time.perf_counter())
            await listening
        finally:
            listening.cancel()
            self._crowd.played.admitted -= 1

    async def _act(self) -> None:
        self._ready.clear()
        self._asked = time.perf_counter()
        if self._board.standing == "playing" and self._board.legal:
            await self._send(type="act", action=self._draw.choice(self._board.legal))
        else:
            await self._send(type="goto", ply=0)

    def _count_lamp(self) -> None:
        if self._crowd.measuring and self._asked:
            self._crowd.lamps[self._lamp or "unanswered"] += 1
        self._lamp = None

    async def _listen(self) -> None:
        while True:
            await self._hear()

    async def _hear(self) -> _Event:
        event = _events.decode(await self._socket.recv(decode=False))
        if event.type == "state":
            if self._asked and not self._ready.is_set() and self._crowd.measuring:
                self._crowd.played.times.append((time.perf_counter() - self._asked) * 1000)
            self._board, self._lamp = event, None
            self._ready.set()
        elif event.type == "lamp" and event.ply == self._board.ply and (event.busy or not event.searching):
            known = "decided" if event.verdict != "unknown" else "unknown"
            self._lamp = "busy" if event.busy else known
        return event

    async def _send(self, **request: object) -> None:
        await self._socket.send(msgspec.json.encode(request).decode())


def main(arguments: list[str]) -> None:
    host, players, seconds, seed = arguments

    async def play() -> None:
        played = await _Crowd(host, float(seconds)).play(int(players), int(seed))
        print(msgspec.json.encode(played).decode(), flush=True)
        os._exit(0)  # the players need not be seen off

    asyncio.run(play())


if __name__ == "__main__":
    main(sys.argv[1:])
