"""Logs: read, written, refused; and that a replay is the same to the last bit."""

import itertools
import json
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnable.contract.core import Action, IllegalAction, LevelError, WinnableError
from winnable.games.tetris.modern.players.replay import MAX_FRAMES, Log, decode, encode, replay
from winnable.games.tetris.modern.rules.level import Handling, Level
from winnable.games.tetris.modern.rules.puzzle import Modern
from winnable.levels.files import decode as decode_level

LINES = (Path(__file__).parent / "golden.txt").read_text("utf-8").splitlines()
"""For each game three lines: level, log, and what is seen after it. A sprint that a simple program won, a zen
game and a game of the article with random keys."""
GOLDEN = list(zip(LINES[::3], LINES[1::3], LINES[2::3], strict=True))
HANDLINGS = st.builds(
    Handling, st.integers(1, 60), st.integers(0, 60), st.integers(1, 100) | st.just("instant")
)
RUNS = st.lists(st.tuples(st.integers(1, 40), st.integers(0, 255)), max_size=40)
LEVELS = st.builds(
    Level,
    mode=st.sampled_from(["endless", "sprint"]),
    rules=st.sampled_from(["guideline", "article"]),
    dice=st.integers(0, 1000),
)


def logged(handling: Handling, actions: Iterable[Action]) -> Log:
    """The log of a game with these keys, frame by frame."""
    return Log(handling, tuple((sum(1 for _ in run), keys) for keys, run in itertools.groupby(actions)))


@pytest.mark.parametrize(("level", "log", "seen"), GOLDEN, ids=["sprint", "zen", "article"])
def test_golden(level: str, log: str, seen: str) -> None:
    played = decode_level(level.encode(), Level)
    puzzle = Modern(played, decode(log).handling)
    assert msgspec.json.encode(puzzle.observe(replay(played, decode(log)))).decode() == seen
    assert encode(decode(log)) == log


@settings(max_examples=60, deadline=None)
@given(LEVELS, HANDLINGS, RUNS)
def test_a_replay_is_always_the_same(level: Level, handling: Handling, runs: list[tuple[int, int]]) -> None:
    puzzle = Modern(level, handling)
    state, played = puzzle.initial(), list[int]()
    for keys in itertools.chain.from_iterable([keys] * frames for frames, keys in runs):
        if state.status != "playing":
            break
        state = puzzle.apply(state, keys)
        played.append(keys)
    log = logged(handling, played)
    assert log.frames == len(played)
    again = replay(level, decode(encode(log)))
    assert again == state
    assert hash(again) == hash(state)


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=80)
    | st.binary(max_size=80)
    | st.recursive(
        st.none() | st.integers() | st.text(max_size=5) | st.floats(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
        max_leaves=10,
    ).map(lambda value: json.dumps({"format": "winnable.modern-log/1", "handling": {}, "runs": value}))
)
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    try:
        log = decode(text)
        replay(Level(mode="zen"), log) if log.frames < 2000 else None
    except WinnableError:
        return
    assert encode(log)


def log_of(**fields: object) -> str:
    return json.dumps({"format": "winnable.modern-log/1", "handling": {}, "runs": [], **fields})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "log: not JSON"),
        ("[" * 100_000, "log: "),
        ('{"format":"winnable.modern/1"}', "format"),
        ('{"format":"winnable.modern-log/1"}', "handling"),
        (log_of(handling={"das": 0}), r"handling.das"),
        (log_of(handling={"soft": "never"}), r"handling.soft"),
        (log_of(runs=[[0, 1]]), r"runs\[0\]"),
        (log_of(runs=[[1, 1], [1, 256]]), r"runs\[1\]"),
        (log_of(runs=[[1, -1]]), r"runs"),
        (log_of(runs=[[1]]), r"runs"),
        (log_of(runs=[[MAX_FRAMES, 0], [1, 1]]), "runs: .* frames, but at most"),
        (log_of(runs=[[1, 0]] * 200_001), r"runs"),
        (log_of(seed=1), "seed"),
    ],
)
def test_bad_logs_are_refused_by_the_field_s_name(text: str, message: str) -> None:
    with pytest.raises(LevelError, match=message):
        decode(text)


def test_a_log_that_goes_on_after_the_end_is_refused() -> None:
    handling = Handling()
    drops = logged(handling, [8, 0] * 100)
    with pytest.raises(IllegalAction, match=r"runs\[\d+\]: frame \d+: the game has ended: (block|lock) out"):
        replay(Level(mode="endless"), drops)


def test_runs_are_as_long_as_they_can_be() -> None:
    assert logged(Handling(), [0, 0, 1, 1, 1, 0]) == Log(Handling(), ((2, 0), (3, 1), (1, 0)))
