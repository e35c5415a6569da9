"""What a page says, and what comes of it: each failure is one `error`, and the connection lives on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from winnable.contract.core import WinnableError
from winnable.web.events import ErrorEvent
from winnable.web.refusals import BINARY, refusal, refused, unread

R = TypeVar("R", bound=Struct)


class _Tagged(Struct):
    type: str = ""


_tags = msgspec.json.Decoder(_Tagged)


class Inbox(Generic[R]):
    """Of one connection. On the event loop."""

    def __init__(self, requests: msgspec.json.Decoder[R], send: Callable[[ErrorEvent], None]) -> None:
        self._requests, self._send = requests, send

    def take(self, message: str | bytes, work: Callable[[R], None]) -> None:
        """`work` on the request that it is."""
        if isinstance(message, bytes):
            self._send(refusal("", BINARY))
            return
        try:
            request = self._requests.decode(message)
        except (msgspec.MsgspecError, UnicodeError, RecursionError, WinnableError) as error:
            self._send(refusal(_type_of(message), unread(error)))
            return
        self.guard(request, lambda: work(request))

    def refuse(self, request: R, error: WinnableError) -> None:
        """Tells why the request is refused."""
        self._send(refusal(str(request.__struct_config__.tag), error))

    def guard(self, request: R, work: Callable[[], None]) -> None:
        """Does what the request asks for; whatever goes wrong is told."""
        try:
            work()
        except Exception as error:
            self.refuse(request, refused(error, f"the request {type(request).__name__}"))


def _type_of(message: str) -> str:
    """The type of a message that is no request, as far as it can be read."""
    try:
        return _tags.decode(message).type[:64]
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""
