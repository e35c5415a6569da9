"""`scripts/test.py --fast`: what a change is, and which tests it touches."""

import subprocess
from pathlib import Path

import pytest

from scripts.test import about, changed

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("name", "tests"),
    [
        ("src/winnable/games/rotate/solve/exact.py", {"tests/games/rotate/solve"}),
        ("src/winnable/games/rotate/arrays/batch.py", {"tests/games/rotate"}),
        ("src/winnable/games/drops/page/board.js", {"tests/games/drops", "tests/browser"}),
        ("src/winnable/games/drops/words.en.json", set[str]()),
        ("src/winnable/games/drops/README.md", {"tests/test_documents.py"}),
        ("src/winnable/web/static/desk/desk.js", {"tests/web", "tests/browser"}),
        ("src/winnable/words/en.json", {"tests/words"}),
        ("tests/games/rotate/solve/test_exact.py", {"tests/games/rotate/solve/test_exact.py"}),
        ("tests/games/rotate/boards.py", {"tests/games/rotate"}),
        ("tests/games/rotate/solve/test_that_is_gone.py", {"tests/games/rotate/solve"}),
        ("bench/rotate/article_claims.py", {"tests/bench"}),
        ("pyproject.toml", set[str]()),
    ],
)
def test_tests_are_found_by_their_place(name: str, tests: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert {path.as_posix() for path in about(name)} == tests


def test_files_in_no_room_are_tested_by_those_that_lie_in_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert about("src/winnable/board.py") == set(Path("tests").glob("test_*.py"))


def test_a_change_is_what_is_not_committed_or_else_the_branch_or_else_the_last_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def git(*command: str) -> None:
        author = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example")
        subprocess.run(["git", *author, *command], check=True, capture_output=True)

    def commit(name: str) -> None:
        Path(name).touch()
        git("add", ".")
        git("commit", "-m", name)

    git("init", "-b", "main")
    commit("first")
    commit("second")
    assert changed() == ["second"]
    git("switch", "-c", "branch")
    commit("third")
    commit("fourth")
    assert changed() == ["fourth", "third"]
    Path("first").write_text("otherwise")
    git("rm", "second")
    Path("übrig").touch()
    assert changed() == ["first", "second", "übrig"]
