"""How turns are written.

`side`: `x,y,side,quarters` with the vertex in the middle of the block, counted from 1 (1,1 is the lower right
corner of the upper left cell), the block's side, and quarter turns clockwise. So the contest of 2009 wrote
it, and the article's printed solution.

`radius`: `r:x,y,radius,quarters` with vertices counted from 0 and half the side, as the article's text
defines it. Its own solution begins with a turn that is none in this reading.

`pairs`: `x,y,side` with the upper left cell, counted from 0, as Kosen Procon 36 writes its operations.
"""

from __future__ import annotations

import re

from winnable.contract.core import IllegalAction
from winnable.games.rotate.rules.blocks import Block

_NUMBER = r"\s*([0-9]{1,3})\s*"
_TURN = re.compile(rf"(r:)?(?:\s*\()?{_NUMBER},{_NUMBER},{_NUMBER},\s*([123])\s*\)?")
_PAIR = re.compile(rf"\(?{_NUMBER},{_NUMBER},{_NUMBER}\)?")


def side_name(block: Block, quarters: int) -> str:
    """Write a turn as the contest of 2009 does, with the block's side."""
    half = block.side // 2
    return f"{block.left + half},{block.top + half},{block.side},{quarters}"


def radius_name(block: Block, quarters: int) -> str:
    """Write a turn as the article's text does, with half the side."""
    half = block.side // 2
    return f"r:{block.left + half - 1},{block.top + half - 1},{half},{quarters}"


def pair_name(block: Block) -> str:
    """Write a turn by 90 degrees as the contest of 2025 does."""
    return f"{block.left},{block.top},{block.side}"


def parse_turn(text: str) -> tuple[Block, int]:
    """Read a turn in either notation of `clusters`; its block may lie off the board. Raises IllegalAction."""
    match = _TURN.fullmatch(text.strip())
    if match is None:
        raise IllegalAction("rotate.turn", given=text.strip()[:40])
    x, y, size, quarters = map(int, match.groups()[1:])
    if match[1]:
        return Block(x + 1 - size, y + 1 - size, 2 * size), quarters
    if size % 2:
        raise IllegalAction("rotate.odd", given=text.strip()[:40], side=size)
    return Block(x - size // 2, y - size // 2, size), quarters


def parse_pair(text: str) -> Block:
    """Read a turn of `pairs`. Raises IllegalAction."""
    match = _PAIR.fullmatch(text.strip())
    if match is None:
        raise IllegalAction("rotate.swap", given=text.strip()[:40])
    return Block(*map(int, match.groups()))
