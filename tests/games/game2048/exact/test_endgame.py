"""Endgame tables beside plain recursion, in all images, and in files that are cut short, damaged or gone."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.fresh_python import ROOT, printed_either_way
from winnable.contract.core import Action, Budget, WinnableError, finish
from winnable.contract.tables import BudgetEnded
from winnable.games.game2048.board.kernels import unpack
from winnable.games.game2048.exact import endgame
from winnable.games.game2048.exact import passes as exact_passes
from winnable.games.game2048.exact.endgame import chances, table_of, tables_folder
from winnable.games.game2048.exact.endgame_boards import Pattern, PatternBoards, PatternForm, starts
from winnable.games.game2048.exact.layers import LayerFile, Layers
from winnable.games.game2048.exact.symmetry import images
from winnable.games.game2048.exact.table import fill
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, State

CORNER = tuple(cell for cell in range(16) if cell not in (0, 1, 2, 4, 5))
TINY = Pattern("tiny", CORNER, 5)
SOONER = Pattern("sooner", CORNER, 4)
LARGER = Pattern("larger", tuple(range(7, 16)), 6)
SHAPES = (
    TINY,
    SOONER,
    Pattern("six cells", tuple(cell for cell in CORNER if cell != 6), 5),
    Pattern("column", tuple(cell for cell in range(16) if cell % 4), 4),
    Pattern("lower right", tuple(cell for cell in range(16) if cell not in (7, 10, 11, 14, 15)), 4),
)
GAME = Game2048(Level())
FIXED = 9
"""Exponent of the first of the fixed tiles; the next ones are larger and larger."""


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only pattern is TINY, and its table is there."""
    monkeypatch.setattr(endgame, "PATTERNS", (TINY,))
    return made(TINY)


def made(pattern: Pattern) -> Path:
    table = table_of(pattern, tables_folder())
    finish(table.make(Budget()))
    return table.path


def on_board(pattern: Pattern, word: int) -> State:
    """With tiles on the fixed cells."""
    cells = list(unpack(word))
    for number, cell in enumerate(pattern.fixed):
        cells[cell] = FIXED + number
    return tuple(cells)


def plain_chances(pattern: Pattern) -> Callable[[State], dict[Action, float]]:
    """State -> of each allowed move the best chance, by the rules alone; as `seen` it has the afterstates
    that it looked at."""

    @cache
    def of_moves(state: State) -> dict[Action, float]:
        found: dict[Action, float] = {}
        for action in GAME.legal_actions(state):
            after, _ = GAME.afterstate(state, action)
            if all(after[cell] == state[cell] for cell in pattern.fixed):
                won = any(after[cell] == pattern.goal for cell in pattern.free)
                found[action] = 1.0 if won else of_afterstate(after)
        return found

    @cache
    def of_afterstate(after: State) -> float:
        return sum(
            share * max(of_moves(state).values(), default=0.0) for share, state in GAME.outcomes(after)
        )

    return of_moves


@pytest.mark.parametrize("pattern", SHAPES, ids=lambda pattern: pattern.name)
def test_plain_recursion_finds_the_same_for_every_board(pattern: Pattern) -> None:
    layers, of_moves = Layers(), plain_chances(pattern)
    finish(fill(layers, PatternBoards(pattern), starts(pattern), Budget()))
    boards = 0
    for layer in range(len(layers)):
        for word, chance in zip(layers.boards(layer), layers.worths(layer), strict=True):
            after, boards = on_board(pattern, int(word)), boards + 1
            plain = sum(
                share * max(of_moves(state).values(), default=0.0) for share, state in GAME.outcomes(after)
            )
            assert chance == pytest.approx(plain, abs=1e-12)
    assert boards == layers.afterstates > 0


def test_the_boards_are_those_that_come_up() -> None:
    """From the empty free cells on, by the rules."""
    layers = Layers()
    finish(fill(layers, PatternBoards(TINY), starts(TINY), Budget()))
    found = {on_board(TINY, int(word)) for layer in range(len(layers)) for word in layers.boards(layer)}
    empty = on_board(TINY, TINY.word)
    seen, new = set[State](), {empty}
    while new:
        states = {state for after in new for _, state in GAME.outcomes(after)}
        afters = {
            GAME.afterstate(state, action)[0] for state in states for action in GAME.legal_actions(state)
        }
        seen |= new
        new = {
            after
            for after in afters - seen
            if all(after[cell] == empty[cell] for cell in TINY.fixed)
            and all(after[cell] < TINY.goal for cell in TINY.free)
        }
    assert found == seen - {empty}


