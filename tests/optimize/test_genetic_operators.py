"""The genetic operators keep what they must keep, and the wheel gives each its share."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.optimize import genetic_operators as operators
from winnable.optimize.genetic_operators import END
from winnable.optimize.genomes import IntegerGenes, PermutationGenes, RealGenes, SequenceGenes

Rng = np.random.Generator
SEEDS = st.integers(0, 2**32)
RATES = st.floats(0, 1)


def permutations(rng: Rng, n: int, genes: int) -> Any:
    return rng.permuted(np.tile(np.arange(genes), (n, 1)), axis=1)


@given(SEEDS, st.integers(1, 9), st.integers(1, 9), RATES)
def test_permutations_stay_permutations(seed: int, n: int, genes: int, rate: float) -> None:
    rng = np.random.default_rng(seed)
    a, b = permutations(rng, n, genes), permutations(rng, n, genes)
    before = a.copy(), b.copy()
    children = [*operators.order(rng, a, b)]
    children += [operators.swap(rng, a, rate), operators.inversion(rng, a, rate)]
    for child in children:
        assert (np.sort(child, axis=1) == np.arange(genes)).all()
    assert (a == before[0]).all()
    assert (b == before[1]).all()


@given(SEEDS, st.integers(1, 9))
def test_order_crossover_keeps_a_stretch_and_the_others_order(seed: int, genes: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = permutations(rng, 1, genes), permutations(rng, 1, genes)
    child = operators.order(rng, a, b)[0][0].tolist()
    filler = b[0].tolist()

    def explains(start: int, end: int) -> bool:
        stretch = a[0, start:end].tolist()
        turned = child[end:] + child[:end]
        others = [gene for gene in filler[end:] + filler[:end] if gene not in stretch]
        return child[start:end] == stretch and turned[: len(others)] == others

    assert any(explains(start, end) for start in range(genes + 1) for end in range(start, genes + 1))


@given(SEEDS, st.integers(2, 9))
def test_swap_and_inversion_change_what_they_say(seed: int, genes: int) -> None:
    rng = np.random.default_rng(seed)
    a = permutations(rng, 5, genes)
    for row, swapped, inverted in zip(
        a, operators.swap(rng, a, 1), operators.inversion(rng, a, 1), strict=True
    ):
        assert (row != swapped).sum() == 2
        changed = np.flatnonzero(row != inverted)
        first, last = changed[0], changed[-1] + 1
        assert (inverted[first:last] == row[first:last][::-1]).all()
    assert (operators.swap(rng, a, 0) == a).all()
    assert (operators.inversion(rng, a, 0) == a).all()


@given(SEEDS, st.integers(1, 6), st.integers(1, 9))
def test_one_point_exchanges_the_ends(seed: int, n: int, genes: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(5, size=(n, genes)), rng.integers(5, size=(n, genes))
    cuts = rng.integers(genes, size=n)
    for row, (x, y) in enumerate(zip(*operators.one_point(a, b, cuts), strict=True)):
        cut = cuts[row]
        assert x.tolist() == [*a[row, :cut], *b[row, cut:]]
        assert y.tolist() == [*b[row, :cut], *a[row, cut:]]


@given(SEEDS, st.integers(1, 6), st.integers(1, 6), RATES, st.floats(0, 50))
def test_real_and_integer_operators_keep_ranges(
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
    whole, lows, highs = np.floor(a).astype(np.int64), low.astype(np.int64), high.astype(np.int64)
    stepped = operators.step(rng, whole, lows, highs, rate)
    assert ((lows <= stepped) & (stepped <= highs)).all()
    x, y = operators.uniform(rng, a, b)
    assert (((x == a) & (y == b)) | ((x == b) & (y == a))).all()


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
        (lambda: IntegerGenes([0.5], [1]), "low: whole"),
        (lambda: IntegerGenes([0], [1e300]), "high: whole"),
        (lambda: IntegerGenes([2], [1]), "high: gene 0"),
        (lambda: PermutationGenes(0), "length: "),
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
