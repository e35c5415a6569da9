"""The same rows wherever they are worked out, in parts, and after whatever ended the batch before."""

from __future__ import annotations

import csv
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import winnable
from tests.cli.cli_support import Run, document, one_error
from tests.waiting import PATIENCE, wait_until
from winnable.batches.checking import Check
from winnable.batches.files import RowFile, Shard, kept_rows
from winnable.batches.making import Made, Make, Order
from winnable.batches.requests import answer_all
from winnable.batches.running import Row, rows
from winnable.cli.batch import Batch
from winnable.cli.work import Work
from winnable.contract.core import Budget, Progress, Search, WinnableError, finish
from winnable.contract.registry import load_game
from winnable.levels.checking import Checking
from winnable.levels.identity import parse_params
from winnable.levels.making import Criteria
from winnable.workers.engines import Engine, InProcess, Theirs, make_engine
from winnable.workers.executor import TaskKillsWorker

EASY = ("layers=4", "sets=2", "kinds=4", "side=3")
DROPS = ("drops", "rows=3", "columns=3", "slack=0", "--certify")


@pytest.fixture
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


def order(count: int, seed: int = 1, distinct: bool = False) -> Order:
    game = load_game("rotate")
    params = parse_params(game, "rows=2,columns=3,colours=2,scramble=2")
    return Order(game, params, Criteria(count, distinct=distinct), seed)


def nothing(row: Row) -> None:
    """Every row stands."""


def told(requests: list[Any], engine: Engine, again: Callable[[Row], Any] = nothing) -> list[Row]:
    return [one for one in rows(requests, engine, Budget(), again) if isinstance(one, Row)]


def contents(found: list[Row]) -> list[bytes | None]:
    return [row.answer.content for row in found]


# -- rows ----------------------------------------------------------------------------------------------------


def test_rows_are_the_same_in_this_process_and_on_workers_and_come_in_order(threads: Executor) -> None:
    made = order(40)
    requests = [*map(made.request, range(40))]
    here = told(requests, InProcess())
    assert [row.number for row in here] == [*range(40)]
    for engine in (Theirs(threads), make_engine(2)):
        assert contents(told(requests, engine)) == contents(here)


def test_what_looks_like_an_earlier_level_is_made_again_in_its_place(threads: Executor) -> None:
    """There are few boards of 2 x 2, so that most seeds are passed by."""
    found: dict[str, list[Row]] = {}
    for name, engine in {"here": InProcess(), "threads": Theirs(threads)}.items():
        made = order(4, distinct=True)
        found[name] = told([*map(made.request, range(4))], engine, made.again)
    pictures = [row.answer.picture for row in found["here"] if row.answer.content]
    assert len(pictures) == len(set(pictures)) > 2
    assert contents(found["here"]) == contents(found["threads"])


