"""What only a process of its own shows: start-up, signals, pipes, imports."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.cli.cli_support import SMALL, Run, one_error
from tests.waiting import PATIENCE
from winnable.cli.app import COMMANDS, app

SLOW_SOLVER = """
import time
from winnable.contract.core import Answer
from winnable.contract.registry import load_game

def slow(puzzle, state, budget, seed):
    nodes = 1
    print("searching", flush=True, file=__import__("sys").stderr)
    while (yield from budget.allows("slow", nodes, nodes)):
        nodes += 1
        time.sleep(0.01)
    return Answer("budget", expanded=nodes)

solvers = load_game("triple").solvers
others = dict(solvers)
solvers.clear()
solvers["slow"] = slow
solvers.update(others)
from winnable.cli import main
main()
"""

ASKED_AGAIN = """
board, seen = winnable.load("drops/01-first-drops"), 0
while True:
    try:
        print(board.verdict(), seen)
        break
    except KeyboardInterrupt:
        seen += 1
"""
"""After each Ctrl-C, and how many came."""


def start(*arguments: str, code: str = "") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "winnable"]
    return subprocess.Popen(
        [*command, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_help_is_light() -> None:
    code = (
        "import sys, winnable.cli.app as a\n"
        "sys.argv = ['winnable', '--help']\n"
        "import atexit\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "a.run()\n"
    )
    process = start(code=code)
    out, err = process.communicate(timeout=PATIENCE)
    assert "Find a winning line" in out
    assert not {"numba", "numpy", "rich", "msgspec"} & set(err.split())


@pytest.mark.parametrize("command", ["verify", "check", "games"])
def test_no_solver_is_imported_to_verify(command: str) -> None:
    code = (
        "import sys, atexit\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from winnable.cli import main\n"
        "main()\n"
    )
    process = start(command, *(["triple/1-first-steps"] if command != "games" else []), code=code)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    solvers = {f"winnable.games.triple.solve.{module}" for module in ("solver", "kernels")}
    assert not {"numba", *solvers} & set(err.split())


def test_the_module_runs_as_a_program() -> None:
    process = start("--version")
    assert process.communicate(timeout=PATIENCE)[0].startswith("winnable 0.")
    process = start("solve", "missing.json", "--json")
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, "")
    assert err == "winnable: error: missing.json: No such file or directory\n"


ENDLESS = """
import sys
from winnable.cli import work
before = work.Work.advance
def advance(self, text=""):
    print("made", file=sys.stderr, flush=True)
    before(self, text)
work.Work.advance = advance
from winnable.cli import main
main()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_what_was_generated_before_sigterm_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "levels.jsonl"
    process = start("generate", "triple", "--count", "1000000", "-o", str(path), code=ENDLESS)
    assert process.stderr is not None
    assert process.stderr.readline() == "made\n"
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3, err
    made = len(path.read_bytes().splitlines())
    assert made
    assert f"interrupted: only {made} of 1000000" in err


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_sigterm_is_ctrl_c_where_there_is_nothing_to_keep() -> None:
    code = (
        "from winnable.cli import levels\n"
        "import signal\n"
        "levels.load_level = lambda *given: signal.raise_signal(signal.SIGTERM)\n"
        "from winnable.cli import main\n"
        "main()\n"
    )
    process = start("verify", "triple", "-", code=code)
    assert process.communicate(timeout=PATIENCE) == ("", "\nwinnable: error: interrupted\n")
    assert process.returncode == 130


CRASHES = {
    "ours": "raise KeyError('tile')",
    "a file's": "raise PermissionError(13, 'Permission denied', 'tile')",
    "another package's": "sys.exit(1)",
    "recursion": "given[0].crash(given[0])",
}


