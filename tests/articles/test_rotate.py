"""The article on 平面魔方, point by point (C1 to C19), as far as no page is needed."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from bench.rotate import article_claims as rotate_article_claims
from bench.rotate.article_claims import PRINTED, taken_back
from tests.driving import driven
from winnable import words
from winnable.cli.app import app
from winnable.contract.core import Answer, Budget, Found, Limit, Progress, finish, replay
from winnable.contract.methods import Wanted, choose, settings_of
from winnable.games.rotate.article import genetic as genetic_module
from winnable.games.rotate.article.genetic import Evolution, as_written, drawn_by_centre, fitness
from winnable.games.rotate.article.settings import GeneticSettings
from winnable.games.rotate.game import GAME
from winnable.games.rotate.levels.generator import Params, generate
from winnable.games.rotate.rules.blocks import Block, turned
from winnable.games.rotate.rules.clusters import cluster_numbers
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.search.meter import Meter

EASY = "112/212/331"
"""One turn finishes it."""


def run(*args: str) -> Result:
    return CliRunner().invoke(app, list(args))


def solve(name: str, rotate: Rotate, budget: Budget, **settings: Any) -> Answer:
    return finish(search(name, rotate, budget, **settings))


def search(name: str, rotate: Rotate, budget: Budget, **settings: Any) -> Found[Answer]:
    method = choose("solver", GAME.solvers, Wanted(name, settings), "rotate").method
    return method(rotate, rotate.initial(), budget, 0)


def board(side: int, seed: int = 0) -> Rotate:
    return Rotate(finish(generate(Params(rows=side, columns=side), seed)))


def test_c1_a_board_of_numbered_colours() -> None:
    rotate = board(7)
    assert (rotate.rows, rotate.columns, len(set(rotate.level.cells))) == (7, 7, 4)


def test_c2_even_squares_turn_about_their_centre_by_three_angles() -> None:
    rotate = board(5)
    assert {block.side for block in rotate.blocks} == {2, 4}
    assert rotate.num_actions == 3 * (16 + 4)
    turn = rotate.parse_action("1,1,2,1")
    assert replay(rotate, (turn,) * 4).cells == replay(rotate, ()).cells
    assert replay(rotate, (turn, turn)).cells == replay(rotate, (rotate.parse_action("1,1,2,2"),)).cells
    right = turned(tuple(range(16)), 4, Block(0, 0, 4), 3)
    assert right[:4] == (3, 7, 11, 15), "270° to the right: what was the last column is the first row"


def test_c3_done_with_as_many_clusters_as_colours() -> None:
    rotate = Rotate(GAME.parse_board("112/122/133"))
    assert max(cluster_numbers(rotate.level.cells, 3)) + 1 == rotate.colours
    assert rotate.is_goal(rotate.initial())
    assert not board(5).is_goal(board(5).initial())
    stray = Rotate(GAME.parse_board("112/222/331"))
    assert not stray.is_goal(stray.initial()), "one cell alone is a cluster too many"


def test_c4_the_score_is_the_sum_of_the_largest_clusters() -> None:
    rotate = Rotate(GAME.parse_board("1121/2211/3311/1233"))
    assert rotate.observe(rotate.initial()).score == 5 + 2 + 2


def test_c5_the_printed_solution_reads_as_turns() -> None:
    rotate = board(5)
    for name in PRINTED:
        assert rotate.action_name(rotate.parse_action(name)) == name
    for name, by_radius in (("3,1,2,3", "r:2,0,1,3"), ("2,3,4,2", "r:1,2,2,2")):
        assert rotate.radius_name(rotate.parse_action(name)) == by_radius
        assert rotate.parse_action(by_radius) == rotate.parse_action(name)


def test_c6_f_is_cells_less_clusters() -> None:
    assert fitness((1, 1, 2, 2, 1, 2, 3, 3, 3), 3) == 9 - 4


def test_c7_genes_are_drawn_by_centre_radius_and_angle() -> None:
    rotate, counts = board(5), Counter[tuple[int, int, int]]()
    genes = drawn_by_centre(rotate)(np.random.default_rng(1), 48_000)
    for gene in genes.tolist():
        block, _ = rotate.block(gene)
        counts[block.left + block.side // 2, block.top + block.side // 2, block.side] += 1
    assert counts[1, 1, 2] == pytest.approx(3000, abs=250)  # the only radius at that centre
    assert counts[2, 2, 2] == pytest.approx(1500, abs=200)
    assert counts[2, 2, 4] == pytest.approx(1500, abs=200)


def brood(monkeypatch: pytest.MonkeyPatch, seed: int, **settings: Any) -> list[list[int]]:
    """The second generation of 50 whose first have one gene throughout, their number; fresh genes are 999.
    The last half is three times as fit."""
    firsts = iter([np.repeat(np.arange(50), 6)])

    def draw(_: np.random.Generator, n: int) -> Any:
        return next(firsts, np.full(n, 999))

    def drawn(_: Rotate) -> Any:
        return draw

    monkeypatch.setattr(genetic_module, "drawn_by_centre", drawn)
    genetic = as_written(board(5), 6, seed, GeneticSettings(**settings))
    genetic.tell(genetic.ask(), np.repeat([-1.0, -3.0], 25))
    return genetic.ask().tolist()


def test_c8_the_roulette_takes_the_fit_as_often_as_they_are_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """games/rotate/article/test_article_solver.py compares a generation with the article's pseudocode."""
    taken = [genome for seed in range(40) for genome in brood(monkeypatch, seed, pc=0, pm=0)]
    assert all(len(set(genome)) == 1 for genome in taken), "neither crossed nor mutated"
    assert sum(genome[0] >= 25 for genome in taken) / len(taken) == pytest.approx(3 / 4, abs=0.04)


