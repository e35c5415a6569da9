"""The article on tetris, point by point (B1 to B23), as far as no page is needed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from bench.tetris.article_runs import ITERATIONS, POPULATION, tune_as_the_article
from winnable import words
from winnable.cli.app import app
from winnable.comparing import Played, standing
from winnable.compiled.dice_kernels import new_dice
from winnable.contract.chance import Turn
from winnable.contract.core import WinnableError, finish
from winnable.contract.methods import Wanted, choose, settings_of
from winnable.contract.registry import load_game
from winnable.games.tetris.article import tuning
from winnable.games.tetris.article.figures import as_told
from winnable.games.tetris.article.kernels import NO_CAP, play_game
from winnable.games.tetris.article.player import (
    ARTICLE_WEIGHTS,
    FEATURES,
    LIES,
    START,
    ArticlePlayer,
    wall_of,
)
from winnable.games.tetris.article.tuning import (
    BOUND,
    CAPPED_ABOVE,
    FULL_TOP,
    GAMES,
    HEIGHT,
    TRAINING_TOP,
    TUNABLES,
    board,
    survive_on,
    weight_array,
)
from winnable.games.tetris.game import GAME
from winnable.games.tetris.modern.commands.game import ArticleBot as TerminalBot
from winnable.games.tetris.modern.commands.screen import ARTICLE_INKS, picture
from winnable.games.tetris.modern.players.article_bot import ArticleBot
from winnable.games.tetris.modern.rules import level as modern
from winnable.games.tetris.modern.rules.article import Flying, bits_of
from winnable.games.tetris.modern.rules.bag import form_of
from winnable.games.tetris.modern.rules.puzzle import AnyState, Modern
from winnable.games.tetris.modern.rules.state import CW, LEFT, RIGHT, SOFT
from winnable.games.tetris.rules import flight
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.pieces import NAMES, TURNED
from winnable.games.tetris.rules.puzzle import Afterstate, Landing, SeededTetris, State
from winnable.levels.find import find_level
from winnable.optimize.differential_evolution import DifferentialEvolution
from winnable.store.database import Store, data_folder
from winnable.tuning import runs as runs_module
from winnable.tuning.runs import new_run
from winnable.tuning.tuner import Tuner

LEVEL = "tetris/7-the-articles-game"
ARCADE = modern.Level(mode="endless", rules="article", dice=3)
SMALL = {"size": 4, "iterations": 1, "cr": 0.3, "f": 0.5, "low": -BOUND, "high": BOUND}


def run(*args: str, code: int | None = 0) -> Result:
    """code: None: whatever it is, as where a limit of time may end a game"""
    result = CliRunner().invoke(app, list(args))
    assert code in (None, result.exit_code), result.output
    return result


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The user's own, and empty."""
    monkeypatch.setenv("WINNABLE_DATA", str(tmp_path / "data"))
    opened = Store(data_folder())
    yield opened
    opened.close()


def tuned(store: Store, seed: int = 0) -> Any:
    started = new_run(store, "tetris", "article-mean", Wanted("de", SMALL), None, seed)
    return Tuner(store, started).work()


def article() -> SeededTetris:
    return SeededTetris(Level(height=HEIGHT, rules="article", dice=7))


def four_games(top: int, seed: int, pieces: int, limits: Callable[[int], bool]) -> tuple[list[int], int]:
    """The lines of four games by the published weights, the next always with the dice that the last one left;
    and the pieces of all. limits: whether a game with so many lines is the limit of those after it."""
    dice, scores, cap, placed = new_dice(seed), list[int](), NO_CAP, 0
    for _ in range(4):
        played = play_game(board(top), weight_array(ARTICLE_WEIGHTS), dice, pieces, cap)
        scores.append(min(played.lines, cap))
        cap, placed = min(cap, scores[-1]) if limits(scores[-1]) else cap, placed + played.pieces
    return scores, placed


def pressed(*keys: int) -> AnyState:
    """The arcade's game after these keys, a frame each."""
    puzzle = Modern(ARCADE)
    state = puzzle.initial()
    for held in keys:
        state = puzzle.apply(state, held)
    return state


