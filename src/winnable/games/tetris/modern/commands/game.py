"""A game of modern tetris that a person, the bot or a replay file plays, frame by frame, with its log."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, cast

from winnable.contract.core import Action, LevelError
from winnable.contract.methods import choose, parse_method
from winnable.contract.registry import load_game
from winnable.games.tetris.modern.players.article_bot import HURRY_ABOVE
from winnable.games.tetris.modern.players.article_bot import ArticleBot as Player
from winnable.games.tetris.modern.players.bot import Bot
from winnable.games.tetris.modern.players.replay import Film, Play
from winnable.games.tetris.modern.players.weights import Style
from winnable.games.tetris.modern.rules.gravity import FRAMES_A_SECOND
from winnable.games.tetris.modern.rules.level import Handling, Level
from winnable.games.tetris.modern.rules.puzzle import AnyState
from winnable.games.tetris.modern.rules.state import SOFT
from winnable.levels.files import decode, read_file
from winnable.tuning import tuned

By: TypeAlias = Literal["person", "bot", "replay"]

TAPPED = Handling(soft=60)
"""Of a person at a terminal. It sends no repetition but its own, so das and arr are never used, and a tap of
soft drop is a row at level 1."""
ARTICLE_SOFT_FRAMES = 4
"""Under the article's rules down must be held to do anything: so long after each tap, which bridges the time
between a terminal's repetitions (2 frames at 30 a second)."""
MAX_WAITING = 8
"""Taps. No hand is that much faster than 60 frames a second; a terminal's repetition may be."""


class Keys(Protocol):
    """Who plays."""

    def next_keys(self, state: AnyState) -> Action | None:
        """The keys of this frame; None when there are no more."""
        ...


class Taps:
    """Keys of a terminal, which tells no releases: each is down for one frame, in the order of the taps."""

    def __init__(self, level: Level) -> None:
        self._waiting: deque[int] = deque()
        self._soft_frames = ARTICLE_SOFT_FRAMES if level.rules == "article" else 1
        self._soft_left = 0

    def tap(self, key: int) -> None:
        """Take a key that was pressed, unless too many wait."""
        if len(self._waiting) < MAX_WAITING:
            self._waiting.append(key)

    def clear(self) -> None:
        """Forget all keys that wait."""
        self._waiting.clear()
        self._soft_left = 0

    def next_keys(self, state: AnyState) -> Action:
        """The key that waits the longest, once it may go down again."""
        keys = 0
        # A key other than soft drop acts only when it goes down, so the same one twice needs a frame between.
        if self._waiting and (self._waiting[0] == SOFT or not self._waiting[0] & state.keys):
            keys = self._waiting.popleft()
        if keys == SOFT:
            self._soft_left = self._soft_frames
        if self._soft_left:
            self._soft_left -= 1
            keys |= SOFT
        return keys


def guideline_bot(level: Level, style: str) -> Bot:
    """The bot of the guideline. style: empty: the one that suits the mode. Raises WinnableError."""
    suiting = level.mode if level.mode in ("sprint", "marathon") else "attack"
    return Bot(level, style=cast("Style", style or suiting))


class ArticleBot:
    """A player of tetris, or a tuned run, at the article's game."""

    def __init__(self, level: Level, by: str, speed: float | None) -> None:
        """speed: None: nobody looks. Raises WinnableError."""
        game = load_game("tetris")
        chosen = choose("by", tuned.players(game), parse_method(by), game.name)
        self.player = Player(level, chosen.method)
        self.player.hurries = speed is None or speed > HURRY_ABOVE
        self._nudges = 0

    def nudge(self, key: int) -> None:
        """A person's key, which counts once beside the player's."""
        self._nudges |= key

    def next_keys(self, state: AnyState) -> Action:
        """The player's keys of this frame, and a person's that were not down."""
        keys = self.player.next_keys(state)
        now = self._nudges & ~state.keys & ~keys
        self._nudges &= ~now
        return keys | now


class Reel:
    """The keys of a replay file."""

    def __init__(self, film: Film) -> None:
        self._keys = film.log.keys()

    def next_keys(self, state: AnyState) -> Action | None:
        """The keys of the next frame of the file."""
        return next(self._keys, None)


class Game:
    """A level as it is played, and the log of its keys."""

    def __init__(self, level: Level, handling: Handling, by: By, keys: Keys) -> None:
        self.by, self.keys = by, keys
        self.level, self.play = level, Play(level, handling, by_bot=by == "bot")
        self.is_over = self.play.is_over
        """The game has ended, its replay has, or it is as long as a log can be."""

    @property
    def state(self) -> AnyState:
        """The state after the frames so far."""
        return self.play.state

    @property
    def seconds(self) -> float:
        """Seconds of game time."""
        return self.state.frames / FRAMES_A_SECOND

    def step(self) -> None:
        """Play one frame of a game that is not over. Raises LevelError when a replay goes on after the
        end."""
        keys = self.keys.next_keys(self.state)
        if keys is None:
            self.is_over = True
            return
        self.play.step(keys)
        self.is_over = self.play.is_over
        if self.is_over and self.by == "replay" and self.keys.next_keys(self.state) is not None:
            raise LevelError("cli.replay.end", field="replay: log", frames=self.state.frames)


def read_film(path: str) -> Film:
    """Read a replay file. Raises WinnableError that names the field."""
    film: Film = decode(read_file(Path(path)), Film, "replay: not a valid replay file")
    return film
