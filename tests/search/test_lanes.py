"""Lanes: side by side they answer as if they took turns."""

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.waiting import PATIENCE
from winnable.contract.core import Answer, Budget, finish
from winnable.search.lanes import Lane, Rounds, first_in_turn
from winnable.search.meter import Meter

FOREVER = 10**9


def lane(rounds: int, result: Answer | None, pause: float = 0.0) -> Lane:
    """So many rounds in vain, then the result."""

    def search(meter: Meter) -> Rounds:
        for _ in range(rounds):
            end = time.monotonic() + pause
            while time.monotonic() < end and (yield from meter.allows("test")):
                time.sleep(0.0005)
            meter.expanded += 1
            yield None
        if result is not None:
            yield result

    return search


def answer(lanes: list[Lane], threads: int, seconds: float = PATIENCE) -> Answer | None:
    return finish(first_in_turn(lanes, Meter(Budget(seconds, threads=threads))))


def line(number: int) -> Answer:
    return Answer("solved", (number,))


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.booleans(), st.sampled_from([0.0, 0.001, 0.004])),
        min_size=1,
        max_size=3,
    )
)
@settings(max_examples=60, deadline=None)
def test_threads_do_not_change_the_answer(plan: list[tuple[int, bool, float]]) -> None:
    lanes = [
        lane(rounds, line(number) if finds else None, pause)
        for number, (rounds, finds, pause) in enumerate(plan)
    ]
    by_turns, side_by_side = answer(lanes, 1), answer(lanes, 2)
    finding = [(rounds, number) for number, (rounds, finds, _) in enumerate(plan) if finds]
    if not finding:
        assert by_turns is side_by_side is None
    else:
        assert by_turns is not None
        assert side_by_side is not None
        assert by_turns.actions == side_by_side.actions == (min(finding)[1],)


@pytest.mark.parametrize("slow", [0, 1])
def test_a_line_ends_lanes_that_could_only_find_later_ones(slow: int) -> None:
    lanes = [lane(3, line(0)), lane(3, line(1))]
    lanes[slow] = lane(FOREVER, None, 0.001)
    found = answer(lanes, 2)
    assert found is not None
    assert found.actions == (1 - slow,)
    assert found.seconds < PATIENCE
    assert found.expanded >= 6, "what both have expanded"


def test_a_proof_ends_all_at_once() -> None:
    found = answer([lane(0, None), lane(FOREVER, None, 0.001), lane(20, Answer("unsolvable"))], 3)
    assert found is not None
    assert found.status == "unsolvable"
    assert found.seconds < PATIENCE


@pytest.mark.parametrize("number", [0, 1])
def test_an_error_in_one_lane_ends_all(number: int) -> None:
    def broken(meter: Meter) -> Rounds:
        yield None
        raise MemoryError("no more")

    lanes = [lane(FOREVER, None, 0.001), lane(FOREVER, None, 0.001)]
    lanes[number] = broken
    with pytest.raises(MemoryError, match="no more"):
        answer(lanes, 2)


def test_the_budget_ends_all() -> None:
    lanes = [lane(FOREVER, None, 0.001), lane(FOREVER, None, 0.001)]
    assert answer(lanes, 2, seconds=0.1) is None
    budget = Budget(threads=2)
    threading.Timer(0.1, budget.cancel).start()
    assert finish(first_in_turn(lanes, Meter(budget))) is None


def test_what_is_expanded_is_counted_and_limited_by_turns() -> None:
    meter = Meter(Budget(expanded=5, threads=2))
    assert finish(first_in_turn([lane(FOREVER, None), lane(FOREVER, None)], meter)) is None
    assert meter.expanded == 5
    meter = Meter(Budget(threads=2))
    assert finish(first_in_turn([lane(4, None), lane(3, None)], meter)) is None
    assert meter.expanded == 7


def test_whoever_goes_on_with_lanes_no_more_ends_their_threads() -> None:
    before = threading.active_count()
    search = first_in_turn([lane(FOREVER, None, 0.001)] * 3, Meter(Budget(threads=3)))
    assert next(search).stage in ("test", "next")
    assert threading.active_count() == before + 2
    search.close()
    assert threading.active_count() == before
