"""The benchmarks of 2048, small."""

from math import isnan
from pathlib import Path

import msgspec
import pytest

from winnable.benchmarks import (
    game2048_peers,
    game2048_seed_table,
    game2048_speed,
    game2048_strength,
)
from winnable.benchmarks.game2048_strength import Game
from winnable.core import WinnableError
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


def test_strength_goes_on_with_the_games_that_are_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, told = tmp_path / "kept.json", list[int]()

    def kept_at(name: str) -> Path:
        return path

    path.write_bytes(msgspec.json.encode({4: Game(100, 11, 10, 0.01), 5: Game(300, 12, 30, 0.05)}))
    monkeypatch.setattr(game2048_strength, "kept_at", kept_at)
    monkeypatch.setattr(game2048_strength, "TIMES", {"search-1ms": 1})
    reached, *_, score, move = game2048_strength.rows(2, 4, lambda done, whole: told.append(done))
    assert (reached.value, score.value, score.n) == (1.0, 200.0, 2)
    assert move.value == pytest.approx(1.5)
    path.write_bytes(b"[]")
    with pytest.raises(WinnableError, match=r"kept\.json"):
        list(game2048_strength.rows(2, 4))


def test_strength_is_of_whole_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game2048_strength.PLAYERS, "search-1ms", PLAYERS["random"])
    game = game2048_strength.play("search-1ms", 3)
    assert 4 <= game.largest <= 9
    assert game.moves > 20
    assert game.score > 100
    assert 0 < game.seconds < 60
