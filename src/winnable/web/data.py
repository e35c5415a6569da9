"""`/data`: all that a user has as one file, to download (GET) and to take in (POST)."""

from __future__ import annotations

from asyncio import to_thread

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from winnable import archive
from winnable.contract import clock
from winnable.contract.core import WinnableError
from winnable.store.database import Store
from winnable.web.refusals import refusal

PASSED = "Winnable-Passed"
"""The header that says how many records could not be read, and are not in the file."""


def routes(store: Store) -> list[BaseRoute]:
    """The route `/data` over this store."""

    async def download(_: Request) -> Response:
        try:
            content, packed = await to_thread(archive.pack, store)
        except WinnableError as error:
            return _refused(error, 500)
        name = f'attachment; filename="winnable-{clock.today()}.json.gz"'
        headers = {"Content-Disposition": name, PASSED: str(packed.passed)}
        return Response(content, media_type="application/gzip", headers=headers)

    async def take_in(request: Request) -> Response:
        """Answered by `archive.TakenIn`, or by the `error` of the page's messages: browsers would log another
        status as if the page were at fault."""
        content = bytearray()
        async for part in request.stream():
            content += part
            if len(content) > archive.MAX_PACKED:
                most = archive.MAX_PACKED >> 20
                return _refused(WinnableError("file.larger", field="file", most=most))
        try:
            found = await to_thread(archive.take_in, store, bytes(content))
        except WinnableError as error:
            return _refused(error)
        return Response(msgspec.json.encode(found), media_type="application/json")

    return [
        Route("/data", download, methods=["GET"]),
        Route("/data", take_in, methods=["POST"]),
    ]


def _refused(error: WinnableError, status: int = 200) -> Response:
    return Response(msgspec.json.encode(refusal("data", error)), status, media_type="application/json")
