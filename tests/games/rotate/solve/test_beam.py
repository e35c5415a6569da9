"""The beam: what it estimates equals what a turn does, and its lines are judged by the readable rules."""

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import fresh_python
from tests.games.rotate.boards import level_of
from tests.games.rotate.plain import fewest_turns
from winnable.contract.core import Answer, Budget, finish, replay
from winnable.games.rotate.levels.text import parse_board
from winnable.games.rotate.rules.blocks import Cells, turned
from winnable.games.rotate.rules.clusters import cluster_numbers, neighbours
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.rotate.solve import beam_kernels, rating_kernels
from winnable.games.rotate.solve.beam import Round, rounds
from winnable.games.rotate.solve.gap_kernels import new_growth, total_gap
from winnable.games.rotate.solve.kernels import count_clusters
from winnable.games.rotate.solve.solver import solve_beam
from winnable.search.meter import Meter


def random_level(rng: random.Random, most: int, colours: int, smooth: bool = False) -> Level:
    """smooth: cells follow their neighbours, so that clusters are large, wind and surround others."""
    rows, columns = rng.randint(2, most), rng.randint(2, most)
    board = [[rng.randrange(colours) for _ in range(columns)] for _ in range(rows)]
    for row, column in [(row, column) for row in range(rows) for column in range(columns)] * smooth:
        if row and rng.random() < 0.4:
            board[row][column] = board[row - 1][column]
        elif column and rng.random() < 0.6:
            board[row][column] = board[row][column - 1]
    board[0][0], board[-1][-1] = 0, 1
    return Level(tuple(map(tuple, board)))


def shuffled(rows: int, columns: int, colours: int, seed: int) -> Rotate:
    """Cells of all colours alike, in any order."""
    cells = [place * colours // (rows * columns) for place in range(rows * columns)]
    random.Random(seed).shuffle(cells)
    return Rotate(level_of(cells, columns))


def squares(cells: Cells, columns: int) -> int:
    """2 × 2 squares of one colour."""
    corners = [place for place in range(len(cells) - columns) if place % columns < columns - 1]
    return sum(
        len({cells[place], cells[place + 1], cells[place + columns], cells[place + columns + 1]}) == 1
        for place in corners
    )


def links(cells: Cells, columns: int) -> int:
    places = range(len(cells))
    return (
        sum(
            cells[place] == cells[near] for place in places for near in neighbours(place, len(cells), columns)
        )
        // 2
    )


def spread(cells: Cells, columns: int, weights: list[int]) -> int:
    rows, total = len(cells) // columns, 0
    for colour, weight in enumerate(weights):
        places = [divmod(place, columns) for place, cell in enumerate(cells) if cell == colour]
        y = sum(2 * row - rows + 1 for row, _ in places)
        x = sum(2 * column - columns + 1 for _, column in places)
        total += weight * (x * x + y * y)
    return total


def rated(level: Level, weights: list[int]) -> list[list[int]]:
    """Links, Euler number and spread: of the board itself, then the change by each turn."""
    rotate, cells = Rotate(level), np.array(level.cells, np.int16)
    rows, columns, colours = level.rows, level.columns, len(weights)
    planes, likes = rating_kernels.new_words(max(1, (colours - 1).bit_length()))
    sums = rating_kernels.new_sums(rows, columns, colours)
    sides = np.arange(2, min(rows, columns) + 1, 2)
    changes = np.zeros((3, rotate.num_actions), np.int64)
    padded = np.zeros(rating_kernels.padded(colours), np.int64)
    padded[:colours] = weights
    borders, pulls = np.zeros(16 * rating_kernels.LEFTS, np.uint64), np.zeros((2, len(padded)), np.int64)
    first = rating_kernels.read_bits(cells, rows, columns, planes, likes)
    rating_kernels.read_sums(cells, rows, columns, sums)
    rating_kernels.rate_borders(rows, columns, planes, likes, sides, borders, changes[0], changes[1])
    rating_kernels.rate_spread(rows, columns, sums, padded, sides, pulls, changes[2])
    return [[*map(int, first), 0], *changes.T.tolist()]


def check_ratings(level: Level, weights: list[int]) -> None:
    columns, rotate = level.columns, Rotate(level)

    def features(cells: Cells) -> list[int]:
        alike = links(cells, columns)
        return [
            alike,
            len(cells) - alike + squares(cells, columns),
            spread(cells, columns, weights),
        ]

    (alike, euler, _), *changes = rated(level, weights)
    before = features(level.cells)
    assert [alike, euler] == before[:2]
    for action, change in enumerate(changes):
        after = features(turned(level.cells, columns, *rotate.block(action)))
        assert [new - old for new, old in zip(after, before, strict=True)] == change


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.booleans())
def test_every_turn_is_rated_as_if_it_were_made(seed: int, smooth: bool) -> None:
    rng = random.Random(seed)
    colours = rng.randint(2, 18)
    level = random_level(rng, 7, colours, smooth)
    check_ratings(level, [rng.randint(1, 9) for _ in range(colours)])


