"""Differential evolution: it minimises, keeps its bounds and its seed, and refuses nonsense by name."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from winnable.optimize import DifferentialEvolution


def sphere(genomes: NDArray[np.float64]) -> NDArray[np.float64]:
    return (genomes**2).sum(axis=1)


def test_the_seeds_sphere() -> None:
    """30 genes in ±100, 60 genomes, 1,000 generations."""
    optimizer = DifferentialEvolution([-100] * 30, [100] * 30, 60, seed=1, max_generations=1000)
    while not optimizer.should_stop():
        genomes = optimizer.ask()
        optimizer.tell(genomes, sphere(genomes))
    genome, loss = optimizer.best
    assert loss < 1e-6
    assert loss == pytest.approx(float((genome**2).sum()))
    assert (optimizer.generation, optimizer.evaluations) == (1000, 60_000)


@given(st.integers(1, 5), st.integers(4, 12), st.integers(0, 2**32), st.floats(0, 1))
def test_genomes_keep_their_bounds_and_losses_fall(
    genes: int, size: int, seed: int, cross_rate: float
) -> None:
    low, high = np.arange(genes) - 1.0, np.arange(genes) + 0.5
    optimizer = DifferentialEvolution(low, high, size, cross_rate=cross_rate, scale=2, seed=seed)
    best = np.inf
    for generation in range(8):
        genomes = optimizer.ask()
        assert genomes.shape == (size, genes)
        assert ((low <= genomes) & (genomes <= high)).all()
        optimizer.tell(genomes, sphere(genomes))
        assert optimizer.best[1] == min(best, sphere(genomes).min())
        best = optimizer.best[1]
        assert optimizer.generation == generation + 1
    assert not optimizer.should_stop()


def test_each_trial_has_its_own_donors_and_one_gene_of_the_mutant() -> None:
    """With cross_rate 0 exactly one gene comes from the mutant; with genome i at 1000 ** i, the value of that
    gene tells the donors, which must not include the target."""
    size, genes = 6, 4
    optimizer = DifferentialEvolution([-1e20] * genes, [1e20] * genes, size, cross_rate=0, scale=0.25, seed=3)
    optimizer.tell(optimizer.ask(), np.zeros(size))
    start = np.repeat(1000.0 ** np.arange(size), genes).reshape(size, genes)
    state = optimizer.state_dict()
    state["population"]["genomes"] = start.tolist()
    optimizer.load_state_dict(state)
    mutants = {
        start[a, 0] + 0.25 * (start[b, 0] - start[c, 0]): (a, b, c)
        for a in range(size)
        for b in range(size)
        for c in range(size)
        if len({a, b, c}) == 3
    }
    seen: set[int] = set()
    for _ in range(200):
        trials = optimizer.ask()
        for target in range(size):
            changed = np.flatnonzero(trials[target] != start[target])
            assert len(changed) == 1
            donors = mutants[trials[target, changed[0]]]
            assert target not in donors
            seen.add(int(changed[0]))
    assert seen == set(range(genes))


def test_a_known_run() -> None:
    """By generation, the same seed gives what it gave before the optimiser could be used steady-state."""
    optimizer = DifferentialEvolution([-5, -5, -5], [5, 5, 5], 8, seed=11, max_generations=40)
    while not optimizer.should_stop():
        genomes = optimizer.ask()
        optimizer.tell(genomes, sphere(genomes))
    assert optimizer.best[1] == pytest.approx(KNOWN_LOSS, rel=1e-9)


def test_the_same_seed_gives_the_same_run_and_instances_share_nothing() -> None:
    def run(seed: int) -> NDArray[np.float64]:
        optimizer = DifferentialEvolution([-1, -1], [1, 1], 8, seed=seed, max_evaluations=100)
        while not optimizer.should_stop():
            genomes = optimizer.ask()
            optimizer.tell(genomes, sphere(genomes))
            genomes[:] = 7  # the caller's own
        return optimizer.best[0]

    assert (run(1) == run(1)).all()
    assert (run(1) != run(2)).any()


def test_infinite_losses_are_never_the_best() -> None:
    optimizer = DifferentialEvolution([0], [1], 4, seed=0)
    genomes = optimizer.ask()
    optimizer.tell(genomes, [np.inf, 2, 1, np.inf])
    assert optimizer.best == (genomes[2], 1)


KNOWN_LOSS = 1.2188339696085128e-05
"""Printed by the version without `ask(n)`."""

GOOD: dict[str, Any] = {"low": [0, 0], "high": [1, 1], "population_size": 5, "seed": 0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"low": []}, "low: "),
        ({"low": 0}, "low: "),
        ({"high": [1]}, "high: shape"),
        ({"low": [0, np.nan]}, "low: all bounds"),
        ({"high": [1, np.inf]}, "high: all bounds"),
        ({"low": [0, 2]}, r"high: gene 1 has bounds 2\.0 > 1\.0"),
        ({"population_size": 0}, "population_size: "),
        ({"population_size": 3}, "population_size: "),
        ({"cross_rate": 1.5}, "cross_rate: "),
        ({"cross_rate": np.nan}, "cross_rate: "),
        ({"scale": 0}, "scale: "),
        ({"seed": -1}, "seed: "),
        ({"max_generations": 0}, "max_generations: "),
        ({"max_evaluations": 0}, "max_evaluations: "),
    ],
    ids=str,
)
def test_bad_arguments_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DifferentialEvolution(**{**GOOD, **change})


def test_bad_answers_are_named() -> None:
    optimizer = DifferentialEvolution(**GOOD)
    genomes = optimizer.ask()
    with pytest.raises(ValueError, match="best: "):
        _ = optimizer.best
    with pytest.raises(ValueError, match="genomes: shape"):
        optimizer.tell(genomes[:, :1], np.zeros(5))
    with pytest.raises(ValueError, match="losses: shape"):
        optimizer.tell(genomes, np.zeros(4))
    with pytest.raises(ValueError, match="losses: loss 1 is not a number"):
        optimizer.tell(genomes, [0, np.nan, 0, 0, 0])
    with pytest.raises(ValueError, match="genomes: genome 0 was not asked for"):
        optimizer.tell(genomes + 2, np.zeros(5))
    with pytest.raises(ValueError, match="n: 0 is less than 1"):
        optimizer.ask(0)
    assert (optimizer.generation, optimizer.evaluations) == (0, 0)
    optimizer.tell(genomes, np.zeros(5))
