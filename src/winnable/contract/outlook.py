"""What a state promises where nothing is proved. Part of the contract of games of chance (`chance`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Values: TypeAlias = tuple[tuple[int, float], ...]
"""Legal actions, ascending, each with what it is worth."""


@dataclass(frozen=True, slots=True)
class GoalChance:
    """The chance to make the goal that a game of chance has on its way (see `core.Aimed`).

    share:     0 to 1; None: it was not found out in time, or, where `by` is named, is not known, as that
               player does not get so far
    low, high: its 95 % interval; None: it is exact
    games:     were played after each action; None likewise
    values:    for each legal action the chance with it
    by:        the game's player, by its name, whose chance it is
    """

    share: float | None = None
    low: float | None = None
    high: float | None = None
    games: int | None = None
    values: Values = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a game without a goal promises from some state on, in a good player's hands, or in those of `by`.

    score:     the reward that is still to come, in the mean; None: not known (yet)
    low, high: its 95 % interval; None where there is none
    risk:      the chance that the game ends before it is calm again, or `within` so many actions; None: not
               known
    values:    for each legal action the reward that is still to come, its own included, in the mean; of one
               measure, which need not be that of `score`, so that they compare; (): not known
    by:        the game's player, by its name, that all this is about; "": the one that the game's outlook is
               always about
    within:    `score`, `risk` and `values` are of so many actions from here on; None: of the whole rest
    risk_low, risk_high: its 95 % interval; None where there is none
    goal:      the chance to make the level's goal; None: it has none, or it is made
    """

    score: float | None = None
    low: float | None = None
    high: float | None = None
    risk: float | None = None
    values: Values = ()
    by: str = ""
    within: int | None = None
    risk_low: float | None = None
    risk_high: float | None = None
    goal: GoalChance | None = None

    @property
    def compared(self) -> Values:
        """By what actions are compared: chances to make the goal where these are known, else rewards."""
        return (self.goal and self.goal.values) or self.values

    @property
    def compared_by(self) -> str:
        """The player that these are about."""
        return self.goal.by if self.goal and self.goal.values else self.by
