"""Verdicts, hints and blunders, on levels that a naive search can decide whole."""

import random
from functools import cache
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.analysis import Analyst, Blunder
from winnable.core import Budget, SolveResult
from winnable.games.drops.rules import Drops
from winnable.games.drops.text import parse_board
from winnable.games.triple.generator import Params, generate
from winnable.games.triple.level import Level, Tile
from winnable.games.triple.rules import Triple
from winnable.search.depth_first import depth_first_search


@cache
def small(seed: int) -> Triple:
    return Triple(generate(Params(layers=3, sets=1, kinds=6, side=3, slots=4), seed))


@cache
def winnable(seed: int, state: int) -> bool:
    puzzle = small(seed)
    if puzzle.is_goal(state):
        return True
    return any(winnable(seed, puzzle.apply(state, action)) for action in puzzle.legal_actions(state))


def solve(puzzle: Triple, state: int, budget: Budget, seed: int) -> SolveResult:
    return depth_first_search(puzzle, state, budget)


def played(seed: int, choices: list[int]) -> list[int]:
    puzzle = small(seed)
    states = [puzzle.initial()]
    for choice in choices:
        legal = puzzle.legal_actions(states[-1])
        if not legal:
            break
        states.append(puzzle.apply(states[-1], legal[choice % len(legal)]))
    return states


games = st.tuples(st.integers(0, 30), st.lists(st.integers(0, 8), min_size=18, max_size=18))


@given(games)
def test_verdicts_lines_and_hints(game: tuple[int, list[int]]) -> None:
    seed, choices = game
    puzzle, states = small(seed), played(seed, choices)
    analyst = Analyst(puzzle, solve)
    for state in reversed(states):
        truth = "winnable" if winnable(seed, state) else "lost"
        assert analyst.decide(state, Budget()) == truth
        line, hint = analyst.line(state), analyst.hint(state)
        if truth == "winnable" and not puzzle.is_goal(state):
            assert line is not None
            assert hint == line[0]
            for action in line:
                state = puzzle.apply(state, action)
                assert analyst.verdict(state) == "winnable"
            assert puzzle.is_goal(state)


@given(games)
def test_a_state_inherits_from_the_one_before_only_what_is_true(game: tuple[int, list[int]]) -> None:
    seed, choices = game
    puzzle = small(seed)
    for state in played(seed, choices):
        analyst = Analyst(puzzle, solve)
        verdict = analyst.decide(state, Budget())
        for action in puzzle.legal_actions(state):
            analyst.inherit(state, action)
            after = puzzle.apply(state, action)
            truth = "winnable" if winnable(seed, after) else "lost"
            if verdict == "lost":
                assert analyst.verdict(after) == "lost"
            assert analyst.verdict(after) in (truth, "unknown")


def test_an_action_that_comes_later_in_the_line_needs_no_search() -> None:
    puzzle = Triple(
        Level(tuple(Tile(kind, 8 * x, 8 * kind, 0) for kind in range(4) for x in range(3)), slots=4)
    )
    analyst = Analyst(puzzle, solve)
    analyst.learn(0, SolveResult("solved", tuple(range(12))))
    analyst.inherit(0, 3)
    assert analyst.line(1 << 3) == (0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11)
    analyst.inherit(1 << 3, 6)
    assert analyst.verdict(1 << 3 | 1 << 6) == "unknown", "two more of kind 0 fill the tray"


def test_a_goal_is_winnable_although_nothing_can_be_done_there() -> None:
    puzzle = Triple(Level(tuple(Tile(0, 8 * x, 0, 0) for x in range(3)), slots=3))
    analyst = Analyst(puzzle, solve)
    assert not puzzle.legal_actions(0b111)
    assert (analyst.verdict(0b111), analyst.line(0b111)) == ("winnable", ())


def test_a_line_counts_only_when_the_rules_say_that_it_wins() -> None:
    puzzle = Drops(parse_board("44,drops=9"))
    analyst = Analyst(puzzle, cast(Any, None))
    with pytest.raises(AssertionError, match="does not reach the goal"):
        analyst.learn(puzzle.initial(), SolveResult("solved", ()))
    analyst.learn(puzzle.initial(), SolveResult("solved", (0,)))
    assert analyst.line(puzzle.initial()) == (0,)


def test_an_action_beside_the_line_inherits_nothing() -> None:
    puzzle = Drops(parse_board("34/00,drops=9"))
    start = puzzle.initial()
    analyst = Analyst(puzzle, cast(Any, None))
    analyst.learn(start, SolveResult("solved", (0, 0)))
    analyst.inherit(start, 1)
    assert analyst.verdict(puzzle.apply(start, 1)) in ("unknown", "winnable")


class Straight:
    """A game of one line, 32 to 0, and lost."""

    def legal_actions(self, state: int) -> list[int]:
        return [0] if state else []

    def is_goal(self, state: int) -> bool:
        return False


@pytest.mark.parametrize("turn", range(32))
def test_the_blunder_is_looked_for_by_halves(turn: int) -> None:
    asked: list[int] = []

    def solve(puzzle: Any, state: int, budget: Budget, seed: int) -> SolveResult:
        asked.append(32 - state)
        return SolveResult("unsolvable") if 32 - state > turn else SolveResult("budget")

    analyst, states, tried = Analyst(cast(Any, Straight()), solve), [*range(32, -1, -1)], set[int]()
    assert analyst.next_to_decide(states, tried) in (15, 16)
    while (ply := analyst.next_to_decide(states, tried)) is not None:
        assert analyst.timeline(states)[ply] == "unknown"
        tried.add(ply)
        analyst.decide(states[ply], Budget())
    assert len(asked) == len({*asked})


@given(games)
def test_the_blunder_is_the_action_that_turned_winnable_into_lost(game: tuple[int, list[int]]) -> None:
    seed, choices = game
    states = played(seed, choices)
    truth = [winnable(seed, state) for state in states]
    analyst = Analyst(small(seed), solve)
    blunder = analyst.find_blunder(states, seconds_each=60)
    if truth[0] and not truth[-1]:
        turn = truth.index(False) - 1
        assert blunder == Blunder(turn, turn)
        expected = ["winnable" if won else "lost" for won in truth]
        assert analyst.timeline(states) == expected
    else:
        assert blunder is None


@cache
def lost_games() -> list[tuple[int, list[int]]]:
    """(level seed, states) of random games that were lost from a winnable start."""
    rng = random.Random(0)
    games = [
        (seed, played(seed, [rng.randrange(60) for _ in range(18)])) for seed in range(31) for _ in range(8)
    ]
    return [(seed, states) for seed, states in games if winnable(seed, 0) and not winnable(seed, states[-1])]


@given(st.integers(0), st.sets(st.integers(0, 18)))
def test_a_solver_that_cannot_decide_widens_the_answer_but_never_makes_it_wrong(
    number: int, dark: set[int]
) -> None:
    seed, states = lost_games()[number % len(lost_games())]
    truth = [winnable(seed, state) for state in states]
    undecided = {states[ply] for ply in dark if 0 < ply < len(states)}

    def sometimes(puzzle: Triple, state: int, budget: Budget, seed: int) -> SolveResult:
        return SolveResult("budget") if state in undecided else solve(puzzle, state, budget, seed)

    blunder = Analyst(small(seed), sometimes).find_blunder(states, seconds_each=60)
    turn = truth.index(False) - 1
    assert blunder is not None
    assert blunder.first <= turn <= blunder.last
