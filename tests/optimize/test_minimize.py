"""`winnable.minimize`, and our optimisers as a sampler of Optuna."""

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing.pool import ThreadPool
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

import winnable
from tests.executor_tasks import alive
from tests.optimize import losses
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


def same(one: winnable.Minimum, other: winnable.Minimum) -> bool:
    return (one.x == other.x).all() and (one.fun, one.nfev, one.nit) == (other.fun, other.nfev, other.nit)


@pytest.mark.parametrize("args", [(), (1.5,)], ids=str)
def test_worker_processes_change_nothing(args: tuple[float, ...]) -> None:
    here = winnable.minimize(losses.bowl, BOX, args=args, max_evaluations=300, seed=5)
    there = winnable.minimize(losses.bowl, BOX, args=args, max_evaluations=300, seed=5, workers=2)
    assert same(here, there)


def test_the_loss_is_judged_by_so_many_processes_that_end(tmp_path: Path) -> None:
    folder = str(tmp_path)
    winnable.minimize(losses.who, BOX, args=(folder,), max_evaluations=100, x0=[1, 1, 1], workers=2)
    judges = {int(path.name) for path in tmp_path.iterdir()}
    assert os.getpid() not in judges
    assert 1 <= len(judges) <= 2
    assert not any(map(alive, judges))


def in_turn(fun: Callable[[Any], Any], genomes: Iterable[Any]) -> list[Any]:
    return [fun(genome) for genome in genomes]


def gives_one(fun: Callable[[Any], Any], genomes: Iterable[Any]) -> list[Any]:
    return [1.0]


def test_what_maps_is_taken() -> None:
    here = winnable.minimize(sphere, BOX, max_evaluations=300)
    with ThreadPool(2) as pool:
        maps: list[Any] = [pool.map, pool.imap, in_turn]
        for workers in maps:
            assert same(here, winnable.minimize(sphere, BOX, max_evaluations=300, workers=workers))
    with pytest.raises(ValueError, match=r"workers: 1 values came back for [0-9]+ genomes"):
        winnable.minimize(sphere, BOX, max_evaluations=100, workers=gives_one)


UNSENT = partial(losses.bowl, at=cast("Any", lambda: 0))
HOLDS_A_LOCK = ThreadPoolExecutor(1).submit


@pytest.mark.parametrize(
    ("fun", "error", "said"),
    [
        (UNSENT, ValueError, "fun: it or one of `args` cannot be sent"),
        (HOLDS_A_LOCK, ValueError, "fun: it or one of `args` cannot be sent"),
        (losses.killed, RuntimeError, r"workers: a worker process ended .*genomes \(exit code .*-9.*\); the"),
        (losses.leaves, RuntimeError, r"workers: a worker process ended .*genomes \(exit code .*7.*\); the"),
        (losses.half, ValueError, "fun: losses are numbers; the one of evaluation [0-9]+ is None"),
        (losses.stubborn, RuntimeError, "fun: Stubborn: this is stubborn"),
        (losses.divides, ZeroDivisionError, None),
        (losses.sleeps, ZeroDivisionError, None),
    ],
    ids=["lambda", "lock", "killed", "leaves", "none", "stubborn", "raises", "the others are at work"],
)
def test_what_goes_wrong_in_a_worker_is_one_error(
    fun: Callable[..., Any], error: type[Exception], said: str | None
) -> None:
    with pytest.raises(error, match=said):
        winnable.minimize(fun, BOX, max_evaluations=300, workers=2)
    assert not multiprocessing.active_children()


SCRIPT = """
import winnable
def loss(genome):
    return float((genome ** 2).sum())
{guard}print(winnable.minimize(loss, [(-1, 1)] * 2, max_evaluations=60, workers=2).nfev)
"""


@pytest.mark.parametrize("guard", ["", "if __name__ == '__main__': "], ids=["bare", "guarded"])
def test_a_script_needs_a_guard(tmp_path: Path, guard: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(guard=guard))
    told = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    if guard:
        assert (told.returncode, 60 <= int(told.stdout) < 100) == (0, True), told.stderr
    else:
        assert "; the main part of a script must be guarded by" in told.stderr, told.stderr
    typed = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(guard=guard)], capture_output=True, text=True, check=False
    )
    last = typed.stderr.rstrip().splitlines()[-1]
    assert last.startswith("ValueError: fun: worker processes cannot read it"), typed.stderr


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
        (sphere, {"method": None}, "method"),
        (sphere, {"method": []}, "method"),
        (sphere, {"max_evaluations": 0}, "max_evaluations"),
        (sphere, {"workers": 0}, "workers: '0' is none of these"),
        (sphere, {"workers": -2}, "workers"),
        (sphere, {"workers": 2.0}, "workers"),
        (sphere, {"workers": True}, "workers"),
        (sphere, {"workers": None}, "workers"),
        (sphere, {"workers": 5000}, "workers"),
        (sphere, {"workers": 2, "executor": ThreadPoolExecutor(1)}, "workers: give these or an executor"),
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


