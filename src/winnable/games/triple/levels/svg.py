"""Boards of triple as standalone SVG pictures, with shapes and colours of our own.

A kind is a shape and a colour (the eight of Okabe and Ito, told apart by colour-blind people), and its letter
stands in the corner, so no two kinds differ by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from winnable.contract.core import Puzzle
from winnable.games.triple.levels.text import tile_symbol
from winnable.games.triple.rules.puzzle import Observation, SeenTile, Triple
from winnable.games.triple.rules.tools import TripleWithTools

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b8a000", "#cc79a7", "#56b4e9", "#222222", "#e69f00")
"""Okabe and Ito (2008); the yellow is darker, to be seen on light tiles."""
SHAPES = (
    '<circle cx="4" cy="4" r="2.1"/>',
    '<rect x="2.1" y="2.1" width="3.8" height="3.8"/>',
    '<path d="M4 1.7 6.3 5.9H1.7z"/>',
    '<path d="M4 1.5 6.5 4 4 6.5 1.5 4z"/>',
    '<path d="M3.2 1.8h1.6v1.4h1.4v1.6H4.8v1.4H3.2V4.8H1.8V3.2h1.4z"/>',
    '<path d="M4 1.4 4.7 3.2 6.6 3.3 5.1 4.5 5.6 6.4 4 5.3 2.4 6.4 2.9 4.5 1.4 3.3 3.3 3.2z"/>',
    '<circle cx="4" cy="4" r="1.6" fill="none" stroke="currentColor" stroke-width="1"/>',
    '<path d="M1.8 2.2h4.4L4 4l2.2 1.8H1.8L4 4z"/>',
)
_SCALE = 6
"""Pixels for an eighth of a tile."""
_MARGIN = 2


def svg(puzzle: Puzzle[Any], state: Any) -> str:
    """What `observe` shows, as an SVG document: the board, below it the tray and the tiles laid aside."""
    triple = cast(Triple | TripleWithTools, puzzle)
    seen = triple.observe(state)
    left, top = seen.bounds.left, seen.bounds.top
    board_width, board_height = seen.bounds.right - left, seen.bounds.bottom - top
    below = list(_below(seen, board_height + 4))
    width = max(board_width, (min(seen.slots, len(seen.tray) + 7)) * 9, len(seen.aside) * 9) + 2 * _MARGIN
    height = board_height + 4 + (20 if seen.aside else 10) + 2 * _MARGIN
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * _SCALE}" height="{height * _SCALE}" '
            f'viewBox="{-_MARGIN} {-_MARGIN} {width} {height}" font-family="sans-serif">',
            f"<title>{_standing(seen)}</title>",
            f'<rect x="{-_MARGIN}" y="{-_MARGIN}" width="{width}" height="{height}" fill="#e7ece4"/>',
            *(_tile(tile, tile.x - left, tile.y - top) for tile in seen.tiles),
            *below,
            "</svg>\n",
        ]
    )


def _standing(seen: Observation) -> str:
    return (
        f"{seen.status}: {len(seen.tiles)} tiles on the board, {len(seen.tray)} of {seen.slots} in the tray"
    )


def _below(seen: Observation, y: int) -> Iterator[str]:
    """The tray's places (a long one is cut behind its tiles), then what was laid aside."""
    for place in range(min(seen.slots, len(seen.tray) + 7)):
        last = place == seen.slots - 1
        yield (
            f'<rect x="{place * 9}" y="{y}" width="8" height="8" rx="1" fill="none" '
            f'stroke="{"#b00020" if last else "#777"}" stroke-width=".3"{_DASHES if last else ""}/>'
        )
    yield from _row((_face(kind) for kind in seen.tray), y)
    yield from _row((_face(tile.kind) for tile in seen.aside), y + 10)


_DASHES = ' stroke-dasharray="1 .6"'


def _row(faces: Iterable[str], y: int) -> Iterator[str]:
    return (
        f'<g transform="translate({place * 9} {y})">{_BODY}{face}</g>' for place, face in enumerate(faces)
    )


_BODY = '<rect width="8" height="8" rx="1" fill="#fffdf3" stroke="#4a5a45" stroke-width=".3"/>'
_SHADE = '<rect width="8" height="8" rx="1" fill="#33402f" fill-opacity=".45"/>'


def _tile(tile: SeenTile, x: int, y: int) -> str:
    shade = "" if tile.open else _SHADE
    return f'<g transform="translate({x} {y})"><title>{tile.tile}</title>{_BODY}{_face(tile.kind)}{shade}</g>'


def _face(kind: int | None) -> str:
    if kind is None:
        return '<text x="4" y="5.6" font-size="4.5" text-anchor="middle" fill="#888">?</text>'
    colour = COLOURS[(kind + kind // len(SHAPES)) % len(COLOURS)]
    letter = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(tile_symbol(kind), tile_symbol(kind))
    return (
        f'<g fill="{colour}" color="{colour}">{SHAPES[kind % len(SHAPES)]}'
        f'<text x="6.5" y="7.4" font-size="1.9" text-anchor="middle">{letter}</text></g>'
    )
