"""The exhaustive search against breadth-first search by the readable rules."""

from __future__ import annotations

import math
import random
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from tests.games.drops.boards import RULES
from tests.games.drops.brute_force import fewest
from winnable.contract.core import Budget, finish, replay
from winnable.games.drops.rules.level import FULL, Level, RuleName
from winnable.games.drops.rules.puzzle import Drops, need
from winnable.games.drops.solve import exact, search_kernels
from winnable.games.drops.solve.exact import ExactSearch
from winnable.games.drops.solve.price_kernels import SCALE
from winnable.search.meter import Meter

SHAPES = ((1, 1), (1, 6), (6, 1), (2, 2), (2, 3), (3, 2), (3, 3), (1, 9), (2, 5), (4, 3), (3, 5), (4, 4))
DIGITS = ("01234", "000034", "000012", "0034", "0123", "34", "001", "00004", "13")
MOST_STATES = 4_000
NO_LIMIT = 10_000
MEMORY = 1 << 26


def small_level(rng: random.Random, rules: RuleName, open: bool = False) -> Level:
    """A board with few reachable states: a cell holds no less than at first, or nothing for good."""
    while True:
        rows, columns = rng.choice(SHAPES)
        digits = rng.choice(DIGITS)
        board = tuple("".join(rng.choice(digits) for _ in range(columns)) for _ in range(rows))
        states = math.prod(FULL + 2 - int(cell) for row in board for cell in row if cell != "0")
        if 1 < states <= MOST_STATES:
            return Level(board, rules=rules, open=open)


@cache
def solved_by_brute_force(rules: RuleName, count: int, seed: int = 0) -> list[tuple[Drops, int]]:
    """Levels and their fewest clicks."""
    rng = random.Random(f"{rules} {seed}")
    puzzles = [Drops(small_level(rng, rules)) for _ in range(count)]
    return [(puzzle, fewest(puzzle, puzzle.initial())) for puzzle in puzzles]


def components(puzzle: Drops, search: ExactSearch) -> list[bytes]:
    return search.components(puzzle.level.cells)


def search_for(puzzle: Drops, memory: int = MEMORY) -> ExactSearch:
    return ExactSearch(puzzle.level, memory)


def fewest_by_search(puzzle: Drops, search: ExactSearch, highest: int = NO_LIMIT) -> int:
    total = 0
    for part in components(puzzle, search):
        *_, last = search.prove(part, highest)
        total += last
    return total


@pytest.mark.parametrize("rules", RULES)
def test_the_fewest_clicks_are_those_of_breadth_first_search(rules: RuleName) -> None:
    found = solved_by_brute_force(rules, 120)
    assert len({clicks for _, clicks in found}) > 6, "easy and hard ones"
    assert sum(len(components(puzzle, search_for(puzzle))) > 1 for puzzle, _ in found) > 5
    for puzzle, clicks in found:
        assert fewest_by_search(puzzle, search_for(puzzle)) == clicks, puzzle.level.board


@pytest.mark.parametrize("rules", RULES)
def test_lines_have_the_proved_length_and_clear_the_board(rules: RuleName) -> None:
    for puzzle, clicks in solved_by_brute_force(rules, 120):
        search = search_for(puzzle)
        line: list[int] = []
        for part in components(puzzle, search):
            *_, last = search.prove(part, NO_LIMIT)
            found = finish(search.line(part, Meter(Budget())))
            assert found is not None
            assert len(found) == last
            line += found
        assert len(line) == clicks
        assert puzzle.is_goal(replay(puzzle, line))


@pytest.mark.parametrize("rules", RULES)
def test_a_board_of_one_component_asked_with_too_few_clicks(rules: RuleName) -> None:
    """The answer says that it takes more; asked again with more clicks, the table does not mislead."""
    asked = 0
    for puzzle, clicks in solved_by_brute_force(rules, 120):
        search = search_for(puzzle)
        parts = components(puzzle, search)
        if len(parts) > 1 or bound_of(search, parts[0]) == clicks:
            continue
        for highest in range(bound_of(search, parts[0]), clicks):
            *_, last = search.prove(parts[0], highest)
            assert last == highest + 1
        *_, last = search.prove(parts[0], clicks)
        assert last == clicks
        asked += 1
    assert asked > 3


def test_what_each_slice_proves_is_no_more_than_the_fewest_clicks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "SLICE", 1)
    rising = 0
    for rules in RULES:
        for puzzle, clicks in solved_by_brute_force(rules, 120):
            search = search_for(puzzle)
            parts = components(puzzle, search)
            assert sum(bound_of(search, part) for part in parts) <= clicks
            if len(parts) == 1:
                proved = list(search.prove(parts[0], NO_LIMIT))
                assert proved == sorted(proved)
                assert proved[-1] == clicks
                rising += proved[0] < clicks
    assert rising > 10


