"""What `bench damage` damages, and how it is used then."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from bench import PYTHON_PATH
from bench.faults import archives
from bench.faults.lives import Life, command, rehearse
from winnable import archive
from winnable.contract.core import Budget, WinnableError, finish
from winnable.levels.find import find_level
from winnable.play.session import Session
from winnable.store.database import FILE_NAME, KeptSession, Store, StoreError

Answer: TypeAlias = Literal["healed", "refused"]
"""healed: what was asked for was done, and rightly; refused: one sentence said that it was not."""

MOST_SAID = 1000
"""Characters of the sentence."""


class Wrong(Exception):
    """Neither healed nor refused."""


Use: TypeAlias = Callable[[Path], Answer]
"""Uses what lies in a folder, one file of which is damaged. Raises Wrong."""


class Target(Struct):
    """make: fills a folder; files: those in it that are damaged, one at a time; use: see Use."""

    make: Callable[[Path], None]
    files: Callable[[Path], list[Path]]
    use: Use
    together: bool = False
    """Also all files at once."""


def _told(folder: Path, *arguments: str, right: Callable[[str], bool] = lambda said: True) -> Answer:
    """A command on what is damaged. Raises Wrong."""
    output = folder / "output"
    code = Life(command(*arguments), folder).wait()
    said = output.read_text("utf-8", "replace")
    output.unlink()
    if "Traceback" in said or code not in (0, 1, 2, 3):
        raise Wrong(f"exit code {code}: {said}")
    if code == 0:
        if not right(said):
            raise Wrong(f"a wrong answer: {said}")
        return "healed"
    if not said.strip() or max(map(len, said.splitlines())) > MOST_SAID:
        raise Wrong(f"exit code {code}, no sentence: {said}")
    return "refused"


# -- stores ------------------------------------------------------------------------------------------------


def _kept(number: int) -> KeptSession:
    named = find_level("drops/01-first-drops")
    session = Session(named)
    session.act(session.puzzle.legal_actions(session.state)[0])
    level, tree = msgspec.json.encode(named.level), msgspec.json.encode(session.saved_tree())
    return KeptSession(f"{number:032x}", named.id, level, tree, 1, session.standing, 1000.0 + number)


def _make_store(folder: Path) -> None:
    store = Store(folder)
    for number in range(40):
        store.save(_kept(number))
    store.close()


def _use_store(folder: Path) -> Answer:
    """A game is kept and found again by the next program; what was there before may be lost, and is told."""
    from winnable.web.opening import from_store

    store = Store(folder)
    said = store.trouble
    try:
        store.sessions()
        finish(from_store(store.load(f"{3:032x}")))
    except WinnableError as error:
        said = said or str(error)
    try:
        store.save(_kept(99))
    except StoreError as error:
        said = said or str(error)
    kept = {entry.id for entry in store.sessions()}
    store.close()
    if f"{99:032x}" not in kept and not said:
        raise Wrong("the new game is not kept, and nobody was told")
    if len(said) > MOST_SAID:
        raise Wrong(f"no sentence: {said}")
    return "refused" if said else "healed"


# -- kernel caches -----------------------------------------------------------------------------------------

_KERNELS = """
from winnable.compiled.dice_kernels import new_dice
from winnable.games.game2048.board import kernels
print(*kernels.random_games(3, 10, kernels.slides(), new_dice(1)))
"""
"""One that calls others."""


def _with_kernels(folder: Path) -> subprocess.CompletedProcess[str]:
    """A new process, which finds its kernels there."""
    places = {"WINNABLE_CACHE": str(folder), "PYTHONPATH": PYTHON_PATH}
    return subprocess.run(
        [sys.executable, "-c", _KERNELS], env=os.environ | places, capture_output=True, check=False, text=True
    )


def _make_cache(folder: Path) -> None:
    said = _with_kernels(folder / "cache").stdout
    (folder / "expected").write_text(said)


def _cached(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "cache").rglob("*") if path.is_file())


def _use_cache(folder: Path) -> Answer:
    """Twice, as what is not mended fails for ever. A folder in a file's place is compiled around."""
    for _ in range(2):
        done = _with_kernels(folder / "cache")
        if done.returncode or done.stdout != (folder / "expected").read_text() or "Traceback" in done.stderr:
            raise Wrong(f"exit code {done.returncode}: {done.stdout} {done.stderr}")
    return "healed"


# -- networks, trainings, tables ---------------------------------------------------------------------------


def _make_training(folder: Path) -> None:
    """With two checkpoints."""
    for games in ("200", "400"):
        how = ("--resume", "last") if games == "400" else ("2048", "--network", "012 048")
        rehearse(command("train", *how, "--games", games), folder)


