"""The article's solvers against readable twins, exact distances and their own limits."""

import heapq
import json
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from bench.drops import article_table as drops_article_table
from tests import fresh_python
from tests.driving import driven
from tests.games.drops.boards import RULES
from tests.games.drops.test_recorded import recorded
from winnable.contract.core import Answer, Budget, IllegalAction, Limit, Progress, finish, replay
from winnable.contract.methods import Settable
from winnable.games.drops.article import kernels as article_kernels
from winnable.games.drops.article import search as article_search
from winnable.games.drops.article.genetic import Population
from winnable.games.drops.article.search import UNLIMITED, TreeSearch, question_of, workspace_for
from winnable.games.drops.article.settings import Evolution, Weighted, WithinDepth
from winnable.games.drops.article.solver import solve_a
from winnable.games.drops.game import GAME
from winnable.games.drops.levels.text import parse_board
from winnable.games.drops.rules.level import Flash, Level, RuleName
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.search.meter import Meter

NAMES = ("bfs", "a", "a-star", "genetic")
METHODS = {
    "bfs": (article_kernels.BREADTH_FIRST, 1, 4),
    "a": (article_kernels.A, 2, UNLIMITED),
    "a-star": (article_kernels.A_STAR, 1, 4),
}
ALL_ONES = Level(board=("111111",) * 6)
COUNTEREXAMPLE = "004444400/004444400/004444400/004444400/100000001/010000010"
ELEVEN_CLICKS = (38, 42, 48, 50, 31, 36, 36, 44, 46, 46, 52)


def solve(name: str, puzzle: Drops, state: State | None = None, budget: Budget | None = None) -> Answer:
    return finish(GAME.solvers[name](puzzle, state or puzzle.initial(), budget or Budget(), 0))


def estimate_a(cells: bytes, columns: int) -> int:
    """h1 + h2, by the article's words."""
    isolated = sum(drops > 0 and others == 0 for drops, others in with_others(cells, columns))
    return -5 * cells.count(0) - sum(cells) + 3 * isolated


def estimate_a_star(cells: bytes, columns: int) -> int:
    return sum(5 - min(5, drops + others) for drops, others in with_others(cells, columns) if drops)


ESTIMATES: dict[str, Callable[[bytes, int], int]] = {
    "bfs": lambda cells, columns: 0,
    "a": estimate_a,
    "a-star": estimate_a_star,
}


