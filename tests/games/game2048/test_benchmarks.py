"""The benchmarks of 2048, small."""

from math import isnan

import msgspec
import pytest

from winnable.benchmarks import (
    game2048_peers,
    game2048_seed_table,
    game2048_speed,
    game2048_strength,
)
from winnable.benchmarks.game2048_strength import Game
from winnable.games.game2048.players import PLAYERS


def test_seed_table() -> None:
    rows = list(game2048_seed_table.rows(games=3, seed=1))
    assert len(rows) == 16
    shares = [row for row in rows if "games that make" in row.name]
    assert all(row.n == 3 and 0 <= row.value <= 1 for row in shares)
    assert shares[0].reference == 0.5
    assert all(row.value > 1000 for row in rows if row.name.endswith("score"))


def test_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game2048_speed, "GAMES", 20)
    monkeypatch.setattr(game2048_speed, "READABLE_MOVES", 20)
    gone = {name: peer._replace(package="no_such_package") for name, peer in game2048_peers.PEERS.items()}
    monkeypatch.setattr(game2048_peers, "PEERS", gone)
    ours, times, *others = game2048_speed.rows(games=1, seed=1)
    assert ours.value > 0
    assert times.value > 1
    assert [row.name for row in others] == [f"{name}: not installed" for name in gone]
    assert all(isnan(row.value) for row in others)


def test_strength_goes_on_with_the_games_that_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[int]()
    monkeypatch.setattr(game2048_strength, "TIMES", {"search-1ms": 1})
    path = game2048_strength.whole_games("search-1ms").path
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = (11, *range(1, 6)) + (1, 2) * 5
    over = {
        4: Game(4, cells, 100, 10, 0.01, over=True),
        5: Game(5, (12, *cells[1:]), 300, 30, 0.05, over=True),
    }
    path.write_bytes(msgspec.json.encode(over))
    rows = list(game2048_strength.rows(2, 4, lambda done, whole: told.append(done)))
    shares, (score, move) = rows[:-2], rows[-2:]
    assert [row.value for row in shares] == [1.0, 0.5, 0, 0, 0, 0]
    assert (score.value, score.n) == (200.0, 2)
    assert move.value == pytest.approx(1.5)


def test_strength_is_of_whole_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game2048_strength.PLAYERS, "search-1ms", PLAYERS["random"])
    game = game2048_strength.play_on("search-1ms", 60.0, game2048_strength.begin(3))
    assert game.over
    assert 4 <= max(game.cells) <= 9
    assert game.moves > 20
    assert game.score > 100
    assert 0 < game.seconds < 60


def test_strength_in_slices_plays_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game2048_strength.PLAYERS, "search-1ms", PLAYERS["seed-1"])
    whole = game2048_strength.play_on("search-1ms", 60.0, game2048_strength.begin(3))
    game = game2048_strength.begin(3)
    for _ in range(10):
        before, game = game, game2048_strength.play_on("search-1ms", 1e-9, game)
        assert game.moves > before.moves
        assert not game.over
    game = game2048_strength.play_on("search-1ms", 60.0, game)
    assert (game.cells, game.score, game.moves) == (whole.cells, whole.score, whole.moves)