def test_c8_two_are_crossed_at_one_point(monkeypatch: pytest.MonkeyPatch) -> None:
    bred = [genome for seed in range(10) for genome in brood(monkeypatch, seed, pc=0.02, pm=0)]
    crossed = [genome for genome in bred if len(set(genome)) > 1]
    assert 0 < len(crossed) < len(bred) / 5
    changes = [sum(left != right for left, right in pairwise(genome)) for genome in crossed]
    assert max(changes) <= 2, "of two crossings at the most"
    assert changes.count(1) > 3 / 4 * len(changes), "all genes from there on are exchanged"
    assert all(999 not in genome for genome in bred)
    often = [genome for seed in range(10) for genome in brood(monkeypatch, seed, pc=0.6, pm=0)]
    assert sum(len(set(genome)) > 1 for genome in often) > len(often) / 2


def test_c8_genes_mutate_one_by_one_in_what_was_crossed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(999 not in genome for genome in brood(monkeypatch, 1, pc=0, pm=1))
    bred = [genome for seed in range(20) for genome in brood(monkeypatch, seed, pc=0.6, pm=0.15)]
    share = sum(genome.count(999) for genome in bred) / (6 * len(bred))
    assert share == pytest.approx(0.15 * 1.2, abs=0.03), "a pair for each genome, with a chance of 0.6"
    assert sum(0 < genome.count(999) < 6 for genome in bred) > len(bred) / 4


def test_c9_the_articles_settings_are_the_defaults() -> None:
    defaults = {param.name: param.default for param in settings_of(GAME.solvers["genetic"])}
    assert defaults == {
        "population": 50, "length": 6, "pc": 0.6, "pm": 0.15, "generations": 10_000, "stalled": 1000,
        "seconds": 300,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "limit"),
    [({"generations": 40}, Limit("generations", 40)), ({"stalled": 5}, Limit("stalled", 5))],
)
def test_c10_three_ways_to_end(settings: dict[str, Any], limit: Limit) -> None:
    result = solve("genetic", board(6), Budget(), length=8, **settings)
    assert (result.status, result.limit) == ("budget", limit)
    assert solve("genetic", Rotate(GAME.parse_board(EASY)), Budget(), length=2).status == "solved"


def test_c11_progress_tells_generation_and_best_f_in_both_languages() -> None:
    told: list[Progress] = []
    driven(search("genetic", board(6), Budget(), length=8, generations=300, stalled=1000), told.append)
    told = [progress for progress in told if progress.stage == "genetic.rotate"]
    last = told[-1]
    assert last.values["generation"] > told[0].values["generation"]
    assert 0 < last.values["best"] < last.values["target"] == 32
    for language, expected in (("en", "best F"), ("zh-CN", "最优 F")):
        sentence = words.fill(words.catalogue(language)[f"stage.{last.stage}"], last.values)
        assert expected in sentence
        assert str(last.values["generation"]) in sentence
        assert "{" not in sentence