def with_others(cells: bytes, columns: int) -> Iterator[tuple[int, int]]:
    """The drops of each cell, and how many other cells of its row and column hold some."""
    in_row = [columns - cells[start : start + columns].count(0) for start in range(0, len(cells), columns)]
    in_column = [len(in_row) - cells[start::columns].count(0) for start in range(columns)]
    for cell, drops in enumerate(cells):
        yield drops, in_row[cell // columns] + in_column[cell % columns] - (2 if drops else 0)


def random_levels(count: int, seed: int, cells: int, **given: Any) -> Iterator[Level]:
    """With at most so many cells, in all rule sets by turns, half of the cells empty or all alike often."""
    rng = random.Random(seed)
    for index in range(count):
        rows = rng.randint(1, cells)
        columns = rng.randint(1, cells // rows)
        digits = rng.choice(["01234", "00014", "0344", "1124", "4"])
        board = ["".join(rng.choice(digits) for _ in range(columns)) for _ in range(rows)]
        if not any("".join(board).strip("0")):
            board[0] = "3" + board[0][1:]
        yield Level(tuple(board), rules=RULES[index % 4], **given)


@lru_cache(1)
def puzzles(count: int, seed: int, cells: int, **given: Any) -> list[Drops]:
    """Of random levels; they remember their chains from one test to the next."""
    return [Drops(level) for level in random_levels(count, seed, cells, **given)]


def all_clicks(puzzle: Drops) -> dict[State, list[State]]:
    """Each state that can be reached, and what its clicks lead to."""
    found, after = [puzzle.initial()], dict[State, list[State]]()
    for state in found:
        if state not in after:
            after[state] = [puzzle.apply(state, action) for action in puzzle.legal_actions(state)]
            found += after[state]
    return after


def distances(puzzle: Drops, after: dict[State, list[State]] | None = None) -> dict[State, int]:
    """The fewest clicks to an empty board from each state that can be reached; without those that cannot."""
    after = all_clicks(puzzle) if after is None else after
    before: dict[State, list[State]] = {state: [] for state in after}
    for state, children in after.items():
        for child in children:
            before[child].append(state)
    known = {state: 0 for state in after if puzzle.is_goal(state)}
    queue = list(known)
    for state in queue:
        for earlier in before[state]:
            if earlier not in known:
                known[earlier] = known[state] + 1
                queue.append(earlier)
    return known


@pytest.mark.parametrize("rules", RULES)
def test_a25_the_estimate_of_a_star_is_admissible_and_consistent_without_open(rules: RuleName) -> None:
    compared = tight = 0
    for level in random_levels(40, 7, 7):
        puzzle = Drops(Level(level.board, rules=rules))
        after = all_clicks(puzzle)
        estimates = {state: estimate_a_star(state.cells, puzzle.columns) for state in after}
        for state, clicks in distances(puzzle, after).items():
            assert estimates[state] <= clicks, (rules, state)
            for child in after[state]:
                assert estimates[state] - estimates[child] <= 1, (rules, state, child)
            compared += 1
            tight += estimates[state] == clicks
    assert compared > 3000
    assert tight > 100


@pytest.mark.parametrize("rules", RULES)
def test_a25_the_estimate_of_a_star_is_not_admissible_with_open(rules: RuleName) -> None:
    puzzle = Drops(parse_board(f"{COUNTEREXAMPLE},rules={rules},open"))
    assert puzzle.is_goal(replay(puzzle, ELEVEN_CLICKS))
    assert estimate_a_star(puzzle.initial().cells, puzzle.columns) == 12 > len(ELEVEN_CLICKS)


@pytest.mark.parametrize(("code", "optimal"), [("404", True), ("404,open", False)])
def test_a25_no_optimum_is_claimed_where_empty_cells_may_be_clicked(code: str, optimal: bool) -> None:
    result = solve("a-star", Drops(parse_board(code)))
    assert (result.status, result.optimal) == ("solved", optimal)


def test_open_levels_can_take_fewer_clicks() -> None:
    """A drop on each empty cell of the last row, and one burst above them: 5 clicks instead of 8."""
    code = "044440/044440/044440/044440/100001"
    closed, opened = Drops(parse_board(code)), Drops(parse_board(f"{code},open"))
    assert distances(closed)[closed.initial()] == 8
    assert opened.is_goal(replay(opened, (25, 26, 27, 28, 13)))


def test_the_estimate_of_a_star_is_not_consistent_with_open() -> None:
    puzzle = Drops(parse_board("010/101/010,open"))
    state = puzzle.initial()
    after = puzzle.apply(state, 4)
    assert estimate_a_star(state.cells, 3) - estimate_a_star(after.cells, 3) == 4


def test_a22_a24_a25_compiled_estimates_are_the_readable_ones() -> None:
    for level in random_levels(200, 3, 40):
        puzzle = Drops(level)
        for name, readable in ESTIMATES.items():
            question = question_of(puzzle, puzzle.initial(), *METHODS[name])
            work = workspace_for(puzzle, puzzle.initial())
            found = article_kernels.estimate(work, question.method)
            assert found == readable(level.cells, level.columns), level


def readable_search(name: str, puzzle: Drops, most: int, k: float) -> tuple[str, tuple[int, ...], int]:
    """How a search ends that expands at most so many states, its line, and how many states it expanded."""
    depth, weight = METHODS[name][2], int(1000 * Fraction(str(k)))
    estimate = ESTIMATES[name]
    gains = puzzle.level.flash is not None or puzzle.level.every is not None
    lines: dict[Any, tuple[int, ...]] = {}
    ages: dict[Any, int] = {}
    ranks: dict[Any, int] = {}
    heap: list[tuple[int, int, State]] = []

    def add(state: State, line: tuple[int, ...]) -> None:
        key = state if gains else state.cells
        if key not in lines or len(line) < len(lines[key]):
            lines[key] = line
            age = ages.setdefault(key, len(ages))
            ranks[key] = weight * len(line) + 1000 * estimate(state.cells, puzzle.columns)
            heapq.heappush(heap, (ranks[key], age, state))

    add(puzzle.initial(), ())
    expanded, cut = 0, False
    while heap and expanded < most:
        rank, _, state = heapq.heappop(heap)
        key = state if gains else state.cells
        if rank != ranks[key]:
            continue
        line = lines[key]
        if puzzle.is_goal(state):
            return "solved", line, expanded
        legal = puzzle.legal_actions(state)
        if legal and len(line) >= depth:
            cut = True
            continue
        expanded += bool(legal)
        for action in legal:
            add(puzzle.apply(state, action), (*line, action))
    return "budget" if heap or cut else "unsolvable", (), expanded


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    "given",
    [
        {}, {"open": True}, {"drops": 3}, {"drops": 7, "open": True}, {"flash": Flash(1), "drops": 4},
        {"drops": 4, "every": 3}, {"drops": 5, "every": 2, "open": True},
    ],
    ids=str,
)  # fmt: skip
def test_searches_go_the_way_of_their_readable_twins(name: str, given: dict[str, Any]) -> None:
    ends: set[str] = set()
    for puzzle in puzzles(24, 11, 12, **given):
        level, state, (method, k, depth) = puzzle.level, puzzle.initial(), METHODS[name]
        status, line, expanded = readable_search(name, puzzle, 250, k)
        search, meter = (
            TreeSearch(puzzle, state, question_of(puzzle, state, method, k, depth)),
            Meter(Budget(expanded=250)),
        )
        solved = finish(search.run(meter, name))
        assert ("solved" if solved else "unsolvable" if search.is_exhausted else "budget") == status, level
        assert (search.line() if solved else (), meter.expanded) == (line, expanded), level
        ends.add(status)
    assert "solved" in ends
    assert "unsolvable" in ends or given.get("drops", 9) > 4


@pytest.mark.parametrize("k", [0, 0.125, 1, 3.5, 200])
def test_every_k_goes_the_way_of_the_readable_twin(k: float) -> None:
    for puzzle in puzzles(20, 12, 12):
        result = finish(solve_a(puzzle, puzzle.initial(), Budget(expanded=250), 0, Weighted(k=k)))
        assert (result.status, result.actions, result.expanded) == readable_search("a", puzzle, 250, k), (
            puzzle.level
        )


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"open": True},
        {"drops": 2},
        {"drops": 4},
        {"drops": 6},
        {"flash": Flash(1), "drops": 3},
        {"drops": 3, "every": 3},
    ],
    ids=str,
)
def test_verdicts_are_those_of_exact_distances(given: dict[str, Any]) -> None:
    for level in random_levels(24, 5, 5, **given):
        puzzle = Drops(level)
        exact = distances(puzzle)
        clicks = exact.get(puzzle.initial())
        free = Drops(msgspec.structs.replace(level, drops=None, every=None, flash=None))
        shortest = (exact if free.level == level else distances(free))[free.initial()]
        for name in METHODS:
            result = solve(name, puzzle)
            if result.limit is not None and result.limit.kind == "supply":
                check_supply(puzzle, result)
                assert name != "bfs" or result.lower_bound == shortest
                continue
            if result.status == "solved":
                assert clicks is not None
                assert puzzle.is_goal(replay(puzzle, result.actions))
                assert result.cost == len(result.actions) >= clicks
                if result.optimal:
                    assert result.cost == clicks == result.lower_bound
            if name == "a":
                assert result.status == "solved"
                assert not result.optimal
            elif shortest <= 4:
                assert result.status == "solved"
                assert result.optimal == (name == "bfs" or not level.open)
            else:
                assert (result.status, result.limit) == ("budget", Limit("depth", 4))
                assert result.lower_bound is not None
                assert 5 <= result.lower_bound <= shortest
                assert name == "a-star" or result.lower_bound == 5