class Scrambled(Executor):
    """Answers its tasks in fours, the last one first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Future[Any], Any]] = []
        self._max_workers = 2

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((future, lambda: fn(*args, **kwargs)))
        if len(self._waiting) == 4:
            for one, work in reversed(self._waiting):
                one.set_result(work())
            self._waiting.clear()
        return future


def test_rows_come_in_order_whatever_comes_first() -> None:
    made = order(16)
    requests = [*map(made.request, range(16))]
    found = told(requests, Theirs(Scrambled()))
    assert [row.number for row in found] == [*range(16)]
    assert contents(found) == contents(told(requests, InProcess()))


def test_a_batch_ends_when_it_is_cancelled(threads: Executor) -> None:
    made = order(50)
    for engine in (InProcess(), Theirs(threads)):
        whole, found = Budget(), 0
        for one in rows([*map(made.request, range(50))], engine, whole):
            if isinstance(one, Row):
                found += 1
                whole.cancel()
        assert found < 50


def test_a_request_of_another_version_is_refused_by_the_worker(threads: Executor) -> None:
    """As a cluster has it whose workers are not those of whoever asks."""
    from msgspec.structs import replace

    request = replace(order(1).request(0), version="0.0.1")
    (answer,) = finish(answer_all([request.encoded()]))
    assert isinstance(answer, WinnableError)
    assert answer.code == "batch.version"
    assert answer.values["ours"] == "0.0.1"
    (row,) = told([request], Theirs(threads))
    assert row.answer.code == "batch.version"


class Poison(Check, frozen=True, kw_only=True):
    """Takes its worker along."""

    def answer(self, whole: Budget) -> Search[Any]:
        yield Progress("", 0, 0, 0.0)
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_what_kills_its_worker_is_told_and_takes_nothing_along() -> None:
    """As a search does that the system ends for its memory."""
    made = order(6)
    requests: list[Any] = [*map(made.request, range(6))]
    poison = Poison.of("poison", b"", Checking(False, 1.0))
    found = told([*requests[:3], poison, *requests[3:]], make_engine(2))
    assert isinstance(found[3].answer, TaskKillsWorker)
    assert "SIGKILL" in str(found[3].answer)
    assert contents(found[:3] + found[4:]) == contents(told(requests, InProcess()))


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_what_kills_its_worker_is_no_row_and_may_be_tried_again(capsys: pytest.CaptureFixture[str]) -> None:
    made = order(3)
    requests: list[Any] = [*map(made.request, range(3))]
    poison = Poison.of("poison", b"", Checking(False, 1.0))
    with Work("", 4) as work:
        found = [*Batch(workers="2").rows(work, [*requests, poison])]
    assert len(found) == 3
    assert work.is_cut
    assert not work.interrupted
    assert "its worker died each time" in capsys.readouterr().err


def test_requests_have_names_that_every_process_gives_them() -> None:
    first, other = (order(1, seed).request(0) for seed in (1, 2))
    script = "from tests.batches.test_batches import order\nprint(order(1, 1).request(0).name)"
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env)
    assert said.stdout.strip() == first.name != other.name


# -- files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 1, 5, 16, 17, 1000])
@pytest.mark.parametrize("parts", [1, 2, 3, 16, 17])
def test_shards_are_the_whole_in_order_and_as_long_as_each_other(length: int, parts: int) -> None:
    shards = [Shard(part, parts).of(length) for part in range(1, parts + 1)]
    assert [place for shard in shards for place in shard] == [*range(length)]
    assert max(map(len, shards)) - min(map(len, shards)) <= 1


@pytest.mark.parametrize("text", ["", "3", "0/4", "5/4", "1/0", "-1/4", "1/4/4", "a/b", "1/9999999", "٣/٤"])
def test_no_such_shard(text: str) -> None:
    with pytest.raises(WinnableError, match="I/N is needed"):
        Shard.parse(text)


def test_half_a_row_is_no_row(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    assert [*kept_rows(path)] == []
    path.write_bytes(b'{"a":1}\n{"b"')
    assert [*kept_rows(path)] == [b'{"a":1}']
    with RowFile(path, goes_on=True) as file:
        file.append(b'{"b":2}')
    assert path.read_bytes() == b'{"a":1}\n{"b":2}\n'


@pytest.mark.parametrize("content", [b"my notes", b'{"name": "of something else"}', b"[1, 2", b"\0\0\0"])
def test_a_line_without_an_end_is_cut_only_where_it_may_be_half_a_row(run: Run, content: bytes) -> None:
    path = Path("rows.jsonl")
    for command in (("check", "drops/05-puddle"), ("generate", *DROPS, "--count", "2"), ("tasks", "drops")):
        path.write_bytes(content)
        one_error(run(*command, "--resume", "rows.jsonl", code=2), "rows.jsonl:1: ")
        assert path.read_bytes() == content


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to play with")
def test_a_full_disk_is_told(run: Run) -> None:
    one_error(run("generate", *DROPS, "--count", "2", "--resume", "/dev/full", code=2), "/dev/full")


# -- the command line ----------------------------------------------------------------------------------------


def test_levels_in_shards_on_workers_and_resumed_are_the_same_file(run: Run) -> None:
    asked = ("generate", *DROPS, "--count", "9", "--seed", "3")
    whole = run(*asked).stdout
    assert whole.count("\n") == 9
    assert run(*asked, "--workers", "2").stdout == whole
    assert "".join(run(*asked, "--shard", f"{part}/4").stdout for part in (1, 2, 3, 4)) == whole
    lines = whole.encode().splitlines(keepends=True)
    for cut in (0, len(lines[0]), len(lines[0]) + 5, len(whole) - 1, len(whole)):
        Path("levels.jsonl").write_bytes(whole.encode()[:cut])
        assert run(*asked, "--resume", "levels.jsonl").stdout == ""
        assert Path("levels.jsonl").read_bytes() == whole.encode(), cut


@pytest.mark.parametrize(
    "other",
    [
        ("generate", "drops", "rows=3", "columns=4", "slack=0", "--certify", "--count", "4"),
        ("generate", *DROPS, "--count", "4", "--seed", "2"),
        ("generate", *DROPS, "--count", "4", "--shard", "2/2"),
        ("generate", "rotate", "--count", "4"),
        ("check", "levels.jsonl"),
        ("tasks", "drops", "--count", "4"),
    ],
)
def test_a_file_of_something_else_is_not_gone_on_with(run: Run, other: tuple[str, ...]) -> None:
    run("generate", *DROPS, "--count", "4", "-o", "levels.jsonl")
    before = Path("levels.jsonl").read_bytes()
    refused = run(*other, "--resume", "levels.jsonl", code=2)
    assert len(refused.stderr.splitlines()) == 1
    assert Path("levels.jsonl").read_bytes() == before


def test_no_file_is_written_that_is_read_nor_twice(run: Run) -> None:
    Path("set").mkdir()
    run("generate", "triple", *EASY, "--count", "2", "-o", "set/levels.jsonl")
    before = Path("set/levels.jsonl").read_bytes()
    Path("link").symlink_to("set/levels.jsonl")
    level, files = "set/levels.jsonl", ("./set/levels.jsonl", "link")
    reads = [("check", "set"), ("check", "set/*.jsonl"), ("check", f"{level}#2"), ("repair", "set")]
    reads += [("measure", level, "--by", "random"), ("compare", level, "--by", "random"), ("check", "link")]
    for command in reads:
        for option in ("--output", "--resume"):
            for file in files:
                told = run(*command, option, file, code=2)
                one_error(told, f"{option[2:]}: it is a file of levels that are read")
    for option in ("--junit", "--sarif", "--markdown"):
        one_error(run("check", "set", option, "link", code=2), f"{option[2:]}: it is a file of levels")
        one_error(run("check", "triple/1-first-steps", "--against", "set", option, level, code=2), option[2:])
    one_error(
        run("check", "set", "--junit", "x", "--sarif", "./x", code=2), "sarif: it is the file of --junit"
    )
    one_error(
        run("check", "set", "--junit", "x", "--resume", "x", code=2), "junit: it is the file of --resume"
    )
    one_error(run("generate", "triple", "--layout", level, "-o", "link", code=2), "output: it is a file of")
    assert Path("set/levels.jsonl").read_bytes() == before
    assert sorted(path.name for path in Path().iterdir()) == ["link", "set"]
    run("check", "set", "-o", os.devnull, "--junit", os.devnull)


def test_two_files_are_refused(run: Run) -> None:
    two = ("--resume", "a.jsonl", "-o", "b.jsonl")
    one_error(run("generate", *DROPS, "--count", "2", *two, code=2), "one file")


@pytest.mark.parametrize(("option", "value"), [("--workers", "0"), ("--workers", "two"), ("--shard", "0/2")])
def test_no_such_batch(run: Run, option: str, value: str) -> None:
    one_error(run("generate", *DROPS, option, value, code=2), value)


def test_checks_of_a_folder_in_parts_know_the_doubles_of_other_parts(run: Run) -> None:
    Path("levels").mkdir()
    run("generate", *DROPS, "--count", "3", "-o", "levels/a.jsonl")
    Path("levels/b.json").write_text(Path("levels/a.jsonl").read_text().splitlines()[1])
    Path("levels/c.json").write_text("no level")
    found = document(run("check", "levels", "--json", code=1))
    assert [row.get("same_as") for row in found] == [None, None, None, "levels/a.jsonl:2", None]
    assert [row["ok"] for row in found] == [True, True, True, True, False]
    assert document(run("check", "levels/*.json*", "--workers", "2", "--json", code=1)) == found
    parts = [document(run("check", "levels", "--json", "--shard", f"{part}/2", code=None)) for part in (1, 2)]
    assert [row for part in parts for row in part] == found
    Path("rows.jsonl").write_text(json.dumps(found[0]) + "\n" + json.dumps(found[3]) + "\n")
    assert "4 of 5 levels are fine" in run("check", "levels", "--resume", "rows.jsonl", code=1).stdout
    again = [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]
    assert sorted(again, key=found.index) == found


def test_rows_of_measures_games_and_repairs_are_gone_on_with(run: Run) -> None:
    run("generate", "triple", *EASY, "--count", "3", "-o", "levels.jsonl")
    kept = {
        "measure": ("levels.jsonl", "--by", "random,matching", "--games", "3"),
        "compare": ("levels.jsonl", "--by", "random,greedy"),
        "repair": ("levels.jsonl",),
    }
    for command, arguments in kept.items():
        run(command, *arguments, "--workers", "2", "--resume", "rows.jsonl")
        whole = Path("rows.jsonl").read_bytes()
        lines = whole.splitlines(keepends=True)
        Path("rows.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:-9])
        run(command, *arguments, "--resume", "rows.jsonl")
        again = Path("rows.jsonl").read_bytes().splitlines(keepends=True)
        assert again[:-1] == lines[:-1]
        names = [_named(json.loads(line)) for line in again]
        assert names == [_named(json.loads(line)) for line in lines]
        Path("rows.jsonl").unlink()


def test_a_row_counts_as_often_as_it_is_asked_for(run: Run) -> None:
    run("generate", "triple", *EASY, "--count", "2", "-o", "levels.jsonl")
    Path("lost.jsonl").write_text(Path("levels.jsonl").read_text().splitlines()[0] + "\n")
    commands = {
        ("check", "levels.jsonl", "levels.jsonl", "--solve"): 4,
        ("measure", "levels.jsonl", "--by", "random", "--games", "1"): 2,
        ("compare", "levels.jsonl", "--by", "random"): 2,
        ("repair", "levels.jsonl"): 2,
    }
    for command, count in commands.items():
        told = run(*command, "--resume", "rows.jsonl")
        whole = Path("rows.jsonl").read_bytes()
        assert whole.count(b"\n") == count
        for kept, lines in ((whole + whole, 2 * count), (whole[: whole.index(b"\n") + 1], count)):
            Path("rows.jsonl").write_bytes(kept)
            again = run(*command, "--resume", "rows.jsonl")
            if command[0] in ("check", "compare"):
                assert again.stdout.splitlines()[-1:] == told.stdout.splitlines()[-1:]
            assert Path("rows.jsonl").read_bytes().count(b"\n") == lines
        Path("rows.jsonl").unlink()


def test_a_damaged_row_is_named(run: Run) -> None:
    run("generate", *DROPS, "--count", "2", "-o", "levels.jsonl")
    for command in (("check", "levels.jsonl"), ("compare", "levels.jsonl", "--by", "bfs")):
        run(*command, "--resume", "rows.jsonl")
        row = json.loads(Path("rows.jsonl").read_text().splitlines()[1])
        Path("rows.jsonl").write_text(json.dumps({"request": row["request"], "played": {}}) + "\n")
        one_error(run(*command, "--resume", "rows.jsonl", code=2), "rows.jsonl:1: ")
        Path("rows.jsonl").unlink()


def _named(row: dict[str, Any]) -> str:
    return row.get("request") or row["provenance"]["request"]


def test_rows_are_tables_of_other_programs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("generate", *DROPS, "--count", "3", "-o", "levels.jsonl")
    rows = document(run("check", "levels.jsonl", "--json"))
    run("check", "levels.jsonl", "-o", "rows.csv")
    with Path("rows.csv").open(newline="") as file:
        table = [*csv.DictReader(file)]
    assert [row["request"] for row in table] == [row["request"] for row in rows]
    for told, row in zip(table, rows, strict=True):
        assert {name: told[f"facts.{name}"] for name in row["facts"]} == {
            name: str(value) for name, value in row["facts"].items()
        }
    Path("=1+1.json").write_text(Path("levels.jsonl").read_text().splitlines()[0])
    run("check", "=1+1.json", "-o", "rows.csv")
    with Path("rows.csv").open(newline="") as file:
        assert [row["source"] for row in csv.DictReader(file)] == ["'=1+1.json"]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    one_error(run("generate", *DROPS, "--count", "2", "-o", "rows.parquet", code=2), "Parquet needs pyarrow")


@pytest.mark.skipif(not find_spec("pyarrow"), reason="pyarrow is not installed")
def test_parquet_is_read_back(run: Run) -> None:
    parquet: Any = import_module("pyarrow.parquet")
    run("generate", *DROPS, "--count", "3", "-o", "levels.jsonl")
    run(
        "measure",
        "triple:layers=4,sets=2,kinds=4,side=3#1",
        "--by",
        "random",
        "--games",
        "2",
        "-o",
        "m.parquet",
    )
    run("check", "levels.jsonl", "-o", "rows.parquet")
    assert parquet.read_table("rows.parquet").column("verdict").to_pylist() == ["solved"] * 3
    assert parquet.read_table("m.parquet").column("game").to_pylist() == ["triple"]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_what_kill_9_leaves_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "levels.jsonl"
    asked = ["-m", "winnable", "generate", *DROPS, "--count", "300", "--workers", "2", "--resume", str(path)]
    process = subprocess.Popen([sys.executable, *asked], stderr=subprocess.DEVNULL)
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > 20, "rows")
    process.kill()
    process.wait(PATIENCE)
    done = path.read_bytes().count(b"\n")
    subprocess.run([sys.executable, *asked], check=True, capture_output=True)
    seeds = [json.loads(line)["provenance"]["seed"] for line in path.read_bytes().splitlines()]
    assert done < 300 == len(set(seeds))
    assert seeds == sorted(seeds)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "levels.jsonl"
    asked = ["-m", "winnable", "generate", *DROPS, "--count", "100000", "-o", str(path)]
    process = subprocess.Popen([sys.executable, *asked], stderr=subprocess.PIPE, text=True)
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > 5, "rows")
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 3
    assert f"goes on with --resume {path}" in said
    assert path.read_bytes().endswith(b"\n")


# -- Python --------------------------------------------------------------------------------------------------


def test_a_sequence_is_worked_out_as_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    answer = Make.answer

    def noted(self: Make, whole: Budget) -> Search[Made]:
        made.append(self.seed)
        return answer(self, whole)

    monkeypatch.setattr(Make, "answer", noted)
    boards = winnable.generate("rotate", rows=2, columns=2, count=5)
    assert made == []
    assert next(iter(boards)) == boards[0]
    assert made == [1]
    assert len(boards) == len(made) == 5
    assert boards[1:] == [*boards][1:]
    assert boards == [*boards] != []


def test_boards_go_on_to_be_checked_measured_compared_and_repaired(threads: Executor) -> None:
    heard: list[tuple[int, int]] = []

    def hear(done: int, count: int) -> None:
        heard.append((done, count))

    pile: Any = {"layers": 4, "sets": 2, "kinds": 4, "side": 3}
    boards = winnable.generate("triple", count=3, certify=True, executor=threads, progress=hear, **pile)
    assert [board.verdict() for board in boards] == ["winnable"] * 3
    assert heard == [(1, 3), (2, 3), (3, 3)]
    checked = winnable.check(boards, executor=threads)
    assert [(row.level_id, row.verdict) for row in checked] == [(board.id, "solved") for board in boards]
    measured = winnable.measure(boards, by=["random"], games=2, executor=threads)
    assert [row.players[0].games for row in measured] == [2, 2, 2]
    assert [*winnable.columns(measured)][:3] == ["game", "level_id", "difficulty"]
    (score,) = winnable.compare(boards[0], by="random", games=2, executor=threads)
    assert (score.name, score.games) == ("random", 2)
    assert [board and board.verdict() for board in winnable.repair(boards, executor=threads)] == [
        "winnable"
    ] * 3


class Liar(Executor):
    """Answers what nobody asked for."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.answer is Future:
            return None  # type: ignore[return-value]
        future: Future[Any] = Future()
        future.set_result(self.answer)
        return future


