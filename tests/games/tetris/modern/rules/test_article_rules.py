"""The article's rules: its loop counted round by round, its turns, its clears and its end."""

import itertools
from collections.abc import Iterator

import pytest

from winnable.games.tetris.modern.rules.article import Flying
from winnable.games.tetris.modern.rules.bag import form_of
from winnable.games.tetris.modern.rules.level import Level
from winnable.games.tetris.modern.rules.puzzle import AnyState, Modern
from winnable.games.tetris.modern.rules.state import ALL_KEYS, CCW, CW, HALF, HARD, HOLD, LEFT, RIGHT, SOFT
from winnable.games.tetris.rules.flight import FORMS, Position
from winnable.games.tetris.rules.pieces import NAMES, TURNED

SEED = 4
O_FORM = TURNED.index((NAMES.index("O"), 0))
I_FLAT = TURNED.index((NAMES.index("I"), 0))
I_TALL = TURNED.index((NAMES.index("I"), 1))


def scene(form: int, column: int, row: int, *board: str) -> tuple[Modern, AnyState]:
    puzzle = Modern(Level(mode="endless", rules="article", dice=SEED, board=board))
    here = Flying(Position(form, column, row), form)
    return puzzle, puzzle.initial()._replace(active=here)


def rows_of(puzzle: Modern, state: AnyState, keys: Iterator[int]) -> Iterator[int]:
    for held in keys:
        state = puzzle.apply(state, held)
        yield state.active.here.row


def falls_by_rounds(is_down: bool, frames: int) -> list[int]:
    """How many rows it has fallen after each frame: an independent count of the loop's rounds."""
    fallen, counter, rounds, result = 0, 0, 0, list[int]()
    for frame in range(1, frames + 1):
        while rounds < frame * 200 // 60:
            rounds += 1
            counter += 10 if is_down else 0
            if counter >= 50:
                fallen, counter = fallen + 1, 0
            else:
                counter += 1
        result.append(fallen)
    return result


