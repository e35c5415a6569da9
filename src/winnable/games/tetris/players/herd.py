"""A controller as `tuning` measures it: many games at once, on bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, TypeAlias

from winnable.compiled.dice_kernels import new_dice
from winnable.contract.core import Action
from winnable.games.tetris.players import ahead_kernels, kernels, play_kernels
from winnable.games.tetris.players.ahead import OF_PLACEMENTS, LooksAhead
from winnable.games.tetris.players.controllers import DANGER, weights_at
from winnable.games.tetris.players.features import FEATURES, PUBLISHED
from winnable.games.tetris.players.shape_kernels import ControlledRules, shape_table
from winnable.games.tetris.players.surface import SURFACE
from winnable.games.tetris.rules.puzzle import State, Tetris
from winnable.inert.arrays import F64, U64, np
from winnable.tuning.process import NO_CEILING, Ints, Leap, States

Ahead: TypeAlias = Literal["mean", "preview"]
"""What a controller that looks ahead knows of the next piece: nothing, or which it is."""


def weight_table(weights: Mapping[str, float], height: int) -> F64:
    """The weights as float64 [walls, features], see `choice_kernels.choose`; one row where the wall makes no
    difference."""
    names = FEATURES if any(name.removesuffix(DANGER) in SURFACE for name in weights) else PUBLISHED
    walls = range(height + 1 if any(name.endswith(DANGER) for name in weights) else 1)
    rows = [weights_at(weights, tall, height) for tall in walls]
    return np.array([[row.get(name, 0.0) for name in names] for row in rows])


def split_weights(table: F64) -> ahead_kernels.Weights:
    """The weights of the placement itself and of the one that follows, see `ahead.py`."""
    (weights,) = table
    first = weights * np.array([name in OF_PLACEMENTS for name in PUBLISHED])
    return ahead_kernels.Weights(first, weights)


class Controlled:
    """A `Herd`: walls, uint64 [copies, width + 2]. A step is a piece, its reward the rows it clears; the
    level is the height of the wall. table: of weights, see `weight_table`."""

    def __init__(self, width: int, height: int, table: F64, rules: ControlledRules = "simplified") -> None:
        self.width, self.height, self.table = width, height, table
        self._shapes = shape_table(rules)
        self._work = kernels.new_workspace(width)

    def start(self, copies: int, rng: np.random.Generator) -> States:
        """Copies of the empty wall."""
        return np.tile(kernels.new_wall(self.width), (copies, 1))

    def level(self, states: States) -> Ints:
        """The heights of the walls, int64 [copies]."""
        every = np.bitwise_or.reduce(states[:, 1:-1], axis=1)
        return np.array([int(rows).bit_length() for rows in every], np.int64)

    def leap(self, states: States, low: Ints, high: Ints, limit: Ints, rng: np.random.Generator) -> Leap:
        """Play each copy until its wall leaves low to high, or for `limit` pieces."""
        end = begun(states)
        self._play(end, play_kernels.Until(low, high, limit), _new_dice(rng))
        return end

    def leaping(
        self, end: Leap, until: play_kernels.Until, rng: np.random.Generator, at_once: int
    ) -> Iterator[None]:
        """Fills one that is `begun` as `leap` does, so many copies at once."""
        dice = _new_dice(rng)
        for first in range(0, len(end.states), at_once):
            part = slice(first, first + at_once)
            here = Leap(end.states[part], end.died[part], end.steps[part], end.reward[part])
            self._play(here, play_kernels.Until(*(bound[part] for bound in until)), dice)
            yield

    def _play(self, end: Leap, until: play_kernels.Until, dice: U64) -> None:
        """Fills `end`, whose states are where it begins."""
        play_kernels.leap(end, until, self.height, dice, self._shapes, self.table, self._work)


class ControlledAhead(Controlled):
    """The same for one that looks ahead. A state is a wall and then the piece that comes next, which only one
    with preview looks at: uint64 [copies, width + 3]."""

    def __init__(
        self,
        width: int,
        height: int,
        table: F64,
        ahead: Ahead,
        rules: ControlledRules = "simplified",
    ) -> None:
        super().__init__(width, height, table, rules)
        self.ahead: Ahead = ahead
        self._weights = split_weights(table)
        self._works = ahead_kernels.new_workspaces(width)

    def start(self, copies: int, rng: np.random.Generator) -> States:
        """Copies of the empty wall, each with its next piece."""
        coming = rng.integers(play_kernels.PIECES, size=(copies, 1)).astype(np.uint64)
        return np.hstack([super().start(copies, rng), coming])

    def level(self, states: States) -> Ints:
        """The heights of the walls, int64 [copies]."""
        return super().level(states[:, :-1])

    def _play(self, end: Leap, until: play_kernels.Until, dice: U64) -> None:
        ahead_kernels.leap_ahead(
            end, until, self.ahead == "preview", self.height, dice, self._shapes, self._weights, self._works
        )


def begun(states: States) -> Leap:
    """A leap from these states, to be filled."""
    copies = len(states)
    return Leap(states.copy(), np.zeros(copies, np.bool_), np.zeros(copies, np.int64), np.zeros(copies))


def _new_dice(rng: np.random.Generator) -> U64:
    return new_dice(int(rng.integers(2**63)))


def fast_choice(player: LooksAhead) -> Callable[[Tetris, State], Action]:
    """The function `player.choose` on bits, for the rules `simplified`."""
    shapes, weights = shape_table(), split_weights(weight_table(player.controller.weights, height=1))

    def choose(game: Tetris, state: State) -> Action:
        now, works = kernels.pack_wall(state.wall, game.width), ahead_kernels.new_workspaces(game.width)
        action = ahead_kernels.choose_ahead(
            now, game.height, state.piece, state.following, shapes, weights, works
        )
        return game.legal_actions(state)[0] if action == kernels.NOWHERE else int(action)

    return choose


def warm() -> None:
    """Compiles every kernel that a controller's herd uses."""
    names = [*FEATURES, *(name + DANGER for name in FEATURES)]
    _play_a_little(Controlled(4, 6, weight_table(dict.fromkeys(names, -1.0), 6)))


def warm_ahead() -> None:
    """Compiles the kernels of one that looks ahead."""
    _play_a_little(ControlledAhead(4, 6, weight_table(dict.fromkeys(PUBLISHED, -1.0), 6), "mean"))


def _play_a_little(herd: Controlled) -> None:
    rng = np.random.default_rng(0)
    one, anywhere = np.full(1, 100), np.full(1, NO_CEILING)
    herd.leap(herd.start(1, rng), -anywhere, anywhere, one, rng)
