"""Tuning runs: what one is, how it is kept, carried out, stopped and resumed.

A run is kept in the store from its first moment: its arguments, after each generation a checkpoint together
with what was learned (one transaction), at last the comparison with the weights in use today. Whatever ends
the process, the run goes on from its last generation, bit for bit as if nothing had happened: all chance
comes from the seed and the checkpoint. Only one writer at a time: who resumes a run takes it over, and the
writer before it stops at its next sign of life.
"""

from __future__ import annotations

import logging
import math
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from winnable import __version__
from winnable.contract.abilities import Tunes, tunables_of
from winnable.contract.core import WinnableError
from winnable.contract.methods import Chosen, Settable, Wanted, choose
from winnable.contract.registry import load_game
from winnable.contract.tunable import Tunable
from winnable.levels.files import decode
from winnable.stats.sequential import Decision
from winnable.store.database import Count, KeptRun, RunStatus, RunTaken, Store, StoreError
from winnable.tuning.curve import LARGEST, Curve, Point
from winnable.tuning.optimizers import MAX_EVALUATIONS, OPTIMIZERS, evaluations_of, make_optimizer

BEAT_SECONDS = 3.0
END_SECONDS = 5.0
"""So long the end of a run waits for a store that another program holds."""
SILENT_SECONDS = 12.0
"""A run that says it is running but has given no sign of life for so long is interrupted."""
ID_LENGTH = 12

log = logging.getLogger("winnable")


Whole: TypeAlias = Annotated[int, Meta(ge=-(2**53), le=2**53)]


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """What decides the genomes of a run, beside tunable and optimiser (where it is computed does not); and
    the tunable's weights, so that a run can be shown without its game."""

    evaluations: Annotated[int, Meta(ge=1, le=MAX_EVALUATIONS)]
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    genes: list[str]
    incumbent: list[float]
    steady: bool = False
    """A new genome is asked for as soon as one is judged, so that no worker waits for the slowest of a
    generation."""
    settings: dict[str, Whole | float | str] = {}
    """Of the optimiser; what is missing has its default."""
    held: dict[str, float] = {}
    """Weights that are not tuned, and the values at which they stay."""


class Generation(Struct, frozen=True):
    """What one generation taught: losses are those of its population, but `best` is the least of the run so
    far; a weight in `recommendation` and its standard deviation in `spread` for each gene; seconds of work
    and cost (the tunable's own steps) so far."""

    generation: Count
    evaluations: Count
    best: float
    low: float
    median: float
    high: float
    recommendation: list[float]
    spread: list[float]
    seconds: float
    cost: float
    steps: float
    """What an evaluation may take from then on."""


class Comparison(Struct, frozen=True):
    """The recommended weights against those in use today, on fresh seeds, by a sequential test.

    decision:   accept: better; reject: no better; undecided when so many pairs could not tell
    difference: mean loss of the tuned less that of the incumbent, below 0 when tuning helped; with its 95 %
                interval, right whenever the test stopped
    """

    decision: Decision
    difference: float
    ci_low: float
    ci_high: float
    pairs: Count


class Run(Struct, frozen=True):
    """A run as lists and `--json` show it. Losses are None before the first generation."""

    id: str
    game: str
    tunable: str
    optimizer: str
    evaluations: int
    seed: int
    version: str
    started: float
    updated: float
    status: RunStatus
    genes: list[str]
    incumbent: list[float]
    latest: Generation | None
    comparison: Comparison | None
    error: str = ""
    steady: bool = False
    settings: dict[str, int | float | str] = {}
    """Of the optimiser."""
    held: dict[str, float] = {}
    """Weights that are not tuned, and the values at which they stay."""

    @property
    def gain(self) -> str | None:
        """What its losses are the negatives of; None: they are nothing that people count."""
        try:
            game = load_game(self.game)
        except WinnableError:  # of a package that is gone
            return None
        return game.gains.get(self.tunable) if isinstance(game, Tunes) else None

    @property
    def method(self) -> str:
        """The optimiser, with what of it does not have its default."""
        try:
            return chosen_optimizer(Wanted(self.optimizer, self.settings)).label
        except WinnableError:  # one of another version
            return self.optimizer


class _Result(Struct):
    """What the store keeps of a run's end."""

    comparison: Comparison | None = None
    error: str = ""


def bounded(loss: float) -> float:
    """Within -LARGEST ... LARGEST: JSON has no infinity."""
    return LARGEST if math.isnan(loss) else max(-LARGEST, min(loss, LARGEST))


class Stopped(Exception):
    """The run was asked to stop; its checkpoint is kept."""


def find_tunable(game: str, name: str) -> Tunable:
    """Raises WinnableError."""
    tunables = tunables_of(load_game(game))
    if name not in tunables:
        code = "unknown" if tunables else "none"
        raise WinnableError(code, field="tunable", game=game, given=name[:40], known=list(tunables))
    return tunables[name]()


def chosen_optimizer(wanted: Wanted) -> Chosen[Settable]:
    """Raises WinnableError for an unknown one, and for settings that it does not take."""
    return choose("optimizer", OPTIMIZERS, wanted, "tune")


def new_run(
    store: Store,
    game: str,
    tunable: str,
    optimizer: Wanted,
    evaluations: int | None,
    seed: int,
    steady: bool = False,
    held: Mapping[str, float] = MappingProxyType({}),
) -> Run:
    """One that has not begun. evaluations: None: what the optimiser's settings say. held: weights that are
    not tuned, and the values at which they stay. Nothing is kept of a run that could not. Raises
    WinnableError."""
    chosen = chosen_optimizer(optimizer)
    count = evaluations_of(chosen.method.settings, evaluations)
    found = find_tunable(game, tunable)
    make_optimizer(chosen.method, found, seed, count, held)
    arguments = Arguments(
        count, seed, list(found.genes), list(found.start), steady, chosen.settings, dict(held)
    )
    now = time.time()
    id = uuid.uuid4().hex[:ID_LENGTH]
    encoded = msgspec.json.encode(arguments)
    store.add_run(KeptRun(id, game, tunable, chosen.name, encoded, __version__, now, now, "stopped"))
    return load(store, id)


