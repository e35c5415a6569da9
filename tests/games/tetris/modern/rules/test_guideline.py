"""What else the guideline's rules are: hold, drops, gravity, levels, how games end, and what is seen."""

from fractions import Fraction

import msgspec
import pytest

from tests.games.tetris.modern.rules.scenes import Scene
from winnable.contract.core import IllegalAction
from winnable.games.tetris.modern.rules.bag import piece_of
from winnable.games.tetris.modern.rules.gravity import rows_a_frame
from winnable.games.tetris.modern.rules.level import Handling, Level
from winnable.games.tetris.modern.rules.puzzle import Modern
from winnable.games.tetris.modern.rules.scoring import Tally
from winnable.games.tetris.modern.rules.state import CCW, CW, HALF, HARD, HOLD, LEFT, NOTHING, SOFT

SEED = 11


def game(**fields: object) -> Modern:
    return Modern(msgspec.convert({"format": "winnable.modern/1", "dice": SEED, **fields}, Level))


def test_hold_takes_the_next_piece_once_and_swaps_later() -> None:
    puzzle = game()
    first, second, third = (piece_of(SEED, number) for number in range(3))
    state = puzzle.apply(puzzle.initial(), HOLD)
    assert (state.active.piece, state.hold, state.dealt, state.events.held) == (second, first, 2, True)
    again = puzzle.apply(puzzle.apply(state, 0), HOLD)
    assert (again.active.piece, again.hold, again.events.held) == (second, first, False)
    assert not puzzle.observe(again).can_hold
    locked = puzzle.apply(puzzle.apply(again, HARD), 0)
    assert (locked.active.piece, locked.hold, locked.has_held) == (third, first, False)
    swapped = puzzle.apply(locked, HOLD)
    assert (swapped.active.piece, swapped.hold, swapped.dealt) == (first, third, 3)
    assert (swapped.active.turn, swapped.active.x, swapped.active.y) == (0, 4, 19)


def test_a_held_piece_comes_back_unturned() -> None:
    puzzle = game()
    state = puzzle.apply(puzzle.initial(), CW)
    assert state.active.turn == 1
    state = puzzle.apply(puzzle.apply(puzzle.apply(state, HOLD), HARD), HOLD)
    assert state.active.piece == piece_of(SEED, 0)
    assert state.active.turn == 0


def test_keys_that_stay_down_act_once() -> None:
    scene = Scene(piece="T", at=(4, 10))
    scene.step(CW, CW, CW)
    assert scene.state.active.turn == 1
    scene.step(HARD, HARD, HARD)
    assert scene.state.placed == 1


@pytest.mark.parametrize(
    ("keys", "turn"), [(CW, 1), (HALF, 2), (CCW, 3), (CW | CCW, 0), (CW | HALF, 3), (CCW | HALF, 1)]
)
def test_turns(keys: int, turn: int) -> None:
    assert Scene(piece="T", at=(4, 10)).step(keys).active.turn == turn


def test_a_hard_drop_locks_at_once_and_the_next_piece_is_there() -> None:
    puzzle = game()
    state = puzzle.apply(puzzle.initial(), HARD)
    assert len(state.events.locked) == 4
    assert min(y for _, y in state.events.locked) == 0
    assert state.active.piece == piece_of(SEED, 1)
    assert (state.placed, state.frames, state.dealt) == (1, 1, 2)
    assert puzzle.apply(state, 0).events == NOTHING


def test_the_ghost_is_where_a_hard_drop_goes() -> None:
    puzzle = game(board=["XX.XX.XX.X"] * 3)
    state = puzzle.apply(puzzle.apply(puzzle.initial(), CW), LEFT)
    ghost = puzzle.observe(state).ghost
    assert ghost == puzzle.apply(state, HARD).events.locked


@pytest.mark.parametrize(
    ("level", "seconds"), [(1, 1.0), (2, 0.793), (3, 0.61780), (10, 0.06415), (15, 0.00706), (20, 0.00046)]
)
def test_gravity_is_the_guidelines(level: int, seconds: float) -> None:
    """Figures as the tetris wiki rounds them."""
    assert float(1 / (60 * rows_a_frame(level))) == pytest.approx(seconds, abs=2e-5)
    assert rows_a_frame(2) == Fraction(1000, 793 * 60)