def test_less_is_asked_for_between_two_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a beam finds a line meanwhile: the answer is then at most one more."""
    monkeypatch.setattr(exact, "SLICE", 1)
    lowered = 0
    for puzzle, clicks in solved_by_brute_force("classic", 120):
        search = search_for(puzzle)
        part = components(puzzle, search)[0]
        if len(components(puzzle, search)) > 1 or bound_of(search, part) > clicks - 2:
            continue
        proof = search.prove(part, NO_LIMIT)
        next(proof)
        search.lower_highest(clicks - 1)
        *_, last = proof
        assert last == clicks
        lowered += 1
    assert lowered > 0


def test_the_table_grows_and_a_tiny_one_loses_nothing_but_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four entries, of which three give way all the time, and as many as the memory allows."""
    monkeypatch.setattr(exact, "FIRST_ENTRIES", 4)
    monkeypatch.setattr(exact, "SLICE", 50)
    rng = random.Random(10)
    sizes: list[int] = []
    for rules in RULES:
        for _ in range(6):
            level = Level(
                tuple("".join(rng.choice("01234") for _ in range(5)) for _ in range(5)), rules=rules
            )
            tiny, growing = search_for(Drops(level), memory=0), search_for(Drops(level))
            assert fewest_by_search(Drops(level), tiny) == fewest_by_search(Drops(level), growing)
            assert table_entries(tiny) == 4
            sizes.append(table_entries(growing))
    assert max(sizes) >= 256


def bound_of(search: ExactSearch, part: bytes) -> int:
    return finish(search.lower_bound(part, Meter(Budget())))


def table_entries(search: ExactSearch) -> int:
    work: search_kernels.Workspace = vars(search)["_work"]
    return work.table.info.size


def test_what_is_proved_of_one_board_serves_others_without_harm() -> None:
    """One search for many boards of a shape, each asked about twice."""
    rng = random.Random(5)
    for rules in RULES:
        search = ExactSearch(Level(("111",) * 3, rules=rules), MEMORY)
        for _ in range(25):
            board = tuple("".join(rng.choice("00234") for _ in range(3)) for _ in range(3))
            if set("".join(board)) != {"0"}:
                puzzle = Drops(Level(board, rules=rules))
                clicks = fewest(puzzle, puzzle.initial())
                assert fewest_by_search(puzzle, search) == clicks
                assert fewest_by_search(puzzle, search) == clicks


# The weights of a price are looked for only after thousands of chains, which no board takes that brute force
# can solve. So here every frame gets weights at once: the loop, and what weighs, runs as plain Python.


def readable(function: Any) -> Any:
    return getattr(function, "py_func", function)


@pytest.fixture
def weights_at_once(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(search_kernels, "WEIGH_AFTER", -1)
    monkeypatch.setattr(search_kernels, "FIRST_ROUNDS", 12)
    monkeypatch.setattr(search_kernels, "MOST_ROUNDS", 100)
    for name in ("is_due", "weigh_on", "next_trigger", "go_back", "search"):
        monkeypatch.setattr(search_kernels, name, readable(getattr(search_kernels, name)))
    return search_kernels


@pytest.mark.parametrize("rules", RULES)
def test_the_fewest_clicks_with_prices_everywhere(rules: RuleName, weights_at_once: ModuleType) -> None:
    for puzzle, clicks in solved_by_brute_force(rules, 8):
        if max(puzzle.rows, puzzle.columns) <= 8:
            assert fewest_by_search(puzzle, search_for(puzzle)) == clicks, puzzle.level.board


@pytest.fixture(scope="module")
def larger() -> list[tuple[Drops, int]]:
    """Boards with several phases and parts, and their fewest clicks by the search before it weighs any."""
    rng = random.Random(11)
    found: list[tuple[Drops, int]] = []
    while len(found) < 32:
        board = tuple("".join(rng.choice("01203") for _ in range(4)) for _ in range(4))
        puzzle = Drops(Level(board, rules=RULES[len(found) % 4]))
        search = search_for(puzzle)
        clicks = fewest_by_search(puzzle, search)
        if 100 < search.generated < 1_500 < search_kernels.WEIGH_AFTER:
            found.append((puzzle, clicks))
    return found


def test_prices_change_no_answer_on_larger_boards(
    larger: list[tuple[Drops, int]], weights_at_once: ModuleType
) -> None:
    for puzzle, clicks in larger:
        assert fewest_by_search(puzzle, search_for(puzzle)) == clicks, puzzle.level.board


@pytest.mark.parametrize("rules", RULES)
def test_no_weights_whatever_change_the_answer(
    rules: RuleName,
    larger: list[tuple[Drops, int]],
    weights_at_once: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are drawn at random; among them are 0 and SCALE."""
    rng = random.Random(7)
    drawn = 0

    def draw(cells: Any, geometry: Any, weights: Any, *_: Any) -> int:
        nonlocal drawn
        drawn += 1
        top = rng.choice((0, SCALE, 2 * SCALE))
        for cell in range(int(geometry.cells)):
            weights[cell] = min(SCALE, rng.randint(0, top))
        return 0

    monkeypatch.setattr(weights_at_once, "weigh", draw)
    for puzzle, clicks in solved_by_brute_force(rules, 24) + larger:
        if puzzle.level.rules == rules and max(puzzle.rows, puzzle.columns) <= 8:
            assert fewest_by_search(puzzle, search_for(puzzle)) == clicks, puzzle.level.board
    assert drawn > 20


def test_the_bound_without_search_is_met_by_boards_of_single_cells() -> None:
    rng = random.Random(3)
    for side in (1, 2, 5):
        board = tuple(f"{rng.randint(1, 4)}".rjust(place + 1, "0").ljust(side, "0") for place in range(side))
        puzzle = Drops(Level(board))
        search = search_for(puzzle)
        parts = components(puzzle, search)
        assert len(parts) == side
        assert sum(bound_of(search, part) for part in parts) == need(puzzle.level.cells)
        assert fewest_by_search(puzzle, search) == need(puzzle.level.cells)
