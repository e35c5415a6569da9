"""Filling along a path: it finishes every board, and says so where none can be."""

import random
from itertools import pairwise, product
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import load_benchmark
from tests import fresh_python
from tests.games.rotate.boards import level_of, shuffled
from tests.games.rotate.plain import fewest_turns
from winnable.contract.core import Budget, finish, replay
from winnable.games.rotate.game import GAME
from winnable.games.rotate.levels.generator import Params, generate
from winnable.games.rotate.rules.blocks import Block, blocks, turned
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve import constructive_kernels as kernels
from winnable.games.rotate.solve.constructive import VIEWS, construct, path_of
from winnable.games.rotate.solve.kernels import source

PLAIN_PYTHON = """
from tests.games.rotate.solve.test_constructive import *
for rows, columns, colours in ((3, 3, 4), (4, 5, 3), (2, 6, 3), (2, 3, 2)):
    print(solve(shuffled(rows, columns, colours, random.Random(5)), tries=2))
"""


def solve(rotate: Rotate, tries: int = 1, state: State | None = None) -> tuple[str, tuple[int, ...]]:
    """The verdict; a line replays."""
    result = finish(
        GAME.solvers["constructive"](rotate, state or rotate.initial(), Budget(expanded=tries), 0)
    )
    if result.status == "solved":
        assert rotate.is_goal(replay(rotate, result.actions, state))
        assert result.cost == len(result.actions)
    return result.status, result.actions


@given(st.integers(3, 12), st.integers(3, 12), st.integers(2, 26), st.randoms(use_true_random=False))
def test_every_board_is_finished(rows: int, columns: int, colours: int, rng: random.Random) -> None:
    rotate = shuffled(rows, columns, min(colours, rows * columns), rng)
    assert solve(rotate, tries=rng.choice((1, 8, 11)))[0] == "solved"


@pytest.mark.parametrize(
    ("rows", "columns", "colours"),
    [(3, 64, 7), (64, 3, 26), (2, 64, 9), (64, 2, 2), (30, 30, 26), (9, 40, 3), (40, 33, 5)],
)
def test_large_and_narrow_boards_are_finished(rows: int, columns: int, colours: int) -> None:
    assert solve(shuffled(rows, columns, colours, random.Random(1)))[0] == "solved"


def scarce(side: int, many: int, each: int, seed: int) -> Rotate:
    """So many colours of so many cells each, and one for all others."""
    cells = [colour for colour in range(many) for _ in range(each)]
    cells += [25] * (side**2 - len(cells))
    random.Random(seed).shuffle(cells)
    return Rotate(level_of(cells, side))


@pytest.mark.parametrize("many", [2, 25])
def test_colours_of_one_or_two_cells(many: int) -> None:
    """Scarce cells have to come from afar, two at a time."""
    for seed in range(20):
        assert solve(scarce(12, many, 1 + seed % 2, seed))[0] == "solved"


