"""The searches of one game, one after the other."""

import gc
import random
from threading import Thread
from weakref import ref

import pytest

from tests.games.triple.naive_triple import Naive, picked_set, random_level
from winnable.contract.core import Answer, Budget, Search, finish, replay
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.breadth_search import BreadthSearch
from winnable.games.triple.solve.live import LiveSolver
from winnable.games.triple.solve.plan import plan_of
from winnable.search import memory
from winnable.search.meter import Meter

MEMORY = 64 << 20


@pytest.mark.parametrize("seed", range(8))
def test_a_search_goes_on_from_click_to_click(seed: int) -> None:
    """Wherever it is stopped and however many tiles are picked meanwhile, it proves what brute force says,
    and its line wins."""
    rng = random.Random(seed)
    verdicts = {True: 0, False: 0}
    for _ in range(60):
        puzzle = Triple(random_level(rng, 24))
        naive = Naive(puzzle.level)
        state, plan, meter = puzzle.initial(), plan_of(puzzle), Meter(Budget())
        search, told = BreadthSearch(plan, plan.backward, state), "stopped"
        while (legal := puzzle.legal_actions(state)) and told == "stopped":
            told = finish(search.run(meter, rng.randint(0, 12), MEMORY))
            if told == "stopped":
                for _ in range(rng.randint(0, 2)):
                    if legal := puzzle.legal_actions(state):
                        state = puzzle.apply(state, rng.choice(legal))
                if not finish(search.go_on_from(state, meter)):
                    assert search.depth > puzzle.num_actions - state.bit_count()
                    search = BreadthSearch(plan, plan.backward, state)
        if told != "stopped":
            winnable = naive.winnable(picked_set(state))
            assert told == ("solved" if winnable else "exhausted")
            verdicts[winnable] += 1
            if winnable:
                assert puzzle.is_goal(replay(puzzle, search.line(), state))
    assert min(verdicts.values()) > 5


def test_it_finds_as_many_positions_as_a_search_of_its_own() -> None:
    puzzle = Triple(finish(generate(Params(layers=2, sets=1), 3)))
    plan = plan_of(puzzle)
    state = replay(puzzle, puzzle.legal_actions(0)[:2])
    going_on, own = (BreadthSearch(plan, plan.backward, one) for one in (0, state))
    assert finish(going_on.run(Meter(Budget()), 5_000, MEMORY)) == "stopped"
    before = going_on.positions
    assert finish(going_on.go_on_from(state, Meter(Budget())))
    assert going_on.positions < before
    wanted = range(going_on.depth + 1, going_on.depth + 4)
    found, alike = found_of(going_on, wanted[-1]), found_of(own, wanted[-1])
    assert [found[depth] for depth in wanted] == [alike[depth] for depth in wanted]


def found_of(search: BreadthSearch, depth: int) -> dict[int, int]:
    """Depth -> how many positions of it, up to this one."""
    meter, found = Meter(Budget()), dict[int, int]()
    while search.depth < depth:
        known, last = search.positions, search.depth
        assert finish(search.run(meter, 1, 8 * MEMORY)) == "stopped"
        if search.depth > last:
            found[search.depth] = search.positions - known
    return found


def lost() -> Triple:
    """A level that only some 100,000 positions prove lost."""
    return Triple(finish(generate(Params(layers=14, sets=4, slots=4), 1)))


def test_what_the_last_search_saw_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, solver, searched = lost(), LiveSolver(), list[int]()
    go_on = BreadthSearch.go_on_from

    def told(search: BreadthSearch, state: int, meter: Meter) -> Search[bool]:
        searched.append(search.positions)
        return go_on(search, state, meter)

    monkeypatch.setattr(BreadthSearch, "go_on_from", told)
    state, results = puzzle.initial(), list[Answer]()
    for _ in range(100):
        results.append(finish(solver(puzzle, state, Budget(expanded=20_000), 0)))
        if results[-1].status != "budget":
            break
        state = puzzle.apply(state, puzzle.legal_actions(state)[0])
    assert results[-1].status == "unsolvable"
    assert len(searched) == len(results) - 1 > 2
    assert searched == sorted(searched)


def test_one_search_is_kept_of_all_levels() -> None:
    puzzle, first, second = lost(), LiveSolver(), LiveSolver()
    for solver in (first, second, second, first):
        assert finish(solver(puzzle, 0, Budget(expanded=20_000), 0)).status == "budget"
        assert solver.left is not None
        assert (first.left is None) != (second.left is None)
    search = ref(first.left[1] if first.left else puzzle)
    del first, solver
    gc.collect()
    assert search() is None, "nor of one that is gone"


def test_it_is_let_go_when_nobody_plays() -> None:
    solver = LiveSolver()
    assert finish(solver(lost(), 0, Budget(expanded=20_000), 0)).status == "budget"
    assert solver.left is not None
    memory.give_back("triple")
    assert solver.left is None


def test_many_threads_leave_one_search() -> None:
    puzzle, solvers = lost(), [LiveSolver() for _ in range(8)]

    def ask(solver: LiveSolver) -> None:
        for _ in range(10):
            finish(solver(puzzle, 0, Budget(expanded=3_000), 0))

    threads = [Thread(target=ask, args=(solver,)) for solver in solvers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(one.left is not None for one in solvers) <= 1


def test_two_at_once_do_not_disturb_each_other() -> None:
    puzzle, solver, results = lost(), LiveSolver(), list[Answer]()
    threads = [
        Thread(target=lambda: results.append(finish(solver(puzzle, 0, Budget(), 0)))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.status for result in results] == ["unsolvable"] * 3