def test_b1_seven_pieces_nineteen_forms_any_of_them_drawn() -> None:
    assert (len(NAMES), len(TURNED)) == (7, 19)
    assert {form_of(1, number) for number in range(500)} == set(range(19))
    after = Afterstate((), 0, over=False)
    assert [state.following for _, state in article().game.outcomes(after)] == list(range(19))


def test_b2_the_board_is_ten_by_twenty_one_rows_of_which_twenty_are_seen() -> None:
    puzzle = article()
    assert (puzzle.game.width, puzzle.game.height, modern.VISIBLE) == (10, 21, 20)
    level = find_level(LEVEL).level
    assert (level.width, level.height, level.rules) == (10, 21, "article")


def test_b3_all_turns_and_columns_are_tried() -> None:
    puzzle = article()
    wall, lying = State((), 0, 0), 0
    assert len(flight.turn_order(lying)) == 2
    assert len(puzzle.game.legal_actions(wall)) == 7 + 10
    places = [len(puzzle.game.legal_actions(State((), form, 0))) for form in range(len(flight.FORMS))]
    assert places == [17, 17, 9 + 17, *[(9 + 8) * 2] * 4, *[9 + 8] * 4, *[(9 + 8) * 2] * 8]
    seen: list[tuple[int, int]] = []

    class Watching(ArticlePlayer):
        def value(self, wall: Any, rests: flight.Position) -> float:
            seen.append((rests.form, rests.column))
            return super().value(wall, rests)

    Watching(puzzle).choose(Turn(wall, 0, 0))
    assert len(seen) == len(set(seen)) == 17


def figures_of_the_article(drawn: list[list[int]]) -> list[int]:
    """The listing's `cal_map_value`, line by line, without its weights. drawn: rows from the lowest."""
    height, width = len(drawn), len(drawn[0])
    board = [[*row] for row in drawn]
    complete_row: list[int] = []
    hight_max = 0
    for row in range(height - 1):
        if 1 in board[row] and row > hight_max:
            hight_max = row
        if 0 not in board[row]:
            complete_row.append(row)
    for row in sorted(complete_row, reverse=True):
        board.pop(row)
        board.append([0] * width)
    col_height, col_num = [0] * width, [0] * width
    row_1 = row_2 = 0
    for row in range(height - 4):
        for column in range(width):
            if board[row][column] == 1:
                col_num[column] += 1
                col_height[column] = max(col_height[column], row)
        if row < hight_max - 2 and sum(board[row]) < width - 2:
            row_2 += 1
        elif row < hight_max - 2 and sum(board[row]) < width - 1:
            row_1 += 1
    space = height_diff = 0
    for col in range(width):
        space += col_height[col] - col_num[col]
        other = col + 1 if col < width - 1 else col - 1
        height_diff += max(0, abs(col_height[other] - col_height[col]) - 2)
    return [space, height_diff, len(complete_row), hight_max, row_1, row_2]


def test_b4_the_six_figures_are_those_of_the_listing() -> None:
    rng = random.Random(4)
    for _ in range(200):
        rows = [[int(rng.random() < 0.75) for _ in range(10)] for _ in range(rng.randrange(1, 20))]
        rows += [[1] * 10] * rng.randrange(2)
        board = [*rows, *([0] * 10 for _ in range(HEIGHT - len(rows)))]
        wall = wall_of([sum(cell << x for x, cell in enumerate(row)) for row in rows], 10, HEIGHT)
        assert [feature(wall) for feature in FEATURES.values()] == figures_of_the_article(board)


WORKED = ("...x......", "..xx..xxx.", "xxxx.xxxxx", "x.xx.xx.x.")
"""The wall of the text's example, rows from the top, rebuilt from what it says: columns 2, 8 and 10 have a
hole each, the steps are 0, 1, 1, 4, 2, 1, 0, 0, 1, and the rows lack 4, 1, 5 and 9."""