def test_a_search_for_two_cells_that_gives_up_is_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then they come one by one."""
    boards = [scarce(14, 25, each, seed) for each in (1, 2, 4, 7) for seed in range(4)]
    lines = [solve(rotate) for rotate in boards]
    monkeypatch.setattr(kernels, "NODES", 2500)
    others = [solve(rotate) for rotate in boards]
    assert {verdict for verdict, _ in lines + others} == {"solved"}
    assert sum(line != other for line, other in zip(lines, others, strict=True)) > len(boards) // 4


@given(st.integers(4, 9), st.integers(2, 12), st.booleans(), st.randoms(use_true_random=False))
def test_two_rows_are_enough_from_four_columns(
    length: int, colours: int, upright: bool, rng: random.Random
) -> None:
    colours = min(colours, 2 * length)
    rotate = shuffled(length, 2, colours, rng) if upright else shuffled(2, length, colours, rng)
    assert solve(rotate)[0] == "solved"


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2)])
def test_verdicts_of_the_smallest_boards(rows: int, columns: int) -> None:
    """All colourings, against a plain search."""
    lost = 0
    for cells in product(range(3), repeat=rows * columns):
        if len(set(cells)) < 2:
            continue
        can = fewest_turns(cells, columns) is not None
        assert (solve(Rotate(level_of(cells, columns)))[0] == "solved") == can
        lost += not can
    assert lost == {4: 18, 6: 30}[rows * columns]


def arrangements(rows: int, columns: int) -> set[tuple[int, ...]]:
    """That quarters of its squares of two make of a board whose cells all differ."""
    squares = [block.cells(columns) for block in blocks(rows, columns, (2,))]
    start = tuple(range(rows * columns))
    known, edge = {start}, [start]
    while edge:
        before = edge.pop()
        for a, b, c, d in squares:
            after = list(before)
            after[a], after[b], after[c], after[d] = before[c], before[a], before[d], before[b]
            arranged = tuple(after)
            if arranged not in known:
                known.add(arranged)
                edge.append(arranged)
    return known


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (2, 4)])
def test_the_last_cells_get_into_any_order(rows: int, columns: int) -> None:
    assert len(arrangements(rows, columns)) == factorial(rows * columns)


def test_three_by_two_cells_bring_any_three_anywhere() -> None:
    assert len({arranged[:3] for arranged in arrangements(3, 2)}) == 6 * 5 * 4


def test_on_three_by_three_cells_the_line_is_the_shortest() -> None:
    """A 2 × 2 block is the only one there."""
    rng = random.Random(3)
    lengths: set[int] = set()
    for _ in range(40):
        rotate = shuffled(3, 3, rng.choice((2, 3)), rng)
        length = len(solve(rotate)[1])
        assert length == fewest_turns(rotate.level.cells, 3)
        lengths.add(length)
    assert lengths >= {1, 2, 3}


@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, VIEWS - 1))
def test_paths(rows: int, columns: int, view: int) -> None:
    path = path_of(rows, columns, view)
    places = path.places.tolist()
    assert sorted(places) == list(range(rows * columns))
    for before, after in pairwise(places):
        (row, column), (next_row, next_column) = divmod(before, columns), divmod(after, columns)
        assert abs(row - next_row) + abs(column - next_column) == 1
    for number, block in enumerate(blocks(rows, columns, range(2, min(rows, columns) + 1, 2))):
        assert path.lowest[number] == min(places.index(place) for place in block.cells(columns))
    assert len(places) - path.stop in (4, 6, 8, 9)
    rank = 0
    while rank < path.stop:
        assert path.together[rank] in (1, 2)
        free = [
            block for block, lowest in zip(path.blocks.tolist(), path.lowest, strict=True) if lowest >= rank
        ]
        reached = {place for left, top, side in free for place in Block(left, top, side).cells(columns)}
        assert reached == set(places[rank:])
        rank += int(path.together[rank])
    assert rank == path.stop


@given(st.integers(2, 6), st.integers(2, 6), st.data())
def test_sources(rows: int, columns: int, data: st.DataObject) -> None:
    places = tuple(range(rows * columns))
    block = data.draw(st.sampled_from(blocks(rows, columns, range(2, min(rows, columns) + 1, 2))))
    for quarters in (1, 2, 3):
        after = turned(places, columns, block, quarters)
        assert [source(place, columns, *block, quarters) for place in places] == list(after)


@given(st.permutations(range(4)), st.integers(0, VIEWS - 1))
def test_colours_lie_along_the_path_in_the_order_given(order: list[int], view: int) -> None:
    """At least through the rows filled first; after them it may be finished early."""
    rotate = shuffled(7, 6, 4, random.Random(9))
    line = construct(rotate.initial().cells, 7, 6, order, view)
    assert line is not None
    cells = replay(rotate, [3 * block + quarters - 1 for block, quarters in line]).cells
    places: list[int] = path_of(7, 6, view).places[:21].tolist()
    along = [cells[place] for place in places]
    assert along == sorted(cells, key=order.index)[:21]


def test_pairs_are_joined_by_quarters() -> None:
    for seed in range(5):
        rotate = Rotate(finish(generate(Params(rows=6, columns=5, rules="pairs"), seed)))
        assert solve(rotate)[0] == "solved"
    assert solve(Rotate(GAME.parse_board("01/10,rules=pairs")))[0] == "unsolvable"


def test_turns_may_not_suffice() -> None:
    rotate = shuffled(6, 6, 4, random.Random(2))
    length = len(solve(rotate)[1])
    start = rotate.initial()
    assert solve(rotate, state=start._replace(left=length))[0] == "solved"
    assert solve(rotate, state=start._replace(left=length - 1))[0] == "budget"
    assert solve(rotate, state=start._replace(left=0))[0] == "unsolvable"


def test_more_tries_are_no_worse() -> None:
    rotate = shuffled(8, 8, 5, random.Random(4))
    lengths = [len(solve(rotate, tries)[1]) for tries in (1, 4, 16)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]
    assert solve(rotate, 16) == solve(rotate, 16)


def test_as_plain_python() -> None:
    assert fresh_python.printed_either_way(PLAIN_PYTHON).count("solved") >= 3


def test_the_benchmark_of_random_boards() -> None:
    rows = list(load_benchmark("rotate-finish")(games=12))
    (share,) = [row for row in rows if row.name == "finished and replayed"]
    assert (share.value, share.n) == (1, 12)
