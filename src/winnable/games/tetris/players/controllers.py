"""Controllers with weights: each sets a piece down where its weighted features add up to the most.

All evaluate the wall after full rows are cleared. A placement that ends the game is taken only when each one
does. Of equals, the first action counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from winnable.contract.core import Action, Budget, Search, finish
from winnable.games.tetris.players.features import FEATURES
from winnable.games.tetris.players.placement import Placement
from winnable.games.tetris.rules.puzzle import State, Tetris
from winnable.search.meter import Meter

DANGER = "*danger"
"""`NAME*danger` among weights: what the weight of the feature NAME gains as the wall comes near the top."""
CALM = 0.4
"""The share of the board's height up to which there is no danger."""


def danger(tall: int, height: int) -> float:
    """The danger of a wall of `tall` rows, before the piece is placed: 0 as long as it is calm, 1 if it is as
    high as the board."""
    return min(max((tall / height - CALM) / (1 - CALM), 0.0), 1.0)


def weights_at(weights: Mapping[str, float], tall: int, height: int) -> dict[str, float]:
    """The weights of the features that count, in the order of `features.FEATURES`, for a wall of `tall`
    rows."""
    risk = danger(tall, height)
    return {
        name: weights.get(name, 0.0) + risk * weights.get(name + DANGER, 0.0)
        for name in FEATURES
        if name in weights or name + DANGER in weights
    }


@dataclass(frozen=True, slots=True)
class Controller:
    """weights: of the features that it uses, by their names in `features.FEATURES`, also with DANGER."""

    name: str
    weights: Mapping[str, float]
    source: str

    def value(self, placed: Placement) -> float:
        """The weighted sum of the features of a placement."""
        weights = weights_at(self.weights, placed.before, placed.height)
        return sum(weight * FEATURES[name](placed) for name, weight in weights.items())

    def choose(self, game: Tetris, state: State) -> Action:
        """A legal action of a state that has one. By the readable features: for play, not for measuring."""
        return finish(self.choosing(game, state))

    def choosing(self, game: Tetris, state: State) -> Search[Action]:
        """Choose as `choose` does, step by step, which on the largest boards takes some 60 ms."""
        best: tuple[float, Action] | None = None
        actions, meter = game.legal_actions(state), Meter(Budget())
        for action in actions:
            if meter.is_due:
                yield from meter.allows("outlook")
            placed = Placement(game, state, action)
            if not placed.over:
                value = self.value(placed)
                if best is None or value > best[0]:
                    best = value, action
        return actions[0] if best is None else best[1]


def _wary(weights: Mapping[str, tuple[float, float]]) -> Mapping[str, float]:
    """The weights, of each feature that of a calm wall and what it gains in danger."""
    calm = {name: weight for name, (weight, _) in weights.items()}
    return calm | {name + DANGER: gain for name, (_, gain) in weights.items()}


CONTROLLERS: dict[str, Controller] = {
    controller.name: controller
    for controller in (
        Controller(
            "dellacherie",
            {
                "landing_height": -1,
                "eroded_cells": 1,
                "row_transitions": -1,
                "column_transitions": -1,
                "holes": -4,
                "wells": -1,
            },
            "P. Dellacherie 2003, by C. Fahey, https://colinfahey.com/tetris",
        ),
        Controller(
            "el-tetris",
            {
                "landing_height": -4.500158825082766,
                "lines": 3.4181268101392694,
                "row_transitions": -3.2178882868487753,
                "column_transitions": -9.348695305445199,
                "holes": -7.899265427351652,
                "wells": -3.3855972247263626,
            },
            "I. El-Ashi, El-Tetris: an improvement on Pierre Dellacherie's algorithm, 2011",
        ),
        Controller(
            "bcts",
            {
                "landing_height": -12.629,
                "eroded_cells": 6.601974,
                "row_transitions": -9.215815,
                "column_transitions": -19.77356,
                "holes": -13.08335,
                "wells": -10.48747,
                "hole_depth": -1.611863,
                "rows_with_holes": -24.04087,
            },
            "C. Thiery, B. Scherrer, Improvements on learning Tetris with cross entropy, ICGA Journal 32, "
            "2009",
        ),
        Controller(
            "dt-10",
            {
                "landing_height": -2.18,
                "eroded_cells": 2.42,
                "row_transitions": -2.17,
                "column_transitions": -3.31,
                "holes": 0.95,
                "well_triangles": -2.22,
                "hole_depth": -0.81,
                "rows_with_holes": -9.65,
                "diversity": 1.27,
            },
            "V. Gabillon, M. Ghavamzadeh, B. Scherrer, Approximate dynamic programming finally performs well "
            "in the game of Tetris, NIPS 2013",
        ),
        Controller(
            "dt-20",
            {
                "landing_height": -2.68,
                "eroded_cells": 1.38,
                "row_transitions": -2.41,
                "column_transitions": -6.32,
                "holes": 2.03,
                "well_triangles": -2.71,
                "hole_depth": -0.43,
                "rows_with_holes": -9.48,
                "diversity": 0.89,
            },
            "V. Gabillon, M. Ghavamzadeh, B. Scherrer, Approximate dynamic programming finally performs well "
            "in the game of Tetris, NIPS 2013",
        ),
        Controller(
            "wary",
            _wary(
                {
                    "landing_height": (-3.237, -0.09466),
                    "eroded_cells": (2.11, -1.044),
                    "row_transitions": (-2.909, 0.7142),
                    "column_transitions": (-6.901, -1.91),
                    "holes": (0.089, -0.4827),
                    "hole_depth": (-0.3088, 0.1132),
                    "rows_with_holes": (-9.512, 4.223),
                    "well_triangles": (-3.404, 0.3441),
                    "lines": (-1.581, -0.2363),
                    "level_pair": (0.6611, 0.1195),
                    "single_step_kinds": (1.233, 1.094),
                    "double_step_kinds": (0.5447, -0.1095),
                    "level_triple": (-0.5266, -0.33),
                    "lying_s_z": (1.074, -0.2549),
                    "hanging_j_l": (0.253, 0.8061),
                    "single_steps": (0.7084, 0.1511),
                    "double_steps": (-0.1714, 0.1701),
                    "cliffs": (-0.1607, -1.115),
                    "fitting_pieces": (1.119, 0.4712),
                    "bumpiness": (-0.4006, -0.2618),
                    "highest": (-0.2854, -0.1145),
                    "thin_covers": (-0.267, 0.436),
                    "rows_over_holes": (0.6429, 0.567),
                    "cover": (-1.285, -0.1824),
                    "nearly_full_rows": (-0.1781, 0.1528),
                }
            ),
            "ours: `winnable tune tetris features-50 --optimizer cma --evaluations 750 --seed 1`",
        ),
    )
}
