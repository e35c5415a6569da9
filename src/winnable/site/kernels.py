"""A game's kernels for browsers: compiled, linked, and written only where recorded native calls gave the
same."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec
import platformdirs

import winnable
from winnable.compiled import ahead
from winnable.contract.core import WinnableError
from winnable.site import downloads
from winnable.site.replaying import Replayed

RUN = Path(__file__).with_name("run.mjs")
PACKAGES = (Path(winnable.__file__).parent, Path(platformdirs.__file__).parent)
"""Of Python, that a browser's needs with msgspec."""


class Built(NamedTuple):
    """entries:  that are shipped: recorded calls of each gave the same
    passed:   kernels that Python calls and are not shipped, as no call of theirs was recorded
    calls:    that were made once more; seconds: that they took
    """

    entries: list[ahead.Entry]
    passed: list[str]
    calls: int
    seconds: float


def build(game: str, folder: Path) -> Built:
    """Writes `GAME.so` and `GAME.json` into the folder. Raises WinnableError where something does not compile
    or a call gave something else: then nothing is written."""
    python = downloads.python()
    with tempfile.TemporaryDirectory() as made, ThreadPoolExecutor() as threads:
        library, cases = Path(made, f"{game}.so"), Path(made, "cases")
        compiled = threads.submit(_run, game, "winnable.site.cross_compiler", game, made)
        _run(game, "winnable.site.recording", game, str(cases))
        compiled.result()
        replayed = _replayed(game, python, library, cases)
        if replayed.wrong:
            raise WinnableError(
                "site.replay", field=game, n=len(replayed.wrong), first=replayed.wrong[0][:300]
            )
        every = ahead.listed(library.with_suffix(".json").read_bytes())
        entries = [entry for entry in every if entry.symbol in replayed.equal]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / library.name).write_bytes(library.read_bytes())
        (folder / f"{game}.json").write_bytes(msgspec.json.encode(entries))
    passed = [entry.kernel for entry in every if entry.symbol not in replayed.equal]
    return Built(entries, passed, sum(replayed.equal.values()), replayed.seconds)


def _replayed(game: str, python: Path, library: Path, cases: Path) -> Replayed:
    packages = (*PACKAGES, python / "msgspec")
    files = (library, library.with_suffix(".json"), cases)
    command = under_node(python, packages, "winnable.site.replaying", *files)
    done = downloads.output(command, "site.kernels", game)
    return msgspec.json.decode(done.strip().splitlines()[-1], type=Replayed)


def under_node(python: Path, packages: Iterable[Path], module: str, *files: Path) -> list[str]:
    """The command that runs a module of these packages in a browser's Python, and tells it where the files
    are. packages: folders, or archives of several"""
    return [*downloads.NODE, str(RUN), str(python), ":".join(map(str, packages)), module, *map(str, files)]


def _run(game: str, module: str, *arguments: str) -> None:
    downloads.output([sys.executable, "-m", module, *arguments], "site.kernels", game)
