"""What shells are told at Tab: bash itself is driven, for the others click's own interface."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.cli_support import Run, document, one_error
from tests.fresh_python import printed
from tests.waiting import PATIENCE
from winnable.cli.app import app
from winnable.cli.completion import SHELLS

WINNABLE = Path(sys.executable).with_name("winnable")
SETUP = """PS1=; bind 'set enable-bracketed-paste off'
bind -x '"\\C-g": echo; echo "<$READLINE_LINE>"'
source <(winnable completion bash)
echo ready
"""


def candidates(shell: str, line: str, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Kind, value and help of each."""
    monkeypatch.setenv("COMP_LINE", line)
    monkeypatch.setenv("COMP_WORD", line.split(" ")[-1])
    told = SHELLS[shell](app, {}, "winnable", "_WINNABLE_COMPLETE").complete()
    return [row.split("\t") for row in told.splitlines()]


@pytest.mark.parametrize(
    ("line", "first", "kind"),
    [
        ("winnable so", "solve", "plain"),
        ("winnable solve --ti", "--time", "plain"),
        ("winnable solve tri", "triple", "plain"),
        ("winnable check triple/2", "triple/2-pyramid", "plain"),
        ("winnable play drops:da", "drops:daily", "plain"),
        ("winnable solve triple:layers=4,layo", "triple:layers=4,layout=", "open"),
        ("winnable generate triple layo", "layout=", "open"),
        ("winnable generate triple --seed 3 layout=pag", "layout=pagoda", "plain"),
        ("winnable compare triple --set layout=pag", "layout=pagoda", "plain"),
        ("winnable games --schema te", "tetris", "plain"),
        ("winnable solve drops:#1 --solver op", "optimal", "plain"),
        ("winnable solve drops --solver=op", "--solver=optimal", "plain"),
        ("winnable solve drops --solver 'a(", "a(k=", "open"),
        ("winnable solve drops --solver a --with ", "k=", "open"),
        ("winnable watch tetris --by dt-1", "dt-10", "plain"),
        ("winnable compare drops --by greedy,op", "greedy,optimal", "plain"),
        ("winnable compare drops --preset me", "methods", "plain"),
        ("winnable repair triple/2-pyramid --method few", "fewest-swaps", "plain"),
        ("winnable solve rotate --notation ra", "radius", "plain"),
        ("winnable bench tetris-r", "tetris-record", "plain"),
        ("winnable verify triple sol", "sol", "file"),
        ("winnable solve lev", "lev", "file"),
    ],
)
def test_each_thing_is_completed(line: str, first: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for shell in ("zsh", "fish"):
        assert candidates(shell, line, monkeypatch)[0][:2] == [kind, first]


def test_where_no_game_is_named_no_method_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not candidates("zsh", "winnable solve nothing --solver ", monkeypatch)


def test_the_solvers_of_a_file_are_those_of_its_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.json"
    run("export", "drops", "-o", str(path))
    line = f"winnable solve {path} --solver opt"
    assert candidates("fish", line, monkeypatch) == [["plain", "optimal", ""]]


def test_no_game_and_no_compiler_is_imported_for_commands_and_none_for_methods() -> None:
    script = """
import os, sys
sys.argv[0] = "winnable"
from winnable.cli.app import app
try:
    app.main()
except SystemExit:
    print(*(name for name in ("numpy", "numba", "winnable.games") if name in sys.modules))
"""
    for line, loaded in (("winnable so", []), ("winnable solve triple --solver beam-b", ["winnable.games"])):
        os.environ.update(_WINNABLE_COMPLETE="fish_complete", COMP_LINE=line)
        try:
            assert printed(script, jit=True).splitlines()[1:] == [" ".join(loaded)]
        finally:
            del os.environ["_WINNABLE_COMPLETE"], os.environ["COMP_LINE"]


@pytest.fixture
def bash(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """What stands in the line of a real one after keys."""
    if shutil.which("bash") is None or os.name != "posix":
        pytest.skip("no bash")
    import pty

    ours, theirs = pty.openpty()
    paths = os.pathsep.join([str(WINNABLE.parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": paths, "TERM": "dumb", "INPUTRC": os.devnull, "HOME": str(tmp_path)}
    shell = subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)

    def after(keys: str, wanted: str) -> str:
        os.write(ours, keys.encode())
        heard = ""
        while (found := re.search(wanted, heard)) is None:
            ready, _, _ = select.select([ours], [], [], PATIENCE)
            assert ready, heard
            heard += os.read(ours, 4096).decode("utf-8", "replace")
        return found[1]

    after(SETUP, r"\n(ready)\r")
    try:
        yield lambda keys: after(f"\x15{keys}\x07", r"\n<(.*)>")
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)


def test_bash_itself(bash: Callable[[str], str], tmp_path: Path) -> None:
    (tmp_path / "my level.json").touch()
    for keys, line in [
        ("winnable solv\t", "winnable solve "),
        ("winnable solve triple/2\t", "winnable solve triple/2-pyramid "),
        ("winnable solve triple:da\t", "winnable solve triple:daily "),
        ("winnable solve triple:layo\t", "winnable solve triple:layout="),
        ("winnable solve triple:layout=pag\t,ki\t", "winnable solve triple:layout=pagoda,kinds="),
        ("winnable generate triple layout=pag\t", "winnable generate triple layout=pagoda "),
        ("winnable solve drops --solver=opt\t", "winnable solve drops --solver=optimal "),
        ("winnable solve drops --solver 'a(se\t", "winnable solve drops --solver 'a(seconds='"),
        ("winnable compare drops --by greedy,opt\t", "winnable compare drops --by greedy,optimal "),
        ("winnable solve my\t", "winnable solve my\\ level.json "),
        ("winnable solve zzz\t", "winnable solve zzz"),
    ]:
        assert bash(keys) == line, keys


def test_without_a_shell_it_says_how(run: Run) -> None:
    assert "~/.bashrc" in run("completion").stdout
    for shell, script in document(run("completion", "--json")).items():
        assert "_WINNABLE_COMPLETE" in script
        assert run("completion", shell).stdout.strip() == script
    one_error(run("completion", "csh", code=2), "'csh' is not one of")