@pytest.mark.usefixtures("processor_clock")
@pytest.mark.parametrize("name", ["genetic", "improved-genetic", "pruned-search"])
def test_c12_the_best_of_an_unfinished_search_can_be_played(name: str) -> None:
    rotate = board(8)
    result = solve(name, rotate, Budget(seconds=0.3))
    assert (result.status, result.limit) == ("budget", Limit("time", 0.3))
    assert result.best is not None
    after = replay(rotate, result.best.actions)
    assert result.best.measure == "F"
    assert result.best.value == fitness(after.cells, 8) > fitness(rotate.level.cells, 8)
    assert result.best.target == 64 - 4


def test_c12_of_several_lengths_the_best_counts() -> None:
    rotate, settings, found = board(5), GeneticSettings(length=0, generations=5), list[int]()
    for number, length in enumerate((6, 7, 8, 10, 12)):
        run = Evolution(rotate, rotate.initial(), as_written(rotate, length, number, settings), length)
        assert finish(run.run(Meter(Budget())))
        found.append(run.fitness)
    result = solve("genetic", rotate, Budget(), length=0, generations=5)
    assert result.best is not None
    assert result.best.value == max(found) > found[0]


@pytest.mark.usefixtures("processor_clock")
def test_c12_the_command_line_shows_the_turns() -> None:
    printed = run("solve", "rotate:rows=8,columns=8#1", "--solver", "genetic", "--time", "0.5")
    assert printed.exit_code == 3
    assert "time of 0.5 s is over" in printed.stdout
    assert "F (cells − clusters" in printed.stdout
    answer = json.loads(
        run("solve", "rotate:rows=8,columns=8#1", "--solver", "genetic", "--time", "0.5", "--json").stdout
    )
    assert answer["limit"]["kind"] == "time"
    assert len(answer["best"]["moves"]) == len(answer["best"]["actions"]) > 0


@pytest.mark.usefixtures("processor_clock")
def test_c12_compare_says_the_mean_f_of_what_was_not_finished() -> None:
    by = "genetic(length=7),pruned-search"
    args = ("compare", "rotate", "--set", "rows=10,columns=10", "--by", by, "--games", "2", "--time", "0.3")
    rows = json.loads(run(*args, "--json").stdout)
    assert [row["name"] for row in rows] == ["genetic(length=7)", "pruned-search"]
    assert [row["measure"] for row in rows] == ["F", "F"]
    assert all(0 < row["mean_best"] < 96 for row in rows)


def test_c12_a_line_longer_than_the_level_gives_is_shown_and_not_called_a_solution() -> None:
    result = solve("beam", Rotate(GAME.parse_board("1234/4321/1234/4321,turns=1")), Budget(expanded=500))
    assert (result.status, result.limit) == ("budget", Limit("supply", 1))
    assert result.best is not None
    assert len(result.best.actions) == result.best.value > 1


def test_c13_the_printed_turns_finish_boards_that_they_were_taken_back_from() -> None:
    """One of them is finished by the genetic algorithm with the article's settings, too; the bench
    `rotate-article-claims` says how often."""
    rotate = Rotate(taken_back(0))
    assert not rotate.is_goal(rotate.initial())
    assert rotate.is_goal(replay(rotate, [rotate.parse_action(name) for name in PRINTED]))
    result = solve("genetic", rotate, Budget(seconds=60), length=6)
    assert result.status == "solved"
    assert len(result.actions) <= 6


def test_c14_the_search_with_pruning_proves_its_line_the_shortest() -> None:
    tight = ("1122/2212", "1122/1211", "3122/3232", "32113/13132")
    # A turn there takes away as many clusters as pairs of neighbours cross its border: no bound may say less.
    for rotate in (*map(board, (4,) * 6, range(6)), *(Rotate(GAME.parse_board(code)) for code in tight)):
        result = solve("pruned-search", rotate, Budget(seconds=60))
        assert (result.status, result.optimal) == ("solved", True)
        assert solve("optimal", rotate, Budget(seconds=60)).cost == result.cost


