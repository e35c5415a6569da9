"""The article on 马了个马, point by point (E1 to E19), as far as no page is needed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bench import load_benchmark
from bench.triple import article_table
from tests.driving import driven
from winnable import words
from winnable.cli import watch
from winnable.cli.app import app
from winnable.contract.core import Budget, Progress, finish, replay
from winnable.contract.methods import Wanted, choose, settings_of
from winnable.contract.registry import titles
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.players.by_name import find_overlaps
from winnable.games.triple.players.greedy_kernels import play_greedy
from winnable.games.triple.repair.repair import RepairFailed, run_repair
from winnable.games.triple.repair.settings import RepairSettings
from winnable.games.triple.rules.level import Level, Tile
from winnable.games.triple.rules.puzzle import Triple
from winnable.levels.find import find_level

LOST = "triple:layers=20#1"
"""Greedy loses it."""


def row_of(*kinds: int, slots: int) -> Triple:
    return Triple(Level(tiles=tuple(Tile(kind, 8 * at, 0, 0) for at, kind in enumerate(kinds)), slots=slots))


def run(*args: str) -> Result:
    return CliRunner().invoke(app, list(args))


def test_e1_the_name_and_twelve_pictures() -> None:
    assert titles("triple")["zh-CN"] == "马了个马"
    assert Params().kinds == 12


def test_e2_layers_of_6_and_5_half_a_tile_apart() -> None:
    full = finish(generate(Params(layers=2, kinds=1, sets=20), 1))
    assert Counter(tile.layer for tile in full.tiles) <= Counter({0: 36, 1: 25})
    assert {tile.x % 8 for tile in full.tiles if tile.layer == 0} == {0}
    assert {tile.x % 8 for tile in full.tiles if tile.layer == 1} == {4}


def test_e3_parents_are_the_tiles_that_overlap_from_above() -> None:
    level = finish(generate(Params(layers=4, kinds=4, sets=5), 3))
    overlaps = finish(find_overlaps(level.tiles))
    for child, tile in enumerate(level.tiles):
        parents = {
            index
            for index, other in enumerate(level.tiles)
            if other.layer > tile.layer and abs(other.x - tile.x) < 8 and abs(other.y - tile.y) < 8
        }
        assert set(overlaps.above[overlaps.start[child] : overlaps.start[child + 1]].tolist()) == parents
        assert (child in Triple(level).legal_actions(0)) == (not parents), "by the rules, too"


def test_e4_what_nothing_lies_on_can_be_clicked() -> None:
    triple = Triple(Level(tiles=(Tile(0, 0, 0, 0), Tile(0, 4, 4, 1), Tile(0, 20, 0, 0)), slots=7))
    assert triple.legal_actions(0) == [1, 2]
    assert triple.legal_actions(0b010) == [0, 2]
    open_tiles = {tile.tile for tile in triple.observe(0).tiles if tile.open}
    assert open_tiles == {1, 2}
    bridge = Triple(Level(tiles=(Tile(0, 8, 0, 0), Tile(0, 4, 0, 1), Tile(0, 12, 0, 1)), slots=7))
    assert [bridge.legal_actions(picked) for picked in (0, 0b010, 0b110)] == [[1, 2], [2], [0]]


def test_e5_layers_sets_and_kinds_can_be_set() -> None:
    level = finish(generate(Params(layers=8, sets=3, kinds=7), 1))
    assert Counter(tile.kind for tile in level.tiles) == dict.fromkeys(range(7), 9)


def test_e6_three_alike_vanish_and_the_tray_is_sorted() -> None:
    triple = row_of(1, 0, 1, 1, 0, 0, slots=7)
    assert triple.tray(replay(triple, (0, 1, 2))) == (0, 1, 1)
    assert triple.tray(replay(triple, (0, 1, 2, 3))) == (0,)
    assert Params().slots == 7


def test_e7_a_full_tray_loses_and_an_empty_board_wins() -> None:
    triple = row_of(0, 0, 0, 1, 1, 1, 2, 2, 2, slots=3)
    assert triple.observe(replay(triple, (0, 3, 6))).status == "lost"
    assert triple.observe(replay(triple, range(9))).status == "won"


def test_e8_e9_the_automatic_player_can_be_watched() -> None:
    watched = json.loads(run("watch", "triple:layers=4,sets=2#1", "--by", "greedy", "--json").stdout)
    level = finish(generate(Params(layers=4, sets=2), 1))
    assert tuple(watched["actions"]) == play_greedy(level).actions


def test_e10_hidden_faces_stay_hidden_from_the_player() -> None:
    triple = Triple(finish(generate(Params(), 1)))
    faces = [tile.kind for tile in triple.observe(0).tiles]
    assert None in faces
    assert any(face is not None for face in faces)


def test_e11_the_table_stands_beside_the_articles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rows that span it: ours within 4 standard errors of theirs, of 100 games."""
    kept = {layers: article_table.PUBLISHED[layers] for layers in (12, 18, 26)}
    assert list(article_table.PUBLISHED) == list(range(12, 31))
    monkeypatch.setattr(article_table, "PUBLISHED", kept)
    rows = {row.name: row for row in load_benchmark("triple-article-table")(games=60)}
    assert len(rows) == 2 * len(kept)
    both = 1 / 60 + 1 / 100
    for layers, (win_rate, completion) in kept.items():
        rate, share = (rows[f"greedy, {layers} layers: {what}"] for what in ("win rate", "completion"))
        assert (rate.reference, share.reference, rate.n) == (win_rate, completion, 60)
        middle = (win_rate + rate.value + 0.02) / 2
        assert rate.value == pytest.approx(win_rate, abs=4 * (middle * (1 - middle) * both) ** 0.5)
        assert share.value == pytest.approx(completion, abs=4 * 0.25 * both**0.5)
    assert rows["greedy, 12 layers: win rate"].value > 0.2 > rows["greedy, 18 layers: win rate"].value


