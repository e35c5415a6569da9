"""The article on 2048, point by point (D1 to D12), as far as no page is needed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from winnable.cli.app import app
from winnable.contract.abilities import RollsDice
from winnable.contract.chance import Turn
from winnable.contract.core import Budget, finish, replay
from winnable.contract.methods import Wanted, choose, settings_of
from winnable.contract.registry import load_game
from winnable.games.game2048.article import games as article_games
from winnable.games.game2048.article.features import evaluate
from winnable.games.game2048.article.player import ArticlePlayer, summed
from winnable.games.game2048.game import GAME
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import LEFT, Game2048, Seeded2048, State
from winnable.levels.find import find_level
from winnable.play.playing import whole_game
from winnable.search.meter import Meter

ARTICLE = "2048/2-the-articles-1024"
BUSY = (0, 1, 0, 0, 1, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1)
"""Four moves that lead to four boards."""


def run(*args: str) -> Result:
    return CliRunner().invoke(app, list(args))


def player(name: str, puzzle: Seeded2048, **settings: Any) -> Any:
    return choose("by", GAME.players, Wanted(name, settings), "2048").method(puzzle, 0)


def test_d1_tiles_slide_merge_and_one_appears() -> None:
    puzzle = Seeded2048(Level(board=((2, 2, 4, 0), *((0, 0, 0, 0),) * 3)))
    after, reward = puzzle.game.afterstate(puzzle.initial().state, LEFT)
    assert (after[:4], reward) == ((2, 2, 0, 0), 4)
    assert sum(map(bool, puzzle.apply(puzzle.initial(), LEFT).state)) == 3


def test_d2_the_articles_odds() -> None:
    game = Game2048(find_level(ARTICLE).level)
    chances = {
        exponent: sum(chance for chance, board in game.outcomes((0,) * 16) if max(board) == exponent)
        for exponent in (1, 2)
    }
    assert chances == pytest.approx({1: 0.95, 2: 0.05})


def test_d3_the_articles_level_ends_at_1024() -> None:
    level = find_level(ARTICLE).level
    assert (level.goal, level.ends) == (1024, True)
    assert not Game2048(level).legal_actions((10, 1, *(0,) * 14))


@pytest.mark.parametrize(
    ("board", "first", "last"),
    [
        ((0, 2, 0, 0, 2, 3, 2, 0, 0, 2, 2, 1, 0, 0, 1, 3), 0, 3),
        ((2, 1, 1, 3, 1, 0, 0, 2, 1, 0, 1, 1, 3, 2, 1, 1), 0, 3),
    ],
)
def test_d4_of_equal_moves_the_last_one_is_played(board: tuple[int, ...], first: int, last: int) -> None:
    """Boards that are their own mirror image in the diagonal: up and left are worth as much, and most."""
    puzzle = Seeded2048(Level())
    game = puzzle.game
    values = {
        action: finish(summed(game, game.afterstate(board, action)[0], 1, Meter(Budget())))
        for action in game.legal_actions(board)
    }
    assert [action for action in values if values[action] == max(values.values())] == [first, last]
    assert finish(ArticlePlayer(summed, 1, puzzle).choose_readably(Turn(board, 0, 0))) == last
    assert finish(player("article", puzzle).choose(Turn(board, 0, 0))) == last


def test_d4_the_best_move_is_played_wherever_it_stands() -> None:
    """Among equals the last, else the greatest; each of the four directions comes to be chosen."""
    game = Game2048(Level())
    for wanted in range(4):

        def only(_: Game2048, after: State, *rest: object, wanted: int = wanted) -> float:
            return float(after == game.afterstate(BUSY, wanted)[0])

        chosen = ArticlePlayer(only, 1, Seeded2048(Level()))
        assert finish(chosen.choose_readably(Turn(BUSY, 0, 0))) == wanted

    def alike(*_: object) -> float:
        return 1.0

    level = ArticlePlayer(alike, 1, Seeded2048(Level()))
    assert finish(level.choose_readably(Turn(BUSY, 0, 0))) == 3


def test_d5_a_value_is_the_sum_over_cells_tiles_and_moves() -> None:
    game, after = Game2048(Level(rows=2, columns=2)), (2, 1, 1, 0)
    expected = sum(
        weight * evaluate(game.afterstate(board, action)[0], 2, 2)
        for weight, tile in ((0.95, 1), (0.05, 2))
        for board in [(*after[:3], tile)]
        for action in game.legal_actions(board)
    )
    assert finish(summed(game, after, 1, Meter(Budget()))) == pytest.approx(expected)


def test_d6_depths_1_and_2_can_be_set() -> None:
    puzzle = Seeded2048(find_level(ARTICLE).level)
    full = (
        (1, 6, 3, 3, 4, 1, 2, 1, 5, 1, 6, 3, 2, 0, 3, 6),
        (6, 3, 3, 5, 1, 2, 4, 5, 6, 5, 5, 2, 0, 3, 5, 4),
    )
    boards = [Turn(board, 0, 0) for board in ((5, 4, 3, 1, 2, 1, *(0,) * 10), *full)]
    chosen: list[list[int]] = []
    for depth in (1, 2):
        made = player("article", puzzle, depth=depth)
        expected = ArticlePlayer(summed, depth, puzzle)
        chosen.append([finish(expected.choose_readably(board)) for board in boards])
        assert [finish(made.choose(board)) for board in boards] == chosen[-1]
    assert all(one != two for one, two in list(zip(*chosen, strict=True))[1:]), "they differ on full boards"
    (param,) = settings_of(GAME.players["article"])
    assert (param.name, param.default, param.minimum, param.maximum) == ("depth", 1, 1, 3)
    refused = run("watch", ARTICLE, "--by", "article", "--with", "depth=4")
    assert (refused.exit_code, "depth: from 1 to 3, not 4" in refused.stderr) == (2, True)


def test_d7_the_features_add_up() -> None:
    board = (3, 2, 1, 0, *(0,) * 12)
    order = monotonicity = 8 * 4 + 4 * 3 + 2 * 2
    assert evaluate(board, 4, 4) == order + 10 * 8 + monotonicity + 10 * 13 + 8


def test_d8_about_half_of_the_games_make_1024_at_depth_1() -> None:
    made = sum(article_games.play(True, 1, 5, 10, seed).largest == 10 for seed in range(60))
    assert 20 <= made <= 48, "57 % are known; 4 standard errors"


def test_d9_compare_says_in_how_many_games_the_goal_was_made() -> None:
    by = "article(depth=1),article(depth=2),random"
    first, second, third = json.loads(run("compare", ARTICLE, "--by", by, "--games", "4", "--json").stdout)
    assert [row["name"] for row in (first, second, third)] == ["article", "article(depth=2)", "random"]
    assert [row["settings"] for row in (first, second, third)] == [{"depth": 1}, {"depth": 2}, {}]
    assert 0 < first["won"] + second["won"] <= 8
    assert third["won"] == 0
    for row in (first, second):
        assert row["win_rate"] == row["won"] / 4
        assert 0 <= row["ci_low"] <= row["win_rate"] <= row["ci_high"] <= 1
        assert row["won"] + row["lost"] + row["undecided"] == 4
        assert row["score_low"] < row["mean_score"] < row["score_high"], "each game has dice of its own"
    text = run("compare", ARTICLE, "--by", "article", "--games", "2").stdout
    assert "goal made" in text
    assert "95 % interval" in text


def test_d9_each_game_has_dice_of_its_own() -> None:
    level = find_level(ARTICLE).level
    lines = [
        whole_game(puzzle, player("article", puzzle))
        for puzzle in (Seeded2048(GAME.with_dice(level, seed)) for seed in (1, 2))
    ]
    assert lines[0] != lines[1]
    for name in ("tetris", "2048"):
        game = load_game(name)
        assert isinstance(game, RollsDice)
        assert game.with_dice(finish(game.generate(game.params_type(), 1)), 5).dice == 5


def test_d9_watch_says_whether_the_goal_was_made() -> None:
    watched = json.loads(run("watch", ARTICLE, "--by", "article", "--with", "depth=2", "--json").stdout)
    assert (watched["by"], watched["settings"]) == ("article(depth=2)", {"depth": 2})
    puzzle = Seeded2048(find_level(ARTICLE).level)
    made = max(replay(puzzle, watched["actions"]).state) >= 10
    assert watched["reached"] is made
    text = run("watch", ARTICLE, "--by", "article", "--with", "depth=2").stdout
    assert ("the goal was made" if made else "the goal was not made") in text


def test_d11_the_mean_of_the_best_moves_does_better() -> None:
    made = [
        sum(article_games.play(sums, 1, 5, 10, seed).largest == 10 for seed in range(100))
        for sums in (True, False)
    ]
    assert made[1] > made[0]


def test_d12_a_game_has_a_score() -> None:
    """The sum of the tiles that merging made. A tile of 2 ** k costs (k - 1) 2 ** k to make of twos, and less
    the 4 of each four that came by itself; how many came, the sum of all tiles tells."""
    puzzle = Seeded2048(find_level(ARTICLE).level)
    line = whole_game(puzzle, player("article", puzzle))
    assert line is not None
    end = replay(puzzle, line)
    tiles = [exponent for exponent in end.state if exponent]
    fours = sum(1 << exponent for exponent in tiles) // 2 - (len(line) + 2)
    assert end.score == sum((exponent - 1) << exponent for exponent in tiles) - 4 * fours


def test_d10_a_game_of_depth_2_comes_to_its_end() -> None:
    """How long a move takes is for `winnable bench 2048-article-table`."""
    puzzle = Seeded2048(find_level(ARTICLE).level)
    played = whole_game(puzzle, player("article", puzzle, depth=2))
    end = replay(puzzle, played)
    assert len(played) > 50
    assert not puzzle.legal_actions(end)
    last = (3, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 5, 6, 7, 8)
    for depth in (1, 2):
        chosen = finish(player("article", Seeded2048(Level()), depth=depth).choose(Turn(last, 0, 0)))
        assert chosen == LEFT, "a last move is made though nothing may follow it"


def test_d13_on_the_articles_level_its_player_is_the_default() -> None:
    """Whoever names nobody, for a hint or to watch, gets it."""
    assert GAME.default_player(find_level(ARTICLE).level) == "article"
    assert GAME.default_player(Level()) == next(iter(GAME.players)) != "article"
    watched = json.loads(run("watch", ARTICLE, "--json").stdout)
    assert watched["by"] == "article"
    puzzle = Seeded2048(find_level(ARTICLE).level)
    assert watched["actions"] == whole_game(puzzle, player("article", puzzle))
