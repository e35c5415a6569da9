"""The rules of rotate: how blocks turn, what is a cluster, how turns are written, when it is over."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.rotate import independent
from tests.games.rotate.boards import level_of, levels
from winnable.contract.core import IllegalAction, LevelError, replay
from winnable.games.rotate.levels.text import format_board, parse_board
from winnable.games.rotate.rules import notation
from winnable.games.rotate.rules.blocks import turned
from winnable.games.rotate.rules.clusters import FEW, cluster_numbers, hang_together, largest_clusters
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate, State

ARTICLE_MOVES = ("3,1,2,3", "1,2,2,2", "4,4,2,1", "4,1,2,1", "2,1,2,2", "2,3,4,2")
"""Of the article's 5 × 5 board, as printed."""


def grid(cells: Sequence[int], columns: int) -> independent.Grid:
    return {(place % columns, place // columns): cell for place, cell in enumerate(cells)}


def puzzle(code: str) -> Rotate:
    return Rotate(parse_board(code))


def test_a_quarter_goes_clockwise() -> None:
    rotate = puzzle("123/456/789")
    turns = {rotate.action_name(action): action for action in range(rotate.num_actions)}
    assert len(turns) == 12
    start = rotate.initial()
    for name, after in (("1,1,2,1", "413/526/789"), ("2,2,2,2", "123/498/765"), ("2,1,2,3", "136/425/789")):
        assert turned(start.cells, 3, *rotate.block(turns[name])) == parse_board(after).cells
    assert start == rotate.initial()


@given(levels())
def test_next_boards_are_those_of_the_second_engine(level: Level) -> None:
    rotate = Rotate(level)
    columns = rotate.columns
    ours = sorted(turned(level.cells, columns, *rotate.block(action)) for action in range(rotate.num_actions))
    theirs = [
        tuple(cell for _, cell in sorted(after.items(), key=lambda item: item[0][::-1]))
        for after in independent.next_grids(grid(level.cells, columns), level.rules == "pairs")
    ]
    assert ours == sorted(theirs)


@pytest.mark.parametrize(
    ("code", "depth", "walks"),
    [
        ("012/345", 5, 6**5),
        ("0123/4567", 4, 9**4),
        ("012/345/678", 4, 12**4),
        ("0123/4567/89ab/cdef", 2, 30**2),
    ],
)
def test_as_many_boards_after_so_many_turns(code: str, depth: int, walks: int) -> None:
    """All cells differ, so that each arrangement counts."""
    rotate = puzzle(code)
    assert rotate.num_actions**depth == walks
    ours, known = {rotate.initial().cells}, dict[tuple[object, ...], independent.Grid]()
    theirs = [grid(rotate.initial().cells, rotate.columns)]
    for _ in range(depth):
        ours = {
            turned(cells, rotate.columns, *rotate.block(action))
            for cells in ours
            for action in range(rotate.num_actions)
        }
        known = {
            tuple(sorted(after.items())): after
            for before in theirs
            for after in independent.next_grids(before, False)
        }
        theirs = list(known.values())
    assert len(ours) == len(theirs)
    assert {tuple(sorted(grid(cells, rotate.columns).items())) for cells in ours} == set(known)


def test_three_by_two_reaches_a_sixth_of_all_arrangements() -> None:
    """R. Lam, Solution to the Number Rotation Puzzle: S5 in its exotic place in S6."""
    rotate = puzzle("012/345")
    known, edge = {rotate.initial().cells}, [rotate.initial().cells]
    while edge:
        cells = edge.pop()
        for action in range(rotate.num_actions):
            after = turned(cells, 3, *rotate.block(action))
            if after not in known:
                known.add(after)
                edge.append(after)
    assert len(known) == 120


@given(levels(), st.data())
def test_turns_undo_each_other(level: Level, data: st.DataObject) -> None:
    rotate = Rotate(level)
    block, _ = rotate.block(data.draw(st.integers(0, rotate.num_actions - 1)))
    cells, columns = level.cells, level.columns
    quarters = [turned(cells, columns, block, count) for count in range(4)]
    assert quarters[0] == turned(quarters[3], columns, block, 1) == cells
    assert quarters[2] == turned(quarters[1], columns, block, 1)
    assert turned(quarters[3], columns, block, 3) == quarters[2]
    assert all(sorted(after) == sorted(cells) for after in quarters)


def test_of_many_pairs_all_hang_together_or_one_does_not() -> None:
    paired = [place // 2 for place in range(2 * FEW + 4)]
    assert hang_together(paired, len(paired))
    for place in (1, len(paired) - 3):
        apart = paired.copy()
        apart[place], apart[place + 1] = apart[place + 1], apart[place]
        assert not hang_together(apart, len(apart))


@given(levels())
def test_clusters_are_those_of_the_second_engine(level: Level) -> None:
    numbers = cluster_numbers(level.cells, level.columns)
    assert max(numbers) + 1 == independent.clusters(grid(level.cells, level.columns))
    first_seen = list(dict.fromkeys(numbers))
    assert first_seen == sorted(first_seen)
    assert hang_together(level.cells, level.columns) == (max(numbers) + 1 == level.colours)
    largest = largest_clusters(level.cells, numbers)
    sizes = {number: numbers.count(number) for number in numbers}
    for colour, size in largest.items():
        assert size == max(sizes[n] for n, cell in zip(numbers, level.cells, strict=True) if cell == colour)


def test_the_seeds_moves_are_sides_and_not_radii() -> None:
    """A finished board taken back through them is solved by them; as a radius the first is off the board."""
    finished = parse_board("11222/11222/33444/33444/33444")
    rotate = Rotate(finished)
    cells = finished.cells
    for name in reversed(ARTICLE_MOVES):
        block, quarters = rotate.block(rotate.parse_action(name))
        cells = turned(cells, 5, block, 4 - quarters)
    scrambled = Rotate(level_of(cells, 5))
    line = [scrambled.parse_action(name) for name in ARTICLE_MOVES]
    assert scrambled.is_goal(replay(scrambled, line))
    with pytest.raises(IllegalAction, match="no such block"):
        scrambled.parse_action(f"r:{ARTICLE_MOVES[0]}")
    for action in line:
        assert scrambled.parse_action(notation.radius_name(*scrambled.block(action))) == action


@given(levels())
def test_names_are_read_back(level: Level) -> None:
    rotate = Rotate(level)
    for action in range(0, rotate.num_actions, 7):
        assert rotate.parse_action(rotate.action_name(action)) == action


@pytest.mark.parametrize(
    "name", ["", "1,1,2", "1,1,3,1", "1,1,2,4", "0,1,2,1", "3,3,2,1", "2,2,4,1", "r:0,0,2,1"]
)
def test_bad_turns_are_refused(name: str) -> None:
    with pytest.raises(IllegalAction):
        puzzle("123/123/123").parse_action(name)


@given(levels(), st.data())
def test_legal_actions_are_those_that_apply_accepts(level: Level, data: st.DataObject) -> None:
    rotate = Rotate(level)
    state = rotate.initial()
    for _ in range(3):
        legal = rotate.legal_actions(state)
        seen = rotate.observe(state)
        assert seen.status == ("playing" if legal else "won" if rotate.is_goal(state) else "lost")
        assert (seen.excess == 0) == rotate.is_goal(state)
        assert (
            len(seen.finished) == rotate.colours
            if rotate.is_goal(state)
            else len(seen.finished) < rotate.colours
        )
        if not legal:
            with pytest.raises(IllegalAction):
                rotate.apply(state, 0)
            break
        action = data.draw(st.sampled_from(legal))
        first, last = rotate.trace(state, action)
        assert first.cells == state.cells
        state = rotate.apply(state, action)
        assert last.cells == state.cells
    for action in (-1, rotate.num_actions):
        with pytest.raises(IllegalAction):
            rotate.apply(rotate.initial(), action)


def test_turns_run_out() -> None:
    rotate = puzzle("12/21,turns=2")
    state = rotate.apply(rotate.apply(rotate.initial(), 0), 0)
    assert state == State((1, 2, 2, 1), 0)
    assert rotate.observe(state).status == "lost"


@given(levels())
def test_levels_are_read_back(level: Level) -> None:
    assert parse_board(format_board(level)) == level


def test_many_labels_are_written_as_numbers() -> None:
    cells = [label for label in range(40) for _ in (0, 1)]
    level = level_of(cells, 10, "pairs")
    assert format_board(level).startswith("0.0.1.1.2.2")
    assert parse_board(format_board(level)) == level


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("", "board"),
        ("1", "1 cell, "),
        ("12", "one row"),
        ("1/2", "1 cell, "),
        ("12/1", "1 cell, "),
        ("123/12", "2 cells, but the first row has 3"),
        ("11/11", "one colour"),
        ("12/2!", "'!' at column 2"),
        ("12//21", "an empty row"),
        ("/".join(["12" * 33] * 3), "66 cells"),
        ("/".join(["12"] * 65), "more than 64 rows"),
        ("12/21,turns=x", "turns"),
        ("12/21,turns=2,turns=3", "twice"),
        ("12/21,rules=none", "rules"),
        ("12/33,rules=pairs", "label 1 is there 1 time,"),
        ("1.9999/2.1", "'9999'"),
        ("12/21,size=3", "size=3"),
        ("0123456789abcdef/ghijklmnopqrstuv", "32 colours"),
    ],
)
def test_bad_levels_are_refused_by_name(code: str, error: str) -> None:
    with pytest.raises(LevelError, match=error):
        parse_board(code)
