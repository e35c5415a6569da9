"""Files that winnable keeps or reads, damaged: healed, or refused in one sentence, never believed.

Stores, kernel caches, networks and their trainings, tables, level and session files are each cut, emptied,
zeroed, changed in one bit, replaced by garbage, by a text, by a folder. Needs a system that forks.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from msgspec import Struct

from bench.faults.damage_targets import TARGETS, Target
from bench.report import CheckFailed, Row
from winnable.contract.core import WinnableError


class Tally(Struct):
    healed: int = 0
    refused: int = 0
    wrong: list[str] = []


def _cut(path: Path, content: bytes, rng: Random) -> None:
    path.write_bytes(content[: len(content) // 2])


def _short(path: Path, content: bytes, rng: Random) -> None:
    path.write_bytes(content[:-1])


def _empty(path: Path, content: bytes, rng: Random) -> None:
    path.write_bytes(b"")


def _zeros(path: Path, content: bytes, rng: Random) -> None:
    path.write_bytes(bytes(len(content)))


def _hole(path: Path, content: bytes, rng: Random) -> None:
    middle = len(content) // 3
    path.write_bytes(content[:middle] + bytes(middle) + content[2 * middle :])


def _bit(path: Path, content: bytes, rng: Random) -> None:
    changed = bytearray(content or b"x")
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    path.write_bytes(changed)


def _garbage(path: Path, content: bytes, rng: Random) -> None:
    path.write_bytes(rng.randbytes(max(100, len(content))))


def _text(path: Path, content: bytes, rng: Random) -> None:
    path.write_bytes("这不是文件\n".encode() * 50)


def _folder(path: Path, content: bytes, rng: Random) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


DAMAGES: dict[str, Callable[[Path, bytes, Random], None]] = {
    "cut": _cut, "short": _short, "empty": _empty, "zeros": _zeros, "hole": _hole, "bit": _bit,
    "garbage": _garbage, "text": _text, "folder": _folder,
}  # fmt: skip


def rows(
    *,
    runs: int = 3,
    targets: str | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """runs: of each damage that chance decides, for each file. Raises CheckFailed."""
    names = list(TARGETS) if targets is None else targets.split(",")
    if unknown := set(names) - TARGETS.keys():
        raise WinnableError(f"targets: {sorted(unknown)[0][:40]!r} is none of {', '.join(TARGETS)}")
    wrong: list[str] = []
    for number, name in enumerate(names):
        tally = _damaged(TARGETS[name], Random(f"{seed}:{name}"), runs)
        wrong += (f"{name}: {fault}" for fault in tally.wrong)
        cases = tally.healed + tally.refused + len(tally.wrong)
        yield Row(f"{name}: healed", tally.healed, n=cases)
        yield Row(f"{name}: refused in one sentence", tally.refused, n=cases)
        yield Row(f"{name}: wrong", len(tally.wrong), n=cases, reference=0)
        if progress is not None:
            progress(number + 1, len(names))
    if wrong:
        raise CheckFailed(f"{len(wrong)} wrong: {wrong[0]}")


def _damaged(target: Target, rng: Random, runs: int) -> Tally:
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="winnable-damage-") as name:
        whole = Path(name) / "whole"
        whole.mkdir()
        target.make(whole)
        files = [[path.relative_to(whole)] for path in target.files(whole)]
        if target.together and len(files) > 1:
            files = [[path for group in files for path in group], rng.choice(files)]
        for group in files:
            for kind, damage in DAMAGES.items():
                for number in range(runs if kind == "bit" else 1):
                    _one(target, whole, Path(name) / "damaged", group, damage, rng, tally, f"{kind} {number}")
    return tally


def _one(
    target: Target,
    whole: Path,
    folder: Path,
    group: list[Path],
    damage: Callable[[Path, bytes, Random], None],
    rng: Random,
    tally: Tally,
    what: str,
) -> None:
    shutil.copytree(whole, folder)
    try:
        for path in group:
            damage(folder / path, (folder / path).read_bytes(), rng)
        if target.use(folder) == "healed":
            tally.healed += 1
        else:
            tally.refused += 1
    except Exception as error:
        tally.wrong.append(f"{what} of {group[0]}: {type(error).__name__}: {str(error)[-600:]}")
    finally:
        shutil.rmtree(folder)