@pytest.mark.parametrize("method", METHODS)
def test_a_loss_may_write_into_its_argument(method: str) -> None:
    def spoils(genome: Floats) -> float:
        value = sphere(genome)
        genome[:] = np.nan
        return value

    spoilt = winnable.minimize(spoils, BOX, method=method, max_evaluations=300)
    assert (spoilt.x == winnable.minimize(sphere, BOX, method=method, max_evaluations=300).x).all()


@pytest.mark.parametrize(
    "value",
    [
        None,
        1j,
        np.complex128(1),
        "1.5",
        b"1",
        [],
        [1.0, 2.0],
        np.zeros(2),
        {},
        "x",
        np.nan,
        [None],
        ["1"],
        [[1j]],
    ],
    ids=repr,
)
def test_a_loss_that_is_no_number_is_one_error(value: Any) -> None:
    with pytest.raises(ValueError, match=r"fun: losses are numbers; the one of evaluation 0 is "):
        winnable.minimize(lambda genome: value, BOX)


WRAPS: list[Callable[[float], Any]] = [
    lambda v: [v],
    lambda v: np.array([v]),
    lambda v: np.array([[v]]),
    np.float32,
    np.array,
]


@pytest.mark.parametrize("wrap", WRAPS)
def test_a_loss_may_be_an_array_with_one_number(wrap: Callable[[float], Any]) -> None:
    found = winnable.minimize(lambda genome: wrap(float(genome[0])), BOX, max_evaluations=60)
    assert isinstance(found.fun, float)
    assert winnable.minimize(lambda genome: np.inf, BOX, max_evaluations=60).fun == np.inf
    assert winnable.minimize(lambda genome: -np.inf, BOX, target=0).success


@pytest.mark.parametrize(
    "bounds",
    [
        ([-1] * 4, [1] * 4),
        [(0, 10, 2, 3)],
        [0, 10],
        [(0, 10), (1,)],
        np.zeros((2, 2, 2)),
        5,
        None,
        "box",
        [("0", "1")],
        [(None, 1)],
        [(False, True)],
        [(0, np.inf)],
        [(-np.inf, 0)],
        [(np.nan, 1)],
        [(-8e307, 8e307)],
        SimpleNamespace(lb=[0, 0], ub=[1, 1, 1]),
        SimpleNamespace(lb=0, ub=1),
        SimpleNamespace(lb=[0, -np.inf], ub=1),
    ],
    ids=str,
)
def test_bounds_of_another_shape_are_refused(bounds: Any) -> None:
    with pytest.raises(ValueError, match=r"^(bounds|low|high): "):
        winnable.minimize(sphere, bounds)


def test_bounds_are_what_scipy_takes() -> None:
    pairs = winnable.minimize(sphere, BOX, max_evaluations=200).x
    taken: list[Any] = [
        np.array(BOX),
        zip([-4] * 3, [6] * 3, strict=True),
        [[-4, 6]] * 3,
        SimpleNamespace(lb=[-4, -4, -4], ub=[6, 6, 6]),
        SimpleNamespace(lb=-4, ub=np.full(3, 6)),
    ]
    for bounds in taken:
        assert (winnable.minimize(sphere, bounds, max_evaluations=200).x == pairs).all()
    one: Any = SimpleNamespace(lb=-4, ub=6)
    assert winnable.minimize(sphere, one, x0=[1, 1, 1], max_evaluations=200).x.size == 3


EXTREME = {
    "wide": [(-1e200, 1e200)] * 2,
    "widest": [(-1e307, 1e307)] * 2,
    "far": [(1e300, 1.0000001e300)] * 2,
    "wide and small": [(-1e200, 1e200), (0, 1)],
    "subnormal": [(0, 5e-324), (-1e-320, 1e-320)],
    "tiny": [(-1e-200, 1e-200)] * 2,
    "one free": [(1, 1), (-2, 2)],
    "none free": [(1, 1), (2, 2)],
}


@pytest.mark.parametrize("bounds", EXTREME)
@pytest.mark.parametrize("method", METHODS)
def test_bounds_of_any_width_give_genomes_within_them(method: str, bounds: str) -> None:
    box = EXTREME[bounds]

    def loss(genome: Floats) -> float:
        assert all(low <= gene <= high for gene, (low, high) in zip(genome, box, strict=True))
        return float(genome[0] / 2 + genome[1] / 4)

    found = winnable.minimize(loss, box, method=method, max_evaluations=200)
    for genome in (found.x, found.center):
        assert loss(genome) < np.inf
    if bounds in ("wide", "widest", "tiny"):
        assert found.fun < box[0][0] * 0.6


