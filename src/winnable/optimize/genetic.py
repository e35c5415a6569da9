"""The genetic algorithm; its operators are in `genetic_operators`, the kinds of genomes in `genomes`.

J. H. Holland, "Adaptation in Natural and Artificial Systems", 1975; the rule for sequences is that of the
articles on the rotation puzzle and on the drops game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from winnable.inert.arrays import ArrayLike, np
from winnable.optimize import genetic_operators as operators
from winnable.optimize.base import Floats, Genomes, checked_count, checked_rng
from winnable.optimize.genetic_operators import Draw
from winnable.optimize.genomes import Genes, SequenceGenes
from winnable.optimize.ledger import Ledger, Told
from winnable.optimize.state import rng_to_json, to_json

Selection = Literal["roulette", "tournament"]
Fitness = Callable[[Floats], ArrayLike]


class Genetic(Told):
    """Minimises a loss over genomes of any kind (`RealGenes`, `SequenceGenes`).

        optimizer = Genetic(SequenceGenes(4, 8), population_size=60, seed=1, max_generations=200)

    The first generation is random. Each later one is a brood of the last: its parents are selected with
    replacement, then crossed and mutated as their kind says; once `population_size` genomes are told, in
    whatever order they came, they are the new population. Asked for more than that, it breeds again from the
    same population.

    Selection "tournament" takes the best of `tournament_size` drawn; only the order of losses counts.
    "roulette" takes each genome with chance fitness / sum of fitness, as both articles do. They maximise
    a fitness; here `fitness` maps the finite losses [n] of a population to numbers >= 0 [n], for example
    `lambda losses: -losses` where the loss is the article's fitness negated. Without it the fitness is worst
    loss - loss, over the finite losses of the population. An infinite loss has fitness 0; where all have 0,
    all have the same chance.

    The `elites` best of a population replace the worst of the next one that are worse than they. Under noise
    an elite is a lucky genome that is never judged again: then use 0.
    """

    def __init__(
        self,
        genes: Genes,
        population_size: int,
        *,
        selection: Selection = "tournament",
        tournament_size: int = 2,
        fitness: Fitness | None = None,
        elites: int = 1,
        seed: int,
        max_generations: int | None = None,
        max_evaluations: int | None = None,
        max_generations_without_gain: int | None = None,
        target: float | None = None,
    ) -> None:
        """target: `should_stop` once a loss is no greater. Raises ValueError that names the argument."""
        self._genes, self._fitness = genes, fitness
        self._size = checked_count("population_size", population_size, 2)
        self._tournament_size = checked_count("tournament_size", tournament_size, 1)
        self._elites = checked_count("elites", elites, 0)
        if self._elites > self._size:
            raise ValueError(f"elites: {elites} are more than the population's {population_size}")
        if selection not in ("roulette", "tournament"):
            raise ValueError(f"selection: {selection!r} is neither 'roulette' nor 'tournament'")
        if fitness is not None and selection != "roulette":
            raise ValueError("fitness: only the roulette uses it")
        if max_generations_without_gain is not None:
            checked_count("max_generations_without_gain", max_generations_without_gain, 1)
        if target is not None and np.isnan(target):
            raise ValueError("target: not a number")
        self._selection: Selection = selection
        self._max_stale, self._target = max_generations_without_gain, target
        self._rng = checked_rng(seed)
        self._ledger = Ledger(genes.length, genes.dtype, 0, max_generations, max_evaluations)
        none = np.empty((0, genes.length), genes.dtype)
        self._parents, self._brood, self._told = none, none, none
        self._parents_losses: Floats = np.empty(0)
        self._told_losses: Floats = np.empty(0)
        self._least, self._stale = np.inf, 0

    @classmethod
    def rotate_article(
        cls,
        genes: int | Draw,
        *,
        seed: int,
        fitness: Fitness | None = None,
        target: float | None = None,
        length: int = 6,
        population_size: int = 50,
        cross_rate: float = 0.6,
        mutation_rate: float = 0.15,
        max_generations: int = 10_000,
        max_generations_without_gain: int = 1000,
    ) -> Genetic:
        """Makes the optimiser of the article on the rotation puzzle: 50 sequences of 6 genes, roulette,
        one-point crossover with chance 0.6, mutation of each gene with chance 0.15, at most 10,000
        generations, at most 1,000 without a gain, and an end when the best possible fitness is met
        (`target`). genes: the alphabet's size or `draw`. What differs: a gain is one over all generations so
        far, where the article's maximum over the current population may fall and rise again."""
        return cls(
            SequenceGenes(genes, length, cross_rate=cross_rate, mutation_rate=mutation_rate),
            population_size,
            selection="roulette",
            fitness=fitness,
            elites=0,
            seed=seed,
            max_generations=max_generations,
            max_generations_without_gain=max_generations_without_gain,
            target=target,
        )

    @classmethod
    def drops_article(
        cls,
        genes: int | Draw,
        *,
        seed: int,
        fitness: Fitness | None = None,
        target: float | None = None,
        population_size: int = 500,
        length: int = 50,
        generations: int = 200,
        cross_rate: float = 0.6,
        mutation_rate: float = 0.15,
    ) -> Genetic:
        """Makes the optimiser of the article on the drops game: 500 sequences of 50 genes, roulette, 200
        generations; a mutation redraws one gene of a genome. The article does not tell its rates; these are
        the rotation puzzle's."""
        return cls(
            SequenceGenes(
                genes, length, cross_rate=cross_rate, mutation_rate=mutation_rate, mutation="one_gene"
            ),
            population_size,
            selection="roulette",
            fitness=fitness,
            elites=0,
            seed=seed,
            max_generations=generations,
            target=target,
        )

    @property
    def generations_without_gain(self) -> int:
        """Generations finished since the last one that found a loss below all before it."""
        return self._stale

    @property
    def population(self) -> tuple[Genomes, Floats]:
        """The last finished generation, [population, genes], and its losses; empty before the first."""
        return self._parents.copy(), self._parents_losses.copy()

    def should_stop(self) -> bool:
        if self._target is not None and self.evaluations and self.best[1] <= self._target:
            return True
        return self._ledger.should_stop() or (self._max_stale is not None and self._stale >= self._max_stale)

    def ask(self, n: int | None = None) -> Genomes:
        wanted = self._size if n is None else checked_count("n", n, 1)
        parts: list[Genomes] = []
        while wanted > 0:
            if len(self._brood) == 0:
                self._brood = self._bred()
            parts.append(self._brood[:wanted])
            self._brood = self._brood[wanted:]
            wanted -= len(parts[-1])
        asked = np.concatenate(parts)
        self._ledger.enter(asked)
        return asked

    def tell(self, genomes: ArrayLike, losses: ArrayLike) -> None:
        told, judged, _ = self._ledger.settle(genomes, losses)
        self._told = np.concatenate((self._told, told))
        self._told_losses = np.concatenate((self._told_losses, judged))
        while len(self._told) >= self._size:
            self._finish_generation()

    def _bred(self) -> Genomes:
        if len(self._parents) == 0:
            return self._genes.sample(self._rng, self._size)
        return self._genes.vary(self._rng, self._parents[self._selected()])

    def _selected(self) -> Any:
        """int [population]: the indices of the parents."""
        if self._selection == "tournament":
            return operators.tournament(self._rng, self._parents_losses, self._size, self._tournament_size)
        return operators.roulette(self._rng, self._fitness_of_parents(), self._size)

    def _fitness_of_parents(self) -> Floats:
        losses = self._parents_losses
        finite = np.isfinite(losses)
        if self._fitness is None or (losses == -np.inf).any() or not finite.any():
            return operators.fitness_of_losses(losses)
        given = np.asarray(self._fitness(losses[finite].copy()), np.float64)
        if given.shape != (finite.sum(),) or not (np.isfinite(given) & (given >= 0)).all():
            raise ValueError("fitness: a finite number >= 0 is needed for each finite loss")
        fitness = np.zeros(len(losses))
        fitness[finite] = given
        return fitness

    def _finish_generation(self) -> None:
        genomes, losses = self._told[: self._size].copy(), self._told_losses[: self._size].copy()
        self._told, self._told_losses = self._told[self._size :], self._told_losses[self._size :]
        if self._elites and len(self._parents):
            elites = self._parents_losses.argsort(kind="stable")[: self._elites]
            worst = losses.argsort(kind="stable")[::-1][: self._elites]
            better = self._parents_losses[elites] < losses[worst]
            genomes[worst[better]] = self._parents[elites[better]]
            losses[worst[better]] = self._parents_losses[elites[better]]
        self._stale = 0 if losses.min() < self._least else self._stale + 1
        self._least = min(self._least, float(losses.min()))
        self._parents, self._parents_losses = genomes, losses
        self._brood = self._brood[:0]  # what is left of it has parents from before
        self._ledger.generation += 1

    def _settings(self) -> dict[str, Any]:
        return {
            "genes": self._genes.settings(),
            "population_size": self._size,
            "selection": self._selection,
            "tournament_size": self._tournament_size,
            "elites": self._elites,
        }

    def state_dict(self) -> dict[str, Any]:
        """The same as `Optimizer.state_dict`; the limits may differ in the optimiser that loads it, the
        functions (`fitness`, `draw`) must be the same and are not checked."""
        return {
            **self._state(),
            "rng": rng_to_json(self._rng),
            "parents": to_json(self._parents),
            "parents_losses": to_json(self._parents_losses),
            "brood": to_json(self._brood),
            "told": to_json(self._told),
            "told_losses": to_json(self._told_losses),
            "least": to_json(np.array([self._least])),
            "stale": self._stale,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        low, high, genes, size = self._genes.low, self._genes.high, self._genes, self._size
        reader, ledger = self._read(state, low, high)
        rng = reader.rng()
        groups = [
            reader.genomes(name, (-1, genes.length), genes.dtype, low, high)
            for name in ("parents", "brood", "told")
        ]
        for name, group in zip(("parents", "brood", "told"), groups, strict=True):
            genes.check(f"state: {name}", group)
        parents, brood, told = groups
        if len(parents) not in (0, size) or len(brood) > size or len(told) >= size:
            raise ValueError("state: parents, brood or told: not as many as the population allows")
        parents_losses = reader.floats("parents_losses", (len(parents),), infinite=True)
        told_losses = reader.floats("told_losses", (len(told),), infinite=True)
        least, stale = reader.floats("least", (1,), infinite=True), reader.integer("stale")
        self._rng, self._ledger = rng, ledger
        self._parents, self._brood, self._told = parents, brood, told
        self._parents_losses, self._told_losses = parents_losses, told_losses
        self._least, self._stale = float(least[0]), stale
