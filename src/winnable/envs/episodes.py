"""Which level each episode of an environment is played on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from winnable.contract.abilities import Arrays, GivesArrays, RollsDice
from winnable.contract.arguments import several
from winnable.contract.budget import Budget, finish
from winnable.contract.core import LevelError, Puzzle, WinnableError
from winnable.contract.registry import load_game
from winnable.levels.files import NamedLevel
from winnable.levels.find import find_named, in_file, level_text, made_level
from winnable.levels.identity import MAKING_SECONDS, Identity, content_id, parse_params
from winnable.play.session import Session

Levels: TypeAlias = str | Path | Sequence[str | Path]
"""What `winnable.load` takes, or several."""


class Episodes:
    """Of one game. That of seed s is played on the level that is given, of several on the one at s modulo
    their number; in a game of chance with dice of that seed. Where none is given it is `GAME:params#s`."""

    def __init__(self, game: str, level: Levels | None, params: str | Mapping[str, Any]) -> None:
        """params: as in an identity, `rows=4,columns=4`, or a mapping. Raises WinnableError."""
        self.game = load_game(game)
        if not isinstance(self.game, GivesArrays):
            raise WinnableError("env.none", field="game", given=game)
        if level is not None and params:
            raise WinnableError("env.both", field="params")
        self.params = None if level is not None else parse_params(self.game, params)
        named = [level] if isinstance(level, str | Path) else several("level", level or ())
        self.given = [found for one in named for found in _found(one, game)]
        if level is not None and not self.given:
            raise WinnableError("env.empty", field="level")
        self.rolls = isinstance(self.game, RollsDice)
        self._puzzles: list[Puzzle] = []
        """Of the levels that are given, where they have no dice."""
        self.first = self.game.puzzle(self.level(0))
        self.num_actions, self.fields = self.first.num_actions, self.arrays(self.first).fields
        if not self.rolls:
            puzzles = map(self.game.puzzle, self.given)
            self._puzzles = [self._checked(puzzle, seed) for seed, puzzle in enumerate(puzzles)]

    def level(self, seed: int) -> Any:
        """seed: checked. Raises WinnableError."""
        if not self.given:
            return finish(made_level(Identity(self.game, self.params, seed), Budget(MAKING_SECONDS))).level
        level = self.given[seed % len(self.given)]
        return self.game.with_dice(level, seed) if isinstance(self.game, RollsDice) else level

    def puzzle(self, seed: int) -> Puzzle:
        """Raises WinnableError, also where its arrays had other shapes than those before."""
        if self._puzzles:
            return self._puzzles[seed % len(self._puzzles)]
        return self._checked(self.game.puzzle(self.level(seed)), seed)

    def _checked(self, puzzle: Puzzle, seed: int) -> Puzzle:
        if (puzzle.num_actions, self.arrays(puzzle).fields) != (self.num_actions, self.fields):
            raise WinnableError("env.shape", field="level", seed=seed)
        return puzzle

    def batch_puzzles(self) -> list[Puzzle]:
        """What a batch plays on. Raises WinnableError where levels differ in more than their dice."""
        if not self.rolls and not self._puzzles:
            raise WinnableError("env.batch.level", field="level")
        if not self.rolls:
            return self._puzzles
        first, second = self.level(0), self.level(1)
        assert isinstance(self.game, RollsDice)
        if content_id(self.game, self.game.with_dice(first, 1)) != content_id(self.game, second):
            raise WinnableError("env.batch.dice", field="level")
        return [self.first]

    def arrays(self, puzzle: Puzzle) -> Arrays:
        """What is shown of this puzzle's states, as arrays."""
        assert isinstance(self.game, GivesArrays)
        return self.game.arrays(puzzle)


def _found(level: object, game: str) -> Iterator[Any]:
    """The level, or those of a file of several. Raises WinnableError."""
    text = level_text(level)
    file = in_file(text)
    found: list[NamedLevel | Session] = (
        [find_named(text, 0, Budget(MAKING_SECONDS))]
        if file is None
        else [Session.read(content, 0) for content in file.levels()]
    )
    for one in found:
        if one.game.name != game:
            raise LevelError("env.other", field="level", given=one.game.name, game=game)
        yield one.level
