"""Links: what stands behind the `#` of a page's address.

LEVEL               a LEVEL that is no file, see find.py
p1.MOVES.LEVEL      a game on it, as far as it was played

MOVES is base 64 in the letters of addresses, unpadded: a CRC-32 of all else, then, by raw deflate, numbers in
LEB128: 1 where the game had help, else 0; how many of the actions are played; the actions, also the undone
ones. So a link that was cut is told apart from one that breaks the rules.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from winnable.contract.core import Action, WinnableError

VERSION = 1
MOST = 8000
"""Characters of a game: an address can hold more, but what people paste it into often cannot."""
MOST_NUMBERS = 2**16
"""Bytes of its numbers: a small link may unpack to a large one."""
_ADDRESS = re.compile(r"(?:https?|file)://[^#]*#(?:level=)?(.*)", re.DOTALL | re.IGNORECASE)
_BEHIND = re.compile(r"#(?:level=)?(\w+(?:[:/.].*)?)", re.DOTALL)
"""A board may begin with a `#`, too."""
_GAME = re.compile(r"p([0-9]{1,9})(?:\.([^.]*)(?:\.(.*))?)?", re.DOTALL)
_SURELY = re.compile(r"p[0-9]{1,9}\.[\w-]*\.\w+[:/].*", re.DOTALL)
"""Without a `#` before it it may be the name of a file."""


class Link(NamedTuple):
    """What a link leads to.

    level:   a LEVEL
    ply:     how many of the actions are played
    actions: from the start of the level, also undone ones
    helped:  whether the game had help
    """

    level: str
    ply: int = 0
    actions: Sequence[Action] = ()
    helped: bool = False


def read_link(text: str) -> Link | None:
    """An address with a `#`, or what stands behind that; None: the text is no link. Raises WinnableError for
    one that was cut or changed, is too long, or of a later version."""
    text = text.strip()
    if (address := _ADDRESS.fullmatch(text)) is not None:
        behind = unquote(address[1])
    elif (marked := _BEHIND.fullmatch(text)) is not None:
        behind = marked[1]
    elif _SURELY.fullmatch(text):
        behind = text
    else:
        return None
    game = _GAME.fullmatch(behind)
    return Link(behind) if game is None else _read_game(game, len(behind))


def write_link(link: Link) -> str | None:
    """The text of a game; None where it would be too long."""
    if len(link.actions) > MOST_NUMBERS:
        return None
    numbers = b"".join(map(_leb128, (link.helped, link.ply, *link.actions)))
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(numbers) + packer.flush()
    text = f"p{VERSION}.{_letters(_sum(packed, link.level) + packed)}.{link.level}"
    return text if len(text) <= MOST and len(numbers) <= MOST_NUMBERS else None


def _read_game(text: re.Match[str], length: int) -> Link:
    version, moves, level = text.groups()
    if int(version) != VERSION:
        raise WinnableError("link.version")
    if length > MOST:
        raise WinnableError("link.long", most=MOST)
    try:
        content = b64decode(moves + "=" * (-len(moves) % 4), b"-_", validate=True)
        if _letters(content) != moves or level is None or content[:4] != _sum(content[4:], level):
            raise ValueError
        unpacker = zlib.decompressobj(wbits=-15)
        numbers = unpacker.decompress(content[4:], MOST_NUMBERS)
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError
        helped, ply, *actions = _numbers(numbers)
        if ply > len(actions):
            raise ValueError
    except (TypeError, ValueError, zlib.error):
        raise WinnableError("link.damaged") from None
    return Link(level, ply, actions, helped > 0)


def _letters(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def _sum(packed: bytes, level: str) -> bytes:
    return zlib.crc32(level.encode(errors="replace"), zlib.crc32(packed)).to_bytes(4, "big")


def _leb128(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the highest bit of a byte says that another follows."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def _numbers(content: bytes) -> Iterable[int]:
    """Raises ValueError where the last one does not end."""
    number = shift = 0
    for byte in content:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield number
            number = shift = 0
    if shift:
        raise ValueError