@pytest.mark.parametrize("is_down", [False, True])
def test_a_row_takes_51_rounds_or_5_with_down_held(is_down: bool) -> None:
    puzzle, state = scene(O_FORM, 4, 17)
    frames = 25 if is_down else 250
    rows = rows_of(puzzle, state, itertools.repeat(SOFT if is_down else 0, frames))
    expected = falls_by_rounds(is_down, frames)
    assert list(rows) == [17 - fallen for fallen in expected]
    assert expected[-1] == (frames * 200 // 60) // (5 if is_down else 51) >= 16 * is_down


def test_a_piece_that_cannot_fall_locks_in_the_next_round_that_it_would() -> None:
    puzzle, state = scene(O_FORM, 4, 0)
    while not state.events.locked:
        state = puzzle.apply(state, 0)
    assert state.frames == 16, "the 51st round is in the 16th frame"
    assert set(state.events.locked) == {(4, 0), (5, 0), (4, 1), (5, 1)}
    assert state.active.here.form == form_of(SEED, 1)
    assert state.rows == ("....OO....", "....OO....")


def test_nothing_repeats_and_other_keys_do_nothing() -> None:
    puzzle, state = scene(O_FORM, 4, 10)
    for _ in range(8):
        state = puzzle.apply(state, RIGHT)
    assert state.active.here.column == 5
    idle = puzzle.apply(scene(O_FORM, 4, 10)[1], 0)
    for key in (HARD, HOLD, CCW, HALF):
        assert puzzle.apply(scene(O_FORM, 4, 10)[1], key).active == idle.active
    assert puzzle.apply(scene(O_FORM, 4, 10)[1], LEFT | RIGHT).active.here.column == 4
    assert puzzle.apply(scene(O_FORM, 8, 10)[1], RIGHT).active.here.column == 8


@pytest.mark.parametrize("form", range(19))
def test_turns_are_those_of_the_program(form: int) -> None:
    puzzle, state = scene(form, 4, 10)
    seen = [form]
    for _ in range(4):
        state = puzzle.apply(puzzle.apply(state, CW), 0)
        seen.append(state.active.here.form)
    if form == O_FORM:
        assert seen == [O_FORM, I_TALL, I_FLAT, I_TALL, I_FLAT], "the slip in the program's table"
        return
    for before, after in itertools.pairwise(seen):
        assert FORMS[before].onward == after


def test_an_o_turns_to_an_i_about_the_same_cell() -> None:
    puzzle, state = scene(O_FORM, 4, 10)
    assert FORMS[O_FORM].left == FORMS[O_FORM].below == 0
    turned = puzzle.apply(state, CW)
    assert set(turned.active.cells) == {(4, 8), (4, 9), (4, 10), (4, 11)}


def test_a_turn_that_fails_still_counts() -> None:
    """Between walls an upright I cannot lie down, and the next turn stands it up again: nothing is seen."""
    puzzle, state = scene(I_TALL, 5, 3, *["XXXXX.XXXX"] * 9)
    state = puzzle.apply(state, CW)
    assert (state.active.here.form, state.active.wanted, state.events.turned) == (I_TALL, I_FLAT, False)
    state = puzzle.apply(puzzle.apply(state, 0), CW)
    assert (state.active.here.form, state.active.wanted) == (I_TALL, I_TALL)


def test_a_turn_never_reaches_below_the_floor() -> None:
    puzzle, state = scene(I_FLAT, 4, 0)
    state = puzzle.apply(state, CW)
    assert state.active.here.form == I_FLAT
    assert all(y >= 0 for _, y in state.active.cells)


def test_a_row_is_a_point() -> None:
    puzzle, state = scene(I_TALL, 9, 0, "XX.......X", *["XXXXXXXXX."] * 3)
    state = state._replace(rows=("XXXXXXXXX.",) * 3)
    while not state.events.locked:
        state = puzzle.apply(state, 0)
    assert (state.tally.score, state.tally.lines, state.events.clear) == (3, 3, "triple")
    assert state.rows == (".........I",)
    assert state.tally.combo == -1


def test_the_highest_row_is_never_cleared() -> None:
    puzzle, state = scene(I_TALL, 5, 17)
    rows = (*["X....X...."] * 17, *["XXXXX.XXXX"] * 4)
    state = state._replace(rows=rows)
    while not state.events.locked:
        state = puzzle.apply(state, SOFT)
    assert state.events.cleared == (17, 18, 19)
    assert state.rows[17:] == ("XXXXXIXXXX",)
    assert len(state.rows) == 18, "it comes down with the rest"


def test_it_is_over_when_the_next_piece_cannot_appear() -> None:
    puzzle, state = scene(I_TALL, 5, 17, *["....XX...."] * 17)
    while state.status == "playing":
        state = puzzle.apply(state, SOFT)
    assert state.status == "block out"
    assert state.placed == 1
    assert puzzle.observe(state).cells == ()


def test_a_sprint_of_the_seed_is_won_after_its_lines() -> None:
    puzzle = Modern(Level(rules="article", lines=2))
    state = puzzle.initial()._replace(rows=("XXXXXXXX..",) * 2, active=Flying(Position(O_FORM, 8, 0), O_FORM))
    while state.status == "playing":
        state = puzzle.apply(state, 0)
    assert (state.status, state.tally.lines, state.rows) == ("won", 2, ())


def test_what_is_seen() -> None:
    puzzle = Modern(Level(mode="endless", rules="article", dice=SEED))
    seen = puzzle.observe(puzzle.initial())
    piece, turn = TURNED[form_of(SEED, 0)]
    assert (seen.piece, seen.turn, seen.can_hold, seen.goal) == (NAMES[piece], turn, False, None)
    piece, turn = TURNED[form_of(SEED, 1)]
    assert list(seen.following) == [(NAMES[piece], turn)]
    assert min(y for _, y in seen.ghost) == 0
    assert puzzle.num_actions == ALL_KEYS + 1
