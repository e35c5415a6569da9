"""What `import winnable` offers, and what it costs."""

from __future__ import annotations

import pytest

import winnable
from tests.fresh_python import printed


def test_all_that_is_public_is_there() -> None:
    assert {"Budget", "Session", "find_level", "load_game"} <= set(dir(winnable))
    assert all(getattr(winnable, name).__name__ == name for name in dir(winnable))


@pytest.mark.parametrize(
    ("name", "near"),
    [("solv", "solve"), ("bord", "Board"), ("lists_games", "list_games"), ("compare_all_of_them", None)],
)
def test_a_name_that_is_not_there_is_told_what_was_meant(name: str, near: str | None) -> None:
    """Once: Python itself looks for such a name, too, where it shows an error that nobody caught."""
    script = f"import sys, traceback, winnable\ntry: winnable.{name}\n"
    told = printed(f"{script}except AttributeError: traceback.print_exc(file=sys.stdout)", jit=True)
    said = f"AttributeError: module 'winnable' has no attribute '{name}'"
    assert told.splitlines()[-1] == said + (f"; did you mean {near}?" if near else "")
    assert not hasattr(winnable, name)


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    script = "import sys, winnable\nprint(*(name for name in sys.modules if name.startswith('winnable')))\n"
    script += "winnable.Budget\nprint('numpy' in sys.modules)"
    assert printed(script, jit=True) == "winnable\nFalse\n"


HELP = """
from click.testing import CliRunner
from winnable.cli.app import app
assert "arcade" in CliRunner().invoke(app, ["--help"]).output
"""


@pytest.mark.parametrize("work", [HELP, "import winnable.web.server"], ids=["--help", "the studio"])
def test_no_shell_imports_a_game_before_it_is_asked_for(work: str) -> None:
    names = "(name for name in sys.modules if name.startswith('winnable.games'))"
    assert printed(f"{work}\nimport sys\nprint(*{names})", jit=True) == "\n"
