"""The weights of the bot's values for three styles of play.

`attack`: a first guess by hand, then 18 generations of CMA-ES (13 genomes each, four games of 80 pieces with
a beam of 25), then `spin_2` as the best of a few tried. The others are by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from winnable.games.tetris.modern.players.value_kernels import Weights

Style: TypeAlias = Literal["attack", "sprint", "marathon"]
STYLES: tuple[Style, ...] = get_args(Style)
_ATTACK = Weights(
    height=-0.39,
    high=-0.3,
    holes=-2.67,
    covered=-0.17,
    hole_rows=-2.45,
    steps=-0.95,
    steps_squared=-0.26,
    transitions=-0.41,
    well=0.68,
    slot_0=0.21,
    slot_1=10.59,
    slot_2=21.26,
    attack=2.81,
    clear_1=-8.38,
    clear_2=-2.93,
    clear_3=-1.49,
    clear_4=1.67,
    spin_1=3.48,
    spin_2=8.0,
    spin_3=1.34,
    mini=-1.71,
    perfect=67.73,
    chain_lost=-8.35,
    wasted_t=-7.13,
    effort=-0.02,
)
_SPRINT = Weights(
    height=-1.0,
    high=-0.3,
    holes=-4.0,
    covered=-1.0,
    hole_rows=-3.0,
    steps=-0.6,
    steps_squared=-0.15,
    transitions=-0.3,
    clear_1=0.5,
    clear_2=1.0,
    clear_3=1.5,
    clear_4=2.0,
    effort=-1.0,
)
WEIGHTS: Mapping[Style, Weights] = {
    "attack": _ATTACK,
    "sprint": _SPRINT,
    "marathon": _SPRINT._replace(high=-0.6, effort=-0.1),
}
