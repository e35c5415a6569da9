"""What the page is told about games and kept sessions: parts of the messages in events.py."""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from winnable.analysis.verdicts import Verdict
from winnable.contract.params import Param
from winnable.play.session import Standing
from winnable.stats.difficulty import Rating
from winnable.web.messages import SetMethod


class LevelInfo(Struct, frozen=True):
    name: str
    """`triple/first-steps`: what `new` takes."""
    title: dict[str, str]
    series: str = ""
    """Of those that the game ships; its name in the catalogues is `series.GAME.SERIES`."""
    rating: Rating | None = None
    """How hard it is for a person; None: that cannot be told."""


class MethodInfo(Struct, frozen=True):
    """A player, a solver or a repair."""

    name: str
    settings: list[Param]
    """What it can be set to."""


class ArticleRun(Struct, frozen=True):
    """How an article tunes the weights that come from it."""

    optimizer: str
    settings: dict[str, int | float | str]


class ComparisonInfo(Struct, frozen=True):
    """A table of methods side by side, as an article has it (see `abilities.Comparison`)."""

    name: str
    levels: list[str]
    by: list[SetMethod]
    games: int
    seconds: float
    seed: int


class TunableInfo(Struct, frozen=True):
    """Weights that can be tuned."""

    name: str
    stage: str
    """The level on which what is made of them is seen at play."""
    live: str | None
    """The game's own page where it plays in real time: it reads `#by=run:ID`."""
    gain: str | None
    """What their loss is the negative of, `measure.GAIN` in the words; None: nothing that people count."""
    article: ArticleRun | None
    """None: they come from no article."""


class GameInfo(Struct, frozen=True):
    name: str
    title: dict[str, str]
    about: dict[str, str]
    params: list[Param]
    players: list[MethodInfo]
    solvers: list[MethodInfo]
    repairs: list[MethodInfo]
    formats: list[str]
    """Of other programs, that a game can be written in; their names in the catalogues are
    `format.GAME.FORMAT`."""
    tunables: list[TunableInfo]
    comparisons: list[ComparisonInfo]
    levels: list[LevelInfo]
    points: bool
    """Whether hints can say where to look."""
    explains: bool
    """Whether there is an `explain`."""
    weighs: bool
    """Whether, in a game without a goal, there is a `report` of what the actions cost."""
    pages: list[str]
    """Of its own, by their names (see `abilities.Pages`)."""
    article: str
    """What the game began with (see `Game.article`)."""


class CostInfo(Struct, frozen=True):
    """What an action cost."""

    ply: int
    """Of the state before it."""
    cost: float
    """So much more the best action is worth there; 0: none is better."""
    value: float
    """Of the best one: all that was still to come with it."""
    name: str
    """Of the action."""
    best: str
    """The name of the best one."""


class SessionInfo(Struct, frozen=True):
    """A kept game, newest first in lists."""

    session: str
    level_id: str
    day: date | None
    """Whose daily level it is."""
    ply: int
    standing: str
    updated: float
    """Seconds since 1970."""


class ForkInfo(Struct, frozen=True):
    """A point of the line after which other branches lead off."""

    ply: int
    at: int
    """Which of the branches the line takes, from 0 in the order in which they were made."""
    number: int
    """Of the branches."""


class BranchInfo(Struct, frozen=True):
    action: int
    """Its first one."""
    name: str
    """Of that action."""
    length: int
    """Actions from the fork to the end, along what was visited last."""
    here: bool
    """Whether the line takes it."""
    verdict: Verdict
    """What is known of the state after the first action."""
    standing: Standing
    """At the end."""
