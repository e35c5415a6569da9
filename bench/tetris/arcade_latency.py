"""How smooth the arcade's page is, and how soon a key is seen, while a bot plays at full speed beside it.

The page is in a headless Chromium, the studio in a process of its own, both on this machine; somebody steps
to the left and right without end. Frames: the times that the browser's frame clock gives to a loop of
`requestAnimationFrame`. A key's latency: from the time stamp of `keydown`, which the browser sets when it
takes the key, to the end of the drawing that shows the piece a column further on the page's canvas; the key
has been to the server and back by then. What a screen adds after that is not seen from here.

Frames come first, and the keys after them without that loop: while a page asks for every frame, Chromium
hands messages over only after the frame that follows a key, so that each key takes a frame more. The page
asks for a frame only when there is something to draw.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from websockets.exceptions import ConnectionClosed

from bench.report import Row, mean_row
from bench.studio.browser import open_page, wait_for
from bench.studio.process import studio_process, talk
from winnable.contract.core import WinnableError

if TYPE_CHECKING:
    from playwright.sync_api import Page

FRAME_MS = 1000 / 60
GAP_SECONDS = (0.06, 0.14)
"""Between two keys, at random, so that they fall on any part of a frame."""
DOWN_SECONDS = 0.03
READY_SECONDS = 300.0
"""For the bot's kernels, when they have to be compiled first."""
FRAMES_SECONDS = 15.0

_SETTINGS = """
localStorage.setItem("winnable.arcade.looks", '{"countdown": false}');
localStorage.setItem("winnable.arcade.bot", '{"style": "attack", "speed": "max"}');
"""
_PROBE = """
const board = document.getElementById("board"), next = document.getElementById("next");
const left = () => Math.min(...board.dataset.cells.split(" ").map((cell) => Number(cell.split(",")[0])));
window.probe = { frames: [], times: [], unseen: 0, asked: null, loops: true };
const tick = (now) => {
  probe.frames.push(now);
  if (probe.loops) requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
addEventListener("keydown", (event) => {
  if (probe.asked) probe.unseen++;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.code];
  probe.asked = { at: event.timeStamp, wanted: left() + by, pieces: next.dataset.pieces };
}, { capture: true });
new MutationObserver(() => {
  const { asked } = probe;
  if (!asked) return;
  if (next.dataset.pieces !== asked.pieces) probe.asked = null; // another piece: it has locked meanwhile
  else if (left() === asked.wanted) {
    probe.times.push(performance.now() - asked.at);
    probe.asked = null;
  }
}).observe(board, { attributeFilter: ["data-cells"] });
"""


