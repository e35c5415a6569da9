"""The article on drops, point by point: A1 to A28 of the acceptance list. What a person sees on the page
is in `tests/browser/test_drops_page.py` and `test_drops_series.py`."""

import json
import random
from itertools import accumulate
from math import comb
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.driving import driven
from winnable import words
from winnable.cli.app import app
from winnable.contract.core import Answer, Budget, IllegalAction, Limit, Progress, replay
from winnable.contract.methods import Settable
from winnable.games.drops.article.settings import Evolution, Weighted, WithinDepth
from winnable.games.drops.game import GAME
from winnable.games.drops.levels.text import parse_board
from winnable.games.drops.rules.level import Level
from winnable.games.drops.rules.puzzle import Drops, State, tank_needed
from winnable.levels.files import shipped_levels
from winnable.play.session import Session

LEVELS: dict[str, Level] = {
    name: level for name, level in shipped_levels(GAME) if name.startswith("drops/article-")
}
LAST = "drops/article-30-all-ones"
ONES = Drops(LEVELS[LAST])
SOLVERS = ("bfs", "a", "a-star", "genetic")


def solve(name: str, puzzle: Drops, settings: Any = None, told: list[Progress] | None = None) -> Answer:
    method = GAME.solvers[name]
    assert isinstance(method, Settable)
    chosen = method if settings is None else method.set(settings)
    return driven(chosen(puzzle, puzzle.initial(), Budget(), 0), ([] if told is None else told).append)


def cli(*arguments: str, language: str = "C") -> Result:
    try:
        return CliRunner(env={"LC_ALL": language}).invoke(app, list(arguments))
    finally:
        words.use("en")


def after(code: str, *clicks: int) -> State:
    puzzle = Drops(parse_board(code))
    return replay(puzzle, clicks)


def test_a1_boards_of_six_by_six_with_at_most_four_drops() -> None:
    for level in LEVELS.values():
        assert (level.rows, level.columns) == (6, 6)
        assert max(level.cells) <= 4


def test_a2_the_fifth_drop_bursts_a_cell_in_four_directions() -> None:
    assert after("010/141/010", 4).cells == bytes([0, 2, 0, 2, 0, 2, 0, 2, 0])


def test_a3_droplets_merge_and_go_on() -> None:
    assert after("44400", 0).cells == bytes(5)
    assert after("40300", 0).cells == bytes([0, 0, 4, 0, 0])


@pytest.mark.parametrize("name", LEVELS)
def test_a4_every_cell_can_be_clicked(name: str) -> None:
    puzzle = Drops(LEVELS[name])
    assert list(puzzle.legal_actions(puzzle.initial())) == list(range(36))


def test_a5_a6_a_click_takes_a_drop_and_every_third_burst_of_the_game_gives_one() -> None:
    """Counted over all clicks, so that what is over is kept for the next chain."""
    rng = random.Random(6)
    gained = 0
    for level in LEVELS.values():
        puzzle = Drops(level)
        state, bursts = puzzle.initial(), [0]
        while puzzle.legal_actions(state):
            cell = rng.choice([cell for cell in range(36) if state.cells[cell] == max(state.cells)])
            bursts.append(puzzle.trace(state, cell)[-1].bursts)
            state = puzzle.apply(state, cell)
            clicks, total = len(bursts) - 1, list(accumulate(bursts))[-1]
            assert state.left == 10 - clicks + total // 3
            view = puzzle.observe(state)
            assert (view.mode, view.every, view.bursts) == ("tank", 3, total % 3)
            gained += total // 3
    assert gained > 100
    assert after("40020,drops=5,every=3", 0) == State(bytes([0, 0, 0, 3, 0]), 4, 1)
    assert after("40020,drops=5,every=2", 0, 3, 3) == State(bytes(5), 3, 0)


def test_a6_undo_gives_back_the_bursts_too() -> None:
    from winnable.levels.find import find_level

    session = Session(find_level("drops/article-02-pond"))
    states = [session.state]
    for action in session.level.certificate.actions[:4]:
        session.act(action)
        states.append(session.state)
    for state in reversed(states[:-1]):
        session.undo()
        assert session.state == state


def test_a7_a_board_without_drops_is_won() -> None:
    puzzle = Drops(parse_board("4,drops=1"))
    assert puzzle.observe(replay(puzzle, (0,))).status == "won"
    last = Drops(parse_board("1,drops=5"))
    assert last.observe(last.initial()).status == "playing", "a single drop is not none"


