"""Ours and the rivals: each a function that minimises a watched function, with its defaults."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from bench.tuning.bbob_functions import Contestant, Watched, uniform_start
from winnable.optimize import JSO, LSHADE, AdaptiveDE, DifferentialEvolution

ARTICLE_POPULATION = 60
"""As the article's sphere test has it."""


class Entrant(NamedTuple):
    """package: whose import it needs, "" for ours; slow: measured on the first instance alone; plans: it uses
    the knowledge of its budget."""

    run: Contestant
    package: str = ""
    slow: bool = False
    plans: bool = False


def _minimise(optimizer: DifferentialEvolution | LSHADE, watched: Watched) -> None:
    while True:
        genomes = optimizer.ask()
        optimizer.tell(genomes, [watched(genome) for genome in genomes])


def _ours_de(watched: Watched) -> None:
    _minimise(
        DifferentialEvolution(watched.low, watched.high, ARTICLE_POPULATION, seed=watched.seed), watched
    )


def _ours_adaptive(watched: Watched) -> None:
    _minimise(AdaptiveDE(watched.low, watched.high, seed=watched.seed, max_evaluations=watched.told), watched)


def _ours_lshade(watched: Watched) -> None:
    _minimise(LSHADE(watched.low, watched.high, seed=watched.seed, max_evaluations=watched.told), watched)


def _ours_jso(watched: Watched) -> None:
    _minimise(JSO(watched.low, watched.high, seed=watched.seed, max_evaluations=watched.told), watched)


def _ours_jso_paper(watched: Watched) -> None:
    optimizer = JSO(
        watched.low, watched.high, seed=watched.seed, max_evaluations=watched.told, restarts=False
    )
    _minimise(optimizer, watched)


def _scipy(watched: Watched) -> None:
    module: Any = import_module("scipy.optimize")
    bounds = list(zip(watched.low, watched.high, strict=True))
    module.differential_evolution(watched, bounds, rng=watched.seed, maxiter=10**6)


def _pymoo(name: str) -> Contestant:
    def run(watched: Watched) -> None:
        problems: Any = import_module("pymoo.problems.functional")
        optimize: Any = import_module("pymoo.optimize")
        algorithm: Any = getattr(import_module(f"pymoo.algorithms.soo.nonconvex.{name.lower()}"), name)
        problem = problems.FunctionalProblem(watched.dimension, watched, xl=watched.low, xu=watched.high)
        optimize.minimize(problem, algorithm(), ("n_eval", watched.told), seed=watched.seed % 2**31)

    return run


def _pygmo(name: str) -> Contestant:
    def run(watched: Watched) -> None:
        pygmo: Any = import_module("pygmo")
        population = pygmo.population(
            pygmo.problem(_PygmoProblem(watched)), size=ARTICLE_POPULATION, seed=watched.seed % 2**31
        )
        generations = max(watched.told // ARTICLE_POPULATION, 1)
        if name == "cmaes":
            algorithm = pygmo.cmaes(gen=generations, force_bounds=True)
        else:
            algorithm = getattr(pygmo, name)(gen=generations)
        pygmo.algorithm(algorithm).evolve(population)

    return run


class _PygmoProblem:
    """It is copied by pygmo; the copies share the watched function."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched

    def __deepcopy__(self, memo: Any) -> _PygmoProblem:
        return _PygmoProblem(self._watched)

    def fitness(self, genome: Any) -> list[float]:
        return [np.inf if self._watched.done else self._watched(genome)]

    def get_bounds(self) -> tuple[list[float], list[float]]:
        return self._watched.low.tolist(), self._watched.high.tolist()


def _cma(watched: Watched) -> None:
    cma: Any = import_module("cma")
    options = {"verbose": -9, "seed": watched.seed % 2**31 + 1, "maxfevals": watched.told}
    cma.fmin2(watched, lambda: uniform_start(watched).tolist(), 2.0, options, restarts=9)


def _cmaes(watched: Watched) -> None:
    """Restarts with twice the population, as the package's own example has it."""
    cmaes: Any = import_module("cmaes")
    size = None
    for attempt in range(9):
        optimizer = cmaes.CMA(uniform_start(watched), 2.0, seed=watched.seed + attempt, population_size=size)
        while not optimizer.should_stop():
            asked = [optimizer.ask() for _ in range(optimizer.population_size)]
            optimizer.tell([(genome, watched(genome)) for genome in asked])
        size = 2 * optimizer.population_size


def _minion(name: str) -> Contestant:
    def run(watched: Watched) -> None:
        minion: Any = import_module("minionpy")

        def losses(genomes: Any, _: Any = None) -> list[float]:
            return [1e300 if watched.done else watched(np.asarray(genome)) for genome in genomes]

        def finished(_: Any) -> bool:
            return watched.done

        minion.Minimizer(
            losses,
            list(zip(watched.low.tolist(), watched.high.tolist(), strict=True)),
            algo=name,
            maxevals=watched.told,
            callback=finished,
            seed=watched.seed % 2**31,
        ).optimize()

    return run


ENTRANTS: dict[str, Entrant] = {
    "AdaptiveDE": Entrant(_ours_adaptive, plans=True),
    "JSO": Entrant(_ours_jso, plans=True),
    "JSO, restarts=False": Entrant(_ours_jso_paper, plans=True),
    "LSHADE": Entrant(_ours_lshade, plans=True),
    "DifferentialEvolution": Entrant(_ours_de),
    "scipy differential_evolution": Entrant(_scipy, "scipy"),
    "minionpy ARRDE": Entrant(_minion("ARRDE"), "minionpy", plans=True),
    "minionpy jSO": Entrant(_minion("jSO"), "minionpy", plans=True),
    "pygmo de1220": Entrant(_pygmo("de1220"), "pygmo"),
    "pygmo sade": Entrant(_pygmo("sade"), "pygmo"),
    "cma, IPOP": Entrant(_cma, "cma", slow=True),
    "cmaes, IPOP": Entrant(_cmaes, "cmaes", slow=True),
    "pymoo GA": Entrant(_pymoo("GA"), "pymoo", slow=True),
}


def installed() -> dict[str, Entrant]:
    """Those whose package can be imported."""
    return {
        name: entrant
        for name, entrant in ENTRANTS.items()
        if not entrant.package or find_spec(entrant.package)
    }
