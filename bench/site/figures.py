"""The figures of a site, each beside its goal. They are of an otherwise idle machine."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from bench.report import CheckFailed, Row
from bench.site import comparing, page, tuning
from bench.studio.browser import open_page
from winnable.contract.registry import GAMES
from winnable.site import writing

DOWNLOAD_MB, ENGINE_MB = 9.0, 0.1
STARTS = {"cold": 5.0, "warm": 2.5, "offline": 2.5}
LAMP = 1.0
"""Seconds."""
SLOWER = {"triple": 1.5, "drops": 1.5, "rotate": 1.5, "tetris": 1.5, "2048": 5.0}
"""A search on a site may take so many times as long."""
CLICK_MS, CLICKS, MEMORY_MB = 100.0, 60, 300
RUNS = 3
POSITIONS = 2000
"""Of each game, asked about on both sides."""
LONG = {"triple": 60_000, "drops": 60_000, "rotate": 100_000, "tetris": 20_000, "2048": 300}
"""Nodes of the searches that are timed; as in `comparing.NODES`."""
TIMED = 30
"""Positions that the longest searches are chosen from, LONGEST of them."""
LONGEST = 5
TUNED = 3000
"""Evaluations of the tuning run."""


def rows(
    games: int = POSITIONS,
    targets: str | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """games: positions of each game that are compared. targets: only these games, or a folder with a site
    that is there already, or both. Raises WinnableError, CheckFailed where the site says something else."""
    given = targets.split(",") if targets else []
    names = [one for one in given if one in GAMES] or list(GAMES)
    built = next((Path(one) for one in given if one not in GAMES), None)
    steps = 2 + 2 * len(names)

    def tell(done: int) -> None:
        if progress is not None:
            progress(done, steps)

    with tempfile.TemporaryDirectory() as work:
        folder = built or Path(work, "site")
        tell(0)
        if built is None:
            writing.write(folder, names)
        tell(1)
        yield from _of_page(folder, names)
        if "tetris" in names:
            yield from _tuned(folder)
        for done, name in enumerate(names):
            tell(2 + 2 * done)
            yield from _speed(folder, name, seed)
            tell(3 + 2 * done)
            yield from _answers(folder, name, games, seed)
    tell(steps)


def _of_page(folder: Path, names: Sequence[str]) -> Iterator[Row]:
    level, boards = page.LEVELS[names[0]], {start: list[float]() for start in STARTS}
    with page.hosted(folder) as host, open_page(1280, 800) as first:
        browser = first.context.browser
        assert browser is not None
        with browser.new_context(service_workers="block") as profile:
            page.opened(profile, host, level)
            fetched = {one for one in host.asked if not one.startswith("kernels/")}
            size = page.packed(folder, fetched) / 1e6
            yield Row("packed, to the first board", size, "MB", n=len(fetched), reference=DOWNLOAD_MB)
        for name in names:
            engine = {f"kernels/{name}.{kind}" for kind in ("so", "json")}
            yield Row(f"{name}: packed engine", page.packed(folder, engine) / 1e6, "MB", reference=ENGINE_MB)
        for _ in range(RUNS):
            with browser.new_context() as profile:
                for start in STARTS:
                    profile.set_offline(start == "offline")
                    shown = page.opened(profile, host, level)
                    boards[start].append(shown.board)
                    page.kept(shown.page)
                    shown.page.close()
        for start, goal in STARTS.items():
            yield Row(f"first board, {start}", float(np.median(boards[start])), "s", n=RUNS, reference=goal)
        if "drops" in names:
            yield from _clicks(page.clicked(browser, host, CLICKS))
    for name in names:
        yield from _lamp_and_memory(folder, name)


def _clicks(found: page.Clicks) -> Iterator[Row]:
    yield Row("the page, slower by the brake", found.page, "x", reference=page.SLOWER)
    yield Row("the worker, slower by the brake", found.worker, "x", reference=page.SLOWER)
    for share, said, goal in ((0.5, "median", None), (0.95, "95th percentile", CLICK_MS)):
        took, n = float(np.quantile(found.times, share)), len(found.times)
        yield Row(f"a phone's click while the lamp searches, {said}", took, "ms", n=n, reference=goal)


def _tuned(folder: Path) -> Iterator[Row]:
    """The article's run: one candidate after the other."""
    run = tuning.Run("tetris", "article-mean", "de", TUNED)
    native, site = comparing.tuned(folder, run)
    for told, where in ((native, "natively"), (site, "on the site")):
        rate = len(told.generations) / told.seconds
        yield Row(f"tetris: generations of a tuning run, {where}", rate, "/s", n=TUNED, seed=run.seed)
    same = sum(a == b for a, b in zip(native.generations, site.generations, strict=True))
    n = len(native.generations)
    yield Row("tetris: generations that are the same", same, n=n, seed=run.seed, reference=n)


def _lamp_and_memory(folder: Path, name: str) -> Iterator[Row]:
    """In a browser of its own, whose only tab it is."""
    with page.hosted(folder) as host, open_page(1280, 800) as first:
        browser = first.context.browser
        assert browser is not None
        shown = page.opened(first.context, host, page.LEVELS[name], first)
        yield Row(f"{name}: first lamp after the board", shown.lamp, "s", reference=LAMP)
        shown.page.wait_for_timeout(3000)
        yield Row(f"{name}: memory of the tab", page.memory(browser) / 2**20, "MiB", reference=MEMORY_MB)


def _speed(folder: Path, name: str, seed: int) -> Iterator[Row]:
    """Of the longest searches among some positions: natively, then on the site."""
    questions = [replace(one, nodes=LONG[name]) for one in comparing.drawn(name, TIMED, seed)]
    first = comparing.natively(questions)
    order = sorted(range(TIMED), key=lambda place: first[place].seconds)[-LONGEST:]
    longest = [questions[place] for place in order]
    # What is only done once, tables and all, is done before.
    whole = [replace(one, nodes=comparing.NODES[name]) for one in longest] + longest
    native, site = (
        side(whole)[LONGEST:] for side in (comparing.natively, partial(comparing.on_site, folder))
    )
    seconds = [sum(one.seconds for one in side) for side in (native, site)]
    same = sum(a.same == b.same for a, b in zip(native, site, strict=True))
    yield Row(f"{name}: searches, natively", seconds[0], "s", n=LONGEST, seed=seed)
    yield Row(
        f"{name}: so many times as long on the site",
        seconds[1] / seconds[0],
        "x",
        n=LONGEST,
        seed=seed,
        reference=SLOWER[name],
    )
    yield Row(f"{name}: the same answers", same, n=LONGEST, seed=seed, reference=LONGEST)


def _answers(folder: Path, name: str, positions: int, seed: int) -> Iterator[Row]:
    pairs = comparing.asked(folder, comparing.drawn(name, positions, seed))
    wrong = [pair for pair in pairs if pair.differs]
    lines = sum(pair.native.line != pair.site.line for pair in pairs)
    yield Row(f"{name}: positions that differ", len(wrong), n=len(pairs), seed=seed, reference=0)
    yield Row(f"{name}: lines that differ", lines, n=len(pairs), seed=seed)
    if wrong:
        raise CheckFailed(f"{wrong[0].question}: {wrong[0].native.same}, on the site {wrong[0].site.same}")
