"""The article's genetic algorithm over sequences of turns, and one with better operators beside it.

As written: 50 sequences of L turns, drawn by their centre, then their radius, then their angle, each with
equal chances. Fitness F = cells - clusters after all L turns, a roulette by F, one-point crossover with
chance 0.6; the two that are crossed mutate, each gene with chance 0.15. It ends when F is greatest, after
10,000 generations, or 1,000 without a gain. `Genetic.rotate_article` says where our count of these differs.

Improved: the same sequences and the same fitness, but tournaments of 3 in place of the roulette, whose
chances hardly differ as all F are nearly equal; the best sequence survives; one gene in L mutates.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from winnable.core import Action
from winnable.games.rotate import article_kernels
from winnable.games.rotate.kernels import blocks_of
from winnable.games.rotate.rules import Rotate, State
from winnable.optimize import Genetic, SequenceGenes
from winnable.optimize.genetic_operators import Draw, Ints
from winnable.search.meter import Meter

Maker = Callable[[Rotate, int, int], Genetic]
"""(puzzle, length, seed) -> the algorithm over its actions; a loss is clusters - cells."""


def as_written(puzzle: Rotate, length: int, seed: int) -> Genetic:
    return Genetic.rotate_article(
        drawn_by_centre(puzzle), seed=seed, fitness=np.negative, target=_best(puzzle), length=length
    )


def improved(puzzle: Rotate, length: int, seed: int) -> Genetic:
    return Genetic(
        SequenceGenes(drawn_by_centre(puzzle), length, cross_rate=0.6, mutation_rate=1 / length),
        50,
        selection="tournament",
        tournament_size=3,
        elites=1,
        seed=seed,
        max_generations=10_000,
        max_generations_without_gain=1000,
        target=_best(puzzle),
    )


def _best(puzzle: Rotate) -> float:
    """The least loss that there can be."""
    return puzzle.colours - puzzle.rows * puzzle.columns


def drawn_by_centre(puzzle: Rotate) -> Draw:
    """Draws actions as the article does: the centre, the radius up to the border, the angle. In `pairs`,
    which it does not know, each action is as likely as any other."""
    if puzzle.ways == 1:
        return lambda rng, n: rng.integers(puzzle.num_actions, size=n)
    by_centre: dict[tuple[int, int], list[int]] = {}
    for number, (left, top, side) in enumerate(puzzle.blocks):
        by_centre.setdefault((2 * left + side, 2 * top + side), []).append(number)
    radii = np.array([len(numbers) for numbers in by_centre.values()])
    table = np.array([numbers + [0] * (radii.max() - len(numbers)) for numbers in by_centre.values()])

    def draw(rng: np.random.Generator, n: int) -> Ints:
        centres = rng.integers(len(radii), size=n)
        blocks = table[centres, rng.integers(radii[centres])]
        return 3 * blocks + rng.integers(3, size=n)

    return draw


class Evolution:
    """One run over sequences of `length` turns from one state."""

    def __init__(self, puzzle: Rotate, state: State, genetic: Genetic) -> None:
        self._puzzle, self._blocks = puzzle, blocks_of(puzzle)
        self._cells = np.array(state.cells, np.int16)
        self.genetic = genetic

    def run(self, meter: Meter, stage: str) -> bool:
        """All generations; False when the budget ends before them. A sequence counts as one expanded node, a
        turn as one generated."""
        while not self.genetic.should_stop():
            if not meter.allows_often(f"{stage}: generation {self.genetic.generation + 1}"):
                return False
            genomes = self.genetic.ask()[: meter.expanded_left]
            self.genetic.tell(genomes, self.losses(genomes))
            meter.expanded += len(genomes)
            meter.generated += genomes.size
        return True

    def losses(self, genomes: Ints) -> Ints:
        """int [m]: clusters - cells after all turns of each genome."""
        clusters = np.empty(len(genomes), np.int64)
        columns, ways = self._puzzle.columns, self._puzzle.ways
        article_kernels.judge(genomes, self._cells, columns, self._blocks, ways, clusters)
        return clusters - len(self._cells)

    @property
    def excess(self) -> int | None:
        """Clusters too many after the best sequence; None before any was judged."""
        if not self.genetic.evaluations:
            return None
        return int(self.genetic.best[1]) + len(self._cells) - self._puzzle.colours

    def line(self) -> tuple[Action, ...]:
        """The best sequence up to where it first finishes the board. Call it only when it does."""
        genome, puzzle = self.genetic.best[0], self._puzzle
        turns = article_kernels.finished_after(
            genome, self._cells, puzzle.columns, puzzle.colours, self._blocks, puzzle.ways
        )
        assert turns >= 0
        return tuple(genome[:turns].tolist())
