"""`winnable.load`: a level is played, asked and drawn; nothing that it says contradicts the rules. What is
made and checked for programs is what the command line makes and says."""

import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

import winnable
from tests.browser.test_studio_page import TRAP
from tests.cli.cli_support import Run, document
from tests.fresh_python import printed
from winnable import words
from winnable.contract.core import Limit, replay
from winnable.contract.params import describe_params
from winnable.contract.registry import GAMES
from winnable.levels.find import find_level


def test_the_first_page_of_the_readme() -> None:
    board = winnable.load("drops/05-puddle")
    assert board.verdict() == "winnable"
    line = board.line()
    assert line is not None
    assert board.hint() == line[0]
    assert board.push(*line).standing == "won"
    assert board.moves == line
    assert board.pop() == line[-1]
    assert board.standing == "playing"
    assert repr(board) == f"<winnable.Board drops/05-puddle, {len(line) - 1} moves, playing>"


@pytest.mark.parametrize("name", GAMES)
def test_a_player_plays_on(name: str) -> None:
    board, same = (winnable.load(name, seed=3) for _ in range(2))
    board.push(board.legal_moves[0])
    first = board.moves
    played = board.play("random", seed=5, most=2)
    assert len(played) == 2
    assert board.moves == [*first, *played]
    assert same.push(*first).play("random", seed=5, most=2) == played
    assert same.play(most=0) == same.play(seconds=0) == []
    with pytest.raises(winnable.WinnableError, match="no 'nobody'"):
        board.play("nobody")


def test_a_player_ends_with_the_game() -> None:
    board = winnable.load("drops/01-first-drops")
    assert board.play() == board.moves
    assert board.standing == "won"
    assert board.play() == []


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_drawn_and_kept(name: str, tmp_path: Path) -> None:
    board = winnable.load(name, seed=3)
    moves = board.legal_moves
    assert moves
    board.push(moves[0])
    assert board.moves == [moves[0]]
    assert str(board).strip()
    assert ElementTree.fromstring(board._repr_svg_()).tag.endswith("svg")  # pyright: ignore[reportPrivateUsage]
    board.save(tmp_path / "game.json")
    assert winnable.load(tmp_path / "game.json").moves == [moves[0]]
    assert winnable.load(f"{name}:{board.code}").code == board.code
    other = board.copy()
    assert other.pop() == moves[0]
    assert (other.moves, board.moves) == ([], [moves[0]])
    with pytest.raises(winnable.WinnableError):
        other.pop()
    with pytest.raises(winnable.IllegalAction):
        other.push("nowhere at all")
    assert other.moves == []


def test_a_lost_game_is_reported() -> None:
    board = winnable.load("triple", board=TRAP)
    first, *_ = board.legal_moves
    board.push(first, 3)
    assert board.verdict() == "lost"
    assert board.line() is None
    assert board.hint() is None
    assert board.margin().wins is not None
    report = board.report()
    assert (report.verdict, report.lost_at) == ("lost", 1)
    assert report.move == board.moves[1]
    assert report.better is not None
    assert report.reason
    board.pop()
    assert board.push(report.better).verdict() == "winnable"
    assert board.report().lost_at is None


def test_solutions_are_lines_of_the_rules() -> None:
    solution = winnable.solve("drops/05-puddle", seconds=60)
    assert (solution.status, solution.optimal, solution.limit) == ("solved", True, None)
    game, level, _ = find_level("drops/05-puddle")
    puzzle = game.puzzle(level)
    board = winnable.load("drops/05-puddle")
    assert board.push(*solution.moves).standing == "won"
    assert puzzle.is_goal(replay(puzzle, [puzzle.parse_action(move) for move in solution.moves]))  # type: ignore[attr-defined]
    assert solution.cost == solution.lower_bound == len(solution.moves) == len(solution.actions)
    lost = winnable.load("triple", board=TRAP).push(0, 3)
    assert lost.solve().status == "unsolvable"
    undecided = winnable.solve("drops", board="12/34,drops=9", solver="bfs(depth=1)")
    assert (undecided.status, undecided.limit) == ("budget", Limit("depth", 1))


def test_where_nothing_can_be_won_moves_have_values() -> None:
    board = winnable.load("2048", board="2200/1000/0000/0000")
    values = board.values()
    assert set(values) == set(board.legal_moves)
    assert [*values.values()] == sorted(values.values(), reverse=True)
    assert board.hint() in values
    shares = winnable.load("tetris:width=6,height=8#1").values()
    assert max(shares.values()) == next(iter(shares.values())) > 0
    assert set(shares) == set(winnable.load("tetris:width=6,height=8#1").legal_moves)
    for ask in (board.verdict, board.line, board.report, board.margin):
        with pytest.raises(winnable.WinnableError, match="2048"):
            ask()


def test_how_hard_a_level_is() -> None:
    rating = winnable.load("drops/01-first-drops").difficulty()
    assert rating is not None
    assert rating.word == "easy"
    assert winnable.load("2048").difficulty() == winnable.load("2048:#20261126").difficulty()


