"""`/data`: all that a user has as one file, to download (GET) and to take in (POST)."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from winnable import archive
from winnable.contract import clock
from winnable.contract.core import WinnableError
from winnable.store.database import Store
from winnable.web.refusals import refusal

PASSED = "Winnable-Passed"
"""The header that says how many records could not be read, and are not in the file."""


class Answer(NamedTuple):
    """As HTTP has it."""

    status: int
    headers: dict[str, str]
    body: bytes


def packed(store: Store) -> Answer:
    """All of the store."""
    try:
        content, found = archive.pack(store)
    except WinnableError as error:
        return _refused(error, 500)
    name = f'attachment; filename="winnable-{clock.today()}.json.gz"'
    headers = {"Content-Type": "application/gzip", "Content-Disposition": name, PASSED: str(found.passed)}
    return Answer(200, headers, content)


def taken_in(store: Store, content: bytes) -> Answer:
    """Answered by `archive.TakenIn`, or by the `error` of the page's messages: browsers would log another
    status as if the page were at fault."""
    if len(content) > archive.MAX_PACKED:
        return _refused(WinnableError("file.larger", field="file", most=archive.MAX_PACKED >> 20))
    try:
        return _json(archive.take_in(store, content))
    except WinnableError as error:
        return _refused(error)


def _refused(error: WinnableError, status: int = 200) -> Answer:
    return _json(refusal("data", error), status)


def _json(value: object, status: int = 200) -> Answer:
    return Answer(status, {"Content-Type": "application/json"}, msgspec.json.encode(value))
