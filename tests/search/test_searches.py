"""The searches over the contract, on puzzles that are nothing but random graphs."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.beam import beam_search
from tests.reference.perft import divide, perft
from winnable.contract.core import Action, Answer, Budget, IllegalAction, Limit, finish, replay
from winnable.search.depth_first import depth_first_search


@dataclass(frozen=True)
class Graph:
    """States are 0 ... n - 1. Action a of a state costs 1 + a and leads to edges[state][a]."""

    edges: tuple[tuple[int, ...], ...]
    goals: frozenset[int]
    num_actions: int = 4

    def initial(self) -> int:
        return 0

    def legal_actions(self, state: int) -> Sequence[Action]:
        return range(0 if self.is_goal(state) else len(self.edges[state]))

    def apply(self, state: int, action: Action) -> int:
        if action not in self.legal_actions(state):
            raise IllegalAction(f"no action {action}")
        return self.edges[state][action]

    def is_goal(self, state: int) -> bool:
        return state in self.goals

    def cost(self, state: int, action: Action) -> int:
        return 1 + action

    def reachable(self) -> set[int]:
        found, waiting = {0}, [0]
        while waiting:
            state = waiting.pop()
            new = {self.apply(state, action) for action in self.legal_actions(state)} - found
            found |= new
            waiting += new
        return found


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 30))
    targets = st.lists(st.integers(0, count - 1), max_size=4)
    edges = tuple(tuple(draw(targets)) for _ in range(count))
    return Graph(edges, frozenset(draw(st.sets(st.integers(0, count - 1), max_size=2))))


def ladder(rungs: int) -> Graph:
    """One long way, each step of which could also go back to the start; no goal."""
    return Graph(tuple((0, (state + 1) % rungs) for state in range(rungs)), frozenset())


def check_line(graph: Graph, result: Answer) -> None:
    assert graph.is_goal(replay(graph, result.actions))
    assert result.cost == sum(1 + action for action in result.actions)
    assert result.optimal == (result.actions == ())
    assert result.lower_bound == (0 if result.optimal else None)


@given(graphs())
def test_depth_first_is_exhaustive(graph: Graph) -> None:
    result = finish(depth_first_search(graph, 0, Budget()))
    if graph.goals & graph.reachable():
        assert result.status == "solved"
        check_line(graph, result)
    else:
        assert result.status == "unsolvable"
        assert result.expanded == len(graph.reachable())
        assert (result.actions, result.cost, result.lower_bound) == ((), None, None)


@given(graphs(), st.integers(1, 6), st.integers(0, 100))
def test_a_beam_claims_no_proof_after_it_dropped_a_state(graph: Graph, width: int, salt: int) -> None:
    result = beam_search(graph, 0, Budget(), width, lambda state: hash((salt, state)))
    if result.status == "solved":
        check_line(graph, result)
    elif result.status == "unsolvable":
        assert not graph.goals & graph.reachable()
    wide = beam_search(graph, 0, Budget(), 30, lambda state: 0.0)
    assert wide.status == ("solved" if graph.goals & graph.reachable() else "unsolvable")


def test_a_narrow_beam_misses_what_it_dropped() -> None:
    graph = Graph(((1, 2), (), (3,), ()), frozenset({3}))
    assert beam_search(graph, 0, Budget(), 1, float).status == "budget"
    assert beam_search(graph, 0, Budget(), 1, lambda state: -state).status == "solved"


@given(graphs(), st.integers(0, 6))
def test_perft_counts_sequences(graph: Graph, depth: int) -> None:
    def count(state: int, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(count(graph.apply(state, action), depth - 1) for action in graph.legal_actions(state))

    assert perft(graph, 0, depth) == count(0, depth)
    parts = divide(graph, 0, depth + 1)
    assert list(parts) == list(graph.legal_actions(0))
    assert sum(parts.values()) == perft(graph, 0, depth + 1)


def searches(graph: Graph, budget: Budget) -> list[Answer]:
    return [
        finish(depth_first_search(graph, 0, budget)),
        beam_search(graph, 0, budget, 10, lambda state: 0.0),
    ]


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        (Budget(seconds=0), Limit("time", 0)),
        (Budget(expanded=100), Limit("nodes", 100)),
        (Budget(memory_mb=0), Limit("memory", 0)),
    ],
    ids=["seconds", "expanded", "memory"],
)
def test_no_verdict_without_budget(budget: Budget, limit: Limit) -> None:
    for result in searches(ladder(1000), budget):
        assert result.status == "budget"
        assert (result.actions, result.cost, result.optimal) == ((), None, False)
        assert result.expanded <= 101
        assert result.limit == limit


def test_cancelled_by_another() -> None:
    budget = Budget()
    budget.cancel()
    assert [result.status for result in searches(ladder(10), budget)] == ["budget", "budget"]
    assert [result.status for result in searches(ladder(10), Budget())] == ["unsolvable", "unsolvable"]


def test_long_lines_need_no_recursion() -> None:
    steps = random.Random(0).sample(range(1, 20_000), 19_999)
    chain = [0, *steps]
    edges = [()] * 20_000
    following: dict[int, tuple[int, ...]] = {a: (b,) for a, b in pairwise(chain)}
    graph = Graph(
        tuple(following.get(state, edges[state]) for state in range(20_000)), frozenset({chain[-1]})
    )
    for result in searches(graph, Budget()):
        assert result.status == "solved"
        assert len(result.actions) == 19_999
