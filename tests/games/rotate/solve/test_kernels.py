"""The kernels of rotate mean what the readable rules say, compiled and as plain Python."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import fresh_python
from tests.games.rotate.boards import levels
from tests.reference.perft import perft
from winnable.games.rotate.levels.text import parse_board
from winnable.games.rotate.rules.blocks import Cells, turned
from winnable.games.rotate.rules.clusters import cluster_numbers
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.rotate.solve import kernels

PLAIN_PYTHON = """
from tests.games.rotate.solve.test_kernels import *
for code in BOARDS:
    level = parse_board(code)
    check_turns(level)
    assert compiled_perft(level, 2) == perft(Rotate(level), Rotate(level).initial(), 2)
print("the same")
"""
WARM = """
import importlib, pkgutil
from winnable.contract.core import Budget, finish
from winnable.games import rotate
from winnable.games.rotate.game import GAME
from winnable.games.rotate.levels.generator import Params, generate

def signatures():
    found = {}
    for module in pkgutil.walk_packages(rotate.__path__, "winnable.games.rotate."):
        if module.name.endswith("kernels"):
            names = vars(importlib.import_module(module.name))
            kernels = {name: f for name, f in names.items() if hasattr(f, "signatures")}
            found |= {(module.name, name): len(f.signatures) for name, f in kernels.items()}
    return found

GAME.warm()
before = signatures()
assert ("winnable.games.rotate.solve.pairs_kernels", "expand") in before
sizes = (2, 3, "clusters"), (5, 5, "clusters"), (7, 9, "clusters"), (5, 4, "pairs"), (8, 8, "pairs")
for rows, columns, rules in sizes:
    puzzle = GAME.puzzle(finish(generate(Params(rows=rows, columns=columns, rules=rules), 1)))
    for solve in GAME.solvers.values():
        finish(solve(puzzle, puzzle.initial(), Budget(seconds=1, expanded=1000), 0))
after = signatures()
print({name for name in after if after[name] != before[name]} or "warm")
"""
BOARDS = "1234/4321/1212/3434", "001/221", "0110/1221/2332", "0213/3120,rules=pairs"


def counted(cells: Cells, columns: int) -> int:
    return kernels.count_clusters(np.array(cells, np.int16), columns, np.empty(len(cells), np.int16))


def compiled_perft(level: Level, depth: int) -> int:
    rotate = Rotate(level)
    cells = np.array(level.cells, np.int16)
    lines = kernels.perft(
        cells, rotate.columns, kernels.blocks_of(rotate), rotate.ways, rotate.colours, depth
    )
    assert tuple(cells) == level.cells
    return lines


def check_turns(level: Level) -> None:
    """Each turn of the board, and its clusters afterwards; then the turn back."""
    rotate, blocks = Rotate(level), kernels.blocks_of(Rotate(level))
    cells = np.array(level.cells, np.int16)
    for action in range(rotate.num_actions):
        block, quarters = rotate.block(action)
        left, top, side = map(int, blocks[action // rotate.ways])
        kernels.turn(cells, rotate.columns, left, top, side, quarters)
        after = turned(level.cells, rotate.columns, block, quarters)
        assert tuple(cells) == after
        assert counted(after, rotate.columns) == max(cluster_numbers(after, rotate.columns)) + 1
        kernels.turn(cells, rotate.columns, left, top, side, 4 - quarters)
        assert tuple(cells) == level.cells


@given(levels())
def test_turns_and_clusters(level: Level) -> None:
    check_turns(level)


@given(st.integers(1, 64), st.integers(1, 12), st.randoms(use_true_random=False))
def test_clusters_of_boards_of_two_colours(columns: int, rows: int, rng: Random) -> None:
    """They wind more than those of many colours."""
    cells = tuple(int(rng.random() < 0.6) for _ in range(rows * columns))
    assert counted(cells, columns) == max(cluster_numbers(cells, columns)) + 1


@pytest.mark.parametrize("code", BOARDS)
def test_perft(code: str) -> None:
    level = parse_board(code)
    for depth in (0, 1, 2):
        assert compiled_perft(level, depth) == perft(Rotate(level), Rotate(level).initial(), depth)


def test_as_plain_python() -> None:
    assert fresh_python.printed(PLAIN_PYTHON, jit=False) == "the same\n"


def test_after_warm_no_solver_compiles_anything() -> None:
    assert fresh_python.printed(WARM, jit=True) == "warm\n"
