"""A game of modern tetris as 22 lines for a terminal, two characters a cell."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from winnable.games.tetris.modern.rules.gravity import FRAMES_A_SECOND
from winnable.games.tetris.modern.rules.level import VISIBLE, WIDTH
from winnable.games.tetris.modern.rules.puzzle import Observation
from winnable.games.tetris.modern.rules.srs import Cell, shape
from winnable.games.tetris.modern.rules.state import Seen

SIDE = 17
"""Characters left of the board."""
NEXT = 10
"""Characters right of it, where the next pieces are."""
SCREEN_WIDTH = SIDE + 2 * WIDTH + 2 + 2 + NEXT
PREVIEW_ROWS = 3
COLOURS = {"I": 44, "O": 220, "T": 134, "S": 71, "Z": 167, "J": 68, "L": 208, "X": 245}
"""In the terminal's palette of 256."""


class Inks(NamedTuple):
    """How cells are coloured: by piece, in the terminal's codes."""

    piece: Mapping[str, str]
    wall: Mapping[str, str]


_BY_KIND = {letter: f"30;48;5;{colour}" for letter, colour in COLOURS.items()}
INKS = Inks(_BY_KIND, _BY_KIND)
ARTICLE_INKS = Inks(dict.fromkeys(COLOURS, "30;48;5;214"), dict.fromkeys(COLOURS, "97;48;5;21"))
"""The article's: an orange piece, a blue wall."""
BLOCK, EMPTY, GHOST, PLAN = "[]", " .", "::", "<>"


def game_time(frames: int) -> str:
    """The time of so many frames, like `1:02.35`."""
    hundredths = frames * 100 // FRAMES_A_SECOND
    minutes, rest = divmod(hundredths, 6000)
    return f"{minutes}:{rest // 100:02}.{rest % 100:02}"


def picture(
    seen: Observation, plan: Collection[Cell], banner: str, title: str, keys: str, inks: Inks | None
) -> list[str]:
    """The lines. plan: cells of an outline; banner: lies over the board, empty: nothing; keys: the last line,
    what one can press; inks: None: no colours."""
    left = _side(seen, inks)
    right = _previews(seen.following, inks)
    board = _board(seen, plan, banner, inks)
    rows = zip(left, board, right, strict=True)
    return [
        _cut(title),
        *(f"{figures}|{cells}|  {preview}" for figures, cells, preview in rows),
        f"{'':<{SIDE}}+{'-' * 2 * WIDTH}+",
        _cut(keys),
    ]


def _cut(line: str) -> str:
    return set_cell_size(line, min(cell_len(line), SCREEN_WIDTH))


def is_coloured() -> bool:
    """Whether colours are wanted, as no-color.org has it."""
    return not os.environ.get("NO_COLOR")


def _block(piece: str, inks: Mapping[str, str] | None) -> str:
    return f"\x1b[{inks[piece]}m{BLOCK}\x1b[0m" if inks else BLOCK


def _board(seen: Observation, plan: Collection[Cell], banner: str, inks: Inks | None) -> list[str]:
    lines: list[str] = []
    cells, ghost = frozenset(seen.cells), frozenset(seen.ghost)
    for index, row in enumerate(seen.rows):
        y = VISIBLE - 1 - index
        if banner and index == VISIBLE // 2 - 1:
            margin = (2 * WIDTH - cell_len(banner)) // 2
            lines.append(set_cell_size(" " * margin + banner, 2 * WIDTH))
            continue
        texts: list[str] = []
        for x, letter in enumerate(row):
            if (x, y) in cells:
                texts.append(_block(seen.piece, inks and inks.piece))
            elif letter != ".":
                texts.append(_block(letter, inks and inks.wall))
            elif (x, y) in plan:
                texts.append(f"\x1b[1m{PLAN}\x1b[0m" if inks else PLAN)
            elif (x, y) in ghost:
                texts.append(f"\x1b[38;5;{COLOURS[seen.piece]}m{GHOST}\x1b[0m" if inks else GHOST)
            else:
                texts.append(f"\x1b[2m{EMPTY}\x1b[0m" if inks else EMPTY)
        lines.append("".join(texts))
    return lines


def _side(seen: Observation, inks: Inks | None) -> list[str]:
    """All rows left of the board. A held piece that cannot come back yet has no colour."""
    goal = "" if seen.goal is None else f" / {seen.goal}"
    chain = f"b2b {seen.back_to_back - 1}" if seen.back_to_back > 1 else ""
    combo = f"combo {seen.combo}" if seen.combo > 0 else ""
    lines = [
        *("HOLD" if seen.can_hold or seen.hold else "", "", "", ""),
        *("SCORE", f"{seen.score:,}", ""),
        *("LINES", f"{seen.lines}{goal}", ""),
        f"LEVEL  {seen.level}",
        f"PIECES {seen.placed}",
        f"ATTACK {seen.attack}",
        *("", game_time(seen.frames), "", seen.last, combo, chain),
    ]
    texts = [f"{line[: SIDE - 1]:<{SIDE}}" for line in [*lines, *[""] * VISIBLE][:VISIBLE]]
    if seen.hold:
        held = _piece(Seen(seen.hold, 0), inks if seen.can_hold else None)
        texts[1 : 1 + len(held)] = [text + " " * (SIDE - len(BLOCK) * 4) for text in held]
    return texts


def _previews(following: Sequence[Seen], inks: Inks | None) -> list[str]:
    lines = ["NEXT"]
    for seen in following:
        texts = _piece(seen, inks)
        lines += [*texts, *[""] * (PREVIEW_ROWS - len(texts))]
    return [*lines, *[""] * VISIBLE][:VISIBLE]


def _piece(seen: Seen, inks: Inks | None) -> list[str]:
    """Rows of its own box from the top, at least two, each 8 characters wide."""
    cells = shape(seen.piece, seen.turn)
    left, top = min(x for x, _ in cells), max(y for _, y in cells)
    rows = max(2, top - min(y for _, y in cells) + 1)
    block = _block(seen.piece, inks and inks.piece)
    return [
        "".join(block if (left + x, top - row) in cells else "  " for x in range(4)) for row in range(rows)
    ]
