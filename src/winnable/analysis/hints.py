"""The ladder of hints: what is known of a state is told rung by rung, no more than was asked for."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from winnable.analysis.verdicts import Verdict
from winnable.contract.abilities import PointsOut
from winnable.contract.areas import Area
from winnable.contract.core import Action, Puzzle, action_name

if TYPE_CHECKING:
    from winnable.analysis import Companion
    from winnable.contract.game import Game

Rung: TypeAlias = Literal["verdict", "area", "action", "line"]
"""How much a hint tells: whether there is a way, where to look, the action, all of the line."""


class Hint(Struct, frozen=True):
    """One rung. `found` is false when no winning line is known: the game is lost, or the search ran out of
    time."""

    rung: Rung
    found: bool
    verdict: Verdict
    area: Area | None = None
    """Where to look, in a game that can say it; else the rung tells the action."""
    action: Action | None = None
    name: str = ""
    """The action's."""
    line: tuple[Action, ...] = ()
    names: tuple[str, ...] = ()
    """Those of the line's actions."""


def hint_of(
    game: Game, puzzle: Puzzle, companion: Companion, state: Hashable, rung: Rung, action: Action | None
) -> Hint:
    """Tells what the companion knows of the state. action: the next one of its line, or the choice of a
    player in its place; None: there is none."""
    verdict = companion.verdict(state)
    told = Hint(rung, action is not None or (rung == "verdict" and verdict == "winnable"), verdict)
    if action is None or rung == "verdict":
        return told
    if rung == "area" and isinstance(game, PointsOut):
        return replace(told, area=game.area(puzzle, state, action))
    if rung == "line" and (line := companion.line(state)) is not None:
        return replace(told, line=line, names=tuple(action_name(puzzle, one) for one in line))
    return replace(told, action=action, name=action_name(puzzle, action))
