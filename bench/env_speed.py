"""How many steps a second environments take at random, ours and those of other packages, each by its own
interface: at 1, 16, 256 and 4,096 games at once, in processor time of one core."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from bench import peers
from bench.env_kernels import choose
from bench.game2048 import peers as game2048_peers
from bench.peers import Peer, Play
from bench.report import Row, mean_row
from bench.tetris import peers as tetris_peers
from winnable.compiled.dice_kernels import new_dice

SIZES = (1, 16, 256, 4096)
LEVELS = {
    "2048": None,
    "tetris": None,
    "drops": "drops/05-puddle",
    "rotate": "rotate/15-heart",
    "triple": "triple/2-pyramid",
}
"""Of ours."""
RIVALS: Mapping[str, Mapping[str, Peer]] = {"2048": game2048_peers.PEERS, "tetris": tetris_peers.PEERS}
AT_ONCE: Mapping[tuple[str, str], Callable[..., Play]] = {
    ("2048", "pgx"): game2048_peers.play_pgx,
    ("2048", "jumanji"): game2048_peers.play_jumanji,
    ("tetris", "jumanji"): tetris_peers.play_jumanji,
}
"""Those that jax compiles: they take `batch` and `chunk`."""


def rows(games: int = 5, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """The mean of `games` timings. A step of ours is one of `envs.make_vec`, its choice included; packages
    that jax compiles step and choose in one loop of theirs, which suits them best. Those that play in Python
    play one game."""
    for done, (name, peer) in enumerate(listed := list(_peers())):
        if progress is not None:
            progress(done, len(listed))
        speeds = peers.measured(peer, games, seed)
        told = f"{name}, {peer.does}"
        yield mean_row(told, speeds, "/s", seed) if speeds else peers.missing(name, seed)


def _peers() -> Iterator[tuple[str, Peer]]:
    for game in LEVELS:
        for size in SIZES:
            at_once = f"{game} × {size:,}: "
            steps = min(8_000_000, 20_000 * size)
            yield f"{at_once}winnable", Peer("gymnasium", "steps", partial(_ours, game, size), steps)
            for name, peer in RIVALS.get(game, {}).items():
                if (game, name) in AT_ONCE:
                    chunk = max(10, 20_000 // size)
                    start = partial(AT_ONCE[game, name], batch=size, chunk=chunk)
                    yield at_once + name, peer._replace(start=start, steps=2 * chunk * size)
                elif size == 1:
                    yield at_once + name, peer


def _ours(game: str, size: int, seed: int) -> Play:
    from winnable.envs import make_vec

    envs, dice = make_vec(game, size, LEVELS[game], copy=False), new_dice(seed)
    actions = np.zeros(size, np.int64)
    _, info = envs.reset(seed=seed)

    def play(steps: int) -> None:
        nonlocal info
        for _ in range(-(-steps // size)):
            choose(info["action_mask"], actions, dice)
            *_, info = envs.step(actions)

    return play
