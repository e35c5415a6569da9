"""All differential evolutions: any order of asking and telling, and resuming at any point, bit by bit."""

import json
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from winnable.optimize import JSO, LSHADE, AdaptiveDE, DifferentialEvolution
from winnable.optimize.lshade import LSHADE as Base

Any_: TypeAlias = DifferentialEvolution | Base
LOW, HIGH = [-3.0, -2.0, 1.0], [2.0, 4.0, 1.0]

MAKERS: dict[str, Callable[[], Any_]] = {
    "DE": lambda: DifferentialEvolution(LOW, HIGH, 7, seed=5, max_generations=30),
    "LSHADE": lambda: LSHADE(LOW, HIGH, 12, seed=5, max_evaluations=240),
    "JSO": lambda: JSO(LOW, HIGH, 12, seed=5, max_evaluations=240, restarts=False),
    "AdaptiveDE": lambda: AdaptiveDE(LOW, HIGH, 12, seed=5, max_evaluations=9000),
}
EVERY = pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)


def loss(genomes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two basins, plateaus, and a region of infinite loss."""
    values: NDArray[np.float64] = ((genomes - 0.5) ** 2).sum(axis=1).round(3)
    values += np.abs(np.sin(3 * genomes[:, 0]))
    values[genomes[:, 1] > 3] = np.inf
    return values


def copied(optimizer: Any_, maker: Callable[[], Any_]) -> Any_:
    text = json.dumps(optimizer.state_dict(), allow_nan=False)
    again = maker()
    again.load_state_dict(json.loads(text))
    assert json.dumps(again.state_dict(), allow_nan=False) == text
    return again


def play(optimizer: Any_, moves: list[tuple[int, int]], waiting: list[NDArray[np.float64]]) -> list[bytes]:
    """Each move asks for some genomes and tells some of those that wait, from a place in the middle."""
    seen: list[bytes] = []
    for ask, tell in moves:
        if ask:
            genomes = optimizer.ask(ask)
            seen.append(genomes.tobytes())
            waiting.extend(genomes)
        told = [waiting.pop((7 * tell) % len(waiting)) for _ in range(min(tell, len(waiting)))]
        if told:
            optimizer.tell(told, loss(np.array(told)))
    return seen


MOVES = st.lists(st.tuples(st.integers(0, 17), st.integers(0, 17)), max_size=15)


@EVERY
@given(before=MOVES, after=MOVES)
@settings(max_examples=40, deadline=None)
def test_resume_after_any_interleaving(
    maker: Callable[[], Any_], before: list[tuple[int, int]], after: list[tuple[int, int]]
) -> None:
    optimizer, waiting = maker(), list[NDArray[np.float64]]()
    play(optimizer, before, waiting)
    again, also = copied(optimizer, maker), list(waiting)
    assert play(again, after, also) == play(optimizer, after, waiting)
    assert again.state_dict() == optimizer.state_dict()
    low, high = np.array(LOW), np.array(HIGH)
    assert all(((low <= genome) & (genome <= high)).all() for genome in waiting)


@pytest.mark.parametrize("name", ["DE", "LSHADE", "JSO"])
def test_resume_from_every_generation(name: str) -> None:
    maker = MAKERS[name]
    optimizer, again = maker(), maker()
    while not optimizer.should_stop():
        again = copied(again, maker)
        genomes, others = optimizer.ask(), again.ask()
        assert genomes.tobytes() == others.tobytes()
        again = copied(again, maker)
        optimizer.tell(genomes, loss(genomes))
        again.tell(others, loss(others))
    assert again.best[1] == optimizer.best[1]
    assert (again.generation, again.evaluations) == (optimizer.generation, optimizer.evaluations)
    assert (again.recommendation == optimizer.best[0]).all()


def test_resume_across_restarts() -> None:
    maker = MAKERS["AdaptiveDE"]
    optimizer, again = maker(), maker()
    while not optimizer.should_stop():
        genomes, others = optimizer.ask(), again.ask()
        assert genomes.tobytes() == others.tobytes()
        optimizer.tell(genomes, loss(genomes))
        again.tell(others, loss(others))
        if optimizer.generation % 97 == 0:
            again = copied(again, maker)


@EVERY
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_a_generation_may_be_told_in_any_order(maker: Callable[[], Any_], seed: int) -> None:
    """Losses without ties: of equal best genomes the first told counts."""
    whole, parts, rng = maker(), maker(), np.random.default_rng(seed)
    for _ in range(12):
        genomes = whole.ask()
        losses = (genomes**2).sum(axis=1)
        assert (parts.ask() == genomes).all()
        whole.tell(genomes, losses)
        order = rng.permutation(len(genomes))
        for part in np.array_split(order, 3):
            parts.tell(genomes[part], losses[part])
    assert parts.ask().tobytes() == whole.ask().tobytes()
    assert parts.best[1] == whole.best[1]


@EVERY
def test_steady_state_converges_as_well(maker: Callable[[], Any_]) -> None:
    """Four at a time, and one genome whose loss never comes."""
    optimizer, waiting = maker(), list[NDArray[np.float64]]()
    optimizer.ask(1)
    while optimizer.evaluations < 240:
        waiting.extend(optimizer.ask(2))
        if len(waiting) >= 4:
            told = [waiting.pop(1), waiting.pop(0)]
            optimizer.tell(told, loss(np.array(told)))
    assert optimizer.best[1] < 1
    assert optimizer.generation > 5


def damaged(state: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    state = json.loads(json.dumps(state))
    *parents, last = path.split(".")
    part = state
    for parent in parents:
        part = part[parent]
    if value is ...:
        del part[last]
    else:
        part[last] = value
    return state


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("rng", ..., "state: rng: missing"),
        ("optimizer", "Genetic", "state: optimizer: 'Genetic' is not"),
        ("settings.high", [9, 9, 9], "state: settings: high"),
        ("population", 7, "state: population: a mapping"),
        ("population.genomes", [], "state: population: genomes: 0 genomes"),
        ("population.losses", [1], "state: population: losses: shape"),
        ("population.ids", [0] * 12, "state: population: ids"),
        ("population.known", [2] * 12, "state: population: known"),
        ("population.next", 99, "state: population: next"),
        ("memory.f", [0] * 6, "state: memory: f: not in"),
        ("memory.cr", [3] * 6, "state: memory: cr: not in"),
        ("memory.next", 6, "state: memory: next"),
        ("schedule.end", 0, "state: schedule: end"),
        ("first_id", 1, "state: first_id: greater"),
        ("archive", [[9, 9, 9]], "state: archive: some gene"),
        ("beaten", [[0, 0, 1]], "state: beaten: not as many"),
        ("successes", [[1, 2]], "state: successes: shape"),
        ("told", 12, "state: told: 12 is out of range"),
        ("ledger.notes", [[0.5, 0.5, 0.5, 0]] * 3, "state: ledger: notes: no notes"),
        ("ledger.notes", [[0, 2, 0.5, 0]] * 3, "state: ledger: notes: no notes"),
        ("ledger.waiting", ..., "state: ledger: waiting: missing"),
    ],
)
def test_damaged_states_are_refused_whole(path: str, value: Any, message: str) -> None:
    optimizer = MAKERS["LSHADE"]()
    optimizer.tell(genomes := optimizer.ask(), loss(genomes))
    optimizer.ask(3)
    before = optimizer.state_dict()
    with pytest.raises(ValueError, match=message):
        optimizer.load_state_dict(damaged(before, path, value))
    assert optimizer.state_dict() == before
