"""What both passes of exact play find, layer by layer: in memory, or in a file that can be gone on with.

The file is a line that says of what it is, then records: first one for each layer with its boards, from the
smallest total on, then one for each layer with what they are worth, from the largest total on. Each has a
checksum, so what comes after the first record that is not whole can be told from the rest, and found anew.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Protocol, TypeVar, cast

from winnable.contract.core import WinnableError, unusable
from winnable.inert.arrays import F64, U64, np

_HEAD: Final = struct.Struct("<4Q")
"""Of a record: the layer, how many states it has, bytes of the content, checksum of these and the content."""
T = TypeVar("T")


class Form(Protocol):
    """How a file keeps the boards of a layer, and their worths. Content is an array of numbers to be written,
    uint8 [] when it was read."""

    def count(self, size: int) -> int:
        """Boards whose content takes so many bytes."""
        ...

    def kept_boards(self, boards: U64) -> Any:
        """The content that keeps the boards of a layer, ascending."""
        ...

    def boards(self, content: Any, layer: int) -> U64:
        """The boards of a layer, by their content."""
        ...

    def kept_worths(self, worths: F64) -> Any:
        """The content that keeps the worths of a layer."""
        ...

    def worths(self, content: Any) -> F64:
        """The worths of a layer, by their content."""
        ...


class Plain:
    """As they are: 8 bytes for a board, and 8 for its worth."""

    def count(self, size: int) -> int:
        return size // 8

    def kept_boards(self, boards: U64) -> U64:
        return boards

    def boards(self, content: Any, layer: int) -> U64:
        return content.view(np.uint64)

    def kept_worths(self, worths: F64) -> F64:
        return worths

    def worths(self, content: Any) -> F64:
        return content.view(np.float64)


class Layers:
    """Of the afterstates of each layer the boards, uint64, ascending, and their worths, float64. Layers are
    numbered from 0 on."""

    def __init__(self) -> None:
        self._boards: list[Any] = []
        self._worths: list[Any] = []
        """Of the last layer first."""
        self.states: int = 0
        self.afterstates: int = 0
        """Of all layers together."""

    def __len__(self) -> int:
        return len(self._boards)

    @property
    def unsolved(self) -> int:
        """So many layers, the first ones, have no worths."""
        return len(self._boards) - len(self._worths)

    def boards(self, layer: int) -> U64:
        """The layer's boards, uint64, ascending."""
        return self._boards[layer]

    def worths(self, layer: int) -> F64:
        """What the layer's boards are worth, float64."""
        return self._worths[len(self) - 1 - layer]

    def look_up(self, layer: int, boards: U64) -> F64:
        """What the boards are worth; nan for those that the layer does not have, or when there is no such."""
        found = np.full(boards.size, np.nan)
        if 0 <= layer < len(self) and (own := self.boards(layer)).size:
            places = np.minimum(np.searchsorted(own, boards), own.size - 1)
            here = own[places] == boards
            found[here] = self.worths(layer)[places[here]]
        return found

    def add_boards(self, boards: U64, states: int) -> None:
        """Adds the boards of the next layer, which has so many states."""
        self._boards.append(boards)
        self.states += states
        self.afterstates += boards.size

    def add_worths(self, worths: F64) -> F64:
        """Adds the worths of the last layer that has none -> what `worths` will say of it."""
        self._worths.append(worths)
        return worths


class _Record(NamedTuple):
    head: bytes
    start: int
    """Of the content, in bytes from the beginning of the file."""
    size: int
    """Of the content, in bytes."""


