"""The price, a lower bound of the clicks to come, against brute force."""

from __future__ import annotations

import random
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest

from tests.games.drops.boards import RULES, clicks
from tests.games.drops.brute_force import fewest
from tests.games.drops.solve.test_exact import small_level
from winnable.games.drops.rules.level import FULL, Level, RuleName
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.drops.solve import kernels
from winnable.games.drops.solve.kernels import NO_LIMIT
from winnable.games.drops.solve.price_kernels import SCALE, price, tabulate, weigh

Weights = list[int]


class Prices:
    """Of all boards that `puzzle` can become, for one choice of weights."""

    def __init__(self, puzzle: Drops, weights: Weights) -> None:
        self.geometry = kernels.geometry_of(puzzle.level)
        n, bits = puzzle.num_actions, max(puzzle.rows, puzzle.columns)
        self.columns = puzzle.columns
        self.weights = np.zeros((1, n + 1), np.int64)
        self.weights[0, :n] = weights
        self.worth = np.zeros((1, (puzzle.rows + puzzle.columns) << bits), np.int64)
        tabulate(self.cells(puzzle.level.cells), self.geometry, self.weights[0], self.worth[0])

    @staticmethod
    def cells(cells: bytes) -> Any:
        return np.frombuffer(cells, np.uint8).copy()

    def of(self, cells: bytes) -> int:
        """In units of 1 / SCALE clicks."""
        masks = np.zeros(64, np.int64)
        prices = kernels.Prices(self.weights, self.worth)
        return int(price(self.cells(cells), self.geometry, prices, 0, masks))