def test_e12_completion_counts_the_picked_tiles_also_those_in_the_tray() -> None:
    triple = Triple(finish(generate(Params(layers=26), 2)))
    state = replay(triple, triple.legal_actions(0)[:2])
    assert triple.completion(state) == 2 / 360
    played = play_greedy(triple.level)
    assert triple.completion(replay(triple, played.actions)) == played.completion


def test_e12_watch_and_compare_say_the_completion() -> None:
    watched = json.loads(run("watch", LOST, "--by", "greedy", "--json").stdout)
    assert watched["completion"] == len(watched["actions"]) / 360
    assert f"completion {watched['completion']:.1%}" in run("watch", LOST, "--by", "greedy").stdout
    (row,) = json.loads(run("compare", LOST, "--by", "greedy", "--games", "2", "--json").stdout)
    assert row["mean_completion"] == watched["completion"]
    assert f"{watched['completion']:.1%}" in run("compare", LOST, "--by", "greedy", "--games", "2").stdout


def test_e13_the_articles_settings_are_the_defaults() -> None:
    defaults = {param.name: param.default for param in settings_of(GAME.repairs["de-repair"])}
    assert defaults == {"keep": "improving", "population": 5, "generations": 10, "cr": 0.3, "f": 0.5}


def test_e13_a_round_plays_what_it_is_set_to() -> None:
    level = finish(generate(Params(layers=30, slots=4), 1))
    for settings, games in ((RepairSettings(), 55), (RepairSettings(population=4, generations=2), 12)):
        told: list[Progress] = []
        with pytest.raises(RepairFailed):
            driven(run_repair(level, 0, Budget(expanded=3 * games), settings), told.append)
        told = [progress for progress in told if progress.stage == "repair"]
        starts = [progress.expanded for progress in told]
        assert {1, 1 + games, 1 + 2 * games} <= set(starts)
        assert max(progress.values["generation"] for progress in told) == 1 + settings.generations


def test_e14_either_way_to_keep_swaps(tmp_path: Path) -> None:
    path = tmp_path / "won.json"
    for keep in ("improving", "always"):
        told = run("repair", LOST, "--method", "de-repair", "--with", f"keep={keep}", "--output", str(path))
        assert told.exit_code == 0, told.output
        params = json.loads(path.read_text())["provenance"]["params"]
        assert (params["keep"], params["population"], params["cr"]) == (keep, 5, 0.3)
    board = find_level(LOST).level
    always = finish(run_repair(board, 3, Budget(), RepairSettings(keep="always")))
    improving = finish(run_repair(board, 3, Budget(), RepairSettings(keep="improving")))
    assert always.swaps == always.rounds, "also those that make things worse"
    assert 0 < improving.swaps < improving.rounds
    refused = run("repair", LOST, "--method", "de-repair", "--with", "keep=never", "--output", str(path))
    assert (refused.exit_code, "improving, always" in refused.stderr) == (2, True)


def test_e15_generation_best_value_best_swap_and_swaps_are_told() -> None:
    told: list[Progress] = []
    level = finish(generate(Params(layers=20), 1))
    made = driven(run_repair(level, 5, Budget()), told.append)
    assert made.swaps > 0
    assert told[-1].values["swaps"] == made.swaps
    assert told[-1].values["best"] == "1.000"
    generations = [progress.values["generation"] for progress in told if progress.stage == "repair"]
    assert generations[0] == 0
    assert max(generations) <= 11
    swap = {told[-1].values["first"], told[-1].values["second"]}
    assert swap <= set(range(360))
    chinese = words.fill(words.catalogue("zh-CN")["stage.repair"], told[-1].values)
    assert chinese.startswith(f"第 {generations[-1]} 代，最优值 1.000，最优解 ")
    assert chinese.endswith(f"更新次数 {made.swaps}")


def test_e15_the_command_line_says_it_at_the_end(tmp_path: Path) -> None:
    told = run("repair", LOST, "--method", "de-repair", "--output", str(tmp_path / "won.json")).stderr
    assert "best completion 1.000" in told
    assert "swaps made" in told


