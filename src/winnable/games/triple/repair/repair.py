"""The article's repair: swap the kinds of two tiles, again and again, until the greedy player wins.

Each round, a small differential evolution chooses the two tiles so that greedy gets as far as possible. What
comes out is winnable, since greedy won it; that a board resists the repair says nothing about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from winnable.contract.core import Budget, Search
from winnable.contract.game import GaveUp
from winnable.games.triple.players.greedy_kernels import Shape, greedy_game, pack_kinds, pack_shape
from winnable.games.triple.repair.outcome import check, repaired
from winnable.games.triple.repair.settings import RepairSettings
from winnable.games.triple.rules.level import Level, Tile
from winnable.inert.arrays import I32, np
from winnable.optimize import DifferentialEvolution
from winnable.search.meter import Meter

DEFAULT = RepairSettings()


class RepairFailed(GaveUp):
    """The budget ran out before greedy won. `values` hold the games, the rounds and the best completion."""


class RepairRun(NamedTuple):
    """kinds: of the tiles, after the repair; rounds, games, swaps: what it took; actions: greedy's winning
    line."""

    kinds: tuple[int, ...]
    rounds: int
    games: int
    swaps: int
    actions: tuple[int, ...]


def de_repair(level: Level, seed: int, budget: Budget, settings: RepairSettings = DEFAULT) -> Search[Level]:
    """`level` with some kinds swapped so that greedy wins it, and its winning line as the certificate.

    One game counts as one expanded node of the budget. The same arguments give the same level, unless the
    clock cuts the search; the chance comes from numpy's default generator, which may change between versions
    of numpy. Raises RepairFailed when the budget runs out, LevelError for boards that cannot be repaired.
    """
    run = yield from run_repair(level, seed, budget, settings)
    params, limit = msgspec.to_builtins(settings), ("games", budget)
    return repaired(level, run.kinds, run.actions, "triple/de-repair", "triple/greedy", params, seed, limit)


def run_repair(
    level: Level, seed: int, budget: Budget, settings: RepairSettings = DEFAULT
) -> Search[RepairRun]:
    """The repair itself, with what it took. Raises like `de_repair`."""
    check(level, seed)
    repair = _Repair(level, seed, budget, settings)
    yield from repair.begin(level.tiles)
    while repair.completion < 1:
        swap, completion = yield from repair.round()
        if settings.keep == "always" or completion > repair.completion:
            repair.swap(*swap)
            repair.swaps += 1
            repair.completion = completion
    yield from repair.tell()
    kinds = tuple(level.tiles[tile].kind for tile in repair.source)
    return RepairRun(kinds, repair.rounds, repair.games, repair.swaps, repair.winning_line())


class _Repair:
    """The board as it stands, and how far greedy gets on it (`completion`).

    source: the kind on tile i is the one that tile source[i] had at first
    """

    _shape: Shape

    def __init__(self, level: Level, seed: int, budget: Budget, settings: RepairSettings) -> None:
        self._kinds: I32 = pack_kinds(level.kinds)
        self._clicks: I32 = np.empty(len(self._kinds), np.int32)
        self._slots, self._budget, self._settings = level.slots, budget, settings
        self._meter = Meter(budget)
        self._seeds = np.random.default_rng(seed)
        self.source = list(range(len(level.tiles)))
        self.rounds = self.games = self.swaps = 0
        self._best = self.completion = 0.0
        self._shape: Shape
        self._told: dict[str, Any] = {"generation": 0, "best": 0.0, "first": "", "second": ""}

    def begin(self, tiles: Sequence[Tile]) -> Search[None]:
        """Greedy's game on the board as it is."""
        self._shape = yield from pack_shape(tiles, self._keep_to_time)
        self.completion = self._best = self._told["best"] = self._play()

    def round(self) -> Search[tuple[tuple[int, int], float]]:
        """The swap that one differential evolution finds best, and the completion after it."""
        self.rounds += 1
        last, settings = len(self.source) - 1, self._settings
        optimizer = DifferentialEvolution(
            [0, 0],
            [last, last],
            settings.population,
            cross_rate=settings.cr,
            scale=settings.f,
            seed=int(self._seeds.integers(2**53)),
            max_generations=1 + settings.generations,
        )
        while not optimizer.should_stop():
            if not (yield from self.tell()):
                raise self._failure()
            genomes, losses = optimizer.ask(), list[float]()
            for first, second in genomes.tolist():
                yield from self._keep_to_time()
                losses.append(-self._after(int(first), int(second)))
            optimizer.tell(genomes, losses)
            (first, second), loss = optimizer.best
            swap = {"first": int(first), "second": int(second)}
            self._told = {"generation": optimizer.generation, "best": -loss, **swap}
            if loss == -1:
                break  # greedy wins: no swap can be better
        (first, second), loss = optimizer.best
        self._best = max(self._best, -loss)
        return (int(first), int(second)), -loss

    def swap(self, first: int, second: int) -> None:
        for places in (self._kinds, self.source):
            places[first], places[second] = places[second], places[first]

    def winning_line(self) -> tuple[int, ...]:
        picked = greedy_game(self._kinds, self._slots, self._shape, self._clicks)
        assert picked == len(self._kinds)
        return tuple(self._clicks.tolist())

    def _after(self, first: int, second: int) -> float:
        self.swap(first, second)
        completion = self._play()
        self.swap(first, second)
        return completion

    def _keep_to_time(self) -> Search[None]:
        """Between two games; their number is asked once a generation."""
        if self._meter.is_due:
            yield from self.tell()
            if self._budget.limit(0) is not None:
                raise self._failure()

    def _play(self) -> float:
        self.games += 1
        return greedy_game(self._kinds, self._slots, self._shape, self._clicks) / len(self._kinds)

    def tell(self) -> Search[bool]:
        """The generation of this round, its best completion and swap, and the swaps that were kept so far, as
        the article's program prints them. False when the budget is over."""
        told = {**self._told, "best": f"{self._told['best']:.3f}", "swaps": self.swaps}
        return self._budget.allows("repair", self.games, self.games, **told)

    def _failure(self) -> RepairFailed:
        return RepairFailed(
            "repair.failed", games=self.games, rounds=self.rounds, swaps=self.swaps, best=f"{self._best:.3f}"
        )