def rows(
    games: int = 200, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """Frames of the page, and latency of at least `games` keys, with the bot idle and with it playing beside;
    then frames of a page that shows the bot. Frame times and latencies in milliseconds. The references are
    what is meant: 60 frames a second, and the median key within a frame. Raises WinnableError."""
    done = 0
    for load, plays in (("bot idle", False), ("bot beside", True)):
        if progress is not None:
            progress(done, 3)
        done += 1
        yield from _played(load, plays, games, seed)
    if progress is not None:
        progress(done, 3)
    yield from _watched(seed)
    if progress is not None:
        progress(3, 3)


def _played(load: str, plays: bool, keys: int, seed: int) -> Iterator[Row]:
    """A person's game of random steps to the left and right."""
    with open_page(1280, 800) as page, studio_process() as host, ExitStack() as beside:
        pieces = beside.enter_context(_bot(host, seed + 1)) if plays else list[float]()
        _open(page, host)
        page.evaluate(f"document.getElementById('menu-dice').value = '{seed}'")
        page.evaluate("document.querySelector('[name=mode][value=endless]').click()")
        page.evaluate("document.querySelector('[data-testid=menu-play]').click()")
        wait_for(
            page,
            "document.body.dataset.phase === 'playing' && document.getElementById('board').dataset.cells",
        )
        page.evaluate(_PROBE)
        steps = _steps(page, seed)
        began = time.perf_counter()
        while time.perf_counter() < began + FRAMES_SECONDS:
            next(steps)
        page.evaluate("Object.assign(probe, { loops: false, times: [], unseen: 0, asked: null })")
        yield from _frame_rows(f"arcade page, {load}", page.evaluate("probe.frames"), seed)
        times, unseen = _latencies(page, steps, keys)
        took = time.perf_counter() - began
        if plays:
            placed = sum(at >= began for at in pieces)
            yield Row(f"arcade page, {load}: its pieces per second", placed / took, "/s", n=placed, seed=seed)
    name = f"arcade key, {load}"
    yield mean_row(f"{name}: mean", times, "ms", seed)
    yield Row(f"{name}: median", float(np.median(times)), "ms", n=len(times), seed=seed, reference=FRAME_MS)
    yield Row(f"{name}: 95th percentile", float(np.quantile(times, 0.95)), "ms", n=len(times), seed=seed)
    yield Row(f"{name}: worst", max(times), "ms", n=len(times), seed=seed)
    yield Row(f"{name}: not seen before the next key", unseen, "", n=len(times) + unseen, seed=seed)


def _watched(seed: int) -> Iterator[Row]:
    """The bot plays at full speed on the page itself."""
    with open_page(1280, 800) as page, studio_process() as host:
        _open(page, host)
        page.evaluate(f"document.getElementById('menu-dice').value = '{seed}'")
        page.evaluate("document.querySelector('[name=mode][value=endless]').click()")
        page.evaluate("document.querySelector('[data-testid=menu-bot]').click()")
        wait_for(page, "Number(document.getElementById('board').dataset.frame) > 60", READY_SECONDS)
        page.evaluate(_PROBE)
        time.sleep(FRAMES_SECONDS)
        yield from _frame_rows("arcade page, bot on it", page.evaluate("probe.frames"), seed)


def _open(page: Page, host: str) -> None:
    page.add_init_script(_SETTINGS)
    page.goto(f"http://{host}/arcade")
    wait_for(page, "document.querySelector('#menu[open]')")


def _latencies(page: Page, steps: Iterator[None], keys: int) -> tuple[list[float], int]:
    """Of so many keys; and how many others were not seen before the next one."""
    for _ in range(3 * keys + 10):
        next(steps)
        if page.evaluate("probe.times.length") >= keys:
            break
    else:
        raise WinnableError(f"arcade: of {3 * keys + 10} keys fewer than {keys} were seen on the board")
    return page.evaluate("probe.times"), page.evaluate("probe.unseen")


def _steps(page: Page, seed: int) -> Iterator[None]:
    """After each key. Every step to the left is taken back by the next one."""
    draw = Random(seed)
    for code in cycle(("ArrowLeft", "ArrowRight")):
        page.keyboard.down(code)
        time.sleep(DOWN_SECONDS)
        page.keyboard.up(code)
        time.sleep(draw.uniform(*GAP_SECONDS))
        yield


def _frame_rows(name: str, frames: list[float], seed: int) -> Iterator[Row]:
    lasted = np.diff(frames)
    n = len(lasted)
    mean = 1000 * n / (frames[-1] - frames[0])
    yield Row(f"{name}: frames per second", mean, "/s", n=n, seed=seed, reference=60.0)
    yield Row(f"{name}: 99th percentile of a frame", float(np.quantile(lasted, 0.99)), "ms", n=n, seed=seed)


@contextmanager
def _bot(host: str, seed: int) -> Generator[list[float]]:
    """A bot that plays at full speed for another visitor. Yields when its pieces locked, by perf_counter."""
    pieces: list[float] = []
    with talk(host, "/ws/arcade") as socket:

        def send(**request: Any) -> None:
            socket.send(json.dumps(request))

        def listen() -> None:
            try:
                for message in socket:
                    event = json.loads(message)
                    if "placed" in event.get("seen", {}) and event["type"] == "frame":
                        pieces.append(time.perf_counter())
            except ConnectionClosed:
                pass  # the studio went first

        send(type="start", mode="zen", dice=seed)
        send(type="speed", times=None)
        send(type="bot", style="attack")
        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        end = time.monotonic() + READY_SECONDS
        while not pieces:
            if time.monotonic() >= end or not thread.is_alive():
                raise WinnableError(f"arcade: the bot has not played within {READY_SECONDS:g} s")
            time.sleep(0.05)
        yield pieces
    thread.join()
