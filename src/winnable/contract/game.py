"""What every game hands to the shells: one `Game` value, made in `games/<name>/game.py`. Its class also
inherits from what only some games can do (see abilities.py)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol

from winnable.contract.core import Budget, Found, Player, Progress, Puzzle
from winnable.contract.errors import GaveUp as GaveUp
from winnable.contract.generics import TypeVar

Level = TypeVar("Level", default=Any)
State = TypeVar("State", bound=Hashable, default=Any)
Made = TypeVar("Made", default=Any, covariant=True)


def keep_to(budget: Budget, tried: int = 0) -> Iterable[Progress]:
    """What makes levels asks this every few milliseconds: `yield from keep_to(budget)`, or a plain call where
    it is no generator. Raises GaveUp when the budget is over."""
    if budget.limit(tried) is not None:
        raise GaveUp("generate.late")
    return (Progress("making", tried, tried, budget.elapsed),)


class Generate(Protocol[Made]):
    """Makes levels, at once or by a search: always the same one for the same parameters and seed, whatever
    the budget. Raises LevelError for parameters that cannot be met, GaveUp (one of these) when the budget
    ends before; without one it goes on until it is done or a count of its own is reached."""

    def __call__(self, params: Any, seed: int, budget: Budget | None = None, /) -> Found[Made]: ...


@dataclass(frozen=True, slots=True)
class Comparison:
    """Methods side by side on the same games, as the game's article has them.

    levels: each for rows of its own: `GAME:key=value,...`, new ones by these parameters, or one that ships
    by:     players and solvers, `a(k=1)`
    games:  for each row; seconds: for each game; seed: of the first
    told:   (level, method) -> the article's own figures, by the fields of a `comparing.MethodScore`
    """

    levels: Sequence[str]
    by: Sequence[str]
    games: int
    seconds: float
    seed: int = 1
    told: Mapping[tuple[str, str], Mapping[str, float]] = field(default_factory=dict[Any, Any])


@dataclass(frozen=True)
class Game(Generic[Level, State]):
    """Everything that a shell needs of a game; levels and states are opaque to the shells, for which a `Game`
    is one of any levels and states.

    level_type:  msgspec struct, the schema of level files (tag field `format`)
    params_type: msgspec struct with a default for each field: what the generator takes
    puzzle:      level -> rules. Raises LevelError for a level that breaks a rule which the schema cannot say.
    generate:    see `Generate`
    daily:       the parameters of the daily level, whose seed is the date as yyyymmdd
    parse_board / format_board: the game's one-line text notation of a level
    render:      what `observe` shows, as plain text for a terminal
    svg:         the same as a picture
    facts:       (level, budget) -> figures for `check`, each with its name: {"tiles": 360, ...}; fewer where
                 the budget ends before
    players:     name -> (puzzle, seed) -> player; the first one is the default. Others may raise
                 WinnableError for levels that they cannot play
    levels:      folder of the levels that ship with the game, one JSON file each
    cover:       the board on the game's card: a shipped level's name, or a board in the text notation
    article:     what the game began with, where that was an article: a shipped level's name (then all of its
                 series are), or an identity without its seed, of which each seed is one; "": there was none
    kernels:     parts that are compiled, what the lamp needs first -> runs each kernel of the part. What that
                 compiles is listed in `kernels.json` (see kernel_lists.py)
    """

    name: str
    level_type: type[Level]
    params_type: type[Any]
    puzzle: Callable[[Level], Puzzle[State]]
    generate: Generate[Level]
    daily: Any
    parse_board: Callable[[str], Level]
    format_board: Callable[[Level], str]
    render: Callable[[Any, State], str]
    svg: Callable[[Any, State], str]
    facts: Callable[[Level, Budget], dict[str, Any]]
    players: Mapping[str, Callable[[Any, int], Player[State]]]
    levels: Path
    cover: str
    kernels: Mapping[str, Callable[[], None]]
    article: str = ""

    comparisons: ClassVar[Mapping[str, Comparison]] = {}
    """The tables in which its article sets methods beside each other. What such a table is called, and what
    the article says of it, are `comparison.GAME.NAME` and its `.about` in the game's words."""

    def default_player(self, level: Level) -> str:
        """Who plays the level, and gives hints on it where no solver does, when nobody is named: the first
        one, or the player of the one whom the level is named after."""
        return next(iter(self.players))

    def warm(self) -> None:
        """Compiles the kernels that `kernels` name, or loads them, in this process."""
        for compile in self.kernels.values():
            compile()
