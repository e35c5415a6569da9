"""A site in a headless Chromium: what it fetches, how soon a board and its lamp are there, how soon a click
is answered on a phone, and the memory of the tab."""

from __future__ import annotations

import gzip
import os
import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.studio.browser import wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

LEVELS = {
    "triple": "triple/4-two-towers",
    "drops": "drops/12-drizzle",
    "tetris": "tetris/2-classic",
    "rotate": "rotate/04-two-steps",
    "2048": "2048/1-2048",
}
SEARCHED = "drops/30-ones"
"""A board that is clicked while the lamp searches."""
PATIENCE = 90.0
PHONE = {"width": 360, "height": 740}
SLOWER = 4
"""So many times, for a phone."""
RUNS_S = 0.002
"""Seconds that it runs until it rests."""
LOOP = """() => {
  const began = performance.now();
  let total = 0;
  for (let i = 0; i < 3e8; i++) total += i & 3;
  return performance.now() - began + 0 * total;
}"""
_PROBE = """
window.probe = { board: null, lamp: null, searching: false, clicked: null, times: [] };
const look = () => {
  const drawn = document.body?.dataset.view === "game" && document.getElementById("stage")?.firstChild;
  if (drawn) probe.board = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
addEventListener("click", (event) => {
  if (event.target.closest("#stage")) probe.clicked = { at: event.timeStamp, searching: probe.searching };
}, true);
const foresees = ({ score, risk, values }) => score !== null || risk !== null || values.length;
const tells = ({ verdict, outlook }) => verdict !== "unknown" || (outlook && foresees(outlook));
const Plain = Worker;
window.Worker = class extends Plain {
  constructor(...wanted) {
    super(...wanted);
    this.addEventListener("message", ({ data }) => {
      const event = typeof data === "string" ? JSON.parse(data) : {};
      if (event.type === "lamp") {
        probe.searching = event.searching;
        if (tells(event)) requestAnimationFrame(() => (probe.lamp ??= performance.now()));
      }
      if (event.type !== "state" || !probe.clicked) return;
      const { at, searching } = probe.clicked;
      probe.clicked = null;
      requestAnimationFrame(() => probe.times.push({ took: performance.now() - at, searching }));
    });
  }
};
"""


class Host(NamedTuple):
    """A plain host of the folder. asked: names of files, as they were asked for"""

    address: str
    asked: list[str]


@contextmanager
def hosted(
    folder: Path, handler: type[SimpleHTTPRequestHandler] = SimpleHTTPRequestHandler
) -> Generator[Host]:
    """Serves the folder, on loopback."""
    asked: list[str] = []

    class Handler(handler):
        extensions_map = SimpleHTTPRequestHandler.extensions_map | {
            ".mjs": "text/javascript", ".js": "text/javascript",
        }  # fmt: skip

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            asked.append(self.path.partition("?")[0].strip("/") or "index.html")
            super().do_GET()

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Host(f"http://127.0.0.1:{server.server_port}/", asked)
        server.shutdown()


def packed(folder: Path, names: set[str]) -> int:
    """Bytes of these files as hosts send them."""
    return sum(
        len(gzip.compress((folder / name).read_bytes())) for name in names if (folder / name).is_file()
    )


class Opened(NamedTuple):
    """Seconds from the address to the board, and from there to the first lamp"""

    page: Page
    board: float
    lamp: float


def opened(profile: BrowserContext, host: Host, level: str, page: Page | None = None) -> Opened:
    """A page with the level on it, and what its lamp says first. page: None: a new one"""
    page = page or profile.new_page()
    page.add_init_script(_PROBE)
    page.goto(f"{host.address}#{level}")
    wait_for(page, "window.probe?.board", PATIENCE)
    wait_for(page, "window.probe?.lamp", PATIENCE)
    board, lamp = page.evaluate("[probe.board, probe.lamp]")
    return Opened(page, board / 1000, max(0.0, lamp - board) / 1000)


def kept(page: Page) -> None:
    """Waits until the browser has the whole site."""
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")


class Clicks(NamedTuple):
    """Milliseconds from a click to its board, while the lamp searches. page, worker: so many times slower
    than without the brake"""

    times: list[float]
    page: float
    worker: float


def clicked(browser: Browser, host: Host, clicks: int) -> Clicks:
    """On a phone: one cell after the other, on a board that takes a search long."""
    profile = browser.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce")  # type: ignore[arg-type]
    page = profile.new_page()
    page.add_init_script(_PROBE)
    page.goto(f"{host.address}#{SEARCHED}")
    wait_for(page, "window.probe?.board", PATIENCE)
    places: list[Any] = [page, page.workers[0]]
    before = [min(place.evaluate(LOOP) for _ in range(2)) for place in places]
    with _braked(_renderer(browser)):
        after = [place.evaluate(LOOP) for place in places]
        cells = page.locator("#stage [data-cell]")
        for number in range(clicks):
            if number and number % 20 == 0:
                page.locator("#restart").tap()
                page.wait_for_timeout(500)
            cells.nth(number * 7 % cells.count()).tap(force=True)
            wait_for(page, "probe.clicked === null")
            page.wait_for_timeout(100)
        told = page.evaluate("probe.times")
    profile.close()
    slower = [b / a for a, b in zip(before, after, strict=True)]
    return Clicks([one["took"] for one in told if one["searching"]], *slower)


@contextmanager
def _braked(process: int) -> Generator[None]:
    """All threads of the process rest for most of the time. Chromium's own brake is one of the page, not of
    its workers."""
    over = threading.Event()

    def brake() -> None:
        while not over.wait(RUNS_S):
            os.kill(process, signal.SIGSTOP)
            time.sleep((SLOWER - 1) * RUNS_S)
            os.kill(process, signal.SIGCONT)

    thread = threading.Thread(target=brake)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def memory(browser: Browser) -> int:
    """Bytes of the browser's only tab: what no other process shares with the one that draws it and has its
    workers, as Linux counts it."""
    return _private(_renderer(browser))


def _renderer(browser: Browser) -> int:
    """The process that draws the largest tab, and has its workers."""
    session: Any = browser.new_browser_cdp_session()
    told = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return max((one["id"] for one in told if one["type"] == "renderer"), key=_private)


def _private(process: int) -> int:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Private"))