def test_cross_entropy_narrows_whatever_the_unit() -> None:
    def loss(genome: Floats, unit: float) -> float:
        return float(np.abs(genome / unit - 1).sum())

    found = {
        unit: winnable.minimize(
            loss, [(-4 * unit, 6 * unit)] * 3, args=unit, method="cross-entropy", max_evaluations=2000
        )
        for unit in (1.0, 2.0**660, 2.0**-660)
    }
    assert (found[2.0**660].x == found[1.0].x * 2.0**660).all()
    assert (found[2.0**-660].x == found[1.0].x * 2.0**-660).all()


def away(genome: Any, at: float) -> float:
    return sphere(genome - at)


@pytest.mark.parametrize("method", METHODS)
def test_a_search_begins_where_it_is_told(method: str) -> None:
    asked = list[Floats]()

    def shifted(genome: Floats, at: float, scale: float) -> float:
        asked.append(genome)
        return scale * sphere(genome - at)

    start = [2.5, 2.5, 2.5]
    found = winnable.minimize(shifted, BOX, args=(2.5, 3.0), x0=start, method=method, max_evaluations=100)
    assert (asked[0] == start).all()
    assert (found.fun, [*found.x], found.nfev) == (0, start, len(asked))
    once = winnable.minimize(shifted, BOX, args=(2.5, 3.0), x0=start, method=method, target=0)
    assert (once.nfev, once.success, [*once.center]) == (1, True, start)
    assert winnable.minimize(away, BOX, args=1.0, max_evaluations=40).nit


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"fun": None}, "fun: a function is needed, not NoneType"),
        ({"callback": 5}, "callback: a function is needed, not int"),
        ({"callback": 0}, "callback: a function is needed, not int"),
        ({"target": "x"}, "target: numbers are needed"),
        ({"target": [1.0]}, "target: .* is no number"),
        ({"target": np.nan}, "target: nan is no number"),
        ({"method": "lshad"}, "did you mean lshade"),
        ({"method": None}, "method: there is no 'None'"),
    ],
)
def test_what_is_no_argument_is_refused_by_name(given: dict[str, Any], said: str) -> None:
    arguments: dict[str, Any] = {"fun": sphere, "bounds": BOX, **given}
    with pytest.raises(ValueError, match=said):
        winnable.minimize(**arguments)


@pytest.mark.parametrize("x0", [[9, 0, 0], [0, 0], 0, "x", [np.nan, 0, 0], [[0, 0, 0]]], ids=str)
def test_a_start_out_of_bounds_is_refused(x0: Any) -> None:
    with pytest.raises(ValueError, match=r"^x0: "):
        winnable.minimize(sphere, BOX, x0=x0)


def test_arguments_go_through_an_executor() -> None:
    with ThreadPoolExecutor(2) as executor:
        found = winnable.minimize(away, BOX, args=(1.0,), max_evaluations=100, executor=executor)
    here = winnable.minimize(away, BOX, args=(1.0,), max_evaluations=100)
    assert (found.x == here.x).all()


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


def test_a_value_is_told_of_what_was_played() -> None:
    sampler = Sampler(200, seed=1)
    study = optuna.create_study(sampler=sampler)
    told = list[tuple[Floats, float]]()

    def both(trial: optuna.Trial) -> float:
        return trial.suggest_float("x", 0, 1) + 2 * trial.suggest_float("y", 0, 1)

    study.optimize(both, n_trials=2)
    optimizer: Any = sampler._optimizer  # pyright: ignore[reportPrivateUsage]
    tell = optimizer.tell

    def heard(genomes: Floats, losses: Floats) -> None:
        told.append((genomes[0].copy(), float(losses[0])))
        tell(genomes, losses)

    optimizer.tell = heard
    for number in range(20):
        if number % 2:
            study.enqueue_trial({"x": 0.125})
        if number % 5 == 4:
            study.enqueue_trial({"x": 0.25, "y": 0.5})
    study.optimize(both, n_trials=30)
    assert len(told) == 30 - 10 - 4
    assert all(loss == genome[0] + 2 * genome[1] for genome, loss in told)


def test_what_a_sampler_needs_is_asked_for_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cmaes", None)
    with pytest.raises(ImportError, match="cma"):
        Sampler(9, method="cma")
    with pytest.raises(ImportError, match="cma"):
        winnable.minimize(sphere, BOX, method="cma")
    wrongs: list[dict[str, Any]] = [{"max_trials": 0}, {"max_trials": 9, "seed": -1}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match=r"max_evaluations|seed"):
            Sampler(**wrong)


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