def states_met(pattern: Pattern, games: int) -> list[State]:
    """By allowed moves at random, from the empty free cells on."""
    rng, met = random.Random(games), list[State]()
    for _ in range(games):
        after = on_board(pattern, pattern.word)
        while True:
            state = rng.choice([state for _, state in GAME.outcomes(after)])
            met.append(state)
            afters = [GAME.afterstate(state, action)[0] for action in GAME.legal_actions(state)]
            afters = [
                after
                for after in afters
                if all(after[cell] == state[cell] for cell in pattern.fixed)
                and all(after[cell] < pattern.goal for cell in pattern.free)
            ]
            if not afters:
                break
            after = rng.choice(afters)
    return met


@pytest.mark.usefixtures("tiny")
def test_look_ups_are_the_same_in_all_images() -> None:
    of_moves, seen = plain_chances(TINY), set[int]()
    for state in states_met(TINY, 60):
        plain, found = of_moves(state), chances(state)
        assert found is not None
        assert list(found) == list(plain)
        assert found == pytest.approx(plain, abs=2e-4)
        assert [chance == 1 for chance in found.values()] == [chance == 1 for chance in plain.values()]
        seen.add(len(found))
        for places in images(4, 4):
            image = tuple(state[place] for place in places)
            turned = chances(image)
            assert turned is not None
            for action, chance in found.items():
                after, _ = GAME.afterstate(state, action)
                along = [
                    other
                    for other in GAME.legal_actions(image)
                    if GAME.afterstate(image, other)[0] == tuple(after[place] for place in places)
                ]
                assert turned[along[0]] == chance
            assert len(turned) == len(found)
    assert seen == {0, 1, 2}


@pytest.mark.usefixtures("tiny")
def test_what_the_pattern_does_not_fit_is_not_known() -> None:
    state = on_board(TINY, TINY.word | 1)
    assert chances(state) is not None
    assert chances((1, *state[1:15], 35)) is not None, "however large the fixed tiles are"
    assert chances((TINY.goal, *state[1:])) is None, "a free tile of the goal's size"
    assert chances((*state[:3], state[6], *state[4:])) is None, "two fixed tiles alike"
    assert chances((*state[:3], TINY.goal - 1, *state[4:])) is None, "a fixed tile too small"
    assert chances((0,) * 16) is None
    assert chances((4, 4, 4, *state[3:4], 4, 4, *state[6:])) is None, "never comes up"


def test_the_largest_goal_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgame, "PATTERNS", (SOONER, TINY))
    state = on_board(TINY, TINY.word | 0x21)
    assert chances(state) is None
    made(SOONER)
    assert chances(state) == pytest.approx(plain_chances(SOONER)(state), abs=2e-4)
    table = made(TINY)
    assert chances(state) == pytest.approx(plain_chances(TINY)(state), abs=2e-4)
    table.unlink()
    assert chances(state) == pytest.approx(plain_chances(SOONER)(state), abs=2e-4)


def test_the_patterns_fit_into_files() -> None:
    for pattern in endgame.PATTERNS:
        assert PatternForm(pattern).count(PatternForm(pattern).kept_boards(starts(pattern)[1]).nbytes) == len(
            pattern.free
        )


def test_files_keep_boards_as_they_are_and_chances_nearly(tmp_path: Path) -> None:
    layers = Layers()
    finish(fill(layers, PatternBoards(LARGER), starts(LARGER), Budget()))
    table = table_of(LARGER, tmp_path)
    kept = finish(table.make(Budget()))
    assert (kept.afterstates, kept.states) == (layers.afterstates, layers.states)
    for layer in range(len(layers)):
        assert (kept.boards(layer) == layers.boards(layer)).all()
        assert kept.worths(layer) == pytest.approx(layers.worths(layer), abs=2e-4)
    assert table.path.stat().st_size == kept.size < 4.5 * kept.afterstates + 1000 * len(kept)


