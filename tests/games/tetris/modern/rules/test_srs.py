"""SRS, against the pictures and tables as they are usually printed: pieces in boxes, and kicks of the box."""

import pytest

from winnable.games.tetris.modern.rules.level import Level
from winnable.games.tetris.modern.rules.piece import Active, turned
from winnable.games.tetris.modern.rules.puzzle import Modern
from winnable.games.tetris.modern.rules.srs import CLOCKWISE, COUNTER, HALF, SPAWN, kicks, shape

PICTURES = {
    "I": (".... #### .... ....", "..#. ..#. ..#. ..#.", ".... .... #### ....", ".#.. .#.. .#.. .#.."),
    "J": ("#.. ### ...", ".## .#. .#.", "... ### ..#", ".#. .#. ##."),
    "L": ("..# ### ...", ".#. .#. .##", "... ### #..", "##. .#. .#."),
    "S": (".## ##. ...", ".#. .## ..#", "... .## ##.", "#.. ##. .#."),
    "T": (".#. ### ...", ".#. .## .#.", "... ### .#.", ".#. ##. .#."),
    "Z": ("##. .## ...", "..# .## .#.", "... ##. .##", ".#. ##. #.."),
    "O": (".##. .##. ....",) * 4,
}
BOX_BELOW = {"I": 2, "O": 1}
"""How far the box of an unturned piece reaches below its centre; it reaches one column to the left."""

KICKS_JLSTZ = {
    (0, 1): ((0, 0), (-1, 0), (-1, 1), (0, -2), (-1, -2)),
    (1, 0): ((0, 0), (1, 0), (1, -1), (0, 2), (1, 2)),
    (1, 2): ((0, 0), (1, 0), (1, -1), (0, 2), (1, 2)),
    (2, 1): ((0, 0), (-1, 0), (-1, 1), (0, -2), (-1, -2)),
    (2, 3): ((0, 0), (1, 0), (1, 1), (0, -2), (1, -2)),
    (3, 2): ((0, 0), (-1, 0), (-1, -1), (0, 2), (-1, 2)),
    (3, 0): ((0, 0), (-1, 0), (-1, -1), (0, 2), (-1, 2)),
    (0, 3): ((0, 0), (1, 0), (1, 1), (0, -2), (1, -2)),
}
KICKS_I = {
    (0, 1): ((0, 0), (-2, 0), (1, 0), (-2, -1), (1, 2)),
    (1, 0): ((0, 0), (2, 0), (-1, 0), (2, 1), (-1, -2)),
    (1, 2): ((0, 0), (-1, 0), (2, 0), (-1, 2), (2, -1)),
    (2, 1): ((0, 0), (1, 0), (-2, 0), (1, -2), (-2, 1)),
    (2, 3): ((0, 0), (2, 0), (-1, 0), (2, 1), (-1, -2)),
    (3, 2): ((0, 0), (-2, 0), (1, 0), (-2, -1), (1, 2)),
    (3, 0): ((0, 0), (1, 0), (-2, 0), (1, -2), (-2, 1)),
    (0, 3): ((0, 0), (-1, 0), (2, 0), (-1, 2), (2, -1)),
}
TURNS = [
    (piece, left, entered, KICKS_I if piece == "I" else KICKS_JLSTZ)
    for piece in "IJLSTZ"
    for left, entered in KICKS_JLSTZ
]
UNREACHABLE = {("T", 0, 1, 3), ("T", 0, 3, 3), ("T", 2, 1, 2), ("T", 2, 3, 2)}
"""As is known of T: these tests never decide."""


