"""What solvers answer, as pages are told it; and lines that wait until the level gives enough for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from msgspec.structs import asdict

from winnable.analysis import Companion
from winnable.analysis.hints import Rung, hint_of
from winnable.contract.abilities import ChangesLevels
from winnable.contract.core import Action, Answer, IllegalAction, Progress, Puzzle, with_moves
from winnable.contract.core import replay as end_of
from winnable.contract.methods import Chosen
from winnable.play.session import Session
from winnable.web.events import Event, HintEvent, ProgressEvent, Result

MOST_CHEATS = 50
"""So often it is tried whether a line wins by now."""


def cheats_needed(session: Session, before: Sequence[Action], found: Answer) -> int | None:
    """How often the level must be made easier until what the solver came to, after these actions, wins. For a
    thread: it replays the line again and again."""
    if found.best is None or found.limit is None or found.limit.kind != "supply":
        return None
    game, level = session.game, session.level
    for count in range(1, MOST_CHEATS + 1):
        if not isinstance(game, ChangesLevels) or (level := game.cheat(level)) is None:
            return None
        puzzle = game.puzzle(level)
        with suppress(IllegalAction):
            if puzzle.is_goal(end_of(puzzle, [*before, *found.best.actions])):
                return count
    return None


def told(
    session: str, puzzle: Puzzle, ply: int, solver: Chosen, found: Answer, cheats: int | None = None
) -> Result:
    """A solver's answer about the state at `ply`. cheats: see `Result`."""
    answer = replace(with_moves(puzzle, found), seconds=round(found.seconds, 3))
    return Result(session, ply, solver.name, solver.settings, answer, cheats)


def told_hint(
    id: str, session: Session, companion: Companion, ply: int, rung: Rung, action: Action | None
) -> HintEvent:
    """A hint about the state at `ply` of the session with this id, as far as was asked for."""
    hint = hint_of(session.game, session.puzzle, companion, session.states[ply], rung, action)
    return HintEvent(**asdict(hint), session=id, ply=ply)


def reporter(method: str, send: Callable[[Event], None]) -> Callable[[Progress], None]:
    """Sends the method's `progress`."""

    def report(progress: Progress) -> None:
        seconds = round(progress.seconds, 3)
        stage, values = progress.stage, dict(progress.values)
        send(ProgressEvent(method, stage, values, progress.expanded, progress.generated, seconds))

    return report


class _Line(NamedTuple):
    before: list[Action]
    """What led to where it begins."""
    solver: Chosen
    found: Answer


class Lines:
    """Those of one game that the level does not give enough for: a `cheat` may let them win."""

    def __init__(self) -> None:
        self._lines: list[_Line] = []

    def keep(self, before: Sequence[Action], solver: Chosen, found: Answer) -> None:
        """If the answer has one."""
        if found.limit is not None and found.limit.kind == "supply" and found.best is not None:
            self._lines.append(_Line([*before], solver, found))

    def winning(self, session: Session) -> Iterator[tuple[int, Chosen, Answer]]:
        """Those that the rules let win on the session's level, from a ply of the line on the board: as
        answers, each once."""
        for line in list(self._lines):
            ply = len(line.before)
            if session.actions[:ply] == line.before and _wins(line, session):
                self._lines.remove(line)
                assert line.found.best is not None
                actions = line.found.best.actions
                found = replace(line.found, status="solved", actions=actions, cost=len(actions))
                yield ply, line.solver, replace(found, limit=None, best=None)


def _wins(line: _Line, session: Session) -> bool:
    assert line.found.best is not None
    try:
        end = end_of(session.puzzle, line.found.best.actions, session.states[len(line.before)])
    except IllegalAction:
        return False
    return session.puzzle.is_goal(end)
