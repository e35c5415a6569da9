# pyright: basic, reportMissingImports=false
"""MaskablePPO of sb3-contrib learns drops on boards of 4 x 4 that give as many drops as the best of a hundred
games by chance takes. It prints how many boards that it never saw are won by any legal click, and by its
likeliest one.

    pip install 'winnable[gym]' sb3-contrib
    python examples/learning/maskable_ppo_drops.py [STEPS]
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import winnable
import winnable.envs  # registers them


def boards(first: int, count: int) -> list[str]:
    """Each is made once, and said as text from then on."""
    made = winnable.generate("drops", rows=4, columns=4, seed=first, count=count)
    return [f"drops:{board.code}" for board in made]


def won(levels: list[str], choose: Callable[[Any, Any], int]) -> int:
    """choose: what is seen, which actions are legal (booleans) -> action"""
    count = 0
    for level in levels:
        env = gymnasium.make("winnable/Drops-v0", level=level, reward="win")
        seen, info = env.reset(seed=0)
        ended, reward = False, 0.0
        while not ended:
            action = choose(seen, np.asarray(info["action_mask"], bool))
            seen, reward, ended, _, info = env.step(action)
        count += float(reward) > 0
    return count


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    learnt, tested = boards(1, 512), boards(10_000, 200)
    games = make_vec_env(
        "winnable/Drops-v0", n_envs=16, seed=1, env_kwargs={"level": learnt, "reward": "win"}
    )
    model = MaskablePPO(
        "MultiInputPolicy", games, n_steps=256, seed=1, device="cpu", policy_kwargs={"net_arch": [256, 256]}
    )
    model.learn(steps)

    dice = random.Random(1)
    by_chance = won(tested, lambda seen, legal: dice.choice(np.flatnonzero(legal).tolist()))
    by_policy = won(tested, lambda seen, legal: int(model.predict(seen, None, None, True, legal)[0]))
    print(f"of {len(tested)} boards: {by_chance} by chance, {by_policy} after {steps:,} steps")


if __name__ == "__main__":
    main()
