"""A played game as its input: the player's handling, and the keys that were down in each frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from winnable.contract.core import Action, IllegalAction, LevelError, unreadable
from winnable.games.tetris.modern.rules.gravity import FRAMES_A_SECOND
from winnable.games.tetris.modern.rules.level import Handling, Level
from winnable.games.tetris.modern.rules.puzzle import AnyState, Modern
from winnable.games.tetris.modern.rules.state import ALL_KEYS, Events

MAX_FRAMES = 2 * 60 * 60 * FRAMES_A_SECOND
"""Two hours."""
MAX_RUNS = 200_000

Run = tuple[Annotated[int, Meta(ge=1, le=MAX_FRAMES)], Annotated[int, Meta(ge=0, le=ALL_KEYS)]]
"""So many frames, with these keys down."""


class Log(Struct, frozen=True, forbid_unknown_fields=True, tag_field="format", tag="winnable.modern-log/1"):
    """Everything besides the level that a replay needs."""

    handling: Handling
    runs: Annotated[tuple[Run, ...], Meta(max_length=MAX_RUNS)] = ()

    def __post_init__(self) -> None:
        if self.frames > MAX_FRAMES:
            raise LevelError("modern.frames", field="runs", given=self.frames, most=MAX_FRAMES)

    @property
    def frames(self) -> int:
        """The number of frames."""
        return sum(frames for frames, _ in self.runs)

    def keys(self) -> Iterator[Action]:
        """The keys, frame by frame."""
        return (keys for frames, keys in self.runs for _ in range(frames))


class Film(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="format",
    tag="winnable.modern-replay/1",
):
    """A replay file. by_bot: the bot played it, or some of it."""

    level: Level
    log: Log
    by_bot: bool = False


class Play:
    """A game and the log of its keys. by_bot: the bot played it, or some of it"""

    def __init__(self, level: Level, handling: Handling, by_bot: bool = False) -> None:
        self.level, self.by_bot = level, by_bot
        self.puzzle = Modern(level, handling)
        self.state = self.puzzle.initial()
        self.runs: list[Run] = []

    @property
    def log(self) -> Log:
        """The keys so far, as a log."""
        return Log(self.puzzle.handling, tuple(self.runs))

    @property
    def film(self) -> Film:
        """The game so far, as a replay file."""
        return Film(self.level, self.log, self.by_bot)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, or the log is full."""
        return self.state.status != "playing" or self.is_full

    @property
    def is_full(self) -> bool:
        """Whether a log can hold no more of it."""
        return self.state.frames >= MAX_FRAMES or len(self.runs) >= MAX_RUNS

    def step(self, keys: Action) -> Events:
        """Play one frame. Raises IllegalAction when the game has ended."""
        self.state = self.puzzle.apply(self.state, keys)
        if self.runs and self.runs[-1][1] == keys:
            self.runs[-1] = self.runs[-1][0] + 1, keys
        else:
            self.runs.append((1, keys))
        return self.state.events


def encode(log: Log) -> str:
    """The log as JSON."""
    return msgspec.json.encode(log).decode()


def decode(text: str | bytes) -> Log:
    """Read a log: the inverse of `encode`. Raises LevelError that names the field."""
    try:
        return msgspec.json.decode(text, type=Log)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise unreadable(error).within("log") from None
    except RecursionError:
        raise LevelError("nested", field="log") from None


def replay(level: Level, log: Log) -> AnyState:
    """The state after the log, always the same to the last bit.

    Raises IllegalAction when the log goes on after the game has ended.
    """
    puzzle = Modern(level, log.handling)
    state = puzzle.initial()
    for index, (frames, keys) in enumerate(log.runs):
        for _ in range(frames):
            try:
                state = puzzle.apply(state, keys)
            except IllegalAction as error:
                raise error.within(f"runs[{index}]: frame {state.frames}") from None
    return state
