"""What an environment pays for an action, by name or by a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, cast

from winnable.contract.arguments import number, of_kind
from winnable.contract.chance import Seeded
from winnable.contract.core import Action, Aimed, Completed, Puzzle, WinnableError

RewardName: TypeAlias = Literal["score", "win", "completion"]
"""score:      what the game counts: points of 2048, lines of tetris
win:        1 for the action that reaches the goal (in 2048: a level's tile, once)
completion: how much more of the level is done: over a won game it adds up to 1
"""
Reward: TypeAlias = Callable[[Puzzle, Any, Action, Any], float]
"""(puzzle, state, action, the state after it) -> the reward."""


def penalty_of(illegal: float | Literal["raise"]) -> float | None:
    """Reads the penalty of an illegal action; None: what is not legal is refused. Raises WinnableError."""
    if not isinstance(illegal, str):
        return number("illegal", illegal, -1e38, 1e38)
    if illegal != "raise":
        raise WinnableError("env.illegal", field="illegal", given=illegal)
    return None


def name_of(puzzle: Puzzle, name: str | None) -> str:
    """Finds the name of a reward; for None, the score where the game has one, else whether it is won. Raises
    WinnableError for a name that this level has not."""
    known = _known(puzzle)
    if name is not None and of_kind("reward", name, str) not in known:
        raise WinnableError("reward.unknown", field="reward", given=name, known=list(known))
    return name or next(iter(known))


def reward_of(puzzle: Puzzle, name: str | None) -> Reward:
    """The reward of a step, by its name. Raises likewise."""
    return _known(puzzle)[name_of(puzzle, name)]


def _known(puzzle: Puzzle) -> dict[str, Reward]:
    known: dict[str, Reward] = {}
    if isinstance(puzzle, Seeded):
        known["score"] = _score
    if not isinstance(puzzle, Seeded) or (isinstance(puzzle, Aimed) and _can_be_reached(puzzle)):
        known["win"] = _win
    if isinstance(puzzle, Completed):
        known["completion"] = _completion
    return known


def _can_be_reached(puzzle: Any) -> bool:
    return puzzle.reached(puzzle.initial()) is not None


def _score(puzzle: Any, state: Any, action: Action, after: Any) -> float:
    return float(after.score - state.score)


def _win(puzzle: Any, state: Any, action: Action, after: Any) -> float:
    if isinstance(puzzle, Seeded):
        aimed = cast("Aimed", puzzle)
        return float(bool(aimed.reached(after)) and not aimed.reached(state))
    return float(puzzle.is_goal(after))


def _completion(puzzle: Any, state: Any, action: Action, after: Any) -> float:
    return puzzle.completion(after) - puzzle.completion(state)