def check_supply(puzzle: Drops, result: Answer) -> None:
    """A line for which the tank does not last, but would with just the drops named."""
    best, state = result.best, puzzle.initial()
    assert (result.status, result.actions) == ("budget", ())
    assert best is not None
    assert (best.measure, best.target) == ("tank-needed", state.left)
    assert state.left is not None
    assert best.value > state.left
    needed = int(best.value)
    assert puzzle.is_goal(replay(puzzle, best.actions, state._replace(left=needed)))
    with pytest.raises(IllegalAction):
        replay(puzzle, best.actions, state._replace(left=needed - 1))


def test_all_ones_as_the_seed_tells_it() -> None:
    """Its hardest level: breadth-first and A* end at their depth, A and the genetic algorithm find lines."""
    puzzle = Drops(ALL_ONES)
    for name, promise in (("bfs", 5), ("a-star", 36)):
        result = solve(name, puzzle)
        assert (result.status, result.actions, result.optimal) == ("budget", (), False)
        assert result.lower_bound is not None
        assert 5 <= result.lower_bound <= promise
    by_a, by_genes = solve("a", puzzle), solve("genetic", puzzle)
    assert by_a.cost is not None
    assert by_genes.cost is not None
    assert 36 <= by_genes.cost <= 50, "36 is the optimum, 50 the length of its sequences"
    assert by_genes.cost < by_a.cost
    assert by_genes.expanded == 500 * 200
    for result in (by_a, by_genes):
        assert puzzle.is_goal(replay(puzzle, result.actions))
        assert (result.optimal, result.lower_bound) == (False, None)


