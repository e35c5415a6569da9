"""Rows in a JSONL file, to which they are appended as they come, so that whatever ends a batch, another one
goes on with it; and parts of a batch, whose files are, one after the other, that of the whole."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from msgspec import Struct

from winnable.contract.errors import WinnableError, unusable
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
    """The rows that a file has, none where there is no file. One that was cut off in the middle is no row.
    Raises WinnableError."""
    if path.exists() and not path.is_file():  # a pipe or a device
        return
    try:
        with path.open("rb", buffering=BUFFER_BYTES) as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line[:-1]
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise unusable(path, error) from None


class RowFile:
    """A file that rows are appended to, each whole and at once on its way to the disk."""

    def __init__(self, path: Path, goes_on: bool) -> None:
        """goes_on: after the rows that the file has. Raises WinnableError."""
        self._path, self._end = path, 0
        try:
            self._file = path.open("r+b" if path.exists() else "wb", buffering=0)
            if path.is_file():  # a pipe cannot be cut
                self._claim()
                self._end = sum(len(row) + 1 for row in kept_rows(path)) if goes_on else 0
                self._file.truncate(self._end)
                self._file.seek(self._end)
        except WinnableError:  # which is a ValueError, and says it already
            raise
        except (OSError, ValueError) as error:
            raise unusable(path, error) from None

    def _claim(self) -> None:
        """Until this is closed no other process may write there, where files can be locked. Raises
        WinnableError."""
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
        try:
            if self._file.write(line) != len(line):
                raise OSError(28, os.strerror(28))
        except OSError as error:
            self._cut()
            raise unusable(self._path, error) from None
        self._end += len(line)

    def _cut(self) -> None:
        """Half a row is none."""
        if self._path.is_file():
            self._file.truncate(self._end)

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
