"""Generated levels: as much water as asked, par as asked and proved, always the same; twins are told."""

import json
import random
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.cli_support import Run
from tests.games.drops.boards import RULES, rows
from tests.games.drops.brute_force import fewest, good_first_clicks
from winnable.contract.core import Budget, LevelError, finish, replay
from winnable.contract.errors import GaveUp
from winnable.games.drops.game import GAME
from winnable.games.drops.levels.generator import Params, draw, generate
from winnable.games.drops.measure.symmetry import picture
from winnable.games.drops.players.by_name import Greedy
from winnable.games.drops.rules.level import Level
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.levels.files import encode_level

SEEDS = st.integers(0, 2**53 - 1)
sides = st.integers(1, 12)


def params(**given: object) -> Params:
    return msgspec.convert(given, Params)


def greedy_clicks(puzzle: Drops) -> int:
    player, state, clicks = Greedy(puzzle), puzzle.initial(), 0
    while not puzzle.is_goal(state):
        state = puzzle.apply(state, finish(player.choose(state)))
        clicks += 1
    return clicks


def test_boards_that_nothing_is_asked_of_stay_what_they_were() -> None:
    assert "/".join(finish(generate(Params(rows=4, columns=5), 7)).board) == "10302/10202/00240/13421"
    level = finish(generate(Params(slack="none"), 1))
    assert (level.drops, level.certificate) == (None, None)


def clears_within(puzzle: Drops, state: State, clicks: int) -> bool:
    if puzzle.is_goal(state) or not clicks:
        return puzzle.is_goal(state)
    return any(
        clears_within(puzzle, puzzle.apply(state, cell), clicks - 1) for cell in puzzle.legal_actions(state)
    )


@pytest.mark.parametrize("rules", ["classic", "snappers", "symmetric", "half"])
def test_what_one_or_two_clicks_clear_is_passed_by_and_drops_run_out(rules: str) -> None:
    passed = 0
    for seed in range(6):
        given = params(rows=4, columns=5, rules=rules, density=300)
        level = finish(generate(given, seed))
        puzzle = Drops(msgspec.structs.replace(level, drops=None))
        assert not clears_within(puzzle, puzzle.initial(), 2)
        passed += level.board != draw(given, random.Random(seed)).board
        assert level.certificate is not None
        assert level.drops == len(level.certificate.actions) == level.certificate.cost
        assert Drops(level).is_goal(replay(Drops(level), level.certificate.actions))
    assert passed


def test_where_all_boards_are_easy_one_is_taken() -> None:
    level = finish(generate(Params(density=400), 3))
    assert set(level.cells) == {4}
    assert level.drops == 1


