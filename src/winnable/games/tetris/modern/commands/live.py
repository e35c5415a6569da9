"""Modern tetris on a terminal, in real time: 60 frames a second against the clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from winnable.contract.core import WinnableError
from winnable.contract.registry import load_game
from winnable.games.tetris.modern.commands.game import ArticleBot as Article
from winnable.games.tetris.modern.commands.game import Game, Taps
from winnable.games.tetris.modern.commands.screen import (
    ARTICLE_INKS,
    INKS,
    SCREEN_WIDTH,
    is_coloured,
    picture,
)
from winnable.games.tetris.modern.commands.terminal import Terminal
from winnable.games.tetris.modern.players.article_bot import ArticleBot
from winnable.games.tetris.modern.players.bot import Bot
from winnable.games.tetris.modern.rules.article import ROUNDS_A_ROW, ROUNDS_WITH_DOWN
from winnable.games.tetris.modern.rules.gravity import FRAMES_A_SECOND
from winnable.games.tetris.modern.rules.level import Level
from winnable.games.tetris.modern.rules.puzzle import AnyState
from winnable.games.tetris.modern.rules.srs import Cell
from winnable.games.tetris.modern.rules.state import CCW, CW, HALF, HARD, HOLD, LEFT, RIGHT, SOFT
from winnable.words import t

CATCH_UP = 6
"""Frames. What a machine that was busy owes beyond them is forgiven: the game stands still for that long."""
IDLE_SECONDS = 0.1
"""Between two looks at the terminal's size while the game stands still."""
ARTICLE_KEYS = {"left": LEFT, "right": RIGHT, "down": SOFT, "up": CW}
NUDGES = ("left", "right", "up")
"""These act in the article's automatic game too, as in its program."""
GUIDELINE_KEYS = {**ARTICLE_KEYS, " ": HARD, "x": CW, "z": CCW, "a": HALF, "c": HOLD}


class Hints:
    """The bot's plan for the piece in play, made in a thread: a first plan may have to compile."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._bot: Any = None
        self._thread: threading.Thread | None = None
        self._plan: tuple[Any, tuple[Cell, ...]] = (None, ())

    def cells(self, state: AnyState) -> tuple[Cell, ...]:
        """The cells of the plan, as soon as it is there; until then none."""
        piece = (state.dealt, state.has_held, state.rows)
        if self._plan[0] == piece:
            return self._plan[1]
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=lambda: self._make(piece, state), daemon=True)
            self._thread.start()
        return ()

    def _make(self, piece: Any, state: AnyState) -> None:
        try:
            if self._level.rules == "article":
                self._bot = self._bot or ArticleBot(self._level, load_game("tetris").players["article"])
                self._plan = piece, self._bot.plan(state).cells
                return
            self._bot = self._bot or Bot(self._level)
            self._plan = piece, tuple(self._bot.plan(state).placement.cells)
        except WinnableError:  # the game has just ended
            self._plan = piece, ()


def play_live(game: Game, title: str, speed: float, is_late: Callable[[], bool]) -> None:
    """Play until the game is over and a person has seen it, or is left, or `is_late`."""
    with Terminal() as terminal:
        _Live(game, title, speed, terminal).run(is_late)


class _Live:
    def __init__(self, game: Game, title: str, speed: float, terminal: Terminal) -> None:
        self._game, self._title, self._terminal = game, title, terminal
        if isinstance(game.keys, Article) and game.keys.player.hurries:
            speed *= ROUNDS_WITH_DOWN / ROUNDS_A_ROW
        self._rate = FRAMES_A_SECOND * speed
        self._catch_up = int(CATCH_UP * max(1.0, speed))
        self._taps = game.keys if isinstance(game.keys, Taps) else None
        is_article = self._is_article = game.level.rules == "article"
        self._keys = ARTICLE_KEYS if is_article else GUIDELINE_KEYS
        self._pauses = {"p", "esc", " "} if is_article or self._taps is None else {"p", "esc"}
        keys = "seen" if self._taps is None else "article" if is_article else "guideline"
        self._help = t(f"cli.arcade.help.{keys}")
        self._hints = Hints(game.level)
        self._shows_plan = False
        self._is_paused = self._taps is not None
        self._is_left = self._is_stepping = False
        self._coloured = is_coloured()

    def run(self, is_late: Callable[[], bool]) -> None:
        due = time.monotonic()
        while not (self._is_left or self._terminal.is_closed or is_late()):
            stands = self._is_paused or self._game.is_over
            if not self._draw():
                self._is_paused = stands = True
            if self._game.is_over and self._taps is None:
                return
            now = time.monotonic()
            for key in self._terminal.keys(now + IDLE_SECONDS if stands else due):
                self._press(key)
            if self._terminal.was_stopped:
                self._terminal.was_stopped, self._is_paused = False, True
            if stands:
                due = time.monotonic() + 1 / self._rate
                continue
            due = self._play(due)

    def _play(self, due: float) -> float:
        """The frames that are due; when the next one is."""
        owed = (time.monotonic() - due) * self._rate
        if owed > self._catch_up:
            due += (owed - self._catch_up) / self._rate
        while due <= time.monotonic() and not self._game.is_over:
            self._game.step()
            due += 1 / self._rate
        return due

    def _press(self, key: str) -> None:
        if key == "q" or (self._game.is_over and key in ("\n", "\r", "esc")):
            self._is_left = True
        elif key == "h":
            self._shows_plan = not self._shows_plan
        elif self._is_paused and self._game.by == "bot" and key in ("s", "n"):
            self._advance(to_lock=key == "n")
        elif self._is_paused:
            self._is_paused = self._is_stepping = False
        elif key in self._pauses:
            self._is_paused = True
            if self._taps is not None:
                self._taps.clear()
        elif self._taps is not None and key in self._keys:
            self._taps.tap(self._keys[key])
        elif isinstance(self._game.keys, Article) and key in NUDGES:
            self._game.keys.nudge(self._keys[key])

    def _advance(self, to_lock: bool) -> None:
        """A move of the piece, or the whole way; until the next key nothing lies over the board."""
        self._is_stepping = True
        rules, before = self._game.play.puzzle.rules, self._game.state
        while not self._game.is_over:
            self._game.step()
            state = self._game.state
            if state.placed > before.placed or not (to_lock or rules.cells(state) == rules.cells(before)):
                return

    def _draw(self) -> bool:
        """False when the terminal has no room for it."""
        game, banner, plan = self._game, "", ()
        if game.is_over:
            status = game.state.status
            over = "done" if status == "won" else "over" if status.endswith("out") else "end"
            banner = t(f"cli.arcade.banner.{over}")
        elif self._is_paused and not self._is_stepping:
            banner = t("cli.arcade.go" if game.state.frames == 0 else "cli.arcade.pause")
        elif self._shows_plan:
            plan = self._hints.cells(game.state)
        seen = game.play.puzzle.observe(game.state)
        inks = None if not self._coloured else ARTICLE_INKS if self._is_article else INKS
        lines = picture(seen, plan, banner, self._title, self._help, inks)
        return self._terminal.show(lines, SCREEN_WIDTH)
