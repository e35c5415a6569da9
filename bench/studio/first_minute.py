"""The first minute as a new user has it: how soon after the board its lamp speaks, and all of it.

The page is in a headless Chromium that is running already, the studio in a process of its own, started on a
home folder that is empty (cold: nothing is compiled, and each level has a new one), on one in which `winnable
warm` was (warm), or on an empty one that is shown the kernels of another one (kernels came along). Times are
counted in the page: from the frame in which the board is there to the frame that shows the first verdict, or
in a game that nobody wins the first outlook, and to the one from which on nothing is compiled or searched.

The figures are of an otherwise idle machine. How fast that is, a loop of plain Python beside them says.
Screenshots for a film take a part of the processor, too.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import Struct

from bench.report import Row
from bench.studio.browser import open_page, wait_for
from bench.studio.process import python_command, python_environment, studio_process
from winnable.contract.registry import GAMES

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEVELS = ("#1", "daily")
FIRST_SECONDS, WARM_UP_SECONDS = 1.5, 25.0
"""What we promise of the first lamp on two idle cores, and of `winnable warm`."""
ALL_SECONDS = {"cold": 8.0, "warm": 1.0, "kernels came along": 2.0}
QUIET_SECONDS, MOST_SECONDS, POLL_SECONDS, FILM_SECONDS = 1.5, 180.0, 0.1, 1.0
LOOPS = 10_000_000

_PROBE = """
localStorage.setItem("winnable.language", "LANGUAGE");
window.probe = { board: null, seen: [], now: () => performance.timeOrigin + performance.now() };
let lamp = null;
const outlook = () => lamp?.outlook && (lamp.outlook.score !== null || Boolean(lamp.outlook.values?.length));
const look = () => {
  const box = document.getElementById("lamp"), stage = document.getElementById("stage");
  const drawn = document.body?.dataset.view === "game" && stage?.firstChild;
  if (drawn) probe.board ??= probe.now();
  if (probe.board !== null) {
    const words = document.getElementById("lamp-verdict").textContent;
    const detail = document.getElementById("lamp-detail").textContent;
    const shown = {
      words, detail,
      tells: ["winnable", "lost"].includes(box.dataset.verdict) || Boolean(outlook()),
      compiles: box.dataset.compiling === "true",
      says_searching: /searching|looking ahead|搜索中|正在预测/i.test(words + detail),
      searches: lamp === null || lamp.searching,
    };
    const { at, ...before } = probe.seen.at(-1) ?? {};
    const differs = JSON.stringify(before) !== JSON.stringify(shown);
    if (differs) probe.seen.push({ ...shown, at: (probe.now() - probe.board) / 1000 });
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  constructor(...wanted) {
    super(...wanted);
    this.addEventListener("message", ({ data }) => {
      const event = typeof data === "string" ? JSON.parse(data) : {};
      if (event.type === "lamp") lamp = event;
    });
  }
};
"""


class Seen(Struct, frozen=True):
    """What the lamp shows from a moment on, `at` seconds after the board. tells: a verdict or an outlook.
    compiles, says_searching: as the page shows it; searches: as the studio has it, which goes on after a
    verdict."""

    at: float
    words: str
    detail: str
    tells: bool
    compiles: bool
    says_searching: bool
    searches: bool


class Figures(NamedTuple):
    """Seconds after the board; None: never"""

    first: float | None
    whole: float | None
    compiled: bool
    searching_for_compiling: int


def figures(seen: Sequence[Seen]) -> Figures:
    """What a lamp's states say. The whole is there from when on it neither compiles nor searches, to the end
    of what was seen."""
    first = next((state.at for state in seen if state.tells), None)
    whole = None
    for before, state in pairwise([None, *seen]):
        assert state is not None
        if not _settled(state):
            whole = None
        elif before is None or not _settled(before):
            whole = state.at
    wrong = sum(state.compiles and state.says_searching for state in seen)
    return Figures(first, whole, any(state.compiles for state in seen), wrong)


def _settled(state: Seen) -> bool:
    return state.tells and not state.compiles and not state.searches


def rows(
    games: int = 1,
    targets: str | None = None,
    film: str | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """games: levels of each game, the default one and today's. targets: only these games. film: a folder for
    screenshots, one each second. Raises WinnableError."""
    names = targets.split(",") if targets else list(GAMES)
    levels = [f"{name}:{rest}" for name in names for rest in LEVELS[:games]]
    done, total = 0, len(levels) * len(ALL_SECONDS)
    yield Row(f"machine: {LOOPS:,} loops of plain Python", loop_seconds(), "s")

    def watched(level: str, start: str, home: str, cache: str = "") -> Iterator[Row]:
        nonlocal done
        if progress is not None:
            progress(done, total)
        done += 1
        folder = Path(film, f"{level.replace(':', '-').replace('#', '')}-{start}") if film else None
        took, seen = watch(level, home, cache, folder)
        yield from _rows(f"{level}, {start}", start, took, figures(seen), seed)

    for level in levels:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            yield from watched(level, "cold", home)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        began = time.monotonic()
        subprocess.run(
            python_command("winnable", "warm"),
            env={**python_environment(), **_environment(home, "")}, check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        yield Row("winnable warm", time.monotonic() - began, "s", reference=WARM_UP_SECONDS)
        kernels = next(Path(home).rglob("kernels"))
        for level in levels:
            yield from watched(level, "warm", home)
        for level in levels:
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as fresh:
                cache = Path(fresh, "came-along")
                shutil.copytree(kernels, cache / "kernels")
                cache.chmod(0o700)
                yield from watched(level, "kernels came along", fresh, str(cache))
    if progress is not None:
        progress(total, total)


def _rows(name: str, start: str, board: float, found: Figures, seed: int) -> Iterator[Row]:
    never = MOST_SECONDS
    yield Row(f"{name}: board after start", board, "s", seed=seed)
    first = never if found.first is None else found.first
    yield Row(f"{name}: first lamp", first, "s", seed=seed, reference=FIRST_SECONDS)
    whole = never if found.whole is None else found.whole
    yield Row(f"{name}: all of it", whole, "s", seed=seed, reference=ALL_SECONDS[start])
    yield Row(f"{name}: compiling was shown", found.compiled, seed=seed)
    yield Row(f"{name}: searching for compiling", found.searching_for_compiling, seed=seed, reference=0)


def loop_seconds() -> float:
    """Of a fixed loop, to set machines side by side."""
    began, total = time.perf_counter(), 0
    for number in range(LOOPS):
        total += number & 3
    return time.perf_counter() - began


def watch(
    level: str,
    home: str,
    cache: str = "",
    film: Path | None = None,
    language: str = "en",
    size: tuple[int, int] = (1280, 800),
) -> tuple[float, list[Seen]]:
    """Opens the level in a studio that has only this home; the seconds from its start to the board, and what
    the lamp showed. film: a folder for screenshots. Raises WinnableError when there is no board."""
    with open_page(*size) as page:
        began = time.time()
        with studio_process(**_environment(home, cache)) as host:
            page.add_init_script(_PROBE.replace("LANGUAGE", language))
            page.goto(f"http://{host}/#{level}")
            wait_for(page, "window.probe?.board", 60.0)
            seen = _watched(page, film)
            return page.evaluate("probe.board") / 1000 - began, seen


def _watched(page: Page, film: Path | None) -> list[Seen]:
    """Until nothing has been done for a while."""
    if film is not None:
        film.mkdir(parents=True, exist_ok=True)
    began, pictures = time.monotonic(), 0
    while True:
        now = time.monotonic() - began
        if film is not None and now >= pictures * FILM_SECONDS:
            page.screenshot(path=film / f"{pictures:03d}.png")
            pictures += 1
        told = page.evaluate("({ now: (probe.now() - probe.board) / 1000, seen: probe.seen })")
        seen = msgspec.convert(told["seen"], list[Seen])
        whole = figures(seen).whole
        if (whole is not None and told["now"] > whole + QUIET_SECONDS) or now > MOST_SECONDS:
            return seen
        time.sleep(POLL_SECONDS)


def _environment(home: str, cache: str) -> dict[str, str]:
    """Of a program that has only this home."""
    own = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA"), home)
    return {**own, "XDG_CACHE_HOME": "", "XDG_DATA_HOME": "", "WINNABLE_DATA": "", "WINNABLE_CACHE": cache}
