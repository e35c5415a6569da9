"""Boards of triple as standalone SVG pictures, with the pictures that tiles have on the page.

Each has a silhouette of its own; beyond sixteen kinds they come again with a number in the corner. So no two
kinds differ by colour alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

from winnable.contract.core import Puzzle
from winnable.games.triple.rules.puzzle import Observation, SeenTile, Triple
from winnable.games.triple.rules.tools import TripleWithTools

GLYPHS = Path(__file__).parents[1] / "page" / "glyphs.json"
"""Of each picture its name, and its elements: each a tag, its attributes and what is in it."""
_SCALE = 6
"""Pixels for an eighth of a tile."""
_MARGIN = 2


def svg(puzzle: Puzzle, state: Any) -> str:
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
    pictures = _glyphs()
    again, shape = divmod(kind, len(pictures))
    number = _BADGE.format(again + 1) if again else ""
    return f'{_GROUND}<g transform="translate(.88 .76) scale(.26)">{pictures[shape]}</g>{number}'


_GROUND = '<circle cx="4" cy="3.9" r="3.4" fill="#fff" fill-opacity=".5"/>'
_BADGE = (
    '<circle cx="6.5" cy="1.5" r="1.05" fill="#33413a"/>'
    '<text x="6.5" y="2.02" font-size="1.5" font-weight="700" text-anchor="middle" fill="#fff">{}</text>'
)


@cache
def _glyphs() -> list[str]:
    drawings: list[tuple[str, list[Any]]] = json.loads(GLYPHS.read_bytes())
    return ["".join(map(_element, parts)) for _, parts in drawings]


def _element(part: Any) -> str:
    tag, attributes, *inner = part
    given = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{tag}{given}>{''.join(map(_element, inner[0]))}</{tag}>" if inner else f"<{tag}{given}/>"
