"""The solvers of triple against brute force, real levels and their own promises."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests import fresh_python
from tests.driving import driven
from tests.games.triple.naive_triple import Naive, picked_set, random_level, random_state
from tests.reference.beam import beam_search
from winnable.contract.core import Answer, Budget, Limit, Progress, Solver, finish, replay
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.rules.level import Level, Tile
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve import kernel_search, solver
from winnable.games.triple.solve import plan as plan_module
from winnable.games.triple.solve.kernel_search import BeamSearch, ExactSearch
from winnable.games.triple.solve.plan import make_plan, plan_of
from winnable.search.meter import Meter

DATA = Path(__file__).parents[4] / "../shared/data/triple"
WEIGHTS = solver.EXACT_WEIGHTS
SOLVERS = (solver.solve_auto, solver.solve_exact, solver.solve_beam, solver.solve_depth_first)

Position = tuple[Triple, Picked, bool]


def positions(count: int, seed: int, most_tiles: int = 24) -> list[Position]:
    """Random positions, and whether brute force finds them winnable."""
    rng = random.Random(seed)
    found: list[Position] = []
    for _ in range(count):
        puzzle = Triple(random_level(rng, most_tiles))
        state = random_state(rng, puzzle)
        found.append((puzzle, state, Naive(puzzle.level).winnable(picked_set(state))))
    return found


@pytest.fixture(scope="module")
def many() -> list[Position]:
    found = positions(1000, 1)
    assert 350 < sum(winnable for *_, winnable in found) < 750
    return found


def check(puzzle: Triple, state: Picked, result: Answer) -> None:
    """What any result must be, whatever it says."""
    left = puzzle.num_actions - state.bit_count()
    if result.status == "solved":
        assert puzzle.is_goal(replay(puzzle, result.actions, state))
        assert (result.cost, result.lower_bound, result.optimal) == (left, left, True)
        assert len(result.actions) == left
    else:
        assert (result.actions, result.cost, result.optimal) == ((), None, False)
        assert result.lower_bound == (left if result.status == "budget" else None)


@pytest.mark.parametrize("solve", [solver.solve_auto, solver.solve_exact])
def test_verdicts_are_those_of_brute_force(solve: Solver, many: list[Position]) -> None:
    for puzzle, state, winnable in many:
        result = finish(solve(puzzle, state, Budget(), 0))
        assert result.status == ("solved" if winnable else "unsolvable"), (puzzle.level, state)
        check(puzzle, state, result)


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("direct", [False, True])
def test_either_direction_alone_is_right(
    backward: bool, direct: bool, many: list[Position], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with the lists of large levels."""
    if direct:
        monkeypatch.setattr(plan_module, "MAX_CLOSED_TILES", 0)
    for puzzle, state, winnable in many[:500] if direct else many:
        if puzzle.is_goal(state) or puzzle.is_full(state):
            continue
        plan = make_plan(puzzle)
        tables = plan.backward if backward else plan.forward
        search = ExactSearch(plan, tables, state, WEIGHTS)
        outcome = finish(search.run(Meter(Budget()), 10**9, 2**28))
        assert outcome == ("solved" if winnable else "exhausted"), (puzzle.level, state)
        if winnable:
            assert puzzle.is_goal(replay(puzzle, search.line(), state))
        wide = BeamSearch(plan, tables, state, 300, WEIGHTS, 0)
        beam_outcome = finish(wide.run(Meter(Budget())))
        assert winnable or beam_outcome == "exhausted"
        if beam_outcome == "solved":
            assert puzzle.is_goal(replay(puzzle, wide.line(), state))


def test_a_table_that_must_forget_still_proves(many: list[Position], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_search, "FIRST_SLOTS", 16)
    for puzzle, state, winnable in many[:300]:
        result = finish(solver.solve_exact(puzzle, state, Budget(memory_mb=0), 0))
        assert result.status == ("solved" if winnable else "unsolvable")


