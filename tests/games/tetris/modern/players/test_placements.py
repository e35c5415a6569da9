"""Where pieces can come to rest: by the rules' own moves, and on bits."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from winnable.games.tetris.modern.players import move_kernels as kernels
from winnable.games.tetris.modern.players.placements import (
    SOFT_COST,
    TAPS,
    Placement,
    Way,
    at_rest,
    placements,
    same_cells,
    tapped,
)
from winnable.games.tetris.modern.rules.level import HEIGHT, WIDTH
from winnable.games.tetris.modern.rules.piece import Active, fallen
from winnable.games.tetris.modern.rules.srs import SPAWN, fits, shape
from winnable.games.tetris.rules.pieces import NAMES

TABLES, WORK = kernels.new_tables(), kernels.new_workspace()
T_SPIN_DOUBLE = ("XXXX.XXXXX", "XXX...XXXX", "XXXX......")
"""From the lowest row."""


@st.composite
def boards(draw: st.DrawFn) -> tuple[str, ...]:
    """Any rows below the place where pieces appear: with random gaps, or with few of them."""
    gaps = st.sets(st.integers(0, WIDTH - 1), min_size=1, max_size=3)
    row = st.text(".X", min_size=WIDTH, max_size=WIDTH) | gaps.map(
        lambda columns: "".join(".X"[x not in columns] for x in range(WIDTH))
    )
    rows = draw(st.lists(row.filter(lambda cells: "." in cells), max_size=18))
    while rows and rows[-1] == "." * WIDTH:
        rows.pop()
    return tuple(rows)


def appears(piece: str) -> Active:
    return Active(piece, 0, SPAWN[0], SPAWN[1] - 1)


def columns_of(rows: tuple[str, ...]) -> kernels.U64:
    return np.array(
        [sum((row[x] != ".") << y for y, row in enumerate(rows)) for x in range(WIDTH)], np.uint64
    )


def compiled(rows: tuple[str, ...], active: Active, grounded: bool) -> dict[Placement, Way]:
    count = kernels.reach(
        columns_of(rows),
        NAMES.index(active.piece),
        active.turn,
        active.x,
        active.y,
        0,
        grounded,
        TABLES,
        WORK,
    )
    found: dict[Placement, Way] = {}
    for turn, x, y, spin, cost, state in WORK.found[:count].tolist():
        taps = tuple(TAPS[tap] for tap in kernels.taps_to(WORK.came, state))
        placement = Placement(active.piece, turn, x, y, kernels.SPINS[spin])
        assert placement not in found
        found[placement] = Way(cost, taps)
    return found


def walked(rows: tuple[str, ...], active: Active, taps: tuple[str, ...], grounded: bool) -> Placement:
    for tap in taps:
        if grounded:
            active = fallen(rows, active)
        active = tapped(rows, active, tap)
    return at_rest(rows, active)


@settings(max_examples=150, deadline=None)
@given(boards(), st.sampled_from(NAMES), st.booleans())
def test_bits_find_the_same_placements(rows: tuple[str, ...], piece: str, grounded: bool) -> None:
    active = appears(piece)
    expected, found = placements(rows, active, grounded), compiled(rows, active, grounded)
    assert {rest: way.cost for rest, way in found.items()} == {
        rest: way.cost for rest, way in expected.items()
    }
    assert [way.cost for way in found.values()] == sorted(way.cost for way in found.values())
    for ways in (found, expected):
        for rest, way in ways.items():
            assert walked(rows, active, way.taps, grounded) == rest
            assert way.cost == sum(SOFT_COST if tap == "soft" else 1 for tap in way.taps)


@settings(max_examples=100, deadline=None)
@given(boards(), st.sampled_from(NAMES), st.integers(0, 3), st.integers(0, 9), st.integers(0, HEIGHT - 1))
def test_also_from_the_middle_of_a_fall(rows: tuple[str, ...], piece: str, turn: int, x: int, y: int) -> None:
    if fits(rows, shape(piece, turn), x, y):
        active = Active(piece, turn, x, y)
        costs = {rest: way.cost for rest, way in placements(rows, active).items()}
        assert {rest: way.cost for rest, way in compiled(rows, active, False).items()} == costs


@settings(max_examples=100, deadline=None)
@given(boards(), st.sampled_from(NAMES))
def test_placements_rest_and_lie_on_empty_cells(rows: tuple[str, ...], piece: str) -> None:
    found = placements(rows, appears(piece))
    assert len({(frozenset(rest.cells), rest.spin) for rest in found}) == len(found)
    for rest in found:
        assert fits(rows, shape(piece, rest.turn), rest.x, rest.y)
        assert not fits(rows, shape(piece, rest.turn), rest.x, rest.y - 1)


def test_how_many_there_are_on_an_empty_board() -> None:
    """Every column and turn, by taps alone; a T that stands at a wall may lie there by a turn too."""
    counts = {"I": 17, "O": 9, "S": 17, "Z": 17, "J": 34, "L": 34}
    for piece, count in counts.items():
        found = placements((), appears(piece))
        assert len(found) == count
        assert max(way.cost for way in found.values()) <= 6


def test_a_t_spin_needs_a_soft_drop_and_a_turn() -> None:
    rest = Placement("T", 2, 4, 1, "full")
    found = placements(T_SPIN_DOUBLE, appears("T"))
    assert rest in found
    assert found[rest].taps[-2:] in (("soft", "cw"), ("soft", "ccw"), ("soft", "half"))


def test_a_tuck() -> None:
    """Under an overhang, from its side."""
    rows = ("XXXX......", "......XXXX")
    rows = ("..........", "....XXXXXX")
    rest = Placement("O", 0, 4, 0)
    assert placements(rows, appears("O")).get(rest) is None, "an O does not fit under one row"
    rest = Placement("I", 0, 5, 0)
    assert placements(rows, appears("I"))[rest].taps[-1] == "right"


def test_shapes_that_are_alike() -> None:
    assert [same_cells("T", turn)[0] for turn in range(4)] == [0, 1, 2, 3]
    assert [same_cells("S", turn)[0] for turn in range(4)] == [0, 1, 0, 1]
    assert [same_cells("O", turn)[0] for turn in range(4)] == [0, 0, 0, 0]
    assert same_cells("I", 2) == (0, -1, 0)
