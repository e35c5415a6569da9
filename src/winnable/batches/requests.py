"""What a batch is made of: requests by name and bytes, never functions, so that any process with the same
winnable answers them alike. An answer hangs on its request alone, but for what clocks end."""

from __future__ import annotations

import hashlib
from functools import partial
from importlib import import_module
from typing import Any

import msgspec
from msgspec import Struct

from winnable import __version__
from winnable.analysis.engine import engine
from winnable.contract.core import Budget, Search, WinnableError
from winnable.levels.files import NamedLevel, encode_level, read_level


class Request(Struct, frozen=True, kw_only=True):
    """game: whose kernels it needs. version: of the winnable that asks"""

    game: str
    version: str = __version__

    def answer(self, whole: Budget) -> Search[Any]:
        """The row. Raises WinnableError."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The same for the same request, in every process."""
        content = type(self).__name__.encode() + msgspec.msgpack.encode(self)
        return hashlib.sha256(content).hexdigest()[:16]

    def encoded(self) -> tuple[str, str, bytes]:
        """The module and the name of its kind, and its content, for another process."""
        return type(self).__module__, type(self).__name__, msgspec.msgpack.encode(self)


class LevelGiven(Struct, frozen=True):
    """A level by its content. id: what it was asked for by"""

    content: bytes
    id: str

    @classmethod
    def of(cls, named: NamedLevel) -> LevelGiven:
        return cls(encode_level(named.level), named.id)

    def named(self) -> NamedLevel:
        return read_level(self.content)._replace(id=self.id)


def answered(request: Request, whole: Budget) -> Search[Any]:
    """The row, once the kernels are there that it needs. Raises WinnableError."""
    return engine().run(partial(request.answer, whole), whole)


def answer_all(requests: list[tuple[str, str, bytes]]) -> Search[list[Any]]:
    """Likewise, on a worker, one after the other; what is refused, as all of another version, is its own
    answer."""
    answers = list[Any]()
    for module, name, content in requests:
        version = msgspec.msgpack.decode(content, type=Request).version
        try:
            if version != __version__:
                raise WinnableError("batch.version", field="executor", ours=version, other=__version__)
            request = msgspec.msgpack.decode(content, type=getattr(import_module(module), name))
            answers.append((yield from answered(request, Budget())))
        except WinnableError as error:
            answers.append(error)
    return answers
