"""The kernels of triple mean what the readable rules say."""

import inspect
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.triple.naive_triple import Naive, picked_set, random_level, random_state
from tests.reference.perft import divide, perft
from winnable.compiled import jit
from winnable.games.triple.levels.text import format_board, parse_board
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve import beam_kernels, exact_kernels, kernels, solver
from winnable.games.triple.solve import plan as plan_module
from winnable.games.triple.solve.kernels import I16, Tables
from winnable.games.triple.solve.plan import make_plan

GOLDEN = Path(__file__).parents[3] / "golden" / "triple.perft"
SEEDS = st.integers(0, 2**32)


def opens(waits: I16) -> list[int]:
    found = np.zeros(waits.size, np.int32)
    return found[: kernels.open_tiles(waits, found)].tolist()


def kept(tables: Tables, waits: I16) -> list[int]:
    """What is left of the open tiles by dominance."""
    tiles = waits.size
    found, result, chain = (np.zeros(tiles, np.int32) for _ in range(3))
    first = np.zeros(tiles, np.int32)
    count = kernels.open_tiles(waits, found)
    return result[: kernels.undominated(tables, waits, found, count, first, chain, result)].tolist()


def tray_size(tables: Tables, counts: I16) -> int:
    """Tiles that rest in the tray."""
    return int(tables.held[counts].sum())


@given(SEEDS)
def test_open_tiles_and_tray_are_those_of_the_rules(seed: int) -> None:
    rng = random.Random(seed)
    puzzle = Triple(random_level(rng))
    plan = make_plan(puzzle)
    target = random_state(rng, puzzle)
    root = plan.root(plan.forward, puzzle.initial())
    state = puzzle.initial()
    while True:
        assert opens(root.waits) == puzzle.uncovered(state)
        assert tray_size(plan.forward, root.counts) == len(puzzle.tray(state))
        again = plan.root(plan.forward, state)
        assert again.waits.tolist() == root.waits.tolist()
        assert again.counts.tolist() == root.counts.tolist()
        assert again.left == puzzle.num_actions - state.bit_count()
        moves = [tile for tile in puzzle.legal_actions(state) if target >> tile & 1]
        if not moves:
            break
        tile = rng.choice(moves)
        before = root.waits.copy()
        _, opened = kernels.do_tile(plan.forward, root.waits, tile)
        assert opened == len(set(opens(root.waits)) - set(opens(before)))
        kernels.undo_tile(plan.forward, root.waits, tile)
        assert root.waits.tolist() == before.tolist()
        kernels.do_tile(plan.forward, root.waits, tile)
        root.counts[plan.forward.kind[tile]] = (root.counts[plan.forward.kind[tile]] + 1) % 3
        state = puzzle.apply(state, tile)


@given(SEEDS)
def test_backward_a_tile_is_open_when_putting_it_back_leaves_a_board(seed: int) -> None:
    """From the empty board up to a state: open tiles are those that could have been picked last."""
    rng = random.Random(seed)
    puzzle = Triple(random_level(rng))
    naive, plan = Naive(puzzle.level), make_plan(puzzle)
    start = picked_set(random_state(rng, puzzle))
    root = plan.root(plan.backward, sum(1 << tile for tile in start))
    picked = frozenset(range(puzzle.num_actions))
    while picked != start:
        expected = [
            tile for tile in sorted(picked - start) if not any(tile in naive.above[under] for under in picked)
        ]
        assert opens(root.waits) == expected
        state = sum(1 << tile for tile in picked)
        assert tray_size(plan.backward, root.counts) == len(puzzle.tray(state))
        tile = rng.choice(expected)
        kernels.do_tile(plan.backward, root.waits, tile)
        root.counts[plan.backward.kind[tile]] = (root.counts[plan.backward.kind[tile]] + 1) % 3
        picked -= {tile}
    assert opens(root.waits) == []


@given(SEEDS)
def test_outlook_and_dominance_never_lose_a_win(seed: int) -> None:
    rng = random.Random(seed)
    puzzle = Triple(random_level(rng, most_tiles=15))
    plan, naive = make_plan(puzzle), Naive(puzzle.level)
    state = random_state(rng, puzzle)
    if puzzle.is_goal(state) or not naive.winnable(picked_set(state)):
        return
    root = plan.root(plan.forward, state)
    tray = tray_size(plan.forward, root.counts)
    assert kernels.outlook(plan.forward, root.waits, root.counts, tray, root.left)[1]
    promising = kept(plan.forward, root.waits)
    assert set(promising) <= set(puzzle.uncovered(state))
    assert any(naive.winnable(picked_set(state) | {tile}) for tile in promising)


def test_of_two_tiles_on_nothing_one_is_kept() -> None:
    puzzle = Triple(parse_board("7:0@0.0,0@8.0,0@16.0"))
    plan = make_plan(puzzle)
    assert kept(plan.forward, plan.root(plan.forward, 0).waits) == [0]


