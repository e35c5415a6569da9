"""Of long lines few states are kept, and they are read as if all were."""

from random import Random

import pytest

from winnable.contract.registry import load_game
from winnable.games.rotate.rules.level import Level
from winnable.levels.files import named_by_content
from winnable.play import session as session_module
from winnable.play import states
from winnable.play.session import Session, as_tree
from winnable.play.states import LineStates, most_kept, size_of
from winnable.play.tree import SavedTree


def large(side: int) -> tuple[Session, Random]:
    rng = Random(19)
    board = tuple(tuple(rng.randrange(4) for _ in range(side)) for _ in range(side))
    return Session(named_by_content(load_game("rotate"), Level(board=board))), rng


def held(session: Session) -> int:
    return sum(map(size_of, session._states.values()))  # pyright: ignore[reportPrivateUsage]


def test_the_size_of_a_state_is_that_of_all_in_it() -> None:
    assert size_of((1, 2, 3)) > size_of((1, 1, 1)) > size_of(())
    small, big = large(8)[0].state, large(64)[0].state
    assert size_of(big) > 30_000 > size_of(small) > 500
    assert most_kept(small) > 10 * most_kept(big) > 10 * states.LEAST


@pytest.mark.parametrize("way", ["played", "grown", "merged"])
def test_a_long_game_on_a_large_board_stays_small(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most, length = 2**20, 400
    monkeypatch.setattr(states, "KEPT_BYTES", most)
    session, rng = large(32)
    actions = [rng.randrange(session.puzzle.num_actions) for _ in range(length)]
    whole = [session.start]
    for action in actions:
        whole.append(session.puzzle.apply(whole[-1], action))
    assert size_of(whole) > 3 * most
    if way == "played":
        for action in actions:
            session.act(action)
            assert session.ply % 50 or held(session) < most
    elif way == "grown":
        session = Session.grown(named_by_content(session.game, session.level), as_tree(actions, length))
    else:
        session.merge(SavedTree(actions, [], length, []))
        session.go_to(length)
    assert held(session) < most
    assert isinstance(session.states, LineStates)
    assert [*session.states] == whole
    for ply in (length, 0, 200, 201, 199, length - 1):
        session.go_to_ply(ply)
        assert session.state == whole[ply]
    while session.ply:
        session.undo()
        assert session.state == whole[session.ply]
    assert held(session) < most


def test_states_of_a_line_are_read_as_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    session, rng = large(4)
    actions = [rng.randrange(session.puzzle.num_actions) for _ in range(300)]
    whole = [session.start]
    for action in actions:
        whole.append(session.puzzle.apply(whole[-1], action))
    for step in (1, 7, 64, 1000):
        lazy = LineStates(session.puzzle, actions, {ply: whole[ply] for ply in range(0, 301, step)})
        assert len(lazy) == 301
        assert [*lazy] == whole
        assert [*reversed(lazy)] == whole[::-1]
        for _ in range(40):
            place = rng.randrange(-301, 301)
            assert lazy[place] == whole[place]
            first, last = rng.randrange(-310, 310), rng.randrange(-310, 310)
            assert [*lazy[first:last]] == whole[first:last]
            assert [*lazy[first:last:3]] == whole[first:last:3]
            part = lazy[100:]
            assert part[rng.randrange(201)] in whole
        for place in (301, -302):
            with pytest.raises(IndexError):
                lazy[place]


def test_a_game_of_branches_is_replayed_from_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "most_kept", lambda state: 8)  # type: ignore[misc]
    session, rng = large(4)
    for _ in range(60):
        session.go_to(rng.randrange(session.size + 1))
        for _ in range(rng.randrange(1, 30)):
            session.act(rng.randrange(session.puzzle.num_actions))
        assert len(session._states) <= 10  # pyright: ignore[reportPrivateUsage]
    again = Session.load(session.save())
    assert again.state == session.state
    assert [*again.states] == [*session.states]
