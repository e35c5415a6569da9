"""`kill -9` at random moments: what was acknowledged is there, and what goes on ends as if undisturbed.

Each life is a process forked from this one, which has loaded everything, so that a life is short; it runs
what the command line and the studio run. Needs a system that forks. What was found is kept in the data
folder, so that the next run goes on from there.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Protocol

import msgspec

from bench.faults import archives, kill_studio, kill_work
from bench.faults.lives import Tally
from bench.report import CheckFailed, Row
from winnable.contract.core import WinnableError
from winnable.levels.files import write_file
from winnable.store.database import data_folder

KILLS = 100
SEEN = {"play": 32, "generate": 36, "tune": 35, "train": 21, "tables": 7}
"""Kills in the study that came before; none lost anything."""


class Target(Protocol):
    def life(self, rng: Random, tally: Tally) -> None:
        """One process, killed or not, and what is checked after it."""
        ...


def rows(
    *,
    games: int = KILLS,
    targets: str | None = None,
    seconds: float = float("inf"),
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """games: kills of each target, those of earlier runs included; ends sooner after `seconds`. Raises
    CheckFailed."""
    if not hasattr(os, "fork"):
        raise WinnableError("kill: this system cannot fork processes")
    known = _targets()
    names = list(known) if targets is None else targets.split(",")
    if unknown := set(names) - known.keys():
        raise WinnableError(f"targets: {sorted(unknown)[0][:40]!r} is none of {', '.join(known)}")
    path = data_folder() / f"kill-{seed}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    tallies = _load(path)
    end = time.monotonic() + seconds
    with suppress(KeyboardInterrupt):
        for name in names:
            tally = tallies.setdefault(name, Tally())
            if tally.kills >= games:
                continue
            with tempfile.TemporaryDirectory(prefix="winnable-kill-") as folder:
                target = known[name](Path(folder))
                while tally.kills < games and time.monotonic() < end:
                    target.life(Random(f"{seed}:{name}:{tally.lives}"), tally)
                    write_file(path, msgspec.json.encode(tallies))
                    if progress is not None:
                        progress(
                            sum(min(games, tallies.get(name, Tally()).kills) for name in names),
                            games * len(names),
                        )
    for name, tally in tallies.items():
        yield Row(f"{name}: kills", tally.kills, n=tally.lives, reference=SEEN.get(name))
        if tally.acknowledged:
            yield Row(f"{name}: acknowledged actions", tally.acknowledged)
        yield Row(f"{name}: checks", tally.checks)
        yield Row(f"{name}: lost or different", tally.lost, n=tally.checks, reference=0)
    if faults := [f"{name}: {tally.faults[0]}" for name, tally in tallies.items() if tally.faults]:
        raise CheckFailed("; ".join(faults))


def _targets() -> dict[str, Callable[[Path], Target]]:
    return {
        "play": kill_studio.Play,
        "editor": kill_studio.Editor,
        "generate": kill_work.Generate,
        "tune": kill_work.Tune,
        "train": kill_work.Train,
        "tables": kill_work.Tables,
        "archives": archives.Archives,
        "disk": archives.Disk,
    }


def _load(path: Path) -> dict[str, Tally]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Tally])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as error:
        raise WinnableError(f"{path}: {error}") from None
