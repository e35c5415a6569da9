"""Networks learn by playing against nobody: temporal difference learning of afterstates (M. Szubert and
W. Jaśkowski, IEEE CIG 2014), backwards from each game's end, by lambda returns and temporal coherence (as
W. Jaśkowski has it, IEEE Trans. Games 10, 2018, but forwards).

With one thread the same settings learn the same, to the last bit, also when a training was stopped and goes
on. More threads learn at once on the same weights, without locks, and now and then overwrite each other's
(F. Niu et al., Hogwild!, NIPS 2011).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from winnable.contract import clock
from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import WinnableError
from winnable.games.game2048.network.file import Contents, Progress
from winnable.games.game2048.network.games import MOST_GAMES, Games, Lane, seeded_dice, shares
from winnable.games.game2048.network.kernels import Learning
from winnable.games.game2048.network.network import FOLD, Network, count_weights, new_weights, parse_tuples
from winnable.inert.arrays import np

ALPHA = {"tc": 1.0, "td": 0.1}
"""How much of an error is corrected at once, as TDL2048+ has it (H. Guei)."""
LAMBDA = 0.5
POINT_GAMES = 1000
"""Of each point of the learning curve."""
ROUND_MOVES = 250_000
"""That each thread makes at a time: then threads wait for each other, and a training can be stopped."""
OPENING_SHARE = 0.1

Method: TypeAlias = Literal["tc", "td"]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What decides a training.

    network:    see `network.parse_tuples`
    stages:     exponents. A stage is told apart as soon as OPENING_SHARE of the games reach its tile; until
                then it learns with the one before it, whose weights it begins with
    learning:   tc: temporal coherence; td: without, TD(lambda)
    alpha:      the learning rate, shared by all weights that make up a value
    decay:      lambda, from 0 to 1
    optimistic: what all boards are worth at first (H. Guei et al., IEEE Trans. Games 14, 2022)
    fold:       exponent of a tile. When one is made, the game goes on with the board as the network sees it,
                folded: so what it learns is all of boards with smaller tiles, which most games get to.
                `network.NO_FOLD`: never
    weights:    how many may learn, see `pruned`; None: all
    """

    network: str
    stages: tuple[int, ...] = ()
    learning: Method = "tc"
    alpha: Annotated[float, Meta(gt=0, le=10)] = ALPHA["tc"]
    decay: Annotated[float, Meta(ge=0, le=1)] = LAMBDA
    optimistic: Annotated[float, Meta(ge=0, le=1e7)] = 0.0
    fold: int = FOLD
    weights: Annotated[int, Meta(ge=1)] | None = None
    threads: Annotated[int, Meta(ge=1, le=256)] = 1
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 0


class Point(Struct, frozen=True):
    """Of the learning curve: what the latest POINT_GAMES games were, of so many games, moves and seconds.

    mean, best: scores; of games that went on folded as if it were theirs
    reached:    for each tile of `network_games.TILES`, by its number, the share of games that reached it
    stages:     that are told apart, as exponents
    """

    games: int
    moves: int
    seconds: float
    mean: float
    best: int
    reached: dict[str, float]
    stages: list[int]


def pruned(state: Contents, weights: int) -> Contents:
    """Prunes a training by temporal coherence: only so many weights, those with the largest errors in all, go
    on learning. The others are what they were at first, and stay so, as if their errors were infinite.
    Changes the state. Raises WinnableError."""
    network, coherence, _ = state
    gross = coherence[1::2]
    gross[np.isinf(gross)] = 0  # pruned before
    learned = int(np.count_nonzero(gross))
    if not gross.size:
        raise WinnableError("2048.coherence", field="run")
    if weights >= learned:
        raise WinnableError("2048.learned", field="weights", learned=f"{learned:,}", weights=f"{weights:,}")
    dropped = gross < np.partition(gross, -weights)[-weights]
    network.weights[dropped] = network.initial
    coherence[0::2][dropped], gross[dropped] = 0, np.inf
    return state


