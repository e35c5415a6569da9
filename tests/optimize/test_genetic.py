"""The genetic algorithm solves small problems of each kind, resumes bit by bit, refuses nonsense by name."""

import json
from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.optimize.base import Optimizer
from winnable.optimize.genetic import Genetic
from winnable.optimize.genomes import RealGenes, SequenceGenes

Loss = Callable[[Any], Any]
Make = Callable[[], Optimizer]


def run(optimizer: Optimizer, loss: Loss) -> None:
    while not optimizer.should_stop():
        genomes = optimizer.ask()
        optimizer.tell(genomes, loss(genomes))


def saved(optimizer: Optimizer) -> dict[str, Any]:
    return json.loads(json.dumps(optimizer.state_dict(), allow_nan=False))


def facts(optimizer: Optimizer) -> dict[str, Any]:
    """The state, with the waiting genomes in one order: that of asking matters only among equal genomes."""
    state = saved(optimizer)
    ledger = state["ledger"]
    notes: list[Any] = ledger.pop("notes")
    waiting: list[Any] = [[genome, notes[i : i + 1]] for i, genome in enumerate(ledger.pop("waiting"))]
    return {**state, "waiting": sorted(waiting, key=str)}


def check_resume_from_every_generation(make: Make, loss: Loss, generations: int = 8) -> None:
    first = make()
    states: list[dict[str, Any]] = []
    asked: list[Any] = []
    for _ in range(generations):
        states.append(saved(first))
        asked.append(first.ask())
        first.tell(asked[-1], loss(asked[-1]))
    for start, state in enumerate(states):
        resumed = make()
        resumed.load_state_dict(state)
        for wanted in asked[start:]:
            genomes = resumed.ask()
            assert genomes.tobytes() == wanted.tobytes()
            resumed.tell(genomes, loss(genomes))
        assert facts(resumed) == facts(first)


def check_resume_at_any_time(make: Make, loss: Loss, steps: list[tuple[bool, int]], cut: int) -> None:
    """steps: ask for so many, or tell so many of those that wait, in an order of their own; the second
    optimiser is saved and loaded anew after the first `cut` steps, and then after each."""
    one, two = make(), make()
    waiting: list[Any] = []
    order = np.random.default_rng(cut)
    for step, (asks, n) in enumerate(steps):
        if asks or not waiting:
            genomes = one.ask(n)
            assert two.ask(n).tobytes() == genomes.tobytes()
            waiting.extend(genomes)
        else:
            order.shuffle(waiting)
            told, waiting = np.array(waiting[:n]), waiting[n:]
            losses = loss(told)
            one.tell(told, losses)
            two.tell(told, losses)
        if step >= cut:
            state, two = saved(two), make()
            two.load_state_dict(state)
    assert facts(one) == facts(two)


STEPS = st.lists(st.tuples(st.booleans(), st.integers(1, 9)), min_size=1, max_size=25)

KINDS: dict[str, Make] = {
    "real": lambda: Genetic(RealGenes([-5] * 3, [5, 5, -5]), 7, seed=1, elites=2),
    "fitness": lambda: Genetic(
        RealGenes([-5] * 3, [5] * 3), 7, seed=1, selection="roulette", fitness=lambda x: 1 / (1 + abs(x))
    ),
    "all elites": lambda: Genetic(RealGenes([-9] * 3, [9] * 3), 6, seed=1, elites=6),
    "sequence": lambda: Genetic(SequenceGenes(9, 6), 7, seed=1, selection="roulette"),
    "no elites": lambda: Genetic(SequenceGenes(9, 6, mutation="one_gene"), 6, seed=1, elites=0),
    "variable": lambda: Genetic(
        SequenceGenes(lambda rng, n: rng.integers(50, 60, size=n), 6, shortest=2), 6, seed=1
    ),
}


def weights(n: int) -> Any:
    return 1.0 + np.arange(n)


def index_sum(genomes: Any) -> Any:
    losses = genomes @ weights(genomes.shape[1])
    return np.where(losses > 60, np.inf, losses)


@pytest.mark.parametrize("kind", KINDS)
def test_resumes_from_every_generation(kind: str) -> None:
    check_resume_from_every_generation(KINDS[kind], index_sum)


@given(st.sampled_from(sorted(KINDS)), STEPS, st.integers(0, 25))
def test_resumes_at_any_time(kind: str, steps: list[tuple[bool, int]], cut: int) -> None:
    check_resume_at_any_time(KINDS[kind], index_sum, steps, cut)