@given(sides, sides, st.integers(1, 400), SEEDS)
def test_there_is_as_much_water_as_asked(height: int, width: int, density: int, seed: int) -> None:
    level = draw(params(rows=height, columns=width, density=density), random.Random(seed))
    assert (level.rows, level.columns) == (height, width)
    assert sum(level.cells) == max(1, (density * height * width + 50) // 100)


@given(sides, sides, st.integers(1, 100), st.integers(100, 400), SEEDS)
def test_as_many_cells_are_filled_as_asked(
    height: int, width: int, filled: int, each: int, seed: int
) -> None:
    cells = height * width
    count = max(1, (filled * cells + 50) // 100)
    level = draw(params(rows=height, columns=width, filled=filled), random.Random(seed))
    assert cells - level.cells.count(0) == count
    density = min(400, max(1, each * count // cells))
    if count <= (density * cells + 50) // 100 <= 4 * count:
        asked = params(rows=height, columns=width, filled=filled, density=density)
        level = draw(asked, random.Random(seed))
        assert cells - level.cells.count(0) == count
        assert sum(level.cells) == (density * cells + 50) // 100


def test_every_amount_and_every_cell_gets_its_turn() -> None:
    boards = np.array(
        [list(draw(params(filled=50, density=125), random.Random(seed)).cells) for seed in range(300)]
    )
    assert {int(amount) for amount in np.unique(boards)} == {0, 1, 2, 3, 4}
    assert ((boards > 0).mean(axis=0) > 0.35).all()
    assert ((boards > 0).mean(axis=0) < 0.65).all()


@pytest.mark.parametrize("rules", RULES)
def test_par_is_what_brute_force_says_and_within_the_bounds(rules: str) -> None:
    for seed in range(6):
        level = finish(
            generate(params(rows=3, columns=3, rules=rules, par_min=2, par_max=4, slack="1", filled=60), seed)
        )
        puzzle = Drops(Level(level.board, rules=level.rules))
        par = fewest(puzzle, puzzle.initial())
        assert 2 <= par <= 4
        assert level.drops == par + 1
        certificate = level.certificate
        assert certificate is not None
        assert (certificate.cost, certificate.lower_bound, len(certificate.actions)) == (par, par, par)
        assert puzzle.is_goal(replay(puzzle, certificate.actions))


@pytest.mark.parametrize("keys", [1, 2])
def test_as_many_good_first_clicks_as_asked(keys: int) -> None:
    for seed in range(3):
        level = finish(generate(params(rows=3, columns=3, par_min=2, par_max=3, keys=keys), seed))
        assert len(good_first_clicks(level)) == keys


def test_greedy_and_the_seeds_a_lose_what_was_asked() -> None:
    for seed in range(4):
        level = finish(generate(params(rows=5, columns=5, greedy_over=3, a_over=2, slack="none"), seed))
        assert level.certificate is not None
        assert level.certificate.cost is not None
        puzzle = Drops(Level(level.board))
        assert greedy_clicks(puzzle) >= level.certificate.cost + 3
        a = finish(GAME.solvers["a"](puzzle, puzzle.initial(), Budget(), 0))
        assert a.cost is not None
        assert a.cost >= level.certificate.cost + 2


@pytest.mark.parametrize(
    "asked",
    [
        {"par_min": 3, "par_max": 5, "slack": "2"},
        {"rows": 4, "columns": 5, "keys": 2, "par_max": 4},
        {"greedy_over": 2, "a_over": 1, "filled": 70, "par_max": 6},
        {"density": 150, "filled": 60},
        {"mode": "flash"},
    ],
)
def test_the_same_arguments_give_the_same_bytes(asked: dict[str, object]) -> None:
    wanted = params(**asked)
    made = [encode_level(finish(generate(wanted, seed))) for seed in (3, 4, 5)]
    assert len(set(made)) == 3
    assert made == [encode_level(finish(generate(wanted, seed))) for seed in (3, 4, 5)]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"par_min": 5, "par_max": 4}, "par_min: 5 is more than par_max, 4"),
        ({"density": 40, "filled": 50}, "density: 14 units of water do not go into 18 filled cells"),
        ({"density": 300, "filled": 50}, "density: 108 units of water do not go into 18 filled cells"),
        (
            {"mode": "flash", "par_max": 4},
            "par_max: not in mode=flash, which takes rows, columns and rules only",
        ),
        ({"mode": "flash", "density": 100}, "density: not in mode=flash"),
        ({"rows": 2, "columns": 2, "keys": 5}, "keys: 5, but at most 4 cells hold drops"),
        ({"filled": 7, "keys": 4}, "keys: 4, but at most 3 cells hold drops"),
        ({"rows": 1, "columns": 1, "par_min": 5}, "par_min: that asks for 5 clicks, but 1 cell "),
        ({"filled": 7, "a_over": 1, "greedy_over": 128}, "greedy_over: that asks for 129 clicks"),
        ({"filled": 100, "density": 100, "par_max": 3}, "par_max: 3, but .* at least 4 clicks"),
        ({"rows": 1, "columns": 2, "par_min": 8}, "params: none of [0-9]+ boards"),
    ],
)
def test_what_cannot_be_met_is_refused(asked: dict[str, object], said: str) -> None:
    with pytest.raises(LevelError, match=said):
        finish(generate(params(**asked), 1))


