"""What a solver says of a line is worth nothing before the readable rules have replayed it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.driving import progress_of
from winnable.contract.core import Action, Budget, IllegalAction, check_line, finish
from winnable.search import meter as meters
from winnable.search.meter import Meter


class Stairs:
    """From step 0 to step 5: action a climbs a steps and costs 10 a."""

    num_actions = 4

    def initial(self) -> int:
        return 0

    def legal_actions(self, state: int) -> Sequence[Action]:
        return range(1, min(3, 5 - state) + 1)

    def apply(self, state: int, action: Action) -> int:
        if action not in self.legal_actions(state):
            raise IllegalAction(f"no action {action}")
        return state + action

    def is_goal(self, state: int) -> bool:
        return state == 5

    def cost(self, state: int, action: Action) -> int:
        return 10 * action


def test_a_line_counts_when_the_rules_replay_it_to_the_goal_and_costs_what_they_say() -> None:
    meter = Meter(Budget())
    meter.expanded = 7
    result = finish(meter.solved(Stairs(), 1, (3, 1), lower_bound=30))
    assert (result.status, result.actions, result.cost, result.optimal) == ("solved", (3, 1), 40, False)
    assert (result.lower_bound, result.expanded) == (30, 7)
    assert finish(meter.solved(Stairs(), 5, (), lower_bound=0)).optimal
    assert check_line(Stairs(), (3, 2)) == 50


@pytest.mark.parametrize("line", [(), (3,), (1, 1)])
def test_a_line_to_nowhere_is_no_solution(line: tuple[Action, ...]) -> None:
    with pytest.raises(AssertionError, match="does not reach the goal"):
        finish(Meter(Budget()).solved(Stairs(), 1, line))


def test_a_line_against_the_rules_is_no_solution() -> None:
    with pytest.raises(IllegalAction):
        finish(Meter(Budget()).solved(Stairs(), 0, (3, 3)))


def test_a_line_is_replayed_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meters, "POLL_SECONDS", 0.0)
    assert len(progress_of(Meter(Budget()).solved(Stairs(), 0, (1,) * 5))) == 5
