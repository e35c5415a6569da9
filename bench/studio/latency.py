"""How long the studio takes to answer a click: from `act` until the new board arrives, over the WebSocket.

A real server runs in a process of its own. Three loads: nothing else going on; solvers on two threads (a
`solve` of a second page beside the lamp of the clicked board, which every click starts anew); and the same
while the kernels are being compiled for the first time, which holds the interpreter in pieces.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from websockets.sync.client import ClientConnection

from bench.report import Row, bootstrap_interval
from bench.studio.process import studio_process, talk
from winnable.contract.core import WinnableError

BOUND_MS = 50.0
"""What we promise for each click."""
LEVEL = "triple:slots=4#{seed}"
"""360 tiles in 26 layers and little room: no search ends early."""


def rows(clicks: int = 200, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> list[Row]:
    """Median, 95th percentile and worst of `clicks` clicks under each load, in milliseconds; the reference of
    the worst is the bound. The clicks follow the seed, their times the machine. Raises WinnableError."""
    loads = {"idle": _idle, "two solver threads": _solving, "compiling": _compiling}
    table: list[Row] = []
    for done, (load, measure) in enumerate(loads.items()):
        if progress is not None:
            progress(done, len(loads))
        times = measure(clicks, seed)
        low, high = bootstrap_interval(times)
        name = f"studio click, {load}"
        n = len(times)
        table += [
            Row(f"{name}: mean", float(np.mean(times)), "ms", low, high, n, seed),
            Row(f"{name}: median", float(np.median(times)), "ms", n=n, seed=seed),
            Row(f"{name}: 95th percentile", float(np.quantile(times, 0.95)), "ms", n=n, seed=seed),
            Row(f"{name}: worst", max(times), "ms", n=n, seed=seed, reference=BOUND_MS),
        ]
    if progress is not None:
        progress(len(loads), len(loads))
    return table


def _idle(clicks: int, seed: int) -> list[float]:
    """A level that carries its winning line, played along it: the lamp has nothing to search."""
    with studio_process() as host, talk(host) as page:
        state = _open(page, "triple:method=backwards#{seed}", seed)
        _wait_for(page, lambda event: event["type"] == "lamp" and not event["searching"])
        times: list[float] = []
        while len(times) < clicks:
            if state["standing"] != "playing":
                state = _ask(page, {"type": "goto", "ply": 0}, "state")
            hint = _ask(page, {"type": "hint"}, "hint")
            state = _click(page, hint["action"], times)
        return times


def _solving(clicks: int, seed: int) -> list[float]:
    with studio_process() as host, talk(host) as page, talk(host) as other:
        _solve_for_ever(other, seed + 1)
        _wait_for(other, lambda event: event["type"] == "progress" and event["expanded"] > 0)
        return _play_at_random(page, clicks, seed, time.monotonic() + 600)


def _compiling(clicks: int, seed: int) -> list[float]:
    """As many clicks as it takes, at most `clicks`, until the solver has begun to search."""
    with (
        tempfile.TemporaryDirectory() as cache,
        studio_process(XDG_CACHE_HOME=cache, LOCALAPPDATA=cache) as host,
        talk(host) as page,
        talk(host) as other,
    ):
        _solve_for_ever(other, seed + 1)
        return _play_at_random(page, clicks, seed, time.monotonic() + 5, pause=0.02)


def _solve_for_ever(page: ClientConnection, seed: int) -> None:
    _open(page, LEVEL, seed)
    page.send(json.dumps({"type": "solve", "solver": "auto", "seconds": 3600}))


def _play_at_random(
    page: ClientConnection, clicks: int, seed: int, until: float, pause: float = 0.0
) -> list[float]:
    state = _open(page, LEVEL, seed)
    draw = Random(seed).random
    times: list[float] = []
    while len(times) < clicks and time.monotonic() < until:
        if not state["legal"]:
            state = _ask(page, {"type": "goto", "ply": 0}, "state")
        legal = state["legal"]
        state = _click(page, legal[int(draw() * len(legal))], times)
        time.sleep(pause)
    return times


def _click(page: ClientConnection, action: int, times: list[float]) -> dict[str, Any]:
    began = time.perf_counter()
    state = _ask(page, {"type": "act", "action": action}, "state")
    times.append((time.perf_counter() - began) * 1000)
    return state


def _open(page: ClientConnection, level: str, seed: int) -> dict[str, Any]:
    return _ask(page, {"type": "new", "level": level.format(seed=seed)}, "state")


def _ask(page: ClientConnection, request: dict[str, Any], answer: str) -> dict[str, Any]:
    page.send(json.dumps(request))
    return _wait_for(page, lambda event: event["type"] == answer)


def _wait_for(page: ClientConnection, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        event: dict[str, Any] = json.loads(page.recv(timeout=60))
        if event["type"] == "error":
            raise WinnableError(f"the studio refused: {event['message']}")
        if wanted(event):
            return event
