"""Differential evolution, DE/rand/1/bin.

R. Storn and K. Price, "Differential Evolution - A Simple and Efficient Heuristic for Global Optimization over
Continuous Spaces", Journal of Global Optimization 11 (1997), 341-359.
"""

from __future__ import annotations

from typing import Any

from winnable.inert.arrays import ArrayLike, np
from winnable.optimize.base import Floats, checked_bounds, checked_count, checked_genome, checked_rng, uniform
from winnable.optimize.ledger import Ledger, Told
from winnable.optimize.population import Ints, Population
from winnable.optimize.state import rng_to_json, to_json

DONORS = 3
"""Each trial is built from three genomes other than its target: a population needs at least four."""


class DifferentialEvolution(Told):
    """Minimises a function of real genes within bounds.

        optimizer = DifferentialEvolution(low, high, population_size=60, seed=1, max_generations=1000)
        while not optimizer.should_stop():
            genomes = optimizer.ask()
            optimizer.tell(genomes, [loss(genome) for genome in genomes])
        genome, loss = optimizer.best

    The first `ask` gives a population drawn uniformly within the bounds, every later one a trial for each of
    its genomes; a trial that is no worse takes its target's place, as soon as it is
    told. For the target x_i the mutant is
    v_i = x_a + scale · (x_b - x_c), clipped to the bounds; the trial takes each gene from the mutant with
    chance `cross_rate`, one gene always, and the others from the target.

    The rule and the defaults of `cross_rate` and `scale` are those of the article on 马了个马. Its
    program departs from the rule by accident, and this class does not: there a, b and c may include the
    target; with chance 1 / (genes + 1) no gene is forced, so that a trial may equal its target; all instances
    share one population; and nothing can be seeded. Two things differ on purpose: we minimise, and a trial of
    equal loss replaces its target, which lets the population cross plateaus.
    """

    def __init__(
        self,
        low: ArrayLike,
        high: ArrayLike,
        population_size: int,
        *,
        cross_rate: float = 0.3,
        scale: float = 0.5,
        first: ArrayLike | None = None,
        seed: int,
        max_generations: int | None = None,
        max_evaluations: int | None = None,
    ) -> None:
        """low, high: float [genes], finite, low <= high. first: float [genes], a genome that the first
        population is to have. `ask` knows no limits, only `should_stop` does: the
        last generation may pass `max_evaluations`.

        Raises ValueError that names the argument.
        """
        self._low, self._high = checked_bounds(low, high)
        self._size = checked_count("population_size", population_size, DONORS + 1)
        if not 0 <= cross_rate <= 1:
            raise ValueError(f"cross_rate: {cross_rate} is not in 0 ... 1")
        if not 0 < scale <= 2:
            raise ValueError(f"scale: {scale} is not in 0 ... 2 (0 excluded)")
        self._cross_rate, self._scale = cross_rate, scale
        self._ledger = Ledger(self._low.size, np.float64, 1, max_generations, max_evaluations)
        self._rng = checked_rng(seed)
        self._population = Population(uniform(self._rng, self._size, self._low, self._high))
        if first is not None:
            self._population.genomes[0] = checked_genome("first", first, self._low, self._high)

    def ask(self, n: int | None = None) -> Floats:
        """The first population, drawn uniformly within the bounds; then trials for its genomes in turn. While
        some place of the first population has no told genome, more random genomes for such places."""
        n = self._size if n is None else checked_count("n", n, 1)
        first = self._population.take_first(n)
        targets = self._population.take_targets(n - len(first))
        if self._population.all_known:
            more = self._crossed(targets, self._mutants(targets))
        else:
            more = uniform(self._rng, len(targets), self._low, self._high)
        genomes = np.concatenate([self._population.genomes[first], more]) if len(first) else more
        self._ledger.enter(genomes, np.concatenate([first, targets])[:, None].astype(np.float64))
        return genomes

    def tell(self, genomes: ArrayLike, losses: ArrayLike) -> None:
        told, judged, notes = self._ledger.settle(genomes, losses)
        self._population.put(notes[:, 0].astype(np.intp), told, judged)
        self._ledger.generation = self._ledger.evaluations // self._size

    def state_dict(self) -> dict[str, Any]:
        return {
            **self._state(),
            "rng": rng_to_json(self._rng),
            "population": self._population.to_json(),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        reader, ledger = self._read(state, self._low, self._high)
        if not ((ledger.notes >= 0) & (ledger.notes < self._size)).all():
            raise ValueError("state: ledger: notes: no places of the population")
        population = Population.from_json(
            reader.part("population"), self._low, self._high, self._size, self._size
        )
        self._rng, self._ledger, self._population = reader.rng(), ledger, population

    def _settings(self) -> dict[str, Any]:
        return {
            "low": to_json(self._low),
            "high": to_json(self._high),
            "population_size": self._size,
            "cross_rate": float(self._cross_rate),
            "scale": float(self._scale),
        }

    def _mutants(self, targets: Ints) -> Floats:
        a, b, c = self._population.genomes[self._donors(targets)]
        return np.clip(a + self._scale * (b - c), self._low, self._high)

    def _donors(self, targets: Ints) -> Ints:
        """int [3, targets]: for each target three genomes, different from it and from each other: those
        with the least of random keys, where the target's own key is infinite."""
        n = len(targets)
        keys = self._rng.random((n, self._size))
        keys[np.arange(n), targets] = np.inf
        return np.argpartition(keys, range(DONORS), axis=1)[:, :DONORS].T

    def _crossed(self, targets: Ints, mutants: Floats) -> Floats:
        n, genes = mutants.shape
        from_mutant = self._rng.random((n, genes)) < self._cross_rate
        from_mutant[np.arange(n), self._rng.integers(genes, size=n)] = True
        return np.where(from_mutant, mutants, self._population.genomes[targets])
