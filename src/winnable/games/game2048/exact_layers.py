"""What both passes of exact.py find, layer by layer: in memory, or in a file that can be gone on with.

The file is a line that says of what it is, then records: first one for each layer with its boards, from the
smallest total on, then one for each layer with what they are worth, from the largest total on. Each has a
checksum, so what comes after the first record that is not whole can be told from the rest, and found anew.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, cast

import numpy as np

from winnable.core import WinnableError
from winnable.dice_kernels import U64
from winnable.games.game2048.exact_kernels import F64

_HEAD: Final = struct.Struct("<4Q")
"""Of a record: the layer, how many states it has, bytes of the content, checksum of these and the content."""
_ENTRY: Final = 8
"""Bytes of a board, or of what it is worth."""


class Layers:
    """Of the afterstates of each layer the boards, uint64, ascending, and their worths, float64. Layers are
    numbered from 0 on."""

    def __init__(self) -> None:
        self._boards: list[Any] = []
        self._worths: list[Any] = []
        """Of the last layer first."""
        self.states = self.afterstates = 0
        """Of all layers together."""

    def __len__(self) -> int:
        return len(self._boards)

    @property
    def unsolved(self) -> int:
        """So many layers, the first ones, have no worths."""
        return len(self._boards) - len(self._worths)

    def boards(self, layer: int) -> U64:
        return self._load(self._boards[layer]).view(np.uint64)

    def worths(self, layer: int) -> F64:
        return self._load(self._worths[len(self) - 1 - layer]).view(np.float64)

    def look_up(self, layer: int, boards: U64) -> F64:
        """What the boards are worth; nan for those that the layer does not have, or when there is no such."""
        found = np.full(boards.size, np.nan)
        if 0 <= layer < len(self) and (own := self.boards(layer)).size:
            places = np.minimum(np.searchsorted(own, boards), own.size - 1)
            here = own[places] == boards
            found[here] = self.worths(layer)[places[here]]
        return found

    def add_boards(self, boards: U64, states: int) -> None:
        """Of the next layer, which has so many states."""
        self._boards.append(self._keep(len(self), states, boards))
        self.states += states
        self.afterstates += boards.size

    def add_worths(self, worths: F64) -> None:
        """Of the last layer that has none."""
        self._worths.append(self._keep(self.unsolved - 1, 0, worths))

    def _keep(self, layer: int, states: int, content: Any) -> Any:
        """-> what `_load` takes."""
        return content

    def _load(self, kept: Any) -> Any:
        return kept


class _Record(NamedTuple):
    head: bytes
    start: int
    """Of the content, in bytes from the beginning of the file."""
    size: int
    """Of the content, in bytes."""


class LayerFile(Layers):
    """In a file. Methods raise WinnableError, also when it is damaged."""

    def __init__(self, path: Path, title: str, check: bool) -> None:
        """Takes over what the file holds under the same title, up to the first record that is not whole.
        check: whether contents are looked at now; else each is when it is asked for."""
        super().__init__()
        self._path, self._title, self._end, self._size = path, title.encode() + b"\n", 0, 0
        if not path.exists():
            return
        with self._opened("rb") as file:
            self._size = file.seek(0, 2)
            file.seek(0)
            if file.read(len(self._title)) == self._title:
                self._end = len(self._title)
                while self._found_record(file, check):
                    pass

    @property
    def whole(self) -> bool:
        """Whether the file was found with all layers and their worths, and nothing else."""
        return len(self) > 0 == self.unsolved and self._size == self._end

    def finish(self) -> None:
        """The file ends with the last record, and is on the disk."""
        with self._opened("r+b") as file:
            file.truncate(self._end)
            os.fsync(file.fileno())

    def _found_record(self, file: BinaryIO, check: bool) -> bool:
        """Whether the next record is whole; then it is noted."""
        file.seek(self._end)
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return False
        layer, states, size, _ = _HEAD.unpack(head)
        record = _Record(head, self._end + _HEAD.size, size)
        if record.start + size > self._size or (check and self._content(file, record) is None):
            return False
        if layer == len(self) and not self._worths:
            self._boards.append(record)
            self.states += states
            self.afterstates += size // _ENTRY
        elif layer == self.unsolved - 1:
            self._worths.append(record)
        else:
            return False
        self._end = record.start + size
        return True

    def _load(self, kept: _Record) -> Any:
        with self._opened("rb") as file:
            content = self._content(file, kept)
        if content is None:
            raise WinnableError(f"{self._path}: the file is damaged; solving again mends it")
        return content

    def _content(self, file: BinaryIO, record: _Record) -> Any:
        """None when it is not what the checksum says."""
        file.seek(record.start)
        content = np.frombuffer(bytearray(file.read(record.size)), np.uint8)
        return content if _with_checksum(record.head, content) == record.head else None

    def _keep(self, layer: int, states: int, content: Any) -> _Record:
        head = _with_checksum(_HEAD.pack(layer, states, content.nbytes, 0), content)
        with self._opened("r+b" if self._end else "wb") as file:
            if not self._end:
                self._end = file.write(self._title)
            # No cut: another process may be at the same, and has written the same, further than we are.
            file.seek(self._end)
            file.write(head)
            file.write(content.data)
        record = _Record(head, self._end + _HEAD.size, content.nbytes)
        self._end = record.start + record.size
        return record

    @contextmanager
    def _opened(self, mode: str) -> Generator[BinaryIO]:
        try:
            with cast("BinaryIO", self._path.open(mode)) as file:
                yield file
        except OSError as error:
            raise WinnableError(f"{self._path}: {error.strerror or error}") from None


def _with_checksum(head: bytes, content: Any) -> bytes:
    *fields, _ = _HEAD.unpack(head)
    return _HEAD.pack(*fields, zlib.crc32(content.data, zlib.crc32(_HEAD.pack(*fields, 0))))
