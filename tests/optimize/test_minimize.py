"""`winnable.minimize`, and our optimisers as a sampler of Optuna."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

import winnable
from winnable.optimize.base import Floats
from winnable.optimize.minimize import METHODS
from winnable.optimize.optuna_sampler import Sampler, value_at

BOX = [(-4.0, 6.0)] * 3


@pytest.fixture(autouse=True)
def quiet() -> None:
    optuna.logging.set_verbosity(optuna.logging.ERROR)


def sphere(genome: Floats) -> float:
    return float((genome**2).sum())


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_the_middle_of_a_bowl(method: str) -> None:
    found = winnable.minimize(sphere, BOX, method=method, max_evaluations=2000, seed=3)
    assert found.fun == sphere(found.x) < 0.1
    assert sphere(found.center) < 0.1
    assert found.success
    assert found.nit > 1
    again = winnable.minimize(sphere, BOX, method=method, max_evaluations=2000, seed=3)
    assert (again.x == found.x).all()


def test_an_executor_changes_nothing() -> None:
    here = winnable.minimize(sphere, BOX, max_evaluations=500)
    with ThreadPoolExecutor(3) as executor:
        there = winnable.minimize(sphere, BOX, max_evaluations=500, executor=executor)
    assert (here.x == there.x).all()
    assert (here.fun, here.nfev, here.nit) == (there.fun, there.nfev, there.nit)


def test_what_ends_a_search_is_said() -> None:
    reached = winnable.minimize(sphere, BOX, target=1.0)
    assert (reached.success, reached.fun <= 1.0) == (True, True)
    assert "target" in reached.message
    missed = winnable.minimize(flat, BOX, target=1.0, max_evaluations=200)
    assert (missed.success, missed.fun) == (False, 2.0)
    told = list[float]()

    def third(best: Floats, value: float) -> bool:
        told.append(value)
        return len(told) == 3

    ended = winnable.minimize(sphere, BOX, callback=third)
    assert len(told) == 3
    assert told == sorted(told, reverse=True)
    assert "callback" in ended.message


def fails(genome: Floats) -> float:
    raise ZeroDivisionError


def nothing(genome: Floats) -> float:
    return float("nan")


def flat(genome: Floats) -> float:
    return 2.0


@pytest.mark.parametrize(
    ("fun", "arguments", "named"),
    [
        (sphere, {"method": "luck"}, "method"),
        (sphere, {"max_evaluations": 0}, "max_evaluations"),
        (nothing, {}, "losses"),
        (sphere, {"bounds": [(1.0, 0.0)]}, "high"),
        (sphere, {"bounds": []}, "low"),
    ],
)
def test_what_is_wrong_is_named(
    fun: Callable[[Floats], float], arguments: dict[str, Any], named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        winnable.minimize(fun, arguments.pop("bounds", BOX), **arguments)


def test_what_the_function_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        winnable.minimize(fails, BOX)


def objective(trial: optuna.Trial) -> float:
    x = trial.suggest_float("x", -4, 6)
    scale = trial.suggest_float("scale", 1e-3, 1e3, log=True)
    n = trial.suggest_int("n", 1, 9)
    kind = trial.suggest_categorical("kind", ["a", "b", "c"])
    return float(x**2 + np.log10(scale) ** 2 + (n - 4) ** 2 + (kind != "b"))


def test_a_study_finds_what_random_trials_do_not() -> None:
    best = dict[str, float]()
    for name, sampler in (("ours", Sampler(300, seed=1)), ("random", optuna.samplers.RandomSampler(1))):
        study = optuna.create_study(sampler=sampler)
        study.optimize(objective, n_trials=300)
        best[name] = study.best_value
    assert best["ours"] < best["random"] / 2
    study = optuna.create_study(direction="maximize", sampler=Sampler(200, seed=1))
    study.optimize(lambda trial: -objective(trial), n_trials=200)
    assert study.best_value > -0.5


def test_trials_may_fail_be_pruned_change_and_run_side_by_side() -> None:
    study = optuna.create_study(sampler=Sampler(120, seed=2))

    def odd(trial: optuna.Trial) -> float:
        value = objective(trial)
        if trial.number % 7 == 3:
            raise optuna.TrialPruned
        if trial.number % 11 == 5:
            raise ZeroDivisionError
        if trial.number > 60:
            trial.suggest_float("late", 0, 1)
        return value

    study.optimize(odd, n_trials=120, n_jobs=3, catch=(ZeroDivisionError,))
    assert len(study.trials) == 120
    assert study.best_value < 5


def test_what_the_sampler_cannot_do_is_refused() -> None:
    study = optuna.create_study(directions=["minimize", "minimize"], sampler=Sampler(9))
    with pytest.raises(ValueError, match="one objective"):
        study.optimize(lambda trial: (trial.suggest_float("x", 0, 1), 0.0), n_trials=3)
    with pytest.raises(ValueError, match="method"):
        Sampler(9, method="luck")


@pytest.mark.parametrize(
    ("distribution", "values"),
    [
        (IntDistribution(1, 9), list(range(1, 10))),
        (IntDistribution(2, 12, step=5), [2, 7, 12]),
        (IntDistribution(1, 6, log=True), list(range(1, 7))),
        (FloatDistribution(0.5, 2.0, step=0.5), [0.5, 1.0, 1.5, 2.0]),
        (CategoricalDistribution(["a", "b"]), ["a", "b"]),
    ],
)
def test_the_unit_interval_covers_every_value(
    distribution: IntDistribution | FloatDistribution | CategoricalDistribution, values: list[Any]
) -> None:
    found = [value_at(distribution, gene) for gene in np.linspace(0, 1, 2001)]
    assert [*dict.fromkeys(found)] == values
    assert all(type(value) is type(values[0]) for value in found)
    if isinstance(distribution, CategoricalDistribution) or not distribution.log:
        counts = [found.count(value) for value in values]
        assert max(counts) - min(counts) <= 4