@pytest.mark.parametrize(
    "answer",
    [None, 1, (), (b"", "", ""), (pickle.dumps(None), "", ""), (pickle.dumps([]), "", ""), Future],
    ids=repr,
)
def test_an_executor_that_lies_is_told_and_no_row_is_passed_over(answer: Any) -> None:
    with pytest.raises(WinnableError, match=r"its value|in place of a future"):
        list(winnable.generate("rotate", rows=2, columns=2, count=2, executor=Liar(answer)))


def test_what_ends_a_sequence_is_raised_each_time() -> None:
    def progress(done: int, of: int) -> None:
        raise TypeError("this is no progress")

    boards = winnable.generate("rotate", rows=2, columns=2, count=2, progress=progress)
    for read in (list, len, list):
        with pytest.raises(TypeError, match="no progress"):
            read(boards)


def test_levels_of_games_without_a_method_are_left_as_they_are(run: Run) -> None:
    levels = [winnable.load("drops/05-puddle"), winnable.load("triple/1-first-steps")]
    Path("set").mkdir()
    for place, board in enumerate(levels):
        board.save_level(Path("set", f"{place}.json"))
    told = run("repair", "set", code=1)
    assert "is left as it is: no method repairs levels of drops" in told.stderr
    assert json.loads(told.stdout)["format"] == "winnable.triple/1"
    assert [board and board.game for board in winnable.repair(levels)] == [None, "triple"]


