"""What placements are worth where the wall is high."""

from typing import Any

import pytest

from winnable.analysis.costs import cost_of, worst
from winnable.contract.core import Budget, Progress, Search, finish
from winnable.games.tetris.levels.text import parse_board
from winnable.games.tetris.measure.outlook import CONTROLLER
from winnable.games.tetris.measure.weighing import FEW, weigh
from winnable.games.tetris.rules.puzzle import SeededTetris

HIGH = "/".join(["xxxxx."] * 6) + ",width=6,height=8,dice={}"
"""A well that only an upright I fills; on two free rows little else goes well."""


def weighed(code: str, seed: int = 0) -> dict[int, float]:
    puzzle = SeededTetris(parse_board(code))
    found = finish(weigh(puzzle, puzzle.initial(), Budget(), seed))
    return dict(found.values)


def test_an_empty_board_is_lost_by_no_placement() -> None:
    assert set(weighed("-,width=10,height=20,dice=1").values()) == {1.0}


def test_every_legal_placement_is_weighed_and_those_that_end_the_game_are_worth_nothing() -> None:
    for dice in range(8):
        puzzle = SeededTetris(parse_board(HIGH.format(dice)))
        state = puzzle.initial()
        found = finish(weigh(puzzle, state, Budget(), 1))
        assert found.by == CONTROLLER
        assert [action for action, _ in found.values] == list(puzzle.legal_actions(state))
        for action, share in found.values:
            over = puzzle.game.afterstate(state.state, action)[0].over
            assert 0 <= share <= 1
            assert not (over and share), "a game that is over is worth something"
        assert found == finish(weigh(puzzle, state, Budget(), 1))


def test_where_every_placement_ends_the_game_none_is_better() -> None:
    values = weighed("xxxxx./.xxxxx/xxxxx./.xxxxx/xxxxx./.xxxxx,width=6,height=6,dice=1")
    assert values
    assert set(values.values()) == {0.0}


def test_filling_the_well_is_best_and_covering_it_a_mistake() -> None:
    dice = next(
        dice for dice in range(100) if SeededTetris(parse_board(HIGH.format(dice))).initial().state.piece == 0
    )
    values = weighed(HIGH.format(dice))
    into_the_well = 1 * 6 + 5
    assert max(values, key=lambda action: values[action]) == into_the_well
    (mistake,) = worst([cost_of(0, min(values, key=lambda action: values[action]), tuple(values.items()))])
    assert mistake.best == into_the_well


def test_nothing_is_said_under_the_articles_rules_or_without_time() -> None:
    article, plain = (
        SeededTetris(parse_board(code)) for code in ("-,height=21,rules=article,dice=3", HIGH.format(1))
    )
    assert finish(weigh(article, article.initial(), Budget(), 0)).values == ()
    assert finish(weigh(plain, plain.initial(), Budget(seconds=0), 0)).values == ()


class Looks(Budget):
    """Ends after so many looks."""

    left = 0

    def allows(self, stage: str, expanded: int, generated: int, **values: Any) -> Search[bool]:
        self.left -= 1
        yield Progress(stage, expanded, generated, 0.0)
        return self.left >= 0


@pytest.mark.parametrize("looks", [1, 2, 3, 5])
def test_a_budget_that_ends_leaves_what_is_known_by_then(looks: int) -> None:
    """Three looks are a few games to their end; what only some placements went through says nothing."""
    puzzle = SeededTetris(parse_board(HIGH.format(1)))
    state, budget = puzzle.initial(), Looks()
    budget.left = looks
    found = dict(finish(weigh(puzzle, state, budget, 0)).values)
    assert list(found) == list(puzzle.legal_actions(state))
    assert all(share * FEW == round(share * FEW) for share in found.values())
    if looks == 1:
        whole = weighed(HIGH.format(1))
        assert sum(found.values()) > sum(whole.values()), "fewer pieces end fewer games"