@pytest.mark.parametrize("crash", CRASHES.values(), ids=CRASHES)
@pytest.mark.parametrize("command", ["verify", "solve"])
def test_a_crash_has_a_code_of_its_own_and_a_sentence(crash: str, command: str) -> None:
    code = (
        "import sys\n"
        "from winnable.cli import solve, verify\n"
        "class Odd(str):\n"
        "    def crash(self, other): return other.crash(self)\n"
        "def crash(*given, **named):\n"
        "    given = Odd('tile'), *given\n"
        f"    {crash}\n"
        "import winnable.cli.levels as levels\n"
        "levels.load_level = solve.load_level = verify.load_level = crash\n"
        "from winnable.cli import main\n"
        "main()\n"
    )
    arguments = (command, "triple", "-") if command == "verify" else (command, "triple")
    process = start(*arguments, code=code)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (70, ""), err
    (line,) = err.splitlines()
    assert line.startswith("winnable: error: winnable failed in __main__:")
    assert "--log-level debug" in line
    if command == "solve":
        process = start("--log-level", "debug", *arguments, code=code)
        _, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, "Traceback" in err) == (70, True)


DEAF = """
import sys, time
from winnable.contract.registry import load_game
from winnable.contract import ending
ending.SECONDS = 0.3
ending.begin.__defaults__ = (0.3,)
from winnable.cli import work
work.stopped_by_interrupt.__wrapped__.__defaults__ = (0.3,)
work.Work.__init__.__defaults__ = (None, 0.3)

def deaf(*given, **named):
    print("searching", flush=True, file=sys.stderr)
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            pass

triple = load_game("triple")
others = dict(triple.solvers)
triple.solvers.clear()
triple.solvers["deaf"] = deaf
triple.solvers.update(others)
object.__setattr__(triple, "generate", deaf)
from winnable.cli import main
main()
"""
"""What never asks whether it is to stop, and takes no interruption, in a thread and in the main one."""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "triple", SMALL, "--time", "600"),
        ("compare", "triple", "--by", "deaf", "--time", "600"),
        ("generate", "triple", "--count", "3"),
        ("export", "triple:#5"),
    ],
)
def test_the_first_signal_ends_work_that_never_polls(arguments: tuple[str, ...], number: int) -> None:
    process = start(*arguments, code=DEAF)
    assert process.stderr is not None
    assert process.stderr.readline() == "searching\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert err.strip() == "winnable: error: interrupted"


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("package", ["numba.core", "numba.np", "numpy.linalg", "llvmlite.binding"])
def test_ctrl_c_while_the_compiler_is_imported_breaks_nothing(package: str) -> None:
    code = (
        "import signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *given):\n"
        f"        if name == {package!r} and self in sys.meta_path:\n"
        "            sys.meta_path.remove(self)\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "import winnable\n"
    )
    process = start(code=code + ASKED_AGAIN)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (0, "winnable 1\n"), err


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_while_the_program_is_imported_is_no_traceback() -> None:
    code = (
        "import signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *given):\n"
        "        if name == 'winnable.cli.options':\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from winnable.cli import main\n"
        "main()\n"
    )
    process = start(code=code)
    assert (*process.communicate(timeout=PATIENCE), process.returncode) == ("", "", 130)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_waits_while_the_compiler_has_llvms_memory_in_two_hands() -> None:
    code = (
        "import signal\n"
        "import winnable\n"
        "import llvmlite.binding as llvm\n"
        "add_module = llvm.ExecutionEngine.add_module\n"
        "def interrupted(engine, module):\n"
        "    llvm.ExecutionEngine.add_module = add_module\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "    add_module(engine, module)\n"
        "    print('added')\n"
        "llvm.ExecutionEngine.add_module = interrupted\n"
    )
    process = start(code=code + ASKED_AGAIN)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (0, "added\nwinnable 1\n"), err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
@pytest.mark.parametrize(
    "arguments",
    [
        ("games",),
        ("solve", "triple/1-first-steps"),
        ("check", "triple/1-first-steps", "--json"),
        ("export", "triple/1-first-steps"),
        ("generate", "triple", "--count", "10"),
        ("--help",),
    ],
)
def test_a_full_stdout_is_one_line(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "winnable", *arguments]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1] == "winnable: error: stdout: No space left on device"
        assert "Traceback" not in done.stderr
        assert subprocess.run(command, stdout=full, stderr=full, timeout=PATIENCE).returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="shell")
