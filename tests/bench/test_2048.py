"""The benchmarks of 2048, small."""

from math import isnan
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bench.game2048 import article_table as game2048_article_table
from bench.game2048 import library as game2048_library
from bench.game2048 import peers as game2048_peers
from bench.game2048 import speed as game2048_speed
from bench.game2048 import strength as game2048_strength
from bench.game2048 import tiles as game2048_tiles
from bench.game2048 import training as game2048_training
from bench.game2048.strength import Game
from winnable.contract.chance import Turn
from winnable.contract.core import WinnableError
from winnable.games.game2048.players.by_name import PLAYERS
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import DOWN, Seeded2048, State


def test_article_table() -> None:
    rows = list(game2048_article_table.rows(games=2, seed=1))
    assert len(rows) == 16
    shares = [row for row in rows if "games that make" in row.name]
    assert all(row.n == 2 and 0 <= row.value <= 1 for row in shares)
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


def test_strength_is_of_whole_games() -> None:
    game = game2048_strength.play_on(PLAYERS["random"], game2048_strength.begin(3))
    assert game.over
    assert 4 <= max(game.cells) <= 9
    assert game.moves > 20
    assert game.score > 100
    assert 0 < game.seconds < 60


def test_strength_in_slices_plays_the_same_game() -> None:
    make = PLAYERS["article"]
    whole = game2048_strength.play_on(make, game2048_strength.begin(3))
    game = game2048_strength.begin(3)
    for _ in range(10):
        before, game = game, game2048_strength.play_on(make, game, seconds=1e-9)
        assert game.moves > before.moves
        assert not game.over
    game = game2048_strength.play_on(make, game)
    assert (game.cells, game.score, game.moves) == (whole.cells, whole.score, whole.moves)


def test_games_may_end_with_a_tile() -> None:
    make = PLAYERS["article"]
    game = game2048_strength.play_on(make, game2048_strength.begin(3), last=6)
    assert game.over
    assert max(game.cells) == 6
    assert not game2048_strength.play_on(make, game2048_strength.begin(3), 1e-9, last=6).over
    assert game2048_strength.play_on(make, game).moves > game.moves


def test_tiles_made_in_the_games_that_are_over() -> None:
    path = game2048_tiles.games_to_the_last().path
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = (1, 2) * 7 + (3,)
    largest = enumerate((12, 11, 9, 12))
    over = {seed: Game(seed, (*cells, top), 100, 10, 0.01, over=True) for seed, top in largest}
    path.write_bytes(msgspec.json.encode(over))
    told = list[int]()
    made = list(game2048_tiles.rows(4, 0, lambda done, whole: told.append(whole)))
    assert [(row.value, row.n, row.reference) for row in made] == [(0.75, 4, 1.0), (0.5, 4, 0.99)]
    assert all("search-1ms" in row.name for row in made)
    assert list(game2048_tiles.rows(0)) == []


class LibraryOfOne:
    """Says the legal move of the least number, in the order of such libraries."""

    def __init__(self, puzzle: Seeded2048) -> None:
        self.puzzle, self.seen = puzzle, list[int]()
        self.answer: int | None = None

    def loaded(self, _: Path) -> Any:
        return self

    def find_best_move(self, board: int) -> int:
        self.seen.append(board)
        if self.answer is not None:
            return self.answer
        cells = tuple(board >> 4 * cell & 15 for cell in range(16))
        legal = self.puzzle.legal_actions(Turn(cells, 0, 0))
        return min(game2048_library.MOVES.index(action) for action in legal) if legal else -1


def test_a_librarys_player(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "player.so"
    path.touch()
    puzzle = Seeded2048(Level(dice=5))
    fake = LibraryOfOne(puzzle)
    monkeypatch.setenv(game2048_library.VARIABLE, str(path))
    monkeypatch.setattr(game2048_library, "_loaded", fake.loaded)
    game = game2048_strength.play_on(game2048_library.Library, game2048_strength.begin(5))
    assert game.over
    assert len(fake.seen) == game.moves
    cells: State = (1, 0, 0, 2) + (0,) * 12
    state = Turn[State](cells, 0, 0)
    assert game2048_library.Library(puzzle).choose(state) == DOWN
    assert fake.seen[-1] == 0x2001
    fake.answer = 0
    with pytest.raises(WinnableError, match=r"find_best_move.* answers 0: illegal"):
        game2048_library.Library(puzzle).choose(state)


def test_a_librarys_player_needs_a_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(game2048_library.VARIABLE, raising=False)
    with pytest.raises(WinnableError, match="must name a shared library"):
        next(game2048_library.rows(1))
    monkeypatch.setenv(game2048_library.VARIABLE, str(tmp_path / "none.so"))
    with pytest.raises(WinnableError, match="there is no file"):
        next(game2048_library.rows(1))
    broken = tmp_path / "broken.so"
    broken.write_text("no library")
    monkeypatch.setenv(game2048_library.VARIABLE, str(broken))
    with pytest.raises(WinnableError, match=game2048_library.VARIABLE):
        game2048_library.Library(Seeded2048(Level()))


def test_training_beside_another_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(game2048_training, "NETWORKS", {"0123": "theirs"})
    monkeypatch.setattr(game2048_training, "THOUSANDS", 1)
    monkeypatch.delenv(game2048_training.VARIABLE, raising=False)
    alone = list(game2048_training.rows(1))
    assert [row.name for row in alone] == ["0123, winnable", "0123, winnable: score"]
    program = tmp_path / "rival"
    program.write_text(
        "#!/bin/sh\nfor i in `seq 2000`; do true; done\n"
        "echo '001/001 500ms 2000000.00ops'; echo 'local:  avg=4321 max=1 tile=1 win=0.00%'\n"
    )
    program.chmod(0o700)
    monkeypatch.setenv(game2048_training.VARIABLE, str(program))
    rows = {row.name: row.value for row in game2048_training.rows(1)}
    assert rows["0123, TDL2048+: score"] == 4321
    assert rows["0123, winnable: score"] == alone[1].value
    assert rows["0123: times TDL2048+"] == pytest.approx(rows["0123, winnable"] / rows["0123, TDL2048+"])
    program.write_text("#!/bin/sh\necho nothing\n")
    with pytest.raises(WinnableError, match="does not say"):
        list(game2048_training.rows(1))
    program.write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(WinnableError, match="exit status 3"):
        list(game2048_training.rows(1))
