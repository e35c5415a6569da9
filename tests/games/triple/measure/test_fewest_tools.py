"""The fewest uses of tools, and what solves the variant, against brute force."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Collection

from msgspec.structs import replace

from tests.games.triple.naive_triple import random_level
from winnable.contract.core import Budget, finish, replay
from winnable.games.triple.measure.fewest_tools import TOOL_SETS, fewest_of_each, fewest_tools
from winnable.games.triple.rules.level import Level, Tools
from winnable.games.triple.rules.tools import ToolsState, TripleWithTools
from winnable.games.triple.solve.solver import solve_auto
from winnable.games.triple.solve.tools_solver import solve_with_tools


def brute_force(puzzle: TripleWithTools, tools: Collection[int]) -> int | None:
    """The fewest uses with which a line of the rules wins, by breadth first over the uses."""
    count = len(puzzle.level.tiles)
    waiting, seen = deque([(0, puzzle.initial())]), set[ToolsState]()
    while waiting:
        uses, state = waiting.popleft()
        if puzzle.is_goal(state):
            return uses
        if state in seen:
            continue
        seen.add(state)
        for action in puzzle.legal_actions(state):
            if action < count:
                waiting.appendleft((uses, puzzle.apply(state, action)))
            elif action - count in tools:
                waiting.append((uses + 1, puzzle.apply(state, action)))
    return None


def tiny_level(rng: random.Random) -> Level:
    tools = Tools(rng.randrange(2), rng.randrange(4), rng.randrange(2), seed=rng.randrange(100))
    level = random_level(rng, most_tiles=9)
    return replace(level, slots=3, tools=tools)


def test_they_are_the_fewest_and_the_solver_finds_a_line_when_there_is_one() -> None:
    rng = random.Random(1)
    fewest = list[int | None]()
    for _ in range(40):
        level = tiny_level(rng)
        puzzle = TripleWithTools(level)
        for name, found in finish(fewest_of_each(level, lambda: Budget(60))).items():
            fewest.append(brute_force(puzzle, TOOL_SETS[name]))
            assert found.exact
            assert found.won == fewest[-1]
            if found.won is not None:
                assert puzzle.is_goal(replay(puzzle, found.line))
                assert sum(action >= len(level.tiles) for action in found.line) == found.won
        result = finish(solve_with_tools(solve_auto, puzzle, puzzle.initial(), Budget(60), 0))
        assert result.status == ("unsolvable" if fewest[-1] is None else "solved")
        if result.status == "solved":
            assert puzzle.is_goal(replay(puzzle, result.actions))
    assert {None, 0, 1, 2} <= set(fewest)


def test_from_positions_on_the_way() -> None:
    rng = random.Random(2)
    statuses = list[str]()
    while len(statuses) < 120:
        level = tiny_level(rng)
        puzzle = TripleWithTools(replace(level, tools=Tools(1, rng.randrange(2), len(statuses) % 3 == 0)))
        state = puzzle.initial()
        for _ in range(rng.randrange(8)):
            if actions := puzzle.legal_actions(state):
                state = puzzle.apply(state, rng.choice(actions))
        result = finish(solve_with_tools(solve_auto, puzzle, state, Budget(60), 0))
        statuses.append(result.status)
        if result.status == "solved":
            assert puzzle.is_goal(replay(puzzle, result.actions, state))
        else:
            assert _no_line(puzzle, state)
    assert statuses.count("solved") > 5
    assert statuses.count("unsolvable") > 5


def _no_line(puzzle: TripleWithTools, state: ToolsState) -> bool:
    waiting, seen = [state], set[ToolsState]()
    while waiting:
        here = waiting.pop()
        if puzzle.is_goal(here):
            return False
        if here not in seen:
            seen.add(here)
            waiting += [puzzle.apply(here, action) for action in puzzle.legal_actions(here)]
    return True


def test_what_is_not_known_is_not_claimed() -> None:
    level = random_level(random.Random(1))
    found = finish(fewest_tools(level, TOOL_SETS["move-outs"], Budget(seconds=0)))
    assert (found.lost, found.won, found.most) == (-1, None, 9)