def test_the_widest_words_are_rated() -> None:
    rng = random.Random(1)
    for rows, columns in ((2, 64), (64, 2)):
        board = tuple(tuple(rng.randrange(3) for _ in range(columns)) for _ in range(rows))
        check_ratings(Level(board), [3, 1, 2])


@given(st.integers(0, 2**32), st.booleans())
def test_no_finished_board_has_a_greater_euler_number_than_colours(seed: int, smooth: bool) -> None:
    level = random_level(random.Random(seed), 8, 3, smooth)
    clusters = max(cluster_numbers(level.cells, level.columns)) + 1
    assert (
        len(level.cells) - links(level.cells, level.columns) + squares(level.cells, level.columns) <= clusters
    )


def gaps_by_prim(cells: Cells, columns: int) -> int:
    numbers, total = cluster_numbers(cells, columns), 0
    for colour in set(cells):
        clusters = [
            [divmod(place, columns) for place, number in enumerate(numbers) if number == cluster]
            for cluster in sorted(
                {number for number, cell in zip(numbers, cells, strict=True) if cell == colour}
            )
        ]
        gap = {
            (one, other): min(
                abs(a - c) + abs(b - d) - 1 for a, b in clusters[one] for c, d in clusters[other]
            )
            for one, other in combinations(range(len(clusters)), 2)
        }
        inside, outside = {0}, set(range(1, len(clusters)))
        while outside:
            length, new = min(
                (gap[min(one, other), max(one, other)], other) for one in inside for other in outside
            )
            total += length
            inside.add(new)
            outside.remove(new)
    return total


@given(st.integers(0, 2**32), st.booleans())
def test_gaps_are_those_of_minimum_spanning_trees(seed: int, smooth: bool) -> None:
    rng = random.Random(seed)
    level = random_level(rng, 8, rng.randint(2, 5), smooth)
    cells, parents = np.array(level.cells, np.int16), np.zeros(len(level.cells), np.int16)
    names = np.unique(cells, return_inverse=True)[1].astype(np.int16)
    count_clusters(names, level.columns, parents)
    found = total_gap(names, level.colours, parents, new_growth(level.rows, level.columns))
    assert found == gaps_by_prim(level.cells, level.columns)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(0, 39))
def test_selection(values: list[int], index: int) -> None:
    index %= len(values)
    assert beam_kernels.smallest(np.array(values, float), len(values), index) == sorted(values)[index]


def check_line(puzzle: Rotate, result: Answer) -> None:
    assert result.status == "solved"
    assert result.cost == len(result.actions)
    assert puzzle.is_goal(replay(puzzle, result.actions))


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_lines_of_rectangular_boards_are_replayed(seed: int) -> None:
    rng = random.Random(seed)
    rows, columns, colours = rng.randint(3, 9), rng.randint(3, 9), rng.randint(2, 5)
    puzzle = shuffled(rows, columns, colours, seed)
    check_line(puzzle, finish(solve_beam(puzzle, puzzle.initial(), Budget(expanded=3000), 0)))