@pytest.mark.parametrize(("side", "length", "genetic_wins"), [(4, 4, False), (10, 16, True)])
def test_c15_small_boards_are_for_pruning_and_large_ones_for_the_genetic_algorithm(
    side: int, length: int, genetic_wins: bool
) -> None:
    """The F of either, with what takes it about as long; the bench counts seconds."""
    came = [0, 0]
    for seed in (1, 2):
        rotate = board(side, seed)
        for way, (name, budget, settings) in enumerate(
            (
                ("genetic", Budget(expanded=6_000), {"length": length}),
                ("pruned-search", Budget(expanded=600_000), {}),
            )
        ):
            result = solve(name, rotate, budget, **settings)
            line = result.actions or (result.best.actions if result.best else ())
            came[way] += fitness(replay(rotate, line).cells, side)
    assert (came[0] > came[1]) == genetic_wins
    assert came[0] != came[1]
    assert genetic_wins or came[1] == 2 * (side * side - 4), "finished, both"


@pytest.mark.usefixtures("processor_clock")
def test_c15_both_methods_are_measured_on_4_to_10(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rotate_article_claims, "ARTICLE_SECONDS", 0.05)
    rows = {row.name: row for row in rotate_article_claims.rows(games=1, seconds=0.05)}
    for side in range(4, 11):
        for name in ("genetic", "pruned-search"):
            row = rows[f"{side} × {side}, {name}, 0.05 s: F"]
            assert row.reference == side * side - 4
            assert 0 < row.value <= side * side - 4


def test_c16_length_and_rates_can_be_set() -> None:
    told: list[Progress] = []
    settings = {"length": 11, "population": 20, "pc": 0.8, "pm": 0.05}
    driven(search("genetic", board(6), Budget(expanded=3000), **settings), told.append)
    assert {progress.values.get("length", 11) for progress in told} == {11}
    refused = run("solve", "rotate:#1", "--solver", "genetic", "--with", "pm=2")
    assert refused.exit_code == 2
    assert "pm: from 0 to 1, not 2" in refused.stderr


def test_c17_boards_of_the_organisers_are_read(tmp_path: Any) -> None:
    path = tmp_path / "board.txt"
    path.write_text("4 4\n1 2 3 4\n4 3 2 1\n1 1 2 2\n3 3 4 4\n")
    assert run("import", str(path), "-o", str(tmp_path / "board.json")).exit_code == 0
    board = json.loads((tmp_path / "board.json").read_text())["board"]
    assert board == [[1, 2, 3, 4], [4, 3, 2, 1], [1, 1, 2, 2], [3, 3, 4, 4]]
    printed = run("solve", str(path), "--notation", "radius")
    assert printed.exit_code == 0, printed.output
    assert "r:" in printed.stdout


def test_c18_a_solution_can_be_tried_by_the_rules(tmp_path: Any) -> None:
    path = tmp_path / "solution.json"
    assert run("solve", "rotate:rows=4,columns=4#1", "--output", str(path)).exit_code == 0
    assert run("verify", "rotate:rows=4,columns=4#1", str(path)).exit_code == 0
    *most, _ = json.loads(path.read_text())["actions"]
    path.write_text(json.dumps(most))
    assert run("verify", "rotate:rows=4,columns=4#1", str(path)).exit_code == 1


def test_c19_the_page_says_cu() -> None:
    chinese = words.catalogue("zh-CN")
    for key in ("rotate.status", "rotate.excess", "rotate.colour.done", "rules.rotate.1", "lamp.done.rotate"):
        assert "簇" in chinese[key], key
    ours = [text for key, text in chinese.items() if ".rotate" in key or key.startswith("rotate.")]
    assert not [text for text in ours if "片" in text]


def test_c20_a_single_cell_is_a_cluster_and_that_is_said() -> None:
    """In the article's text a cluster has more than one cell, yet its figures count single cells: F of a
    board on which no two neighbours are alike is 0, and the greatest F is cells less colours."""
    lonely = Rotate(GAME.parse_board("1212/2121/1212/2121"))
    assert fitness(lonely.level.cells, 4) == 0
    assert max(cluster_numbers(lonely.level.cells, 4)) + 1 == 16
    for language, said in (("en", "single cell"), ("zh-CN", "单独一格也算一簇")):
        texts = words.catalogue(language)
        assert said in texts["best.F"], "where a solver says how far it came"
        assert said in texts["rules.rotate.4"], "and in the rules, on the page and in the terminal"
    asked = ("solve", "rotate:rows=8,columns=8#1", "--solver", "genetic", "--with", "generations=5,length=4")
    assert "a single cell being a cluster too" in run(*asked).stdout
