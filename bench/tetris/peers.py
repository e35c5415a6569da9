"""Other Python packages of tetris, those that are installed: pieces a second of one core, each by its rules.

All place pieces at random, on 10 × 20 cells. Two of them look at each placement of each piece, with four
features: that is what compares with our controllers. The others just play.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from bench.peers import Peer, Play

WIDTH, HEIGHT = 10, 20


def _tetris_gymnasium(seed: int) -> Play:
    wrappers: Any = import_module("tetris_gymnasium.wrappers.grouped")
    features: Any = import_module("tetris_gymnasium.wrappers.observation")
    one: Any = import_module("tetris_gymnasium.envs").Tetris(width=WIDTH, height=HEIGHT)
    game = wrappers.GroupedActionsObservations(one, [features.FeatureVectorObservation(one)])
    rng = np.random.default_rng(seed)
    game.reset(seed=seed)

    def play(pieces: int) -> None:
        for _ in range(pieces):
            if game.step(rng.choice(np.flatnonzero(game.legal_actions_mask)))[2]:
                game.reset()

    return play


def _rl_tetris(seed: int) -> Play:
    one: Any = import_module("rl_tetris.envs.tetris").Tetris(width=WIDTH, height=HEIGHT)
    features: Any = import_module("rl_tetris.wrapper.Observation").GroupedFeaturesObservation(one)
    game: Any = import_module("rl_tetris.wrapper.Grouped").GroupedWrapper(one, features)
    rng = np.random.default_rng(seed)
    seen = game.reset(seed=seed)[0]

    def play(pieces: int) -> None:
        nonlocal seen
        for _ in range(pieces):
            seen, _, over, *_ = game.step(rng.choice(np.flatnonzero(seen["action_mask"])))
            if over:
                seen = game.reset()[0]

    return play


def _tetris(seed: int) -> Play:
    game: Any = import_module("tetris").BaseGame(seed=seed, board_size=(HEIGHT, WIDTH))
    rng = np.random.default_rng(seed)

    def play(pieces: int) -> None:
        for turns, columns in rng.integers((0, -WIDTH // 2), (4, WIDTH // 2 + 1), (pieces, 2)).tolist():
            game.rotate(turns)
            game.right(columns)
            game.hard_drop()
            if game.lost:
                game.reset()

    return play


def play_jumanji(seed: int, batch: int = 1, chunk: int = 1000) -> Play:
    jax: Any = import_module("jax")
    one: Any = import_module("jumanji.environments").Tetris(HEIGHT, WIDTH)
    game: Any = import_module("jumanji.wrappers").AutoResetWrapper(one)

    def step(state: Any, key: Any) -> tuple[Any, Any]:
        choice = jax.random.categorical(key, jax.numpy.log(state.action_mask.reshape(batch, -1)))
        placements = jax.numpy.stack(jax.numpy.divmod(choice, WIDTH), axis=1)
        state, after = jax.vmap(game.step)(state, placements)
        return state, after.reward

    @jax.jit
    def some(state: Any, key: Any) -> Any:
        return jax.lax.scan(step, state, jax.random.split(key, chunk))[0]

    state = jax.vmap(game.reset)(jax.random.split(jax.random.PRNGKey(seed), batch))[0]

    def play(pieces: int) -> None:
        nonlocal state
        for index in range(-(-pieces // (chunk * batch))):
            state = some(state, jax.random.PRNGKey(seed + index))
        jax.block_until_ready(state)

    return play


PEERS: dict[str, Peer] = {
    "tetris-gymnasium": Peer(
        "tetris_gymnasium", "each placement, 4 features: pieces", _tetris_gymnasium, 200
    ),
    "rl-tetris": Peer("rl_tetris", "each placement, 4 features: pieces", _rl_tetris, 1000),
    "jumanji": Peer("jumanji", "one placement, compiled: pieces", play_jumanji, 50_000),
    "tetris": Peer("tetris", "one placement: pieces", _tetris, 2000),
}
