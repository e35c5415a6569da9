"""What fuzzing does with a level that was accepted: everything that a person could do next."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from winnable.contract.abilities import Foresees, SetsTasks, Solves
from winnable.contract.core import Budget, WinnableError, finish, replay
from winnable.levels.files import NamedLevel, encode_level, read_level
from winnable.levels.identity import content_id
from winnable.play.session import Session

SECONDS = 0.2
"""Of each search."""
SOLVED, DRAWN = 0.005, 0.1
"""Shares of the accepted levels that are solved, and drawn as SVG with their facts found out."""
ACTIONS = 6
MOST_CELLS = 4_000
"""Of a board that is drawn: larger ones take their time, as they may."""


class Fault(Exception):
    """Something that was accepted is not what it should be."""


class Overdue(Exception):
    """No answer in time: ours to mend, or a machine that had other things to do."""


def examine(named: NamedLevel, rng: Random) -> None:
    """Plays it, writes it, reads it again; some are solved, with the line replayed. Raises Fault."""
    session = Session(named)
    play_on(session, rng)
    again = read_level(encode_level(named.level))
    if again.level != named.level:
        raise Fault("a level is another one when it is read again")
    look_at(session)
    if rng.random() < DRAWN:
        game = named.game
        if content_id(game, game.parse_board(game.format_board(named.level))) != content_id(
            game, named.level
        ):
            raise Fault("a board is another one when its notation is read")
        if session.puzzle.num_actions <= MOST_CELLS:
            game.svg(session.puzzle, session.state)
        if isinstance(game, SetsTasks):
            game.picture(named.level)
    if rng.random() < SOLVED:
        solve(session)


def play_on(session: Session, rng: Random) -> None:
    """A few actions, some of them taken back, so that there are branches; saved and loaded again."""
    for _ in range(rng.randrange(ACTIONS)):
        legal = session.puzzle.legal_actions(session.state)
        if not legal or session.standing != "playing":
            break
        before = session.state
        session.act(rng.choice(legal))
        trace: Any = getattr(session.puzzle, "trace", None)
        if trace is not None and session.last_action is not None:
            msgspec.json.encode(trace(before, session.last_action))
        if rng.random() < 0.3:
            session.undo()
    loaded = Session.load(session.save())
    if loaded.states != session.states or loaded.saved_tree() != session.saved_tree():
        raise Fault("a session is another one when it is loaded")


def look_at(session: Session) -> None:
    """As terminal and page do."""
    msgspec.json.encode(session.view)
    _ = session.legal, session.forks, session.next_level
    if session.puzzle.num_actions <= MOST_CELLS:
        session.game.render(session.puzzle, session.state)


def solve(session: Session) -> None:
    game, state = session.game, session.state
    if not isinstance(game, Solves):
        if isinstance(game, Foresees) and session.standing == "playing":
            finish(game.outlook(session.puzzle, state, Budget(SECONDS), 0))
        return
    try:
        result = finish(game.live_solver(session.puzzle)(session.puzzle, state, Budget(SECONDS), 0))
    except WinnableError:
        return
    if result.status == "solved" and not session.puzzle.is_goal(
        replay(session.puzzle, result.actions, state)
    ):
        raise Fault("a solver's line does not reach the goal")