def test_a_search_in_small_pieces_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that grow again and again, runs of three nodes: the same search."""
    monkeypatch.setattr(kernel_search, "FIRST_SLOTS", 16)
    for puzzle, state, _ in positions(60, 5):
        if puzzle.is_goal(state) or puzzle.is_full(state):
            continue
        plan = make_plan(puzzle)
        whole, pieces = (ExactSearch(plan, plan.backward, state, WEIGHTS) for _ in range(2))
        all_nodes, three_nodes = Meter(Budget()), Meter(Budget())
        outcome = finish(whole.run(all_nodes, 10**9, 2**28))
        while (piece := finish(pieces.run(three_nodes, 3, 2**28))) == "stopped":
            pass
        assert piece == outcome
        assert (three_nodes.expanded, three_nodes.generated) == (all_nodes.expanded, all_nodes.generated)
        if outcome == "solved":
            assert pieces.line() == whole.line()


def test_the_searches_over_the_contract_agree() -> None:
    for puzzle, state, winnable in positions(200, 2, most_tiles=15):
        result = finish(solver.solve_depth_first(puzzle, state, Budget(), 0))
        assert result.status == ("solved" if winnable else "unsolvable")
        check(puzzle, state, result)
        beam = finish(
            beam_search(puzzle, state, Budget(), 10**6, lambda state, puzzle=puzzle: len(puzzle.tray(state)))
        )
        assert beam.status == ("solved" if winnable else "unsolvable")


def test_beams_prove_nothing_and_solve_most() -> None:
    solved = 0
    wins = positions(150, 3)
    for puzzle, state, winnable in wins:
        result = finish(solver.solve_beam(puzzle, state, Budget(memory_mb=1), 0))
        check(puzzle, state, result)
        assert result.status != "solved" or winnable
        assert result.status != "unsolvable" or puzzle.is_full(state)
        assert result.status != "budget" or result.limit == Limit("memory", 1)
        solved += result.status == "solved"
    assert solved > 0.95 * sum(winnable for *_, winnable in wins)


@pytest.mark.parametrize("solve", SOLVERS)
def test_ended_games(solve: Solver) -> None:
    kinds = [0, 1, 2, 0, 1, 2, 0, 1, 2]
    puzzle = Triple(Level(tuple(Tile(kind, 8 * column, 0, 0) for column, kind in enumerate(kinds)), slots=3))
    won = finish(solve(puzzle, 0b111111111, Budget(), 0))
    assert (won.status, won.actions, won.cost) == ("solved", (), 0)
    lost = finish(solve(puzzle, 0b111, Budget(), 0))
    assert lost.status == "unsolvable"
    assert finish(solve(puzzle, 0b001000001, Budget(), 0)).actions[0] == 3


@pytest.mark.parametrize("slots", [1, 2])
def test_too_few_slots_are_a_proof(slots: int) -> None:
    tiles = tuple(Tile(0, 8 * column, 0, 0) for column in range(6))
    for solve in (solver.solve_auto, solver.solve_exact, solver.solve_depth_first):
        assert finish(solve(Triple(Level(tiles, slots=slots)), 0, Budget(), 0)).status == "unsolvable"


def hard_puzzle() -> Triple:
    """360 tiles in 26 layers and too few slots: no search decides it soon."""
    return Triple(finish(generate(Params(layers=26, slots=4), 0)))


@pytest.mark.parametrize("solve", SOLVERS)
def test_budgets_are_kept(solve: Solver) -> None:
    puzzle = hard_puzzle()
    cancelled = Budget()
    cancelled.cancel()
    result = finish(solve(puzzle, 0, cancelled, 0))
    assert (result.status, result.lower_bound, result.cost) == ("budget", 360, None)
    assert finish(solve(puzzle, 0, Budget(seconds=0), 0)).status == "budget"
    for most in (1, 10, 5000):
        result = finish(solve(puzzle, 0, Budget(expanded=most), 0))
        assert result.status == "budget"
        assert result.expanded <= most
        check(puzzle, 0, result)


def test_cancelling_stops_the_search_and_progress_names_the_stages() -> None:
    seen: list[Progress] = []

    def cancel_later(progress: Progress) -> None:
        seen.append(progress)
        if progress.expanded > 5000:
            budget.cancel()

    budget = Budget()
    assert driven(solver.solve_auto(hard_puzzle(), 0, budget, 0), cancel_later).status == "budget"
    assert {"exact.forward", "exact.backward", "beam.forward"} <= {progress.stage for progress in seen}
    counts = [progress.expanded for progress in seen]
    assert counts == sorted(counts)


def test_the_same_seed_gives_the_same_result() -> None:
    for seed in (0, 1, 12345):
        puzzle = hard_puzzle()
        one, other = (finish(solver.solve_auto(puzzle, 0, Budget(expanded=20_000), seed)) for _ in range(2))
        assert replace(one, seconds=0) == replace(other, seconds=0)


def test_the_plan_is_made_once_and_goes_with_its_puzzle() -> None:
    puzzle = Triple(random_level(random.Random(0)))
    assert plan_of(puzzle) is plan_of(puzzle)
    assert plan_of(puzzle) is not plan_of(Triple(puzzle.level))


PLAIN = """
import json, sys
from winnable.contract.core import Budget, finish
from winnable.games.triple.solve import solver
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.levels.text import parse_board
for board, state in json.load(sys.stdin):
    puzzle = Triple(parse_board(board))
    for solve in (solver.solve_auto, solver.solve_exact, solver.solve_beam):
        result = finish(solve(puzzle, state, Budget(memory_mb=1, expanded=400), 0))
        print(result.status, result.actions, result.expanded, result.generated)
