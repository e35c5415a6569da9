"""Kinds of genomes for the genetic algorithm: how they are drawn, crossed and mutated, each with its choice
of the operators. Genomes are rows: [n, genes]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from winnable.inert.arrays import ArrayLike, np
from winnable.optimize import base
from winnable.optimize import genetic_operators as operators
from winnable.optimize.base import Floats, Genomes, checked_bounds, checked_count
from winnable.optimize.genetic_operators import END, Draw, Ints, checked_share, indices


class Genes(Protocol):
    """A kind of genome. low, high: the bounds of each gene, numbers or [length]."""

    length: int
    dtype: Any
    low: Any
    high: Any

    def sample(self, rng: np.random.Generator, n: int) -> Genomes:
        """[n, length] random genomes."""
        ...

    def vary(self, rng: np.random.Generator, parents: Any) -> Genomes:
        """The children of [n, length] parents, n of them: crossed and mutated."""
        ...

    def settings(self) -> dict[str, Any]:
        """What must be the same to continue a run, as JSON values."""
        ...

    def check(self, name: str, genomes: Genomes) -> None:
        """genomes: within the bounds. Raises ValueError when they are none of this kind."""
        ...


class RealGenes:
    """Real numbers within bounds: simulated binary crossover, polynomial mutation.

    mutation_rate: per gene; None: one gene of a genome on average.
    """

    def __init__(
        self,
        low: ArrayLike,
        high: ArrayLike,
        *,
        cross_rate: float = 0.9,
        cross_index: float = 15.0,
        mutation_rate: float | None = None,
        mutation_index: float = 20.0,
    ) -> None:
        self.dtype = np.dtype(np.float64)
        self.low, self.high = checked_bounds(low, high)
        self.length = len(self.low)
        self._cross_rate = checked_share("cross_rate", cross_rate)
        self._mutation_rate = _rate_or_one_gene(mutation_rate, self.length)
        for name, index in (("cross_index", cross_index), ("mutation_index", mutation_index)):
            if not 0 <= index < np.inf:
                raise ValueError(f"{name}: {index} is not a finite number >= 0")
        self._cross_index, self._mutation_index = cross_index, mutation_index

    def sample(self, rng: np.random.Generator, n: int) -> Floats:
        return base.uniform(rng, n, self.low, self.high)

    def vary(self, rng: np.random.Generator, parents: Floats) -> Floats:
        def cross(a: Floats, b: Floats) -> tuple[Floats, Floats]:
            return operators.simulated_binary(rng, a, b, self.low, self.high, self._cross_index)

        children = _crossed_in_pairs(rng, parents, self._cross_rate, cross)
        return operators.polynomial(
            rng, children, self.low, self.high, self._mutation_index, self._mutation_rate
        )

    def settings(self) -> dict[str, Any]:
        return {
            "kind": "real",
            "low": self.low.tolist(),
            "high": self.high.tolist(),
            "cross": [self._cross_rate, self._cross_index],
            "mutation": [self._mutation_rate, self._mutation_index],
        }

    def check(self, name: str, genomes: Genomes) -> None:
        pass


def _crossed_in_pairs(
    rng: np.random.Generator,
    parents: Genomes,
    rate: float,
    cross: Callable[[Genomes, Genomes], tuple[Genomes, Genomes]],
) -> Genomes:
    """Neighbours are crossed with chance `rate`; the last of an odd number is not."""
    children = parents.copy()
    first = 2 * np.flatnonzero(rng.random(len(parents) // 2) < rate)
    children[first], children[first + 1] = cross(parents[first], parents[first + 1])
    return children


class SequenceGenes:
    """Sequences of `length` genes, as the articles have them: genes are 0 ... alphabet - 1, or what
    `draw(rng, n)` gives. With `shortest` they have that many to `length` genes, and the rest of a row is -1.

    Each genome i of the selected ones in turn, with chance `cross_rate`, is crossed with a random other, j:
    of both the genes from a random place on (0 ... the shorter's last) are exchanged, and both mutate: each
    gene, with chance `mutation_rate`, is drawn anew; or, as the drops article has it ("one_gene"), the genome
    with that chance gets one new gene. In place: a genome may be crossed more than once, and one that is not
    crossed does not mutate. Of variable length, all genomes then lose or gain a gene with chance
    `resize_rate`.
    """

    def __init__(
        self,
        genes: int | Draw,
        length: int,
        *,
        shortest: int | None = None,
        cross_rate: float = 0.6,
        mutation_rate: float = 0.15,
        mutation: Literal["each_gene", "one_gene"] = "each_gene",
        resize_rate: float = 0.15,
    ) -> None:
        self.dtype = np.dtype(np.int64)
        self._alphabet = None if callable(genes) else checked_count("genes", genes, 1)
        self._draw = genes if callable(genes) else None
        self.length = checked_count("length", length, 1)
        self.shortest = self.length if shortest is None else checked_count("shortest", shortest, 1)
        if self.shortest > self.length:
            raise ValueError(f"shortest: {shortest} is more than the length {length}")
        self.low = 0 if self.shortest == self.length else END
        self.high = 2**62 if self._alphabet is None else self._alphabet - 1
        self._cross_rate = checked_share("cross_rate", cross_rate)
        self._mutation_rate = checked_share("mutation_rate", mutation_rate)
        self._resize_rate = checked_share("resize_rate", resize_rate)
        if mutation not in ("each_gene", "one_gene"):
            raise ValueError(f"mutation: {mutation!r} is neither 'each_gene' nor 'one_gene'")
        self._mutation = mutation

    def draw(self, rng: np.random.Generator, n: int) -> Ints:
        """int [n]: new genes."""
        if self._draw is None:
            return rng.integers(self.high + 1, size=n)
        drawn = np.asarray(self._draw(rng, n))
        if drawn.shape != (n,) or drawn.dtype.kind not in "iu":
            raise ValueError(f"genes: draw(rng, {n}) gave {drawn.dtype} {drawn.shape}, not int ({n},)")
        if n and (drawn.min() < 0 or drawn.max() > self.high):
            raise ValueError("genes: draw gave a gene that is negative or above 2 ** 62")
        return drawn.astype(np.int64)

    def sample(self, rng: np.random.Generator, n: int) -> Ints:
        genomes = self.draw(rng, n * self.length).reshape(n, self.length)
        lengths = rng.integers(self.shortest, self.length, size=(n, 1), endpoint=True)
        return np.where(indices(self.length) < lengths, genomes, END)

    def vary(self, rng: np.random.Generator, parents: Ints) -> Ints:
        children, n = parents.copy(), len(parents)
        lengths: list[int] = np.count_nonzero(parents != END, axis=1).tolist()
        for i in np.flatnonzero(rng.random(n) < self._cross_rate).tolist():
            j = int(rng.integers(n - 1))
            j += j >= i
            cut = int(rng.integers(min(lengths[i], lengths[j])))
            children[i], children[j] = self._mutated(rng, operators.one_point(children[i], children[j], cut))
            lengths[i], lengths[j] = lengths[j], lengths[i]
        if self.shortest < self.length:
            return operators.resize(rng, children, self._resize_rate, self.shortest, self.draw(rng, n))
        return children

    def _mutated(self, rng: np.random.Generator, genomes: Ints) -> Ints:
        fresh = self.draw(rng, genomes.size).reshape(genomes.shape)
        if self._mutation == "each_gene":
            return operators.redraw(rng, genomes, self._mutation_rate, fresh)
        return operators.redraw_one(rng, genomes, self._mutation_rate, fresh)

    def settings(self) -> dict[str, Any]:
        return {
            "kind": "sequence",
            "alphabet": self._alphabet,
            "length": [self.shortest, self.length],
            "cross": self._cross_rate,
            "mutation": [self._mutation, self._mutation_rate, self._resize_rate],
        }

    def check(self, name: str, genomes: Genomes) -> None:
        lengths = (genomes != END).sum(axis=1)
        whole = (genomes != END) == (indices(self.length) < lengths[:, None])
        if not whole.all() or (lengths < self.shortest).any():
            raise ValueError(f"{name}: some sequence is too short or has a gap")


def _rate_or_one_gene(rate: float | None, length: int) -> float:
    return 1 / length if rate is None else checked_share("mutation_rate", rate)
