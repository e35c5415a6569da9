"""A studio in a process of its own, for benchmarks that talk to it from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from bench import PYTHON_PATH
from winnable.contract.core import WinnableError

OPEN_SECONDS = 60.0
"""For a connection, on a machine with much else to do."""


def talk(host: str, path: str = "/ws") -> ClientConnection:
    """A WebSocket as a page of the studio opens it: the studio listens to nobody who does not name it as the
    origin."""
    ours: Any = origin(host)
    return connect(f"ws://{host}{path}", origin=ours, max_size=None, open_timeout=OPEN_SECONDS)


def origin(host: str) -> str:
    """Of the pages of the studio at HOST:PORT."""
    return f"http://{host}"


@contextmanager
def studio_process(**environment: str) -> Generator[str]:
    """Its HOST:PORT; it keeps its games in a folder that goes with it. Raises WinnableError."""
    with studio_with_pid(**environment) as (host, _):
        yield host


@contextmanager
def studio_with_pid(**environment: str) -> Generator[tuple[str, int]]:
    """Like `studio_process`, and the process's id."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            python_command("winnable.web.server", "--port", "0", "--no-open"),
            env={**python_environment(), "WINNABLE_DATA": folder, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if "http://" not in line:
                raise WinnableError("the studio did not start")
            yield line.split("http://")[1].split()[0].rstrip("/"), process.pid
        finally:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


def python_command(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def python_environment() -> dict[str, str]:
    """In which another Python finds both packages."""
    path = os.pathsep.join(filter(None, [PYTHON_PATH, os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path}