def weigh_well(puzzle: Drops, rounds: int) -> tuple[Weights, int]:
    """Weights for the board, from all ones on, and the bound that is claimed; in parts they are the same."""
    geometry = kernels.geometry_of(puzzle.level)
    weights = np.full(puzzle.num_actions, SCALE, np.int64)
    cells, trial = Prices.cells(puzzle.level.cells), np.zeros(len(weights) + 1)
    bound = weigh(cells, geometry, weights, trial, 0, rounds, NO_LIMIT)
    parts = np.full_like(weights, SCALE)
    weigh(cells, geometry, parts, trial, 0, rounds // 2, NO_LIMIT)
    assert weigh(cells, geometry, parts, trial, rounds // 2, rounds, NO_LIMIT) == bound
    assert (parts == weights).all()
    return weights.tolist(), int(bound)


def drawn(rng: random.Random, n: int) -> Weights:
    most = rng.choice((SCALE, 2 * SCALE, 3))
    return [min(SCALE, rng.randint(0, most)) for _ in range(n)]


def levels(rules: RuleName, count: int) -> list[Level]:
    rng = random.Random(f"prices {rules}")
    found = [small_level(rng, rules) for _ in range(count)]
    return [level for level in found if max(level.rows, level.columns) <= 8]


def whole_clicks(units: int) -> int:
    return -(-units // SCALE)


def most_by_permutations(weights: list[int]) -> int:
    """Of one line: every order of bursts, each droplet to the heaviest cell that bursts later and before
    whose turn all cells on the way have burst."""
    best = 0
    for order in permutations(range(len(weights))):
        turn = {cell: time for time, cell in enumerate(order)}
        total = 0
        for sender in order:
            for way in (range(sender - 1, -1, -1), range(sender + 1, len(weights))):
                latest, heaviest = turn[sender], 0
                for cell in way:
                    if turn[cell] > latest:
                        latest, heaviest = turn[cell], max(heaviest, weights[cell])
                total += heaviest
        best = max(best, total)
    return best


@pytest.mark.parametrize("length", range(1, 7))
def test_the_worth_of_a_line_is_that_of_its_best_order(length: int) -> None:
    """All its parts too: those that are left when some cells have burst."""
    rng = random.Random(length)
    for along in ((length, 1), (1, length)):
        for _ in range(8 if length < 6 else 2):
            weights = drawn(rng, length)
            row = "".join(rng.choice("1234") for _ in range(length))
            board = (row,) if along[0] == 1 else tuple(row)
            prices = Prices(Drops(Level(board)), weights)
            line = 0 if along[0] == 1 else length
            for mask in range(1 << length):
                left = [weights[cell] for cell in range(length) if mask >> cell & 1]
                assert prices.worth[0, line << length | mask] == most_by_permutations(left)


@pytest.mark.parametrize("rules", RULES)
def test_no_weights_price_a_board_above_its_fewest_clicks(rules: RuleName) -> None:
    rng = random.Random(2)
    above_zero = 0
    for level in levels(rules, 40):
        puzzle = Drops(level)
        fewest_clicks = fewest(puzzle, puzzle.initial())
        for _ in range(6):
            bound = whole_clicks(Prices(puzzle, drawn(rng, puzzle.num_actions)).of(level.cells))
            assert bound <= fewest_clicks, level.board
            above_zero += bound > 0
    assert above_zero > 50


@pytest.mark.parametrize("rules", RULES)
def test_weights_that_were_looked_for_bound_no_less_than_ones(rules: RuleName) -> None:
    """And all that is claimed is what their price says."""
    better = 0
    for level in levels(rules, 60):
        puzzle = Drops(level)
        fewest_clicks = fewest(puzzle, puzzle.initial())
        plain = Prices(puzzle, [SCALE] * puzzle.num_actions).of(level.cells)
        weights, bound = weigh_well(puzzle, 60)
        assert all(0 <= weight <= SCALE for weight in weights)
        assert bound == whole_clicks(Prices(puzzle, weights).of(level.cells))
        assert whole_clicks(plain) <= bound <= fewest_clicks, level.board
        better += bound > whole_clicks(plain)
    assert better > 3


def test_weights_of_one_price_what_is_lost_at_the_least() -> None:
    """cells - drops + 2 for a line of one cell and 3 for any longer one."""
    rng = random.Random(4)
    for _ in range(40):
        rows, columns = rng.randint(1, 7), rng.randint(1, 7)
        board = tuple("".join(rng.choice("01234") for _ in range(columns)) for _ in range(rows))
        if set("".join(board)) == {"0"}:
            continue
        puzzle = Drops(Level(board))
        lines = [*board, *("".join(column) for column in zip(*board, strict=True))]
        counts = [len(line) - line.count("0") for line in lines]
        lost = sum(0 if count == 0 else 2 if count == 1 else 3 for count in counts)
        drops = sum(puzzle.level.cells)
        filled = len(puzzle.level.cells) - puzzle.level.cells.count(0)
        price_of_ones = Prices(puzzle, [SCALE] * puzzle.num_actions).of(puzzle.level.cells)
        assert price_of_ones == SCALE * (filled - drops + lost)


@pytest.mark.parametrize("rules", RULES)
def test_along_a_game_the_price_falls_by_a_click_at_most(rules: RuleName) -> None:
    """The weights are those of the first board. So clicks spent + price is never above the clicks of any
    game's end; here of the one that was played."""
    rng = random.Random(6)
    bursting = 0
    for game in range(60):
        rows, columns = rng.randint(1, 6), rng.randint(1, 6)
        board = tuple("".join(rng.choice("012344") for _ in range(columns)) for _ in range(rows))
        if set("".join(board)) == {"0"}:
            continue
        puzzle = Drops(Level(board, rules=rules))
        if game % 2:
            prices = Prices(puzzle, drawn(rng, puzzle.num_actions))
        else:
            prices = Prices(puzzle, weigh_well(puzzle, 20)[0])
        played = clicks(puzzle, game, full_first=game % 3 > 0)
        last, cell = played[-1]
        boards = [state.cells for state, _ in played] + [puzzle.apply(last, cell).cells]
        assert not any(boards[-1])
        for before, after in pairwise(boards):
            assert prices.of(before) - prices.of(after) <= SCALE
            bursting += sum(map(bool, before)) - sum(map(bool, after)) > 1
        for spent, cells in enumerate(boards):
            assert spent + whole_clicks(prices.of(cells)) <= len(played)
        assert prices.of(boards[-1]) == 0
    assert bursting > 50


def test_a_full_cell_alone_costs_what_it_weighs() -> None:
    """By hand: it lacks one drop, and no other cell can send it one."""
    for weight in (0, 1, SCALE):
        assert Prices(Drops(Level((str(FULL),))), [weight]).of(bytes([FULL])) == weight
