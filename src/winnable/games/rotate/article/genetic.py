"""The article's genetic algorithm over sequences of turns, and one with better operators beside it.

As written: 50 sequences of L turns, drawn by their centre, then their radius, then their angle, each with
equal chances. Fitness F = cells - clusters after all L turns, a roulette by F, one-point crossover with
chance 0.6; the two that are crossed mutate, each gene with chance 0.15. It ends when F is greatest, after
10,000 generations, or 1,000 without a gain. `Genetic.rotate_article` says where our count of these differs.

Improved: the same sequences and the same fitness, but tournaments of 3 in place of the roulette, whose
chances hardly differ as all F are nearly equal; the best sequence survives; one gene in L mutates.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from winnable.contract.core import Action, Search
from winnable.games.rotate.article import kernels as article_kernels
from winnable.games.rotate.article.settings import GeneticSettings, ImprovedSettings
from winnable.games.rotate.rules.blocks import Cells
from winnable.games.rotate.rules.clusters import cluster_numbers
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve.kernels import blocks_of, count_clusters, turn_action
from winnable.inert.arrays import np
from winnable.optimize import Genetic, SequenceGenes
from winnable.optimize.genetic_operators import Draw, Ints
from winnable.search.meter import Meter

AS_WRITTEN, IMPROVED = GeneticSettings(), ImprovedSettings()
JUDGED = 4_000_000
"""Cells that turn, at the most, between two looks at the clock: some milliseconds."""
Made = TypeVar("Made", contravariant=True)


class Maker(Protocol[Made]):
    """(puzzle, length, seed, settings) -> the algorithm over its actions; a loss is clusters - cells."""

    def __call__(self, puzzle: Rotate, length: int, seed: int, settings: Made, /) -> Genetic: ...


def as_written(puzzle: Rotate, length: int, seed: int, settings: GeneticSettings = AS_WRITTEN) -> Genetic:
    """The article's genetic algorithm over sequences of `length` actions, with its operators."""
    return Genetic.rotate_article(
        drawn_by_centre(puzzle),
        seed=seed,
        fitness=np.negative,
        target=_best(puzzle),
        length=length,
        population_size=settings.population,
        cross_rate=settings.pc,
        mutation_rate=settings.pm,
        max_generations=settings.generations,
        max_generations_without_gain=settings.stalled,
    )


def improved(puzzle: Rotate, length: int, seed: int, settings: ImprovedSettings = IMPROVED) -> Genetic:
    """The algorithm over the same sequences with tournaments, elites and fewer mutations."""
    size = settings.population
    return Genetic(
        SequenceGenes(
            drawn_by_centre(puzzle),
            length,
            cross_rate=settings.pc,
            mutation_rate=min(1.0, settings.mutated / length),
        ),
        size,
        selection="tournament",
        tournament_size=min(settings.tournament, size),
        elites=min(settings.elites, size - 1),
        seed=seed,
        max_generations=settings.generations,
        max_generations_without_gain=settings.stalled,
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

    def __init__(self, puzzle: Rotate, state: State, genetic: Genetic, length: int) -> None:
        self._puzzle, self._blocks = puzzle, blocks_of(puzzle)
        self._state, self._cells = state, np.array(state.cells, np.int16)
        self.genetic, self._length = genetic, length

    def run(self, meter: Meter) -> Search[bool]:
        """All generations; False when the budget ends before them. A sequence counts as one expanded node, a
        turn as one generated."""
        genetic, cells = self.genetic, len(self._cells)
        told, goes_on = {"length": self._length, "target": cells - self._puzzle.colours}, True
        while not genetic.should_stop():
            best = -int(genetic.best[1]) if genetic.evaluations else 0
            generation = genetic.generation + 1
            told |= {"generation": generation, "best": best}
            if meter.is_due:
                goes_on = yield from meter.allows("genetic.rotate", **told)
            if not goes_on:
                return False
            genomes = genetic.ask()[: meter.expanded_left]
            parts: list[Ints] = []
            step = max(1, JUDGED // (self._length * cells))
            for first in range(0, len(genomes), step):
                if meter.is_due:  # a generation that is begun is judged
                    goes_on = yield from meter.allows("genetic.rotate", **told)
                parts.append(self.losses(genomes[first : first + step]))
            genetic.tell(genomes, np.concatenate(parts))
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
    def fitness(self) -> int:
        """F of the best sequence, after all of its turns; -1 before any was judged."""
        return -int(self.genetic.best[1]) if self.genetic.evaluations else -1

    def line(self) -> tuple[Action, ...]:
        """The best sequence up to where its F is first met. Call it only when one was judged."""
        turns: list[Action] = self.genetic.best[0].tolist()
        cells, columns = self._cells.copy(), self._puzzle.columns
        parents = np.empty_like(cells)
        for number, action in enumerate(turns):
            if len(cells) - count_clusters(cells, columns, parents) >= self.fitness:
                return tuple(turns[:number])
            turn_action(cells, columns, self._blocks, self._puzzle.ways, action, False)
        return tuple(turns)


def fitness(cells: Cells, columns: int) -> int:
    """The article's F: cells - clusters."""
    return len(cells) - max(cluster_numbers(cells, columns)) - 1