def sphere(genomes: Any) -> Any:
    return (genomes**2).sum(axis=1)


def true_losses_under_noise(make: Callable[[int], Optimizer], seeds: range) -> tuple[float, float]:
    """Noise of deviation 5 on the sphere: the geometric means, over runs, of the true losses of the
    recommendation and of the genome with the least noisy loss."""
    losses: list[Any] = []
    for seed in seeds:
        optimizer, dice = make(seed), np.random.default_rng(seed)
        while not optimizer.should_stop():
            genomes = optimizer.ask()
            optimizer.tell(genomes, sphere(genomes) + 5 * dice.normal(size=len(genomes)))
        losses.append(sphere(np.array([optimizer.recommendation, optimizer.best[0]])))
    mean, luckiest = np.exp(np.log(losses).mean(axis=0)).tolist()
    return mean, luckiest


def test_sphere() -> None:
    optimizer = Genetic(RealGenes([-5] * 5, [4] * 5), 60, seed=1, max_generations=200)
    run(optimizer, sphere)
    genome, loss = optimizer.best
    assert loss < 1e-2
    assert loss == pytest.approx(float((genome**2).sum()))
    assert (optimizer.recommendation == genome).all()
    assert (optimizer.generation, optimizer.evaluations) == (200, 12_000)


@pytest.mark.parametrize("selection", ["tournament", "roulette"])
def test_onemax(selection: Any) -> None:
    optimizer = Genetic(SequenceGenes(2, 30), 50, selection=selection, seed=1, max_generations=400, target=0)
    run(optimizer, lambda genomes: (genomes == 0).sum(axis=1))
    assert optimizer.best[1] == 0


GOAL = np.array([3, 1, 4, 1, 5, 9])


def negated(losses: Any) -> Any:
    return -losses


@pytest.mark.parametrize("fitness", [None, negated], ids=["shifted", "the article's"])
def test_the_rotate_seeds_rule_finds_a_sequence(fitness: Any) -> None:
    optimizer = Genetic.rotate_article(12, seed=1, fitness=fitness, target=-6)
    run(optimizer, lambda genomes: -(genomes == GOAL).sum(axis=1))
    assert optimizer.best[0].tolist() == GOAL.tolist()
    assert optimizer.generation < 200


def test_a_sequence_of_unknown_length() -> None:
    optimizer = Genetic(SequenceGenes(12, 10, shortest=1), 50, seed=1, max_generations=500, target=0)
    goal = np.array([*GOAL, -1, -1, -1, -1])
    run(optimizer, lambda genomes: (genomes != goal).sum(axis=1))
    assert optimizer.best[0].tolist() == goal.tolist()


def test_the_drops_seeds_rule_improves() -> None:
    """A fifth of its generations is enough for that."""
    assert signature(Genetic.drops_article).parameters["generations"].default == 200
    optimizer = Genetic.drops_article(36, seed=1, fitness=lambda losses: -losses, generations=40)
    run(optimizer, lambda genomes: -(genomes == 7).sum(axis=1))
    assert (optimizer.generation, optimizer.evaluations) == (40, 40 * 500)
    assert optimizer.best[1] < -20


def test_stops_without_gain_and_at_limits() -> None:
    optimizer = Genetic(SequenceGenes(10, 1), 4, seed=0, max_generations_without_gain=3)
    run(optimizer, lambda genomes: np.zeros(len(genomes)))
    assert (optimizer.generation, optimizer.generations_without_gain) == (4, 3)
    optimizer = Genetic(SequenceGenes(10, 1), 4, seed=0, max_evaluations=10)
    run(optimizer, lambda genomes: np.zeros(len(genomes)))
    assert optimizer.evaluations == 12


def test_elites_stay_and_without_them_none_need() -> None:
    def worst_each_generation(elites: int) -> Genetic:
        optimizer = Genetic(RealGenes([0], [1]), 6, elites=elites, seed=2)
        for generation in range(5):
            genomes = optimizer.ask()
            optimizer.tell(genomes, np.full(6, float(generation)))
        return optimizer

    assert worst_each_generation(2).population[1].tolist().count(0) == 2
    assert worst_each_generation(0).population[1].tolist() == [4] * 6
    assert worst_each_generation(0).best[1] == 0