@pytest.mark.parametrize("level", [1, 5, 9])
def test_a_piece_falls_when_its_time_has_come_exactly(level: int) -> None:
    scene = Scene(piece="O", at=(4, 15), start_level=level)
    for frame in range(1, 200):
        y = scene.step(0).active.y
        assert y == max(0, 15 - frame * rows_a_frame(level) // 1) or y == 0
        if y == 0:
            break


def test_at_level_20_a_piece_is_on_the_ground_in_its_first_frame() -> None:
    assert Scene(piece="O", at=(4, 15), start_level=20).step(0).active.y == 0


def test_soft_drop_is_so_many_times_faster() -> None:
    scene = Scene(piece="O", at=(4, 10), handling=Handling(soft=20))
    assert [scene.step(SOFT).active.y for _ in range(7)] == [10, 10, 9, 9, 9, 8, 8]


def test_a_sprint_is_won_after_its_lines() -> None:
    scene = Scene("XXXXXXXXX. " * 4, piece="I", turn=1, at=(9, 2), mode="sprint")
    scene.state = scene.state._replace(tally=Tally(lines=36))
    after = scene.drop()
    assert after.status == "won"
    assert scene.puzzle.is_goal(after)
    assert list(scene.puzzle.legal_actions(after)) == []
    with pytest.raises(IllegalAction, match="won"):
        scene.puzzle.apply(after, 0)
    seen = scene.puzzle.observe(after)
    assert (seen.piece, seen.cells, seen.ghost, seen.status) == ("", (), (), "won")


def test_a_marathon_has_levels_of_ten_lines_and_ends_after_150() -> None:
    board = "X......... " + "XXXXXXXXX. " * 4
    scene = Scene(board, piece="I", turn=1, at=(9, 2), mode="marathon")
    scene.state = scene.state._replace(tally=Tally(lines=18))
    assert scene.puzzle.observe(scene.state).level == 2
    after = scene.drop()
    assert after.events.level_up
    assert after.tally.score == 800 * 2, "worth what the level was before"
    assert scene.puzzle.observe(after).level == 3
    scene = Scene("XXXXXXXXX. " * 4, piece="I", turn=1, at=(9, 2), mode="marathon")
    scene.state = scene.state._replace(tally=Tally(lines=146))
    assert scene.puzzle.observe(scene.state).level == 15
    assert scene.drop().status == "won"
    late = Modern(Level(mode="marathon", start_level=7))
    assert late.observe(late.initial()).level == 7


TOWER = "...XXXX... " * 20


def test_block_out_is_when_the_next_piece_cannot_appear() -> None:
    after = Scene("...XXXX... " * 19, piece="I", turn=1, at=(4, 30)).step(HARD)
    assert after.status == "block out"
    assert sorted(y for _, y in after.events.locked) == [19, 20, 21, 22]


def test_lock_out_is_for_pieces_wholly_above_the_visible_rows() -> None:
    above = Scene(TOWER, piece="I", at=(4, 20)).step(HARD)
    assert above.status == "lock out"
    partly = Scene("...XXXX... " * 19, piece="O", at=(8, 19)).step(HARD)
    assert partly.status == "playing"


def test_hold_may_block_out_too() -> None:
    scene = Scene(TOWER, piece="O", at=(0, 20))
    scene.state = scene.state._replace(rows=(*scene.state.rows, "...XXXX..."))
    after = scene.step(HOLD)
    assert (after.status, after.frames) == ("block out", 1)


@pytest.mark.parametrize("height", [20, 21])
def test_zen_empties_the_board_instead(height: int) -> None:
    scene = Scene(TOWER, piece="O", at=(8, 30), mode="zen")
    tally = Tally(score=7, lines=3, combo=2, back_to_back=2)
    rows = ("...XXXX...",) * height
    scene.state = scene.state._replace(tally=tally, rows=rows)
    scene.put("O", 0, (4, height))
    after = scene.step(HARD)
    assert (after.status, after.rows, after.events.emptied) == ("playing", (), True)
    assert (after.tally.score, after.tally.lines, after.tally.combo) == (7, 3, -1)
    assert scene.puzzle.legal_actions(after)


def test_what_is_seen() -> None:
    puzzle = game(board=["X.........", "TT........"])
    seen = puzzle.observe(puzzle.initial())
    assert len(seen.rows) == 20
    assert seen.rows[-2:] == ("X.........", "TT........")
    assert seen.piece == piece_of(SEED, 0)
    assert [piece for piece, _ in seen.following] == [piece_of(SEED, number) for number in range(1, 6)]
    assert (seen.goal, seen.status, seen.hold, seen.can_hold) == (40, "playing", "", True)
    assert len(seen.cells) == len(seen.ghost) == 4
    assert msgspec.json.decode(msgspec.json.encode(seen))["goal"] == 40


def test_actions_have_names() -> None:
    puzzle = game()
    for action in range(puzzle.num_actions):
        assert puzzle.parse_action(puzzle.action_name(action)) == action
    assert puzzle.action_name(LEFT | CW) == "left+cw"
    with pytest.raises(IllegalAction, match="'jump' is no key"):
        puzzle.parse_action("left+jump")
    for action in (-1, 256):
        with pytest.raises(IllegalAction, match="no set of keys"):
            puzzle.apply(puzzle.initial(), action)
    assert puzzle.cost(puzzle.initial(), 0) == 1
