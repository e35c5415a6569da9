"""Solvers and the slow player of drops, as somebody drives them who has one thread."""

from functools import partial
from itertools import pairwise

import pytest

from tests.driving import are_searches, leaves_nothing, progress_of, shares_what_was_dropped, tells_more_often
from winnable.contract.core import Answer, Budget, Found
from winnable.games.drops.game import GAME
from winnable.games.drops.levels.generator import Params
from winnable.games.drops.levels.text import parse_board
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.drops.solve import exact

HARD = Drops(parse_board("212312/121221/112121/221112/121221/211121"))
NODES = {"optimal": 3_000, "bfs": 300, "a": 300, "a-star": 300, "genetic": 300}
"""That each solver may expand: with all of them, it does not come to its end."""
MADE = {"optimal": exact.SLICE + 100, "bfs": 1, "a": 1, "a-star": 1, "genetic": 1}
"""Nodes that it makes between two looks at the budget, at the most: chains, clicks, genes."""


def solve(name: str, nodes: int) -> Found[Answer]:
    return GAME.solvers[name](HARD, HARD.initial(), Budget(expanded=nodes), 0)


@pytest.mark.parametrize("name", GAME.solvers)
def test_a_solver_tells_the_more_often_the_more_it_does(name: str, no_clock: None) -> None:
    more = tells_more_often(partial(solve, name), NODES[name])
    assert [one.expanded for one in more] == sorted(one.expanded for one in more)
    alone = [one for one in more if one.stage != "beam"]  # of which the beam's nodes count when it is done
    made = [later.generated - one.generated for one, later in pairwise(alone)]
    assert sum(number > MADE[name] for number in made) <= len(more) - len(alone)


@pytest.mark.parametrize("name", GAME.solvers)
def test_a_solver_that_nobody_goes_on_with_leaves_nothing(name: str, no_clock: None) -> None:
    ask = partial(solve, name, NODES[name])
    leaves_nothing(ask, (1, 4, len(progress_of(ask())) - 1))


def test_what_many_positions_share_is_of_use_after_a_search_that_was_dropped(no_clock: None) -> None:
    shares_what_was_dropped(GAME, HARD, 16, (1, 2, 5), (12, 14))


def test_answers_are_searches(no_clock: None) -> None:
    lost = Drops(parse_board("00000/40000/20000/44000/03000/00000,drops=3"))
    are_searches(
        GAME.first(HARD, HARD.initial(), Budget(), 0),
        GAME.reason(lost, lost.initial(), Budget()),
        GAME.rate(HARD.level, Budget(), 0),
        GAME.generate(Params(par_min=9, keys=1), 0),
        GAME.generate(Params(rows=32, columns=32, density=130), 0),
    )


def test_the_greedy_player_tells_of_each_chain_that_it_tries() -> None:
    for board, tried in (("123/321", 0), ("414/141/414", 5), ("444/444/444", 1)):
        puzzle = Drops(parse_board(board))
        assert len(progress_of(GAME.players["greedy"](puzzle, 0).choose(puzzle.initial()))) == tried
