"""The largest levels, little memory, Ctrl-C: whatever happens, each stage ends with an honest answer."""

from __future__ import annotations

import os
import random
import signal
import sys
import tracemalloc
from itertools import product
from typing import TypeVar

import pytest
from msgspec.structs import replace

from tests.games.triple.naive_triple import random_level
from winnable.cli.work import Work
from winnable.contract.core import Answer, Budget, Found, Search, Solver, finish, searching
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.measure.traps import find_traps
from winnable.games.triple.measure.tray import SmallestTray, smallest_tray
from winnable.games.triple.rules.level import MAX_KINDS, MAX_TILES, Level, Tile
from winnable.games.triple.rules.puzzle import Triple, tiles_above, tiles_below
from winnable.games.triple.solve import solver
from winnable.games.triple.solve.breadth_search import BreadthSearch
from winnable.games.triple.solve.closed_sets import find_closed_set
from winnable.games.triple.solve.plan import plan_of
from winnable.games.triple.solve.solver import solve_auto
from winnable.search.meter import Meter

T = TypeVar("T")
SOLVERS = (solver.solve_auto, solver.solve_exact, solver.solve_beam, solver.solve_depth_first)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    solver.warm()


@pytest.fixture(scope="module")
def largest() -> Triple:
    """As many tiles as a level may have, in 71 × 71 towers, and as many kinds."""
    faces = [kind for triple in range(MAX_TILES // 3) for kind in [triple % MAX_KINDS] * 3]
    random.Random(0).shuffle(faces)
    places = product(range(20), range(0, 8 * 71, 8), range(0, 8 * 71, 8))
    tiles = (Tile(kind, x, y, layer) for kind, (layer, x, y) in zip(faces, places, strict=False))
    puzzle = Triple(Level(tuple(tiles)))
    plan_of(puzzle)
    return puzzle


@pytest.fixture(scope="module")
def hard() -> Triple:
    """No search decides it soon."""
    puzzle = Triple(finish(generate(Params(layers=26, slots=4), 0)))
    plan_of(puzzle)
    return puzzle


def solved_within(memory_mb: int, solve: Solver, puzzle: Triple, budget: Budget) -> Answer:
    """Of `solve`, which must not take more memory. Threads that another test began may still do, so the least
    of three searches counts."""
    peaks: list[int] = []
    for _ in range(3):
        tracemalloc.start()
        try:
            result = finish(solve(puzzle, 0, Budget(budget.seconds, budget.expanded, budget.memory_mb), 0))
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
        if peaks[-1] < memory_mb << 20:
            return result
    raise AssertionError(f"bytes: {peaks}")


@pytest.mark.parametrize("solve", SOLVERS)
def test_the_largest_level_ends_in_time_and_memory(solve: Solver, largest: Triple) -> None:
    result = solved_within(64, solve, largest, Budget(seconds=0.2, memory_mb=64))
    assert (result.status, result.lower_bound) == ("budget", largest.num_actions)


@pytest.mark.parametrize("solve", SOLVERS[:3])
def test_a_small_memory_is_kept(solve: Solver, hard: Triple) -> None:
    result = solved_within(4, solve, hard, Budget(expanded=30_000, memory_mb=4))
    assert (result.status, result.lower_bound) == ("budget", hard.num_actions)


@pytest.mark.parametrize(("layers", "slots", "backward"), [(12, 3, True), (14, 5, True), (26, 4, False)])
def test_breadth_first_keeps_to_its_memory(layers: int, slots: int, backward: bool) -> None:
    puzzle = Triple(finish(generate(Params(layers=layers, slots=slots), 1)))
    plan = plan_of(puzzle)

    def search(puzzle: Triple, state: int, budget: Budget, seed: int) -> Answer:
        meter = Meter(budget)
        wide = BreadthSearch(plan, plan.backward if backward else plan.forward, state)
        assert finish(wide.run(meter, 10**9, budget.memory_mb << 20)) == "stopped"
        assert wide.full
        return meter.result("budget")

    solved_within(4, search, puzzle, Budget(memory_mb=4))


def test_a_full_memory_ends_the_readable_search(largest: Triple) -> None:
    result = finish(solver.solve_depth_first(largest, 0, Budget(memory_mb=1, expanded=400), 0))
    assert result.status == "budget"
    assert result.expanded * sys.getsizeof(1 << largest.num_actions) < 1 << 20


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    ("stage", "solve"),
    [
        ("exact.forward", solver.solve_auto),
        ("exact.backward", solver.solve_auto),
        ("beam.forward 5", solver.solve_auto),
        ("breadth.backward", solver.solve_auto),
        ("beam.backward 60", solver.solve_auto),
        ("exact.backward", solver.solve_exact),
        ("beam.forward 20", solver.solve_beam),
        ("depth-first", solver.solve_depth_first),
    ],
)
def test_ctrl_c_ends_every_stage(stage: str, solve: Solver, hard: Triple) -> None:
    def interrupted(puzzle: Triple, state: int, budget: Budget, seed: int) -> Search[Answer]:
        budget.memory_mb = 8  # so that the breadth-first search gives way to the backward one
        budget.threads = 1  # so that all stages are heard of
        return interrupting(stage, solve(puzzle, state, budget, seed))

    with Work("solving") as work:
        result = work.search(lambda budget: interrupted(hard, 0, budget, 0), 60)
    assert work.interrupted
    assert (result.status, result.lower_bound) == ("budget", hard.num_actions)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_the_search_for_a_proof(hard: Triple) -> None:
    def interrupted(budget: Budget) -> Search[object]:
        return interrupting("breadth.forward", find_closed_set(hard, 0, budget))

    with Work("solving") as work:
        assert work.search(interrupted, 60) is None
    assert work.interrupted


def interrupting(stage: str, found: Found[T]) -> Search[T]:
    """Interrupts the process once, when the stage tells of itself."""
    steps, done = searching(found), False
    while True:
        try:
            progress = next(steps)
        except StopIteration as end:
            return end.value
        named = " ".join(map(str, (progress.stage, *progress.values.values())))
        if named == stage and not done:
            done = True
            os.kill(os.getpid(), signal.SIGINT)
        yield progress


def test_no_level_is_lost_with_every_tray() -> None:
    """Two of a kind rest at most: with one slot more than two for each kind the tray is never full."""
    rng = random.Random(0)
    for _ in range(30):
        level = random_level(rng)
        never_full = 2 * len({tile.kind for tile in level.tiles}) + 1
        result = finish(solve_auto(Triple(replace(level, slots=never_full)), 0, Budget(), 0))
        assert result.status == "solved"
        assert finish(smallest_tray(replace(level, slots=10_000), Budget())).exact
    level = finish(generate(Params(slots=1), 0))
    assert finish(find_closed_set(Triple(level), 0, Budget())) is not None
    assert finish(smallest_tray(level, Budget(expanded=0))) == SmallestTray(2, None)


def test_what_waits_for_what_reads_both_ways() -> None:
    puzzle = Triple(random_level(random.Random(3)))
    above, below = tiles_above(puzzle), tiles_below(puzzle)
    for tile in range(puzzle.num_actions):
        for other in range(puzzle.num_actions):
            assert above[tile] >> other & 1 == below[other] >> tile & 1


def test_some_of_many_clicks_are_looked_at() -> None:
    puzzle = Triple(finish(generate(Params(layers=4, sets=2, kinds=6, side=4), 0)))
    line = finish(solve_auto(puzzle, 0, Budget(), 0)).actions
    some, same, others = (finish(find_traps(puzzle, line, 5, Budget(), seed)) for seed in (0, 0, 1))
    assert (some.clicks, others.clicks, some) == (5, 5, same)
