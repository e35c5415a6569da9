"""Lock delay: 30 frames, 15 resets, and a new lowest row."""

import itertools

import pytest

from tests.games.tetris.modern.rules.scenes import Scene, locked_after
from winnable.games.tetris.modern.rules.guideline import LOCK_FRAMES
from winnable.games.tetris.modern.rules.level import Handling
from winnable.games.tetris.modern.rules.piece import LOCK_RESETS
from winnable.games.tetris.modern.rules.state import CCW, CW, LEFT, RIGHT, SOFT

NOW = Handling(soft="instant")


def landed(piece: str = "O", at: tuple[int, int] = (4, 3), board: str = "") -> Scene:
    """A piece that got to the ground in the frame before."""
    scene = Scene(board, piece=piece, at=at, handling=NOW)
    scene.step(SOFT)
    assert scene.state.active.timer == 1
    return scene


def test_it_is_30_frames() -> None:
    assert (LOCK_FRAMES, LOCK_RESETS) == (30, 15)
    assert locked_after(landed(), [0] * 40) == 30


def test_gravity_lands_a_piece_and_it_locks_30_frames_later() -> None:
    scene = Scene(piece="O", at=(4, 1))
    scene.wait(59)
    assert scene.at == (4, 1)
    scene.wait(1)
    assert scene.at == (4, 0), "at level 1 a row takes 60 frames"
    assert locked_after(scene, [0] * 40) == 30


def test_soft_drop_does_not_lock_sooner() -> None:
    assert locked_after(landed(), [SOFT] * 40) == 30


@pytest.mark.parametrize("key", [LEFT, RIGHT])
def test_a_move_starts_it_again(key: int) -> None:
    assert locked_after(landed(), [*[0] * 28, key, *[0] * 40]) == 59


def test_a_turn_starts_it_again() -> None:
    assert locked_after(landed("T"), [*[0] * 28, CW, *[0] * 40]) == 59


def test_a_move_that_fails_does_not() -> None:
    assert locked_after(landed(at=(0, 3)), [*[0] * 28, LEFT, *[0] * 40]) == 30


def test_15_resets_and_no_more() -> None:
    """A tap in every other frame, left and right in turn."""
    taps = list(itertools.islice(itertools.cycle([LEFT, 0, RIGHT, 0]), 200))
    scene = landed()
    for held in taps[:29]:
        scene.step(held)
    assert scene.state.active.resets == 15
    # Frames 1, 3, ..., 29 were taps, so the last one was the 15th; later ones change nothing.
    assert locked_after(scene, taps[29:]) == 30


def test_falling_to_a_new_lowest_row_gives_them_back() -> None:
    board = "XXXXX..... XXXXX....."
    scene = landed(at=(3, 5), board=board)
    assert scene.at == (3, 2)
    for held in [LEFT, 0, RIGHT, 0] * 3:
        scene.step(held)
    assert scene.state.active.resets == 6
    for held in [RIGHT, 0, RIGHT, SOFT]:
        scene.step(held)
    assert scene.at == (5, 0)
    assert (scene.state.active.resets, scene.state.active.timer) == (0, 1)
    assert locked_after(scene, [0] * 40) == 30


def test_being_kicked_up_and_falling_back_gives_nothing_back() -> None:
    """A T turned on the floor is lifted, and lands on the row where it was."""
    scene = landed("T", at=(4, 3))
    keys = itertools.cycle([CW, SOFT, CCW, SOFT])
    frames = locked_after(scene, itertools.islice(keys, 400))
    assert frames is not None
    assert scene.state.placed == 1
    assert frames <= 30 * 16


def test_whatever_is_pressed_a_standing_piece_locks_in_time() -> None:
    for period in (1, 2, 7, 29):
        taps = itertools.cycle([CW, *[0] * period, LEFT, *[0] * period, RIGHT, *[0] * period])
        frames = locked_after(landed("T"), itertools.islice(taps, 1000))
        assert frames is not None
        assert frames <= 30 * (LOCK_RESETS + 1)
