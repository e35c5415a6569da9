"""The solver `optimal` and its search: against plain searches and tables of all boards."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import fresh_python
from tests.games.rotate.boards import level_of
from tests.games.rotate.plain import all_boards, fewest_turns
from winnable.contract.core import Answer, Budget, Search, finish, replay
from winnable.games.rotate.levels.text import parse_board
from winnable.games.rotate.rules.blocks import Cells
from winnable.games.rotate.rules.bounds import cluster_bound
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve import exact
from winnable.games.rotate.solve.deepening import Deepening, deepening
from winnable.games.rotate.solve.tables import distance_table

PLAIN_PYTHON = """
from tests.games.rotate.solve.test_exact import *
for code in ("121/212", "112/233", "0121/1002/2210"):
    check(parse_board(code))
print("the same")
"""


def shuffled(size: int, colours: int, seed: int) -> Cells:
    """As many cells of each colour as may be."""
    cells = [place % colours for place in range(size)]
    Random(seed).shuffle(cells)
    return tuple(cells)


def solve(level: Level, budget: Budget | None = None) -> Answer:
    rotate = Rotate(level)
    result = finish(exact.solve_optimal(rotate, rotate.initial(), budget or Budget(seconds=120), 0))
    if result.status == "solved":
        assert rotate.is_goal(replay(rotate, result.actions))
        assert len(result.actions) == result.cost
        assert result.lower_bound is not None
        assert result.cost is not None
        assert result.optimal == (result.lower_bound == result.cost)
        assert result.lower_bound <= result.cost
    return result


def check(level: Level) -> None:
    fewest, result = fewest_turns(level.cells, level.columns), solve(level)
    assert result.status == ("unsolvable" if fewest is None else "solved")
    assert result.cost == result.lower_bound == fewest
    assert cluster_bound(Rotate(level), level.cells) <= (0 if fewest is None else fewest) or fewest is None


@st.composite
def tiny_levels(draw: st.DrawFn) -> Level:
    rows, columns = draw(st.sampled_from([(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 5)]))
    size = rows * columns
    cells = draw(
        st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(lambda found: len(set(found)) > 1)
    )
    return level_of(cells, columns)


@given(tiny_levels())
def test_tiny_boards_against_a_plain_search(level: Level) -> None:
    check(level)


def test_two_by_two() -> None:
    """The checkerboards, and only they, are unsolvable."""
    lost = [cells for cells in all_boards((2, 2)) if solve(level_of(cells, 2)).status == "unsolvable"]
    assert sorted(lost) == [(0, 1, 1, 0), (1, 0, 0, 1)]


@pytest.mark.parametrize("shape", [(2, 3), (3, 2)])
def test_two_by_three(shape: tuple[int, int]) -> None:
    """Six boards of three pairs cannot be reached from a finished one, although each colour alone can."""
    table = finish(distance_table(*shape, (2, 2, 2)))
    lost = 0
    for cells in sorted(all_boards((2, 2, 2))):
        result = solve(level_of(cells, shape[1]))
        assert result.cost == table.distance(cells)
        lost += result.status == "unsolvable"
    assert lost == 90 - sum(table.by_turns) > 0


@pytest.mark.parametrize("counts", [(8, 8), (6, 5, 5), (2, 2, 2, 10), (1, 1, 7, 7)])
def test_four_by_four_against_the_table(counts: tuple[int, ...]) -> None:
    table, rng = finish(distance_table(4, 4, counts)), Random(7)
    cells = [colour for colour, count in enumerate(counts) for _ in range(count)]
    for _ in range(50):
        rng.shuffle(cells)
        level = level_of(cells, 4)
        result = solve(level)
        assert result.optimal
        assert result.cost == table.distance(level.cells)
        assert result.cost is not None
        assert cluster_bound(Rotate(level), level.cells) <= result.cost
        assert len(table.line(level.cells)) == result.cost


@pytest.mark.parametrize(("rows", "columns", "colours"), [(4, 4, 3), (4, 4, 6), (3, 5, 4), (5, 5, 3)])
def test_the_same_without_databases(rows: int, columns: int, colours: int) -> None:
    """Bounded by nothing but clusters that are whole or not, with short lines."""
    rotate = Rotate(level_of(shuffled(rows * columns, colours, 0), columns))
    for seed in range(10):
        cells = shuffled(rows * columns, colours, seed)
        with_databases = finish(deepening(cells, columns, 2**28))
        without = finish(deepening(cells, columns, 0))
        assert with_databases.needed is not None
        assert without.needed is not None
        assert without.needed <= with_databases.needed
        assert cluster_bound(rotate, cells) >= 1
        for limit in range(with_databases.needed, 5):
            assert _finds(with_databases, limit) == _finds(without, limit)


def _finds(search: Deepening, limit: int, slice_: int = 1 << 16) -> bool:
    search.start(limit)
    while (standing := search.search(slice_)) == "paused":
        pass
    return standing == "solved"


@pytest.mark.parametrize("code", ["1324/4231/1324/3142", "12341/34122/41233/22344/13241", "0121/1002/2210"])
def test_slices_do_not_matter(code: str) -> None:
    level = parse_board(code)
    fewest = solve(level).cost
    search = finish(deepening(level.cells, level.columns, 2**28))
    assert search.needed is not None
    limit = search.needed
    while not _finds(search, limit, 37):
        limit += 1
    assert limit == fewest == len(search.line())


def test_too_few_turns_are_proved() -> None:
    level = parse_board("12341/34122/41233/22344/13241")
    fewest = solve(level).cost
    assert fewest is not None
    assert solve(level_of(level.cells, 5, turns=fewest - 1)).status == "unsolvable"
    assert solve(level_of(level.cells, 5, turns=fewest)).cost == fewest
    rotate = Rotate(level_of(level.cells, 5, turns=3))
    assert finish(exact.solve_optimal(rotate, State(level.cells, 0), Budget(), 0)).status == "unsolvable"


def test_a_finished_board() -> None:
    rotate = Rotate(parse_board("112/122"))
    result = finish(exact.solve_optimal(rotate, rotate.initial(), Budget(), 0))
    assert (result.status, result.cost, result.optimal) == ("solved", 0, True)


def test_a_spent_budget_proves_what_needs_no_search() -> None:
    level = parse_board("12341/34122/41233/22344/13241")
    result = solve(level, Budget(expanded=1000))
    assert result.status == "solved", "by the beam's line, which comes first"
    assert not result.optimal
    assert result.expanded <= 1000
    fewest = solve(level).cost
    assert fewest is not None
    assert result.lower_bound is not None
    assert 2 <= result.lower_bound <= fewest


@pytest.mark.parametrize(
    "code", ["0.1.2.3/3.2.1.0,rules=pairs", "/".join(["1" * 8 + "2"] * 7 + ["2" * 8 + "1"])]
)
def test_other_rules_and_large_boards_get_a_line(code: str) -> None:
    result = solve(parse_board(code), Budget(seconds=60))
    assert result.status == "solved"
    assert result.lower_bound is not None
    assert result.lower_bound >= 1


def test_a_line_from_above_closes_the_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once no shorter line is possible, it is the answer."""
    level = parse_board("12341/34122/41233/22344/13241")
    best = solve(level)

    def known(*_: object) -> Search[Answer]:
        return Answer("solved", best.actions, best.cost)
        yield

    monkeypatch.setattr(exact, "solve_beam", known)
    again = solve(level)
    assert again.optimal
    assert again.actions == best.actions
    assert again.expanded < best.expanded


def test_as_plain_python() -> None:
    assert fresh_python.printed(PLAIN_PYTHON, jit=False) == "the same\n"
