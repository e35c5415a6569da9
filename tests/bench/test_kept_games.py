"""Long games of benchmarks, as they are kept."""

import pytest

from bench.kept_games import KeptGames
from bench.tetris.record import Game
from winnable.contract.core import WinnableError


def begin(seed: int) -> Game:
    return Game([seed], [])


def play_on(game: Game) -> Game:
    """Over after as many slices as its seed says."""
    return Game(game.dice, [], game.pieces + 1, over=game.pieces + 1 == game.dice[0])


def games_of(decided_by: str) -> KeptGames[Game]:
    return KeptGames("games", decided_by, Game, begin, play_on)


def test_games_are_kept_by_seed_and_by_what_decides_them() -> None:
    told: list[int] = []
    assert [game.pieces for game in games_of("a").play_out(range(1, 4), told.append)] == [1, 2, 3]
    assert (told[-1], len(told)) == (3, 6)
    told.clear()
    assert [game.pieces for game in games_of("a").play_out(range(2, 5), told.append)] == [2, 3, 4]
    assert len(told) == 4
    assert [game.pieces for game in games_of("a").as_they_stand([1, 4, 9])] == [1, 4, 0]
    assert [game.pieces for game in games_of("b").as_they_stand([1, 4])] == [0, 0]


def test_a_file_that_cannot_be_read_is_named() -> None:
    games = games_of("a")
    games.play_out([1])
    for content in (b"[1]", b'{"1": 2}', b""):
        games.path.write_bytes(content)
        with pytest.raises(WinnableError, match="games-"):
            games.as_they_stand([1])
