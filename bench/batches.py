"""Batches: what workers gain, and whether anything is lost, doubled or different on them, in parts, or after
whatever kills them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.report import CheckFailed, Row, mean_row
from winnable.batches.checking import Check
from winnable.batches.files import Shard
from winnable.batches.making import Order
from winnable.batches.running import Row as Answered
from winnable.batches.running import rows as answers
from winnable.contract.core import Budget, finish
from winnable.contract.methods import Wanted
from winnable.contract.registry import load_game
from winnable.levels.checking import Checking
from winnable.levels.identity import parse_params
from winnable.levels.making import Criteria
from winnable.tuning.loop import GenerationEvent, State, tune
from winnable.tuning.optimizers import make_optimizer
from winnable.tuning.runs import chosen_optimizer, find_tunable
from winnable.tuning.tuner import allowed_steps
from winnable.workers.engines import Engine, InProcess, make_engine
from winnable.workers.executor import Evaluator

GAIN, WORKERS, PARTS = 1.8, 2, 4
QUICK = ("drops", "rows=4,columns=4,slack=0")
"""Levels of some 5 ms, for what is equal."""
SLOW = ("triple", "layers=40,sets=40,side=8")
"""Levels of some tenths of a second, for what is timed."""
COMMON = ("triple", "")
"""As large as the article's."""
GENERATION = 20
"""Genomes, of the article."""
LATEST_KILL = 0.75
"""Seconds after the first new row."""
SLOW_SHARE, KILL_SHARE = 5, 10
"""For each so many levels one slow one, and one kill."""


