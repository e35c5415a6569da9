"""The bot: what it plans is what the rules play, and its search finds the best of what it looks at."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import fresh_python
from tests.games.tetris.modern.players.test_placements import appears, boards, columns_of, compiled
from tests.games.tetris.modern.players.test_replay import HANDLINGS
from winnable.contract.core import IllegalAction, LevelError, WinnableError, replay
from winnable.games.tetris.modern.players import bot_kernels, move_kernels, value_kernels
from winnable.games.tetris.modern.players.bot import Bot
from winnable.games.tetris.modern.players.fingering import keys_for
from winnable.games.tetris.modern.players.placements import Placement, placements
from winnable.games.tetris.modern.players.weights import STYLES, WEIGHTS, Style
from winnable.games.tetris.modern.rules import board
from winnable.games.tetris.modern.rules.level import Handling, Level, Mode
from winnable.games.tetris.modern.rules.puzzle import AnyState, Modern
from winnable.games.tetris.modern.rules.scoring import Clear, Spin, Tally, award
from winnable.games.tetris.modern.rules.srs import SPAWN, fits, shape
from winnable.games.tetris.rules.pieces import NAMES

TABLES, SENT, WORK = move_kernels.new_tables(), value_kernels.new_sent(), move_kernels.new_workspace()


def board_of(rows: Sequence[str]) -> tuple[str, ...]:
    return tuple(reversed(rows))


def game(level: Level, style: Style, pieces: int = 1000, width: int = 10, start: Any = None) -> AnyState:
    puzzle, bot = Modern(level), Bot(level, style=style, width=width)
    state = puzzle.initial() if start is None else start
    while state.status == "playing" and state.placed < pieces:
        state = puzzle.apply(state, bot.choose(state))
    return state


@settings(max_examples=150, deadline=None)
@given(boards(), st.integers(1, 20), st.integers(0, 1000), HANDLINGS, st.sampled_from(STYLES))
def test_the_keys_lock_the_piece_where_the_plan_says(
    rows: tuple[str, ...], start_level: int, dice: int, handling: Handling, style: Style
) -> None:
    level = Level(mode="endless", board=board_of(rows), start_level=start_level, dice=dice)
    puzzle = Modern(level, handling)
    bot, state = Bot(level, handling, style, width=5, depth=2), puzzle.initial()
    plan = bot.plan(state)
    assert plan.path[-1] == "hard"
    for frame, keys in enumerate(plan.keys):
        assert state.status == "playing"
        assert state.placed == 0, "it locks in the last frame and not before"
        assert bot.next_keys(state) == keys, frame
        state = puzzle.apply(state, keys)
    assert set(state.events.locked) == set(plan.placement.cells)
    assert state.events.clear.startswith("t-spin") == bool(plan.placement.spin)
    assert ("mini" in state.events.clear) == (plan.placement.spin == "mini")


@settings(max_examples=60, deadline=None)
@given(boards(), st.integers(0, 1000), st.sampled_from([1, 5, 20, "instant"]))
def test_on_the_first_level_gravity_never_thwarts_a_path(rows: tuple[str, ...], dice: int, soft: Any) -> None:
    puzzle = Modern(Level(mode="endless", board=board_of(rows), dice=dice), Handling(soft=soft))
    state = puzzle.initial()
    for rest, way in placements(state.rows, state.active).items():
        line = keys_for(puzzle.rules, state, (*way.taps, "hard"), rest, grounded=False)
        assert line is not None
        last, keys = line[-1]
        assert set(puzzle.apply(last, keys).events.locked) == set(rest.cells)


@settings(max_examples=60, deadline=None)
@given(boards(), st.integers(0, 1000), st.integers(14, 20))
def test_grounded_paths_can_be_played_where_gravity_is_fast(
    rows: tuple[str, ...], dice: int, start_level: int
) -> None:
    """Unless the lock delay runs out, which takes more moves than most need."""
    level = Level(mode="endless", board=board_of(rows), dice=dice, start_level=start_level)
    puzzle = Modern(level)
    state = puzzle.initial()
    for rest, way in placements(state.rows, state.active, grounded=True).items():
        line = keys_for(puzzle.rules, state, (*way.taps, "hard"), rest, grounded=True)
        assert line is not None or way.cost > 15


@pytest.mark.parametrize("dice", range(4))
@pytest.mark.parametrize("style", STYLES)
def test_a_sprint_is_finished(dice: int, style: Style) -> None:
    state = game(Level(dice=dice), style)
    assert state.status == "won"
    assert 100 <= state.placed <= 150


def test_a_marathon_gets_past_the_level_where_pieces_are_on_the_ground_at_once() -> None:
    state = game(Level(mode="marathon", start_level=15), "marathon", pieces=150)
    assert state.status == "playing"
    assert state.tally.lines >= 50


def test_the_same_game_again_also_when_another_bot_takes_over() -> None:
    level = Level(mode="endless", dice=5)
    whole = game(level, "attack", 30)
    assert game(level, "attack", 30) == whole
    assert game(level, "attack", 30, start=game(level, "attack", 15)) == whole


def test_it_plans_anew_when_the_state_is_another_one() -> None:
    """In the middle of a fall, after keys that it did not ask for."""
    level = Level(mode="endless", dice=5)
    puzzle, bot = Modern(level), Bot(level, width=5)
    state = puzzle.initial()
    bot.next_keys(state)
    for keys in (2, 0, 2, 0, 16, 0):
        state = puzzle.apply(state, keys)
    plan = bot.plan(state)
    for _ in plan.keys:
        state = puzzle.apply(state, bot.next_keys(state))
    assert set(state.events.locked) == set(plan.placement.cells)


def test_it_takes_a_tetris_and_a_t_spin_double() -> None:
    """When only the next placement counts."""
    scenes = {
        "I": (("XXXXXXXXX.",) * 4, "tetris"),
        "T": (("XXXX......", "XXX...XXXX", "XXXX.XXXXX"), "t-spin double"),
    }
    for piece, (rows, name) in scenes.items():
        dice = next(seed for seed in range(100) if Modern(Level(dice=seed)).initial().active.piece == piece)
        level = Level(mode="endless", board=rows, dice=dice)
        puzzle = Modern(level)
        state = replay(puzzle, Bot(level, depth=1).plan(puzzle.initial()).keys)
        assert state.last == name


def test_the_value_of_a_board_falls_with_holes_and_height() -> None:
    level = Level()
    bot, state = Bot(level), Modern(level).initial()
    flat, hole = "XXXXXXXXX.", "X.XXXXXXX."
    values = [
        bot.evaluate(state._replace(rows=rows)) for rows in ((), (flat,), (hole, flat), (hole, hole, flat))
    ]
    assert values[1] > values[2] > values[3]
    assert values[0] > values[2]
    assert values[0] == 0


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([("", 4), ("mini", 2), ("full", 3)]),
    st.data(),
    st.integers(-1, 20),
    st.integers(0, 3),
    st.booleans(),
)
def test_attack_is_that_of_the_rules(
    spin: tuple[Spin, int], data: st.DataObject, combo: int, chain: int, perfect: bool
) -> None:
    lines = data.draw(st.integers(1, spin[1]))
    only_attack = value_kernels.Weights(*[0.0] * len(WEIGHTS["attack"]))._replace(attack=1.0)
    sent = value_kernels.reward(
        NAMES.index("T"),
        lines,
        move_kernels.SPINS.index(spin[0]),
        3,
        combo + 1,
        chain,
        perfect,
        only_attack,
        SENT,
    )
    assert sent == award(Tally(combo=combo, back_to_back=chain), Clear(lines, spin[0], perfect), 1).attack


@dataclass
class Path:
    """A way through the tree of `best_by_brute_force`."""

    rows: tuple[str, ...]
    hold: str
    taken: int
    combo: int
    chain: int
    earned: float


def followers(path: Path, pieces: str, first: bool) -> Iterator[Path]:
    choices = [(pieces[path.taken], path.hold, path.taken + 1)]
    if path.hold:
        choices.append((path.hold, pieces[path.taken], path.taken + 1))
    elif path.taken + 1 < len(pieces):
        choices.append((pieces[path.taken + 1], pieces[path.taken], path.taken + 2))
    weights = WEIGHTS["attack"]
    for piece, hold, taken in choices:
        if not fits(path.rows, shape(piece, 0), *SPAWN):
            continue
        for rest, way in compiled(path.rows, appears(piece), grounded=False).items():
            if min(y for _, y in rest.cells) >= 20:
                continue
            filled = board.put(path.rows, rest.cells, "X")
            full = board.full_rows(filled)
            rows, lines, spin = board.without(filled, full), len(full), move_kernels.SPINS.index(rest.spin)
            combo = path.combo + 1 if lines else -1
            value = value_kernels.reward(
                NAMES.index(piece), lines, spin, way.cost, combo, path.chain, not rows, weights, SENT
            )
            chain = path.chain if not lines else int(lines == 4 or spin > 0)
            yield Path(rows, hold, taken, combo, chain, path.earned + value)


def best_by_brute_force(start: Path, pieces: str, depth: int) -> float:
    """Of every row of placements; that bits find all of them is the matter of `test_placements`."""
    paths = [start]
    for played in range(depth):
        paths = [after for path in paths for after in followers(path, pieces, played == 0)]
    heights = np.zeros(10, np.int64)
    return max(
        path.earned + value_kernels.board_value(columns_of(path.rows), WEIGHTS["attack"], heights)
        for path in paths
    )


@settings(max_examples=10, deadline=None)
@given(
    boards().filter(lambda rows: len(rows) <= 10),
    st.text(NAMES, min_size=3, max_size=3),
    st.sampled_from(["", *NAMES]),
    st.integers(0, 1),
)
def test_a_beam_that_drops_nothing_finds_the_best_of_two_pieces(
    rows: tuple[str, ...], pieces: str, hold: str, chain: int
) -> None:
    active, beam = appears(pieces[0]), bot_kernels.new_beam(500)
    start = bot_kernels.Start(
        columns_of(rows),
        NAMES.index(hold) if hold else bot_kernels.EMPTY,
        True,
        np.array([NAMES.index(piece) for piece in pieces]),
        bot_kernels.Pose(0, active.x, active.y, 0),
        -1,
        chain,
        False,
    )
    count = bot_kernels.search(start, 2, WEIGHTS["attack"], TABLES, SENT, WORK, beam)
    expected = best_by_brute_force(Path(rows, hold, 0, -1, chain, 0.0), pieces, 2)
    assert beam.first_values[:count].max() == pytest.approx(expected)


def test_plain_python_plans_the_same() -> None:
    program = (
        "from winnable.games.tetris.modern.players.bot import Bot\n"
        "from winnable.games.tetris.modern.rules.level import Level\n"
        "from winnable.games.tetris.modern.rules.puzzle import Modern\n"
        "level = Level(mode='endless', board=('XXXX......', 'XXX...XXXX', 'XXXX.XXXXX'), dice=3)\n"
        "print(Bot(level, width=3, depth=3).plan(Modern(level).initial()))"
    )
    assert "placement=" in fresh_python.printed_either_way(program)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"style": "slow"}, "style"),
        ({"width": 0}, "width"),
        ({"width": 10**6}, "width"),
        ({"depth": 0}, "depth"),
        ({"depth": 8}, "depth"),
    ],
)
def test_bad_arguments(changed: dict[str, Any], named: str) -> None:
    with pytest.raises(WinnableError, match=f"^{named}: "):
        Bot(Level(), **changed)


def test_what_it_cannot_play() -> None:
    with pytest.raises(LevelError, match=r"^rules: "):
        Bot(Level(rules="article"))
    state = Modern(Level()).initial()._replace(status="won")
    with pytest.raises(IllegalAction, match="has ended"):
        Bot(Level()).plan(state)


@pytest.mark.parametrize("mode", ["zen", "endless"])
def test_a_lost_position_is_played_to_its_end(mode: Mode) -> None:
    """Every row up to the top has a gap at a wall: nothing can be saved."""
    rows = tuple("X.XXXXXXXX" if index % 2 else ".XXXXXXXXX" for index in range(20))
    level = Level(mode=mode, board=rows)
    state = game(level, "marathon", pieces=3)
    assert state.placed >= 1
    assert isinstance(Bot(level).plan(Modern(level).initial()).placement, Placement)
