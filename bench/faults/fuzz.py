"""Fuzzing everything that is read: for each target inputs, tracebacks, slow ones, and how memory grows.

Blocks of inputs run on worker processes. What they found is kept in the data folder after each block, so that
the next run goes on from there: the counts, inputs that were answered as none before (they are changed
further), and each input that failed, with its traceback, which is tried again at the end of each run.
"""

from __future__ import annotations

import faulthandler
import hashlib
import logging
import os
import resource
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from bench.faults.fuzz_examine import Overdue
from bench.report import CheckFailed, Row
from winnable.contract.abilities import Solves
from winnable.contract.core import WinnableError
from winnable.contract.registry import GAMES, load_game
from winnable.levels.files import shipped_levels, write_file
from winnable.search import memory
from winnable.store.database import data_folder
from winnable.workers.engines import Processes
from winnable.workers.executor import Evaluator, TaskKillsWorker

if TYPE_CHECKING:
    from bench.faults.fuzz_targets import Target, Told

SECONDS = 60.0
BLOCK_SECONDS = 4.0
"""So long Ctrl-C may wait. A block takes it or less: its inputs are counted, not planned."""
SLOW_SECONDS = 1.0
"""Of a processor, twice in a row: the first time something may have been compiled or made."""
STUCK_SECONDS = 120
"""A block that takes so long dies, with where it was on stderr."""
KEPT = 400
"""Inputs that were answered as none before, for each target."""
WARM = 40
"""Inputs of each target, valid ones and others, that a process reads before its memory is measured."""
MAX_GROWTH = 100.0
"""MiB"""
KINDS = {"traceback": "tracebacks", "slow": "over 1 s of a processor", "overdue": "no answer in 100 s"}
BEFORE = {"traceback": 4, "slow": 48}
"""In 115,716 inputs, of an earlier version."""


class Failure(Struct, frozen=True):
    """kind: one of KINDS; said: what was raised, or how long it took."""

    kind: str
    content: bytes
    said: str


class Block(Struct, frozen=True):
    """What a block of inputs came to.

    news:   an input for each answer
    growth: of the process, in MiB, since it was warm, with nobody who plays
    peak:   the same of what it held for a moment
    """

    inputs: int
    accepted: int
    seconds: float
    growth: float
    peak: float
    process: int
    news: dict[str, bytes]
    failures: list[Failure]


class Tally(Struct):
    """Of a target. failed: how often each kind was found."""

    inputs: int = 0
    accepted: int = 0
    blocks: int = 0
    seconds: float = 0.0
    failed: dict[str, int] = {}


class Kept(Struct):
    """What all runs with one seed came to."""

    tallies: dict[str, Tally] = {}
    held: float = 0.0
    peak: float = 0.0
    held_after: dict[int, list[int]] = {}
    """By process: after each block, in whole MiB."""
    news: dict[str, dict[str, bytes]] = {}


def rows(
    *,
    targets: str | None = None,
    seconds: float = SECONDS,
    workers: int | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """Goes on for `seconds`. targets: names, with commas; None: all. Raises CheckFailed."""
    from bench.faults.fuzz_all import all_targets

    known = all_targets()
    chosen = _chosen(known, targets)
    path = folder() / f"{seed}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = _load(path)
    failed_before = {kind: _failed(kept, kind) for kind in KINDS}
    end = time.monotonic() + seconds
    try:
        with Evaluator(Processes(workers or _processors())) as evaluator:
            while time.monotonic() < end or evaluator.outstanding:
                while evaluator.free and time.monotonic() < end:
                    _submit(evaluator, kept, chosen, seed)
                try:
                    (name, _), block = next(evaluator)
                except TaskKillsWorker as error:
                    block = Block(0, 0, 0.0, 0.0, 0.0, 0, {}, [Failure("traceback", b"", str(error))])
                    name = error.task[0]
                except StopIteration:
                    break
                _add(kept, name, block)
                write_file(path, msgspec.json.encode(kept))
                if progress is not None:
                    done = sum(tally.inputs for tally in kept.tallies.values())
                    progress(done, max(done, 2_000_000))
    except KeyboardInterrupt:
        pass
    failing = _failing(known)
    yield from _rows(kept, failing)
    new = {kind: _failed(kept, kind) - failed_before[kind] for kind in KINDS}
    if failing or new["traceback"] or new["slow"]:
        raise CheckFailed(f"inputs that failed are kept in {folder()}")
    if kept.held > MAX_GROWTH:
        raise CheckFailed(f"a process grew by {kept.held:.0f} MiB")


def folder() -> Path:
    return data_folder() / "fuzz"


def _chosen(known: Mapping[str, Target], names: str | None) -> dict[str, Target]:
    if names is None:
        return dict(known)
    if unknown := set(names.split(",")) - known.keys():
        raise WinnableError(f"targets: {sorted(unknown)[0][:40]!r} is none of {', '.join(known)}")
    return {name: known[name] for name in names.split(",")}


def _processors() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _load(path: Path) -> Kept:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Kept)
    except FileNotFoundError:
        return Kept()
    except (OSError, msgspec.MsgspecError) as error:
        raise WinnableError(f"{path}: {error}") from None


def _submit(evaluator: Evaluator, kept: Kept, chosen: Mapping[str, Target], seed: int) -> None:
    """A block of the target that lags behind its share."""
    for name in chosen:
        kept.tallies.setdefault(name, Tally())
    name = min(chosen, key=lambda name: (kept.tallies[name].inputs + 1) / chosen[name].share)
    tally = kept.tallies[name]
    evaluator.submit((name, tally.blocks), run_block, name, seed, tally.blocks, _some(kept, name, seed))
    tally.blocks += 1
    tally.inputs += 1  # while it runs, so that another target has its turn; taken off when the block is added


