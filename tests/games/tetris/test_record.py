"""The benchmark of our own controller: whole games that go on where they were left."""

from pathlib import Path

import pytest

from winnable.benchmarks import tetris_record
from winnable.benchmarks.tetris_record import Game, load, play_out, rows
from winnable.core import WinnableError

WEAK = {"landing_height": -1.0, "holes": -1.0, "highest*danger": -2.0}


def test_games_are_played_to_their_end_wherever_they_stop_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = play_out(tmp_path / "whole.json", WEAK, 3, 5)
    assert all(game.over and game.pieces > game.lines > 0 for game in whole)
    assert len({game.pieces for game in whole}) == 3

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tetris_record, "SLICE", max(game.pieces for game in whole) // 3)
    path = tmp_path / "parts.json"
    with pytest.raises(KeyboardInterrupt):
        play_out(path, WEAK, 3, 5, stop)
    begun = load(path, 3, 5)
    assert any(game.pieces for game in begun)
    assert not all(game.over for game in begun)
    assert play_out(path, WEAK, 3, 5) == whole
    assert load(path, 3, 5) == whole


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.json"
    for content, error in ((b"[1]", "games.json"), (b"[]", "0 games instead of 2")):
        path.write_bytes(content)
        with pytest.raises(WinnableError, match=error):
            load(path, 2, 0)
    assert load(tmp_path / "none.json", 2, 0)[0].pieces == 0


def test_the_rows_say_how_the_games_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tetris_record, "MOST_PIECES", 200_000)
    monkeypatch.setattr(tetris_record, "BASE_PIECES", 5000)
    games = [Game([1], [], 1000, 400, True), Game([2], [], 3000, 1200, False)]

    def done(*_: object) -> list[Game]:
        return games

    monkeypatch.setattr(tetris_record, "data_folder", lambda: tmp_path)
    monkeypatch.setattr(tetris_record, "play_out", done)
    *judged, lines, over, pieces = rows(games=2, seed=1, runs=2)
    assert [row.name.split(":")[0] for row in judged] == ["dt-20", "wary"]
    assert lines.value == 1600
    assert lines.ci_low is not None
    assert lines.ci_high is not None
    assert lines.ci_low < 1600 < lines.ci_high
    assert (over.value, pieces.value) == (1, pytest.approx(4e-6))
