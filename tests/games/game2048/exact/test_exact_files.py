"""Tables of exact play in files: made in steps, found again, and never believed when they are damaged."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.games.game2048.plain import mean_of, plain_values
from winnable.contract.core import Budget, WinnableError, finish
from winnable.games.game2048.exact import passes as exact_passes
from winnable.games.game2048.exact import small as exact
from winnable.games.game2048.exact.layers import LayerFile, Plain
from winnable.games.game2048.exact.small import Exact, Solution, problem_of, solution_of, solve, table_of
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Seeded2048

LEVEL = Level(rows=2, columns=3)


@pytest.fixture(autouse=True)
def _from_files(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    """Players read also boards of 6 cells from files, and remember none."""
    monkeypatch.setattr(exact, "AT_ONCE", 5)
    monkeypatch.setattr(exact, "_kept", {})


def table(folder: Path) -> Path:
    return table_of(problem_of(LEVEL), folder).path


def fails(folder: Path, what: str) -> None:
    with pytest.raises(
        WinnableError, match=f"the table is {what}; `winnable tables 2048 exact-2x3 --build` makes it"
    ):
        finish(solution_of(LEVEL, folder))


def test_from_a_file_as_from_memory(tmp_path: Path) -> None:
    fails(tmp_path / "there", "missing")
    made, memory = finish(solve(LEVEL, folder=tmp_path / "there")), finish(solve(LEVEL))
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["2x3-fours-10-score.layers"]
    for found in (
        made,
        finish(solution_of(LEVEL, tmp_path / "there")),
        finish(solve(LEVEL, folder=tmp_path / "there")),
    ):
        assert (found.states, found.afterstates) == (memory.states, memory.afterstates)
        assert finish(found.mean()) == finish(memory.mean())
        assert finish(found.values((1, 2, 0, 2, 3, 1))) == finish(memory.values((1, 2, 0, 2, 3, 1)))


def test_made_in_steps_of_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """2 × 4 in slices of 500 boards; tries are cut short on the way forward and back. In the end the file is
    the same, to the last byte."""
    level = Level(rows=2, columns=4, goal=64, ends=True)
    finish(solve(level, folder=tmp_path / "at once"))
    monkeypatch.setattr(exact_passes, "SLICE", 500)
    budgets = [Budget(expanded=expanded) for expanded in (100, 300_000, 250_000, 10_000)]
    for budget in budgets:
        with pytest.raises(WinnableError, match="budget"):
            finish(solve(level, budget, tmp_path / "steps"))
        assert [path.suffix for path in (tmp_path / "steps").iterdir()] == [".unfinished"]
    finish(solve(level, folder=tmp_path / "steps"))
    (at_once,), (steps,) = (list((tmp_path / name).iterdir()) for name in ("at once", "steps"))
    assert (steps.name, steps.read_bytes()) == (at_once.name, at_once.read_bytes())


def test_10_cells(tmp_path: Path) -> None:
    level = Level(rows=5, columns=2, goal=8, fours=0, ends=True)
    found = finish(solve(level, folder=tmp_path, aim="score"))
    assert finish(found.mean()) == pytest.approx(mean_of(level, plain_values(level)), rel=1e-12)


def test_damage_is_refused_and_mended(tmp_path: Path) -> None:
    finish(solve(LEVEL, folder=tmp_path))
    path, rng = table(tmp_path), random.Random(5)
    good = path.read_bytes()
    bad = [b"", good[:10], good[: len(good) // 2], good[:-1], good + b"x", b"x" + good[1:]]
    for _ in range(10):
        place = rng.randrange(len(good))
        bad.append(good[:place] + bytes([good[place] ^ 1 << rng.randrange(8)]) + good[place + 1 :])
    for content in bad:
        path.write_bytes(content)
        try:
            solution = finish(solution_of(LEVEL, tmp_path))
        except WinnableError:
            fails(tmp_path, "damaged")
        else:
            with pytest.raises(WinnableError, match="damaged"):
                read_all(solution, path)
        exact._kept.clear()  # pyright: ignore[reportPrivateUsage]
        assert finish(solve(LEVEL, folder=tmp_path)).afterstates == 14_883
        assert path.read_bytes() == good


def read_all(solution: Solution, path: Path) -> None:
    layers = LayerFile(path, path.read_bytes().partition(b"\n")[0].decode(), Plain())
    assert layers.whole
    for layer in range(len(layers)):
        layers.boards(layer)
        layers.worths(layer)


def test_a_table_of_something_else_is_no_table(tmp_path: Path) -> None:
    other = Level(rows=2, columns=3, fours=90)
    finish(solve(other, folder=tmp_path))
    os.replace(table_of(problem_of(other), tmp_path).path, table(tmp_path))
    fails(tmp_path, "damaged")
    assert finish(finish(solve(LEVEL, folder=tmp_path)).mean()) == finish(finish(solve(LEVEL)).mean())


def test_files_tell_problems_apart() -> None:
    levels = [
        LEVEL,
        Level(rows=2, columns=4),
        Level(rows=2, columns=3, fours=11),
        Level(rows=2, columns=3, goal=32, ends=True),
        Level(rows=2, columns=3, goal=64, ends=True),
    ]
    problems = [problem_of(level) for level in levels]
    problems += [problem_of(level, "score") for level in levels[3:]]
    assert len({table_of(problem, Path()).path for problem in problems}) == 7
    assert problem_of(Level(rows=3, columns=2, goal=32, dice=8)) == problems[0]


def test_what_cannot_be_written_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WinnableError, match="file"):
        finish(solve(LEVEL, folder=tmp_path / "file"))
    table(tmp_path).mkdir()
    with pytest.raises(WinnableError, match="2x3-fours-10-score"):
        finish(solve(LEVEL, folder=tmp_path))


def test_the_player_reads_the_table_or_says_what_makes_it() -> None:
    puzzle = Seeded2048(LEVEL)
    with pytest.raises(WinnableError, match="missing; `winnable tables 2048 exact-2x3 --build` makes it"):
        Exact(puzzle)
    with pytest.raises(WinnableError, match="`winnable tables 2048 exact-2x5 --build` makes it"):
        Exact(Seeded2048(Level(rows=5, columns=2)))
    with pytest.raises(WinnableError, match=r"winnable.games.game2048.exact.small.solve makes it"):
        Exact(Seeded2048(Level(rows=3, columns=3, fours=5)))
    solution = finish(solve(LEVEL, folder=exact.tables_folder()))
    state = puzzle.initial()
    assert finish(Exact(puzzle).choose(state)) == finish(solution.best(state.state))


def test_a_table_that_was_emptied_while_it_is_open_is_refused(tmp_path: Path) -> None:
    finish(solve(LEVEL, folder=tmp_path))
    layers = table_of(problem_of(LEVEL), tmp_path).open()
    table(tmp_path).write_bytes(b"")
    with pytest.raises(WinnableError):
        layers.mapped(0)
    with pytest.raises(WinnableError, match="damaged"):
        layers.boards(0)
