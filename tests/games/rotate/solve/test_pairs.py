"""Lines for boards of pairs: found for every board, replayed by the rules; kernels held to naive counts."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests import fresh_python
from tests.driving import driven
from tests.games.rotate.boards import REAL, level_of
from tests.games.rotate.plain import fewest_turns
from winnable.contract.core import Budget, finish, replay
from winnable.games.rotate.levels.text import parse_board
from winnable.games.rotate.rules.blocks import Block, blocks, turned
from winnable.games.rotate.rules.bounds import cluster_bound
from winnable.games.rotate.rules.clusters import neighbours
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.games.rotate.solve import pairs, pairs_kernels
from winnable.games.rotate.solve.exact import solve_optimal
from winnable.games.rotate.solve.pairs import loose_count, solve_pairs
from winnable.games.rotate.solve.pairs_exact import mates_of, shortest
from winnable.games.rotate.solve.pairs_filling import filling_line
from winnable.games.rotate.solve.route_kernels import Area, route
from winnable.levels.files import read_level
from winnable.search.meter import Meter


def scattered(rows: int, columns: int, seed: int) -> Rotate:
    cells = [label for label in range(rows * columns // 2) for _ in (0, 1)]
    random.Random(seed).shuffle(cells)
    return Rotate(level_of(cells, columns, "pairs"))


@st.composite
def boards(draw: st.DrawFn, least: int = 2) -> Rotate:
    rows, columns = draw(st.integers(least, 9)), draw(st.integers(least, 9))
    return scattered(rows, columns + rows * columns % 2, draw(st.integers(0, 2**32)))


def naive_cost(rotate: Rotate, cells: tuple[int, ...], far: list[int], away: list[int]) -> int:
    total = 0
    for place, mate in enumerate(mates_of(cells)):
        if place < mate and mate not in neighbours(place, len(cells), rotate.columns):
            rows = abs(place // rotate.columns - mate // rotate.columns)
            columns = abs(place % rotate.columns - mate % rotate.columns)
            total += far[rows + columns] + away[place] + away[mate]
    return total


def naive_border(rotate: Rotate, cells: tuple[int, ...], border: tuple[int, ...]) -> int:
    beside = [neighbours(place, len(cells), rotate.columns) for place in range(len(cells))]
    loose = [mate not in near for mate, near in zip(mates_of(cells), beside, strict=True)]
    return sum(
        border[4 - sum(loose[near] for near in beside[place])] for place in range(len(cells)) if loose[place]
    )


@settings(max_examples=16, deadline=None)
@given(boards(), st.randoms(use_true_random=False))
def test_what_a_turn_changes_is_what_the_naive_count_says(rotate: Rotate, rng: random.Random) -> None:
    cells, columns = rotate.level.cells, rotate.columns
    for _ in range(rng.randrange(3)):  # so that some pairs are joined
        place, mate = rng.randrange(len(cells) - 1), mates_of(cells)
        other = list(cells)
        other[place + 1], other[mate[place]] = cells[place], cells[place + 1]
        cells = tuple(other)
    far = [0, 0, *(rng.randrange(1, 99) for _ in range(rotate.rows + columns))]
    away = [rng.randrange(50) for _ in cells]
    border = (0, 3, 70, 1100, 13000)
    keys = np.array([rng.getrandbits(32) for _ in cells], np.uint64)
    costs = [np.array(cost, np.int32) for cost in (far, away, border)]
    shape = pairs_kernels.Shape(columns, np.array(rotate.blocks, np.int64), *costs, keys=keys, most_cuts=1)
    mates = np.array(mates_of(cells), np.int16)
    bits, of_mates = np.zeros((4, rotate.rows), np.uint64), np.zeros((len(cells), 3), np.int32)
    pairs_kernels.find_bits(mates, columns, bits)
    pairs_kernels.find_mates(shape, mates, of_mates)
    before = naive_cost(rotate, cells, far, away)
    assert pairs_kernels.board_cost(shape, mates) == before
    assert pairs_kernels.border_cost(shape, bits, pairs_kernels.LOOSE) == naive_border(rotate, cells, border)
    hashed = np.uint64(pairs_kernels.hash_of(mates, keys))
    for block in rng.sample(rotate.blocks, min(40, len(rotate.blocks))):
        after = turned(cells, columns, block, 1)
        naive = naive_cost(rotate, after, far, away)
        assert before + pairs_kernels.rate(shape, of_mates, bits, *block) == naive
        pairs_kernels.find_loose_after(mates, bits, columns, *block)
        assert pairs_kernels.border_cost(shape, bits, pairs_kernels.AFTER) == naive_border(
            rotate, after, border
        )
        there = np.zeros_like(mates)
        pairs_kernels.turn_mates(mates, there, columns, *block)
        assert tuple(there) == mates_of(after) == turned_mates(mates_of(cells), columns, block)
        assert pairs_kernels.hash_after(shape, mates, *block, hashed) == pairs_kernels.hash_of(there, keys)
        assert pairs_kernels.cuts(bits, *block, 99) == naive_cuts(rotate, cells, block)


def turned_mates(mates: tuple[int, ...], columns: int, block: Block) -> tuple[int, ...]:
    """The board after a quarter turn of the block, clockwise."""
    places = turned(tuple(range(len(mates))), columns, block, 1)
    return tuple(places.index(mates[place]) for place in places)


def naive_cuts(rotate: Rotate, cells: tuple[int, ...], block: Block) -> int:
    inside, mates = set(block.cells(rotate.columns)), mates_of(cells)
    joined = [mate in neighbours(place, len(cells), rotate.columns) for place, mate in enumerate(mates)]
    if all(joined[place] for place in inside):
        return -1
    return sum(joined[place] and mates[place] not in inside for place in inside)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 99), min_size=1, max_size=40), st.lists(st.integers(0, 99), max_size=40))
def test_the_heap_keeps_the_smallest(first: list[int], later: list[int]) -> None:
    heap = np.zeros(len(first), np.int64)
    for size, entry in enumerate(first):
        pairs_kernels.push(heap, size, entry)
    for entry in later:
        if entry < heap[0]:
            pairs_kernels.replace_top(heap, len(heap), entry)
    assert sorted(heap.tolist()) == sorted(first + later)[: len(first)]


@settings(max_examples=60, deadline=None)
@given(boards())
@example(scattered(2, 8, 17))  # all joined by chance, three turns before the last one that was meant
@example(scattered(3, 6, 38))
def test_filling_joins_every_pair(rotate: Rotate) -> None:
    cells, columns = rotate.level.cells, rotate.columns
    if len(cells) > pairs.EXACT_CELLS:
        for block in finish(filling_line(mates_of(cells), rotate.rows, columns, Meter(Budget()))):
            assert block in rotate.blocks
            assert not rotate.is_goal(State(cells, None))
            cells = turned(cells, columns, block, 1)
        assert rotate.is_goal(State(cells, None))


def test_the_largest_board_is_filled() -> None:
    """By the kernel's turns: the readable rules take a minute for these."""
    mates = np.array(mates_of(scattered(64, 64, 1).level.cells), np.int16)
    for block in finish(filling_line(mates.tolist(), 64, 64, Meter(Budget()))):
        after = np.empty_like(mates)
        pairs_kernels.turn_mates(mates, after, 64, *block)
        mates = after
    assert loose_count(mates, 64) == 0