def test_a_closed_stdout_is_no_news() -> None:
    command = f"{sys.executable} -m winnable games >&-"
    done = subprocess.run(["/bin/sh", "-c", command], stderr=subprocess.PIPE, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name != "posix", reason="shell")
@pytest.mark.parametrize(
    ("arguments", "code"), [("solve -", 2), ("check -", 1), ("play drops/01-first-drops", 0)]
)
def test_a_closed_stdin_is_an_empty_one(arguments: str, code: int) -> None:
    command = f"{sys.executable} -m winnable {arguments} <&-"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, timeout=PATIENCE)
    assert done.returncode == code, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "triple:layout=\udcff#1"),
        ("runs", "show", "\udcff"),
        ("runs", "delete", "\udcff"),
        ("tune", "--resume", "\udcff"),
        ("generate", "\udcff"),
        ("generate", "triple", "\udcff=1"),
    ],
)
def test_arguments_that_are_no_text_are_refused_in_a_line(run: Run, arguments: tuple[str, ...]) -> None:
    one_error(run(*arguments, code=2))


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_solve_with_what_was_found() -> None:
    process = start("solve", "triple", SMALL, "--time", "60", "--json", code=SLOW_SOLVER)
    assert process.stderr is not None
    assert process.stderr.readline() == "searching\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    answer = json.loads(out)
    assert (answer["status"], answer["solver"]) == ("budget", "slow")
    assert answer["expanded"] > 0
    assert err == "winnable: interrupted: this is what was found so far\n"


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("by", ["random,slow", "slow"])
def test_ctrl_c_ends_a_comparison_with_the_rows_so_far(by: str) -> None:
    process = start("compare", "triple", "--by", by, "--time", "60", "--json", code=SLOW_SOLVER)
    assert process.stderr is not None
    assert process.stderr.readline() == "searching\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    if by == "slow":
        assert (process.returncode, out) == (130, "")
        assert err == "winnable: error: interrupted\n"
    else:
        assert process.returncode == 3
        assert [(row["name"], row["games"]) for row in json.loads(out)] == [("random", 1)]


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_closed_pipe_is_quiet() -> None:
    process = start("generate", "triple", "layers=8", "sets=4", "--count", "500")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr:
        assert process.stderr.read() == ""
    assert process.wait(timeout=PATIENCE) == 141


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself(run: Run, name: str) -> None:
    text = run(name, "--help").stdout
    assert f"winnable {name}" in text
    assert "Examples:\n" in text
    command = app.get_command(click.Context(app), name)
    assert command is not None
    assert command.name == name
    assert name == "studio" or "--json" in text


def test_options_have_one_name_everywhere() -> None:
    names: dict[str, set[str]] = {}
    for name in COMMANDS:
        command = app.get_command(click.Context(app), name)
        assert command is not None
        for option in command.params:
            if isinstance(option, click.Option):
                names.setdefault(str(option.name), set()).add("/".join(option.opts))
    assert not {name: forms for name, forms in names.items() if len(forms) > 1}


def test_no_command_starts_the_studio(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int | None, bool]] = []

    def serve(port: int | None, open_browser: bool, memory_mb: int | None) -> None:
        calls.append((port, open_browser))

    monkeypatch.setattr("winnable.web.server.serve", serve)
    run()
    run("--port", "8123", "--no-open")
    run("studio", "--port", "0")
    assert calls == [(None, True), (8123, False), (0, True)]
    run("studio", "--port", "99999", code=2)


def test_files_are_small() -> None:
    folder = Path(__file__).parents[2] / "src" / "winnable" / "cli"
    assert not {p.name: n for p in folder.glob("*.py") if (n := len(p.read_text().splitlines())) > 250}
