"""Games of chance: the contract, and how a seed turns such a game into a puzzle.

A turn is state --action--> afterstate --chance--> state: what the player does is told apart from what the
dice do, so that searches may average over `outcomes` and rules never roll dice by themselves.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from winnable.contract.core import Action, IllegalAction
from winnable.contract.outlook import GoalChance as GoalChance
from winnable.contract.outlook import Outlook as Outlook
from winnable.contract.outlook import Values as Values

S = TypeVar("S", bound=Hashable)
F = TypeVar("F", bound=Hashable)
_WORD = 2**64 - 1


class Dice(Protocol):
    def below(self, sides: int) -> int:
        """0 to sides - 1, each equally likely."""
        ...


class ChanceGame(Protocol[S, F]):
    """One level of a game of chance. `0 <= action < num_actions`, whatever the state."""

    @property
    def num_actions(self) -> int: ...
    def initial(self, dice: Dice) -> S: ...
    def legal_actions(self, state: S) -> Sequence[Action]:
        """Ascending. Empty: the game is over."""
        ...

    def afterstate(self, state: S, action: Action) -> tuple[F, int]:
        """What the action alone leads to, and its reward. Raises IllegalAction."""
        ...

    def outcomes(self, afterstate: F) -> Sequence[tuple[float, S]]:
        """The exact distribution: each state that may follow, once, with its chance; they add up to 1."""
        ...

    def sample(self, afterstate: F, dice: Dice) -> S:
        """One of the `outcomes`, with its chance."""
        ...


class SeededDice:
    """The dice of one turn: Philox (J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC
    2011), 4 × 64 bits with ten rounds, keyed by the seed, with the turn as its counter. The numbers are those
    of numpy's `Philox(key=seed, counter=turn << 64)`, which promises that they stay as they are.
    """

    def __init__(self, seed: int, turn: int) -> None:
        self._seed, self._turn, self._blocks = seed, turn, 0
        self._rolls: list[int] = []
        """Of the last block, the next one at the end."""

    def below(self, sides: int) -> int:
        if not self._rolls:
            self._blocks += 1
            self._rolls = _four_rolls(self._seed, self._blocks, self._turn)
        return self._rolls.pop() * sides >> 64


def _four_rolls(key: int, block: int, turn: int) -> list[int]:
    """The rolls of this block of the dice, the last one first. block, turn: below 2**64; key: below 2**128"""
    (other_key, key), a, b, c, d = divmod(key, 1 << 64), block, turn, 0, 0
    for _ in range(10):
        product, other = a * 0xD2E7470EE14C6C93, c * 0xCA5A826395121157
        a, b = other >> 64 ^ b ^ key, other & _WORD
        c, d = product >> 64 ^ d ^ other_key, product & _WORD
        key, other_key = key + 0x9E3779B97F4A7C15 & _WORD, other_key + 0xBB67AE8584CAA73B & _WORD
    return [d, c, b, a]


class RandomDice:
    """Dice that another random number generator rolls: for games that no seed has to make again."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def below(self, sides: int) -> int:
        return int(sides * self.rng.random())


def following_seed(seed: int) -> int:
    """Of the next game in a row of games: a full cycle through all seeds, below 2**53 (a linear congruential
    generator whose constants are those of D. E. Knuth's MMIX)."""
    return (seed * 6364136223846793005 + 1442695040888963407) % 2**53


class Turn(NamedTuple, Generic[S]):
    """Where a seeded game stands: after `turn` actions that were rewarded with `score` together."""

    state: S
    score: int
    turn: int


class Seeded(Generic[S, F]):
    """A game of chance whose dice follow from a seed: a Puzzle whose every replay, undo and redo deals alike.
    It has no goal; it is over when no action is left."""

    def __init__(self, game: ChanceGame[S, F], seed: int) -> None:
        self.game = game
        self.seed = seed

    @property
    def num_actions(self) -> int:
        return self.game.num_actions

    def dice(self, turn: int) -> Dice:
        """Those of one turn; 0: of the beginning."""
        return SeededDice(self.seed, turn)

    def initial(self) -> Turn[S]:
        return Turn(self.game.initial(self.dice(0)), 0, 0)

    def legal_actions(self, state: Turn[S]) -> Sequence[Action]:
        return self.game.legal_actions(state.state)

    def apply(self, state: Turn[S], action: Action) -> Turn[S]:
        """Raises IllegalAction."""
        afterstate, reward = self.game.afterstate(state.state, action)
        turn = state.turn + 1
        return Turn(self.follow(afterstate, turn), state.score + reward, turn)

    def follow(self, afterstate: F, turn: int) -> S:
        """What chance makes of it: always the same."""
        return self.game.sample(afterstate, self.dice(turn))

    def is_goal(self, state: Turn[S]) -> bool:
        return False

    def cost(self, state: Turn[S], action: Action) -> int:
        if action not in self.legal_actions(state):
            raise IllegalAction("action.here", given=action)
        return 1