def _checkpoints(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.network"))


def _use_training(folder: Path) -> Answer:
    """It goes on from the last checkpoint that is whole."""
    return _told(folder, "train", "--resume", "last", "--games", "450", right=lambda said: "450" in said)


def _make_network(folder: Path) -> None:
    from winnable.games.game2048.network.file import Progress, quantised
    from winnable.games.game2048.network.network import Network, parse_tuples

    network = Network(parse_tuples("012 048"))
    network.weights[:] = Random(1).random()
    (folder / "some.network").write_bytes(quantised(network, Progress(games=7)))


def _use_network(folder: Path) -> Answer:
    from winnable.games.game2048.network.file import read

    try:
        read(folder / "some.network")
    except WinnableError as error:
        if len(str(error)) > MOST_SAID:
            raise Wrong("no sentence") from None
        return "refused"
    raise Wrong("a damaged network was read")  # its checksum covers each bit


def _table(folder: Path) -> Any:
    from winnable.games.game2048.exact.small import problem_of, table_of
    from winnable.games.game2048.rules.level import Level

    return table_of(problem_of(Level(rows=2, columns=3)), folder)


def _make_table(folder: Path) -> None:
    _table(folder).make(Budget())
    (folder / "expected").write_bytes(_table(folder).path.read_bytes())


def _use_table(folder: Path) -> Answer:
    """It is known to be damaged, and made again just as it was."""
    table = _table(folder)
    try:
        if table.state(check=True).status != "damaged":
            raise Wrong("a damaged table was not known to be")
        table.make(Budget())
    except WinnableError as error:
        if table.path.is_dir() and len(str(error)) < MOST_SAID:
            return "refused"  # a folder may hold anything: nobody takes it away
        raise
    if table.path.read_bytes() != (folder / "expected").read_bytes():
        raise Wrong("the table that was made again is another one")
    return "healed"


# -- level and session files -------------------------------------------------------------------------------


def _make_levels(folder: Path) -> None:
    for name in ("triple/1-first-steps", "drops/01-first-drops", "rotate/01-one-turn", "2048/3-two-by-two"):
        level = find_level(name).level
        (folder / f"{name.replace('/', '-')}.json").write_bytes(msgspec.json.encode(level))
    rehearse(command("check", *map(str, _json_files(folder))), folder)


def _use_levels(folder: Path) -> Answer:
    return _told(folder, "check", *map(str, _json_files(folder)))


def _make_sessions(folder: Path) -> None:
    for name in ("triple/1-first-steps", "drops/12-drizzle", "2048/3-two-by-two"):
        session = Session(find_level(name))
        session.act(session.puzzle.legal_actions(session.state)[0])
        (folder / f"{name.replace('/', '-')}.json").write_bytes(session.save())


def _use_sessions(folder: Path) -> Answer:
    answer: Answer = "healed"
    for path in folder.glob("*.json"):
        try:
            Session.load(path.read_bytes())
        except (WinnableError, OSError) as error:
            if len(str(error)) > MOST_SAID:
                raise Wrong("no sentence") from None
            answer = "refused"
    return answer


def _json_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


# -- archives ----------------------------------------------------------------------------------------------


def _make_archive(folder: Path) -> None:
    """Of another store than the one beside it."""
    with closing(Store(None)) as store:
        archives.fill(store, Random(1))
        (folder / "all.json.gz").write_bytes(archive.pack(store)[0])
    with closing(Store(folder)) as store:
        archives.fill(store, Random(2))


def _use_archive(folder: Path) -> Answer:
    """Nothing of it comes in, or all that can be used; what was here stays."""
    before = archives.contents(folder)
    answer = _told(folder, "data", "import", str(folder / "all.json.gz"))
    after = archives.contents(folder)
    if (after != before) if answer == "refused" else not after >= before:
        raise Wrong(f"{answer}, and {len(before)} records became {len(after)}")
    return answer


TARGETS = {
    "archives": Target(_make_archive, lambda folder: [folder / "all.json.gz"], _use_archive),
    "stores": Target(_make_store, lambda folder: [folder / FILE_NAME], _use_store),
    "caches": Target(_make_cache, _cached, _use_cache, together=True),
    "levels": Target(_make_levels, _json_files, _use_levels),
    "sessions": Target(_make_sessions, _json_files, _use_sessions),
    "networks": Target(_make_network, _checkpoints, _use_network),
    "trainings": Target(_make_training, _checkpoints, _use_training, together=True),
    "tables": Target(_make_table, lambda folder: [_table(folder).path], _use_table),
}
