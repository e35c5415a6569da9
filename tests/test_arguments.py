"""What first callers hand over that is of the wrong kind: one WinnableError that names the argument, from
every public function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

import winnable
from winnable import tasks
from winnable.contract.core import WinnableError
from winnable.envs.single import GameEnv
from winnable.levels.find import find_level
from winnable.levels.making import Difficulty

NAMED = find_level("drops/01-first-drops")
PUZZLE = NAMED.game.puzzle(NAMED.level)
NO_NUMBERS: list[Any] = [None, "1", b"1", [1], 1j, True, object()]
HUGE = 10**5000
"""Python does not write it."""
NO_COUNTS: list[Any] = [*NO_NUMBERS, -1, 1.0, float("nan"), [HUGE], -HUGE, 10**40]
NO_SECONDS: list[Any] = [*NO_NUMBERS, -1, -0.5, float("nan"), float("-inf"), HUGE]
NO_ACTIONS: list[Any] = [
    None,
    1.0,
    b"(1,1)",
    ["(1,1)"],
    True,
    1j,
    object(),
    -1,
    10**6,
    "nowhere",
    float("nan"),
]
NO_TEXT: list[Any] = [None, 5, 1.5, b"drops", ["drops"], object()]


def board() -> winnable.Board:
    return winnable.load("drops/01-first-drops")


def session() -> winnable.Session:
    return winnable.Session(NAMED)


def _task_at(index: Any) -> Any:
    listed: Any = tasks.dataset("drops", 3)
    return listed[index]


CASES: list[tuple[str, Callable[[Any], Any], list[Any]]] = [
    ("level", lambda given: winnable.load(given), NO_TEXT),
    ("seed", lambda given: winnable.load("drops", seed=given), NO_COUNTS),
    ("board", lambda given: winnable.load("drops", board=given), NO_TEXT[1:]),
    ("seconds", lambda given: winnable.solve("drops/01-first-drops", seconds=given), NO_SECONDS),
    ("solver", lambda given: winnable.solve("drops/01-first-drops", solver=given), NO_TEXT[1:]),
    ("seed", lambda given: winnable.solve("drops/01-first-drops", seed=given), NO_COUNTS),
    ("seed", lambda given: board().solve(seed=given), NO_COUNTS),
    ("game", lambda given: winnable.generate(given), NO_TEXT),
    ("count", lambda given: winnable.generate("drops", count=given), NO_COUNTS[:-1]),
    ("seed", lambda given: winnable.generate("drops", seed=given), NO_COUNTS),
    ("seconds", lambda given: winnable.generate("drops", certify=True, seconds=given), NO_SECONDS[1:]),
    ("rows", lambda given: winnable.generate("drops", rows=given), [None, b"4", [4], 4.0, 1j, True, HUGE]),
    ("rows", lambda given: winnable.generate("drops", params={"rows": given}), [None, [HUGE], HUGE, ""]),
    ("no such parameter", lambda given: winnable.generate("drops", params={given: 4}), [None, 5, (1,), HUGE]),
    ("layout", lambda given: winnable.generate("triple", layout=given), NO_TEXT[1:]),
    ("solver", lambda given: winnable.generate("drops", certify=True, solver=given), [5, 1.5, b"x", ["x"]]),
    ("by", lambda given: winnable.generate("triple", difficulty="20%", by=given), NO_TEXT),
    ("difficulty", lambda given: winnable.generate("triple", difficulty=given), ["", [1], 1j, True, HUGE]),
    ("levels", lambda given: winnable.check(given), NO_TEXT[:-2]),
    ("seconds", lambda given: winnable.check("drops/01-first-drops", seconds=given), NO_SECONDS),
    ("seed", lambda given: winnable.check("drops/01-first-drops", seed=given), NO_COUNTS),
    ("solver", lambda given: winnable.check("drops/01-first-drops", solver=given), NO_TEXT),
    ("rows", lambda given: winnable.columns(given), NO_TEXT),
    ("rows", lambda given: winnable.columns([given]), NO_TEXT),
    ("game", lambda given: winnable.load_game(given), NO_TEXT),
    ("seed", lambda given: winnable.find_level("drops", given), NO_COUNTS),
    ("budget", lambda given: winnable.find_level("drops", 1, given), [5, "x"]),
    ("board", lambda given: winnable.find_level("drops", 1, None, given), NO_TEXT[1:]),
    ("game", lambda given: winnable.companion_of(given, NAMED.level, PUZZLE), [None, 5, "drops"]),
    ("index", _task_at, [None, 1.5, "1", True]),
    ("session", lambda given: winnable.Board(given), [None, 5, "drops"]),
    ("named", lambda given: winnable.Session(given), [None, 5, "drops", (1, 2, 3)]),
    ("content", lambda given: winnable.Session.load(given), [None, 5, "{}"]),
    ("content", lambda given: winnable.Session.read(given), [None, 5, "{}"]),
    ("action", lambda given: session().act(given), NO_ACTIONS[:7]),
    ("node", lambda given: session().go_to(given), NO_COUNTS),
    ("ply", lambda given: session().go_to_ply(given), NO_COUNTS),
    ("ply", lambda given: session().branches(given), NO_COUNTS),
    ("ply", lambda given: session().place(given), NO_COUNTS),
    ("step", lambda given: session().alternate(given), [None, "1", 1.0, True]),
    ("saved", lambda given: session().merge(given), [None, 5, "x"]),
    ("move", lambda given: board().push(given), NO_ACTIONS[:7]),
    ("ply", lambda given: board().go_to(given), NO_COUNTS),
    ("seconds", lambda given: board().verdict(given), NO_SECONDS),
    ("seconds", lambda given: board().line(given), NO_SECONDS),
    ("seconds", lambda given: board().hint(given), NO_SECONDS),
    ("seconds", lambda given: winnable.load("2048").hint(given), NO_SECONDS),
    ("seconds", lambda given: winnable.load("2048").values(given), NO_SECONDS),
    ("seconds", lambda given: board().values(given), NO_SECONDS),
    ("seconds", lambda given: board().solve(given), NO_SECONDS),
    ("seconds", lambda given: board().report(given), NO_SECONDS),
    ("seconds", lambda given: board().margin(given), NO_SECONDS),
    ("seconds", lambda given: board().review(given), NO_SECONDS),
    ("delay", lambda given: board().animate(delay=given), NO_SECONDS),
    ("line", lambda given: board().animate(given), NO_TEXT[1:3]),
    ("line", lambda given: board().animate([given]), NO_ACTIONS[:7]),
    ("path", lambda given: board().animate().save(given), NO_TEXT[:-1]),
    ("seconds", lambda given: board().difficulty(given), NO_SECONDS),
    ("path", lambda given: board().save(given), NO_TEXT[:-1]),
    ("path", lambda given: board().save_level(given), NO_TEXT[:-1]),
    ("seconds", lambda given: winnable.Budget(given), NO_SECONDS),
    ("expanded", lambda given: winnable.Budget(expanded=given), NO_COUNTS[:-1]),
    ("memory_mb", lambda given: winnable.Budget(memory_mb=given), NO_COUNTS[:-1]),
    ("threads", lambda given: winnable.Budget(threads=given), [*NO_COUNTS[:-1], 0]),
    ("actions", lambda given: winnable.replay(PUZZLE, given), [None, 5, "(1,1)", b"1"]),
    ("action", lambda given: winnable.replay(PUZZLE, [given]), NO_ACTIONS[:7]),
    ("puzzle", lambda given: winnable.replay(given, []), [None, 5, "drops"]),
    ("line", lambda given: winnable.check_line(PUZZLE, given), [None, 5, "(1,1)"]),
    ("line", lambda given: winnable.check_line(PUZZLE, [given]), NO_ACTIONS[:7]),
    ("seed", lambda given: tasks.make("drops", given), NO_COUNTS),
    ("game", lambda given: tasks.make(given, 1), NO_TEXT),
    ("difficulty", lambda given: tasks.make("drops", 1, difficulty=given), [5, ["easy"], b"easy", "hardest"]),
    ("solvable", lambda given: tasks.make("drops", 1, solvable=given), ["yes", 5, []]),
    ("params", lambda given: tasks.make("drops", 1, params=given), NO_TEXT),
    ("language", lambda given: tasks.make("drops", 1, language=given), NO_TEXT),
    ("size", lambda given: tasks.dataset("drops", given), NO_COUNTS),
    ("seed", lambda given: tasks.dataset("drops", 3, given), NO_COUNTS),
]  # fmt: skip


@pytest.mark.parametrize(
    ("field", "call", "given"),
    [(field, call, given) for field, call, values in CASES for given in values],
    ids=[f"{number}-{field}-{type(given).__name__}-{place}" for number, (field, _, values) in enumerate(CASES)
         for place, given in enumerate(values)],
)  # fmt: skip
def test_what_is_of_the_wrong_kind_is_refused_by_name(
    field: str, call: Callable[[Any], Any], given: Any
) -> None:
    with pytest.raises(WinnableError) as refused:
        call(given)
    assert field in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("given", NO_ACTIONS)
@pytest.mark.parametrize("name", ["triple", "drops", "tetris", "rotate", "2048"])
def test_no_board_takes_what_is_no_action(name: str, given: Any) -> None:
    played = winnable.load(name)
    with pytest.raises(winnable.IllegalAction):
        played.push(given)
    assert played.moves == []
    puzzle = find_level(name).game.puzzle(find_level(name).level)
    if not isinstance(given, str):
        with pytest.raises(winnable.IllegalAction):
            winnable.replay(puzzle, [given])


@pytest.mark.parametrize(
    ("given", "share", "points"),
    [
        ("20%", 0.2, 0),
        ("0.2", 0.2, 0),
        (0.2, 0.2, 0),
        (" 20 % ", 0.2, 0),
        ("0%", 0, 0),
        ("100%", 1, 0),
        (1500, None, 1500),
        ("1500", None, 1500),
        (-20.5, None, -20.5),
        ("20 points", None, 20),
        ("２０％", 0.2, 0),
        ("0.2 points", None, 0.2),
    ],
)
def test_what_a_difficulty_means(given: str | float, share: float | None, points: float) -> None:
    assert Difficulty.parse(given) == (share, points)


@pytest.mark.parametrize("given", [20, "20", 20.0, 0, 1, 100, "0", "1.0"])
def test_a_difficulty_that_may_mean_two_things_is_refused(given: str | float) -> None:
    with pytest.raises(WinnableError, match=f"difficulty: {given} may be a share or points"):
        Difficulty.parse(given)


@pytest.mark.parametrize(
    "given", ["101%", "-1%", "", "%", "nan", "inf", "1e999x", "20%%", True, float("nan")]
)
def test_what_is_no_difficulty_is_refused(given: str | float) -> None:
    with pytest.raises(WinnableError, match="difficulty: "):
        Difficulty.parse(given)


@pytest.mark.parametrize("bad", ["\0", "\x1b[2J", "\u202e", "\x9b1m"])
def test_no_error_controls_the_terminal_of_its_reader(bad: str) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: winnable.load(bad),
        lambda: winnable.load(f"drops:{bad}=4"),
        lambda: winnable.load(f"drops:rows={bad}"),
        lambda: winnable.load(Path(bad)),
        lambda: GameEnv("drops").reset(options={bad: 1}),
        lambda: GameEnv("drops", params={bad: 1}),
        lambda: GameEnv("drops", reward=cast("Any", bad)),
        lambda: winnable.load("drops:012/340").push(bad),
    ]
    for call in calls:
        with pytest.raises(WinnableError) as error:
            call()
        for text in (str(error.value), error.value.said("zh-CN"), repr(error.value)):
            assert all(char.isprintable() for char in text), text
