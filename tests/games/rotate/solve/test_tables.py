"""Distance tables: exact numbers of boards, and what they say against plain searches and known figures."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.rotate.plain import all_boards, fewest_turns
from winnable.contract.core import Budget, finish
from winnable.games.rotate.solve import table_kernels
from winnable.games.rotate.solve.tables import boards, completions, distance_table, symmetries

KNOWN = [
    (3, 3, (5, 4), [16, 52, 52, 6]),
    (3, 3, (3, 3, 3), [60, 336, 1032, 252]),
    (4, 4, (8, 8), [140, 1036, 3144, 5260, 3100, 188, 2]),
]
"""By turns, from searches with other programs."""


@given(st.integers(2, 25), st.integers(1, 9), st.randoms(use_true_random=False))
def test_numbers_of_boards(cells: int, colours: int, rng: Random) -> None:
    known: dict[int, int] = {}
    labels = np.array(
        [known.setdefault(int(rng.random() * colours), len(known)) for _ in range(cells)], np.uint8
    )
    ways, order, room = completions(cells, colours), np.arange(cells), np.empty(colours, np.int64)
    number = table_kernels.number_of(labels, order, ways, room)
    assert number < ways[cells, 0]
    back = np.empty(cells, np.uint8)
    table_kernels.board_of(np.uint64(number), ways, back)
    assert list(back) == list(labels)
    others = np.array([colours - 1 - label for label in labels], np.uint8)
    assert table_kernels.number_of(others, order, ways, room) == number


def test_all_numbers_are_used() -> None:
    """Bell's number of 5 things is 52."""
    ways, labels, seen = completions(5, 5), np.empty(5, np.uint8), set[bytes]()
    assert ways[5, 0] == 52
    for number in range(52):
        table_kernels.board_of(np.uint64(number), ways, labels)
        seen.add(labels.tobytes())
    assert len(seen) == 52


def test_symmetries_are_those_of_a_rectangle() -> None:
    for rows, columns, count in ((2, 3, 4), (4, 4, 8)):
        images = symmetries(rows, columns)
        assert len({tuple(image) for image in images}) == len(images) == count
        assert list(images[0]) == list(range(rows * columns))


@pytest.mark.parametrize(("rows", "columns", "counts", "by_turns"), KNOWN)
def test_known_figures(rows: int, columns: int, counts: tuple[int, ...], by_turns: list[int]) -> None:
    assert finish(distance_table(rows, columns, counts)).by_turns == by_turns


@pytest.mark.parametrize(
    ("rows", "columns", "counts"),
    [(2, 2, (2, 2)), (2, 3, (2, 2, 2)), (2, 3, (3, 2, 1)), (2, 4, (3, 3, 2)), (3, 3, (4, 4, 1))],
)
def test_tables_against_a_plain_search(rows: int, columns: int, counts: tuple[int, ...]) -> None:
    """Boards without a distance are exactly those from which no finished one is reached."""
    table = finish(distance_table(rows, columns, counts))
    everything = (
        all_boards(counts) if rows * columns < 8 else Random(1).sample(sorted(all_boards(counts)), 60)
    )
    found = {cells: fewest_turns(cells, columns) for cells in everything}
    assert {cells: table.distance(cells) for cells in everything} == found
    if rows * columns < 8:
        expected = Counter(turns for turns in found.values() if turns is not None)
        assert table.by_turns == [expected[turns] for turns in range(len(expected))]


def test_boards_up_to_names() -> None:
    assert boards((4, 4, 4, 4)) == 63_063_000 // 24
    assert boards((2,) * 8) == 2_027_025
    assert boards((5, 4)) == 126


def test_a_table_that_is_stopped_is_not_complete() -> None:
    budgets = iter([Budget()] * 3)
    over = Budget(seconds=0)
    table = distance_table(4, 4, (8, 8), lambda: next(budgets, over).allows("table", 0, 0))
    assert not finish(table).complete
