"""The article's methods for rotate: as written, by their seed, within their budget, with lines that
replay."""

import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import load_benchmark
from bench.rotate import article_table as rotate_article_table
from tests import fresh_python
from tests.driving import driven
from tests.games.rotate.boards import levels, shuffled
from tests.games.rotate.plain import fewest_turns
from winnable.contract.core import Answer, Budget, Limit, Progress, Search, finish, replay
from winnable.contract.methods import Wanted, choose
from winnable.games.rotate.article import genetic as article_genetic
from winnable.games.rotate.article.genetic import Evolution, as_written, drawn_by_centre, improved
from winnable.games.rotate.article.search import PrunedSearch
from winnable.games.rotate.article.settings import GeneticSettings, ImprovedSettings
from winnable.games.rotate.game import GAME
from winnable.games.rotate.levels.generator import Params, generate
from winnable.games.rotate.rules.blocks import turned
from winnable.games.rotate.rules.bounds import crossings
from winnable.games.rotate.rules.clusters import cluster_numbers, neighbours
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.optimize.genetic_operators import Draw, Ints
from winnable.search.meter import Meter

NAMES = ("genetic", "improved-genetic", "pruned-search")
PLAIN_PYTHON = """
from tests.games.rotate.article.test_article_solver import *
for code in ("0120/1202/2011", "0011/2211/0022/1022", "0213/3120,rules=pairs"):
    for name in NAMES:
        result = solve(name, Rotate(GAME.parse_board(code)), Budget(expanded=800))
        print(name, result.status, result.actions, result.expanded, result.generated)
"""


def solve(
    name: str, rotate: Rotate, budget: Budget | None = None, state: State | None = None, seed: int = 0
) -> Answer:
    result = finish(GAME.solvers[name](rotate, state or rotate.initial(), budget or Budget(seconds=60), seed))
    if result.status == "solved":
        assert rotate.is_goal(replay(rotate, result.actions, state))
        assert result.cost == len(result.actions)
    return result


@cache
def board(side: int, colours: int, seed: int, turns: int = 0) -> Rotate:
    return Rotate(finish(generate(Params(rows=side, columns=side, colours=colours, scramble=turns), seed)))


def clusters(cells: tuple[int, ...], columns: int) -> int:
    return max(cluster_numbers(cells, columns)) + 1


# The genetic algorithms


def test_genes_are_drawn_by_centre_then_radius_then_angle() -> None:
    rotate = board(7, 3, 0)
    drawn = drawn_by_centre(rotate)(np.random.default_rng(1), 400_000)
    counts = np.bincount(drawn, minlength=rotate.num_actions)
    for action, count in enumerate(counts.tolist()):
        (left, top, side), _ = rotate.block(action)
        x, y = left + side // 2, top + side // 2
        chance = 1 / 6**2 / min(x, y, 7 - x, 7 - y) / 3
        assert count == pytest.approx(400_000 * chance, abs=5 * (400_000 * chance) ** 0.5)


@given(levels(), st.integers(1, 5), st.data())
def test_losses_are_counted_after_all_turns(level: Level, length: int, data: st.DataObject) -> None:
    rotate = Rotate(level)
    actions = st.integers(0, rotate.num_actions - 1)
    genomes = data.draw(st.lists(st.lists(actions, min_size=length, max_size=length), min_size=1, max_size=4))
    evolution = Evolution(rotate, rotate.initial(), as_written(rotate, length, 0), length)
    expected: list[int] = []
    for genome in genomes:
        cells = level.cells
        for action in genome:
            cells = turned(cells, rotate.columns, *rotate.block(action))
        expected.append(clusters(cells, rotate.columns) - len(cells))
    assert evolution.losses(np.array(genomes)).tolist() == expected


def readable_brood(
    rng: random.Random, parents: list[list[int]], fitness: list[int], fresh: int
) -> list[list[int]]:
    """The article's pseudocode: a wheel of whole numbers, then crossing and mutation of both by turns."""
    chosen: list[list[int]] = []
    for _ in parents:
        p, index = rng.randrange(sum(fitness)), 0
        while p >= fitness[index]:
            p -= fitness[index]
            index += 1
        chosen.append(list(parents[index]))
    length = len(parents[0])
    for i in range(len(chosen)):
        if rng.random() < 0.6:
            j = rng.choice([other for other in range(len(chosen)) if other != i])
            q = rng.randrange(length)
            chosen[i][q:], chosen[j][q:] = chosen[j][q:], chosen[i][q:]
            for genome in (chosen[i], chosen[j]):
                for k in range(length):
                    if rng.random() < 0.15:
                        genome[k] = fresh
    return chosen


def figures(brood: list[list[int]], fresh: int) -> list[float]:
    """Shares: of fresh genes, also in the first place; of genomes left whole; of genes of the fit parents."""
    genes = [gene for genome in brood for gene in genome]
    whole = sum(len(set(genome)) == 1 and genome[0] != fresh for genome in brood) / len(brood)
    first = sum(genome[0] == fresh for genome in brood) / len(brood)
    fit = sum(gene >= 25 and gene != fresh for gene in genes) / len(genes)
    return [genes.count(fresh) / len(genes), first, whole, fit]