def _some(kept: Kept, name: str, seed: int) -> list[bytes]:
    news = list(kept.news.get(name, {}).values())
    return Random(f"{seed}:{name}:{kept.tallies[name].blocks}").sample(news, min(len(news), 30))


def _add(kept: Kept, name: str, block: Block) -> None:
    tally = kept.tallies[name]
    tally.inputs += block.inputs - 1
    tally.accepted += block.accepted
    tally.seconds += block.seconds
    kept.held, kept.peak = max(kept.held, block.growth), max(kept.peak, block.peak)
    kept.held_after.setdefault(block.process, []).append(round(block.growth))
    news = kept.news.setdefault(name, {})
    for said, content in block.news.items():
        if said not in news and len(news) < KEPT and len(content) < 20_000:
            news[said] = content
    for failure in block.failures:
        tally.failed[failure.kind] = tally.failed.get(failure.kind, 0) + 1
        path = folder() / failure.kind / name / hashlib.sha256(failure.content).hexdigest()[:16]
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, failure.content)
        write_file(path.with_suffix(".txt"), failure.said.encode(errors="replace"))


def _failing(known: Mapping[str, Target]) -> int:
    """How many of the inputs that ever failed do so again."""
    paths = [path for path in folder().glob("*/*/*") if not path.suffix and path.parent.name in known]
    return sum(attempt(known[path.parent.name], path.read_bytes())[0] is not None for path in paths)


# -- in a worker -------------------------------------------------------------------------------------------


def run_block(name: str, seed: int, number: int, news: Sequence[bytes]) -> Block:
    """One block of a target's inputs."""
    from bench.faults.fuzz_all import all_targets

    before = _prepared()
    target = all_targets()[name]
    faulthandler.dump_traceback_later(STUCK_SECONDS, exit=True)
    try:
        found = read_some(target, Random(f"{seed}:{name}:{number}"), news, BLOCK_SECONDS)
    finally:
        faulthandler.cancel_dump_traceback_later()
    return msgspec.structs.replace(found, growth=_holds() - before, peak=_peak() - before)


@cache
def _prepared() -> float:
    """Loads what is needed once; MiB that the process holds then."""
    from bench.faults.fuzz_all import all_targets

    memory.share_one_heap()
    logging.getLogger("winnable").propagate = False
    for name in GAMES:
        game = load_game(name)
        game.warm()
        if not isinstance(game, Solves):  # its player has a network to load
            _, level = next(shipped_levels(game))
            game.players[game.default_player(level)](game.puzzle(level), 0)
    for name, target in all_targets().items():
        for content in target.parents()[:WARM]:
            attempt(target, content)
        read_some(target, Random(f"warm:{name}"), (), BLOCK_SECONDS, WARM)
    return _holds()


def read_some(
    target: Target, rng: Random, news: Sequence[bytes], seconds: float, most: int = sys.maxsize
) -> Block:
    """Until the time is over, or `most` inputs are read. Memory is not measured."""
    parents = [*target.parents(), *news]
    inputs = accepted = 0
    answers: dict[str, bytes] = {}
    failures: list[Failure] = []
    began, processor = time.monotonic(), time.process_time()
    while time.monotonic() - began < seconds and inputs < most:
        content = target.make(rng, parents)
        failure, told = attempt(target, content)
        if failure is not None:
            failures.append(failure)
        inputs += told.inputs
        accepted += told.accepted
        answers.setdefault(told.said, content)
    spent = time.process_time() - processor
    return Block(inputs, accepted, spent, 0.0, 0.0, os.getpid(), answers, failures)


def attempt(target: Target, content: bytes) -> tuple[Failure | None, Told]:
    """Reads one input."""
    from bench.faults.fuzz_targets import Told

    told, took = Told(""), list[float]()
    while not took or (took[-1] > SLOW_SECONDS and len(took) < 2):
        began = time.process_time()
        try:
            told = target.read(content)
        except Overdue as error:
            spent = time.process_time() - began
            return Failure("overdue", content, f"{error}, {spent:.2f} s of a processor"), Told("overdue")
        except Exception:
            return Failure("traceback", content, traceback.format_exc()), Told("traceback")
        took.append(time.process_time() - began)
    slow = Failure("slow", content, f"{took[-1]:.2f} s") if took[-1] > SLOW_SECONDS else None
    return slow, told


def _holds() -> float:
    """MiB of this process when nobody plays, as in the studio; where the system does not say, the most that
    it ever held."""
    memory.give_back(*GAMES)
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    except (OSError, ValueError):
        return _peak()
    return pages * resource.getpagesize() / 2**20


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


# -- figures -----------------------------------------------------------------------------------------------


def _rows(kept: Kept, failing: int) -> Iterator[Row]:
    total = sum(tally.inputs for tally in kept.tallies.values())
    yield Row("inputs", total, reference=115_716)
    for name, tally in kept.tallies.items():
        if tally.inputs:
            yield Row(f"{name}: share of them", tally.inputs / total, n=tally.inputs)
            yield Row(f"{name}: accepted", tally.accepted / tally.inputs, n=tally.inputs)
            yield Row(f"{name}: processor", 1000 * tally.seconds / tally.inputs, "ms each", n=tally.inputs)
    for kind, about in KINDS.items():
        yield Row(about, _failed(kept, kind), n=total, reference=BEFORE.get(kind))
    yield Row("of all inputs that ever failed, failing now", failing, n=total)
    yield Row("memory that stays, of a process", kept.held, "MiB", n=total)
    yield Row("memory at most, of a process", kept.peak, "MiB", n=total)


def _failed(kept: Kept, kind: str) -> int:
    return sum(tally.failed.get(kind, 0) for tally in kept.tallies.values())
