"""Games of players and solvers side by side as a batch, see `comparing`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from winnable.batches.requests import LevelGiven, Request
from winnable.comparing import Played, Row, play
from winnable.contract.core import Budget, Search
from winnable.contract.guests import bring, place_of
from winnable.contract.methods import choose_method, parse_method
from winnable.contract.registry import load_game
from winnable.levels.find import made_level
from winnable.levels.identity import MAKING_SECONDS, Identity, parse_identity
from winnable.tuning import tuned
from winnable.tuning.tuned import Weights


class Play(Request, frozen=True, kw_only=True):
    """One game of a player or a solver, see `comparing.play`.

    level:   or the identity of one that is still to be made
    weights: that `by` names, where these are not the game's own
    guest:   where to find what `by` names, where that is not ours
    """

    level: LevelGiven | str
    by: str
    seed: int
    seconds: float
    weights: Weights | None = None
    guest: str = ""

    def answer(self, whole: Budget) -> Search[Played | None]:
        game = load_game(self.game)
        bring(game.name, parse_method(self.by).name, self.guest)
        if isinstance(self.level, str):
            named = yield from made_level(parse_identity(self.level), whole.part(most=MAKING_SECONDS))
        else:
            named = self.level.named()

        def find(text: str) -> Weights | None:
            return self.weights

        by = choose_method("by", tuned.methods(game, find), self.by, game.name)
        is_solver = by.name in tuned.solvers(game, find)
        return (yield from play(whole, named, by, self.seed, self.seconds, is_solver))


class Game(NamedTuple):
    """A game that is to be played, and the row that it counts in."""

    row: Row
    request: Play


def games(rows: Sequence[Row], seconds: float, here: bool) -> Iterator[Game]:
    """A game of each row, then the next of each, in the order of `comparing.play_rounds`. here: all are
    played in this process. Raises WinnableError where that of another cannot find what a row is played by."""
    known: dict[int, tuple[str, Weights | None]] = {}
    for row in rows:
        place = place_of(row.ground.first.game.name, row.by.name, must=not here)
        known[id(row)] = place, tuned.at_hand(row.by.name)
    for number in range(max(row.games for row in rows)):
        for row in rows:
            if number < row.games:
                yield Game(row, _request(row, number, seconds, *known[id(row)]))


def _request(row: Row, number: int, seconds: float, place: str, weights: Weights | None) -> Play:
    seed, one = row.seed + number, row.ground
    level = one.level_of(seed)
    return Play(
        game=one.first.game.name,
        level=str(level) if isinstance(level, Identity) else LevelGiven.of(level),
        by=row.by.label,
        seed=seed,
        seconds=seconds,
        weights=weights,
        guest=place,
    )
