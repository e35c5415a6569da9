"""What the tests of the command line share."""

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from click.testing import Result

from winnable.contract.core import Answer, Budget, Status

SMALL = "7:0@0.0,0@8.0,1@16.0/1@4.4,1@12.4/0@8.8"
LOST = "3:" + "/".join(f"{layer % 3}@0.0" for layer in range(9))
"""One pile: the first three clicks are of three kinds, but of three slots only two may rest."""

Run: TypeAlias = Callable[..., Result]


def encoded(level: Any) -> bytes:
    from winnable.levels.files import encode_level

    return encode_level(level)


def document(result: Result) -> Any:
    """stdout is one JSON document and nothing else."""
    return json.loads(result.stdout)


def one_error(result: Result, complaint: str = "") -> None:
    """Nothing on stdout; one line on stderr, of readable length, that names the cause."""
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("winnable: error: ")
    assert complaint in line
    assert len(line) < 600


def plain_solver(puzzle: Any, state: Any, budget: Budget, seed: int) -> Answer:
    """Depth first with memory, over the contract alone."""
    path: list[int] = []
    seen: set[Any] = set()
    counts = [0, 0]

    def won(state: Any) -> bool | None:
        """None: out of budget."""
        if puzzle.is_goal(state):
            return True
        if state in seen:
            return False
        seen.add(state)
        counts[0] += 1
        if budget.limit(counts[0]) is not None:
            return None
        for action in puzzle.legal_actions(state):
            counts[1] += 1
            path.append(action)
            answer = won(puzzle.apply(state, action))
            if answer is not False:
                return answer
            path.pop()
        return False

    answer = won(state)
    status: Status = "budget" if answer is None else "solved" if answer else "unsolvable"
    found = tuple(path) if answer else ()
    return Answer(
        status,
        found,
        cost=len(found) if found else None,
        expanded=counts[0],
        generated=counts[1],
        seconds=budget.elapsed,
    )
