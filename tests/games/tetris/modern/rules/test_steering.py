"""Left and right, frame by frame."""

import pytest

from tests.games.tetris.modern.rules.scenes import Scene
from winnable.games.tetris.modern.rules.level import Handling
from winnable.games.tetris.modern.rules.state import HOLD, LEFT, RIGHT


def columns(handling: Handling, keys: list[int], start: int = 4) -> list[int]:
    """The column of an O's left cells after each frame; the wall is where it is 8."""
    scene = Scene(piece="O", at=(start, 10), handling=handling)
    return [scene.step(held).active.x for held in keys]


def test_a_tap_moves_by_one_column_and_at_once() -> None:
    assert columns(Handling(), [RIGHT, 0, 0, RIGHT, 0, LEFT]) == [5, 5, 5, 6, 6, 5]


def test_das_then_arr() -> None:
    handling = Handling(das=4, arr=2)
    assert columns(handling, [RIGHT] * 12, start=1) == [2, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]


def test_arr_of_one_frame_and_das_of_one() -> None:
    assert columns(Handling(das=1, arr=1), [RIGHT] * 5, start=1) == [2, 3, 4, 5, 6]


def test_arr_of_nothing_goes_to_the_wall_at_once() -> None:
    assert columns(Handling(das=3, arr=0), [LEFT] * 5) == [3, 3, 3, 0, 0]


def test_a_key_let_go_starts_anew() -> None:
    handling = Handling(das=3, arr=1)
    assert columns(handling, [RIGHT, RIGHT, 0, RIGHT, RIGHT, RIGHT, RIGHT]) == [5, 5, 5, 6, 6, 6, 7]


def test_the_key_pressed_last_wins_and_the_other_one_comes_back_as_pressed_anew() -> None:
    both = LEFT | RIGHT
    handling = Handling(das=3, arr=1)
    keys = [LEFT, both, both, both, both, LEFT, LEFT, LEFT, LEFT]
    assert columns(handling, keys) == [3, 4, 4, 4, 5, 4, 4, 4, 3]


def test_both_pressed_together_cancel() -> None:
    both = LEFT | RIGHT
    assert columns(Handling(das=2, arr=0), [both, both, both, RIGHT, RIGHT]) == [4, 4, 4, 5, 5]


@pytest.mark.parametrize(("key", "wall"), [(LEFT, 0), (RIGHT, 8)])
def test_walls_and_cells_stop_it(key: int, wall: int) -> None:
    assert columns(Handling(das=1, arr=0), [key] * 5)[-1] == wall
    scene = Scene(" ".join(["..X.....X."] * 15), piece="O", at=(4, 5), handling=Handling(das=1, arr=0))
    stopped = {LEFT: 3, RIGHT: 6}[key]
    assert scene.step(key, key, key).active.x == stopped


def test_a_charge_lasts_from_piece_to_piece() -> None:
    scene = Scene(piece="O", at=(4, 10), handling=Handling(das=5, arr=0))
    scene.step(*[LEFT] * 8)
    held = scene.step(LEFT | HOLD)
    assert min(x for x, _ in held.active.cells) == 0