def test_b25_the_six_figures_of_the_texts_example() -> None:
    level = Level(height=HEIGHT, rules="article", wall=WORKED)
    puzzle = SeededTetris(level)
    told = GAME.explain(puzzle, puzzle.initial())
    by_name = {figure.name: figure for figure in told.figures}
    told_by_the_text = dict(zip(FEATURES, (3, 10, 0, 4, 1, 3), strict=True))
    assert {name: figure.text for name, figure in by_name.items()} == told_by_the_text
    wall = wall_of(level.rows, 10, HEIGHT)
    for (name, feature), weight in zip(FEATURES.items(), ARTICLE_WEIGHTS, strict=True):
        assert (by_name[name].program, by_name[name].weight) == (feature(wall), weight)
    assert told.score == pytest.approx(sum(one.program * one.weight for one in told.figures))
    full = [0b1111111111, 0b0000000001]
    assert as_told(full, 10) == (0, 1, 1, 1, 0, 1)
    assert as_told([0b0011111111], 10) == (0, 1, 0, 1, 0, 1), "two are more than one"


def test_b5_the_least_weighted_sum_of_the_published_weights_is_chosen() -> None:
    assert ARTICLE_WEIGHTS == (
        8.64986860882939, 3.0577645457613123, -3.555880051448894, 1.6129266015244417, 2.4287251847128744,
        4.67971499710595,
    )  # fmt: skip
    player = ArticlePlayer(article())
    for form in range(len(flight.FORMS)):
        places = [
            flight.Position(turned, at, 0)
            for turned in flight.turn_order(form)
            for at in range(11 - flight.FORMS[turned].shape.width)
        ]
        first = min(places, key=lambda place: player.value((), place))
        assert player.target((), form) == (first.form, first.column), "of equals the first"