def load(store: Store, id: str) -> Run:
    """Raises StoreError."""
    return described(store.load_run(id))


def find(store: Store, text: str) -> Run:
    """Finds a run by its id, the beginning of it, or `last`. Raises WinnableError."""
    return load(store, find_id(store, text))


def find_id(store: Store, text: str) -> str:
    """Finds an id as `find` does; also of a run that cannot be read."""
    ids = store.run_ids()[:1] if text == "last" else store.run_ids(text if text.isascii() and text else "-")
    if len(ids) == 1:
        return ids[0]
    raise WinnableError("run.several" if ids else "run.not_kept", field="run", given=text[:40])


def listed(store: Store, limit: int = 50) -> list[Run]:
    """Newest first, but for those that cannot be read. Raises StoreError."""
    found: list[Run] = []
    for kept in store.runs(limit):
        try:
            found.append(described(kept))
        except WinnableError as error:
            log.error("%s", error)
    return found


def generations(store: Store, id: str) -> list[Generation]:
    """Raises WinnableError."""
    return [decode(content, Generation, f"run {id}: events") for content in store.run_events(id)]


def curve(store: Store, run: Run) -> Curve:
    """The run's learning curve, a point a generation. Raises WinnableError."""
    points = [Point(g.evaluations, g.best, g.low, g.median, g.high) for g in generations(store, run.id)]
    return Curve(f"{run.tunable} {run.method} {run.id}", points)


def as_jsonl(store: Store, run: Run) -> bytes:
    """The run in the first line, then a generation a line."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (run, *generations(store, run.id)))


def check_resumable(run: Run) -> None:
    """Raises WinnableError."""
    if run.status == "finished":
        raise WinnableError("run.finished", field="run", id=run.id)
    if run.version != __version__:
        raise WinnableError("run.version", field="run", id=run.id, begun=run.version, now=__version__)


def described(kept: KeptRun) -> Run:
    """Raises WinnableError where it is not what this module has kept."""
    where = f"run {kept.id[:40]}"
    arguments: Arguments = decode(kept.arguments, Arguments, f"{where}: arguments")
    result: _Result = decode(kept.result, _Result, f"{where}: result") if kept.result else _Result()
    latest = decode(kept.last_event, Generation, f"{where}: events") if kept.last_event else None
    return Run(
        id=kept.id,
        game=kept.game,
        tunable=kept.tunable,
        optimizer=kept.optimizer,
        version=kept.version,
        started=kept.started,
        updated=kept.updated,
        status=_status(kept),
        latest=latest,
        **asdict(arguments),
        **asdict(result),
    )


def _status(kept: KeptRun) -> RunStatus:
    # A clock that was put back leaves a sign of life in the future.
    if kept.status == "running" and abs(time.time() - kept.updated) > SILENT_SECONDS:
        return "interrupted"
    return kept.status


class Recorder:
    """Writes one run while it is carried out. A store that cannot be written does not stop the run: what is
    to be kept waits for the next time, and `trouble` says why."""

    def __init__(self, store: Store, run: Run) -> None:
        self.trouble = ""
        self._store, self._id = store, run.id
        self._writer = uuid.uuid4().hex
        self._pending: list[tuple[int, bytes]] = []
        self._checkpoint: bytes | None = None
        """What belongs to the last one pending."""
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._on_taken: Callable[[], None] = lambda: None
        self._beaten = time.monotonic()
        store.take_run(run.id, self._writer)

    def begin(self, on_taken: Callable[[], None]) -> None:
        """Gives signs of life from now on, in a thread."""
        self._on_taken = on_taken
        threading.Thread(target=self._beat, name="winnable-run-beat", daemon=True).start()

    def beat(self) -> None:
        """Gives a sign of life where the last one was long ago. Raises RunTaken."""
        if (now := time.monotonic()) - self._beaten > BEAT_SECONDS:
            self._beaten = now
            self._save()

    def save(self, checkpoint: Any, event: Generation) -> None:
        """Keeps a generation and the state after it. Raises RunTaken."""
        with self._lock:
            self._pending.append((event.generation, msgspec.json.encode(event)))
            self._checkpoint = msgspec.json.encode(checkpoint)
        self._save()

    def end(self, status: RunStatus, comparison: Comparison | None = None, error: str = "") -> None:
        """Ends the run with what is still to be kept, or not at all: then the run goes on from what is
        kept."""
        self._ended.set()
        result, last = msgspec.json.encode(_Result(comparison, error)), time.monotonic() + END_SECONDS
        with suppress(RunTaken):
            while not self._save(status=status, result=result) and time.monotonic() < last:
                time.sleep(0.1)

    def _save(self, **changes: Any) -> bool:
        """Whether all is kept. Raises RunTaken."""
        with self._lock:
            if self._ended.is_set() and not changes:
                return True  # a last sign of life, too late
            try:
                self._store.save_run(
                    self._id, self._writer, checkpoint=self._checkpoint, events=self._pending, **changes
                )
            except RunTaken:
                raise
            except StoreError as error:
                self.trouble = str(error)
                return False
            self._pending.clear()
            self._checkpoint, self.trouble = None, ""
            return True

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            try:
                self._save()
            except RunTaken:
                self._on_taken()
                return