@pytest.mark.parametrize("side", range(2, 25, 2))
def test_every_size_is_finished_at_once(side: int) -> None:
    """The budget allows next to nothing, and yet there is a line."""
    rotate = scattered(side, side, side)
    result = finish(solve_pairs(rotate, rotate.initial(), Budget(expanded=1), 1))
    if side == 2:
        assert result.status in ("solved", "unsolvable")
    else:
        assert result.status == "solved"
        assert rotate.is_goal(replay(rotate, result.actions))
        assert result.cost == len(result.actions)


@settings(max_examples=15, deadline=None)
@given(boards(), st.integers(0, 2**53 - 1))
def test_lines_are_replayed_and_hang_on_the_seed_alone(rotate: Rotate, seed: int) -> None:
    start = rotate.initial()
    result = finish(solve_pairs(rotate, start, Budget(expanded=400), seed))
    again = finish(solve_pairs(rotate, start, Budget(expanded=400), seed))
    assert (result.status, result.actions) == (again.status, again.actions)
    if result.status == "solved":
        assert rotate.is_goal(replay(rotate, result.actions))
    else:
        assert result.status == "unsolvable"
        assert len(start.cells) <= pairs.EXACT_CELLS


def test_beams_are_shorter_than_filling() -> None:
    rotate = scattered(8, 8, 3)
    long = finish(solve_pairs(rotate, rotate.initial(), Budget(expanded=1), 1))
    short = finish(solve_pairs(rotate, rotate.initial(), Budget(expanded=5000), 1))
    assert long.cost is not None
    assert short.cost is not None
    assert short.cost <= 32 < long.cost
    assert 5000 <= short.expanded <= 5000 + pairs.CHUNK


