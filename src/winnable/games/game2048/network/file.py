"""Files of networks: a line that names the format, a line of JSON, the parts that it announces, a checksum.

A checkpoint has flags, a bit for each block of weights, and the blocks that have learned, as they are, with
all that its training needs to go on. In a file to play with, weights are whole numbers of steps away from
what they were at first: it has flags, a bit for each weight, and the numbers that are not 0, compressed.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from winnable.contract.core import WinnableError, unusable
from winnable.games.game2048.network import kernels as network_kernels
from winnable.games.game2048.network.network import (
    FOLD,
    Network,
    count_weights,
    format_tuples,
    new_weights,
    parse_tuples,
)
from winnable.inert.arrays import F32, NDArray, np
from winnable.levels.files import decode, write_file

MAGIC = b"winnable.2048-network/1\n"
BLOCK = 16
"""Weights. The number of a network's weights is a multiple of it."""
STEP = 32.0
"""In points of score. With such steps a network of 4x6 plays as well as before."""
STEPS = 2500
"""So many at least has the largest change: networks that learned little have smaller steps."""
_MOST_STEPS = 32767
_DIGEST = 32
_WEIGHTS_AT_ONCE = 1 << 18
"""A multiple of 8."""
_FILTER: dict[str, Any] = {"id": lzma.FILTER_LZMA2, "lc": 3, "lp": 1, "pb": 1}
"""For numbers of two bytes."""
PRESET, QUICK_PRESET = 6, 0
"""How hard the compressor tries; and where somebody waits."""


class Progress(Struct, frozen=True, forbid_unknown_fields=True):
    """How far a training is.

    seconds: that it took
    dice:    the state of each thread's
    scores, largest: of the latest games, which no point of its curve tells of yet
    """

    games: int = 0
    moves: int = 0
    seconds: float = 0.0
    dice: list[int] = []
    scores: list[int] = []
    largest: list[int] = []


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """tuples, stages, initial, fold: see `Network`; step: 0 in a checkpoint; parts: lengths in bytes."""

    tuples: str
    stages: list[int]
    initial: Annotated[float, Meta(ge=-1e9, le=1e9)]
    step: Annotated[float, Meta(ge=0, le=1e9)]
    parts: list[int]
    progress: Progress
    fold: int = FOLD


Unpacked: TypeAlias = Callable[[bytes, int], F32 | None]
"""(a file's SHA-256, how many weights it has) -> all of them; None: the file is to be unpacked."""


class Contents(NamedTuple):
    """Of a file. coherence: float32 [0] where it has none."""

    network: Network
    coherence: F32
    progress: Progress


def write_checkpoint(path: Path, network: Network, coherence: F32, progress: Progress) -> None:
    """Raises WinnableError."""
    blocks = [network.weights.reshape(-1, BLOCK)]
    learned = (blocks[0] != np.float32(network.initial)).any(axis=1)
    if len(coherence):
        blocks.append(coherence.reshape(-1, 2 * BLOCK))
        learned |= (blocks[1] != 0).any(axis=1)
    parts = [np.packbits(learned).tobytes(), *(array[learned].tobytes() for array in blocks)]
    write_file(path, *_content(network, 0, parts, progress))


def quantised(network: Network, progress: Progress, preset: int = PRESET) -> bytes:
    """A file to play with. It is made in pieces, as the compressor hears no signal.

    preset: the compressor's, 0 to 9: with 0 it takes a tenth of the time, and 8 to 15 % more bytes
    """
    weights, initial = network.weights, np.float32(network.initial)
    pieces = [weights[start : start + _WEIGHTS_AT_ONCE] for start in range(0, len(weights), _WEIGHTS_AT_ONCE)]
    most = max(float(np.abs(piece - initial).max()) for piece in pieces)
    step = max(min(STEP, most / STEPS), most / _MOST_STEPS) or STEP
    flags, changes = list[bytes](), list[bytes]()
    for piece in pieces:
        numbers = np.rint((piece - initial) / np.float32(step)).astype(np.int16)
        learned = numbers != 0
        flags.append(np.packbits(learned).tobytes())
        changes.append(numbers[learned].tobytes())
    filters = [{**_FILTER, "preset": preset}]
    compressor = lzma.LZMACompressor(check=lzma.CHECK_NONE, filters=filters)
    packed = [compressor.compress(part) for part in (*flags, *changes)]
    return b"".join(_content(network, step, [b"".join(packed) + compressor.flush()], progress))


