"""Other Python packages beside ours, those that are installed: so many of something a second of one core."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from typing import NamedTuple, TypeAlias

from bench.report import Row

Play: TypeAlias = Callable[[int], None]
"""Plays on for so many steps (pieces, moves), game after game."""


class Peer(NamedTuple):
    """package: whose import it needs; does: what it counts; start: seed -> how it plays; steps: a timing."""

    package: str
    does: str
    start: Callable[[int], Play]
    steps: int


def rows(peers: Mapping[str, Peer], games: int, seed: int) -> Iterator[Row]:
    """A row for each peer: steps a second, the best of `games` timings in processor time; nan where the
    package is not installed."""
    for name, peer in peers.items():
        if speeds := measured(peer, games, seed):
            yield Row(f"{name}, {peer.does}", max(speeds), "/s", n=peer.steps, seed=seed)
        else:
            yield missing(name, seed)


def missing(name: str, seed: int) -> Row:
    return Row(f"{name}: not installed", float("nan"), "/s", n=0, seed=seed)


def measured(peer: Peer, games: int, seed: int) -> list[float]:
    """Steps a second of processor time, of each timing; none where the package is not installed."""
    if find_spec(peer.package) is None:
        return []
    play = peer.start(seed)
    play(1)  # compiles
    return [peer.steps / _seconds(play, peer.steps) for _ in range(max(1, games))]


def _seconds(play: Play, steps: int) -> float:
    began = time.process_time()
    play(steps)
    return time.process_time() - began
