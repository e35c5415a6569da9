"""Games whose new tiles are chosen, too: the ceiling against brute force, and games that get there."""

import runpy
from functools import cache
from pathlib import Path

import pytest

from bench.game2048.perfect import as_document, found, rows
from bench.game2048.perfect_game import Spawn, Turn, ceiling, perfect_game, score
from tests.fresh_python import printed_either_way
from winnable.contract.core import IllegalAction
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, State

ROOT = Path(__file__).parents[2]
CHECK = runpy.run_path(str(ROOT / "examples" / "perfect_2048.py"))


def most_by_brute_force(rows: int, columns: int) -> int:
    """Over all moves and all new tiles, by the readable rules."""
    rules = Game2048(Level(rows=rows, columns=columns))

    @cache
    def most(state: State) -> int:
        best = 0
        for action in rules.legal_actions(state):
            after, reward = rules.afterstate(state, action)
            best = max(best, reward + max(most(following) for _, following in rules.outcomes(after)))
        return best

    empty = (0,) * (rows * columns)
    first = [following for _, following in rules.outcomes(empty)]
    return max(most(following) for one in first for _, following in rules.outcomes(one))


def test_the_ceiling_is_the_most_there_is_on_the_smallest_board() -> None:
    assert most_by_brute_force(2, 2) == ceiling(4) == 180


def test_the_ceiling_of_the_original_board_is_the_published_one() -> None:
    assert ceiling(16) == 3_932_100


@pytest.mark.parametrize(("height", "width"), [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5)])
def test_a_beam_gets_to_the_ceiling(height: int, width: int) -> None:
    game = perfect_game(height, width)
    assert score(game) == ceiling(height * width)
    assert sum(turn.spawn.exponent == 2 for turn in game.turns) == height * width


def test_a_narrow_beam_falls_short_and_still_plays_by_the_rules() -> None:
    assert 0 < score(perfect_game(3, 3, width=1)) < ceiling(9)


def test_kernels_find_the_same_game_as_plain_python() -> None:
    script = "from bench.game2048.perfect_game import perfect_game; print(perfect_game(2, 3, width=20))"
    assert "exponent=2" in printed_either_way(script)


def test_larger_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="17 cells: more than 16"):
        perfect_game(17, 1)


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        (Turn(0, Spawn(3, 1)), "action 0 cannot be played"),
        (Turn(2, Spawn(3, 1)), "cannot appear in cell 3"),
        (Turn(2, Spawn(0, 3)), "tile 3 cannot appear"),
    ],
)
def test_the_rules_refuse_other_turns(turn: Turn, message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        score(perfect_game(2, 2)._replace(turns=[turn]))


def test_the_example_checks_what_the_benchmark_found() -> None:
    shipped = (ROOT / "docs" / "2048-perfect-game.txt").read_text("ascii")
    board, points, turns = CHECK["played"](shipped)
    assert (points, turns) == (ceiling(16), 131_052)
    assert sorted(board) == [2**exponent for exponent in range(2, 18)]
    with pytest.raises(ValueError, match="turn 1: nothing moves"):
        CHECK["played"]("01u0")
    with pytest.raises(ValueError, match="turn 1: 'x' is no move"):
        CHECK["played"]("01x0")
    with pytest.raises(ValueError, match="cell 0 is not empty"):
        CHECK["played"]("01\nl0")


def test_the_benchmark_adds_up_the_score_of_small_boards() -> None:
    measured = {row.name: row for row in rows(games=4)}
    assert measured["3 × 3: score"].value == measured["3 × 3: score"].reference == 16_352
    assert measured["3 × 3: 4s"].value == 9


def test_the_document_is_read_by_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.game2048.perfect.LARGEST", (3, 3))
    text = as_document([])
    assert text.splitlines()[0] == "# 2048 on 3 x 3: 16,352 points. No game has more than 16,352."
    signs = "".join(line for line in text.splitlines() if not line.startswith("#"))
    assert len(signs) == 2 + 2 * len(found(3, 3).turns)
