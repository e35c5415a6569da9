"""Trainings that are kept, each in a folder of its own: settings.json, curve.jsonl with a point a line, and
the latest checkpoints. Whatever ends the program, a training goes on from the last of these that is whole.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from winnable.contract.core import WinnableError, unusable
from winnable.games.game2048.network.file import Contents, read, write_checkpoint
from winnable.games.game2048.network.training import Point, Settings, Trainer, pruned
from winnable.levels.files import decode, read_file, write_file
from winnable.store.database import data_folder

FOLDER = "2048-trainings"
KEPT_CHECKPOINTS = 2
FIRST_CHECKPOINT_SECONDS, CHECKPOINT_SECONDS = 2.0, 60.0
"""After the first one there is another whenever the time is twice as long, and each minute."""
CHECKPOINT_SHARE = 0.05
"""Of the time, at most: large networks have fewer checkpoints."""


class Taken(WinnableError):
    """Another program goes on with the training: this one must stop."""


class _Kept(Struct, frozen=True, forbid_unknown_fields=True):
    settings: Settings
    started: float
    """Seconds since 1970."""


class KeptTraining:
    """One folder."""

    def __init__(self, folder: Path) -> None:
        """Raises WinnableError."""
        kept: _Kept = decode(read_file(folder / "settings.json"), _Kept, f"run {folder.name}")
        self.id, self.settings, self.started = folder.name, kept.settings, kept.started
        self.trouble = ""
        """Why a checkpoint could not be written; the next one may succeed."""
        self._folder, self._curve = folder, folder / "curve.jsonl"
        self._writer = uuid.uuid4().hex
        self._began = self._due = 0.0
        self._saved = 0

    def points(self) -> list[Point]:
        """The points of the learning curve, so far. Raises WinnableError."""
        points: list[Point] = []
        for line in read_file(self._curve).splitlines() if self._curve.exists() else ():
            with suppress(WinnableError):  # the last one, if the program was ended amid it
                points.append(decode(line, Point))
        return points

    def resume(self) -> tuple[Trainer, list[str]]:
        """Resumes as the last whole checkpoint has it, or from the beginning; and what is wrong with later
        ones, which are moved aside. Points after it are dropped, as they come again. From now on no other
        program may write to the training. Raises WinnableError."""
        with _our_errors():
            write_file(self._folder / "writer", self._writer.encode())
            for unfinished in self._folder.glob(".*"):
                unfinished.unlink(missing_ok=True)
            state, complaints = self._last_checkpoint()
            trainer = Trainer(self.settings, state)
            points = [point for point in self.points() if point.games <= trainer.games]
            write_file(self._curve, b"".join(map(_line, points)))
        self._began = time.monotonic()
        self._due = self._began + min(FIRST_CHECKPOINT_SECONDS, CHECKPOINT_SECONDS)
        self._saved = trainer.games
        return trainer, complaints

    def pruned(self, weights: int) -> KeptTraining:
        """A training of its own that goes on from the last checkpoint, see `training.pruned`. Raises
        WinnableError."""
        with _our_errors():
            state, _ = self._last_checkpoint()
        if state is None:
            raise WinnableError("2048.no_checkpoint", field="run", id=self.id)
        state = pruned(state, weights)
        new = create(msgspec.structs.replace(self.settings, weights=weights))
        new._write(state)
        return new

    def keep(self, trainer: Trainer, points: Sequence[Point]) -> None:
        """Keeps the points after each round; with a checkpoint if it is time. Raises Taken, or WinnableError
        when not even points can be kept."""
        with _our_errors():
            self._check_writer()
            if points:
                with self._curve.open("ab") as file:
                    file.write(b"".join(map(_line, points)))
        if time.monotonic() >= self._due:
            self.save(trainer)

    def save(self, trainer: Trainer) -> None:
        """A checkpoint, unless the last one is the same. Raises Taken."""
        if trainer.games == self._saved:
            return
        began = time.monotonic()
        try:
            with _our_errors():
                self._check_writer()
                self._write(Contents(trainer.network, trainer.coherence, trainer.progress))
                for old in self._checkpoints()[KEPT_CHECKPOINTS:]:
                    old.unlink(missing_ok=True)
        except Taken:
            raise
        except WinnableError as error:
            self.trouble = str(error)
        else:
            self.trouble = ""
            self._saved = trainer.games
        now = time.monotonic()
        pause = min(CHECKPOINT_SECONDS, now - self._began)
        self._due = now + max(pause, (now - began) / CHECKPOINT_SHARE)

    def _write(self, state: Contents) -> None:
        path = self._folder / f"checkpoint-{state.progress.games:012}.network"
        write_checkpoint(path, *state)

    def _checkpoints(self) -> list[Path]:
        """The newest one first."""
        return sorted(self._folder.glob("checkpoint-*.network"), reverse=True)

    def _last_checkpoint(self) -> tuple[Contents | None, list[str]]:
        complaints: list[str] = []
        for path in (paths := self._checkpoints()):
            try:
                state = read(path)
            except WinnableError as error:
                complaints.append(str(error))
                continue
            for damaged in paths[: len(complaints)]:
                damaged.rename(damaged.with_suffix(".damaged"))
            return state, complaints
        if complaints:
            raise WinnableError("2048.broken", field="run", id=self.id, reason=complaints[0])
        return None, []

    def _check_writer(self) -> None:
        if read_file(self._folder / "writer") != self._writer.encode():
            raise Taken("run.elsewhere", field="run", given=self.id)


def create(settings: Settings) -> KeptTraining:
    """One that has not begun. Raises WinnableError."""
    folder = data_folder() / FOLDER / uuid.uuid4().hex[:12]
    with _our_errors():
        folder.mkdir(parents=True)
    write_file(folder / "settings.json", msgspec.json.encode(_Kept(settings, time.time())))
    return KeptTraining(folder)


def trainings() -> list[KeptTraining]:
    """The newest one first. Raises WinnableError."""
    found: list[KeptTraining] = []
    with _our_errors():
        folders = [path for path in (data_folder() / FOLDER).glob("*") if path.is_dir()]
    for folder in folders:
        with suppress(WinnableError):  # it was being made when the program ended
            found.append(KeptTraining(folder))
    return sorted(found, key=lambda training: training.started, reverse=True)


def find(text: str) -> KeptTraining:
    """Finds a training by its id, the beginning of it, or `last`. Raises WinnableError."""
    kept = trainings()
    found = kept[:1] if text == "last" else [one for one in kept if text and one.id.startswith(text)]
    if len(found) == 1:
        return found[0]
    known = [one.id for one in kept[:10]]
    raise WinnableError(
        "2048.several" if found else "2048.not_kept",
        field="run",
        given=text[:40],
        known=known,
    )


def _line(point: Point) -> bytes:
    return msgspec.json.encode(point) + b"\n"


@contextmanager
def _our_errors() -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise unusable(error.filename, error) from None
