"""Chains: the rules against a second implementation, counted lines of play, and what never changes."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.drops.boards import RULES, SEEDS, clicks, levels, rows
from tests.games.drops.independent import Game, board_of, cells_of, click
from tests.reference.perft import divide, perft
from winnable.games.drops.levels.text import format_board, parse_board
from winnable.games.drops.rules.chain import RULE_SETS, Frame, run_chain
from winnable.games.drops.rules.level import FULL, Level, RuleName
from winnable.games.drops.rules.puzzle import Drops, State

PERFT = Path(__file__).parent / "perft.txt"


def last_frame(rows_: tuple[str, ...], clicked: int, rules: RuleName) -> Frame:
    *_, last = run_chain(Level(rows_).cells, len(rows_[0]), clicked, RULE_SETS[rules])
    return last


@given(levels(), SEEDS)
def test_both_implementations_play_the_same_game(level: Level, seed: int) -> None:
    puzzle, rng = Drops(level), random.Random(seed)
    state, board = puzzle.initial(), board_of(level.board)
    while legal := puzzle.legal_actions(state):
        cell = rng.choice(legal)
        burst = [cell for frame in puzzle.trace(state, cell) for cell in frame.burst]
        state = puzzle.apply(state, cell)
        row, column = divmod(cell, level.columns)
        after = click(board, (column, row), level.columns, level.rows, level.rules)
        board = after.board
        assert state.cells == cells_of(board, level.columns, level.rows)
        assert sorted(burst) == sorted(x + y * level.columns for x, y in after.burst)
        if level.rules != "symmetric":
            assert burst == [x + y * level.columns for x, y in after.burst]
        if level.open and rng.random() < 0.1:  # such a game need not end by itself
            return


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("size", [(32, 32), (1, 32), (32, 1), (20, 31)])
def test_both_implementations_agree_on_large_boards(rules: RuleName, size: tuple[int, int]) -> None:
    rng = random.Random(f"{size}")
    height, width = size
    board = tuple("".join(rng.choice("0344") for _ in range(width)) for _ in range(height))
    clicked = rng.choice([cell for cell, drops in enumerate("".join(board)) if drops == "4"])
    row, column = divmod(clicked, width)
    expected = click(board_of(board), (column, row), width, height, rules)
    last = last_frame(board, clicked, rules)
    assert last.cells == cells_of(expected.board, width, height)
    assert last.bursts == len(expected.burst)


@given(levels(), SEEDS)
def test_the_trace_ends_where_apply_leads(level: Level, seed: int) -> None:
    puzzle = Drops(level)
    for state, cell in clicks(puzzle, seed):
        frames = puzzle.trace(state, cell)
        assert frames[-1].cells == puzzle.apply(state, cell).cells
        assert frames[-1].flying == ()
        assert all(frame.flying for frame in frames[:-1])
        assert [frame.tick for frame in frames] == sorted(frame.tick for frame in frames)
        burst = [cell for frame in frames for cell in frame.burst]
        assert [frame.bursts for frame in frames][-1] == len(burst)
        assert len(burst) == len(set(burst)), "no cell bursts twice in a chain"


@given(levels(), SEEDS)
def test_water_is_conserved_and_empty_cells_stay_empty(level: Level, seed: int) -> None:
    """A click brings one drop; a burst turns five into four droplets, and those fly, rest or are lost."""
    puzzle = Drops(level)
    burst_ever: list[int] = []
    for state, cell in clicks(puzzle, seed):
        frames = puzzle.trace(state, cell)
        water = [sum(frame.cells) + len(frame.flying) + frame.bursts for frame in frames]
        assert water[0] == sum(state.cells) + 1
        assert water == sorted(water, reverse=True), "droplets may leave the board, but none comes to be"
        for before, after in zip((state, *frames), frames, strict=False):
            for place in range(len(state.cells)):
                if before.cells[place] == 0:
                    assert after.cells[place] == 0
        assert all(drops <= FULL for frame in frames for drops in frame.cells)
        burst_ever += [cell for frame in frames for cell in frame.burst]
    cells = level.cells
    assert sorted(burst_ever) == [cell for cell, drops in enumerate(cells) if drops]


@given(levels(), SEEDS)
def test_a_finished_game_took_as_many_clicks_as_water_was_missing(level: Level, seed: int) -> None:
    """clicks = n - W + L: n bursts, W drops at the start, L droplets lost.

    Counted another way as well: the drops that the cells lacked, less the droplets that cells took up.
    """
    puzzle = Drops(level)
    game = clicks(puzzle, seed)
    lost = absorbed = 0
    for state, cell in game:
        frames = puzzle.trace(state, cell)
        lost_here = sum(state.cells) + 1 - frames[-1].bursts - sum(frames[-1].cells)
        lost += lost_here
        absorbed += 4 * frames[-1].bursts - lost_here
    filled = [drops for drops in level.cells if drops]
    assert len(game) == len(filled) - sum(filled) + lost
    assert len(game) == sum(5 - drops for drops in filled) - absorbed


def quarter_turn(board: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("".join(column) for column in zip(*board[::-1], strict=True))


def mirrored(board: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(row[::-1] for row in board)


def seven_others(board: tuple[str, ...]) -> list[tuple[str, ...]]:
    turned = [board]
    for _ in range(3):
        turned.append(quarter_turn(turned[-1]))
    return [*turned[1:], *map(mirrored, turned)]


def outcome(board: tuple[str, ...], x: int, y: int, rules: RuleName) -> tuple[tuple[str, ...], int]:
    width = len(board[0])
    last = last_frame(board, y * width + x, rules)
    after = tuple("".join(map(str, last.cells[row * width : (row + 1) * width])) for row in range(len(board)))
    return after, last.bursts


@given(rows(), st.data())
def test_symmetric_chains_look_the_same_from_all_eight_sides(
    board: tuple[str, ...], data: st.DataObject
) -> None:
    full = [(x, y) for y, row in enumerate(board) for x, drops in enumerate(row) if drops == "4"]
    if not full:
        return
    x, y = data.draw(st.sampled_from(full))
    after, bursts = outcome(board, x, y, "symmetric")
    marked = [["0"] * len(row) for row in board]
    marked[y][x] = "1"
    marks = seven_others(tuple(map("".join, marked)))
    for turned, turned_after, mark in zip(seven_others(board), seven_others(after), marks, strict=True):
        (place,) = [(row.index("1"), index) for index, row in enumerate(mark) if "1" in row]
        assert outcome(turned, *place, "symmetric") == (turned_after, bursts)


@pytest.mark.parametrize("rules", [rules for rules in RULES if rules != "symmetric"])
def test_the_other_rule_sets_do_depend_on_the_side(rules: RuleName) -> None:
    """So the eight symmetries must not be used for them: some board ends otherwise on its side."""
    rng = random.Random(3)
    boards = (tuple("".join(rng.choice("2344") for _ in range(5)) for _ in range(5)) for _ in range(200))
    assert any(
        quarter_turn(outcome(board, x, 2, rules)[0]) != outcome(quarter_turn(board), 2, x, rules)[0]
        for board in boards
        for x in range(5)
        if board[2][x] == "4"
    )


@pytest.mark.parametrize(
    ("rules", "ticks"),
    [("classic", [0, 0, 1, 2]), ("snappers", [0, 1, 2, 3]), ("half", [0, 1, 3, 5])],
)
def test_a_droplet_takes_the_time_of_its_rule_set(rules: RuleName, ticks: list[int]) -> None:
    """Flying right from the left end, over two empty cells, into a third."""
    frames = list(run_chain(bytes([4, 0, 0, 1]), 4, 0, RULE_SETS[rules]))
    assert [frame.tick for frame in frames] == ticks
    assert frames[-1].cells == bytes([0, 0, 0, 2])
    assert [[(each.column, each.direction) for each in frame.flying] for frame in frames[1:]] == [
        [(1, "R")],
        [(2, "R")],
        [],
    ]


def test_surplus_droplets_fly_on_unless_they_are_absorbed() -> None:
    """Two droplets reach the full cell below the middle at once: what the first bursts, the second passes."""
    ends = {rules: last_frame(("440", "441"), 0, rules).cells for rules in RULES}
    assert ends["snappers"] == ends["half"] == bytes([0, 0, 0, 0, 0, 3])
    assert ends["symmetric"] == bytes([0, 0, 0, 0, 0, 2])


def independent_counts(code: str, depth: int) -> tuple[int, int]:
    level = parse_board(code)
    game = Game(level.columns, level.rows, level.rules, level.open)
    return game.lines(board_of(level.board), depth), game.positions(board_of(level.board), depth)


def kept_counts() -> dict[tuple[str, int], tuple[int, int]]:
    rows_ = [line.split() for line in PERFT.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {(code, int(depth)): (int(lines), int(boards)) for code, depth, lines, boards in rows_}


def positions(puzzle: Drops, depth: int) -> int:
    layer: set[State] = {puzzle.initial()}
    for _ in range(depth):
        layer = {puzzle.apply(state, cell) for state in layer for cell in puzzle.legal_actions(state)}
    return len(layer)


@pytest.mark.parametrize("rules", RULES)
def test_perft_counts_of_both_implementations_are_the_kept_ones(rules: RuleName) -> None:
    kept = {key: value for key, value in kept_counts().items() if parse_board(key[0]).rules == rules}
    assert len({code for code, _ in kept}) >= 2
    for (code, depth), (lines, boards) in kept.items():
        puzzle = Drops(parse_board(code))
        start = puzzle.initial()
        assert perft(puzzle, start, depth) == lines, (code, divide(puzzle, start, depth))
        assert positions(puzzle, depth) == boards, code
        if depth <= 3:
            assert independent_counts(code, depth) == (lines, boards), code


if __name__ == "__main__":  # python -m tests.games.drops.rules.test_chain writes the counts anew
    levels_ = [
        Level(board, rules=rules, open=open_)
        for rules in RULES
        for board, open_ in (
            (("4423", "0423", "3422"), False),
            (("032", "343", "042", "442"), False),
            (("4430", "2044", "3424"), True),
        )
    ]
    lines_ = [
        "# level, depth, lines of play, different boards; counted by tests/games/drops/independent.py alone"
    ]
    for level_ in levels_:
        code_ = format_board(level_)
        for depth_ in (1, 2, 3, 4):
            lines_.append(f"{code_} {depth_} {' '.join(map(str, independent_counts(code_, depth_)))}")
    PERFT.write_text("\n".join(lines_) + "\n", "utf-8")