def test_all_losses_infinite_still_breeds() -> None:
    for selection in ("roulette", "tournament"):
        optimizer = Genetic(SequenceGenes(5, 4), 6, selection=selection, seed=0)
        for _ in range(4):
            genomes = optimizer.ask()
            optimizer.tell(genomes, np.full(6, np.inf))
        assert optimizer.best[1] == np.inf


def test_answers_are_the_callers_own() -> None:
    one, two = KINDS["no elites"](), KINDS["no elites"]()
    for _ in range(4):
        a, b = one.ask(), two.ask()
        assert (a == b).all()
        two.tell(b, index_sum(b))
        one.tell(a.copy(), index_sum(a))
        a[:] = -7
        one.best[0][:] = -7


GOOD: dict[str, Any] = {"genes": RealGenes([0], [1]), "population_size": 5, "seed": 0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"population_size": 0}, "population_size: "),
        ({"population_size": 2.5}, "population_size: "),
        ({"tournament_size": 0}, "tournament_size: "),
        ({"elites": -1}, "elites: "),
        ({"elites": 6}, "elites: "),
        ({"selection": "rank"}, "selection: "),
        ({"fitness": abs}, "fitness: only"),
        ({"seed": -1}, "seed: "),
        ({"max_generations": 0}, "max_generations: "),
        ({"max_evaluations": 0}, "max_evaluations: "),
        ({"max_generations_without_gain": 0}, "max_generations_without_gain: "),
        ({"target": np.nan}, "target: "),
    ],
    ids=str,
)
def test_bad_arguments_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Genetic(**{**GOOD, **change})


def check_bad_answers(optimizer: Optimizer) -> None:
    with pytest.raises(ValueError, match="best: "):
        _ = optimizer.best
    with pytest.raises(ValueError, match="n: "):
        optimizer.ask(0)
    genomes = optimizer.ask(3)
    before = facts(optimizer)
    for told, losses, message in (
        (genomes[:, :0], [0, 0, 0], "genomes: shape"),
        (genomes[0], [0], "genomes: shape"),
        (genomes, [0, 0], "losses: shape"),
        (genomes, [0, np.nan, 0], "losses: loss 1"),
        (genomes + 100, [0, 0, 0], "genomes: genome 0 was not asked for"),
        (np.concatenate([genomes, genomes[:1]]), [0] * 4, "genomes: genome"),
    ):
        with pytest.raises(ValueError, match=message):
            optimizer.tell(told, losses)
    assert facts(optimizer) == before


def check_damaged_states(make: Make, whole: dict[str, Any]) -> None:
    """Without a field, or with nonsense in it, a state is refused and changes nothing."""
    optimizer = make()
    before = facts(optimizer)
    for name in whole:
        for nonsense in ("missing", "x", [["x"]], {"x": 1}, -1.5, [float("nan")]):
            state = {key: value for key, value in whole.items() if key != name}
            if nonsense != "missing":
                state[name] = nonsense
            with pytest.raises(ValueError, match=f"{name}|state"):
                optimizer.load_state_dict(state)
    assert facts(optimizer) == before


def test_bad_answers_are_named() -> None:
    check_bad_answers(Genetic(RealGenes([0, 0], [1, 1]), 5, seed=0))


@pytest.mark.parametrize("kind", ["real", "sequence", "variable"])
def test_damaged_states_are_refused(kind: str) -> None:
    optimizer = KINDS[kind]()
    for _ in range(2):
        genomes = optimizer.ask()
        optimizer.tell(genomes, index_sum(genomes))
    genomes = optimizer.ask(3)
    optimizer.tell(genomes[:1], [1])
    whole = saved(optimizer)
    check_damaged_states(KINDS[kind], whole)
    whole["parents"][0][0] = 77 if kind == "sequence" else -7.0 if kind == "real" else -1
    with pytest.raises(ValueError, match="parents"):
        optimizer.load_state_dict(whole)
    with pytest.raises(ValueError, match="state"):
        KINDS["fitness"]().load_state_dict(saved(optimizer))


def test_a_bad_fitness_is_named() -> None:
    optimizer = Genetic(RealGenes([0], [1]), 3, selection="roulette", fitness=lambda x: -x, seed=0)
    optimizer.tell(optimizer.ask(), [1, 2, 3])
    with pytest.raises(ValueError, match="fitness: "):
        optimizer.ask()
