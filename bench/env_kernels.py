"""What a random player does, for many games at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from winnable.compiled.dice_kernels import U64, draw
from winnable.compiled.jit import borrowing_kernel


@borrowing_kernel
def choose(masks: NDArray[np.int8], actions: NDArray[np.int64], dice: U64) -> None:
    """Any legal action of each game, each as likely; masks: int8 [games, actions]"""
    for game in range(actions.size):
        legal = 0
        for mask in masks[game]:
            legal += mask
        left = draw(dice, legal) if legal else -1
        for action in range(masks.shape[1]):
            left -= masks[game, action]
            if left < 0:
                actions[game] = action
                break