def rounds_of(puzzle: Rotate, budget: Budget) -> list[Round]:
    found = rounds(puzzle, puzzle.level.cells, Meter(budget))
    return [one for one in found if isinstance(one, Round)]


def test_each_round_finds_a_shorter_line_or_keeps_the_one_before() -> None:
    puzzle, lengths = shuffled(9, 9, 4, 0), list[int]()
    for after in rounds_of(puzzle, Budget(expanded=4000)):
        assert after.line is not None
        lengths.append(len(after.line))
        assert puzzle.is_goal(replay(puzzle, after.line))
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] < lengths[0]


@pytest.mark.parametrize("code", ["012/120/201", "0120/2012/1201", "010/101/010"])
def test_small_boards_get_the_fewest_turns(code: str) -> None:
    puzzle = Rotate(parse_board(code))
    result = finish(solve_beam(puzzle, puzzle.initial(), Budget(expanded=20_000), 0))
    assert result.cost == fewest_turns(puzzle.level.cells, puzzle.columns)


def test_the_budget_is_kept() -> None:
    puzzle = shuffled(10, 10, 4, 0)
    result = finish(solve_beam(puzzle, puzzle.initial(), Budget(expanded=100), 0))
    assert result.status == "solved", "by the construction's line, which comes first"
    assert result.expanded == 100
    cancelled = Budget()
    cancelled.cancel()
    assert finish(solve_beam(puzzle, puzzle.initial(), cancelled, 0)).expanded == 0
    assert finish(solve_beam(puzzle, puzzle.initial(), Budget(seconds=0), 0)).expanded == 0


def test_with_seconds_the_last_beams_are_paced() -> None:
    puzzle = shuffled(8, 8, 4, 0)
    budget = Budget(seconds=0.5)
    check_line(puzzle, finish(solve_beam(puzzle, puzzle.initial(), budget, 0)))


def test_little_memory_means_narrow_beams() -> None:
    puzzle = shuffled(6, 6, 3, 0)
    widths = [after.width for after in rounds_of(puzzle, Budget(expanded=30_000, memory_mb=1))]
    assert 512 < max(widths) < 2048


def test_the_same_seed_gives_the_same_line() -> None:
    puzzle = shuffled(8, 8, 4, 1)
    one, other = (
        finish(solve_beam(puzzle, puzzle.initial(), Budget(expanded=5000), 7)).actions for _ in range(2)
    )
    assert one == other


def test_no_line_is_longer_than_the_turns_that_are_left() -> None:
    puzzle = shuffled(5, 5, 3, 1)
    best = finish(solve_beam(puzzle, puzzle.initial(), Budget(expanded=3000), 0))
    state = puzzle.initial()
    for left, status in ((len(best.actions), "solved"), (1, "budget"), (0, "unsolvable")):
        result = finish(solve_beam(puzzle, state._replace(left=left), Budget(expanded=3000), 0))
        assert result.status == status
        assert len(result.actions) <= left


def test_a_finished_board_takes_no_turn() -> None:
    puzzle = Rotate(parse_board("0011/0011/2233/2233"))
    assert finish(solve_beam(puzzle, puzzle.initial(), Budget(), 0)).cost == 0


def test_a_board_without_a_line() -> None:
    puzzle = Rotate(parse_board("01/10"))
    assert finish(solve_beam(puzzle, puzzle.initial(), Budget(expanded=100), 0)).status == "unsolvable"


def test_plain_python_finds_the_same_line() -> None:
    script = (
        "from winnable.contract.core import Budget, finish\n"
        "from tests.games.rotate.solve.test_beam import shuffled, solve_beam\n"
        "puzzle = shuffled(5, 4, 3, 2)\n"
        "print(finish(solve_beam(puzzle, puzzle.initial(), Budget(expanded=60), 0)).actions)"
    )
    assert fresh_python.printed_either_way(script) != "()\n"
