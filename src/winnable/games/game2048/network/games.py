"""Games of a network by one ply: for learning, and for measuring how strong it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from msgspec import Struct

from winnable.compiled.dice_kernels import new_dice
from winnable.contract.core import WinnableError
from winnable.games.game2048.board.kernels import slides
from winnable.games.game2048.network import kernels as network_kernels
from winnable.games.game2048.network.kernels import Learning
from winnable.games.game2048.network.network import Network
from winnable.games.game2048.rules.level import FOURS
from winnable.inert.arrays import U8, U64, NDArray, np
from winnable.stats.intervals import Z95, wilson_interval

TILES: Final = (11, 12, 13, 14, 15)
"""Exponents of the tiles whose shares are told."""
MOST_MOVES = 1 << 18
"""Of a game: each adds 2 at least to the tiles, of which there are 16 of 32,768 at most, as these never
merge."""
MOST_GAMES = 1 << 12
"""That a lane plays at a time."""
BATCH = 50
"""Games that are measured with the same dice."""


class Games(NamedTuple):
    """scores: uint64 [games]; largest: uint8 [games], the exponents of their largest tiles; moves: of all."""

    scores: U64
    largest: U8
    moves: int


class Lane:
    """Plays games one after the other, in one thread, with dice of its own: uint64 [1]."""

    def __init__(self, tuples: int, dice: U64) -> None:
        self.dice = dice
        self._scores, self._largest = np.empty(MOST_GAMES, np.uint64), np.empty(MOST_GAMES, np.uint8)
        self._history = np.empty((MOST_MOVES, 2), np.uint64)
        self._places = np.empty((4, tuples, 8), np.uint32)

    def play(
        self, network: Network, moves: int, games: int = MOST_GAMES, learning: Learning | None = None
    ) -> Games:
        """Whole games, until there were so many moves or so many games. Raises WinnableError when what it
        learns grows without end."""
        learning = learning or Learning(np.float32(0), np.float32(0), np.empty(0, np.float32))
        scores, largest = self._scores[:games], self._largest[:games]
        played, made = network_kernels.train(
            moves, learning, FOURS, scores, largest, self._history, self._places, network.net, slides(),
            self.dice,
        )  # fmt: skip
        if made < moves and played < len(scores):
            raise WinnableError("2048.grow", field="alpha")
        return Games(scores[:played].copy(), largest[:played].copy(), made)


def seeded_dice(seed: int, count: int) -> Iterator[U64]:
    """Dice that know nothing of each other."""
    for sequence in np.random.SeedSequence(seed).spawn(count):
        yield new_dice(int(sequence.generate_state(1, np.uint64)[0]))


def play(network: Network, games: int, seed: int, threads: int = 1) -> Games:
    """The same games for any number of threads."""

    def batch(number: int, dice: U64) -> Games:
        size = min(BATCH, games - number * BATCH)
        return Lane(len(network.tuples), dice).play(network, size * MOST_MOVES, size)

    with ThreadPoolExecutor(threads) as pool:
        batches = list(pool.map(batch, range(-(-games // BATCH)), seeded_dice(seed, -(-games // BATCH))))
    scores, largest, moves = zip(*batches, strict=True)
    return Games(np.concatenate(scores), np.concatenate(largest), sum(moves))


class Share(Struct, frozen=True):
    """Of games, with its 95 % interval."""

    share: float
    low: float
    high: float


class Strength(Struct, frozen=True):
    """The mean score with its 95 % interval; and for each tile of TILES, by its number, how many of the games
    reached it."""

    games: int
    moves: int
    mean: float
    low: float
    high: float
    reached: dict[str, Share]


def shares(largest: NDArray[np.uint8] | Sequence[int]) -> dict[str, float]:
    """The share of the games that reached each tile of TILES, by its number."""
    return {str(1 << exponent): float(np.mean(np.asarray(largest) >= exponent)) for exponent in TILES}


def strength(network: Network, games: int, seed: int, threads: int = 1) -> Strength:
    """Measures a network by 2 games or more. Scores are many sums of many rewards, so the mean is as good as
    normal."""
    scores, largest, moves = play(network, games, seed, threads)
    mean = float(scores.mean())
    margin = Z95 * float(scores.std(ddof=1)) / games**0.5
    reached: dict[str, Share] = {}
    for tile, share in shares(largest).items():
        reached[tile] = Share(share, *wilson_interval(round(share * games), games))
    return Strength(games, moves, mean, mean - margin, mean + margin, reached)


def warm() -> None:
    """Compiles what learning and playing use."""
    network = Network(((0,),))
    network.value((0,) * 16)
    Lane(1, new_dice(0)).play(network, 0)
