"""Where the games are: ours, a line each, and those that other packages bring as entry points of the group
`winnable.games`. Nothing of a game is imported to find it.

A game's folder is that of the module with its `GAME`. Beside it lie the levels that it ships, the list of its
kernels and its words, `words.LANGUAGE.json`.
"""

from __future__ import annotations

import importlib.util
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

GROUP = "winnable.games"
OURS = {
    "triple": "winnable.games.triple.game:GAME",
    "drops": "winnable.games.drops.game:GAME",
    "tetris": "winnable.games.tetris.game:GAME",
    "rotate": "winnable.games.rotate.game:GAME",
    "2048": "winnable.games.game2048.game:GAME",
}
log = logging.getLogger("winnable")


@dataclass(frozen=True, slots=True)
class Entry:
    """A game as lists show it.

    target:  MODULE:OBJECT, its `Game`
    package: whose it is, as `pip` names it; "": ours
    """

    name: str
    target: str
    package: str = ""

    @property
    def module(self) -> str:
        return self.target.partition(":")[0]

    @property
    def folder(self) -> Path | None:
        """None: there is none, or it cannot be found."""
        package, *inner = self.module.split(".")[:-1] or [""]
        spec = importlib.util.find_spec(package) if package else None
        roots = spec.submodule_search_locations if spec else None
        return Path(next(iter(roots)), *inner) if roots else None

    def words(self, language: str) -> Mapping[str, str]:
        """Empty where the game brings none, or none that can be read."""
        folder = self.folder
        path = folder / f"words.{language}.json" if folder else None
        if path is None or not path.is_file():
            return {}
        try:
            return dict(json.loads(path.read_bytes()))
        except (OSError, ValueError, TypeError) as error:
            log.error("%s: %s: %s", self.package, path.name, error)
            return {}


@cache
def entries() -> tuple[Entry, ...]:
    """Ours, then those of others by their packages' names; two may have one name."""
    from importlib.metadata import entry_points

    found = [
        Entry(point.name, point.value, point.dist.name if point.dist else point.value)
        for point in entry_points(group=GROUP)
    ]
    ours = [Entry(name, target) for name, target in OURS.items()]
    return (*ours, *sorted(found, key=lambda entry: (entry.package, entry.name)))