@pytest.mark.parametrize("name", ["bfs", "a-star"])
def test_recorded_levels_of_up_to_four_clicks_are_proved(name: str) -> None:
    for entry in recorded("classic")[:12]:
        puzzle = Drops(Level(tuple(entry["board"].split("/"))))
        result = solve(name, puzzle)
        if entry["budget"] <= 4:
            assert (result.status, result.cost, result.optimal) == ("solved", entry["budget"], True)
        else:
            assert (result.status, result.lower_bound) == ("budget", 5)


def naive_game(puzzle: Drops, genome: list[int]) -> tuple[int, int]:
    """The clicks that a sequence makes, and the drops that stay."""
    state, clicks = puzzle.initial()._replace(left=None), 0
    for cell in genome:
        if cell in puzzle.legal_actions(state):
            state, clicks = puzzle.apply(state, cell), clicks + 1
    return clicks, sum(state.cells)


@pytest.mark.parametrize(
    "given",
    [{}, {"open": True}, {"drops": 9}],
    ids=str,
)
def test_sequences_are_played_by_the_rules(given: dict[str, Any]) -> None:
    rng = random.Random(2)
    for level in random_levels(40, 13, 16, **given):
        puzzle = Drops(level)
        state = puzzle.initial()
        question = question_of(puzzle, state, article_kernels.BREADTH_FIRST)
        work = workspace_for(puzzle, state)
        genomes = [[rng.randrange(puzzle.num_actions) for _ in range(50)] for _ in range(10)]
        result = np.zeros((10, 2), np.int64)
        article_kernels.play_genomes(np.array(genomes), work.parent.copy(), question, work, result)
        assert [tuple(row) for row in result.tolist()] == [naive_game(puzzle, row) for row in genomes], level


def test_the_genetic_algorithm_has_the_fitness_of_the_article() -> None:
    puzzle = Drops(parse_board("1111/1111/1111"))
    population = Population(puzzle, puzzle.initial(), 3, Evolution())
    meter = Meter(Budget(expanded=500))
    assert not finish(population.run(meter))
    genomes, losses = population.genetic.population
    for genome, loss in zip(genomes.tolist(), losses, strict=True):
        clicks, drops = naive_game(puzzle, genome)
        assert -loss == 4 * 12 + (4 * (50 - clicks) if drops == 0 else -drops)


def test_the_genetic_algorithm_follows_its_seed() -> None:
    puzzle = Drops(parse_board("4120/0304/1100"))
    lines = [
        finish(GAME.solvers["genetic"](puzzle, puzzle.initial(), Budget(expanded=1500), seed)).actions
        for seed in (3, 3, 4)
    ]
    assert puzzle.is_goal(replay(puzzle, lines[0]))
    assert lines[0] == lines[1] != lines[2]


