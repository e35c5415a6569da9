"""Solvers of rotate, as somebody drives them who has one thread."""

from functools import partial
from itertools import pairwise

import pytest

from tests.driving import are_searches, leaves_nothing, progress_of, shares_what_was_dropped, tells_more_often
from tests.games.rotate.solve.test_beam import shuffled
from tests.games.rotate.solve.test_pairs import scattered
from winnable.contract.core import Answer, Budget, Found
from winnable.games.rotate.game import GAME
from winnable.games.rotate.levels.generator import Params
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.rotate.solve import beam, exact
from winnable.search import memory

HARD, LARGE = shuffled(5, 5, 6, 0), shuffled(12, 12, 4, 0)
PAIRS, FEW_PAIRS = scattered(8, 8, 1), scattered(3, 4, 1)
NODES: dict[tuple[str, Rotate], int] = {
    ("optimal", HARD): 60_000,
    ("beam", LARGE): 600,
    ("beam", PAIRS): 600,
    ("constructive", LARGE): 9,
    ("genetic", HARD): 300,
    ("improved-genetic", HARD): 300,
    ("pruned-search", HARD): 300,
}
"""That each solver may expand: with all of them, it does not come to its end."""
MADE = {
    "optimal": exact.SLICE * 16,
    "beam": 2 * beam.SLICE,
    "constructive": LARGE.rows**2,
    "genetic": 50 * 6,
    "improved-genetic": 50 * 12,
    "pruned-search": 1,
}
"""Nodes that it makes between two looks at the budget, at the most."""


def solve(name: str, puzzle: Rotate, nodes: int) -> Found[Answer]:
    return GAME.solvers[name](puzzle, puzzle.initial(), Budget(expanded=nodes), 0)


@pytest.mark.parametrize(("name", "puzzle"), NODES)
def test_a_solver_tells_the_more_often_the_more_it_does(name: str, puzzle: Rotate, no_clock: None) -> None:
    more = tells_more_often(partial(solve, name, puzzle), NODES[name, puzzle])
    assert max(later.generated - one.generated for one, later in pairwise(more)) <= MADE[name]


@pytest.mark.parametrize(("name", "puzzle"), NODES)
def test_a_solver_that_nobody_goes_on_with_leaves_nothing(name: str, puzzle: Rotate, no_clock: None) -> None:
    ask = partial(solve, name, puzzle, NODES[name, puzzle])
    last = len(progress_of(ask())) - 1
    leaves_nothing(ask, (1, 4, last), lambda: memory.give_back("rotate"))


def test_all_arrangements_of_few_pairs_are_gone_through_step_by_step(no_clock: None) -> None:
    assert len(progress_of(solve("beam", FEW_PAIRS, 1))) > 10


def test_what_many_positions_share_is_of_use_after_a_search_that_was_dropped(no_clock: None) -> None:
    memory.give_back("rotate")
    shares_what_was_dropped(GAME, HARD, 4, (1, 3, 10), (4, 4, 5))


def test_answers_are_searches(no_clock: None) -> None:
    are_searches(
        GAME.first(LARGE, LARGE.initial(), Budget(), 0),
        GAME.rate(HARD.level, Budget(), 0),
        GAME.generate(Params(rows=64, columns=64, scramble=9), 0),
        GAME.generate(Params(par_min=9, keys=1), 0),
    )