def test_a_cancelled_budget_ends_it() -> None:
    rotate = scattered(10, 10, 3)
    budget = Budget()
    search = solve_pairs(rotate, rotate.initial(), budget, 1)
    found = driven(search, lambda progress: budget.cancel() if progress.expanded > 100 else None)
    assert found.expanded <= 100 + 2 * pairs.CHUNK
    budget.cancel()
    assert finish(solve_pairs(rotate, rotate.initial(), budget, 1)).status == "budget"


@pytest.mark.parametrize(("rows", "columns", "sorts"), [(2, 2, 3), (2, 3, 15), (3, 2, 15), (2, 4, 105)])
def test_tiny_boards_are_decided_with_proof(rows: int, columns: int, sorts: int) -> None:
    """Against a plain search."""
    boards_: set[tuple[int, ...]] = set()
    for order in itertools.permutations(range(rows * columns)):
        mates = [0] * len(order)
        for one, other in zip(order[::2], order[1::2], strict=True):
            mates[one], mates[other] = other, one
        boards_.add(tuple(mates))
        if len(boards_) == sorts:
            break
    assert len(boards_) == sorts
    solvable = 0
    for mates in boards_:
        cells = tuple(min(place, mate) for place, mate in enumerate(mates))
        fewest = fewest_turns(cells, columns, "pairs")
        rotate = Rotate(level_of(cells, columns, "pairs"))
        line = finish(shortest(mates, columns, rotate.blocks, Meter(Budget())))
        assert (None if line is None else len(line)) == fewest
        result = finish(solve_pairs(rotate, rotate.initial(), Budget(), 0))
        assert result.status == ("unsolvable" if line is None else "solved")
        assert result.cost == fewest
        if line:
            few = State(cells, len(line) - 1)
            assert finish(solve_pairs(rotate, few, Budget(), 0)).status == "unsolvable"
        solvable += fewest is not None
    assert (solvable < sorts) == (rows * columns < 8)


def test_finished_boards_need_nothing_and_turns_may_not_suffice() -> None:
    finished = parse_board("0.0.1.1/2.2.3.3/4.4.5.5/6.6.7.7,rules=pairs")
    result = finish(solve_pairs(Rotate(finished), Rotate(finished).initial(), Budget(), 0))
    assert (result.status, result.actions, result.optimal) == ("solved", (), True)
    rotate = scattered(4, 4, 1)
    best = finish(solve_pairs(rotate, rotate.initial(), Budget(expanded=2000), 0))
    assert best.cost is not None
    for left, status in ((best.cost, "solved"), (best.cost - 1, "budget"), (0, "unsolvable")):
        result = finish(solve_pairs(rotate, State(rotate.level.cells, left), Budget(expanded=2000), 0))
        assert result.status == status
        assert len(result.actions) <= left


