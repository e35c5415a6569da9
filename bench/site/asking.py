"""What winnable says of positions, in whatever Python this runs: the native one, or a browser's.

`python -m bench.site.asking QUESTIONS [FILE...]` prints the answers as JSON. The files are kernels that were
compiled ahead (GAME.so beside GAME.json).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from winnable.compiled import ahead
from winnable.contract import clock
from winnable.contract.abilities import Foresees, Solves
from winnable.contract.core import Budget, finish, replay
from winnable.levels.find import find_level

MEMORY_MB = 64
"""Of a search: what it always has in a browser."""


class Question(Struct, frozen=True, array_like=True):
    """A position of a level that ships, and how many nodes its search may expand. No clock ends it: what is
    said is the same everywhere."""

    level: str
    actions: list[int]
    nodes: int


class Told(Struct, frozen=True):
    """What is said of a position.

    same:    what is the same in whatever Python: the rules' word, verdict, lengths and bounds, or the outlook
             and the player's choice
    line:    that wins; another one may be as good
    seconds: that the search took
    """

    same: dict[str, Any]
    line: list[int]
    seconds: float


def ask(question: Question) -> Told:
    """Answers as the lamp and a hint would, with no clock."""
    game, level, puzzle = _puzzle(question.level)
    state = replay(puzzle, question.actions)
    same: dict[str, Any] = {"legal": [*map(int, puzzle.legal_actions(state))], "goal": puzzle.is_goal(state)}
    budget, began, line = Budget(expanded=question.nodes, memory_mb=MEMORY_MB), time.perf_counter(), []
    if isinstance(game, Solves):
        found = finish(next(iter(game.solvers.values()))(puzzle, state, budget, 0))
        line = [*map(int, found.actions)]
        same |= {"status": found.status, "length": len(line), "cost": found.cost, "optimal": found.optimal}
        same |= {"lower": found.lower_bound, "ended": found.limit and found.limit.kind}
    elif same["legal"]:
        player = game.players[game.default_player(level)](puzzle, 0)
        same |= {"score": state.score, "choice": int(finish(player.choose(state)))}
        if isinstance(game, Foresees):
            same["outlook"] = msgspec.to_builtins(finish(game.outlook(puzzle, state, budget, 0)))
    return Told(same, line, time.perf_counter() - began)


@cache
def _puzzle(level: str) -> tuple[Any, Any, Any]:
    found = find_level(level)
    return found.game, found.level, found.game.puzzle(found.level)


def load(files: Iterable[str]) -> None:
    """Uses these kernels."""
    for path in map(Path, files):
        if path.suffix == ".so":
            ahead.load(path, ahead.listed(path.with_suffix(".json").read_bytes()))


def main(questions: str, *files: str) -> None:
    """Prints what is said of each."""
    load(files)
    clock.stop()  # else what a slower Python has no time for would be other answers
    asked = msgspec.json.decode(Path(questions).read_bytes(), type=list[Question])
    print(msgspec.json.encode([*map(ask, asked)]).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
