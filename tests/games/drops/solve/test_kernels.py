"""The kernels of drops mean what the readable rules say, compiled and as plain Python."""

import random

import numpy as np
import pytest
from hypothesis import given, settings

from bench.drops import engine as drops_engine
from tests import fresh_python
from tests.games.drops.boards import RULES, SEEDS, clicks, levels
from winnable.games.drops.rules.chain import DIRECTIONS, RULE_SETS, run_chain
from winnable.games.drops.rules.level import FULL, Level, RuleName
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.drops.solve import kernels
from winnable.games.drops.solve.click_kernels import (
    UNDECIDED,
    Bits,
    click,
    click_in_order,
    drops_at,
    is_empty,
    to_bits,
    to_cells,
    try_click,
    water,
)
from winnable.games.drops.solve.kernels import (
    BURSTS,
    END,
    HEAD,
    LOST,
    TAIL,
    UNPRICED,
    Geometry,
    Play,
    geometry_of,
    new_play,
)
from winnable.games.drops.solve.linked_kernels import Clicker, new_clicker

PLAIN_PYTHON = """
from tests.games.drops.solve.test_kernels import *
for rules in RULES:
    for side in (1, 3, 6):
        check_a_game(Level(("0123443210"[:side + 2],) + ("4" * (side + 2),) * side, rules=rules), seed=side)
print("the same")
"""


NOTHING = -1, kernels.NO_LIMIT, kernels.NO_LIMIT
"""Neither to pay nor to exceed."""


def pack(cells: bytes, geometry: Geometry) -> kernels.Cells:
    """The linked board of these cells, row-major."""
    board = kernels.new_board(len(cells))
    board[: len(cells)] = np.frombuffer(cells, np.uint8)
    kernels.link(board, geometry)
    return board