def in_box(piece: str, turn: int) -> set[tuple[int, int]]:
    """The picture's cells, from the box's lower left corner."""
    rows = reversed(PICTURES[piece][turn].split())
    return {(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "#"}


def box_centre(piece: str, turn: int) -> tuple[int, int]:
    """Where the centre is, from the box's lower left corner: found by fitting our shape into the picture."""
    cells = in_box(piece, turn)
    low = (min(x for x, _ in cells), min(y for _, y in cells))
    own = shape(piece, turn)
    centre = (low[0] - min(x for x, _ in own), low[1] - min(y for _, y in own))
    assert {(centre[0] + x, centre[1] + y) for x, y in own} == cells, "turned as in the picture"
    return centre


@pytest.mark.parametrize("piece", PICTURES)
def test_pieces_turn_within_their_box(piece: str) -> None:
    assert box_centre(piece, 0) == (1, BOX_BELOW.get(piece, 1)), "the test knows where the box is"
    for left in range(4):
        for by in (CLOCKWISE, HALF, COUNTER):
            (x, y), (to_x, to_y) = box_centre(piece, left), box_centre(piece, (left + by) % 4)
            assert kicks(piece, left, by)[0] == (to_x - x, to_y - y)


@pytest.mark.parametrize(("piece", "left", "entered", "table"), TURNS)
def test_kicks_are_those_of_the_table(
    piece: str, left: int, entered: int, table: dict[tuple[int, int], tuple[tuple[int, int], ...]]
) -> None:
    moves = kicks(piece, left, (entered - left) % 4)
    (x, y), *_ = moves
    assert tuple((dx - x, dy - y) for dx, dy in moves) == table[left, entered]


@pytest.mark.parametrize("left", range(4))
def test_o_stays_where_it_is_and_never_kicks(left: int) -> None:
    for by in (CLOCKWISE, HALF, COUNTER):
        ((dx, dy),) = kicks("O", left, by)
        moved = {(x + dx, y + dy) for x, y in shape("O", (left + by) % 4)}
        assert moved == set(shape("O", left))


def test_half_turns_are_tried_in_place_first_and_mirror_each_other() -> None:
    for left, back in ((0, 2), (1, 3)):
        there, again = kicks("T", left, HALF), kicks("T", back, HALF)
        assert there[0] == again[0] == (0, 0)
        mirrored = [(-x, -y) if left == 0 else (-x, y) for x, y in there]
        assert list(again) == mirrored
    assert kicks("T", 0, HALF) == ((0, 0), (0, 1), (1, 1), (-1, 1), (1, 0), (-1, 0))
    assert kicks("T", 1, HALF) == ((0, 0), (1, 0), (1, 2), (1, 1), (0, 2), (0, 1))


def test_a_half_turn_is_no_exception_for_spins() -> None:
    """Its fifth place counts as the first: only the last test of a quarter turn makes any T-spin full."""
    start, target = Active("T", 0, 5, 10), Active("T", 2, 6, 10)
    free = {*start.cells, *target.cells}
    rows = ["".join("." if (x, y) in free else "X" for x in range(10)) for y in range(20)]
    reached = turned(rows, start, HALF)
    assert kicks("T", 0, HALF)[4] == (1, 0)
    assert (reached.turn, reached.x, reached.y, reached.test) == (2, 6, 10, 0)


@pytest.mark.parametrize(("piece", "left", "entered", "table"), TURNS)
@pytest.mark.parametrize("test", range(5))
def test_places_are_tried_in_order(
    piece: str,
    left: int,
    entered: int,
    table: dict[tuple[int, int], tuple[tuple[int, int], ...]],
    test: int,
) -> None:
    """Only the piece's own cells and those of one place are empty: the turn goes there and nowhere else."""
    x, y = 5, 10
    by = (entered - left) % 4
    first_x, first_y = kicks(piece, left, by)[0]
    kick_x, kick_y = table[left, entered][test]
    target = Active(piece, entered, x + first_x + kick_x, y + first_y + kick_y)
    start = Active(piece, left, x, y)
    free = {*start.cells, *target.cells}
    rows = ["".join("." if (column, row) in free else "X" for column in range(10)) for row in range(20)]
    reached = turned(rows, start, by)
    if (piece, left, entered, test) in UNREACHABLE:
        # With this place and its own cells empty, a T can always turn in place.
        assert reached.test == 0
    else:
        assert (reached.turn, reached.x, reached.y, reached.test) == (entered, target.x, target.y, test)


@pytest.mark.parametrize("piece", "IJLSTZ")
def test_a_turn_without_room_changes_nothing(piece: str) -> None:
    start = Active(piece, 0, 5, 10)
    rows = ["".join("." if (x, y) in start.cells else "X" for x in range(10)) for y in range(20)]
    assert all(turned(rows, start, by) is start for by in (CLOCKWISE, COUNTER))


SPAWNED = {
    "I": {(3, 20), (4, 20), (5, 20), (6, 20)},
    "O": {(4, 20), (5, 20), (4, 21), (5, 21)},
    "T": {(3, 20), (4, 20), (5, 20), (4, 21)},
    "S": {(3, 20), (4, 20), (4, 21), (5, 21)},
    "Z": {(3, 21), (4, 21), (4, 20), (5, 20)},
    "J": {(3, 21), (3, 20), (4, 20), (5, 20)},
    "L": {(3, 20), (4, 20), (5, 20), (5, 21)},
}


@pytest.mark.parametrize("piece", SPAWNED)
def test_pieces_appear_in_the_rows_21_and_22_counted_from_1(piece: str) -> None:
    assert set(Active(piece, 0, *SPAWN).cells) == SPAWNED[piece]


def test_a_piece_that_appears_falls_by_a_row_at_once_if_it_can() -> None:
    open_board = Modern(Level(dice=3))
    state = open_board.initial()
    letter = state.active.piece
    assert set(state.active.cells) == {(x, y - 1) for x, y in SPAWNED[letter]}
    blocked = Modern(Level(dice=3, board=("...XXX....", *["X........."] * 19)))
    assert set(blocked.initial().active.cells) == SPAWNED[letter]