def test_a8_an_empty_tank_ends_the_game() -> None:
    puzzle = Drops(parse_board("10,drops=1,every=3,open"))
    state = puzzle.apply(puzzle.initial(), 0)
    assert (state.left, puzzle.observe(state).status, puzzle.legal_actions(state)) == (0, "lost", [])
    with pytest.raises(IllegalAction, match="no drop is left"):
        puzzle.apply(state, 0)


def test_a9_a10_a11_thirty_levels_that_rise_to_all_ones() -> None:
    assert [name[:16] for name in LEVELS] == [f"drops/article-{number:02}" for number in range(1, 31)]
    assert set(LEVELS[LAST].cells) == {1}
    assert all((level.drops, level.every, level.open) == (10, 3, True) for level in LEVELS.values())


@pytest.mark.parametrize("name", [name for name in LEVELS if name != LAST])
def test_a11_each_level_is_won_with_its_tank_and_not_by_two_clicks(name: str) -> None:
    level = LEVELS[name]
    puzzle, certificate = Drops(level), level.certificate
    assert certificate is not None
    assert puzzle.is_goal(replay(puzzle, certificate.actions))
    quick = solve("bfs", puzzle, WithinDepth(depth=2))
    assert (quick.limit, quick.lower_bound) == (Limit("depth", 2), 3)


def test_a12_the_four_ways_to_solve_are_four() -> None:
    """By the article's names. On a level that three clicks win, each does what it is: two look through all
    that fewer clicks come to, A follows its rank, and the genetic one breeds whole lines."""
    chinese = words.catalogue("zh-CN")
    assert [chinese[f"method.{name}"] for name in SOLVERS] == ["宽搜", "A", "A*", "遗传算法"]
    puzzle = Drops(LEVELS["drops/article-03-dew"])
    found: dict[str, Answer] = {}
    for name in SOLVERS:
        told: list[Progress] = []
        settings = Evolution(generations=20) if name == "genetic" else None
        found[name] = solve(name, puzzle, settings, told)
        assert {one.stage.partition(".")[0] for one in told} <= {name, "line"}
        assert puzzle.is_goal(replay(puzzle, found[name].actions))
    assert [found[name].optimal for name in SOLVERS] == [True, False, False, False]
    assert found["bfs"].cost == found["a-star"].cost == 3
    assert 10 * found["a"].expanded < found["a-star"].expanded <= found["bfs"].expanded
    assert (found["genetic"].expanded, found["genetic"].generated) == (20 * 500, 20 * 500 * 50)


def test_a13_the_solution_names_cells_from_the_upper_left() -> None:
    assert [ONES.action_name(cell) for cell in (0, 5, 30)] == ["(1,1)", "(6,1)", "(1,6)"]
    assert ONES.parse_action("(2,1)") == 1
    assert "  (1,3) (2,3) (3,6)" in cli("solve", "drops/article-01-fountain", "--solver", "bfs").stdout


@pytest.mark.parametrize("name", ["bfs", "a-star"])
def test_a14_bfs_and_a_star_look_no_deeper_than_four_clicks(name: str) -> None:
    """On a board of ones up to three clicks burst nothing: so many boards come of fewer than four clicks, and
    the children of no others are looked at."""
    result = solve(name, ONES)
    assert (result.status, result.limit) == ("budget", Limit("depth", 4))
    assert result.expanded == sum(comb(36 + clicks - 1, clicks) for clicks in range(4))
    assert GAME.solvers[name].settings == WithinDepth(depth=4, seconds=30)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "settings"),
    [("bfs", WithinDepth(9, 0.2)), ("a-star", WithinDepth(9, 0.2)), ("a", Weighted(200, 0.2))],
)
def test_a14_a15_the_searches_end_with_their_time(name: str, settings: Any) -> None:
    result = solve(name, ONES, settings)
    assert (result.status, result.limit) == ("budget", Limit("time", 0.2))
    assert result.seconds >= 0.2


def test_a15_a_ends_with_its_time_alone() -> None:
    assert Weighted() == Weighted(k=2, seconds=30)


