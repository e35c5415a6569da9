"""What holds after every frame, whatever is pressed."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.tetris.modern.players.test_replay import GOLDEN, HANDLINGS
from tests.games.tetris.modern.rules.scenes import filled
from winnable.games.tetris.modern.players.replay import decode
from winnable.games.tetris.modern.rules.level import Handling, Level
from winnable.games.tetris.modern.rules.piece import LOCK_RESETS
from winnable.games.tetris.modern.rules.puzzle import AnyState, Modern
from winnable.games.tetris.modern.rules.state import LEFT, RIGHT, SOFT
from winnable.levels.files import decode as decode_level

HELD = [0, *(1 << bit for bit in range(8)), LEFT | SOFT, RIGHT | SOFT]
KEYS = st.lists(
    st.tuples(st.sampled_from([1, 1, 1, 2, 5, 15, 40]), st.sampled_from(HELD))
    | st.tuples(st.integers(1, 3), st.integers(0, 255)),
    min_size=20,
    max_size=120,
)
"""Runs of frames, and the keys that are down."""


def check(puzzle: Modern, state: AnyState) -> None:
    """The invariants of a game that began with an empty board."""
    rows = state.rows
    assert len(rows) <= 40
    assert all(len(row) == 10 and "." in row for row in rows)
    assert not rows or rows[-1] != "." * 10
    seen = puzzle.observe(state)
    if state.status == "playing":
        assert len(set(seen.cells)) == 4
        for x, y in (*seen.cells, *seen.ghost):
            assert 0 <= x < 10
            assert 0 <= y < 40
            assert y >= len(rows) or rows[y][x] == "."
        assert min(y for _, y in seen.ghost) <= min(y for _, y in seen.cells)
    dealt = state.dealt - state.placed - (state.status == "playing") - bool(state.hold)
    assert dealt in (0, 1), "every piece dealt is on the board, in play, held, or could not appear"


def play(level: Level, handling: Handling, runs: Any) -> None:
    puzzle = Modern(level, handling)
    state, cells = puzzle.initial(), 0
    for frames, keys in runs:
        for _ in range(frames):
            if state.status != "playing":
                return
            before = state
            state = puzzle.apply(state, keys)
            events = state.events
            assert state.frames == before.frames + 1
            assert state.placed == before.placed + bool(events.locked)
            assert state.tally.lines == before.tally.lines + len(events.cleared)
            assert state.tally.score >= before.tally.score
            cells += len(events.locked) - 10 * len(events.cleared)
            if events.emptied:  # before the piece of this frame was locked, or after
                cells = filled(state.rows)
                assert cells in (0, len(events.locked))
            assert filled(state.rows) == cells
            if level.mode != "zen":
                assert cells == 4 * state.placed - 10 * state.tally.lines
            check(puzzle, state)
            if level.rules == "guideline":
                assert 0 <= state.active.resets <= LOCK_RESETS
                assert state.active.timer <= 31


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["endless", "zen", "marathon", "sprint"]),
    st.integers(0, 10_000),
    st.integers(1, 15),
    HANDLINGS,
    KEYS,
)
def test_the_guidelines_game(mode: Any, dice: int, start: int, handling: Handling, runs: Any) -> None:
    play(Level(mode=mode, dice=dice, start_level=start), handling, runs)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), KEYS)
def test_the_seeds_game(dice: int, runs: Any) -> None:
    play(Level(mode="endless", rules="article", dice=dice), Handling(), runs)


def test_a_whole_sprint() -> None:
    """With real clears; ended games have no piece in play."""
    level, log, _ = GOLDEN[0]
    sprint = decode_level(level.encode(), Level)
    assert not sprint.board
    play(sprint, decode(log).handling, decode(log).runs)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), KEYS)
def test_states_are_values(dice: int, runs: Any) -> None:
    """A state that was stepped from stays as it was."""
    puzzle = Modern(Level(mode="zen", dice=dice))
    state = puzzle.initial()
    for _, keys in runs:
        before = hash(state)
        after = puzzle.apply(state, keys)
        assert hash(state) == before
        assert puzzle.apply(state, keys) == after
        state = after