def test_levels_of_games_without_a_solver_are_fine_unsolved(run: Run) -> None:
    told = run("check", "tetris/5-dig", "drops/05-puddle", "--solve")
    assert "not solved: tetris has no solver" in told.stdout
    assert [row.verdict for row in winnable.check(["tetris/5-dig", "drops/05-puddle"], solve=True)] == [
        None,
        "solved",
    ]


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_two_do_not_write_to_one_file_at_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    with RowFile(path, goes_on=True):
        told = run("generate", "drops", "--resume", str(path), code=2)
        assert "another process is writing rows to it" in told.stderr
        assert told.stderr.count("rows.jsonl") == 1
        one_error(run("check", "drops/05-puddle", "--resume", str(path), code=2), "another process")
    assert path.read_bytes() == b""


def test_a_program_may_be_as_strict_as_the_command(tmp_path: Path) -> None:
    winnable.load("drops/05-puddle").save_level(tmp_path / "copy.json")
    levels = ["drops/05-puddle", tmp_path / "copy.json", "rotate/01-one-turn"]
    assert [row.fault for row in winnable.check(levels)] == [None, None, None]
    assert [row.fault for row in winnable.check(levels, distinct=True)] == [None, "double", None]
    assert [row.optimal for row in winnable.check(levels, fewest=True)] == [True, True, True]
    assert all(row.rating is not None for row in winnable.check(levels[2:], rate=True))
    refused = winnable.check(levels[2:], difficulty="5000..")
    assert [(row.ok, row.fault) for row in refused] == [(False, "difficulty")]
    with pytest.raises(WinnableError, match="difficulty"):
        winnable.check(levels, difficulty="hard")