def test_a16_the_limit_that_was_met_is_said_in_both_languages() -> None:
    asked = ("solve", LAST, "--solver", "bfs", "--with", "depth=2")
    said = cli(*asked)
    assert said.exit_code == 3
    assert "it looks no deeper than 2" in said.stdout
    assert "深度" in cli(*asked, language="zh_CN.UTF-8").stdout
    found = json.loads(cli(*asked, "--json", language="zh_CN.UTF-8").stdout)
    assert found["limit"] == {"kind": "depth", "value": 2}
    assert found["settings"] == {"depth": 2, "seconds": 30}
    assert found["best"]["measure"] == "drops-left"


def test_a17_the_genetic_algorithm_says_that_its_generations_are_over() -> None:
    asked = ("solve", LAST, "--solver", "genetic", "--with", "generations=2,population=20")
    said = cli(*asked)
    assert said.exit_code == 3
    assert "its 2 generations are over" in said.stdout
    assert "迭代代数" in cli(*asked, language="zh_CN.UTF-8").stdout
    best = solve("genetic", ONES, Evolution(generations=2, population=20)).best
    assert best is not None
    assert sum(replay(ONES, best.actions).cells) == best.value


def test_a17_beside_a_line_too_it_says_that_its_generations_are_over() -> None:
    """It ends long before a minute: the person hears why, and that more of them may find a shorter line."""
    asked = ("solve", "drops/article-03-dew", "--solver", "genetic", "--with", "generations=20")
    said = cli(*asked)
    assert (said.exit_code, "its 20 generations are over" in said.stdout) == (0, True)
    best = solve("genetic", Drops(parse_board("4")), Evolution(generations=20))
    assert (best.status, best.limit) == ("solved", None), "no shorter line is possible"


def test_a18_the_cheat_gives_ten_drops_each_time() -> None:
    level = LEVELS[LAST]
    for drops in (20, 30, 40):
        easier = GAME.cheat(level)
        assert easier is not None
        level = easier
        assert Drops(level).initial().left == drops
        assert level.certificate is None, "that it cannot be won holds no longer"


def test_a21_a22_a_searches_the_best_rank_first() -> None:
    result = solve("a", Drops(Level(LEVELS[LAST].board)))
    assert (result.cost, result.expanded) == (62, 5_854)


def test_a23_k_can_be_set() -> None:
    """The greater it is, the shorter the line and the longer the search."""
    found = [solve("a", ONES, Weighted(k=k)) for k in (0, 1, 1.5, 2, 2.5)]
    assert [len(result.best.actions) for result in found if result.best is not None] == [84, 84, 78, 62, 54]
    assert [result.expanded for result in found] == [84, 1_031, 1_267, 5_854, 15_403]
    told = json.loads(cli("solve", LAST, "--solver", "a", "--with", "k=0.5", "--json").stdout)
    assert told["settings"]["k"] == 0.5


@pytest.mark.parametrize("given", ["k=-1", "k=much", "k=nan", "kk=1"])
def test_a23_an_absurd_k_is_refused_in_one_sentence(given: str) -> None:
    refused = cli("solve", LAST, "--solver", "a", "--with", given)
    assert refused.exit_code == 2
    assert len(refused.stderr.splitlines()) == 1
    assert refused.stderr.split(": ")[2] == given.partition("=")[0]


def test_a24_a_star_looks_at_nearly_as_many_states_as_bfs() -> None:
    for level in list(LEVELS.values())[:6]:
        closed = Drops(Level(level.board))
        by_star, by_bfs = solve("a-star", closed), solve("bfs", closed)
        assert by_star.cost == by_bfs.cost
        assert by_star.expanded <= by_bfs.expanded


def test_a26_the_genetic_algorithm_has_the_numbers_of_the_article() -> None:
    assert Evolution() == Evolution(population=500, genes=50, generations=200, pc=0.6, pm=0.15)
    told: list[Progress] = []
    result = solve("genetic", ONES, Evolution(population=10, genes=20, generations=3), told)
    assert (result.expanded, result.generated) == (30, 600)
    assert [one for one in told if one.stage.startswith("genetic")][-1].values["generation"] == 3


