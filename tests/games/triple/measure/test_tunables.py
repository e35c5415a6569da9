"""The beams' weights as something to tune."""

import pickle

import pytest

from winnable.contract.abilities import tunables_of
from winnable.contract.core import Budget, finish
from winnable.contract.registry import load_game
from winnable.games.triple.levels import generator
from winnable.games.triple.measure.tunables import (
    BOARD_STEPS,
    HARD,
    TUNABLES,
    WIDTH,
    board_seeds,
    kernel_weights,
)
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.kernel_search import BeamSearch
from winnable.games.triple.solve.plan import plan_of
from winnable.games.triple.solve.solver import BACKWARD_WEIGHTS, FORWARD_WEIGHTS
from winnable.search.meter import Meter


def test_the_game_names_all_of_them() -> None:
    made = {name: make() for name, make in tunables_of(load_game("triple")).items()}
    assert made == TUNABLES


@pytest.mark.parametrize("name", TUNABLES)
def test_judgements_are_repeatable_and_bounded(name: str) -> None:
    tunable = pickle.loads(pickle.dumps(TUNABLES[name]))
    once = finish(tunable.evaluate(tunable.start, 2**63 - 1, 2 * BOARD_STEPS))
    assert once == finish(TUNABLES[name].evaluate(tunable.start, 2**63 - 1, 2 * BOARD_STEPS))
    assert 0 <= once.loss < 1
    assert once.error is not None
    assert 0 < once.cost <= 2 * BOARD_STEPS
    assert finish(tunable.evaluate(tunable.start, 1, 0)).cost <= BOARD_STEPS  # one board at least
    assert len(tunable.genes) == len(tunable.low) == len(tunable.high) == len(tunable.start)


@pytest.mark.parametrize(
    ("name", "weights"), [("beam-backward", BACKWARD_WEIGHTS[0]), ("beam-forward", FORWARD_WEIGHTS[1])]
)
def test_the_start_is_what_the_solver_uses(name: str, weights: tuple[int, int, int, int]) -> None:
    """The same beam with the solver's own weights leaves as many tiles after as many nodes."""
    (board,) = board_seeds(5, 1)
    plan = plan_of(puzzle := Triple(finish(generator.generate(HARD, board))))
    tables = plan.backward if name == "beam-backward" else plan.forward
    search, meter = BeamSearch(plan, tables, puzzle.initial(), WIDTH, weights, 0), Meter(Budget())
    finish(search.run(meter))
    judged = finish(TUNABLES[name].evaluate(TUNABLES[name].start, 5, 0))
    assert (judged.loss, judged.cost) == (search.tiles_left / plan.tiles, meter.expanded)


@pytest.mark.parametrize("genome", [(1.0, 2.0, 3.0), (1.0, 2.0, 3.0, -1.0), (float("nan"),) * 4])
def test_bad_genomes(genome: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="genome"):
        kernel_weights(genome)