def unpack(board: kernels.Cells) -> bytes:
    return board[: board.size // 5 - 1].astype(np.uint8).tobytes()


def check_a_game(level: Level, seed: int, full_first: bool = False) -> None:
    """A whole random game, click by click, by all kernels: cells, bursts, links and lost droplets."""
    puzzle = Drops(level)
    n = len(level.cells)
    clicker, play, board = new_clicker(level), new_play(geometry_of(level)), to_bits(level.cells)
    for state, cell in clicks(puzzle, seed, full_first):
        assert to_cells(board, n) == state.cells
        assert (water(board), drops_at(board, cell)) == (sum(state.cells), state.cells[cell])
        before, last = board.copy(), puzzle.trace(state, cell)[-1]
        assert click(board, clicker, cell) == last.bursts
        assert to_cells(board, n) == last.cells
        if last.bursts:
            check_orders(before, board, clicker, cell, last.bursts)
            play.board[:] = pack(state.cells, play.geometry)
            check_advance(play, cell, sum(state.cells) + 1 - last.bursts - sum(last.cells))
            assert unpack(play.board) == last.cells
            assert play.chain.counters[BURSTS] == last.bursts
    assert is_empty(board)


def check_orders(before: Bits, after: Bits, clicker: Clicker, cell: int, bursts: int) -> None:
    """In any order, if that decides it, and droplet by droplet."""
    geometry, board = clicker.geometry, before.copy()
    tried = try_click(board, geometry, cell)
    assert tried in (bursts, UNDECIDED)
    assert (board == (before if tried == UNDECIDED else after)).all()
    if geometry.cells <= 64 and geometry.absorb:
        assert tried == bursts
    board = before.copy()
    assert click_in_order(board, clicker, cell) == bursts
    assert (board == after).all()
    check_links(clicker.board, geometry)


def check_advance(play: Play, cell: int, lost: int) -> None:
    """A whole chain without stop."""
    kernels.begin(play.chain.counters, 0, 0, UNPRICED)
    kernels.burst(play, cell)
    assert kernels.advance(play, *NOTHING) == END
    counters = play.chain.counters
    assert counters[HEAD] == counters[TAIL]
    assert counters[LOST] == lost
    check_links(play.board, play.geometry)


def check_links(board: kernels.Cells, geometry: Geometry) -> None:
    """Taking bursting cells out leaves the links that `link` would make anew."""
    again = pack(unpack(board), geometry)
    n = board.size // 5 - 1
    resting = np.flatnonzero(board[:n])
    assert (board.reshape(5, n + 1)[:, resting] == again.reshape(5, n + 1)[:, resting]).all()


@settings(max_examples=25)
@given(levels(side=8), SEEDS)
def test_random_games_are_those_of_the_rules(level: Level, seed: int) -> None:
    check_a_game(level, seed)


@pytest.mark.parametrize("rules", RULES)
def test_a_board_of_one_cell(rules: RuleName) -> None:
    for drops in range(1, FULL + 1):
        check_a_game(Level((str(drops),), rules=rules), seed=0)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("size", [(32, 32), (32, 1), (1, 32), (31, 17)])
@pytest.mark.parametrize("digits", ["4", "0344", "01234"])
def test_large_boards(rules: RuleName, size: tuple[int, int], digits: str) -> None:
    rng = random.Random(f"{size} {digits}")
    board = tuple("".join(rng.choice(digits) for _ in range(size[1])) for _ in range(size[0]))
    check_a_game(Level(board, rules=rules), seed=1, full_first=True)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("size", [(8, 8), (2, 32), (32, 2), (1, 32), (32, 1), (7, 9), (5, 13)])
def test_boards_of_about_one_word(rules: RuleName, size: tuple[int, int]) -> None:
    rng = random.Random(f"{size}")
    for digits in ("34", "01234", "0004"):
        board = tuple("".join(rng.choice(digits) for _ in range(size[1])) for _ in range(size[0]))
        check_a_game(Level(board, rules=rules), seed=2, full_first=True)


@pytest.mark.parametrize("n", [1, 36, 63, 64, 65, 128, 1024])
def test_bits_are_cells(n: int) -> None:
    rng = random.Random(n)
    cells = bytes(rng.randrange(FULL + 1) for _ in range(n))
    board = to_bits(cells)
    assert to_cells(board, n) == cells
    assert bytes(drops_at(board, cell) for cell in range(n)) == cells
    assert water(board) == sum(cells)
    assert is_empty(to_bits(bytes(n)))


def test_more_droplets_than_a_cell_lacks_need_their_order() -> None:
    """Both 4s beside the clicked one send a droplet to the 4 in the corner: the younger one flies on."""
    cells = bytes((4, 4, 0, 4, 4, 1, 0, 1, 0))
    board = ("440", "441", "010")
    tried = {rules: try_click(to_bits(cells), geometry_of(Level(board, rules=rules)), 0) for rules in RULES}
    assert tried == dict.fromkeys(RULES, UNDECIDED) | {"symmetric": 4}


@given(levels())
def test_links_lead_to_the_nearest_drops(level: Level) -> None:
    n, columns = len(level.cells), level.columns
    board = pack(level.cells, geometry_of(level))
    links = board.reshape(5, n + 1)[1:]
    for cell in range(n):
        for way, (down, right) in enumerate(DIRECTIONS[way] for way in kernels.WAYS):
            row, column = divmod(cell, columns)
            found = n
            while 0 <= (row := row + down) < level.rows and 0 <= (column := column + right) < columns:
                if level.board[row][column] != "0":
                    found = row * columns + column
                    break
            if level.cells[cell]:
                assert links[way, cell] == found


@given(levels(), SEEDS)
def test_hits_are_told_in_the_order_of_the_rules(level: Level, seed: int) -> None:
    """`advance` stops at each droplet that is absorbed without a burst: the resting drops count them."""
    puzzle, play = Drops(level), new_play(geometry_of(level))
    for state, cell in clicks(puzzle, seed):
        if state.cells[cell] < FULL:
            continue
        play.board[:] = pack(state.cells, play.geometry)
        kernels.begin(play.chain.counters, 0, 0, UNPRICED)
        kernels.burst(play, cell)
        drops = list(state.cells)
        drops[cell] = 0
        while (hit := kernels.advance(play, FULL, kernels.NO_LIMIT, kernels.NO_LIMIT)) >= 0:
            drops[hit] += 1
            assert play.board[hit] == drops[hit]
        assert [rest for rest in drops if rest > FULL] == []
        last = puzzle.trace(state, cell)[-1]
        burst = [place for place, now in enumerate(last.cells) if state.cells[place] and not now]
        assert [0 if place in burst else rest for place, rest in enumerate(drops)] == list(last.cells)


def test_the_same_source_runs_as_plain_python() -> None:
    assert fresh_python.printed(PLAIN_PYTHON, jit=False) == "the same\n"


QUEUE = """
from tests.games.drops.solve.test_kernels import *
for side in (6, 8, 16):
    for rules in RULES:
        check_a_game(Level(("4" * side,) * side, rules=rules), seed=0)
print("in its bounds")
"""


def test_the_queue_has_room_for_every_chain() -> None:
    """Plain Python notices what compiled code would write past the end of the array."""
    assert fresh_python.printed(QUEUE, jit=False) == "in its bounds\n"


EXHAUSTIVE = """
from winnable.contract.core import Budget, finish
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.drops.solve.solver import solve_optimal
from winnable.games.drops.levels.text import parse_board
for code in ("21/13", "4110/0203,rules=half", "211/133,rules=symmetric"):
    puzzle = Drops(parse_board(code))
    result = finish(solve_optimal(puzzle, puzzle.initial(), Budget(), 0))
    print(result.status, result.actions, result.lower_bound, result.expanded, result.generated)
"""


def test_plain_python_searches_as_compiled_code_does() -> None:
    assert fresh_python.printed_either_way(EXHAUSTIVE).count("solved") >= 2


WARM = """
import importlib, pkgutil
from winnable.contract.core import Budget, finish
from winnable.games import drops
from winnable.games.drops.game import GAME

def signatures():
    found = {}
    for module in pkgutil.walk_packages(drops.__path__, "winnable.games.drops."):
        if module.name.endswith("kernels"):
            names = vars(importlib.import_module(module.name))
            kernels = {name: one for name, one in names.items() if hasattr(one, "signatures")}
            found |= {(module.name, name): len(one.signatures) for name, one in kernels.items()}
    return found

GAME.warm()
before = signatures()
assert ("winnable.games.drops.solve.click_kernels", "click") in before
large = "/".join(["01" * 8] * 16)
for code in ("111011/120121/121012/101111/122011/111111", "0121/3434/1011,flash=1.1", "412/112,open", large):
    puzzle = GAME.puzzle(GAME.parse_board(code))
    for solve in GAME.solvers.values():
        finish(solve(puzzle, puzzle.initial(), Budget(seconds=1, expanded=1000), 0))
print("warm" if before == signatures() else "compiled more")
"""


def test_after_warm_no_solver_compiles_anything() -> None:
    assert fresh_python.printed(WARM, jit=True) == "warm\n"


def test_the_benchmark_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drops_engine, "BOARDS", 50)
    monkeypatch.setattr(drops_engine, "READABLE", 50)
    rows = {row.name: row.value for row in drops_engine.rows(games=1)}
    assert len(rows) == 16
    rng = random.Random(0)
    drawn = [drops_engine._board(rng) for _ in range(50)]  # pyright: ignore[reportPrivateUsage]
    for rules in RULES:
        ends = [list(run_chain(cells, 6, cell, RULE_SETS[rules]))[-1] for cells, cell in drawn]
        assert rows[f"{rules}: bursts of a chain"] == pytest.approx(sum(end.bursts for end in ends) / 50)
