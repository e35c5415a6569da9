"""Other Python packages of 2048, each by its own rules for new tiles; all play at random."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from bench.peers import Peer, Play

BATCH = 1024
"""Games at a time of packages that are made for it; from 1,024 on their speed grows no more."""
CHUNK = 100
"""Moves of each game between two looks from Python."""


def play_pgx(seed: int, batch: int = BATCH, chunk: int = CHUNK) -> Play:
    jax: Any = import_module("jax")
    pgx: Any = import_module("pgx")
    game = pgx.make("2048")
    auto_reset: Any = import_module("pgx.experimental.wrappers").auto_reset
    step_one = auto_reset(game.step, game.init)

    def step(state: Any, key: Any) -> tuple[Any, None]:
        choosing, *resetting = jax.random.split(key, batch + 1)
        logits = jax.numpy.log(state.legal_action_mask)
        return jax.vmap(step_one)(
            state, jax.random.categorical(choosing, logits), jax.numpy.stack(resetting)
        ), None

    start = jax.vmap(game.init)(jax.random.split(jax.random.PRNGKey(seed), batch))
    return _in_chunks(jax, step, start, seed, batch, chunk)


def play_jumanji(seed: int, batch: int = BATCH, chunk: int = CHUNK) -> Play:
    jax: Any = import_module("jax")
    one: Any = import_module("jumanji.environments").Game2048()
    game: Any = import_module("jumanji.wrappers").AutoResetWrapper(one)

    def step(state: Any, key: Any) -> tuple[Any, None]:
        choice = jax.random.categorical(key, jax.numpy.log(state.action_mask))
        return jax.vmap(game.step)(state, choice)[0], None

    start = jax.vmap(game.reset)(jax.random.split(jax.random.PRNGKey(seed), batch))[0]
    return _in_chunks(jax, step, start, seed, batch, chunk)


def _in_chunks(jax: Any, step: Any, state: Any, seed: int, batch: int, chunk: int) -> Play:
    """Both are compiled by jax: so many games abreast, `chunk` moves at a time."""

    @jax.jit
    def some(state: Any, key: Any) -> Any:
        return jax.lax.scan(step, state, jax.random.split(key, chunk))[0]

    def play(moves: int) -> None:
        nonlocal state
        for index in range(-(-moves // (chunk * batch))):
            state = some(state, jax.random.PRNGKey(seed + index))
        jax.block_until_ready(state)

    return play


def _gymnasium(seed: int) -> Play:
    gymnasium: Any = import_module("gymnasium")
    import_module("gymnasium_2048")
    game = gymnasium.make("gymnasium_2048/TwentyFortyEight-v0").unwrapped
    rng = np.random.default_rng(seed)
    game.reset(seed=seed)

    def play(moves: int) -> None:
        for action in rng.integers(0, 4, moves).tolist():
            if game.step(action)[2]:
                game.reset()

    return play


PEERS: dict[str, Peer] = {
    "pgx": Peer("pgx", "compiled: moves", play_pgx, 4 * CHUNK * BATCH),
    "jumanji": Peer("jumanji", "compiled: moves", play_jumanji, 4 * CHUNK * BATCH),
    "gymnasium-2048": Peer("gymnasium_2048", "moves", _gymnasium, 5_000),
}