def test_a27_on_level_30_a_and_the_genetic_algorithm_find_lines_that_the_cheat_makes_playable() -> None:
    lengths = {}
    for name, settings in (("a", None), ("genetic", Evolution(generations=40))):
        result = solve(name, ONES, settings)
        assert (result.status, result.actions, result.limit) == ("budget", (), Limit("supply", 10))
        assert result.best is not None
        assert (result.best.measure, result.best.target) == ("tank-needed", 10)
        lengths[name], needed = len(result.best.actions), result.best.value
        assert needed == tank_needed(ONES, ONES.initial(), result.best.actions) < lengths[name]
        level, cheats = LEVELS[LAST], 0
        while (level.drops or 0) < needed:
            with pytest.raises(IllegalAction, match="no drop is left"):
                replay(Drops(level), result.best.actions)
            easier = GAME.cheat(level)
            assert easier is not None
            level, cheats = easier, cheats + 1
        assert Drops(level).is_goal(replay(Drops(level), result.best.actions))
        assert cheats > 0
    assert lengths["a"] == 62
    assert 36 <= lengths["genetic"] < 50


def test_a27_a_line_that_the_tank_cannot_carry_ends_with_3_and_is_shown() -> None:
    said = cli("solve", LAST, "--solver", "a")
    assert said.exit_code == 3
    first = said.stdout.splitlines()[0]
    assert first.endswith(": 62 clicks, with a tank that begins with 51 drops; this one has 10")
    assert "UNKNOWN" not in said.stdout
    chinese = cli("solve", LAST, "--solver", "a", language="zh_CN.UTF-8").stdout.splitlines()[0]
    assert "62 次点击，水缸要从 51 滴水开始（本关是 10 滴）" in chinese
    assert "(2,2) (2,2) (2,2) (2,2) (2,1)" in said.stdout


def test_a27_with_its_ten_drops_level_30_is_lost_and_that_is_proved() -> None:
    """36 clicks at the least are 108 thirds of a drop; 10 drops and 35 bursts are 65."""
    assert cli("solve", LAST).exit_code == 1


def test_a28_the_four_side_by_side() -> None:
    """The shorter the line, the better: bfs, where it finds one, finds the shortest."""
    puzzle = Drops(LEVELS["drops/article-03-dew"])
    settings = {"genetic": Evolution(generations=20)}
    found = {name: solve(name, puzzle, settings.get(name)) for name in SOLVERS}
    assert {name: result.status for name, result in found.items()} == dict.fromkeys(SOLVERS, "solved")
    assert found["bfs"].cost == 3
    assert all(result.cost is not None and result.cost >= 3 for result in found.values())
    assert found["bfs"].optimal
    by = [name for name in SOLVERS if name != "genetic"]
    asked = ("compare", "drops/article-02-pond", "--by", ",".join(by), "--games", "1", "--json")
    for row in json.loads(cli(*asked).stdout):
        alone = solve(row["name"], Drops(LEVELS["drops/article-02-pond"]))
        assert (row["won"], row["mean_length"]) == (int(alone.status == "solved"), alone.cost)
        assert row["name"] == "a" or (alone.status, alone.limit) == ("budget", Limit("depth", 4))


def test_a29_with_a_large_k_a_is_breadth_first_search() -> None:
    """Rank by rank the same lengths, and as good a line; what it costs grows with k."""
    clicks = {"drops/article-03-dew": 3, "drops/article-01-fountain": 3, "drops/article-02-pond": 5}
    for name, fewest in clicks.items():
        puzzle = Drops(LEVELS[name])
        wide = solve("bfs", puzzle, WithinDepth(depth=5))
        found = {k: solve("a", puzzle, Weighted(k=k)) for k in (2.0, 200.0)}
        assert wide.cost == found[200.0].cost == fewest
        assert found[2.0].expanded < found[200.0].expanded <= wide.expanded


def test_a30_the_genetic_algorithms_lines_are_long_where_short_ones_exist() -> None:
    """The certificate is one. Its own is the best of its generations: more of them breed a shorter one."""
    for name in ("drops/article-11-lattice", "drops/article-12-sluice"):
        level = LEVELS[name]
        assert level.certificate is not None
        puzzle, lengths = Drops(level), list[int]()
        for generations in (20, 60):
            bred = solve("genetic", puzzle, Evolution(generations=generations))
            line = bred.actions or (bred.best.actions if bred.best else ())
            assert puzzle.is_goal(replay(puzzle, line, puzzle.initial()._replace(left=None)))
            lengths.append(len(line))
        assert len(level.certificate.actions) < lengths[1] < lengths[0]
