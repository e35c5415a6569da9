"""What actions cost, and which of them are mistakes."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from winnable.analysis.costs import MOST, SHARE, Cost, Narrowing, Room, cost_of, narrowest, worst

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


def test_the_losing_action_says_little_after_a_slip_or_at_the_very_end() -> None:
    slip = Narrowing(3, Room(18, 18), Room(1, 17), better=5)
    missed = Narrowing(4, Room(1, 17), Room(0, 16))
    assert missed.says_little
    assert slip.is_slip(missed)
    assert not replace(slip, better=None).is_slip(missed), "no other action was better"
    own = Narrowing(4, Room(9, 17), Room(0, 16))
    assert not own.says_little
    assert replace(own, after=Room(0, 0)).says_little, "the game is over"
    assert not Narrowing(3, Room(17, 17), Room(9, 17), better=5).is_slip(own), "it lost more"
    assert narrowest([missed, slip, own]) == [slip]
