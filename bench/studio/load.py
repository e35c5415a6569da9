"""How many can play in one studio at once: an action each two seconds, on the same machine as the studio.

The studio and its players (studio_players.py) run in a process each. Times are from an action to the new
board as its player receives it.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np

from bench.report import Row
from bench.studio.players import Played
from bench.studio.process import python_command, python_environment, studio_with_pid
from winnable.contract.core import WinnableError

CROWDS = (200, 500, 2000)
SECONDS = 20.0
P99_MS, RSS_MIB = 100.0, 1024.0
"""What is promised for 500."""
SHARES = ((0.5, "median"), (0.95, "95th percentile"), (0.99, "99th percentile"), (1.0, "worst"))
SETTLE_SECONDS = 3.0
WARM_SECONDS = 300.0


def rows(
    games: int | None = None,
    seconds: float = SECONDS,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """games: how many play at once; all of CROWDS, one after another, when it is None. The references are
    what is promised. Raises WinnableError."""
    crowds = CROWDS if games is None else (games,)
    for done, players in enumerate(crowds):
        if progress is not None:
            progress(done, len(crowds))
        yield from _crowd_rows(players, seconds, seed)
    if progress is not None:
        progress(len(crowds), len(crowds))


def _crowd_rows(players: int, seconds: float, seed: int) -> Iterator[Row]:
    with studio_with_pid() as (host, pid):
        _let_it_load(pid)
        before = _memory(pid, "VmRSS")
        played = _play(host, players, seconds, seed)
        time.sleep(SETTLE_SECONDS)
        peak, after = _memory(pid, "VmHWM"), _memory(pid, "VmRSS")
    if not played.times:
        raise WinnableError(f"studio: none of {players} players got an answer")
    name, n = f"{players:,} at once", len(played.times)
    yield Row(f"{name}: admitted", played.admitted, "", n=players, seed=seed)
    yield Row(f"{name}: turned away with a word", played.turned_away, "", n=players, seed=seed)
    yield Row(f"{name}: dropped without one", played.dropped, "", n=players, seed=seed)
    yield Row(f"{name}: actions a second", n / seconds, "/s", n=n, seed=seed)
    for share, called in SHARES:
        reference = P99_MS if share == 0.99 else None
        value = float(np.quantile(played.times, share))
        yield Row(f"{name}: action, {called}", value, "ms", n=n, seed=seed, reference=reference)
    lamps = sum(played.lamps.values())
    for ended in ("decided", "busy", "unknown", "unanswered"):
        yield Row(f"{name}: lamps {ended}", played.lamps.get(ended, 0) / max(lamps, 1), n=lamps, seed=seed)
    yield Row(f"{name}: memory before", before, "MiB", seed=seed)
    yield Row(f"{name}: memory at most", peak, "MiB", seed=seed, reference=RSS_MIB)
    yield Row(f"{name}: memory after", after, "MiB", seed=seed)


def _play(host: str, players: int, seconds: float, seed: int) -> Played:
    command = python_command("bench.studio.players", host, str(players), str(seconds), str(seed))
    done = subprocess.run(command, env=python_environment(), stdout=subprocess.PIPE)
    if done.returncode:
        raise WinnableError("studio: its players did not come to an end")
    return msgspec.json.decode(done.stdout, type=Played)


def _let_it_load(pid: int) -> None:
    """Until it has its kernels: then its memory stands still."""
    end, before, still = time.monotonic() + WARM_SECONDS, -1.0, 0
    while still < 5 and time.monotonic() < end:
        time.sleep(0.5)
        now = _memory(pid, "VmRSS")
        still, before = (still + 1 if abs(now - before) < 1 else 0), now


def _memory(pid: int, field: str) -> float:
    """MiB, of Linux's account of the process. Raises WinnableError elsewhere."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError as error:
        raise WinnableError(f"studio: its memory is not known: {error}") from None
    found = re.search(rf"^{field}:\s+(\d+) kB", status, re.MULTILINE)
    assert found
    return int(found[1]) / 1024
