"""How smoothly a block of rotate turns on the studio's page, from small boards to the largest.

The page is in a headless Chromium without a graphics processor, the studio in a process of its own, both on
this machine; the lamp searches meanwhile, as it does when somebody plays. Frames: the times that the
browser's frame clock gives while the block turns. Drawing: what the page's own code takes of each frame. The
first frame: from the time stamp of the key to the frame in which the block begins to turn; the turn has been
to the server and back by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from bench.report import Row
from bench.studio.browser import open_page, wait_for
from bench.studio.process import studio_process

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOARDS = ((10, 4, (4, 10)), (26, 26, (4, 26)), (64, 26, (4, 32, 64)))
"""Cells on a side, colours, and the sides of the blocks that turn."""
FRAME_MS = 1000 / 60
TURN_SECONDS = 60.0

_PROBE = """
localStorage.setItem("winnable.motion", "on");
const plain = requestAnimationFrame.bind(window);
window.probe = { turns: [], asked: 0 };
let going = false;
const turning = () => document.querySelector(".rotate.turning") !== null;
window.requestAnimationFrame = (callback) => plain((now) => {
  const before = turning(), began = performance.now();
  if (before && !going) probe.turns.push({ first: now - probe.asked, frames: [], drawing: [] });
  going = before;
  if (before) probe.turns.at(-1).frames.push(now);
  callback(now);
  if (before) probe.turns.at(-1).drawing.push(performance.now() - began);
  going = turning();
});
addEventListener("keydown", (event) => (probe.asked = event.timeStamp), { capture: true });
"""


def rows(games: int = 20, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """`games` turns by 90 degrees of each block, times in milliseconds. The references are what is meant: 60
    frames a second. Raises WinnableError."""
    done, total = 0, sum(len(sides) for _, _, sides in BOARDS)
    with studio_process() as host:
        for side, colours, blocks in BOARDS:
            with open_page(1280, 900) as page:
                level = f"rotate:rows={side},columns={side},colours={colours},scramble=1000#{seed}"
                page.add_init_script(_PROBE)
                page.goto(f"http://{host}/#{level}")
                wait_for(page, "document.querySelector('.rotate-frame.chosen')")
                for block in blocks:
                    if progress is not None:
                        progress(done, total)
                    done += 1
                    yield from _turned(page, f"{side} × {side}, block of {block}", block, games, seed)
    if progress is not None:
        progress(total, total)


def _turned(page: Page, name: str, side: int, turns: int, seed: int) -> Iterator[Row]:
    chosen = "Number(document.querySelector('.rotate-frame.chosen').dataset.side)"
    while page.evaluate(chosen) < side:
        page.evaluate("document.querySelector('[data-testid=rotate-larger]').click()")
    page.evaluate("document.querySelector('.rotate-board').focus(), probe.turns = []")
    for turn in range(1, turns + 1):
        page.keyboard.press("Enter")
        landed = "!document.querySelector('.rotate.turning')"
        wait_for(page, f"probe.turns.length === {turn} && {landed}", TURN_SECONDS)
    measured = page.evaluate("probe.turns")
    lasted = np.concatenate([np.diff(turn["frames"]) for turn in measured])
    drawing = np.concatenate([turn["drawing"] for turn in measured])
    first = [turn["first"] for turn in measured]
    rate = 1000 / float(np.mean(lasted))
    yield Row(f"{name}: frames per second", rate, "/s", n=len(lasted), seed=seed, reference=60.0)
    worst = float(np.quantile(lasted, 0.95))
    yield Row(
        f"{name}: 95th percentile of a frame", worst, "ms", n=len(lasted), seed=seed, reference=FRAME_MS
    )
    yield Row(
        f"{name}: drawing of a frame, median", float(np.median(drawing)), "ms", n=len(drawing), seed=seed
    )
    yield Row(f"{name}: first frame, median", float(np.median(first)), "ms", n=len(first), seed=seed)
