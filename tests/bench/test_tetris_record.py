"""The benchmark of our own controller: whole games that go on where they were left."""

import os
from pathlib import Path

import pytest

from bench.kept_games import KeptGames
from bench.tetris import record as tetris_record
from bench.tetris.record import Game, rows, whole_games

WEAK = {"landing_height": -1.0, "holes": -1.0, "highest*danger": -2.0}


def test_games_are_played_to_their_end_wherever_they_stop_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = range(5, 8)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)  # each worker takes a second to start
    monkeypatch.setenv("WINNABLE_DATA", str(tmp_path / "whole"))
    whole = whole_games(WEAK).play_out(seeds)
    assert all(game.over and game.pieces > game.lines > 0 for game in whole)
    assert len({game.pieces for game in whole}) == 3

    def stop(over: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tetris_record, "SLICE", max(game.pieces for game in whole) // 3)
    monkeypatch.setenv("WINNABLE_DATA", str(tmp_path / "parts"))
    games = whole_games(WEAK)
    with pytest.raises(KeyboardInterrupt):
        games.play_out(seeds, stop)
    begun = games.as_they_stand(seeds)
    assert any(game.pieces for game in begun)
    assert not all(game.over for game in begun)
    assert games.play_out(seeds) == whole
    assert games.as_they_stand(seeds) == whole
    assert games.as_they_stand(seeds[:2]) == whole[:2]


def test_the_rows_say_how_the_games_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tetris_record, "MOST_PIECES", 200_000)
    monkeypatch.setattr(tetris_record, "BASE_PIECES", 5000)
    games = [Game([1], [], 1000, 400, True), Game([2], [], 3000, 1200, False)]

    def done(*_: object) -> list[Game]:
        return games

    monkeypatch.setattr(KeptGames, "play_out", done)
    *judged, lines, over, pieces = rows(games=2, seed=1, runs=2)
    assert [row.name.split(":")[0] for row in judged] == ["dt-20", "wary"]
    assert lines.value == 1600
    assert lines.ci_low is not None
    assert lines.ci_high is not None
    assert lines.ci_low < 1600 < lines.ci_high
    assert (over.value, pieces.value) == (1, pytest.approx(4e-6))
