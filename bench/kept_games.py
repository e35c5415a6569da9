"""Long games of a benchmark: played on worker processes, one for each processor, a slice of each at a time.
Where each stands is kept in the data folder after every slice, so that the next run goes on from there.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast

import msgspec

from winnable.contract.core import WinnableError
from winnable.levels.files import write_file
from winnable.store.database import data_folder
from winnable.workers.engines import Processes
from winnable.workers.executor import Evaluator


class Kept(Protocol):
    """A game as far as it is played."""

    @property
    def over(self) -> bool: ...


G = TypeVar("G", bound=Kept)


class KeptGames(Generic[G]):
    """Games by their seeds."""

    def __init__(
        self, name: str, decided_by: Any, kind: type[G], begin: Callable[[int], G], play_on: Callable[[G], G]
    ) -> None:
        """name:       of the benchmark
        decided_by: besides the seed, for JSON: games with another one are others
        kind:       of the games, a Struct
        begin:      a game by its seed
        play_on:    for some seconds, so long Ctrl-C waits; workers must be able to import it
        """
        self._kind, self._begin, self._play_on = kind, begin, play_on
        digest = hashlib.sha256(msgspec.json.encode(decided_by)).hexdigest()
        self.path = data_folder() / f"{name}-{digest[:16]}.json"

    def as_they_stand(self, seeds: Sequence[int]) -> list[G]:
        """Raises WinnableError for a file that cannot be read."""
        return list(self._games(self._load(), seeds).values())

    def play_out(self, seeds: Sequence[int], progress: Callable[[int], None] | None = None) -> list[G]:
        """All of them over; progress is told how many are, after each slice. Raises WinnableError."""
        kept = self._load()
        games = self._games(kept, seeds)
        waiting = [seed for seed, game in games.items() if not game.over]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with Evaluator(Processes(os.cpu_count() or 1)) as evaluator:
            while waiting or evaluator.outstanding:
                while waiting and evaluator.free:
                    seed = waiting.pop(0)
                    evaluator.submit(seed, self._play_on, games[seed])
                seed, game = cast("tuple[int, G]", next(evaluator))
                kept[seed] = games[seed] = game
                write_file(self.path, msgspec.json.encode(kept))
                if not game.over:
                    waiting.insert(0, seed)
                if progress is not None:
                    progress(sum(game.over for game in games.values()))
        return list(games.values())

    def played_until_stopped(
        self, seeds: Sequence[int], progress: Callable[[int], None] | None = None
    ) -> tuple[list[G], bool]:
        """As `play_out`, but Ctrl-C ends it: the games that are over, and whether it was ended so."""
        try:
            return self.play_out(seeds, progress), False
        except KeyboardInterrupt:
            return [game for game in self.as_they_stand(seeds) if game.over], True

    def _games(self, kept: Mapping[int, G], seeds: Sequence[int]) -> dict[int, G]:
        return {seed: kept.get(seed) or self._begin(seed) for seed in seeds}

    def _load(self) -> dict[int, G]:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=dict[int, self._kind])  # pyright: ignore
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError) as error:
            raise WinnableError(f"{self.path}: {error}") from None