@pytest.mark.parametrize(
    "board", ["0.1.2.3/3.2.1.0", "0.1.2/2.1.0", "0.1/1.0", "0.1.2.3/3.2.1.0/4.5.6.7/7.6.5.4"]
)
def test_the_solver_of_fewest_turns_knows_what_is_proved_here(board: str) -> None:
    rotate = Rotate(parse_board(f"{board},rules=pairs"))
    proved = len(rotate.level.cells) <= pairs.EXACT_CELLS
    for left in (None, 0, 1, 2, 3):
        state = State(rotate.level.cells, left)
        result = finish(solve_optimal(rotate, state, Budget(expanded=300), 0))
        assert result.status in (("solved", "unsolvable") if proved else ("solved", "unsolvable", "budget"))
        assert result.lower_bound is None or result.cost is None or result.lower_bound <= result.cost
        assert not proved or result.optimal == (result.status == "solved")
        if result.status == "solved":
            assert rotate.is_goal(replay(rotate, result.actions, state))


@settings(max_examples=30, deadline=None)
@given(boards(3), st.data())
def test_no_turn_joins_more_pairs_than_the_bound_allows(rotate: Rotate, data: st.DataObject) -> None:
    cells = rotate.level.cells
    before = cluster_bound(rotate, cells)
    after = turned(cells, rotate.columns, data.draw(st.sampled_from(rotate.blocks)), 1)
    assert before <= cluster_bound(rotate, after) + 1


def test_plain_python_finds_the_same_line() -> None:
    """And warns of nothing: no product overflows."""
    script = (
        "from winnable.contract.core import Budget, finish\n"
        "from tests.games.rotate.solve.test_pairs import scattered, solve_pairs\n"
        "for size in ((4, 4), (3, 6)):\n"
        "    puzzle = scattered(*size, 2)\n"
        "    print(finish(solve_pairs(puzzle, puzzle.initial(), Budget(expanded=60), 0)).actions)"
    )
    assert "()" not in fresh_python.printed_either_way(script)


def slow_route(
    mates: tuple[int, ...], columns: int, free: list[Block], one: int, wanted: set[frozenset[int]]
) -> int:
    """Turns until the cell at `one` and its mate are at a wanted pair of places."""
    start = (one, mates[one])
    steps = {start: 0}
    for pair in (waiting := [start]):
        if frozenset(pair) in wanted:
            return steps[pair]
        for left, top, side in free:
            after = list[int]()
            for place in pair:
                row, column = place // columns - top, place % columns - left
                inside = 0 <= row < side and 0 <= column < side
                after.append((top + column) * columns + left + side - 1 - row if inside else place)
            if (reached := (after[0], after[1])) not in steps:
                steps[reached] = steps[pair] + 1
                waiting.append(reached)
    raise AssertionError("no way")


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 7), st.integers(3, 7), st.data())
def test_routes_are_the_shortest(rows: int, columns: int, data: st.DataObject) -> None:
    """The cell at the top left and its mate; it stays, or both travel anywhere."""
    mates = mates_of(
        scattered(rows, columns + rows * columns % 2, data.draw(st.integers(0, 999))).level.cells
    )
    columns += rows * columns % 2
    stays = data.draw(st.booleans())
    free = [
        block
        for block in blocks(rows, columns, range(2, min(rows, columns) + 1))
        if not stays or block.top > 0 or block.left > 0
    ]
    area = Area(0, 0, rows, columns, 0 if stays else -1, columns)
    line = route(area, stays, 0, mates[0], 1)
    board = mates
    for block in line.tolist():
        assert Block(*block) in free
        board = turned_mates(board, columns, Block(*block))
    assert board[0] == 1
    assert len(line) == slow_route(mates, columns, free, 0, {frozenset((0, 1))})


@pytest.mark.skipif(not REAL, reason="no real boards at hand")
def test_real_boards_are_finished() -> None:
    for path in REAL:
        level = read_level(path.read_bytes()).level
        rotate = Rotate(level)
        result = finish(solve_pairs(rotate, rotate.initial(), Budget(expanded=2000), 0))
        assert result.status == "solved"
        assert rotate.is_goal(replay(rotate, result.actions))


@given(boards())
def test_loose_cells_are_those_whose_mate_is_not_beside_them(rotate: Rotate) -> None:
    mates = mates_of(rotate.level.cells)
    loose = [mate not in neighbours(place, len(mates), rotate.columns) for place, mate in enumerate(mates)]
    assert loose_count(np.array(mates, np.int16), rotate.columns) == sum(loose)
