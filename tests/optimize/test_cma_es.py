"""The adapter to cmaes: it solves, resumes bit by bit, restarts, and settles under noise."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.optimize.test_genetic import (
    STEPS,
    check_bad_answers,
    check_damaged_states,
    check_resume_at_any_time,
    check_resume_from_every_generation,
    run,
    saved,
    sphere,
    true_losses_under_noise,
)
from winnable.optimize import cma_es
from winnable.optimize.cma_es import CMAES

pytest.importorskip("cmaes")


def small() -> CMAES:
    return CMAES([-5, 2, -5], [5, 2, 4], 6, seed=1)


def adapting() -> CMAES:
    return CMAES([-5, -5], [5, 5], lr_adapt=True, mean=[1, 2], sigma=0.1, seed=3)


def flat(genomes: Any) -> Any:
    """Equal losses: the strategy converges, and restarts, every few generations."""
    return np.zeros(len(genomes))


def restarting() -> CMAES:
    return CMAES([-5, -5], [5, 5], 4, restarts=3, seed=3)


def test_sphere() -> None:
    optimizer = CMAES([-100] * 5, [80] * 5, seed=1, max_evaluations=3000)
    run(optimizer, sphere)
    assert optimizer.best[1] < 1e-8
    assert sphere(optimizer.recommendation[None])[0] < 1e-8
    assert optimizer.generation * optimizer.population_size == optimizer.evaluations


@pytest.mark.parametrize("seed", [4, 9, 17])
def test_restarts_solve_what_one_run_does_not(seed: int) -> None:
    """With room to spare: how soon one gets there hangs on the last bits of a machine's linear algebra."""

    def rastrigin(genomes: Any) -> Any:
        return (genomes**2 - 10 * np.cos(2 * np.pi * genomes) + 10).sum(axis=1)

    once = CMAES([-5] * 3, [4] * 3, seed=seed, max_evaluations=20_000)
    run(once, rastrigin)
    again = CMAES([-5] * 3, [4] * 3, seed=seed, restarts=6, max_evaluations=20_000)
    run(again, rastrigin)
    assert once.best[1] > 0.5
    assert again.restarts > 0
    assert again.best[1] < 1e-8
    assert rastrigin(again.recommendation[None])[0] < 1e-6


def test_under_noise_the_adapting_mean_beats_the_luckiest() -> None:
    """With learning-rate adaptation. Without it the two are about equal here, so that nothing is claimed."""

    def make(seed: int) -> CMAES:
        return CMAES([-5] * 5, [4] * 5, 16, lr_adapt=True, seed=seed, max_evaluations=2000)

    mean, luckiest = true_losses_under_noise(make, range(100, 102))
    assert mean < 0.5 * luckiest


@pytest.mark.parametrize("make", [small, adapting])
def test_resumes_from_every_generation(make: Any) -> None:
    check_resume_from_every_generation(make, sphere, 15)


def test_resumes_across_restarts() -> None:
    probe = restarting()
    for _ in range(60):
        probe.tell(probe.ask(), flat(probe.ask(probe.population_size)))
    assert probe.restarts > 0
    check_resume_from_every_generation(restarting, flat, 30)


@given(st.sampled_from([small, adapting]), STEPS, st.integers(0, 25))
@settings(max_examples=25)
def test_resumes_at_any_time(make: Any, steps: list[tuple[bool, int]], cut: int) -> None:
    check_resume_at_any_time(make, sphere, steps, cut)


def test_steady_state_with_eight_in_flight() -> None:
    optimizer, dice = CMAES([-5] * 4, [4] * 4, seed=2), np.random.default_rng(0)
    flight = list(optimizer.ask(8))
    while optimizer.evaluations < 3000 and not optimizer.should_stop():
        genome = flight.pop(int(dice.integers(8)))[None]
        optimizer.tell(genome, sphere(genome))
        flight.extend(optimizer.ask(1))
    assert optimizer.best[1] < 1e-6


def test_infinite_losses_and_fixed_genes() -> None:
    optimizer = small()
    for _ in range(30):
        genomes = optimizer.ask()
        assert (genomes[:, 1] == 2).all()
        assert ((genomes >= [-5, 2, -5]) & (genomes <= [5, 2, 4])).all()
        optimizer.tell(genomes, np.full(6, np.inf))
    assert optimizer.recommendation[1] == 2
    assert np.isfinite(optimizer.recommendation).all()


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(cma_es, "import_module", missing)
    with pytest.raises(ImportError, match=r"winnable\[cma\]"):
        small()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"low": []}, "low: "),
        ({"high": [0, 0]}, "high: no gene is free"),
        ({"high": [1, np.inf]}, "high: "),
        ({"population_size": 3}, "population_size: "),
        ({"mean": [0, 7]}, "mean: some gene"),
        ({"sigma": 0}, "sigma: "),
        ({"restarts": -1}, "restarts: "),
        ({"seed": -1}, "seed: "),
        ({"max_generations": 0}, "max_generations: "),
    ],
    ids=str,
)
def test_bad_arguments_are_named(change: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"low": [0, 0], "high": [1, 1], "seed": 0}
    with pytest.raises(ValueError, match=message):
        CMAES(**{**good, **change})


def test_bad_answers_are_named() -> None:
    check_bad_answers(small())


def test_damaged_states_are_refused() -> None:
    optimizer = small()
    genomes = optimizer.ask(10)
    optimizer.tell(genomes[:9], sphere(genomes[:9]))
    whole = saved(optimizer)
    check_damaged_states(small, whole)
    for name, value in (("_mean", [1.0]), ("_sigma", -1.0), ("_popsize", 7), ("_g", -1), ("_B", [1])):
        state = {**whole, "strategy": {**whole["strategy"], name: value}}
        with pytest.raises(ValueError, match=f"strategy: {name}"):
            small().load_state_dict(state)
    with pytest.raises(ValueError, match="settings: seed"):
        CMAES([-5, 2, -5], [5, 2, 4], 6, seed=2).load_state_dict(whole)
