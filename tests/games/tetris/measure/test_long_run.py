"""What is shipped of boards is what measuring them says."""

import queue
import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tests.waiting import wait_until
from winnable.contract.core import finish
from winnable.games.tetris.game import GAME
from winnable.games.tetris.levels.generator import Params
from winnable.games.tetris.measure import long_run
from winnable.games.tetris.measure.judge import MOST_PIECES, GivenUp
from winnable.games.tetris.measure.long_run import FILE, LONG_RUN, Board, LongRun, find_calm
from winnable.games.tetris.rules.level import Level
from winnable.search import memory

KNOWN = msgspec.json.decode(FILE.read_bytes(), type=list[LongRun])


def test_levels_that_are_offered_first_need_not_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_run, "expected_lines", None)
    levels = [msgspec.json.decode(path.read_bytes(), type=Level) for path in GAME.levels.glob("*.json")]
    for level in [*levels, Params(), Params(rules="travel")]:
        if level.rules != "article":
            found = LONG_RUN.find(Board(level.width, level.height, rules=level.rules))
            assert found is not None
            assert found.lines is not None
            assert found.low < found.lines < found.high < 1.3 * found.low


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: str(known.board))
def test_walls_are_calm_where_it_says(known: LongRun) -> None:
    assert known.calm == finish(find_calm(known.board))


@pytest.mark.parametrize(
    "known", [one for one in KNOWN if one.board.height == 10], ids=lambda one: one.board.rules
)
def test_the_mean_is_that_of_another_measurement(known: LongRun) -> None:
    again = known.board.mean_lines(7, 4000, MOST_PIECES)
    assert again.low < known.strength.high
    assert known.strength.low < again.high


def test_one_thread_measures_all_boards_and_gives_up_when_the_last_player_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, step = queue.SimpleQueue[Board](), queue.SimpleQueue[bool]()

    def measured(board: Board, *_: object, wanted: Callable[[], bool], **__: object) -> str:
        begun.put(board)
        while not step.get(timeout=60):
            if not wanted():
                raise GivenUp
        return f"of {board.height}"

    def working() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "tetris-long-runs"]

    assert LONG_RUN.give_up in memory._keepers["tetris"]  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(Board, "mean_lines", measured)
    runs: Any = type(LONG_RUN)()
    monkeypatch.setitem(memory._keepers, "tetris", [runs.give_up])  # pyright: ignore[reportPrivateUsage]
    boards = [Board(7, height) for height in range(6, 40)]
    for board in boards * 2:
        assert runs.find(board) is None
    (thread,) = working()
    assert begun.get(timeout=60) == boards[0]
    step.put(True)
    assert begun.get(timeout=60) == boards[1]
    assert runs.find(boards[0]) == "of 6"
    memory.give_back("tetris")
    step.put(False)
    thread.join(60)
    assert not thread.is_alive()
    assert begun.empty()
    assert runs.find(boards[0]) == "of 6"
    assert runs.find(boards[9]) is None
    assert begun.get(timeout=60) == boards[9]
    step.put(True)
    wait_until(lambda: not working(), "the thread's end")
    assert runs.find(boards[9]) == "of 15"


def test_what_is_given_up_stops_in_the_middle() -> None:
    answers = iter([True, True, False])
    with pytest.raises(GivenUp):
        Board(7, 30).mean_lines(0, 200, 2_000_000, base_pieces=1000, wanted=lambda: next(answers))
    board = Board(5, 6)
    assert board.mean_lines(0, 200, 2_000_000, wanted=lambda: True) == board.mean_lines(0, 200, 2_000_000)
