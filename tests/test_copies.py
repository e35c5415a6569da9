"""Copies, and what goes to other processes and comes back: an equal that is played on its own."""

from __future__ import annotations

import copy
import json
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import winnable
from tests.fresh_python import printed
from winnable import envs, tasks
from winnable.contract.core import IllegalAction, LevelError, WinnableError
from winnable.contract.errors import GaveUp
from winnable.contract.registry import GAMES, load_game
from winnable.levels.find import find_level


def through_pickle(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


HOW = pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, through_pickle])
EACH = pytest.mark.parametrize("name", GAMES)
SMALL = {
    "triple": "triple:layers=2,sets=2,kinds=4#1",
    "drops": "drops/01-first-drops",
    "rotate": "rotate/01-one-turn",
}


@EACH
@HOW
def test_boards_sessions_and_puzzles(name: str, how: Callable[[Any], Any]) -> None:
    board = winnable.load(name, seed=3)
    board.push(board.legal_moves[0]).push(board.legal_moves[-1]).pop()
    other = how(board)
    assert (other.code, other.id, other.moves, str(other)) == (board.code, board.id, board.moves, str(board))
    assert other == board
    assert other.export("json") == board.export("json")
    other.push(other.legal_moves[-1])
    assert len(other.moves) == len(board.moves) + 1, "on its own"
    assert repr(other) != repr(board)
    puzzle = find_level(name, 3).game.puzzle(find_level(name, 3).level)
    again, state = how(puzzle), puzzle.initial()
    action = puzzle.legal_actions(state)[0]
    assert again.apply(again.initial(), action) == puzzle.apply(state, action)
    assert how(load_game(name)) is load_game(name)


@HOW
def test_a_copied_session_keeps_branches_and_replays_what_is_not_kept(
    how: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:

    def most_kept(state: object) -> int:
        return 2

    monkeypatch.setattr("winnable.play.session.most_kept", most_kept)
    session = winnable.Session(find_level("2048:#1"))
    session.helped = True
    for action in range(4):
        for _ in range(3):
            session.act(next(iter(session.puzzle.legal_actions(session.state))))
        session.go_to(action)
    other = how(session)
    assert (other.save(), other.helped, other.forks) == (session.save(), True, session.forks)
    for node in range(len(session.saved_tree().actions)):
        other.go_to(node)
        session.go_to(node)
        assert [*other.states] == [*session.states]


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("how", [copy.deepcopy, through_pickle])
def test_a_copy_knows_what_was_found_out(name: str, how: Callable[[Any], Any]) -> None:
    board = winnable.load(SMALL[name])
    line = board.line(60)
    assert line
    other = how(board)
    assert other.line(0) == line
    assert other.push(line[0]).verdict(60) == "winnable"


@EACH
@HOW
def test_environments(name: str, how: Callable[[Any], Any]) -> None:
    env = envs.GameEnv(name, SMALL.get(name))
    env.reset(seed=5)
    env.step(int(np.argmax(env.action_masks())))
    vector = envs.GameVectorEnv(name, 3, SMALL.get(name))
    vector.reset(seed=5)
    vector.step(np.argmax(vector.action_masks(), axis=1))
    both: list[tuple[Any, int | None]] = [(env, None), (vector, 1)]
    for one, axis in both:
        other = how(one)
        for _ in range(4):
            ours = one.step(np.argmax(one.action_masks(), axis=axis))
            theirs = other.step(np.argmax(other.action_masks(), axis=axis))
            assert all((ours[0][key] == theirs[0][key]).all() for key in ours[0])
            assert np.array_equal(ours[1], theirs[1])
            assert (ours[-1]["action_mask"] == theirs[-1]["action_mask"]).all()
    other, before = how(vector), vector.action_masks()
    other.reset(seed=9)
    other.step(np.argmax(other.action_masks(), axis=1))
    assert (vector.action_masks() == before).all(), "on its own"


@HOW
def test_datasets(how: Callable[[Any], Any]) -> None:
    made = tasks.dataset("drops", 3, 4, difficulty="easy")
    assert [*how(made)] == [*made]
    assert how(made[0]) == made[0]


def _what_is_known(board: winnable.Board) -> tuple[list[str], str]:
    return board.moves, board.code


RECEIVE = "import pickle, sys\nfound = pickle.loads(bytes.fromhex(sys.stdin.read()))\n"


def received(thing: Any, then: str) -> str:
    """What a new process prints that got it."""
    return printed(RECEIVE + then, jit=False, stdin=pickle.dumps(thing).hex())


@EACH
def test_boards_go_to_new_processes(name: str) -> None:
    board = winnable.load(name, seed=3)
    board.push(board.legal_moves[0])
    moves = received(board, "print(found.push(found.legal_moves[0]).moves)")
    assert moves == f"{board.push(board.legal_moves[0]).moves}\n"


def test_boards_are_work_for_a_pool() -> None:
    board = winnable.load("drops/05-puddle")
    board.push(board.legal_moves[0])
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(_what_is_known, board).result() == _what_is_known(board)


ERRORS = [
    WinnableError("none", field="verdict", game="2048"),
    LevelError("triple.sets", field="sets", given=3),
    GaveUp("generate.late"),
    IllegalAction("drops.off", column=9, row=9, columns=5, rows=5),
    WinnableError("level.foreign", complaints=[LevelError("shape.json", reason="x"), LevelError("nested")]),
    WinnableError("a whole sentence about {given}", given="it"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.code)
@HOW
def test_errors_keep_text_code_and_values(error: WinnableError, how: Callable[[Any], Any]) -> None:
    other = how(error)
    assert type(other) is type(error)
    assert (other.code, str(other), other.said("zh-CN")) == (error.code, str(error), error.said("zh-CN"))
    assert {*other.values} == {*error.values}
    assert repr(error) == f"{type(error).__name__}({str(error)!r})"


def test_errors_keep_their_text_where_no_game_is_known() -> None:
    """As in a parent that imported nothing of games."""
    error = ERRORS[1]
    then = "assert 'winnable.contract.registry' not in sys.modules\n"
    said = received(error, then + "print(found, repr(found), found.said('zh-CN'), sep='|')")
    assert said == f"{error}|{error!r}|{error.said('zh-CN')}\n"


def _raises(code: str) -> None:
    raise LevelError(code, field="sets", given=3)


def test_errors_come_out_of_a_pool() -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(_raises, "triple.sets").exception()
    assert isinstance(found, LevelError)
    assert str(found) == str(ERRORS[1])


def test_numpys_integers_are_integers(tmp_path: Path) -> None:
    board = winnable.load("drops", seed=np.int64(3))  # type: ignore[arg-type]
    board.push(np.int64(board._session.legal[0]))  # type: ignore[index]  # pyright: ignore
    board.save(tmp_path / "game.json")
    saved = json.loads((tmp_path / "game.json").read_bytes())
    assert [type(action) for action in saved["actions"]] == [int]
    assert winnable.load(tmp_path / "game.json").moves == board.moves
    counts: Any = {"count": np.int16(2), "seed": np.uint8(7), "layers": np.int64(3), "sets": np.int32(1)}
    made = winnable.generate("triple", kinds=3, **counts)
    for one in made:
        one.save_level(tmp_path / "level.json")
        assert winnable.check(tmp_path / "level.json", seed=np.int64(1))[0].ok  # type: ignore[arg-type]
    assert find_level("drops", np.int64(4)).id == find_level("drops", 4).id  # type: ignore[arg-type]
    assert tasks.make("drops", np.int64(4), difficulty="easy") == tasks.make("drops", 4, difficulty="easy")  # type: ignore[arg-type]