def _content(network: Network, step: float, parts: Sequence[bytes], progress: Progress) -> list[bytes]:
    header = Header(
        tuples=format_tuples(network.tuples),
        stages=list(network.stages),
        initial=network.initial,
        step=step,
        parts=[len(part) for part in parts],
        progress=progress,
        fold=network.fold,
    )
    content = [MAGIC, msgspec.json.encode(header) + b"\n", *parts]
    digest = hashlib.sha256()
    for part in content:
        digest.update(part)
    return [*content, digest.digest()]


def read(path: Path, unpacked: Unpacked = lambda digest, count: None) -> Contents:
    """A file of either kind. Raises WinnableError for whatever is wrong with it.

    unpacked: gives all weights, where it has them already, and the coherence does not matter
    """
    try:
        with path.open("rb") as file:
            content = file.read(len(MAGIC))
            if content == MAGIC:
                content += file.read()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise unusable(path, error) from None
    try:
        return _decoded(content, unpacked)
    except WinnableError as error:
        raise error.within(str(path)[:200]) from None


def load(path: Path) -> Network:
    """Reads a network to play with, in memory of its own. Raises WinnableError."""
    return read(path).network


def _decoded(content: bytes, unpacked: Unpacked) -> Contents:
    if not content.startswith(MAGIC):
        raise WinnableError("2048.not_network")
    body, digest = memoryview(content)[:-_DIGEST], content[-_DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        raise WinnableError("2048.network.damaged")
    at = content.find(b"\n", len(MAGIC)) + 1
    header: Header = decode(content[len(MAGIC) : at], Header)
    tuples = parse_tuples(header.tuples)
    weights = unpacked(digest, count_weights(tuples, header.stages, header.fold))
    network = Network(tuples, header.stages, weights, header.initial, header.fold)
    if weights is not None:
        return Contents(network, np.empty(0, np.float32), header.progress)
    parts = list[memoryview]()
    for length in header.parts:
        parts.append(body[at : at + length])
        at += length
    try:
        if not header.step:
            return Contents(network, _restored(network, parts), header.progress)
        _add_changes(network, header, parts)
    except (ValueError, IndexError, lzma.LZMAError) as error:
        raise WinnableError("level.invalid", reason=str(error)) from None
    return Contents(network, np.empty(0, np.float32), header.progress)


def _restored(network: Network, parts: Sequence[memoryview]) -> F32:
    """Sets the weights, and gives the coherence."""
    flags, weights, *rest = parts
    learned = _flags(len(network.weights) // BLOCK, flags)
    network.weights.reshape(-1, BLOCK)[learned] = _blocks(weights, np.float32, BLOCK)
    coherence = new_weights(2 * len(network.weights) if rest else 0, 0)
    for part in rest:
        coherence.reshape(-1, 2 * BLOCK)[learned] = _blocks(part, np.float32, 2 * BLOCK)
    return coherence


def _add_changes(network: Network, header: Header, parts: Sequence[memoryview]) -> None:
    """To weights that are the initial ones."""
    (packed,) = parts
    count = len(network.weights)
    whole = lzma.LZMADecompressor().decompress(packed, count // 8 + 1 + 2 * count)
    unpacked = memoryview(bytearray(whole))  # kernels for arrays that are read-only would be further ones
    flags = np.frombuffer(unpacked, np.uint8, count // 8)
    changes = np.frombuffer(unpacked[len(flags) :], np.int16)
    learned = network_kernels.change(network.weights, flags, changes, np.float32(header.step))
    if learned != len(changes):
        raise ValueError(f"{len(changes):,} changes of {learned:,} weights")


def _flags(count: int, packed: memoryview) -> NDArray[np.bool_]:
    """What comes after them is ignored."""
    if 8 * len(packed) < count:
        raise ValueError("flags are missing")
    return np.unpackbits(np.frombuffer(packed, np.uint8), count=count).view(np.bool_)


def _blocks(part: memoryview, dtype: type[Any], length: int) -> NDArray[Any]:
    return np.frombuffer(part, dtype).reshape(-1, length)
