"""Serves a site on the local network: the files that its folder had at the beginning, from memory, by GET and
HEAD. What a request names is looked up among their names, never in a file system. They are public, and there
is no state: any Host may ask."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import os
import shutil
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from ipaddress import IPv4Address
from pathlib import Path
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from winnable.contract.core import WinnableError
from winnable.contract.errors import unusable
from winnable.site.writing import OURS, SERVICE, files_in, write
from winnable.store import caches
from winnable.web.guard import SECURITY_HEADERS
from winnable.web.limits import Limits
from winnable.web.server import StudioServer, bind, run
from winnable.web.wire import Wire

EVERYWHERE = "0.0.0.0"
ELSEWHERE = "198.51.100.1", 9
"""An address that nobody has: the system says by which of ours it would be asked, and nothing is sent."""
MOST_MB = 256
CHUNK = 65536
"""Bytes that are handed on before it is seen whether they are read."""
LIMITS = Limits(requests=2000)
"""A class of phones, each with six connections and more, may come at once."""
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".zip": "application/zip",
}
"""Whatever the system thinks of them; browsers take no module and no WebAssembly under another."""
HEADERS = SECURITY_HEADERS | {
    "Content-Security-Policy": "frame-ancestors 'none'",  # the rest stands in the pages, which only they know
    "Cache-Control": "no-cache",
    "Vary": "Accept-Encoding",
}


class File(NamedTuple):
    """packed: by gzip; None where that makes it hardly smaller"""

    kind: str
    tag: str
    plain: bytes
    packed: bytes | None


class Shared:
    """Files as an ASGI app."""

    def __init__(self, files: Mapping[str, File], limits: Limits = LIMITS) -> None:
        self._files = files
        self.wire = Wire(limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, headers, body = self._answer(scope["method"], scope["path"], Headers(scope=scope))
        length = {} if status == 304 else {"Content-Length": str(len(body))}
        said = HEADERS | length | headers
        head = [(name.lower().encode(), value.encode()) for name, value in said.items()]
        await send({"type": "http.response.start", "status": status, "headers": head})
        for start in range(0, len(body), CHUNK):
            part = body[start : start + CHUNK]
            await send({"type": "http.response.body", "body": part, "more_body": True})
            await asyncio.sleep(0)  # `send` waits for slow readers only: many fast ones would be in the way
        await send({"type": "http.response.body"})

    def _answer(self, method: str, path: str, asked: Headers) -> tuple[int, dict[str, str], bytes]:
        """Status, headers, body."""
        plain = {"Content-Type": "text/plain; charset=utf-8"}
        if method not in ("GET", "HEAD"):
            return 405, plain | {"Allow": "GET, HEAD"}, b"only GET and HEAD\n"
        file = self._files.get("index.html" if path == "/" else path.removeprefix("/"))
        if file is None:
            return 404, plain, b"no such file\n"
        headers = {"Content-Type": file.kind, "ETag": file.tag}
        if file.tag in _listed(asked.get("if-none-match", "")):
            return 304, headers, b""
        if file.packed is not None and "gzip" in _listed(asked.get("accept-encoding", "")):
            return 200, headers | {"Content-Encoding": "gzip"}, file.packed
        return 200, headers, file.plain


def _listed(header: str) -> set[str]:
    return {one.strip() for one in header.split(",")}


def read(folder: Path) -> dict[str, File]:
    """All files of a site by what follows the first slash of an address; no hidden ones, and no link is
    followed. Raises WinnableError."""
    if not (folder / SERVICE).is_file():
        raise WinnableError("share.folder", field="FOLDER", given=str(folder), name=SERVICE)
    files: dict[str, File] = {}
    left = MOST_MB * 10**6
    try:
        for path in _paths(folder):
            left -= path.stat().st_size
            if left < 0:
                raise WinnableError("share.large", field="FOLDER", given=str(folder), most=MOST_MB)
            files[path.relative_to(folder).as_posix()] = _file(path.suffix, path.read_bytes())
    except OSError as error:
        raise unusable(error.filename, error) from None
    return files


def _paths(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder, onerror=_fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for path in (Path(place, name) for name in names if not name.startswith(".")):
            if path.is_file() and not path.is_symlink():
                yield path


def _fail(error: OSError) -> None:
    raise error


def _file(suffix: str, plain: bytes) -> File:
    packed = gzip.compress(plain, 4, mtime=0)
    tag = f'W/"{hashlib.sha256(plain).hexdigest()[:16]}"'
    kind = TYPES.get(suffix, "application/octet-stream")
    return File(kind, tag, plain, packed if len(packed) < 0.9 * len(plain) else None)


def kept(games: Sequence[str], begin: Callable[[], None], tell: Callable[[str], None]) -> Path:
    """The folder of a site with the solvers of these games, written anew where there is none of this version;
    older ones go. `begin` hears of it, then `tell` of each game. Raises WinnableError."""
    made_of = hashlib.sha256("+".join(sorted(games)).encode())
    for path, _ in files_in(OURS, ""):
        made_of.update(path.read_bytes())
    room = caches.writable(caches.SITE)
    folder = room / f"shared-{made_of.hexdigest()[:16]}"
    if not (folder / SERVICE).is_file():
        begin()
        write(folder, games, tell)
        for older in room.glob("shared-*"):
            if older != folder:
                shutil.rmtree(older, ignore_errors=True)
    return folder


class Sharing:
    """A site that has its address already."""

    def __init__(self, files: Mapping[str, File], port: int | None = None, host: str = EVERYWHERE) -> None:
        """port: as `server.bind` has it. Raises WinnableError."""
        try:
            with socket.socket() as probe:
                probe.bind((str(IPv4Address(host)), 0))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise WinnableError("share.host", field="--host", given=host, reason=reason) from None
        self.app = Shared(files)
        self.bound = bind(port, host)
        host, port = self.bound.getsockname()
        own = _own() if host == EVERYWHERE else host
        self.address = f"http://{own}:{port}/"
        self.is_alone = IPv4Address(own).is_loopback
        """Whether nobody else can reach it."""

    def serve(self, ready: Callable[[], None]) -> None:
        """Runs until Ctrl-C; `ready` is called once it answers."""
        run(StudioServer(self.app, ready, sockets=False), self.bound)


def _own() -> str:
    """By which address others reach this machine."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(ELSEWHERE)
            return probe.getsockname()[0]
    except OSError:  # no way leads out of the local network: its name may lead to it
        try:
            return socket.gethostbyname(socket.gethostname())
        except OSError:
            return "127.0.0.1"
