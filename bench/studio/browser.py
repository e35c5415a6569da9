"""A headless Chromium for benchmarks, driven by its own DevTools protocol: no package is needed for it."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from winnable.core import WinnableError

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)
START_SECONDS = 30.0
ANSWER_SECONDS = 30.0
POLL_SECONDS = 0.02


def find_browser() -> str | None:
    """WINNABLE_BROWSER, or the first Chromium on the path; None: there is none."""
    return os.environ.get("WINNABLE_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)


def browser_flags() -> list[str]:
    is_root = hasattr(os, "getuid") and os.getuid() == 0
    return [*FLAGS, *(["--no-sandbox"] if is_root else [])]


class Tab:
    """One page of a browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = count(1)
        self._session: str | None = None
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._ask("Page.enable")
        self._ask("Emulation.setFocusEmulationEnabled", enabled=True)

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        self._socket.send(json.dumps(message))
        while True:
            answer: dict[str, Any] = json.loads(self._socket.recv(timeout=ANSWER_SECONDS))
            if answer.get("id") != number:
                continue  # an event
            if "error" in answer:
                raise WinnableError(f"browser: {method}: {answer['error'].get('message')}")
            return answer["result"]

    def resize(self, width: int, height: int) -> None:
        """In CSS pixels, each one pixel of the screen."""
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    def open(self, address: str, before: str = "") -> None:
        """before: a script that runs first in this and every later page."""
        self._ask("Page.addScriptToEvaluateOnNewDocument", source=before)
        self._ask("Page.navigate", url=address)

    def evaluate(self, expression: str) -> Any:
        """The value as JSON. Raises WinnableError with what the page raised."""
        result = self._ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            said = details.get("exception", {}).get("description", details["text"])
            raise WinnableError(f"browser: {expression[:80]!r}: {said}")
        return result["result"].get("value")

    def wait_for(self, expression: str, seconds: float = 20.0) -> None:
        """Until it is true. Raises WinnableError."""
        end = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({expression})"):
            if time.monotonic() >= end:
                raise WinnableError(f"browser: not true after {seconds:g} s: {expression}")
            time.sleep(POLL_SECONDS)

    def screenshot(self, file: Path) -> None:
        """What is in sight, as PNG."""
        file.write_bytes(base64.b64decode(self._ask("Page.captureScreenshot")["data"]))

    def press(self, code: str, is_down: bool) -> None:
        """A key by its `code`, like ArrowLeft."""
        self._ask("Input.dispatchKeyEvent", type="rawKeyDown" if is_down else "keyUp", code=code, key=code)


@contextmanager
def open_tab() -> Generator[Tab]:
    """A page of a browser that is started for it and ends with it. Raises WinnableError."""
    path = find_browser()
    if path is None:
        raise WinnableError(
            f"browser: no Chromium found (looked for {', '.join(NAMES)}); install one, or name it in the "
            "environment variable WINNABLE_BROWSER"
        )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [path, "--headless", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
        try:
            process = subprocess.Popen(
                [*command, *browser_flags(), "about:blank"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise WinnableError(f"browser: {path} does not start: {error}") from None
        try:
            with connect(_address(process, path, profile), max_size=None) as socket:
                yield Tab(socket)
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """All of its group: a script may stand before the browser, and hand no signal on."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM) if hasattr(os, "killpg") else process.terminate()
    process.wait()


def _address(process: subprocess.Popen[bytes], path: str, profile: str) -> str:
    """Where the browser listens: it writes a line with the port and one with the path into a file."""
    file = Path(profile, "DevToolsActivePort")
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        lines = file.read_text().splitlines() if file.exists() else []
        if len(lines) == 2 and lines[1]:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        time.sleep(POLL_SECONDS)
    raise WinnableError(f"browser: {path} does not start")
