"""The benchmarks of 2048, small."""

from math import isnan

import pytest

from winnable.benchmarks import game2048_peers, game2048_seed_table, game2048_speed


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
