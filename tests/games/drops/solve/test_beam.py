"""Beam searches over phases: their lines are judged by the readable rules."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import fresh_python
from tests.games.drops.boards import RULES
from tests.games.drops.brute_force import fewest
from tests.games.drops.test_recorded import recorded
from winnable.contract.core import Budget, finish, replay
from winnable.games.drops.rules.level import Level, RuleName
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.drops.solve.beam import LARGE, Round, beam_line, luby, outlook, rounds
from winnable.games.drops.solve.kernels import geometry_of


def random_level(rng: random.Random, side: int) -> Level:
    rows, columns = rng.randint(1, side), rng.randint(1, side)
    most = rng.randint(1, 4)
    cells = [str(rng.randint(0, most)) for _ in range(rows * columns)]
    cells[rng.randrange(len(cells))] = "1"
    board = tuple("".join(cells[row * columns : (row + 1) * columns]) for row in range(rows))
    return Level(board=board, rules=rng.choice(RULES))


def short_line(level: Level, seed: int = 0, states: int = 100) -> tuple[int, ...]:
    budget = Budget(expanded=states)
    return finish(beam_line(level.cells, level, budget, seed=seed))


def rounds_of(level: Level, budget: Budget, **settings: int) -> list[Round]:
    found = rounds(level.cells, level, budget, **settings)
    return [one for one in found if isinstance(one, Round)]


@given(st.integers(0, 2**32))
def test_every_round_brings_a_line_that_empties_the_board(seed: int) -> None:
    level = random_level(random.Random(seed), 6)
    puzzle = Drops(level)
    before = sum(5 - drops for drops in level.cells if drops)
    for after in rounds_of(level, Budget(expanded=50)):
        assert puzzle.is_goal(replay(puzzle, after.line))
        assert after.lower_bound <= len(after.line) <= before
        before = len(after.line)


@given(st.integers(0, 2**32))
def test_small_boards_are_solved_in_the_fewest_clicks(seed: int) -> None:
    rng = random.Random(seed)
    board = tuple("".join(str(rng.randint(1, 4)) for _ in range(3)) for _ in range(2))
    level = Level(board=board, rules=rng.choice(RULES))
    *_, last = rounds_of(level, Budget(expanded=300), first_width=32)
    puzzle = Drops(level)
    assert last.lower_bound <= fewest(puzzle, puzzle.initial()) == len(last.line)


@pytest.mark.parametrize("rules", RULES)
def test_six_by_six_ones_take_36_clicks(rules: RuleName) -> None:
    level = Level(board=("1" * 6,) * 6, rules=rules)
    line = short_line(level)
    assert len(line) == 36
    puzzle = Drops(level)
    assert puzzle.is_goal(replay(puzzle, line))


@pytest.mark.parametrize("rules", RULES)
def test_the_largest_board_gets_a_line_even_without_a_budget(rules: RuleName) -> None:
    rng = random.Random(3)
    board = tuple("".join(rng.choice("01112") for _ in range(32)) for _ in range(32))
    level = Level(board=board, rules=rules)
    puzzle = Drops(level)
    for states in (0, 2):
        assert puzzle.is_goal(replay(puzzle, short_line(level, states=states)))


def test_the_same_seed_gives_the_same_line() -> None:
    level = Level(board=("212211", "112212", "122111", "212122", "111112", "212122"))
    assert short_line(level, 1) == short_line(level, 1)


def test_widths_on_large_boards() -> None:
    assert [luby(number) for number in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_on_large_boards_each_search_draws_anew_and_the_same_seed_gives_the_same_line() -> None:
    side = 12
    rng = random.Random(5)
    level = Level(board=tuple("".join(rng.choice("112") for _ in range(side)) for _ in range(side)))
    assert side * side > LARGE
    puzzle = Drops(level)
    lines = [[found.line for found in rounds_of(level, Budget(expanded=200), seed=seed)] for seed in (1, 1)]
    assert lines[0] == lines[1]
    assert len(lines[0]) > 1
    assert all(puzzle.is_goal(replay(puzzle, line)) for line in lines[0])


def test_plain_python_finds_the_same_line() -> None:
    board = ("121112", "111121", "112111") * 2  # more cells than the first beam has triggers
    script = (
        "from winnable.contract.core import Budget, finish\n"
        "from winnable.games.drops.rules.level import Level\n"
        "from winnable.games.drops.solve.beam import beam_line\n"
        f"level = Level({board}, rules='half')\n"
        "print(finish(beam_line(level.cells, level, Budget(expanded=10))))"
    )
    assert fresh_python.printed_either_way(script) != "()\n"


def test_a_bound_that_is_met_ends_the_search() -> None:
    level = Level(board=("111", "111"))
    *_, last = rounds_of(level, Budget())
    assert len(last.line) == last.lower_bound == 15
    (only,) = rounds_of(level, Budget(), lower_bound=10**6)
    assert only.expanded == 0


def test_an_empty_board_needs_nothing() -> None:
    (only,) = rounds(bytes(6), Level(("111", "111")), Budget())
    assert isinstance(only, Round)
    assert only.line == ()


def test_tables_keep_to_the_memory_that_is_allowed() -> None:
    level = Level(board=("212211", "112212", "122111", "212122", "111112", "212122"))
    for width, fits in ((128, True), (256, False)):
        budget = Budget(memory_mb=1, expanded=3)
        *_, last = rounds_of(level, budget, first_width=width)
        assert (last.expanded > 0) == fits


@given(st.lists(st.integers(0, 4), min_size=12, max_size=12))
def test_the_outlook_counts_lines_and_drops(cells: list[int]) -> None:
    geometry = geometry_of(Level(("1111",) * 3))
    filled, least, more = outlook(np.array(cells, np.uint16), geometry, np.ones(16))
    lines = [cells[row * 4 : row * 4 + 4] for row in range(3)] + [cells[column::4] for column in range(4)]
    counts = [sum(map(bool, line)) for line in lines]
    lost = sum(0 if count == 0 else 2 if count == 1 else 3 for count in counts)
    assert filled == 12 - cells.count(0)
    assert least == (max(filled - sum(cells) + lost, 5 - max(cells)) if filled else 0)
    alone = sum(
        bool(drops) and counts[cell // 4] == counts[3 + cell % 4] == 1 for cell, drops in enumerate(cells)
    )
    total = least + np.log1p(np.exp(lost + filled + alone)) if filled else 0.0
    assert more == pytest.approx(total)


def test_recorded_levels_are_solved_in_the_clicks_that_they_allow() -> None:
    for entry in recorded("classic")[::40]:
        level = Level(board=tuple(entry["board"].split("/")))
        assert len(short_line(level, states=1000)) == entry["budget"]
