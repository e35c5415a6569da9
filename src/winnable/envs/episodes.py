"""Which level each episode of an environment is played on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from winnable.contract.abilities import Arrays, GivesArrays, RollsDice
from winnable.contract.budget import Budget
from winnable.contract.core import MAX_SEED, LevelError, Puzzle, WinnableError
from winnable.contract.registry import load_game
from winnable.levels.files import NamedLevel, read_file
from winnable.levels.find import find_level_or_board, is_file, made_level
from winnable.levels.identity import MAKING_SECONDS, Identity, parse_params
from winnable.play.session import Session


class Episodes:
    """Of one game. A level that is given is played in each of them; in a game of chance with its dice from
    the episode's seed. Without one the seed makes it: it is `GAME:params#SEED`."""

    def __init__(self, game: str, level: str | Path | None, params: str) -> None:
        """level: what `winnable.load` takes; params: as in an identity, `rows=4,columns=4`. Raises
        WinnableError."""
        self.game = load_game(game)
        if not isinstance(self.game, GivesArrays):
            raise WinnableError("env.none", field="game", given=game)
        if level is not None and params:
            raise WinnableError("env.both", field="params")
        self.params = None if level is not None else parse_params(self.game, params)
        self._named = None if level is None else _found(str(level))
        if self._named is not None and self._named.game.name != game:
            raise LevelError("env.other", field="level", given=self._named.game.name, game=game)
        self.first: Puzzle[Any] = self.game.puzzle(self.level(0))
        """That of seed 0: it tells of how many actions and of which fields all are."""
        self.num_actions, self.fields = self.first.num_actions, self.arrays(self.first).fields

    def level(self, seed: int) -> Any:
        """Raises WinnableError."""
        if not 0 <= seed <= MAX_SEED:
            raise LevelError("params.range", field="seed", given=seed, low=0, high=MAX_SEED)
        if self._named is None:
            return made_level(Identity(self.game, self.params, seed), Budget(MAKING_SECONDS)).level
        level = self._named.level
        return self.game.with_dice(level, seed) if isinstance(self.game, RollsDice) else level

    def puzzle(self, seed: int) -> Puzzle[Any]:
        """Raises WinnableError, also where its arrays had other shapes than those before."""
        if self._named is not None and not isinstance(self.game, RollsDice):
            return self.first
        puzzle = self.game.puzzle(self.level(seed))
        if (puzzle.num_actions, self.arrays(puzzle).fields) != (self.num_actions, self.fields):
            raise WinnableError("env.shape", field="params", seed=seed)
        return puzzle

    def arrays(self, puzzle: Puzzle[Any]) -> Arrays:
        assert isinstance(self.game, GivesArrays)
        return self.game.arrays(puzzle)


def _found(text: str) -> NamedLevel:
    if is_file(text):
        session = Session.read(read_file(Path(text)), 0)
        return NamedLevel(session.game, session.level, session.level_id)
    return find_level_or_board(text, "", Budget(MAKING_SECONDS))