@pytest.mark.parametrize("most", [1000, 40])
def test_b6_the_fitness_is_the_mean_of_four_games(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """A game with more lines than 1,000 is the limit of those after it; with more than 40, to see it."""
    assert (GAMES, CAPPED_ABOVE) == (4, 1000)
    monkeypatch.setattr(tuning, "CAPPED_ABOVE", most)
    capped = 0
    for seed in range(4):
        scores, pieces = four_games(7, seed, 10_000, lambda lines: lines > most)
        found = finish(TUNABLES["article-mean"].evaluate(ARTICLE_WEIGHTS, seed, 40_000))
        assert (found.loss, found.cost) == (-sum(scores) / 4, pieces)
        capped += max(scores[:-1]) > most
    assert bool(capped) == (most == 40)


def test_b7_or_the_worst_of_the_games() -> None:
    for seed in range(4):
        scores, pieces = four_games(7, seed, 10_000, lambda lines: True)
        found = finish(TUNABLES["article-min"].evaluate(ARTICLE_WEIGHTS, seed, 40_000))
        assert (found.loss, found.cost) == (-min(scores), pieces)


def test_b8_training_ends_at_a_third_of_the_height() -> None:
    assert TRAINING_TOP == 7
    scores, pieces = four_games(7, 1, 10_000, lambda lines: lines > 1000)
    found = finish(TUNABLES["article-mean"].evaluate(ARTICLE_WEIGHTS, 1, 40_000))
    assert (found.loss, found.cost) == (-sum(scores) / 4, pieces)


def test_b9_arrows_move_a_column_and_turn() -> None:
    left = pressed(LEFT).active.here
    assert left.column == pressed(0).active.here.column - 1
    assert pressed(LEFT, LEFT, LEFT).active.here == left  # nothing repeats
    assert pressed(RIGHT).active.here.column == left.column + 2
    form: int = pressed().active.wanted
    assert pressed(CW).active.wanted == flight.FORMS[form].onward


def test_b10_points_are_lines_and_b11_the_next_piece_is_seen() -> None:
    state = pressed()
    bot, puzzle = ArticleBot(ARCADE, GAME.players["article"]), Modern(ARCADE)
    bot.hurries = True
    while state.tally.lines < 2:
        state = puzzle.apply(state, bot.next_keys(state))
    assert state.tally.score == state.tally.lines
    assert len(puzzle.observe(state).following) == 1


def test_b11_the_next_piece_comes_next() -> None:
    state, puzzle = pressed(), Modern(ARCADE)
    for placed in range(1, 5):
        (following,) = puzzle.observe(state).following
        while state.placed < placed:
            state = puzzle.apply(state, SOFT)
        assert puzzle.rules.active(state) == following


@pytest.mark.parametrize(("held", "rounds"), [(0, 51), (SOFT, 5)])
def test_b12_a_row_takes_51_ticks_or_5(held: int, rounds: int) -> None:
    frames = 600
    rows = pressed().active.here.row
    for count in range(1, frames):
        if rows - pressed(*[held] * count).active.here.row == 2:
            assert count == -(-2 * rounds * 3 // 10)  # 10 rounds in three frames
            return
    pytest.fail("it does not fall")


def test_b13_an_orange_piece_and_a_blue_wall_on_the_terminal() -> None:
    puzzle = Modern(modern.Level(mode="endless", rules="article", board=("XXXX......",)))
    drawn = "\n".join(picture(puzzle.observe(puzzle.initial()), (), "", "", "", ARTICLE_INKS))
    assert drawn.count("48;5;21m") == 4
    assert "48;5;214m" in drawn


def test_b14_differential_evolution_has_the_articles_rates_and_bounds() -> None:
    trials = DifferentialEvolution([-10.0] * 6, [10.0] * 6, 20, seed=1)
    first = trials.ask()
    trials.tell(first, np.zeros(20))
    second = trials.ask()
    assert ((second >= -10) & (second <= 10)).all()
    changed = float((second != first).mean())
    assert 0.3 < changed < 0.52  # 0.3, and one gene of six always: 0.42


def test_b15_the_sphere() -> None:
    sphere = DifferentialEvolution([-100.0] * 5, [100.0] * 5, 30, seed=1, max_generations=200)
    while not sphere.should_stop():
        genomes = sphere.ask()
        sphere.tell(genomes, (genomes**2).sum(axis=1))
    assert sphere.best[1] < 1e-6


def test_b16_generation_best_value_and_solution_are_kept(store: Store) -> None:
    tuned(store)
    document = json.loads(run("runs", "show", "last", "--json").stdout)
    assert [one["generation"] for one in document["generations"]] == [1, 2]
    assert all(len(one["recommendation"]) == 6 for one in document["generations"])
    assert all(one["best"] <= one["low"] <= one["high"] for one in document["generations"])
    bests = [one["best"] for one in document["generations"]]
    assert bests == sorted(bests, reverse=True), "of all so far"
    assert "space" in run("runs", "show", "last").stdout


def test_b17_the_articles_run_as_it_stands(store: Store) -> None:
    settings = {"size": POPULATION, "iterations": ITERATIONS, "low": -10, "high": 10}
    begun = new_run(store, "tetris", "article-mean", Wanted("de", settings), None, 0)
    assert begun.evaluations == 20 * 1001
    assert begun.settings == {**settings, "cr": 0.3, "f": 0.5}


def test_b16_value_and_generation_are_told_as_a_person_counts(store: Store) -> None:
    """第 n 代 and 最优值: lines, and the more the better."""
    kept = tuned(store)
    lines = -kept.latest.best
    for language, said in (("C", f"best value {lines:.4f} lines"), ("zh_CN.UTF-8", f"最优值 {lines:.4f} 行")):
        try:
            told = CliRunner(env={"LC_ALL": language}).invoke(app, ["runs", "show", "last"])
        finally:
            words.use("en")
        assert said in told.stdout
        assert f"{lines:.4f}" in told.stdout.splitlines()[-1]
        assert f"{kept.latest.best:.4f}" not in told.stdout
    course = run("runs", "show", "last").stdout.splitlines()
    assert "generation" in course[-4]
    assert "best (lines)" in course[-4]
    assert kept.comparison is not None
    gained = f"{-kept.comparison.difference:+.4f}"
    assert f"it makes {gained} [" in "\n".join(course)
    assert f"{lines:.4f} lines" in run("runs").stdout


def test_b17_one_choice_tunes_as_in_the_article(store: Store) -> None:
    begun = run("tune", "tetris", "article-mean", "--optimizer", "article", "--with", "size=4,iterations=1")
    kept = store.runs()[0]
    assert (kept.tunable, kept.optimizer) == ("article-mean", "de")
    assert "de(size=4,iterations=1,low=-10,high=10)" in begun.stdout
    for name in ("article-mean", "article-min", "article-ten-rows"):
        wanted = GAME.as_in_its_article(name)
        assert wanted is not None
        made = new_run(store, "tetris", name, wanted, None, 0)
        assert made.evaluations == POPULATION * (ITERATIONS + 1)
        assert made.settings == {"size": 20, "iterations": 1000, "low": -10, "high": 10, "cr": 0.3, "f": 0.5}
    for game, tunable in (("tetris", "features-9"), ("triple", "beam-forward")):
        refused = run("tune", game, tunable, "--optimizer", "article", code=2)
        assert "comes from no article" in refused.stderr


def test_b26_the_training_board_of_the_text_has_ten_rows() -> None:
    """As a board that a person sees, and as what weights are tuned on: the row over the tenth ends a game."""
    seen = find_level("tetris:rules=article,height=21,top=10#1").level
    assert (seen.width, seen.ceiling) == (10, 10)
    for rows, over in ((9, False), (10, True)):
        wall, lies = (1 << 9,) * rows, Landing(flight.FORMS[LIES].shape, 0, rows)
        assert SeededTetris(seen).game.after_landing(State(wall, LIES, 0), lies)[0].over == over
    worst = TUNABLES["article-ten-rows"]
    for seed in range(3):
        judged = finish(worst.evaluate(ARTICLE_WEIGHTS, seed, 4e5))
        scores, pieces = four_games(10, seed, 100_000, lambda lines: True)
        assert (-judged.loss, judged.cost) == (min(scores), pieces)
    rows = [board(top) for top in (7, 10, 19)]
    lives = [survive_on(one, ARTICLE_WEIGHTS, 1, 20, 10_000_000).steps for one in rows]
    assert lives == sorted(lives)
    assert lives[1] > 2 * lives[0]


def test_b27_a_value_of_a_thousand_or_more_is_no_choice() -> None:
    """`value_min = 1000` at the start: on a wall that no place makes better, the piece is sent straight down,
    and by lesser weights of the same proportions it is sent to the best place."""
    puzzle = article()
    wall = tuple((1 << 10) - 2 if row % 2 else (1 << 10) - 3 for row in range(14))
    best = ArticlePlayer(puzzle, weights=[weight / 100 for weight in ARTICLE_WEIGHTS])
    lost = ArticlePlayer(puzzle, weights=[weight * 100 for weight in ARTICLE_WEIGHTS])
    for form in range(len(flight.FORMS)):
        values = [
            lost.value(wall, flight.Position(turned, column, 14))
            for turned in flight.turn_order(form)
            for column in range(11 - flight.FORMS[turned].shape.width)
        ]
        assert min(values) >= START == 1000
        straight = flight.appears(form, 10, HEIGHT).column
        assert lost.target(wall, form)[1] == flight.appears(lost.target(wall, form)[0], 10, HEIGHT).column
        assert lost.target(wall, form)[0] in (form, LIES)
        if lost.target(wall, form)[0] == form:
            assert lost.target(wall, form)[1] == straight
    assert any(best.target(wall, form) != lost.target(wall, form) for form in range(len(flight.FORMS)))


def test_b28_ones_own_weights_play_wherever_a_player_is_named() -> None:
    settings = {param.name: param.default for param in settings_of(GAME.players["article"])}
    assert settings == dict(zip(FEATURES, ARTICLE_WEIGHTS, strict=True))
    own = [*ARTICLE_WEIGHTS]
    own[0] = own[3] = 0.0
    played = json.loads(
        run(
            "watch", LEVEL, "--by", "article(space=0,max_height=0)", "--time", "1", "--json", code=None
        ).stdout
    )
    assert played["by"] == "article(space=0,max_height=0)"
    puzzle = article()
    mine, theirs = ArticlePlayer(puzzle, weights=own), ArticlePlayer(puzzle)
    state: Any = GAME.puzzle(find_level(LEVEL).level).initial()
    assert played["actions"][0] == mine.choose(state)
    wall = tuple((1 << 10) - 2 - (1 << 5) for _ in range(6))
    assert any(mine.target(wall, form) != theirs.target(wall, form) for form in range(len(flight.FORMS)))
    refused = run("watch", LEVEL, "--by", "article", "--with", "holes=1", code=2)
    assert "more_short" in refused.stderr


def test_b28_a_model_of_ones_own_is_tuned_and_plays(store: Store) -> None:
    """Features are left out, the weights of others are one's own; what is found keeps them."""
    held = {"one_short": 0.0, "more_short": 0.0, "max_height": 2.5}
    given = ",".join(f"{name}={value}" for name, value in held.items())
    run(
        "tune",
        "tetris",
        "article-mean",
        "--optimizer",
        "de",
        "--with",
        "size=4,iterations=2",
        "--hold",
        given,
    )
    found = runs_module.find(store, "last")
    assert found.held == held
    assert found.latest is not None
    kept = dict(zip(found.genes, found.latest.recommendation, strict=True))
    assert {name: kept[name] for name in held} == held
    assert kept["space"] != ARTICLE_WEIGHTS[0]
    assert len(
        json.loads(run("watch", LEVEL, "--by", "run:last", "--time", "1", "--json", code=None).stdout)[
            "actions"
        ]
    )
    assert "held at" in run("runs", "show", "last").stdout
    for wrong, said in (("holes=1", "no weight holes"), ("space=much", "much is not a number")):
        assert said in run("tune", "tetris", "article-mean", "--hold", wrong, code=2).stderr
    everything = ",".join(f"{name}=1" for name in FEATURES)
    refused = run("tune", "tetris", "article-mean", "--hold", everything, code=2)
    assert "none is left to be tuned" in refused.stderr


def test_b17_a_small_run_is_that_of_the_articles_own_loop(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.tetris.article_runs.POPULATION", 4)
    monkeypatch.setattr("bench.tetris.article_runs.ITERATIONS", 1)
    found: Any = TUNABLES["article-mean"]
    own = tune_as_the_article(found, 5)
    kept = tuned(store, seed=5)
    assert tuple(kept.latest.recommendation) == own.weights
    assert (kept.latest.best, kept.latest.evaluations) == (-own.fitness, own.evaluations)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ("size=3", "size: at least 4"),
        ("iterations=9", "size"),
        ("cr=1.5", "cr: from 0 to 1"),
        ("f=0", "f: from 0.01 to 2"),
        ("low=3,high=3", "high"),
        ("speed=3", "speed: de has no such parameter"),
        ("size=20,iterations=9000000", "iterations"),
    ],
)
def test_b14_b17_absurd_settings_are_refused_by_name(store: Store, given: str, field: str) -> None:
    refused = run("tune", "tetris", "article-mean", "--optimizer", "de", "--with", given, code=2)
    assert field in refused.stderr
    assert store.runs() == []


def test_b18_a_tuned_run_is_a_player_and_a_file(store: Store, tmp_path: Path) -> None:
    kept = tuned(store)
    weights = str(tmp_path / "weights.json")
    run("runs", "export", "last", "--format", "weights", "-o", weights)
    assert json.loads(Path(weights).read_text("utf-8"))["weights"]["space"] == kept.latest.recommendation[0]
    puzzle = article()
    player = ArticlePlayer(puzzle, weights=kept.latest.recommendation)
    state = puzzle.initial()
    own = [player.choose(state)]
    for name in ("run:last", f"run:{kept.id}", f"run:{kept.id[:5]}", weights):
        played = json.loads(run("watch", LEVEL, "--by", name, "--time", "20", "--json").stdout)
        assert played["actions"][0] == own[0]
    assert "is not kept" in run("watch", LEVEL, "--by", "run:nothing", code=2).stderr


def test_b18_runs_of_another_game_do_not_play(store: Store) -> None:
    tuned(store)
    assert "tetris" in run("watch", "2048/1-2048", "--by", "run:last", code=2).stderr


def test_b19_the_published_weights_clear_thousands_of_lines() -> None:
    """ "大约能跑数千分": of 20 games, each to its end. 3,794 are known: 4 standard errors to both sides."""
    seen = survive_on(board(FULL_TOP), ARTICLE_WEIGHTS, 1, 20, 5_000_000)
    assert (seen.deaths, seen.stopped) == (20, True)
    assert 1_800 < seen.reward / seen.deaths < 8_000
    poor = survive_on(board(FULL_TOP), (1.0,) * 6, 1, 20, 5_000_000)
    assert poor.reward / poor.deaths < 50


def test_b19_games_that_were_cut_short_tell_the_mean_too() -> None:
    """All lines for each game that ended: where only whole games counted, the short ones alone would. The
    interval is the exact one of `Survival`; games of 2048, which age, are said to be so much at the least."""
    by = choose("by", GAME.players, Wanted("random", {}), "tetris")
    whole = [Played(False, True, False, 10 * score, score, 1.0) for score in (900, 1100)]
    long = [Played(False, False, True, 10 * score, score, 10.0) for score in (3000, 2800, 3200)]
    row = standing(GAME, by, [*whole, *long], 1, is_solver=False)
    assert (row.cut, row.at_least, row.mean_score, row.mean_length) == (3, False, 5_500, 55_000)
    assert row.score_low is not None
    assert row.score_high is not None
    assert 1_500 < row.score_low < 5_500 < row.score_high
    none_over = standing(GAME, by, long, 1, is_solver=False)
    assert (none_over.at_least, none_over.mean_score, none_over.score_low) == (True, 3_000, None)
    aging = standing(load_game("2048"), by, [*whole, *long], 1, is_solver=False)
    assert (aging.at_least, aging.mean_score) == (True, 2_200)
    rng, mean = random.Random(19), 2_000
    lives = [int(rng.expovariate(1 / mean)) for _ in range(4_000)]
    cut = [Played(False, life < 700, life >= 700, min(life, 700), min(life, 700), 1.0) for life in lives]
    told = standing(GAME, by, cut, 1, is_solver=False).mean_score
    assert told == pytest.approx(mean, rel=0.1)


def test_b20_the_piece_turns_shifts_and_falls_as_in_run_auto() -> None:
    """Row by row at most one turn and one shift; it comes to rest where the program's flight does."""
    bot, puzzle = ArticleBot(ARCADE, GAME.players["article"]), Modern(ARCADE)
    state, game = puzzle.initial(), article().game
    for _ in range(12):
        wall, form = bits_of(state.rows), state.active.wanted
        action = ArticlePlayer(article()).choose(Turn(State(wall, form, form_of(3, state.dealt)), 0, 0))
        rests = game.landing(State(wall, form, 0), action)
        ways: list[tuple[int, int, int]] = []
        placed = state.placed
        while state.placed == placed:
            ways.append(state.active.here)
            state = puzzle.apply(state, bot.next_keys(state))
        assert ways[-1][1:] == (rests.column, rests.row)
        columns = [column for _, column, _ in ways]
        assert all(abs(after - before) <= 2 for before, after in pairwise(columns))
        assert len(ways) > 14 * (ways[0][2] - ways[-1][2])  # a row each quarter of a second


def test_b24_on_the_terminal_too_the_arrows_act_on_the_bots_piece() -> None:
    here: list[tuple[int, int, int]] = []
    for key in (0, LEFT, RIGHT, CW):
        keys, puzzle = TerminalBot(ARCADE, "article", 1), Modern(ARCADE)
        state = puzzle.initial()
        if key:
            keys.nudge(key)
        state = puzzle.apply(state, keys.next_keys(state))
        here.append(state.active.here)
        assert not keys.next_keys(state) & key & ~state.keys or state.placed == 0
    assert len(set(here)) >= 3


@pytest.mark.usefixtures("processor_clock")
@pytest.mark.parametrize("by", ["article", "wary", "run:last"])
def test_b20_the_arcade_lets_a_player_play_the_articles_game(store: Store, by: str) -> None:
    tuned(store)
    arguments = (
        "arcade",
        "--preset",
        "article",
        "--bot",
        "--by",
        by,
        "--seed",
        "3",
        "--time",
        "0.5",
        "--json",
    )
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code in (0, 3), result.output
    played = json.loads(result.stdout)
    assert (played["by"], played["level"]["rules"]) == ("bot", "article")
    assert played["pieces"] > 3


def test_b21_in_a_hurry_the_game_is_the_same() -> None:
    played: list[list[tuple[tuple[int, int], ...]]] = []
    for hurries in (False, True):
        bot, puzzle = ArticleBot(ARCADE, GAME.players["article"]), Modern(ARCADE)
        bot.hurries, state = hurries, puzzle.initial()
        locked: list[tuple[tuple[int, int], ...]] = []
        while state.placed < 10:
            state = puzzle.apply(state, bot.next_keys(state))
            if state.events.locked:
                locked.append(state.events.locked)
        played.append(locked)
    assert played[0] == played[1]


def test_b21_the_article_s_bot_is_for_the_articles_rules() -> None:
    with pytest.raises(WinnableError, match="rules"):
        ArticleBot(modern.Level(), GAME.players["article"])


def test_b22_an_o_turns_into_an_i_and_the_highest_row_is_never_cleared() -> None:
    assert flight.FORMS[flight.SQUARE].onward == flight.STANDING
    full = (1 << 10) - 1
    wall = wall_of([full] * HEIGHT, 10, HEIGHT)
    assert sum(row == full for row in wall.after) == 1
    below, lies = [full - 1] * 20, flight.Position(LIES, 0, 20)
    shape = flight.FORMS[LIES].shape
    after, lines = article().game.after_landing(State((*below, full - 15), LIES, 0), Landing(shape, 0, 20))
    assert (after.wall[20], lines) == (full, 0), "by the rules"
    rows = (*["." + "X" * 9] * 20, "...." + "X" * 6)
    state = pressed()._replace(rows=rows, active=Flying(lies, LIES))
    while not state.placed:
        state = Modern(ARCADE).apply(state, 0)
    assert ("." in state.rows[20], state.tally.lines) == (False, 0), "and at the arcade"


def test_b23_the_fitness_is_noisy_and_the_better_the_weights_the_longer_it_takes() -> None:
    """The worst of four games is far below their mean, and by chance either is several times as much; what
    plays ten times as long takes ten times the pieces to judge."""
    lines, pieces = dict[str, list[float]](), dict[str, float]()
    for name in ("article-mean", "article-min"):
        found = [finish(TUNABLES[name].evaluate(ARTICLE_WEIGHTS, seed, 40_000)) for seed in range(12)]
        lines[name] = [-judged.loss for judged in found]
        pieces[name] = sum(judged.cost for judged in found)
        assert max(lines[name]) > 3 * max(1, min(lines[name]))
    assert sum(lines["article-min"]) < sum(lines["article-mean"]) / 2
    poor = [finish(TUNABLES["article-mean"].evaluate((1.0,) * 6, seed, 40_000)) for seed in range(12)]
    assert sum(judged.cost for judged in poor) < pieces["article-mean"] / 4
    assert sum(judged.loss for judged in poor) > -sum(lines["article-mean"]) / 4


def test_f7_levels_of_the_article_are_its_players() -> None:
    assert GAME.default_player(article().level) == "article"
    assert GAME.default_player(Level()) == next(iter(GAME.players))
    watched = json.loads(run("watch", LEVEL, "--time", "0.5", "--json", code=3).stdout)
    assert watched["by"] == "article"