def test_a_generation_is_that_of_the_articles_pseudocode(monkeypatch: pytest.MonkeyPatch) -> None:
    """Means over many broods; each parent has one gene throughout, so that it is seen whence a gene came."""
    fresh, broods, rng = 999, 400, random.Random(4)
    parents = [[index] * 6 for index in range(50)]
    fitness = [1 if index < 25 else 3 for index in range(50)]
    theirs = [figures(readable_brood(rng, parents, fitness, fresh), fresh) for _ in range(broods)]

    def draw_parents(_: Rotate) -> Draw:
        first = [True]

        def draw(_: np.random.Generator, n: int) -> Ints:
            genes = np.array(parents).ravel() if first.pop() else np.full(n, fresh)
            first.append(False)
            return genes

        return draw

    monkeypatch.setattr(article_genetic, "drawn_by_centre", draw_parents)
    ours: list[list[float]] = []
    for seed in range(broods):
        genetic = as_written(board(5, 4, 0), 6, seed)
        assert genetic.ask().tolist() == parents
        genetic.tell(parents, np.negative(fitness))
        ours.append(figures(genetic.ask().tolist(), fresh))
    for mine, other in zip(np.transpose(ours), np.transpose(theirs), strict=True):
        error = ((mine.var() + other.var()) / broods) ** 0.5
        assert mine.mean() == pytest.approx(other.mean(), abs=4 * error)


@pytest.mark.parametrize(("make", "settings"), [(as_written, GeneticSettings), (improved, ImprovedSettings)])
def test_runs_end_without_a_gain(make: Any, settings: Any) -> None:
    """On a board that nothing finishes."""
    assert settings().stalled == 1000
    rotate = Rotate(GAME.parse_board("01/10"))
    evolution = Evolution(rotate, rotate.initial(), make(rotate, 2, 0, settings(stalled=100)), 2)
    meter = Meter(Budget())
    assert finish(evolution.run(meter))
    assert (evolution.genetic.generation, evolution.fitness) == (101, 0)
    assert (meter.expanded, meter.generated) == (50 * 101, 2 * 50 * 101)


def test_the_best_survives_where_it_is_improved() -> None:
    rotate = board(6, 4, 3)
    for make, falls in ((as_written, True), (improved, False)):
        genetic = make(rotate, 9, 1)
        evolution, best = Evolution(rotate, rotate.initial(), genetic, 9), list[float]()
        for _ in range(60):
            genomes = genetic.ask()
            genetic.tell(genomes, evolution.losses(genomes))
            best.append(genetic.population[1].min())
        assert (best != sorted(best, reverse=True)) == falls


def test_lengths_go_with_the_cells_and_the_turns_left() -> None:
    rotate = board(5, 4, 0)
    method = choose("solver", GAME.solvers, Wanted("genetic", {"stalled": 20, "length": 0}), "rotate").method

    def lengths(state: State, most: int) -> list[int]:
        told: dict[int, None] = {}

        def tell(progress: Progress) -> None:
            if "length" in progress.values:
                told[progress.values["length"]] = None
            if len(told) == most:
                budget.cancel()

        budget = Budget(expanded=90_000)
        driven(method(rotate, state, budget, 0), tell)
        return [*told]

    assert lengths(rotate.initial(), 2) == [6, 7]
    assert lengths(State(rotate.level.cells, 3), 2) == [3]


# The search with pruning