def test_e16_e18_a_lost_board_is_repaired_and_then_won(tmp_path: Path) -> None:
    path = tmp_path / "won.json"
    assert "lost" in run("watch", LOST, "--by", "greedy").stdout
    assert run("repair", LOST, "--method", "de-repair", "--output", str(path)).exit_code == 0
    assert "won after 360 actions" in run("watch", str(path), "--by", "greedy").stdout


def test_e16_a_repair_that_fails_says_how_far_it_came() -> None:
    method: Any = choose("method", GAME.repairs, Wanted("de-repair", {}), "triple").method
    with pytest.raises(RepairFailed) as failed:
        finish(method(finish(generate(Params(layers=30, slots=4), 1)), 0, Budget(expanded=200)))
    best = failed.value.values["best"]
    assert 0 < float(best) < 1
    for language in ("en", "zh-CN"):
        assert best in failed.value.said(language)


def test_e17_the_articles_example_is_the_default() -> None:
    params = Params()
    assert (params.layers, params.sets, params.slots, params.method) == (26, 10, 7, "random")
    assert len(finish(generate(params, 1)).tiles) == 360


def test_e19_a_solution_or_not_known() -> None:
    solved = run("solve", "triple:layers=4,sets=2,kinds=4#1")
    assert (solved.exit_code, "SOLVED" in solved.stdout) == (0, True)
    unknown = run("solve", "triple:slots=5#1", "--solver", "depth-first", "--time", "0.2")
    assert unknown.exit_code == 3
    assert "UNKNOWN" in unknown.stdout
    assert "time of 0.2 s is over" in unknown.stdout


def test_e23_the_demonstration_of_two_layers_and_one_set_each() -> None:
    level = finish(generate(Params(layers=2, sets=1), 1))
    assert (len(level.tiles), level.slots, {tile.layer for tile in level.tiles}) == (36, 7, {0, 1})
    assert "won after 36 actions" in run("watch", "triple:layers=2,sets=1#1", "--by", "greedy").stdout


def test_e23_360_tiles_need_twelve_layers_at_the_least() -> None:
    """ "每两层 61 张，故至少需要 12 层"."""
    assert len(finish(generate(Params(layers=12), 1)).tiles) == 360
    for language, said in (("C", "at least 12 layers are needed"), ("zh_CN.UTF-8", "至少需要 12 层")):
        try:
            refused = CliRunner(env={"LC_ALL": language}).invoke(app, ["watch", "triple:layers=11#1"])
        finally:
            words.use("en")
        assert refused.exit_code == 2
        assert said in refused.stderr
    refused = run("watch", "triple:layers=1,sets=1,side=3#1")
    assert len(finish(generate(Params(layers=6, sets=1, side=3), 1)).tiles) == 36
    assert "at least 6 layers are needed" in refused.stderr


def test_e21_after_the_end_the_automatic_game_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """With other tiles, until Ctrl-C."""
    played: list[str] = []

    def ended(level: str, *arguments: Any) -> tuple[int, bool]:
        played.append(level)
        return 0, len(played) == 3

    monkeypatch.setattr(watch, "_watch", ended)
    assert run("watch", "triple:layers=2,sets=1#7", "--by", "greedy", "--again").exit_code == 0
    assert played == [f"triple:layers=2,sets=1#{seed}" for seed in (7, 8, 9)]
    refused = run("watch", "triple:layers=2,sets=1#7", "--again", "--json")
    assert (refused.exit_code, "one game" in refused.stderr) == (2, True)


def test_e22_the_clicks_until_a_tile_is_free_and_until_a_kind_is_gone() -> None:
    """The article's two pictures: under red lies blue, and under both orange and green. And of all kinds the
    butterfly takes the fewest clicks."""
    red, blue, orange, green = Tile(0, 0, 0, 2), Tile(1, 4, 0, 1), Tile(2, 0, 4, 0), Tile(2, 8, 4, 0)
    more = tuple(Tile(kind, 40 + 8 * at, 0, 0) for at, kind in enumerate((0, 0, 1, 1, 2)))
    triple = Triple(Level(tiles=(red, blue, orange, green, *more), slots=7))
    told = GAME.explain(triple, 0)
    assert told.free == {1: 1, 2: 2, 3: 2}
    assert told.kinds == {0: 3, 1: 4, 2: 5}
    assert list(told.kinds) == [0, 1, 2]
    after = replay(triple, (4, 5))
    assert GAME.explain(triple, after).kinds[0] == 1, "two rest in the tray"
    level = finish(generate(Params(layers=6, sets=2, kinds=6), 3))
    puzzle = Triple(level)
    seen = {tile.kind for tile in puzzle.observe(0).tiles} - {None}
    found = GAME.explain(puzzle, 0)
    assert found.kinds.keys() <= seen, "hidden faces are not told"
    assert all(count >= 3 for count in found.kinds.values())