"""


def test_plain_python_gives_the_same_results() -> None:
    """Node for node; warnings (an overflow, say) are errors."""
    from winnable.games.triple.levels.text import format_board

    games = [(format_board(puzzle.level), state) for puzzle, state, _ in positions(12, 4)]
    printed = fresh_python.printed_either_way(PLAIN, json.dumps(games))
    assert printed.count("\n") == 3 * len(games)


def real(name: str) -> Triple:
    path = DATA / "levels" / f"{name}.json"
    if not path.is_file():
        pytest.skip("the recorded levels are not here")
    tiles = json.loads(path.read_text("utf-8"))["tiles"]
    return Triple(Level(tuple(Tile(kind, x, y, layer) for kind, x, y, layer, _ in tiles)))


@pytest.mark.parametrize(
    "name", ["90007_a27025ae82d9", "90015_b64d13c143b8", "100024_d4ddb12e1f23", "90013_c6e90702ca01"]
)
def test_recorded_levels_are_solved_with_few_nodes(name: str) -> None:
    puzzle = real(name)
    result = finish(solver.solve_auto(puzzle, 0, Budget(expanded=150_000), 0))
    assert result.status == "solved"
    check(puzzle, 0, result)


@pytest.mark.parametrize("name", ["100022_53f111b1e517", "90019_38eb05e33213", "90020_8cd591f0d601"])
def test_recorded_levels_are_proved_unsolvable_with_few_nodes(name: str) -> None:
    result = finish(solver.solve_exact(real(name), 0, Budget(expanded=150_000), 0))
    assert result.status == "unsolvable"


def test_two_threads_say_the_same_as_one(many: list[Position]) -> None:
    for puzzle, state, winnable in many[:200]:
        if not puzzle.legal_actions(state):
            continue
        one, two = (
            finish(
                solver._in_lanes(  # pyright: ignore[reportPrivateUsage]
                    solver.StagedSolve(puzzle, state, Budget(threads=threads), 0)
                )
            )
            for threads in (1, 2)
        )
        assert one is not None
        assert two is not None
        assert (one.status, one.actions) == (two.status, two.actions)
        check(puzzle, state, two)
        assert (two.status == "solved") == winnable


def test_an_undecided_search_has_the_begin_of_a_game() -> None:
    puzzle = Triple(finish(generate(Params(layers=26, slots=5), 4)))
    result = finish(solver.solve_auto(puzzle, puzzle.initial(), Budget(expanded=3_000), 0))
    assert (result.status, result.limit and result.limit.kind) == ("budget", "nodes")
    assert result.best is not None
    end = replay(puzzle, result.best.actions)
    assert result.best.value == puzzle.num_actions - end.bit_count() > 0
    assert not puzzle.is_full(end)