def test_what_compares_is_what_the_command_compares(run: Run) -> None:
    level = "triple:layers=4,sets=2,kinds=4,side=3"
    said = document(run("compare", level, "--by", "random,greedy", "--games", "4", "--json"))
    found = winnable.compare(level, by=["random", "greedy"], games=4)
    assert [(row.name, row.won, row.mean_length) for row in found] == [
        (row["name"], row["won"], row["mean_length"]) for row in said
    ]


def chooses_last(puzzle: Any, state: Any, budget: Budget, seed: int) -> Any:
    return winnable.Answer("budget", limit=None)


def test_a_guest_goes_to_workers_where_these_can_import_it() -> None:
    winnable.register("drops", "chooses-last", solver=chooses_last)
    (found,) = winnable.compare("drops/05-puddle", by="chooses-last", games=1, workers=1)
    assert (found.name, found.games, found.undecided) == ("chooses-last", 1, 1)
    winnable.register("drops", "nowhere", solver=partial(chooses_last))
    (found,) = winnable.compare("drops/05-puddle", by="nowhere", games=1)
    assert found.games == 1
    with pytest.raises(WinnableError, match="others cannot import it"):
        list(winnable.compare("drops/05-puddle", by="nowhere", games=1, workers=1))


@pytest.mark.parametrize(
    ("arguments", "field"),
    [({"workers": 0}, "workers"), ({"workers": "many"}, "workers"), ({"executor": 5}, "executor"),
     ({"executor": "dask://"}, "executor"), ({"workers": 2, "executor": "dask://a:1"}, "executor")],
)  # fmt: skip
def test_no_such_workers(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(WinnableError) as refused:
        winnable.check("drops/05-puddle", **arguments)
    assert refused.value.values["field"] == field
    with pytest.raises(WinnableError):
        winnable.generate("drops", **arguments)
