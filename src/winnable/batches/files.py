"""Rows in a JSONL file, to which they are appended as they come, so that whatever ends a batch, another one
goes on with it; and parts of a batch, whose files are, one after the other, that of the whole."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Self

import msgspec
from msgspec import Struct

from winnable.contract.errors import LevelError, WinnableError, unusable
from winnable.levels.files import BUFFER_BYTES

_SHARD = re.compile(r"([0-9]{1,6})/([0-9]{1,6})", re.ASCII)


class Shard(Struct, frozen=True):
    """Part `part`, from 1, of `parts`: each an unbroken run, as long as any other or by one longer."""

    part: int = 1
    parts: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Reads `3/16`. Raises WinnableError."""
        found = _SHARD.fullmatch(text.strip())
        shard = cls(int(found[1]), int(found[2])) if found else cls(0, 0)
        if not 1 <= shard.part <= shard.parts:
            raise WinnableError("batch.shard", field="shard", given=text[:40])
        return shard

    def of(self, length: int) -> range:
        """The places that it has of so many."""
        return range(length * (self.part - 1) // self.parts, length * self.part // self.parts)


def kept_rows(path: Path) -> Iterator[bytes]:
    """The rows that a file has, none where there is no file. One that was cut off in the middle is no row;
    the last one may lack the end of its line. Raises WinnableError."""
    if path.exists() and not path.is_file():  # a pipe or a device
        return
    try:
        with path.open("rb", buffering=BUFFER_BYTES) as file:
            for line in file:
                if line.endswith(b"\n") or _is_whole(line):
                    yield line.removesuffix(b"\n")
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise unusable(path, error) from None


def _is_whole(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except ValueError:
        return False
    return True


def missing(names: Sequence[str], places: Iterable[int], done: Iterable[str]) -> list[int]:
    """The places whose names are not among those done, each as often as it is there."""
    counts = Counter(done)
    left = list[int]()
    for place in places:
        if counts[names[place]]:
            counts[names[place]] -= 1
        else:
            left.append(place)
    return left


class RowFile:
    """A file that rows are appended to, each whole and at once on its way to the disk. No other process may
    write there meanwhile, where files can be locked."""

    def __init__(self, path: Path, goes_on: bool) -> None:
        """goes_on: after the rows that the file has, which stays as it is until the first one is appended.
        Raises WinnableError, also for a file that cannot be one of rows."""
        self._path, self._end, self._is_cut = path, 0, False
        try:
            self._file = path.open("r+b" if path.exists() else "w+b", buffering=0)
            if path.is_file():
                self._claim()
                self._end = self._length() if goes_on else 0
        except WinnableError:  # which is a ValueError, and says it already
            raise
        except (OSError, ValueError) as error:
            raise unusable(path, error) from None

    def _length(self) -> int:
        """Of all whole rows. Where there is none, what is there must be the beginning of one. Raises
        WinnableError."""
        end = sum(len(row) + 1 for row in kept_rows(self._path))
        begun = b"" if end else self._file.read(2)
        if not b'{"'.startswith(begun):
            self._file.close()
            raise LevelError("batch.other").within(f"{str(self._path)[:200]}:1")
        return end

    def _claim(self) -> None:
        """Raises WinnableError where another process writes there."""
        try:
            fcntl: Any = import_module("fcntl")  # not on Windows
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise WinnableError("batch.busy", field=str(self._path)) from None
        except (ImportError, OSError):
            pass

    def append(self, row: bytes) -> None:
        """Raises WinnableError, where the file has the rows before alone."""
        line = row + b"\n"
        if not self._is_cut:
            self.settle()
        try:
            if self._file.write(line) != len(line):
                raise OSError(28, os.strerror(28))
        except OSError as error:
            self.settle()
            raise unusable(self._path, error) from None
        self._end += len(line)

    def settle(self) -> None:
        """Cuts off half a row, and ends the line of a whole one. A pipe cannot be cut. Raises
        WinnableError."""
        self._is_cut = True
        try:
            if self._path.is_file():
                self._file.truncate(self._end)
                if self._end:
                    self._file.seek(self._end - 1)
                    self._file.write(b"\n")
                self._file.seek(self._end)
        except OSError as error:
            raise unusable(self._path, error) from None

    def close(self) -> None:
        """Ends the file, which is on the disk then. Raises WinnableError."""
        try:
            if self._path.is_file():
                os.fsync(self._file.fileno())
            self._file.close()
        except OSError as error:
            raise unusable(self._path, error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