def test_a_board_that_needs_more_than_fifty_clicks_is_beyond_the_genetic_algorithm() -> None:
    told: list[Progress] = []
    puzzle = Drops(Level(board=tuple("0" * row + "1" + "0" * (13 - row) for row in range(14))))
    method = GAME.solvers["genetic"]
    assert isinstance(method, Settable)
    short = method.set(Evolution(generations=20))
    result = driven(short(puzzle, puzzle.initial(), Budget(), 0), told.append)
    assert (result.status, result.limit) == ("budget", Limit("generations", 20))
    assert result.best is not None
    end = replay(puzzle, result.best.actions)
    assert (result.best.measure, result.best.value) == ("drops-left", sum(end.cells))
    told = [progress for progress in told if progress.stage != "line"]
    assert {progress.stage for progress in told} == {"genetic.left"}
    assert told[-1].values["generation"] == 20
    assert told[-1].values["best"] <= 4 * 14**2 - result.best.value


def test_a_line_that_no_other_beats_ends_the_genetic_algorithm() -> None:
    puzzle = Drops(parse_board("44/44"))
    result = solve("genetic", puzzle)
    assert (result.status, result.cost) == ("solved", 1)
    assert result.expanded == 500, "its first generation"


def test_a_sequence_is_the_best_where_it_is_driest_and_the_tank_lasts() -> None:
    lengths: set[int] = set()
    diagonal = tuple("0" * row + "14"[row % 2] + "0" * (13 - row) for row in range(14))
    for drops in (1, 3, None):
        puzzle = Drops(Level(diagonal, drops=drops))
        result = finish(GAME.solvers["genetic"](puzzle, puzzle.initial(), Budget(expanded=100), 0))
        assert result.best is not None
        state, clicks = puzzle.initial(), result.best.actions
        assert drops is None or len(clicks) <= drops
        ends = [sum(replay(puzzle, clicks[:end]).cells) for end in range(len(clicks) + 1)]
        assert ends.index(min(ends)) == len(clicks)
        assert ends[-1] == result.best.value <= sum(state.cells)
        lengths.add(len(clicks))
    assert lengths != {0}


def test_the_best_of_a_search_is_the_board_with_the_fewest_drops() -> None:
    puzzle = Drops(parse_board("440/011/111"))
    states = {puzzle.initial()}
    for _ in range(4):
        states |= {puzzle.apply(state, cell) for state in states for cell in puzzle.legal_actions(state)}
    result = solve("bfs", puzzle)
    assert result.limit == Limit("depth", 4)
    assert result.best is not None
    assert result.best.value == min(sum(state.cells) for state in states)
    assert sum(replay(puzzle, result.best.actions).cells) == result.best.value


def test_searches_end_after_their_seconds() -> None:
    for name, settings in (("bfs", WithinDepth(seconds=0)), ("a", Weighted(seconds=0))):
        puzzle, method = Drops(ALL_ONES), GAME.solvers[name]
        assert isinstance(method, Settable)
        result = finish(method.set(settings)(puzzle, puzzle.initial(), Budget(), 0))
        assert (result.status, result.expanded, result.limit) == ("budget", 0, Limit("time", 0))


@pytest.mark.parametrize("name", NAMES)
def test_budgets_are_kept(name: str) -> None:
    puzzle = Drops(ALL_ONES)
    cancelled = Budget()
    cancelled.cancel()
    for budget in (cancelled, Budget(seconds=0), Budget(expanded=0), Budget(expanded=100)):
        result = solve(name, puzzle, budget=budget)
        assert (result.status, result.actions) == ("budget", ())
        assert result.expanded <= min(100, budget.expanded)


@pytest.mark.parametrize("name", NAMES)
def test_ended_games(name: str) -> None:
    puzzle = Drops(Level(board=("41",), drops=3))
    won = solve(name, puzzle, State(b"\0\0", 1))
    assert (won.status, won.actions, won.cost, won.optimal) == ("solved", (), 0, True)
    assert solve(name, puzzle, State(b"\4\1", 0)).status == "unsolvable"


