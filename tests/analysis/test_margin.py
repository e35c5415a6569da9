"""How many actions still win and how many keep the fewest: each answer against brute force over the rules."""

from functools import cache
from itertools import islice, permutations
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.test_by_proof import games, played, small, winnable
from tests.driving import told
from winnable.analysis import margin as margin_module
from winnable.analysis.by_proof import ByProof
from winnable.analysis.margin import Margin, Share, margins, open_margin
from winnable.contract.abilities import ProvesFewest
from winnable.contract.core import Budget, Progress, finish, replay
from winnable.games.drops.game import GAME as DROPS
from winnable.games.drops.rules.level import Level as DropsLevel
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.rotate.game import GAME as ROTATE
from winnable.games.rotate.rules.blocks import Cells, turned
from winnable.games.rotate.rules.clusters import hang_together
from winnable.games.rotate.rules.level import Level as RotateLevel
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.triple.game import GAME as TRIPLE
from winnable.games.triple.solve.live import SolverAfter
from winnable.search import meter

few = st.sampled_from([1, 5, 30, 300, 10**9])
"""Nodes that each question may take."""
boards = st.lists(st.text("01234", min_size=2, max_size=2), min_size=2, max_size=2).filter(
    lambda board: any(map(int, board))
)
colours = st.permutations([1, 1, 1, 2, 2, 2, 3, 3, 3])


@cache
def turns() -> dict[Cells, int]:
    """The fewest turns of each board of three colours that can be finished: as every turn can be undone,
    breadth first from the finished ones."""
    puzzle = Rotate(RotateLevel(((1, 1, 1), (2, 2, 2), (3, 3, 3))))
    every = set(permutations(puzzle.level.cells))
    layer, found, depth = [cells for cells in every if hang_together(cells, 3)], dict[Cells, int](), 0
    while layer:
        found |= dict.fromkeys(layer, depth)
        places = [puzzle.block(action) for action in range(puzzle.num_actions)]
        layer = list({turned(cells, 3, *place) for cells in layer for place in places} - found.keys())
        depth += 1
    return found


@cache
def fewest(puzzle: Any, state: Any) -> int | None:
    """By breadth first over the rules."""
    if isinstance(puzzle, Rotate):
        least = turns().get(state.cells)
        return None if least is None or (state.left is not None and least > state.left) else least
    seen, layer, depth = {state}, [state], 0
    while layer:
        if any(map(puzzle.is_goal, layer)):
            return depth
        found = {puzzle.apply(one, action) for one in layer for action in puzzle.legal_actions(one)}
        layer, depth = list(found - seen), depth + 1
        seen |= found
    return None


def truth(puzzle: Any, state: Any) -> tuple[int, int]:
    """(how many win, how many keep the fewest)"""
    least = fewest(puzzle, state)
    after = [fewest(puzzle, puzzle.apply(state, action)) for action in puzzle.legal_actions(state)]
    return sum(one is not None for one in after), sum(least is not None and one == least - 1 for one in after)


def agrees(share: Share | None, true: int) -> bool:
    return share is None or share.yes <= true <= share.yes + share.open


def asked(known: ByProof, state: Any, nodes: int) -> list[Margin]:
    known.learn(state, finish(known.game.live_solver(known.puzzle)(known.puzzle, state, Budget(10), 0)))
    return told(margins(known, state, Budget(10, nodes)))


def check(known: ByProof, state: Any, nodes: int) -> None:
    """Whatever is told is true, what is left is told to be open, and without a limit nothing is left."""
    puzzle = known.puzzle
    wins, keeps = truth(puzzle, state)
    found = asked(known, state, nodes)
    assert bool(found) == bool(puzzle.legal_actions(state))
    for margin in found:
        assert margin.legal == len(puzzle.legal_actions(state))
        assert agrees(margin.wins, wins)
        assert agrees(margin.fewest, keeps)
    if found and nodes == 10**9:
        assert found[-1].is_exact
    for action in puzzle.legal_actions(state):
        if (line := known.line(after := puzzle.apply(state, action))) is not None:
            assert puzzle.is_goal(replay(puzzle, line, after))


