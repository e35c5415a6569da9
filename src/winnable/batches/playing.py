"""Games of players and solvers side by side as a batch, see `comparing`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from winnable.batches.requests import LevelGiven, Play
from winnable.comparing import Row
from winnable.contract.guests import place_of
from winnable.levels.identity import Identity
from winnable.tuning import tuned


class Game(NamedTuple):
    """A game that is to be played, and the row that it counts in."""

    row: Row
    request: Play


def games(rows: Sequence[Row], seconds: float, here: bool) -> Iterator[Game]:
    """A game of each row, then the next of each, in the order of `comparing.play_rounds`. here: all are
    played in this process. Raises WinnableError where that of another cannot find what a row is played by."""
    known: dict[int, tuple[str, tuned.Weights | None]] = {}
    for row in rows:
        place = place_of(row.ground.first.game.name, row.by.name, must=not here)
        known[id(row)] = place, tuned.at_hand(row.by.name)
    for number in range(max(row.games for row in rows)):
        for row in rows:
            if number < row.games:
                yield Game(row, _request(row, number, seconds, *known[id(row)]))


def _request(row: Row, number: int, seconds: float, place: str, weights: tuned.Weights | None) -> Play:
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
