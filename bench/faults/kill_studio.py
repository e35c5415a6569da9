"""What `bench kill` kills of the studio: while games are played, and while levels are drawn and tried."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from bench.faults.lives import Life, Tally, check, rehearse
from winnable.contract.core import WinnableError
from winnable.contract.registry import GAMES, load_game
from winnable.levels.files import NamedLevel
from winnable.levels.find import find_level
from winnable.play.session import Session

LEVELS = (
    "triple/1-first-steps", "triple/6-second-chance", "drops/12-drizzle", "tetris:#5",
    "rotate/06-three-of-each", "2048/1-2048",
)  # fmt: skip
LIFE_SECONDS = 0.1, 2.5
"""From the moment when the studio answers."""
START_SECONDS = 120.0
ACTIONS = 5
"""In a game, before the next one is opened."""
BOARDS = 12
"""The boards that were tried last are looked at again after each life."""

Event = dict[str, Any]
_GONE = (WebSocketException, OSError, EOFError)


class _Game:
    """What was acknowledged of one game, and the request under way, which may have taken effect."""

    def __init__(self, id: str, named: NamedLevel, code: str) -> None:
        self.id, self.named, self.code = id, named, code
        self.requests: list[Event] = []
        self.asked: Event | None = None
        self._session: Session | None = None

    @property
    def session(self) -> Session:
        """The same game, by what was acknowledged."""
        if self._session is None:
            self._session = Session(self.named)
            for request in self.requests:
                _follow(self._session, request)
        return self._session

    def acknowledged(self) -> None:
        assert self.asked is not None
        _follow(self.session, self.asked)
        self.requests.append(self.asked)
        self.asked = None

    def found(self, state: Event) -> bool:
        """Whether a studio that started again has it."""
        kept: tuple[list[int], int, str] = (state["history"] or [], state["ply"], state["code"])
        right = kept == self._now()
        if not right and self.asked is not None:
            self.acknowledged()
            right = kept == self._now()
        self.asked = None
        return right

    def _now(self) -> tuple[list[int], int, str]:
        return self.session.actions, self.session.ply, self.code


def _follow(session: Session, request: Event) -> None:
    if request["type"] == "act":
        session.act(request["action"])
    else:
        session.go_to_ply(request["ply"])


class _Studio:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.games: list[_Game] = []
        self._is_warm = False

    def life(self, rng: Random, tally: Tally) -> None:
        if not self._is_warm:
            rehearse(_load_all, self._folder / "rehearsed")
            self._is_warm = True
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        began = Life(lambda: _serve(port), self._folder)
        try:
            with _connected(port) as page:
                for game in self.games[-BOARDS:]:
                    state = _asked(page, {"type": "open", "session": game.id}, "state", "error")
                    right = state["type"] == "state" and game.found(state)
                    check(
                        tally, right, f"{game.named.id}: {len(game.requests)} actions, but {str(state)[:300]}"
                    )
                self._forget_untouched()
                end = time.monotonic() + rng.uniform(*LIFE_SECONDS)
                timer = _killer(began, end)
                with contextlib.suppress(*_GONE):
                    self.play(page, rng, tally)
                timer.join()
        except _GONE:
            if not began.killed:
                began.kill()
                began.wait()
                raise
        began.kill()
        began.wait()
        tally.lives += 1
        tally.kills += 1

    def play(self, page: ClientConnection, rng: Random, tally: Tally) -> None:
        """Until the studio is gone."""
        raise NotImplementedError

    def _forget_untouched(self) -> None:
        """As the studio does with games in which nothing was played, once another is opened."""
        self.games = [game for game in self.games if game.requests]

    def _begin(self, page: ClientConnection, level: str, named: NamedLevel) -> _Game | None:
        self._forget_untouched()  # the studio may, and be killed before it answers
        state = _asked(page, {"type": "new", "level": level, "game": named.game.name}, "state", "error")
        if state["type"] == "error":
            return None
        game = _Game(state["session"], named, state["code"])
        self.games.append(game)
        return game

    def _act(self, page: ClientConnection, game: _Game, rng: Random, actions: int, tally: Tally) -> bool:
        """False: the game has come to its end."""
        for _ in range(actions):
            session = game.session
            if session.standing != "playing":
                return False
            if session.ply and rng.random() < 0.15:
                game.asked = {"type": "goto", "ply": session.ply - 1}
            else:
                game.asked = {
                    "type": "act",
                    "action": rng.choice(session.puzzle.legal_actions(session.state)),
                }
            _asked(page, game.asked, "state")
            game.acknowledged()
            tally.acknowledged += 1
        return True


class Play(_Studio):
    """All games in turn, a few actions each, some of them undone."""

    def play(self, page: ClientConnection, rng: Random, tally: Tally) -> None:
        at = 0
        while True:
            level = LEVELS[at % len(LEVELS)]
            at += 1
            named = find_level(level)
            mine = [game for game in self.games if game.named.id == named.id]
            if mine and len(mine[-1].requests) < 400:
                _asked(page, {"type": "open", "session": mine[-1].id}, "state")
                game: _Game | None = mine[-1]
            else:
                game = self._begin(page, level, named)
                assert game is not None, level
            if not self._act(page, game, rng, ACTIONS, tally):
                self.games.remove(game)


class Editor(_Studio):
    """A board that is drawn, cell by cell, judged, then tried; it is kept from then on."""

    def play(self, page: ClientConnection, rng: Random, tally: Tally) -> None:
        ticket = 0
        while True:
            name = rng.choice(("drops", "rotate", "2048"))
            game = load_game(name)
            text = ""
            for _ in range(3):
                ticket += 1
                text = _drawn(name, rng)
                request = {"type": "judge", "game": name, "level": text, "ticket": ticket, "seconds": 0.1}
                _asked(page, request, "judged", "error")
            try:
                level = game.parse_board(text)
            except WinnableError:
                continue
            named = NamedLevel(game, level, text)
            tried = self._begin(page, text, named)
            if tried is not None:
                self._act(page, tried, rng, 2, tally)


def _drawn(name: str, rng: Random) -> str:
    if name == "2048":
        return "/".join("".join(rng.choice("..123") for _ in range(4)) for _ in range(4))
    rows, letters = rng.randrange(2, 5), "01234" if name == "drops" else "12"
    return "/".join("".join(rng.choice(letters) for _ in range(rows)) for _ in range(rows))


# -- the process and its page ------------------------------------------------------------------------------


def _load_all() -> None:
    import winnable.web.server

    assert winnable.web.server
    for name in GAMES:
        load_game(name).warm()


def _serve(port: int) -> None:
    from winnable.store.database import data_folder
    from winnable.web.server import serve

    serve(port, open_browser=False, folder=data_folder())


def _killer(life: Life, end: float) -> Any:
    import threading

    timer = threading.Timer(max(0.0, end - time.monotonic()), life.kill)
    timer.start()
    return timer


@contextlib.contextmanager
def _connected(port: int) -> Any:
    """A page, after its `hello`, once the studio answers."""
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            place = f"127.0.0.1:{port}"
            page = connect(
                f"ws://{place}/ws",
                origin=Origin(f"http://{place}"),
                max_size=None,
                open_timeout=START_SECONDS,
            )
            break
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)
    try:
        _next(page, lambda event: event["type"] == "hello")
        yield page
    finally:
        page.close()


def _asked(page: ClientConnection, request: Event, *answers: str) -> Event:
    page.send(json.dumps(request))
    return _next(page, lambda event: event["type"] in answers and event.get("request", "x") != "")


def _next(page: ClientConnection, fits: Callable[[Event], bool]) -> Event:
    while True:
        event: Event = json.loads(page.recv(timeout=START_SECONDS))
        if fits(event):
            return event