class LayerFile(Layers):
    """In a file. Methods raise WinnableError, also when it is damaged."""

    def __init__(self, path: Path, title: str, form: Form, remedy: str = "solving again mends it") -> None:
        """Takes over what the file holds under the same title, up to the first record that is not whole.
        Contents are looked at by `check`, or each when it is asked for. remedy: what errors say of damage to
        it."""
        super().__init__()
        self._path, self._title, self._end = path, title.encode() + b"\n", 0
        self.size = 0
        """The bytes of the file when it was found."""
        self._form, self._remedy = form, remedy
        self._map: memoryview | None = None
        self._checked: set[int] = set()
        """Where the contents start that were looked at."""
        for _ in self._take_over(check=False):
            pass

    def check(self) -> Iterator[None]:
        """Looks at one content after the other. What is damaged is forgotten, with all that follows."""
        self._boards, self._worths, self.states, self.afterstates, self._end = [], [], 0, 0, 0
        return self._take_over(check=True)

    def _take_over(self, check: bool) -> Iterator[None]:
        if not self._path.exists():
            return
        with self._opened("rb") as file:
            self.size = file.seek(0, 2)
            file.seek(0)
            if file.read(len(self._title)) == self._title:
                self._end = len(self._title)
                while self._found_record(file, check):
                    yield

    @property
    def whole(self) -> bool:
        """Whether the file was found with all layers and their worths, and nothing else."""
        return len(self) > 0 == self.unsolved and self.size == self._end

    def boards(self, layer: int) -> U64:
        return self._form.boards(self._load(self._boards[layer]), layer)

    def worths(self, layer: int) -> F64:
        return self._form.worths(self._load(self._worths[len(self) - 1 - layer]))

    def add_boards(self, boards: U64, states: int) -> None:
        self._boards.append(self._keep(len(self), states, self._form.kept_boards(boards)))
        self.states += states
        self.afterstates += boards.size

    def add_worths(self, worths: F64) -> F64:
        content = self._form.kept_worths(worths)
        self._worths.append(self._keep(self.unsolved - 1, 0, content))
        return self._form.worths(content.view(np.uint8))

    def mapped(self, layer: int) -> tuple[memoryview, memoryview]:
        """What the file has of the layer's boards and worths, in bytes: not read, but looked at once."""
        if self._map is None:
            with self._opened("rb") as file:
                self._map = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        boards, worths = self._boards[layer], self._worths[len(self) - 1 - layer]
        return self._mapped(self._map, boards), self._mapped(self._map, worths)

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
        if record.start + size > self.size or (check and self._content(file, record) is None):
            return False
        if layer == len(self) and not self._worths:
            self._boards.append(record)
            self.states += states
            self.afterstates += self._form.count(size)
        elif layer == self.unsolved - 1:
            self._worths.append(record)
        else:
            return False
        self._end = record.start + size
        return True

    def _load(self, kept: _Record) -> Any:
        with self._opened("rb") as file:
            content = self._content(file, kept)
        return self._undamaged(content)

    def _mapped(self, file: memoryview, record: _Record) -> memoryview:
        content = file[record.start : record.start + record.size]
        if record.start not in self._checked:
            self._undamaged(content if _with_checksum(record.head, content) == record.head else None)
            self._checked.add(record.start)
        return content

    def _undamaged(self, content: T | None) -> T:
        if content is None:
            raise WinnableError("file.damaged", field=str(self._path), remedy=self._remedy)
        return content

    def _content(self, file: BinaryIO, record: _Record) -> Any:
        """None when it is not what the checksum says."""
        file.seek(record.start)
        content = np.frombuffer(bytearray(file.read(record.size)), np.uint8)
        return content if _with_checksum(record.head, content.data) == record.head else None

    def _keep(self, layer: int, states: int, content: Any) -> _Record:
        head = _with_checksum(_HEAD.pack(layer, states, content.nbytes, 0), content.data)
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
        except (OSError, ValueError) as error:  # ValueError: it is empty by now, and so cannot be mapped
            raise unusable(self._path, error) from None


def _with_checksum(head: bytes, content: memoryview) -> bytes:
    *fields, _ = _HEAD.unpack(head)
    return _HEAD.pack(*fields, zlib.crc32(content, zlib.crc32(_HEAD.pack(*fields, 0))))