class Trainer:
    """Plays and learns, round by round."""

    def __init__(self, settings: Settings, state: Contents | None = None) -> None:
        """state: of a checkpoint, to go on from. Raises WinnableError."""
        tuples = parse_tuples(settings.network)
        count_weights(tuples, settings.stages, settings.fold)
        self.settings = settings
        images = 8 * len(tuples)
        self._rate = settings.alpha / images
        if state is None:
            network = Network(tuples, initial=settings.optimistic / images, fold=settings.fold)
            errors = 2 * len(network.weights) if settings.learning == "tc" else 0
            dice = [int(one[0]) for one in seeded_dice(settings.seed, settings.threads)]
            state = Contents(network, new_weights(errors, 0), Progress(dice=dice))
        self.network, self.coherence, progress = state
        kind = self.network.tuples, self.network.fold, len(self.coherence) > 0, len(progress.dice)
        if kind != (tuples, settings.fold, settings.learning == "tc", settings.threads):
            raise WinnableError("2048.settings", field="checkpoint")
        self.games, self.moves, self.seconds = progress.games, progress.moves, progress.seconds
        self._scores, self._largest = list(progress.scores), list(progress.largest)
        self._lanes = [Lane(len(tuples), np.array([one], np.uint64)) for one in progress.dice]

    @property
    def progress(self) -> Progress:
        """How far the training is, for a checkpoint."""
        dice = [int(lane.dice[0]) for lane in self._lanes]
        return Progress(self.games, self.moves, self.seconds, dice, list(self._scores), list(self._largest))

    def work(
        self,
        on_round: Callable[[Sequence[Point]], None],
        stop: threading.Event,
        seconds: float = math.inf,
        games: float = math.inf,
    ) -> None:
        """Trains until told to stop, for so many seconds, or until the training has so many games. on_round
        is told the new points after each round. Compiling takes no time of these."""
        end = clock.now() + seconds
        with ThreadPoolExecutor(len(self._lanes)) as pool:
            while not stop.is_set() and clock.now() < end and self.games < games:
                on_round(self._round(pool, games - self.games))

    @property
    def _learning(self) -> Learning:
        return Learning(np.float32(self._rate), np.float32(self.settings.decay), self.coherence)

    def _round(self, pool: Executor, games: float) -> list[Point]:
        began = clock.now()
        most = math.ceil(min(MOST_GAMES, games / len(self._lanes)))

        def play(lane: Lane) -> Games:
            return lane.play(self.network, ROUND_MOVES, most, self._learning)

        for played in pool.map(play, self._lanes):
            self._scores += played.scores.tolist()
            self._largest += played.largest.tolist()
            self.games += len(played.scores)
            self.moves += played.moves
        self.seconds += clock.now() - began
        return [self._point() for _ in range(len(self._scores) // POINT_GAMES)]

    def _point(self) -> Point:
        scores, self._scores = self._scores[:POINT_GAMES], self._scores[POINT_GAMES:]
        largest, self._largest = self._largest[:POINT_GAMES], self._largest[POINT_GAMES:]
        self._tell_apart(largest)
        return Point(
            games=self.games - len(self._scores),
            moves=self.moves,
            seconds=round(self.seconds, 3),
            mean=sum(scores) / POINT_GAMES,
            best=max(scores),
            reached=shares(largest),
            stages=list(self.network.stages),
        )

    def _tell_apart(self, largest: Sequence[int]) -> None:
        """One more stage, if it is time."""
        waiting = self.settings.stages[len(self.network.stages) :]
        if not waiting or sum(one >= waiting[0] for one in largest) < OPENING_SHARE * len(largest):
            return
        self.network = self.network.with_stage(waiting[0])
        errors = np.zeros(2 * self.network.size if len(self.coherence) else 0, np.float32)
        errors[np.isinf(self.coherence[-len(errors) :])] = np.inf  # what is pruned stays so
        self.coherence = np.concatenate([self.coherence, errors])
