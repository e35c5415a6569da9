"""What `play` can say about the state on the board: by the game's solver, or by a player where nothing can be
won."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from winnable.cli.output import counted
from winnable.core import Action, WinnableError


class Hint(NamedTuple):
    action: Action | None
    verdict: str
    """Also says why there is no action."""


class Adviser(Protocol):
    """Of the games on one level."""

    def verdict(self, state: Any) -> str: ...
    def hint(self, state: Any) -> Hint: ...


def adviser(session: Any, solver: str | None, seconds: float) -> Adviser:
    """Raises WinnableError for a solver that the game does not have."""
    from winnable.cli.levels import chosen

    game, puzzle = session.game, session.puzzle
    if not game.solvers and solver is None:
        return _ByPlayer(puzzle, *next(iter(game.players.items())))
    return _BySolver(puzzle, chosen("solver", game.solvers, solver, game)[1], seconds)


class _BySolver:
    def __init__(self, puzzle: Any, solver: Any, seconds: float) -> None:
        from winnable.analysis import Analyst

        self._analyst, self._solver, self._seconds = Analyst(puzzle, solver), solver, seconds

    def verdict(self, state: Any) -> str:
        """Asks the solver when the verdict is not known yet."""
        from winnable.cli.work import Work

        analyst = self._analyst
        if analyst.verdict(state) == "unknown":
            with Work("looking ahead") as work:
                analyst.learn(state, work.solve(self._solver, analyst.puzzle, state, self._seconds, 0))
        verdict, line = analyst.verdict(state), analyst.line(state)
        if verdict == "winnable" and line is not None:
            return f"winnable ({counted(len(line), 'action')} to go)"
        return {"lost": "LOST: no line wins from here (u: undo)"}.get(
            verdict, f"{verdict} after {self._seconds:g} s"
        )

    def hint(self, state: Any) -> Hint:
        verdict = self.verdict(state)
        return Hint(self._analyst.hint(state), verdict)


class _ByPlayer:
    """In a game without a goal."""

    def __init__(self, puzzle: Any, name: str, make: Any) -> None:
        self._puzzle, self._name, self._player = puzzle, name, make(puzzle, 0)

    def verdict(self, state: Any) -> str:
        raise WinnableError("lamp: this game has no goal")

    def hint(self, state: Any) -> Hint:
        if not self._puzzle.legal_actions(state):
            return Hint(None, "the game is over")
        return Hint(self._player.choose(state), f"by {self._name}")
