"""What a level designer waits for: sets made and judged in the studio, and verdicts while one draws."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
from websockets.sync.client import ClientConnection

from bench.report import CheckFailed, Row
from bench.studio.process import studio_process, talk
from winnable.contract.core import finish, searching
from winnable.contract.registry import load_game
from winnable.levels.identity import parse_params

SETS: dict[str, tuple[str, list[dict[str, Any]], float]] = {
    "drops, 5 x 5": ("drops", [{"rows": 5, "columns": 5}], 60.0),
    "triple, layouts": ("triple", [{"layout": name} for name in ("pagoda", "windmill", "butterfly")], 600.0),
}
"""name -> game, parameters of equal parts, and the goal in seconds for 1,000 levels."""
DRAWN = "layers=6,sets=4,kinds=5,side=4"
EDITS, EDIT_MS = 60, 300.0
"""Verdicts on a drawing of 60 tiles, and within which time they are to come."""


def rows(
    games: int = 1000, seed: int = 1, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """games: levels of each set. Raises CheckFailed where one of them is no level that can be won."""
    with studio_process() as host, talk(host) as page:
        for done, (name, (game, parts, goal)) in enumerate(SETS.items()):
            if progress is not None:
                progress(done, len(SETS) + 1)
            first, seconds = _made(page, game, parts, games, seed)
            yield Row(f"{name}: the first row", first, "s", seed=seed)
            told = goal * games / 1000
            yield Row(f"{name}: made and judged", seconds, "s", n=games, seed=seed, reference=told)
        times = _drawn(page, seed)
        within = sum(one <= EDIT_MS for one in times) / len(times)
        yield Row("a verdict on a drawing: median", float(np.median(times)), "ms", n=len(times), seed=seed)
        yield Row(f"a verdict on a drawing: within {EDIT_MS:.0f} ms", within, n=len(times), reference=0.95)


def _made(
    page: ClientConnection, game: str, parts: list[dict[str, Any]], levels: int, seed: int
) -> tuple[float, float]:
    """Seconds until the first row, and until all are there."""
    _send(page, "set_new", title=game)
    while (told := _next(page, "set"))["order"]:
        pass  # of the set before
    id = told["set"]["id"]
    began, first, come = time.perf_counter(), 0.0, 0
    for place, params in enumerate(parts):
        count = levels * (place + 1) // len(parts) - levels * place // len(parts)
        if not count:
            continue
        _send(page, "set_make", set=id, game=game, params=params, count=count, seed=seed)
        while (told := _next(page, "set_rows", "set_work"))["type"] == "set_rows" or told[
            "stage"
        ] == "working":
            if told["type"] == "set_rows":
                first = first or time.perf_counter() - began
                come += len(told["rows"])
                if wrong := [row for row in told["rows"] if row["look"]["verdict"] != "solved"]:
                    raise CheckFailed(f"{game}: level {wrong[0]['number']} is {wrong[0]['look']['verdict']}")
    if come < levels * 0.9:
        raise CheckFailed(f"{game}: {come} of {levels} levels came")
    return first, time.perf_counter() - began


def _drawn(page: ClientConnection, seed: int) -> list[float]:
    """Milliseconds until the verdict on a drawing is known, after each swap of two tiles."""
    game, chance = load_game("triple"), Random(seed)
    level: Any = finish(searching(game.generate(parse_params(game, DRAWN), seed)))
    kinds, times = list(level.kinds), list[float]()
    for ticket in range(EDITS):
        one, other = chance.sample(range(len(kinds)), 2)
        kinds[one], kinds[other] = kinds[other], kinds[one]
        text = game.format_board(level.with_kinds(kinds))
        began = time.perf_counter()
        _send(page, "judge", game="triple", level=text, ticket=ticket)
        while (told := _next(page, "judged"))["ticket"] != ticket or told["status"] == "budget":
            if told["ticket"] == ticket and told["done"]:
                break
        times.append((time.perf_counter() - began) * 1000)
    return times


def _send(page: ClientConnection, type: str, **fields: Any) -> None:
    page.send(json.dumps({"type": type, **fields}))


def _next(page: ClientConnection, *types: str) -> dict[str, Any]:
    """Raises CheckFailed for a refusal."""
    while True:
        event = json.loads(page.recv())
        if event["type"] == "error":
            raise CheckFailed(event["message"])
        if event["type"] in types:
            return event