@pytest.mark.parametrize(
    ("level", "board"),
    [
        ("nothing", None),
        ("drops:rows=0#1", None),
        ("drops", "x9"),
        ("drops/none", None),
        ("/nowhere.json", None),
    ],
)
def test_what_cannot_be_loaded_is_one_error(level: str, board: str | None) -> None:
    with pytest.raises(winnable.WinnableError):
        winnable.load(level, board=board)


def test_a_board_needs_no_compiler_until_it_is_asked() -> None:
    script = (
        "import sys, winnable\nboard = winnable.load('drops/05-puddle')\nboard.push(board.legal_moves[0])\n"
    )
    script += "board.svg(), str(board)\nprint('numba' in sys.modules)"
    assert printed(script, jit=True) == "False\n"


def test_levels_are_made_like_those_of_the_command_line(run: Run, tmp_path: Path) -> None:
    made = winnable.generate("drops", rows=4, columns=4, mode="flash", certify=True, count=3, seed=5)
    assert len(made) == 3
    for board in made:
        assert board.verdict() == "winnable"
        board.save_level(tmp_path / "level.json")
        (row,) = winnable.check(tmp_path / "level.json", solve=True)
        assert (row.ok, row.certificate, row.verdict) == (True, "holds", "solved")
    said = run("generate", "drops", "rows=4", "columns=4", "mode=flash", "--certify", "--count=3", "--seed=5")
    last = json.loads(said.stdout.splitlines()[-1])
    assert last == json.loads((tmp_path / "level.json").read_text())
    (triple,) = winnable.generate("triple", layers=4, sets=2, kinds=6, seed=9)
    assert triple.code == winnable.load("triple:layers=4,sets=2,kinds=6#9").code


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("rows", {"rows": 99}),
        ("lines", {"lines": 3}),
        ("difficulty", {"difficulty": "much"}),
        ("difficulty", {"difficulty": "20%"}),
        ("solver", {"solver": "nobody"}),
        ("layout", {"layout": "missing.json"}),
    ],
)
def test_what_cannot_be_made_is_refused(field: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(winnable.WinnableError) as refused:
        winnable.generate("drops", **arguments)
    assert refused.value.values["field"] == field


def test_rows_say_what_the_command_line_says(run: Run, tmp_path: Path) -> None:
    """And are columns of one type each, which tables take."""
    board = winnable.load("rotate/01-one-turn")
    board.save_level(tmp_path / "one.json")
    (tmp_path / "three.jsonl").write_bytes((tmp_path / "one.json").read_bytes() * 2 + b"{}\n")
    sources = [str(tmp_path / "one.json"), str(tmp_path / "three.jsonl"), "drops/01-first-drops"]
    rows = winnable.check(sources, solve=True)
    assert [row.ok for row in rows] == [True, True, True, False, True]
    assert rows[1].same_as == rows[2].same_as == sources[0]
    said = document(run("check", *sources, "--solve", "--json", code=1))
    for row, one in zip(rows, said, strict=True):
        assert (one["source"], one["ok"], one["problem"]) == (row.source, row.ok, row.problem)
        assert (one.get("verdict"), one.get("cost"), one.get("same_as")) == (
            row.verdict,
            row.cost,
            row.same_as,
        )
    columns = winnable.columns(rows)
    assert {len(column) for column in columns.values()} == {len(rows)}
    assert all(len({type(value) for value in column} - {type(None)}) <= 1 for column in columns.values())
    (missing,) = winnable.check(tmp_path / "missing.json")
    assert missing.problem is not None


@pytest.mark.parametrize("name", GAMES)
def test_boards_are_equal_by_their_position(name: str) -> None:
    board, other = winnable.load(name, seed=3), winnable.load(name, seed=3)
    assert board == other == winnable.load(f"{name}:{board.code}")
    first = board.legal_moves[0]
    board.push(first)
    assert board != other
    assert board == other.push(first)
    assert (board.pop(), board.redo(), board.moves) == (first, first, [first])
    with pytest.raises(winnable.WinnableError):
        board.redo()
    assert board != winnable.load(next(game for game in GAMES if game != name))
    assert board != first


@pytest.mark.parametrize("name", GAMES)
def test_a_board_is_told_in_values_of_json(name: str, tmp_path: Path) -> None:
    board = winnable.load(name, seed=3)
    board.play("random", most=3)
    told = board.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert (told["game"], told["id"], told["standing"]) == (name, board.id, board.standing)
    assert (told["moves"], told["ply"]) == (board.moves, 3)
    (tmp_path / "level.json").write_text(json.dumps(told["level"]))
    assert winnable.load(tmp_path / "level.json").push(*told["moves"]) == board
    puzzle = find_level(name, 3).game.puzzle(find_level(name, 3).level)
    seen: Any = puzzle
    assert told["state"] == json.loads(
        msgspec.json.encode(seen.observe(replay(puzzle, [puzzle.parse_action(move) for move in board.moves])))  # type: ignore[attr-defined]
    )
    if name == "triple":
        assert None in {tile["kind"] for tile in told["state"]["tiles"]}, "what is hidden is not told"


def test_boards_are_shown_one_a_line_or_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = winnable.Boards(map(winnable.load, winnable.list_levels("rotate")[:3]))
    assert str(boards) == "\n".join(map(repr, boards))
    assert "rotate/02-bulls-eye, 0 moves" in str(boards).splitlines()[1]
    shown = boards._repr_html_()  # pyright: ignore[reportPrivateUsage]
    pictures = re.findall('src="data:image/svg[+]xml;base64,([^"]+)"', shown)
    assert [b64decode(picture).decode() for picture in pictures] == [board.svg() for board in boards]
    assert [*winnable.Boards()] == []
    monkeypatch.setattr("winnable.board.MOST_SHOWN", 2)
    cut = boards._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert (cut.count("<img"), cut[-10:]) == (2, "<p>… 1</p>")


def test_lists_of_names_print_as_tables() -> None:
    games = str(winnable.list_games()).splitlines()
    assert [line.split()[0] for line in games] == [*GAMES]
    assert games[1] == "drops   Chain reactions: one drop too many bursts a cell into four"
    with words.speaking("zh-CN"):
        assert "Chain" not in str(winnable.list_games())
    levels = str(winnable.list_levels("drops")).splitlines()
    assert levels[0].split() == ["drops/01-first-drops", "easy"]
    assert [line.split()[0] for line in levels] == winnable.list_levels("drops")


def test_games_and_levels_are_listed() -> None:
    assert winnable.list_games() == [*GAMES]
    levels = winnable.list_levels("drops")
    assert "drops/05-puddle" in levels
    assert {*levels} < {*winnable.list_levels()}
    assert all(winnable.load(name).id == name for name in winnable.list_levels()[::40])
    with pytest.raises(winnable.WinnableError):
        winnable.list_levels("chess")


def test_boards_are_exported_as_by_the_command_line(run: Run) -> None:
    board = winnable.load("tetris:#1")
    assert board.export("text").strip() == board.code
    assert board.export("svg") == board.svg()
    assert json.loads(board.export("json")) == document(run("export", "tetris:#1", "--json"))
    assert board.export("fumen") == run("export", "tetris:#1", "--format", "fumen").stdout.strip()
    with pytest.raises(winnable.WinnableError, match="fumen"):
        board.export("pgn")


def test_a_word_that_is_a_parameters_is_that_parameter(run: Run, tmp_path: Path) -> None:
    """And not something else that the function knows by the same name."""
    (made,) = winnable.generate("triple", layout="pagoda", kinds=12)
    said = run("generate", "triple", "layout=pagoda", "kinds=12")
    made.save_level(tmp_path / "level.json")
    assert json.loads((tmp_path / "level.json").read_text()) == json.loads(said.stdout)
    (again,) = winnable.generate("triple", params="layout=pagoda", kinds=12)
    assert again == made == winnable.generate("triple", params={"layout": "pagoda", "kinds": 12})[0]
    (dealt,) = winnable.generate("triple", layout=tmp_path / "level.json", kinds=12, seed=5)
    said = run("generate", "triple", "kinds=12", "--layout", str(tmp_path / "level.json"), "--seed", "5")
    assert dealt.code == winnable.load("triple", board=json_code(said.stdout)).code
    with pytest.raises(winnable.WinnableError, match="layout: nowhere is none of") as refused:
        winnable.generate("triple", layout="nowhere")
    assert "pagoda" in str(refused.value)


def json_code(level: str) -> str:
    game = winnable.load_game("triple")
    return game.format_board(msgspec.json.decode(level, type=game.level_type))


@pytest.mark.parametrize("name", GAMES)
def test_every_parameter_of_a_generator_can_be_given(name: str) -> None:
    """None is hidden by what `generate` itself is called with."""
    for param in describe_params(winnable.load_game(name).params_type):
        given: Any = {param.name: param.default}
        assert winnable.generate(name, **given, seconds=60) == winnable.generate(name, seconds=60)


def test_what_a_certificate_proves_is_known_without_a_search() -> None:
    for name in ("drops/05-puddle", "rotate/01-one-turn"):
        (row,) = winnable.check(name)
        assert (row.certificate, row.verdict, row.optimal) == ("holds", "solved", True)
        assert row.cost == row.lower_bound
        (solved,) = winnable.check(name, solve=True)
        assert (solved.cost, solved.lower_bound, solved.optimal) == (row.cost, row.lower_bound, True)


def test_a_time_that_is_given_ends_what_is_made_to_order() -> None:
    assert winnable.generate("triple", layers=2, sets=2, kinds=4, difficulty=0.9, seconds=0) == []


def test_moves_are_read_as_a_chinese_keyboard_types_them() -> None:
    assert winnable.load("drops/05-puddle").push("（２，１）").moves == ["(2,1)"]
