"""T-spins on the board: full, mini, the last test's exception, and none after a fall or a move."""

import itertools

import pytest

from tests.games.tetris.modern.rules.scenes import Scene
from winnable.games.tetris.modern.rules.level import Handling
from winnable.games.tetris.modern.rules.spin import t_spin
from winnable.games.tetris.modern.rules.state import CCW, CW, HALF, HARD, LEFT, RIGHT, SOFT

SLOT = """
XX........
X...XXXXXX
XX.XXXXXXX
"""
"""A T that points down fits into it, under an overhang on the left."""
NOW = Handling(soft="instant")


def test_a_t_spin_double() -> None:
    scene = Scene(SLOT, turn=1, at=(2, 1))
    after = scene.step(CW)
    assert (after.active.turn, scene.at, after.active.test) == (2, (2, 1), 0)
    after = scene.drop()
    assert (after.events.clear, after.events.cleared) == ("t-spin double", (0, 1))
    assert (after.tally.score, after.tally.attack, after.tally.back_to_back) == (1200, 4, 1)
    assert after.last == "t-spin double"


def test_the_lock_delay_keeps_the_spin() -> None:
    scene = Scene(SLOT, turn=1, at=(2, 1))
    scene.step(CW)
    assert scene.wait(30).events.clear == "t-spin double"


def test_no_spin_when_it_only_fell_there() -> None:
    scene = Scene("X...XXXXXX XX.XXXXXXX", turn=2, at=(2, 3))
    assert scene.step(HARD).events.clear == "double"


@pytest.mark.parametrize("keys", [[HARD], [SOFT, HARD]])
def test_no_spin_when_it_fell_after_the_turn(keys: list[int]) -> None:
    """Pointing right at the left wall, with three corners filled once it is down."""
    for height, clear in ((1, "t-spin mini single"), (4, "single")):
        scene = Scene(".XXXXXXXXX", turn=1, at=(0, height), handling=NOW)
        scene.state = scene.state._replace(active=scene.state.active._replace(test=0))
        scene.step(*keys)
        assert scene.state.events.clear == clear


def test_no_spin_when_it_moved_after_the_turn() -> None:
    board = "XX....XXXX X....XXXXX XX.X.XXXXX"
    scene = Scene(board, turn=2, at=(2, 1), handling=Handling())
    scene.state = scene.state._replace(active=scene.state.active._replace(test=0))
    scene.step(RIGHT)
    assert scene.at == (2, 1), "it cannot move, so the turn still counts"
    assert scene.state.active.test == 0
    free = Scene("X...XXXXXX", turn=0, at=(2, 5))
    free.state = free.state._replace(active=free.state.active._replace(test=0))
    assert free.step(LEFT).active.test == -1


def test_a_t_spin_without_lines() -> None:
    scene = Scene(SLOT.replace("XXXXXX\n", "XXXXX.\n").replace("XXXXXXX\n", "XXXXXX.\n"), turn=1, at=(2, 1))
    scene.step(CW)
    after = scene.drop()
    assert (after.events.clear, after.tally.score, after.tally.lines) == ("t-spin", 400, 0)


def test_a_mini_single_at_the_wall() -> None:
    """It is kicked to the wall, which fills both corners behind; of those in front one is filled."""
    scene = Scene(".XXXXXXXXX", turn=0, at=(1, 1))
    after = scene.step(CW)
    assert (after.active.turn, scene.at, after.active.test) == (1, (0, 1), 1)
    after = scene.drop()
    assert (after.events.clear, after.tally.score, after.tally.attack) == ("t-spin mini single", 200, 0)


CORNERS = ((-1, 1), (1, 1), (1, -1), (-1, -1))


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("corners", list(itertools.product([False, True], repeat=4)))
def test_the_three_corner_rule(turn: int, corners: tuple[bool, ...]) -> None:
    """Every set of corners, in mid-air."""
    taken = {(4 + x, 4 + y) for (x, y), filled in zip(CORNERS, corners, strict=True) if filled}
    rows = ["".join("X" if (x, y) in taken else "." for x in range(10)) for y in range(8)]
    front = {0: [(-1, 1), (1, 1)], 1: [(1, 1), (1, -1)], 2: [(1, -1), (-1, -1)], 3: [(-1, 1), (-1, -1)]}
    faces = all((4 + x, 4 + y) in taken for x, y in front[turn])
    if len(taken) < 3:
        assert all(t_spin(rows, turn, 4, 4, test) == "" for test in range(5))
        return
    for test in range(4):
        assert t_spin(rows, turn, 4, 4, test) == ("full" if faces else "mini")
    assert t_spin(rows, turn, 4, 4, 4) == "full", "the last test's exception"


def test_walls_and_floor_are_filled_corners_but_the_sky_is_not() -> None:
    assert t_spin((), 1, 0, 0, 0) == "mini"
    assert t_spin((), 0, 5, 39, 0) == ""


TRIPLE = """
XXXX......
XXX.......
XXX.XXXXXX
XXX..XXXXX
XXX.XXXXXX
"""


def test_a_t_spin_triple_by_the_last_test() -> None:
    """Unturned above the slot, counter-clockwise would not fit; clockwise kicks two rows down."""
    scene = Scene(TRIPLE, turn=0, at=(4, 3))
    after = scene.step(CW)
    assert (after.active.turn, scene.at, after.active.test) == (1, (3, 1), 4)
    after = scene.drop()
    assert after.events.clear == "t-spin triple"
    assert (after.tally.score, after.tally.attack) == (1600, 6)


def test_only_t_spins() -> None:
    for piece, key in itertools.product("IOSZJL", (CW, CCW, HALF)):
        scene = Scene("XXXX..XXXX " * 3, piece=piece, turn=0, at=(4, 4))
        scene.step(key)
        after = scene.drop()
        assert not after.events.clear.startswith("t-spin")