def rows(
    games: int = 1000, seed: int = 1, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """games: levels that are compared. Raises CheckFailed where any row is lost, doubled or another one."""
    steps = [_costs, _equal, _timed, _on_cluster, _killed]
    for done, step in enumerate(steps):
        if progress is not None:
            progress(done, len(steps))
        for row in step(games, seed):
            yield row
            if row.unit == "" and row.reference is not None and row.value != row.reference:
                raise CheckFailed(f"{row.name}: {row.value:g}, not {row.reference:g}")
    if progress is not None:
        progress(len(steps), len(steps))


def _costs(games: int, seed: int) -> Iterator[Row]:
    """What a plan for more machines is made of."""
    count = max(2, games // SLOW_SHARE)
    levels = list[bytes | None]()
    for kind in (QUICK, SLOW, COMMON):
        _made(_order(kind, 1, seed), range(1), InProcess())  # kernels are there
        began = time.perf_counter()
        levels = _made(_order(kind, count, seed), range(count), InProcess())
        each = 1000 * (time.perf_counter() - began) / count
        name = f"a certified level of {' '.join(kind)}".strip()
        yield Row(f"{name}, one core", each, "ms", n=count, seed=seed)
    how = Checking(solve=True, seconds=60)
    lamps = [Check.of(str(place), level, how) for place, level in enumerate(levels) if level is not None]
    began = time.perf_counter()
    sure = sum(
        row.answer.checked.verdict != "budget"
        for row in answers(lamps, make_engine(WORKERS), Budget())
        if isinstance(row, Answered)
    )
    seconds = (time.perf_counter() - began) * 1000 / len(lamps)
    yield Row(f"1,000 lamps on such levels, {WORKERS} workers", seconds, "s", n=len(lamps), seed=seed)
    yield Row("lamps that know", sure, n=len(lamps), seed=seed, reference=len(lamps))
    yield _tuned(max(2, games // GENERATION), seed)


def _tuned(generations: int, seed: int) -> Row:
    """How long the article's search takes for a generation of its own size, four games for each genome."""
    tunable, laps = find_tunable("tetris", "article-mean"), list[float]()
    method = chosen_optimizer(Wanted("de", {"size": GENERATION})).method
    evaluations = GENERATION * generations
    optimizer = make_optimizer(method, tunable, seed, evaluations)

    def hear(event: GenerationEvent, state: State) -> None:
        laps.append(time.perf_counter())

    with Evaluator(make_engine(WORKERS)) as evaluator:
        steps = allowed_steps(tunable)
        asked: dict[str, Any] = {"seed": seed, "evaluations": evaluations, "steps": steps, "on_event": hear}
        finish(tune(tunable, optimizer, executor=evaluator, **asked))
    seconds = [after - before for before, after in pairwise(laps)]
    return mean_row(f"a generation of {GENERATION}, tetris, {WORKERS} workers", seconds, "s", seed=seed)


def _order(kind: tuple[str, str], count: int, seed: int) -> Order:
    game = load_game(kind[0])
    return Order(game, parse_params(game, kind[1]), Criteria(count, certify=True), seed, seconds=60)


def _made(order: Order, numbers: range, engine: Engine) -> list[bytes | None]:
    found = answers([*map(order.request, numbers)], engine, Budget(), order.again)
    return [row.answer.content for row in found if isinstance(row, Answered)]


def _equal(games: int, seed: int) -> Iterator[Row]:
    whole = _made(_order(QUICK, games, seed), range(games), InProcess())
    parts = [
        level
        for part in range(1, PARTS + 1)
        for level in _made(_order(QUICK, games, seed), Shard(part, PARTS).of(games), make_engine(WORKERS))
    ]
    same = sum(a == b for a, b in zip(whole, parts, strict=False))
    yield Row(f"levels in {PARTS} shards as in the whole", same, n=games, seed=seed, reference=games)


def _timed(games: int, seed: int) -> Iterator[Row]:
    count = max(2, games // SLOW_SHARE)
    order = _order(SLOW, count, seed)
    _made(order, range(1), InProcess())  # kernels are there
    found, rates = list[list[bytes | None]](), list[float]()
    for workers in (1, WORKERS):
        began = time.perf_counter()
        found.append(_made(order, range(count), make_engine(workers)))
        rates.append(count / (time.perf_counter() - began))
        yield Row(
            f"certified levels with {workers} of {os.cpu_count()} cores", rates[-1], "/s", n=count, seed=seed
        )
    yield Row(f"{WORKERS} workers against one", rates[1] / rates[0], "x", n=count, seed=seed, reference=GAIN)
    same = sum(a == b for a, b in zip(*found, strict=True))
    yield Row("levels that are the same on both", same, n=count, seed=seed, reference=count)


@contextmanager
def _cluster(workers: int) -> Generator[tuple[str, Any]]:
    """Its address and itself: a scheduler here, workers in processes of their own."""
    distributed: Any = import_module("distributed")
    options = {"threads_per_worker": 1, "processes": True, "host": "127.0.0.1", "dashboard_address": None}
    with distributed.LocalCluster(n_workers=workers, **options) as cluster:
        yield cluster.scheduler_address.replace("tcp", "dask"), cluster


def _on_cluster(games: int, seed: int) -> Iterator[Row]:
    """With three workers, one of which is killed when a tenth of the rows is there."""
    order = _order(QUICK, games, seed)
    whole = _made(order, range(games), InProcess())
    with _cluster(3) as (address, cluster):
        began, found = time.perf_counter(), list[bytes | None]()
        engine = make_engine(executor=address)
        for row in answers([*map(order.request, range(games))], engine, Budget(), order.again):
            if isinstance(row, Answered):
                found.append(row.answer.content)
                if len(found) == games // 10:
                    worker = next(iter(cluster.workers.values()))
                    os.kill(worker.process.process.pid, signal.SIGKILL)
        rate = games / (time.perf_counter() - began)
    yield Row("a Dask cluster of 3 workers, one of them killed", rate, "/s", n=games, seed=seed)
    same = sum(a == b for a, b in zip(whole, found, strict=False))
    yield Row("levels of the cluster as in one process", same, n=games, seed=seed, reference=games)


def _killed(games: int, seed: int) -> Iterator[Row]:
    """kill -9 of the command, again and again, at any time after it has written a row."""
    draw, kills = random.Random(seed), max(1, games // KILL_SHARE)
    with tempfile.TemporaryDirectory() as work:
        path = Path(work, "levels.jsonl")
        count = 150 * kills
        asked = [sys.executable, "-m", "winnable", "generate", QUICK[0], *QUICK[1].split(","), "--certify"]
        asked += ["--count", str(count), "--seed", str(seed), "--workers", "2", "--resume", str(path)]
        done = 0
        for _ in range(kills):
            before = _size(path)
            process = subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and _size(path) <= before:
                time.sleep(0.005)
            time.sleep(draw.random() * LATEST_KILL)
            process.kill()
            process.wait()
            done += 1
        subprocess.run(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        told = Counter(json.loads(line)["provenance"]["seed"] for line in path.read_bytes().splitlines())
        whole = _made(_order(QUICK, count, seed), range(count), InProcess())
        same = path.read_bytes() == b"".join(level + b"\n" for level in whole if level is not None)
    yield Row("rows after the kills as in one run", float(same), n=done, seed=seed, reference=1)
    yield Row("rows doubled", sum(told.values()) - len(told), n=done, seed=seed, reference=0)
    yield Row(
        "rows lost", sum(level is not None for level in whole) - len(told), n=done, seed=seed, reference=0
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
