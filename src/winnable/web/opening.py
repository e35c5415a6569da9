"""Where a game on the board comes from: an identity, a shipped level, a board's text, a file, or the store.

All of it may take long (a level may be generated, a game of many actions replayed) and runs in a thread.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from winnable.core import IllegalAction, LevelError, SolveResult, WinnableError, replay
from winnable.game import Game
from winnable.identity import content_id, is_identity, parse_identity
from winnable.library import NamedLevel, decode, read_level, shipped_levels
from winnable.provenance import Certificate
from winnable.registry import GAMES, load_game
from winnable.session import SavedSession, Session
from winnable.store import KeptSession
from winnable.web.book import Book

MAX_LINE = 5000
"""Actions of a certificate that are replayed when a level is opened; more would keep people waiting."""


class Opened(NamedTuple):
    """A session, ready to be played.

    level:   as the store keeps it
    content: tells the level by what is played
    book:    what the level's own certificate proves
    """

    session: Session
    level: bytes
    content: str
    book: Book


class _Tagged(msgspec.Struct):
    format: str = ""


def from_text(text: str, game: str) -> Opened:
    """Unlike `library.find_level` it never reads a path: the page must not look around in the files."""
    if is_identity(text):
        identity = parse_identity(text)
        level = identity.game.generate(identity.params, identity.seed)
        return _opened(Session(NamedLevel(identity.game, level, str(identity))))
    shipped = _shipped(text)
    if shipped is not None:
        return _opened(Session(shipped))
    if not game:
        raise LevelError(
            f"level: {text[:80]!r} is neither an identity (game:key=value,...#seed) nor a shipped level"
        )
    return _from_board(load_game(game), text)


def _from_board(game: Game, text: str) -> Opened:
    level = game.parse_board(text)
    return _opened(Session(NamedLevel(game, level, content_id(game, level))))


def _shipped(text: str) -> NamedLevel | None:
    name, slash, _ = text.partition("/")
    if name not in GAMES or not slash:
        return None
    game = load_game(name)
    for level_name, level in shipped_levels(game):
        if level_name == text:
            return NamedLevel(game, level, level_name)
    return None


def from_file(text: str) -> Opened:
    """A saved session or a level, ours or foreign."""
    try:
        content = text.encode()
    except UnicodeEncodeError:
        raise WinnableError("content: not valid Unicode text") from None
    if _is_session(content):
        return _opened(Session.load(content))
    return _opened(Session(read_level(content)))


def _is_session(content: bytes) -> bool:
    try:
        return decode(content, _Tagged).format == SavedSession.__struct_config__.tag
    except WinnableError:
        return False  # read_level says what is wrong


def from_store(kept: KeptSession) -> Opened:
    actions = decode(kept.actions, list[int])
    saved = SavedSession(kept.level_id, msgspec.Raw(kept.level), actions, kept.ply)
    return _opened(Session.load(msgspec.json.encode(saved)))


def _opened(session: Session) -> Opened:
    level: Any = session.level
    book = Book(session.game, session.puzzle)
    _learn_certificate(book, level)
    return Opened(session, msgspec.json.encode(level), content_id(session.game, level), book)


def _learn_certificate(book: Book, level: Any) -> None:
    """A line proves itself, wherever the file came from; that there is none, only a search can prove."""
    certificate: Certificate | None = level.certificate
    if certificate is None or certificate.status != "solved" or len(certificate.actions) > MAX_LINE:
        return
    try:
        end = replay(book.puzzle, certificate.actions)
    except IllegalAction:
        return
    if book.puzzle.is_goal(end):
        start = book.puzzle.initial()
        book.learn(start, SolveResult("solved", certificate.actions))
        book.remaining(start)
