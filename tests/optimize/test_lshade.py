"""L-SHADE, jSO and ours: what they reach, how their populations shrink, and what their memories learn."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from winnable.optimize import JSO, LSHADE, AdaptiveDE
from winnable.optimize.archive import Archive
from winnable.optimize.restarts import Schedule
from winnable.optimize.success_history import (
    ADAPTIVE_RULE,
    JSO_RULE,
    LSHADE_RULE,
    Memory,
    jso_population,
    lshade_population,
)

Values = NDArray[np.float64]


def sphere(genomes: Values) -> Values:
    return (genomes**2).sum(axis=1)


def rosenbrock(genomes: Values) -> Values:
    head, tail = genomes[:, :-1], genomes[:, 1:]
    return (100 * (tail - head**2) ** 2 + (1 - head) ** 2).sum(axis=1)


def rastrigin(genomes: Values) -> Values:
    return (genomes**2 - 10 * np.cos(2 * np.pi * genomes) + 10).sum(axis=1)


def minimum(optimizer: LSHADE, function: Any) -> float:
    while not optimizer.should_stop():
        genomes = optimizer.ask()
        optimizer.tell(genomes, function(genomes))
    return optimizer.best[1]


@pytest.mark.parametrize("kind", [LSHADE, JSO, AdaptiveDE])
@pytest.mark.parametrize("restarts", [False, True])
def test_the_seeds_sphere_within_50_000(kind: type[LSHADE], restarts: bool) -> None:
    low, high = [-100] * 30, [100] * 30
    optimizer = kind(low, high, seed=1, max_evaluations=50_000 - 540, restarts=restarts)
    assert minimum(optimizer, sphere) <= 1e-8
    assert optimizer.evaluations <= 50_000


@pytest.mark.parametrize("kind", [LSHADE, JSO, AdaptiveDE])
@pytest.mark.parametrize("function", [rosenbrock, rastrigin])
def test_functions_where_the_seeds_rule_fails_or_is_slow(kind: type[LSHADE], function: Any) -> None:
    optimizer = kind([-5] * 5, [5] * 5, seed=2, max_evaluations=30_000)
    assert minimum(optimizer, function) <= 1e-8


def test_restarts_use_what_a_converged_search_leaves() -> None:
    """A wide basin and a narrow, deeper one: one search finds the wide one and keeps it."""

    def trap(genomes: Values) -> Values:
        narrow = 40 * ((genomes - 3) ** 2).sum(axis=1)
        return np.minimum(sphere(genomes + 1) + 1, narrow)

    reached = {
        restarts: sum(
            minimum(
                JSO([-5] * 2, [5] * 2, seed=seed, max_evaluations=6000, restarts=restarts),
                trap,
            )
            < 0.5
            for seed in range(4)
        )
        for restarts in (False, True)
    }
    assert reached[True] > reached[False] == 0


def test_the_population_shrinks_linearly() -> None:
    """[L] equation 10, by hand: from 20 at 0 to 4 at 400 evaluations, 16 genomes less: one per 25."""
    optimizer = LSHADE([-1] * 2, [1] * 2, 20, seed=0, max_evaluations=400, restarts=False)
    sizes: list[int] = []
    while not optimizer.should_stop():
        genomes = optimizer.ask()
        optimizer.tell(genomes, sphere(genomes))
        sizes.append(optimizer.population_size)
    assert sizes[:4] == [19, 18, 18, 17]  # after 20, 39, 57 and 75: 20 - 0.8, - 1.56, - 2.28, - 3
    assert sizes[-1] == 4
    assert optimizer.generation == len(sizes)


def test_the_schedule_of_searches() -> None:
    assert [Schedule(90, 5, budget, True).end for budget in (100, 9_999, 10_000, 50_000)] == [
        100,
        9_999,
        5_000,
        5_000,
    ]
    schedule = Schedule(90, 5, 2_000_000, True)
    ends = [schedule.end]
    while schedule.end < 2_000_000:
        schedule.restart(schedule.end)
        ends.append(schedule.end)
    assert ends == [5_000, 50_000, 500_000, 2_000_000]
    assert Schedule(90, 5, 50_000, False).end == 50_000
    assert not Schedule(90, 5, 50_000, False).is_over(10, np.zeros(5))
    assert Schedule(90, 5, 50_000, True).is_over(10, np.zeros(5))
    assert not Schedule(90, 5, 50_000, True).is_over(10, np.array([1.0, np.inf]))


def test_first_populations() -> None:
    assert (lshade_population(5), lshade_population(30)) == (90, 540)
    assert (jso_population(1), jso_population(5), jso_population(30)) == (8, 90, 466)


def test_what_a_memory_learns() -> None:
    """[L] equations 4 to 6 by hand: gains of 1 and 3 weigh 1/4 and 3/4."""
    f, cr, gains = np.array([1.0, 0.5]), np.array([0.0, 0.8]), np.array([1.0, 3.0])
    mean_f = (0.25 * 1 + 0.75 * 0.25) / (0.25 * 1 + 0.75 * 0.5)
    mean_cr = (0.75 * 0.64) / (0.75 * 0.8)
    memory = Memory(LSHADE_RULE)
    memory.learn(f, cr, gains)
    assert memory.f.tolist() == pytest.approx([mean_f, 0.5, 0.5, 0.5, 0.5, 0.5])
    assert memory.cr.tolist() == pytest.approx([mean_cr, 0.5, 0.5, 0.5, 0.5, 0.5])
    assert memory.next == 1
    mixed = Memory(JSO_RULE)
    for _ in range(5):
        mixed.learn(f, cr, gains)
    once, twice = (0.3 + mean_f) / 2, ((0.3 + mean_f) / 2 + mean_f) / 2
    assert mixed.f.tolist() == pytest.approx([twice, once, once, once, 0.9])
    assert (mixed.cr[-1], mixed.next) == (0.9, 1)


def test_the_terminal_value_stays() -> None:
    memory = Memory(LSHADE_RULE)
    memory.learn(np.array([0.5]), np.array([0.0]), np.array([1.0]))
    assert memory.cr[0] == -1
    memory.next = 0
    memory.learn(np.array([0.5]), np.array([0.7]), np.array([1.0]))
    assert memory.cr[0] == -1
    _, cr = memory.draw(np.zeros((2, 50)), np.linspace(-2, 2, 50), 0.5)
    assert (cr == 0).all()


def test_gains_from_infinity_count_like_the_greatest() -> None:
    one, other = Memory(LSHADE_RULE), Memory(LSHADE_RULE)
    f, cr = np.array([1.0, 0.5]), np.array([0.2, 0.8])
    one.learn(f, cr, np.array([np.inf, 2.0]))
    other.learn(f, cr, np.array([np.inf, np.inf]))
    assert one.f[0] == other.f[0] == pytest.approx(1.25 / 1.5)


def test_drawn_parameters() -> None:
    rng = np.random.default_rng(0)
    uniforms, normals = rng.random((2, 20_000)), rng.standard_normal(20_000)
    memory = Memory(LSHADE_RULE)
    f, cr = memory.draw(uniforms, normals, 0.1)
    assert ((f > 0) & (f <= 1)).all()
    assert np.median(f) == pytest.approx(0.5 + 0.1 * np.tan(np.pi * 0.0314), abs=0.01)
    assert (cr.mean(), cr.std()) == pytest.approx((0.5, 0.1), abs=0.01)
    f, cr = Memory(JSO_RULE).draw(uniforms, normals, 0.1)
    assert (f.max(), cr.min()) == (0.7, 0.7)  # [J] equations 3 and 4
    f, cr = Memory(JSO_RULE).draw(uniforms, normals, 0.7)
    assert f.max() == 1
    assert cr.min() < 0.6
    pulls = [float(Memory(JSO_RULE).pull(np.ones(1), progress)[0]) for progress in (0.1, 0.3, 0.5)]
    assert pulls == [0.7, 0.8, 1.2]  # [J] equation 6
    assert Memory(ADAPTIVE_RULE).pull(np.ones(1), 0.1)[0] == 1


def test_the_archive_keeps_its_size() -> None:
    rng, archive = np.random.default_rng(0), Archive(1)
    archive.add(np.arange(4.0)[:, None], 3, rng)
    assert len(archive.genomes) == 3
    assert 3.0 in archive.genomes
    archive.add(np.array([[9.0]]), 3, rng)
    assert len(archive.genomes) == 3
    assert 9.0 in archive.genomes
    archive.shrink(1, rng)
    assert len(archive.genomes) == 1
    archive.add(np.zeros((2, 1)), 0, rng)
    assert len(archive.genomes) == 1


@pytest.mark.parametrize("kind", [LSHADE, JSO])
def test_scales_do_not_matter(kind: type[LSHADE]) -> None:
    """Powers of two are exact: with losses times 4 in a space twice as wide, the course is the same."""
    one, other = (
        kind([-4 * wide] * 3, [6 * wide] * 3, 16, seed=9, max_evaluations=1000, restarts=False)
        for wide in (1, 2)
    )
    while not one.should_stop():
        genomes, wider = one.ask(), other.ask()
        assert (2 * genomes == wider).all()
        one.tell(genomes, rosenbrock(genomes))
        other.tell(wider, 4 * rosenbrock(wider / 2))


def test_out_of_bounds_genes_go_halfway() -> None:
    """With the best at the corners, no gene leaves, and none lies on a bound: that would take 53 halvings."""
    optimizer = JSO([0, 0], [1, 1], 8, seed=4, max_evaluations=200, restarts=False)
    while not optimizer.should_stop():
        genomes = optimizer.ask()
        assert ((genomes > 0) & (genomes < 1)).all()
        optimizer.tell(genomes, -np.abs(genomes - 0.5).sum(axis=1))


GOOD: dict[str, Any] = {"low": [0, 0], "high": [1, 1], "seed": 0, "max_evaluations": 100}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"low": []}, "low: "),
        ({"high": [np.nan, 1]}, "high: all bounds"),
        ({"population_size": 3}, "population_size: 3 is less than 4"),
        ({"population_size": 5.5}, r"population_size: 5\.5 is no whole number"),
        ({"seed": -1}, "seed: -1 is less than 0"),
        ({"max_evaluations": 0}, "max_evaluations: 0 is less than 1"),
        ({"max_generations": 0}, "max_generations: 0 is less than 1"),
    ],
    ids=str,
)
def test_bad_arguments_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        JSO(**{**GOOD, **change})


def test_a_told_genome_must_have_been_asked_for() -> None:
    optimizer = LSHADE(**GOOD)
    genomes = optimizer.ask(5)
    with pytest.raises(ValueError, match="best: "):
        _ = optimizer.best
    with pytest.raises(ValueError, match="genomes: genome 0 was not asked for"):
        optimizer.tell(genomes / 2, np.zeros(5))
    with pytest.raises(ValueError, match="n: -1 is less than 1"):
        optimizer.ask(-1)
    optimizer.tell(genomes[3:], [1, 2])
    assert (optimizer.best[1], optimizer.evaluations, optimizer.generation) == (1, 2, 0)
