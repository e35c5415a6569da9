"""What actions cost, and which of them are mistakes."""

from hypothesis import given
from hypothesis import strategies as st

from winnable.analysis.costs import MOST, SHARE, Cost, cost_of, worst

amounts = st.floats(0, 1e6)


@given(st.dictionaries(st.integers(0, 9), amounts, min_size=1), st.data())
def test_an_action_costs_what_the_best_is_worth_more(worth: dict[int, float], data: st.DataObject) -> None:
    played = data.draw(st.sampled_from(sorted(worth)))
    found = cost_of(7, played, tuple(sorted(worth.items())))
    assert (found.ply, found.value) == (7, max(worth.values()))
    assert worth[found.best] == found.value
    assert found.cost == found.value - worth[played] >= 0


@given(st.lists(st.tuples(amounts, amounts).map(sorted), max_size=30))
def test_the_worst_are_the_largest_of_those_that_cost_a_good_part(pairs: list[list[float]]) -> None:
    costs = [Cost(ply, 0, cost, value) for ply, (cost, value) in enumerate(pairs)]
    found = worst(costs)
    mistakes = [cost for cost in costs if cost.cost > 0 and cost.cost >= SHARE * cost.value]
    assert set(found) <= set(mistakes)
    assert len(found) == min(MOST, len(mistakes))
    amounts = [cost.cost for cost in found]
    assert amounts == sorted((cost.cost for cost in mistakes), reverse=True)[:MOST]


def test_what_may_be_chance_costs_nothing() -> None:
    shares = ((0, 0.9), (1, 0.84), (2, 0.4))
    assert cost_of(3, 1, shares, games=50) == Cost(3, 1, 0.0, 0.84)
    assert cost_of(3, 2, shares, games=50) == Cost(3, 0, 0.5, 0.9)
    assert cost_of(3, 1, shares).cost > 0


def test_nothing_is_a_mistake_where_nothing_is_to_come() -> None:
    assert worst([cost_of(0, 1, ((1, 0.0), (3, 0.0)))]) == []
    assert [cost.ply for cost in worst([cost_of(4, 1, ((1, 0.0), (3, 4.0)))])] == [4]
