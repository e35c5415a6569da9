"""The games by name: ours, a line each, and those that other packages bring as entry points of the group
`winnable.games`. Nothing of a game is imported to list it.

A game's folder is that of the module with its `GAME`. Beside it lie the levels that it ships, the list of its
kernels and its words, `words.LANGUAGE.json`.
"""

from __future__ import annotations

import copyreg
import importlib.util
import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from winnable import words
from winnable.contract import ending
from winnable.contract.arguments import of_kind
from winnable.contract.errors import WinnableError

if TYPE_CHECKING:
    from winnable.contract.game import Game

GROUP = "winnable.games"
OURS = {
    "triple": "winnable.games.triple.game:GAME",
    "drops": "winnable.games.drops.game:GAME",
    "tetris": "winnable.games.tetris.game:GAME",
    "rotate": "winnable.games.rotate.game:GAME",
    "2048": "winnable.games.game2048.game:GAME",
}
log = logging.getLogger("winnable")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
"""It stands in addresses, identities and the names of files."""
_told: set[str] = set()
"""What was said of games that cannot be loaded."""


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

    try:
        points = [*entry_points(group=GROUP)]
    except Exception as error:  # of one package's own file, which says nothing of which one
        log.error("%s", WinnableError("game.points", reason=f"{type(error).__name__}: {error}"))
        points = []
    found = [
        Entry(point.name, point.value, point.dist.name if point.dist else point.value) for point in points
    ]
    ours = [Entry(name, target) for name, target in OURS.items()]
    return (*ours, *sorted(found, key=lambda entry: (entry.package, entry.name)))


def _listed() -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for entry in entries():
        if entry.name in found or not _NAME.fullmatch(entry.name):
            code = "game.taken" if entry.name in found else "game.name"
            log.error("%s", WinnableError(code, field=entry.name, package=entry.package))
        else:
            found[entry.name] = entry
    return found


def _words(language: str) -> Mapping[str, str]:
    """No game takes a word away from a game before it."""
    found: dict[str, str] = {}
    for entry in entries():
        found = {**entry.words(language), **found}
    return found


ending.import_wholly()  # before any game imports what compiles
GAMES = _listed()
words.bring(_words)


def titles(name: str) -> dict[str, str]:
    """Language -> what the game is called."""
    return {language: words.catalogue(language).get(f"game.{name}", name) for language in words.LANGUAGES}


def abouts(name: str) -> dict[str, str]:
    """Language -> what it is, in one line."""
    return {language: words.catalogue(language).get(f"game.{name}.about", "") for language in words.LANGUAGES}


def game_of(module: str) -> str | None:
    """The game in whose folder the module lies."""
    folders = {entry.module.rpartition(".")[0] + ".": name for name, entry in GAMES.items()}
    return next((name for folder, name in folders.items() if module.startswith(folder)), None)


def load_game(name: str) -> Game:
    """Imports the game. Raises WinnableError for an unknown name, and for one of another package that cannot
    be used: it names the package."""
    if of_kind("game", name, str) not in GAMES:
        raise WinnableError("game.unknown", field="game", given=name, known=list(GAMES))
    found = _loaded(name)
    if isinstance(found, WinnableError):
        raise found.with_traceback(None)
    return found


@cache
def _loaded(name: str) -> Game | WinnableError:
    """An error that names the package: its module is not run once more for each who asks."""
    from winnable.contract.game import Game

    entry = GAMES[name]
    try:
        game: Any = getattr(import_module(entry.module), entry.target.partition(":")[2])
    except BaseException as error:  # panics of Rust are no Exception
        if not entry.package or isinstance(error, KeyboardInterrupt):
            raise
        reason = f"{type(error).__name__}: {error}"
        return WinnableError("game.broken", field=name, package=entry.package, reason=reason)
    if not issubclass(type(game), Game) or game.name != name:
        return WinnableError("game.other", field=name, package=entry.package, target=entry.target)
    tag = getattr(game.level_type, "__struct_config__", None)
    if re.fullmatch(rf"winnable\.{name}/[0-9]+", str(tag and tag.tag)) is None:  # its files were another's
        return WinnableError("game.tag", field=name, package=entry.package, tag=tag and tag.tag, name=name)
    copyreg.pickle(cast("type[Game]", type(game)), _by_name)
    return game


def _by_name(game: Game) -> str | tuple[Any, ...]:
    """A game that is listed is copied, and goes to other processes, by its name: there is one of each."""
    if GAMES.get(game.name) is not None and load_game(game.name) is game:
        return load_game, (game.name,)
    return object.__reduce_ex__(game, 4)


def usable_games() -> set[str]:
    """The names of `loaded_games`."""
    return {game.name for game in loaded_games()}


def loaded_games() -> list[Game]:
    """All but those of other packages that cannot be used; what is wrong with these is logged, once."""
    games: list[Game] = []
    for name in GAMES:
        try:
            games.append(load_game(name))
        except WinnableError as error:
            if str(error) not in _told:
                _told.add(str(error))
                log.error("%s", error)
    return games