@given(
    st.sampled_from([(height, width) for height in (1, 2, 3) for width in (1, 2, 3) if height * width < 9]),
    st.integers(1, 100),
    st.integers(100, 400),
    SEEDS,
)
def test_what_is_refused_at_once_cannot_be(size: tuple[int, int], filled: int, each: int, seed: int) -> None:
    """Whatever is true of some board may be asked for. Some of nine cells take brute force a minute."""
    height, width = size
    count = max(1, (filled * height * width + 50) // 100)
    density = min(400, max(1, each * count // (height * width)))
    sides: dict[str, object] = {"rows": height, "columns": width, "slack": "none"}
    orders = [sides, {**sides, "density": density}, {**sides, "filled": filled}]
    if count <= (density * height * width + 50) // 100 <= 4 * count:
        orders.append({**sides, "filled": filled, "density": density})
    budget = Budget()
    budget.cancel()
    for order in orders:
        level = finish(generate(params(**order), seed))
        puzzle = Drops(level)
        par = fewest(puzzle, puzzle.initial())
        true = {"par_min": par, "par_max": par, "keys": len(good_first_clicks(level))}
        true["greedy_over"] = greedy_clicks(puzzle) - par
        with pytest.raises(GaveUp):  # and no other LevelError
            finish(generate(params(**order, **true), seed, budget))


def test_making_ends_with_the_budget() -> None:
    with pytest.raises(LevelError, match="none of 5 boards that were drawn in time"):
        finish(generate(params(rows=1, columns=2, par_min=8), 1, Budget(expanded=5)))
    wanted = params(par_min=4, par_max=4)
    assert finish(generate(wanted, 1, Budget(seconds=600))) == finish(generate(wanted, 1))


def test_params_made_by_hand_are_checked_too() -> None:
    with pytest.raises(LevelError, match="density"):
        finish(generate(Params(density=401), 1))
    with pytest.raises(LevelError, match="seed"):
        finish(generate(Params(), -1))


@given(rows(5), st.integers(0, 3), st.booleans())
def test_twins_are_one_picture(board: tuple[str, ...], quarters: int, mirrored: bool) -> None:
    cells = np.array([list(row) for row in board])
    turned = np.rot90(cells, quarters if cells.shape[0] == cells.shape[1] else 2 * (quarters % 2))
    other = tuple("".join(row) for row in (np.fliplr(turned) if mirrored else turned).tolist())
    assert picture(Level(board)) == picture(Level(other, rules="half", drops=3))


def test_other_boards_are_other_pictures() -> None:
    boards = [("12", "34"), ("13", "24"), ("12", "43"), ("1234",), ("1", "2", "3", "4"), ("1243",)]
    pictures = [picture(Level(board)) for board in boards]
    assert pictures[0] == pictures[1], "mirrored at the diagonal"
    assert len(set(pictures)) == 5


def test_the_command_line_makes_no_picture_twice_and_tells_twins(run: Run) -> None:
    wanted = ("generate", "drops", "rows=1", "columns=2", "--count", "9", "-o")
    run(*wanted, "all.jsonl")
    run(*wanted, "distinct.jsonl", "--distinct")
    made, distinct = (
        [json.loads(line) for line in Path(name).read_text("utf-8").splitlines()]
        for name in ("all.jsonl", "distinct.jsonl")
    )
    assert len({picture(Level((*level["board"],))) for level in made}) < 9
    assert len({picture(Level((*level["board"],))) for level in distinct}) == 9
    places = [(level["provenance"]["seed"] - 1) % 9 for level in distinct]
    assert places == [*range(9)], "where a seed is passed by, that of the seed --count further stands"
    Path("twins.jsonl").write_text(
        "".join(
            json.dumps({"format": "winnable.drops/1", "board": [row]}) + "\n" for row in ("13", "31", "13")
        )
    )
    reports = json.loads(run("check", "twins.jsonl", "--json").stdout)
    assert [report.get("twin_of") for report in reports] == [None, "twins.jsonl:1", None]
    assert [report.get("same_as") for report in reports] == [None, None, "twins.jsonl:1"]
    assert "looks like twins.jsonl:1, perhaps turned or mirrored" in run("check", "twins.jsonl").stdout
    few = run("generate", "drops", "rows=1", "columns=1", "--count", "5", "--distinct", code=3)
    assert len(few.stdout.splitlines()) == 2, "two clicks clear a cell that holds 3 or 4 drops"


def test_what_is_refused_is_said_in_chinese_too() -> None:
    with pytest.raises(LevelError) as refused:
        finish(generate(Params(mode="flash", density=100), 1))
    assert refused.value.said("zh-CN").startswith("density: 在水缸无尽模式中不起作用")
