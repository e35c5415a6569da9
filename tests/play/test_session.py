"""Sessions beyond what every game's contract tests cover."""

from typing import Any

import msgspec
import pytest

from tests.levels.test_library import LEVEL
from winnable.contract.core import IllegalAction, WinnableError, step
from winnable.levels.files import read_level
from winnable.levels.find import find_level
from winnable.play.session import Session


def session() -> Session:
    return Session(read_level(LEVEL))


def test_a_refused_action_changes_nothing() -> None:
    game = session()
    game.act(3)
    with pytest.raises(IllegalAction):
        game.act(1)
    assert (game.actions, game.ply, game.standing) == ([3], 1, "playing")


@pytest.mark.parametrize(
    "level", ["drops:rows=3,columns=3#1", "rotate:rows=4,columns=4#1", "2048:#1", "triple/1-first-steps"]
)
def test_a_step_is_what_apply_and_trace_say(level: str) -> None:
    game = Session(find_level(level))
    puzzle: Any = game.puzzle
    start = game.start
    action = puzzle.legal_actions(start)[0]
    frames = puzzle.trace(start, action) if hasattr(puzzle, "trace") else ()
    assert step(puzzle, start, action) == (puzzle.apply(start, action), frames)
    with pytest.raises(IllegalAction):
        step(puzzle, start, puzzle.num_actions)


def test_acting_after_an_undo_keeps_what_was_undone_as_a_branch() -> None:
    game = session()
    game.act(3)
    game.act(4)
    game.undo()
    game.undo()
    game.act(5)
    assert (game.actions, game.ply, len(game.states)) == ([5], 1, 2)
    with pytest.raises(WinnableError, match="redo: nothing was undone"):
        game.redo()
    game.undo()
    with pytest.raises(WinnableError, match="undo: this is the start"):
        game.undo()
    with pytest.raises(WinnableError, match="there is no point 2"):
        game.go_to_ply(2)
    with pytest.raises(WinnableError, match="action: after 0 actions 4 was not played"):
        game.go_to_ply(0, 4)
    game.go_to_ply(0, 3)
    assert (game.actions, game.ply) == ([3, 4], 1)


def test_undone_actions_are_saved_too() -> None:
    game = session()
    game.act(3)
    game.act(4)
    game.undo()
    again = Session.load(game.save())
    assert (again.actions, again.ply, again.states) == ([3, 4], 1, game.states)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"actions": [0]}, "covered"),
        ({"actions": [99]}, "action 99"),
        ({"node": 5}, "node 5"),
        ({"level": {"format": "winnable.triple/1"}}, "tiles"),
        ({"extra": 1}, "extra"),
        ({"actions": "no"}, r"actions"),
    ],
)
def test_damaged_sessions_are_refused_by_name(change: dict[str, object], complaint: str) -> None:
    saved = msgspec.json.decode(session().save())
    with pytest.raises(WinnableError, match=complaint):
        Session.load(msgspec.json.encode(saved | change))
