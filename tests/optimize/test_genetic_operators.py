"""The genetic operators keep what they must keep, and the wheel gives each its share."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.optimize import genetic_operators as operators
from winnable.optimize.genetic_operators import END
from winnable.optimize.genomes import RealGenes, SequenceGenes

Rng = np.random.Generator
SEEDS = st.integers(0, 2**32)
RATES = st.floats(0, 1)


@given(SEEDS, st.integers(1, 9), st.data())
def test_one_point_exchanges_the_ends(seed: int, genes: int, data: st.DataObject) -> None:
    a, b = np.random.default_rng(seed).integers(5, size=(2, genes))
    cut = data.draw(st.integers(0, genes - 1))
    x, y = operators.one_point(a, b, cut)
    assert x.tolist() == [*a[:cut], *b[cut:]]
    assert y.tolist() == [*b[:cut], *a[cut:]]


@given(SEEDS, st.integers(1, 6), st.integers(1, 6), RATES, st.floats(0, 50))
def test_operators_on_real_numbers_keep_ranges(
    seed: int, n: int, genes: int, rate: float, index: float
) -> None:
    rng = np.random.default_rng(seed)
    low: Any = np.arange(genes) - 3.0
    high: Any = low + rng.integers(0, 4, genes)
    a, b = low + rng.random((n, genes)) * (high - low), low + rng.random((n, genes)) * (high - low)
    for child in (
        *operators.simulated_binary(rng, a, b, low, high, index),
        operators.polynomial(rng, a, low, high, index, rate),
    ):
        assert ((low <= child) & (child <= high)).all()
    assert (operators.polynomial(rng, a, low, high, index, 0) == a).all()


def test_simulated_binary_keeps_the_middle() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random((500, 3)), rng.random((500, 3))
    x, y = operators.simulated_binary(rng, a, b, np.full(3, -1e9), np.full(3, 1e9), 2)
    assert x + y == pytest.approx(a + b)
    assert 0.3 < ((x == a) & (y == b)).mean() < 0.7


@given(SEEDS, st.integers(1, 8), st.data())
def test_sequences_stay_whole(seed: int, length: int, data: st.DataObject) -> None:
    shortest = data.draw(st.integers(1, length))
    mutation: Any = data.draw(st.sampled_from(["each_gene", "one_gene"]))
    genes = SequenceGenes(
        7, length, shortest=shortest, cross_rate=1, mutation_rate=0.5, mutation=mutation, resize_rate=0.5
    )
    rng = np.random.default_rng(seed)
    genomes = genes.sample(rng, 6)
    for _ in range(4):
        genes.check("genomes", genomes)
        assert ((genomes >= genes.low) & (genomes <= genes.high)).all()
        genomes = genes.vary(rng, genomes)


def test_a_sequence_without_mutation_only_exchanges_genes_of_its_place() -> None:
    genes, rng = SequenceGenes(99, 6, cross_rate=1, mutation_rate=0), np.random.default_rng(0)
    parents = genes.sample(rng, 20)
    children = genes.vary(rng, parents)
    assert (np.sort(children, axis=0) == np.sort(parents, axis=0)).all()
    assert (children != parents).any()
    assert (SequenceGenes(99, 6, cross_rate=0, mutation_rate=1).vary(rng, parents) == parents).all()


def test_mutation_redraws_at_its_rate() -> None:
    rng = np.random.default_rng(0)
    genomes = np.zeros((4000, 5), np.int64)
    genomes[:, 4] = END
    fresh = np.ones_like(genomes)
    each = operators.redraw(rng, genomes, 0.15, fresh)
    assert abs(each[:, :4].mean() - 0.15) < 0.01
    one = operators.redraw_one(rng, genomes, 0.15, fresh)
    assert one[:, :4].sum(axis=1).max() == 1
    assert abs(one[:, :4].sum(axis=1).mean() - 0.15) < 0.02
    assert (each[:, 4] == END).all()
    assert (one[:, 4] == END).all()


def chi_square(counts: Any, shares: Any) -> float:
    expected = shares / shares.sum() * counts.sum()
    seen = expected > 0
    assert (counts[~seen] == 0).all()
    return float(((counts[seen] - expected[seen]) ** 2 / expected[seen]).sum())


@pytest.mark.parametrize(
    "fitness", [[1.0, 2, 3, 4, 0], [0.0] * 5, [1e308] * 5, [1e-320, 0, 0, 3e-320, 0]], ids=str
)
def test_the_wheel_gives_each_its_share(fitness: list[float]) -> None:
    """Chi-square of at most 4 degrees of freedom: below 18.5 with chance 0.999; the seed is fixed."""
    shares = np.array(fitness)
    counts = np.bincount(operators.roulette(np.random.default_rng(1), shares, 20_000), minlength=5)
    assert chi_square(counts, shares / shares.max() if shares.any() else np.ones(5)) < 18.5


def test_the_tournament_prefers_the_least() -> None:
    """Of 5 drawn 2 at a time, rank r wins with chance (2 (5 - r) - 1) / 25, r = 0 ... 4."""
    losses = np.array([3.0, 1, np.inf, 2, 0])
    counts = np.bincount(operators.tournament(np.random.default_rng(1), losses, 20_000, 2), minlength=5)
    assert chi_square(counts[[4, 1, 3, 0, 2]], np.array([9.0, 7, 5, 3, 1])) < 18.5


@pytest.mark.parametrize(
    ("losses", "fitness"),
    [
        ([3.0, 1, 2], [0, 1, 0.5]),
        ([3.0, 1, np.inf], [0, 1, 0]),
        ([2.0, 2, np.inf], [1, 1, 0]),
        ([np.inf, np.inf], [0, 0]),
        ([1.0, -np.inf], [0, 1]),
        ([1.7e308, -1.7e308, 0], [0, 1, 0.5]),
        ([5e-324, 0], [1, 1]),
    ],
    ids=str,
)
def test_fitness_of_losses(losses: list[float], fitness: list[float]) -> None:
    assert operators.fitness_of_losses(np.array(losses)).tolist() == fitness


def floats(rng: Rng, n: int) -> Any:
    return rng.random(n)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RealGenes([0], [np.inf]), "high: "),
        (lambda: RealGenes([0], [1], cross_rate=2), "cross_rate: "),
        (lambda: RealGenes([0], [1], mutation_rate=-1), "mutation_rate: "),
        (lambda: RealGenes([0], [1], cross_index=-1), "cross_index: "),
        (lambda: RealGenes([0], [1], mutation_index=np.nan), "mutation_index: "),
        (lambda: RealGenes([2], [1]), "high: gene 0"),
        (lambda: SequenceGenes(0, 6), "genes: "),
        (lambda: SequenceGenes(4, 0), "length: "),
        (lambda: SequenceGenes(4, 6, shortest=7), "shortest: "),
        (lambda: SequenceGenes(4, 6, mutation_rate=np.nan), "mutation_rate: "),
        (lambda: SequenceGenes(floats, 6).sample(np.random.default_rng(0), 2), "genes: draw"),
        (lambda: SequenceGenes(lambda _, n: np.full(n, -1), 6).draw(np.random.default_rng(0), 2), "negative"),
    ],
)
def test_bad_arguments_are_named(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
