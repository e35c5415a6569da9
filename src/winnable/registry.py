"""The games by name. Ours stand in `places.py`, a line each; other packages bring theirs as entry points."""

from __future__ import annotations

import logging
import re
from functools import cache
from importlib import import_module

from winnable import places, words
from winnable.core import WinnableError
from winnable.game import Game
from winnable.places import Entry as Entry

log = logging.getLogger("winnable")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
"""It stands in addresses, identities and the names of files."""
_told: set[str] = set()
"""What was said of games that cannot be loaded."""


def _listed() -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for entry in places.entries():
        if entry.name in found or not _NAME.fullmatch(entry.name):
            code = "game.taken" if entry.name in found else "game.name"
            log.error("%s", WinnableError(code, field=entry.name, package=entry.package))
        else:
            found[entry.name] = entry
    return found


GAMES = _listed()


def titles(name: str) -> dict[str, str]:
    """Language -> what the game is called."""
    return {language: words.catalogue(language).get(f"game.{name}", name) for language in words.LANGUAGES}


def abouts(name: str) -> dict[str, str]:
    """Language -> what it is, in one line."""
    return {language: words.catalogue(language).get(f"game.{name}.about", "") for language in words.LANGUAGES}


@cache
def load_game(name: str) -> Game:
    """Imports the game. Raises WinnableError for an unknown name, and for one of another package that cannot
    be used: it names the package."""
    entry = GAMES.get(name)
    if entry is None:
        raise WinnableError("game.unknown", field="game", given=name, known=list(GAMES))
    try:
        game = getattr(import_module(entry.module), entry.target.partition(":")[2])
    except (Exception, SystemExit) as error:
        if not entry.package:
            raise
        reason = f"{type(error).__name__}: {error}"
        raise WinnableError("game.broken", field=name, package=entry.package, reason=reason) from error
    if not isinstance(game, Game) or game.name != name:
        raise WinnableError("game.other", field=name, package=entry.package, target=entry.target)
    return game


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