def test_made_in_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut short on the way forward and back; in the end the file is the same, to the last byte."""
    monkeypatch.setattr(exact_passes, "SLICE", 100)
    straight, steps = table_of(LARGER, tmp_path / "straight"), table_of(LARGER, tmp_path / "steps")
    boards = finish(straight.make(Budget())).afterstates
    for expanded in (100, boards, boards, boards // 2, boards // 4):
        with pytest.raises(BudgetEnded, match="budget"):
            finish(steps.make(Budget(expanded=expanded)))
        assert steps.state(check=True).status == "unfinished"
    finish(steps.make(Budget()))
    assert steps.path.read_bytes() == straight.path.read_bytes()


def in_another_process(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    head = (
        "from pathlib import Path\n"
        "from winnable.contract.core import Budget, finish\n"
        "from tests.games.game2048.exact.test_endgame import LARGER\n"
        "from winnable.games.game2048.exact.endgame import table_of\n"
        f"table = table_of(LARGER, Path({str(folder)!r}))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", head + script], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_after_kill_9_it_goes_on(tmp_path: Path) -> None:
    straight = table_of(LARGER, tmp_path / "straight")
    whole = finish(straight.make(Budget()))
    on_its_way_back = 2 * whole.afterstates + whole.states + whole.afterstates // 2
    killed = in_another_process(
        "import os, signal\n"
        "for progress in table.make(Budget()):\n"
        f"    if progress.expanded > {on_its_way_back}: os.kill(os.getpid(), signal.SIGKILL)\n",
        tmp_path / "killed",
    )
    assert killed.returncode == -9
    table = table_of(LARGER, tmp_path / "killed")
    assert table.state(check=True).status == "unfinished"
    assert table.state(check=True).entries == whole.afterstates
    finish(table.make(Budget()))
    assert table.path.read_bytes() == straight.path.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="limits")
def test_a_full_disk_is_one_error(tmp_path: Path) -> None:
    failed = in_another_process(
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "finish(table.make(Budget()))\n",
        tmp_path,
    )
    error = failed.stderr.splitlines()[-1]
    assert error.startswith("winnable.contract.errors.WinnableError: ")
    assert "larger.unfinished: File too large" in error
    table = table_of(LARGER, tmp_path)
    assert table.unfinished.stat().st_size <= 20_000
    assert finish(table.make(Budget())).whole


def test_damage_is_refused_and_mended(tiny: Path) -> None:
    good, rng = tiny.read_bytes(), random.Random(7)
    met = states_met(TINY, 20)
    bad = [b"", good[:10], good[: len(good) // 2], good[:-1], good + b"x", b"x" + good[1:]]
    for _ in range(20):
        place = rng.randrange(len(good))
        bad.append(good[:place] + bytes([good[place] ^ 1 << rng.randrange(8)]) + good[place + 1 :])
    remedy = "damaged; `winnable tables 2048 tiny --build` makes it"
    for content in bad:
        tiny.write_bytes(content)
        table = table_of(TINY, tables_folder())
        assert table.state(check=True).status == "damaged"
        try:
            layers = table.open()
        except WinnableError:
            with pytest.raises(WinnableError, match=remedy):
                chances(met[0])
        else:
            with pytest.raises(WinnableError, match=remedy):
                look_at_all(layers)
        finish(table.make(Budget()))
        assert tiny.read_bytes() == good
        assert all(chances(state) is not None for state in met)


def look_at_all(layers: LayerFile) -> None:
    for layer in range(len(layers)):
        layers.mapped(layer)


def test_a_damaged_layer_is_refused_where_it_is_needed(tiny: Path) -> None:
    good = tiny.read_bytes()
    layers = table_of(TINY, tables_folder()).open()
    _, worths = layers.mapped(3)
    place = good.rindex(bytes(worths))
    tiny.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
    with pytest.raises(WinnableError, match=r"tiny\.layers: the file is damaged; `winnable tables 2048 tiny"):
        chances(on_board(TINY, TINY.word | 0x21))
    assert chances(on_board(TINY, TINY.word | 0x1)) is not None, "of another layer"


def test_a_table_of_another_pattern_is_no_table(tiny: Path) -> None:
    os.replace(made(SOONER), tiny)
    with pytest.raises(WinnableError, match=r"tiny\.layers: the table is damaged"):
        chances(on_board(TINY, TINY.word | 0x21))


def test_missing_tables_are_not_asked(tiny: Path) -> None:
    state = on_board(TINY, TINY.word | 0x21)
    assert chances(state) is not None
    assert chances(state, tiny.parent / "elsewhere") is None
    table = table_of(TINY, tables_folder())
    table.remove()
    assert table.state(check=False) == ("missing", 0, 0)
    assert chances(state) is None
    with pytest.raises(WinnableError, match=r"tiny\.layers: the table is missing; `winnable tables"):
        table.open()


def test_it_is_the_same_without_the_compiler() -> None:
    printed_either_way(
        "import tempfile\n"
        "from pathlib import Path\n"
        "from winnable.contract.core import Budget, finish\n"
        "from winnable.games.game2048.exact import endgame\n"
        "from tests.games.game2048.exact.test_endgame import SOONER, on_board, states_met\n"
        "endgame.PATTERNS = (SOONER,)\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    table = endgame.table_of(SOONER, Path(folder))\n"
        "    finish(table.make(Budget()))\n"
        "    print(table.path.read_bytes().hex())\n"
        "    for state in states_met(SOONER, 5):\n"
        "        print(endgame.chances(state, Path(folder)))\n"
    )