@given(st.integers(0, 2**200 - 1))
def test_pack_and_unpack_are_inverses(state: int) -> None:
    row = kernels.pack(state, kernels.words_of(200))
    assert row.dtype == np.uint64
    assert row.shape == (4,)
    assert kernels.unpack(row) == state
    assert [bool(int(row[bit // 64]) >> bit % 64 & 1) for bit in range(200)] == [
        bool(state >> bit & 1) for bit in range(200)
    ]


def test_the_table_never_takes_two_sets_for_one_though_their_hashes_agree() -> None:
    table, sets = np.zeros(64, np.uint64), np.zeros((64, 2), np.uint64)
    same_hash = np.array([2**63 + 5], np.uint64)
    rows = [kernels.pack(number << 60, 2) for number in range(1, 9)]
    assert [exact_kernels.remember(table, sets, same_hash, row) for row in rows] == [1] * 8
    assert [exact_kernels.remember(table, sets, same_hash, row) for row in rows] == [0] * 8


def test_a_grown_table_still_knows_all_sets() -> None:
    rng = random.Random(1)
    states = [(rng.getrandbits(64), rng.getrandbits(128)) for _ in range(300)]
    table, sets = np.zeros(1024, np.uint64), np.zeros((1024, 2), np.uint64)
    grown, grown_sets = np.zeros(2048, np.uint64), np.zeros((2048, 2), np.uint64)
    for code, state in states:
        assert exact_kernels.remember(table, sets, np.array([code], np.uint64), kernels.pack(state, 2)) == 1
    assert exact_kernels.move_entries(table, sets, grown, grown_sets) == 300
    for code, state in states:
        assert (
            exact_kernels.remember(grown, grown_sets, np.array([code], np.uint64), kernels.pack(state, 2))
            == 0
        )


def test_a_full_table_forgets_but_does_not_lie() -> None:
    rng = random.Random(2)
    table, sets = np.zeros(16, np.uint64), np.zeros((16, 1), np.uint64)
    met: set[int] = set()
    for _ in range(500):
        state = rng.getrandbits(7)
        fate = exact_kernels.remember(
            table, sets, np.array([state * 2**57 + 3], np.uint64), kernels.pack(state, 1)
        )
        assert fate != 0 or state in met
        met.add(state)


@given(SEEDS)
def test_large_levels_search_the_same_order_with_direct_covers(seed: int) -> None:
    """Beyond MAX_CLOSED_TILES tiles, other numbers stand in `waits`, but the same tiles are open."""
    rng = random.Random(seed)
    puzzle = Triple(random_level(rng))
    state = random_state(rng, puzzle)
    closed = make_plan(puzzle)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan_module, "MAX_CLOSED_TILES", 0)
        direct = make_plan(puzzle)
    for one, other in ((closed.forward, direct.forward), (closed.backward, direct.backward)):
        assert opens(closed.root(one, state).waits) == opens(direct.root(other, state).waits)
        assert other.reach.tolist() == other.post.tolist()


def naive_counts() -> dict[tuple[str, int], int]:
    """What the golden file holds; `python -m tests.games.triple.solve.test_kernels` writes it anew."""
    rng = random.Random(7)
    levels = (random_level(rng, most_tiles=18) for _ in range(100))
    boards = [format_board(level) for level in levels if Naive(level).perft(frozenset(), 5) > 50][:12]
    return {
        (board, depth): Naive(parse_board(board)).perft(frozenset(), depth)
        for board in boards
        for depth in (1, 3, 5, 7)
    }


def golden_counts() -> dict[tuple[str, int], int]:
    rows = [line.split() for line in GOLDEN.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {(board, int(depth)): int(count) for board, depth, count in rows}


def kernel_perft(tables: Tables, waits: I16, counts: I16, depth: int) -> int:
    if depth == 0:
        return 1
    if tray_size(tables, counts) > tables.limit:
        return 0
    total = 0
    for tile in opens(waits):
        kind = tables.kind[tile]
        kernels.do_tile(tables, waits, tile)
        counts[kind] = (counts[kind] + 1) % 3
        total += kernel_perft(tables, waits, counts, depth - 1)
        counts[kind] = (counts[kind] + 2) % 3
        kernels.undo_tile(tables, waits, tile)
    return total


def test_perft_counts_of_rules_and_kernels_are_the_golden_ones() -> None:
    golden = golden_counts()
    assert len(golden) >= 40
    for (board, depth), count in golden.items():
        puzzle = Triple(parse_board(board))
        assert perft(puzzle, puzzle.initial(), depth) == count, divide(puzzle, puzzle.initial(), depth)
        if depth <= 5:
            assert Naive(puzzle.level).perft(frozenset(), depth) == count
            plan = make_plan(puzzle)
            root = plan.root(plan.forward, puzzle.initial())
            assert kernel_perft(plan.forward, root.waits, root.counts, depth) == count


@pytest.mark.skipif(not jit.ENABLED, reason="nothing is compiled")
def test_compiled_types_hold_all_64_bits() -> None:
    """Mixing uint64 with int64 silently gives float64 or a signed number: no kernel may see a float."""
    solver.warm()
    assert exact_kernels.stored_key(np.uint64(2**64 - 2)) == 2**64 - 1
    assert exact_kernels.first_slot(np.uint64(2**64 - 1), 1000) == (2**63 - 1) % 1000
    test_a_grown_table_still_knows_all_sets()
    signatures: dict[str, list[Any]] = {
        name: function.nopython_signatures
        for module in (kernels, exact_kernels, beam_kernels)
        for name, function in inspect.getmembers(module)
        if hasattr(function, "nopython_signatures")
    }
    assert all("float" not in str(each) for each in signatures.values())
    for entry in ("exact_slice", "beam_slice", "expand_exact", "move_entries", "remember"):
        assert signatures[entry], entry
    assert {str(each.return_type) for each in signatures["stored_key"]} == {"uint64"}
    assert {str(each.return_type) for each in signatures["first_slot"]} == {"int64"}
    assert {str(each.args[0]) for each in signatures["first_slot"]} == {"uint64"}
    for each in signatures["remember"]:
        assert all("array(uint64" in str(argument) for argument in each.args)


if __name__ == "__main__":
    lines = ["# board, depth, lines of play; see naive_counts in tests/games/triple/solve/test_kernels.py"]
    lines += [f"{board} {depth} {count}" for (board, depth), count in naive_counts().items()]
    GOLDEN.write_text("\n".join(lines) + "\n", "utf-8")