def test_tables_that_grow_lose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [Drops(level) for level in random_levels(30, 17, 12)]
    before = {
        (name, puzzle): solve(name, puzzle, budget=Budget(expanded=2000))
        for name in METHODS
        for puzzle in boards
    }
    monkeypatch.setattr(article_search, "FIRST_NODES", 16)
    monkeypatch.setattr(article_search, "CHUNK", 5)
    for (name, puzzle), result in before.items():
        again = solve(name, puzzle, budget=Budget(expanded=2000))
        assert (again.status, again.actions, again.expanded, again.generated, again.lower_bound) == (
            result.status, result.actions, result.expanded, result.generated, result.lower_bound
        )  # fmt: skip


def test_the_largest_boards_end_at_the_memory() -> None:
    rng = random.Random(1)
    board = tuple("".join(rng.choice("01") for _ in range(32)) for _ in range(32))
    for rules in RULES:
        for name in METHODS:
            puzzle = Drops(Level(board=board, rules=rules, open=True))
            result = solve(name, puzzle, budget=Budget(memory_mb=8))
            assert (result.status, result.limit) == ("budget", Limit("memory", 8))
            assert 0 < result.generated < 40_000, "a state of 1024 cells takes over 400 bytes"


@pytest.mark.parametrize("rules", RULES)
def test_the_longest_chains_of_the_largest_boards(rules: RuleName) -> None:
    """A thousand cells that burst at one click: the most droplets that can be on their way."""
    puzzle = Drops(Level(board=("4" * 32,) * 32, rules=rules))
    assert solve("bfs", puzzle).cost == 1
    assert solve("genetic", puzzle, budget=Budget(expanded=20)).cost == 1


def test_no_table_is_larger_than_the_memory() -> None:
    puzzle = Drops(ALL_ONES)
    question = question_of(puzzle, puzzle.initial(), *METHODS["bfs"])._replace(depth=UNLIMITED)
    search = TreeSearch(puzzle, puzzle.initial(), question)
    assert not finish(search.run(Meter(Budget(memory_mb=4)), "bfs"))
    assert search.least_rank is not None
    tables = search._tree  # pyright: ignore[reportPrivateUsage]
    assert 1 << 20 < sum(table.nbytes for table in tables if table is not tables.at) <= 4 << 20


def test_the_same_without_compiling() -> None:
    program = (
        "from winnable.contract.core import Budget, finish\n"
        "from winnable.games.drops.game import GAME\n"
        "for code in ('4420/0304,rules=half', '304/020,flash=1.1', '301/020,open,drops=5,every=3'):\n"
        "    puzzle = GAME.puzzle(GAME.parse_board(code))\n"
        "    for name in ('bfs', 'a', 'a-star', 'genetic'):\n"
        "        budget = Budget(expanded=60 if name == 'genetic' else 40)\n"
        "        result = finish(GAME.solvers[name](puzzle, puzzle.initial(), budget, 0))\n"
        "        print(name, result.status, result.actions, result.expanded, result.generated)\n"
    )
    assert fresh_python.printed_either_way(program).count("solved") >= 6


def test_the_table_of_the_seeds_solvers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WINNABLE_RECORDED", str(tmp_path / "none.jsonl"))
    assert drops_article_table.recorded_levels() == {}
    entry = {"number": 2, "board": "42/30", "budget": 3}
    (tmp_path / "none.jsonl").write_text(json.dumps(entry) + "\n", "utf-8")
    assert drops_article_table.recorded_levels() == {"recorded 2": Level(board=("42", "30"))}
    rows = list(islice(drops_article_table.rows(games=1), 6))
    assert [row.name for row in rows[::3]] == [
        "all ones, bfs: no line, proved at least",
        "all ones, a: solved",
    ]
    assert (rows[0].value, rows[3].value) == (5, solve("a", Drops(ALL_ONES)).cost)
    assert [row.reference for row in rows] == [None, None, None, None, None, 14]
