"""Positions and games as fumens. What of a fumen these rules can play is a game: from a page on, as long as
each piece comes straight down and each page shows what the one before led to. Colours mean nothing here.

The pieces to come are told in a comment, as quizzes do: `#Q=[HOLD](PIECE)NEXT`, which holds on until another
comment comes; what is held means nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from winnable import words
from winnable.contract.abilities import Recording
from winnable.contract.core import Action, LevelError, replay
from winnable.games.tetris.levels import fumen
from winnable.games.tetris.levels.fumen import EMPTY_ROW, HEIGHT, WIDTH, Operation, Page, field_after
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.pieces import NAMES, row_bits
from winnable.games.tetris.rules.puzzle import NONE, Landing, SeededTetris, State, Tetris

_KNOWN = re.compile(rb"(?:\A|[^0-9A-Za-z+/])[vmd]\d{2,3}(?:@|%(?:25)*40)", re.IGNORECASE)
_FROM = re.compile(r"#(\d{1,4})\s*\Z")
_QUIZ = re.compile(r"#Q=\[[IOTSZJL]?\]\(([IOTSZJL]?)\)([IOTSZJL]*)")
_FILLED = "X"


def knows(content: bytes) -> bool:
    """Whether the content looks like a fumen."""
    return content.lstrip()[:1] not in (b"{", b"[") and _KNOWN.search(content[:2000]) is not None


def read(content: bytes, seed: int) -> Recording:
    """Read the game from page N on, after `#N`; else from the first. seed: of the pieces after those that it
    tells. Raises LevelError."""
    text = content.decode("utf-8", "replace")
    at = _FROM.search(text)
    pages, first = fumen.decode(text[: at.start()] if at else text), int(at[1]) if at else 1
    if not 1 <= first <= len(pages):
        raise LevelError("fumen.page.none", field="fumen", given=first, pages=len(pages))
    wall = _wall(pages[first - 1])
    level = Level(width=WIDTH, height=max(Level().height, len(wall)), wall=wall, dice=seed)
    actions, pieces, sees_next, used = _played(Tetris(level), level.rows, pages[first - 1 :])
    level = replace(level, pieces=pieces, preview=sees_next)
    if used < len(pages):
        level = replace(level, title=_title(first, first - 1 + used, len(pages)))
    return Recording(level, actions)


class _Read(NamedTuple):
    actions: list[Action]
    pieces: str
    sees_next: bool
    pages: int
    """Of which all this is."""


def _played(game: Tetris, rows: tuple[int, ...], pages: Sequence[Page]) -> _Read:
    actions, pieces, comment = list[Action](), "", ""
    queue = _queue(pages[0].comment)
    sees_next, used = len(queue) > 1, 0
    for page in pages:
        if tuple(map(row_bits, reversed(page.board))) != rows:
            break
        used += 1
        if page.comment != comment:
            comment, queue = page.comment, _queue(page.comment)
        if page.operation is None or not page.lock:
            continue
        piece = page.operation.piece
        if queue[:1] != piece:  # the one on the page is what comes
            queue = piece
        action = _action(game, State(rows, NAMES.index(piece), NONE), page.operation)
        if action is None:
            break
        actions.append(action)
        pieces, queue = pieces + piece, queue[1:]
        after, _ = game.afterstate(State(rows, NAMES.index(piece), NONE), action)
        if after.over:
            break
        rows = after.wall
    return _Read(actions, pieces + queue, sees_next, used)


def _action(game: Tetris, state: State, operation: Operation) -> Action | None:
    """What sets the piece down just there."""
    cells = set(operation.cells)
    return next((a for a in game.legal_actions(state) if _cells(game.landing(state, a)) == cells), None)


def _cells(landing: Landing) -> set[tuple[int, int]]:
    return {*landing.shape.cells(landing.column, landing.row)}


def _queue(comment: str) -> str:
    quiz = _QUIZ.match(comment)
    return quiz[1] + quiz[2] if quiz else ""


def _wall(page: Page) -> tuple[str, ...]:
    return tuple("".join("." if cell == "." else "x" for cell in row) for row in page.board)


def _title(first: int, last: int, pages: int) -> dict[str, str]:
    values = {"first": first, "last": last, "pages": pages}
    return {
        language: words.fill(words.catalogue(language)["fumen.title"], values) for language in words.LANGUAGES
    }


def write_position(game: Recording) -> bytes:
    """Write what was come to, on one page. Raises LevelError for a board that no fumen can show."""
    puzzle = _puzzle(game.level)
    state = replay(puzzle, game.actions).state
    return fumen.encode([Page(_field(state), comment=_quiz(puzzle.queue(state)))]).encode()


def write_game(game: Recording) -> bytes:
    """Write a page for each piece, and one for what was come to. Raises LevelError likewise, and for too
    many."""
    puzzle = _puzzle(game.level)
    state, pages, pieces = puzzle.initial(), list[Page](), ""
    field = _field(state.state)
    for action in game.actions:
        piece = puzzle.queue(state.state)[0]
        landing = puzzle.game.landing(state.state, action)
        page = Page(field, _operation(piece, _cells(landing)))
        pages, pieces = [*pages, page], pieces + piece
        state = puzzle.apply(state, action)
        field, plain = field_after(page), _field(state.state)
        if _filled(field) != _filled(plain):  # such as a row that the rules do not clear
            field = plain
    queue = puzzle.queue(state.state)
    pages.append(Page(field))
    if puzzle.game.sees_next:
        pages = [page._replace(comment=_quiz(pieces + queue)) for page in pages]
    else:
        pages[-1] = pages[-1]._replace(comment=_quiz(queue))
    return fumen.encode(pages).encode()


def _puzzle(level: Level) -> SeededTetris:
    if level.width != WIDTH:
        raise LevelError("fumen.width", field="width", given=level.width, width=WIDTH)
    return SeededTetris(level)


def _quiz(queue: str) -> str:
    return f"#Q=[]({queue[0]}){queue[1:]}" if queue else ""


def _field(state: State) -> tuple[str, ...]:
    if len(state.wall) > HEIGHT:
        raise LevelError("fumen.high", field="board", given=len(state.wall), rows=HEIGHT)
    rows = ["".join(_FILLED if row >> at & 1 else "." for at in range(WIDTH)) for row in reversed(state.wall)]
    return (*(EMPTY_ROW,) * (HEIGHT - len(rows)), *rows, EMPTY_ROW)


def _filled(field: Sequence[str]) -> list[list[bool]]:
    return [[cell != "." for cell in row] for row in field]


def _operation(piece: str, cells: set[tuple[int, int]]) -> Operation:
    for turn in range(4):
        about = Operation(piece, turn, 0, 0).cells
        x = min(x for x, _ in cells) - min(x for x, _ in about)
        y = min(y for _, y in cells) - min(y for _, y in about)
        if set((operation := Operation(piece, turn, x, y)).cells) == cells:
            return operation
    raise AssertionError("no turn of the piece has these cells")
