"""A studio in a process of its own, for benchmarks that talk to it from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from winnable.core import WinnableError


@contextmanager
def studio_process(**environment: str) -> Generator[str]:
    """Its HOST:PORT; it keeps its games in a folder that goes with it. Raises WinnableError."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(__file__).parents[2]
        path = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH", "")]))
        process = subprocess.Popen(
            [sys.executable, "-m", "winnable.web.server", "--port", "0", "--no-open"],
            env={**os.environ, "PYTHONPATH": path, "WINNABLE_DATA": folder, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if "http://" not in line:
                raise WinnableError("the studio did not start")
            yield line.split("http://")[1].split()[0].rstrip("/")
        finally:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