@given(games, few)
def test_triple(game: tuple[int, list[int]], nodes: int) -> None:
    end = played(*game)
    puzzle = small(game[0])
    for state in (end.states[0], end.states[len(end.states) // 2], end.states[-1]):
        known = ByProof(TRIPLE, puzzle)
        wins = sum(winnable(game[0], puzzle.apply(state, action)) for action in puzzle.legal_actions(state))
        found = asked(known, state, nodes)
        assert all(agrees(margin.wins, wins) and margin.fewest is None for margin in found)
        if found and nodes == 10**9:
            assert found[-1].wins == Share(wins, 0)


@given(games, few)
def test_positions_share_a_search_of_the_one_before(game: tuple[int, list[int]], nodes: int) -> None:
    seed, end = game[0], played(*game)
    puzzle, state = small(seed), end.states[len(end.states) // 2]
    solve = SolverAfter(state)
    for _ in range(2):
        for action in puzzle.legal_actions(state):
            after = puzzle.apply(state, action)
            status = finish(solve(puzzle, after, Budget(expanded=nodes), 0)).status
            assert status in (("solved" if winnable(seed, after) else "unsolvable"), "budget")
            assert status != "budget" or nodes < 10**9


@settings(max_examples=30)
@given(boards, st.sampled_from([None, 0, 1, 2]), st.booleans(), few)
def test_drops(board: list[str], slack: int | None, is_open: bool, nodes: int) -> None:
    par = fewest(Drops(free := DropsLevel(board=tuple(board))), Drops(free).initial())
    assert par is not None
    level = DropsLevel(board=tuple(board), drops=None if slack is None else par + slack, open=is_open)
    if is_open and slack is None:
        return  # the naive search would have no end
    puzzle = Drops(level)
    known = ByProof(DROPS, puzzle)
    if is_open:
        wins, keeps = truth(puzzle, puzzle.initial())
        found = asked(known, puzzle.initial(), nodes)
        assert all(agrees(margin.wins, wins) and agrees(margin.fewest, keeps) for margin in found)
    else:
        check(known, puzzle.initial(), nodes)


def test_a_tank_asks_for_wins_alone() -> None:
    puzzle = Drops(DropsLevel(board=("44", "44"), drops=2, every=3))
    *_, margin = told(margins(ByProof(DROPS, puzzle), puzzle.initial(), Budget(10)))
    assert margin == Margin(4, Share(4, 0), None)


@settings(max_examples=30)
@given(colours, st.sampled_from([None, 0, 1, 2]), few)
def test_rotate(cells: list[int], slack: int | None, nodes: int) -> None:
    board = tuple(tuple(cells[row : row + 3]) for row in (0, 3, 6))
    par = fewest(Rotate(free := RotateLevel(board)), Rotate(free).initial())
    if par is None:
        return
    puzzle = Rotate(RotateLevel(board, turns=None if slack is None else max(1, par + slack)))
    check(ByProof(ROTATE, puzzle), puzzle.initial(), nodes)


@pytest.mark.parametrize("nodes", [30, 10**9])
@settings(max_examples=20)
@given(board=boards, cells=colours)
def test_few_actions_suffice_or_not(nodes: int, board: list[str], cells: list[int]) -> None:
    turning = Rotate(RotateLevel(tuple(tuple(cells[row : row + 3]) for row in (0, 3, 6))))
    dropping = Drops(DropsLevel(board=tuple(board)))
    cases: list[tuple[ProvesFewest, Any]] = [(ROTATE, turning), (DROPS, dropping)]
    for game, puzzle in cases:
        least, state, within = fewest(puzzle, puzzle.initial()), puzzle.initial(), game.within(puzzle)
        assert within is not None
        for most in range(1, 8):
            found = finish(within(state, most, Budget(expanded=nodes)))
            if found.status == "solved":
                assert len(found.actions) == least
                assert puzzle.is_goal(replay(puzzle, found.actions))
            elif found.status == "unsolvable":
                assert least is None or least > most, (most, least)
            else:
                assert nodes < 10**9


def test_what_is_known_costs_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second time, and for those who look at a state that follows."""
    puzzle = small(3)
    known = ByProof(TRIPLE, puzzle)
    *_, margin = asked(known, puzzle.initial(), 10**9)
    assert margin.is_exact
    monkeypatch.setattr(margin_module._Count, "look", Mock(side_effect=AssertionError("a search")))  # pyright: ignore[reportPrivateUsage]
    assert told(margins(known, puzzle.initial(), Budget())) == [margin]
    after = [puzzle.apply(puzzle.initial(), action) for action in puzzle.legal_actions(puzzle.initial())]
    assert "unknown" not in map(known.verdict, after)


def test_a_cancelled_budget_ends_it() -> None:
    puzzle, budget = small(3), Budget()
    known = ByProof(TRIPLE, puzzle)
    stream = margins(known, puzzle.initial(), budget)
    first = next(stream)
    budget.cancel()
    assert not told(stream)
    assert isinstance(first, Margin)
    assert first == open_margin(known, puzzle.initial())
    assert first.wins is not None
    assert first.wins.open


def test_where_many_actions_lead_is_found_out_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "POLL_SECONDS", 0.0)
    puzzle, budget = small(3), Budget()
    known = ByProof(TRIPLE, puzzle)
    stream, legal = margins(known, puzzle.initial(), budget), puzzle.legal_actions(puzzle.initial())
    assert all(isinstance(one, Progress) for one in islice(stream, len(legal)))
    budget.cancel()
    assert told(margins(known, puzzle.initial(), budget)) == [open_margin(known, puzzle.initial())]


def test_a_count_that_is_dropped_keeps_what_it_learned() -> None:
    puzzle = small(3)
    known = ByProof(TRIPLE, puzzle)
    stream = margins(known, puzzle.initial(), Budget())
    heard = list(islice((one for one in stream if isinstance(one, Margin)), 3))
    del stream
    assert all(margin.wins is not None for margin in heard)
    shares = [margin.wins for margin in heard if margin.wins is not None]
    assert shares[0].open > shares[1].open > shares[2].open
    assert told(margins(known, puzzle.initial(), Budget(0))) == heard[-1:]