@given(levels(6), st.data())
def test_a_turn_joins_no_more_clusters_than_it_has_crossings(level: Level, data: st.DataObject) -> None:
    rotate = Rotate(level)
    action = data.draw(st.integers(0, rotate.num_actions - 1))
    block, quarters = rotate.block(action)
    after = turned(level.cells, rotate.columns, block, quarters)
    inside = set(block.cells(rotate.columns))
    expected = sum(
        (place in inside) != (near in inside)
        for place in range(len(level.cells))
        for near in neighbours(place, len(level.cells), rotate.columns)
        if near > place
    )
    assert crossings(rotate)[action // rotate.ways] == expected
    assert clusters(level.cells, rotate.columns) - clusters(after, rotate.columns) <= expected


def small_boards() -> list[Rotate]:
    rng = random.Random(8)
    sizes = ((3, 3, 2), (3, 3, 4), (3, 4, 2), (3, 4, 3), (2, 5, 3)) * 4
    boards = [shuffled(*size, rng) for size in sizes]
    return boards + [
        Rotate(finish(generate(Params(rows=2, columns=4, rules="pairs"), seed))) for seed in range(4)
    ]


def test_the_search_with_pruning_finds_the_fewest_turns() -> None:
    lengths: set[int] = set()
    for rotate in small_boards():
        result = solve("pruned-search", rotate)
        turns = fewest_turns(rotate.level.cells, rotate.columns, rotate.level.rules)
        assert turns is not None
        assert (result.status, result.cost, result.lower_bound) == ("solved", turns, turns)
        lengths.add(turns)
        if turns:
            below = solve("pruned-search", rotate, state=State(rotate.level.cells, turns - 1))
            assert below.status == "unsolvable"
            assert solve("pruned-search", rotate, state=State(rotate.level.cells, turns)).cost == turns
    assert lengths >= {1, 2, 3, 4}


def test_it_says_what_it_proved_and_goes_on_where_a_slice_ended() -> None:
    rotate = board(5, 4, 0)
    known = solve("pruned-search", rotate, Budget(expanded=2_000_000))
    assert (known.status, known.expanded) == ("budget", 2_000_000)
    assert known.lower_bound is not None
    assert known.lower_bound >= 4
    whole, sliced = (PrunedSearch(board(4, 3, 1), board(4, 3, 1).initial()) for _ in range(2))
    meters = Meter(Budget()), Meter(Budget())
    line = finish(whole.run(meters[0], None))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("winnable.search.slices.SLICE_SECONDS", 0.0)
        assert finish(sliced.run(meters[1], None)) == line
    assert meters[0].expanded == meters[1].expanded


# All three


@pytest.mark.parametrize("name", NAMES)
def test_small_scrambles_are_finished(name: str) -> None:
    for seed in range(3):
        result = solve(name, board(4, 3, seed, turns=2))
        assert result.status == "solved"
        assert result.cost is not None
        assert result.optimal == (name == "pruned-search" or result.cost <= 1)


@pytest.mark.parametrize("name", ["genetic", "improved-genetic"])
def test_chance_follows_the_seed(name: str) -> None:
    rotate = board(4, 3, 2, turns=3)
    lines = [solve(name, rotate, seed=seed).actions for seed in (3, 3, 4)]
    assert lines[0] == lines[1] != lines[2]


@pytest.mark.parametrize("name", NAMES)
def test_budgets_are_kept(name: str) -> None:
    rotate = board(8, 6, 0)
    cancelled = Budget()
    cancelled.cancel()
    for budget in (cancelled, Budget(seconds=0), Budget(expanded=0), Budget(expanded=130)):
        result = solve(name, rotate, budget)
        assert (result.status, result.actions) == ("budget", ())
        assert result.expanded == (130 if budget.expanded == 130 else 0)


@pytest.mark.parametrize("name", NAMES)
def test_the_articles_limit_of_time(name: str) -> None:
    method = choose("solver", GAME.solvers, Wanted(name, {"seconds": 0}), "rotate").method
    rotate = board(8, 6, 0)
    result = finish(method(rotate, rotate.initial(), Budget(), 0))
    assert (result.expanded, result.limit) == (0, Limit("time", 0))


@pytest.mark.parametrize("name", NAMES)
def test_the_best_is_what_its_turns_lead_to(name: str) -> None:
    rotate = board(6, 4, 1)
    result = solve(name, rotate, Budget(expanded=20_000))
    assert (result.status, result.limit) == ("budget", Limit("nodes", 20_000))
    assert result.best is not None
    after = replay(rotate, result.best.actions).cells
    assert (result.best.measure, result.best.value) == ("F", 36 - clusters(after, 6))
    assert result.best.target == 32
    assert 36 - clusters(rotate.level.cells, 6) < result.best.value < 32


@pytest.mark.parametrize("name", NAMES)
def test_ended_games(name: str) -> None:
    won = Rotate(GAME.parse_board("00/11"))
    result = solve(name, won)
    assert (result.status, result.cost, result.optimal) == ("solved", 0, True)
    for code in ("01/10", "011/220,rules=pairs"):
        assert solve(name, Rotate(GAME.parse_board(code))).status == "unsolvable"
    rotate = board(4, 3, 0)
    assert solve(name, rotate, state=State(rotate.level.cells, 0)).status == "unsolvable"


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_have_the_last_word_on_a_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rotate = board(4, 2, 0, turns=1)
    assert solve(name, rotate).status == "solved"
    wrong = next(a for a in range(rotate.num_actions) if not rotate.is_goal(replay(rotate, (a,))))

    def claim(*_: object) -> Search[tuple[int, ...]]:
        return (wrong,)
        yield

    monkeypatch.setattr(Evolution, "line", claim)
    monkeypatch.setattr(PrunedSearch, "run", claim)
    with pytest.raises(AssertionError, match="does not reach the goal"):
        solve(name, rotate)


def test_as_plain_python() -> None:
    assert fresh_python.printed_either_way(PLAIN_PYTHON).count("solved") >= 3


def test_the_table_of_the_articles_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rotate_article_table, "SECONDS", 0.05)
    monkeypatch.setattr(rotate_article_table, "SIZES", ((4, 2), (8, 4)))
    rows = {row.name: row for row in load_benchmark("rotate-article-table")(games=2)}
    finished = rows["4 × 4, 2 colours, pruned-search: finished"]
    assert (finished.value, finished.n) == (1, 2)
    assert rows["8 × 8, 4 colours, genetic: clusters too many"].value > 0
    assert rows["8 × 8, 4 colours, genetic: proved the shortest"].reference == 0
