"""Networks to play with, unpacked once into a file of the user's cache and mapped from there: a hundred times
as fast as unpacking, all processes share it, and only the weights that boards look up take memory.

The file is called after the digest of what it was made from, and holds the weights and their checksum; pages
that never learned are holes in it. A damaged one is made again; where none can be, weights are in memory.
"""

from __future__ import annotations

import os
import tempfile
import zlib
from contextlib import suppress
from mmap import ACCESS_COPY, mmap
from pathlib import Path

from winnable.games.game2048.network.file import read
from winnable.games.game2048.network.network import Network
from winnable.inert.arrays import F32, IS_NUMPY, np
from winnable.store import caches

PART, SUFFIX = "networks", ".weights"
KEPT = 2
"""Files. Those that were made before them are removed."""
_HOLE = 1 << 10
"""Weights: so many that never learned are not written."""
_AT_ONCE = 1 << 20
"""Bytes that are read to check them."""
_CHECKSUM = 4

_checked: set[tuple[str, int, int]] = set()
"""Files that were whole when this process looked, by name, number and time: once is enough."""


def load(path: Path) -> Network:
    """Loads the network of a file of either kind. Raises WinnableError."""
    if not IS_NUMPY:  # a browser's files are in its memory
        return read(path).network
    files, maps = list[Path](), list[F32]()

    def unpacked(digest: bytes, count: int) -> F32 | None:
        name = f"{digest.hex()}{SUFFIX}"
        with suppress(OSError):
            files[:] = [folder / name for folder in caches.readable(PART)]
        maps[:] = [found for file in files if (found := _mapped(file, count)) is not None][:1]
        return maps[0] if maps else None

    network = read(path, unpacked).network
    if maps or not files:
        return network
    file = caches.writable(PART) / files[0].name
    mapped = _mapped(file, len(network.weights)) if _write(file, network.weights) else None
    if mapped is None:
        return network
    return Network(network.tuples, network.stages, mapped, network.initial, network.fold)


def _mapped(file: Path, count: int) -> F32 | None:
    """None when it is not there, or not whole."""
    try:
        state = file.stat()
        if state.st_size != 4 * count + _CHECKSUM:
            return None
        key = str(file), state.st_ino, state.st_mtime_ns
        if key not in _checked:
            if not _is_whole(file):
                return None
            _checked.add(key)
        # What is written stays in this process; kernels for arrays that are read-only would be further ones.
        with file.open("rb") as content:
            return np.frombuffer(mmap(content.fileno(), 0, access=ACCESS_COPY), np.float32, count)
    except OSError:
        return None


def _is_whole(file: Path) -> bool:
    """Reads it, as looking at what is mapped would count as memory of this process."""
    left, found = file.stat().st_size - _CHECKSUM, 0
    with file.open("rb") as content:
        while left > 0 and (piece := content.read(min(_AT_ONCE, left))):
            found = zlib.crc32(piece, found)
            left -= len(piece)
        return content.read() == found.to_bytes(_CHECKSUM, "little")


def _write(file: Path, weights: F32) -> bool:
    """The whole file or nothing. False where it cannot be."""
    try:
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:16]}.")
        try:
            with os.fdopen(handle, "wb") as content:
                for first in range(0, len(weights), _HOLE):
                    piece = weights[first : first + _HOLE]
                    if piece.any():
                        content.write(piece.data)
                    else:
                        content.seek(piece.nbytes, os.SEEK_CUR)
                content.write(zlib.crc32(weights.data).to_bytes(_CHECKSUM, "little"))
            os.replace(temporary, file)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        others = sorted(file.parent.glob(f"*{SUFFIX}"), key=lambda other: -other.stat().st_mtime)
    except OSError:
        return False
    for other in others[KEPT:]:
        with suppress(OSError):
            other.unlink()
    return True
