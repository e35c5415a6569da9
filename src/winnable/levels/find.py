"""What a LEVEL may be: the one answer for the command line, for programs and for the page.

path.json                 a file; only who may look around in the files names one
GAME                      its default level, from a seed
GAME:params#SEED          an identity; `GAME:daily` is today's
GAME/NAME                 a level that ships with the game
GAME:BOARD, BOARD         in a game's text notation, or as another program writes it; on a command line they
                          are two arguments, GAME BOARD
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from winnable.contract.core import Budget, LevelError, WinnableError
from winnable.contract.registry import GAMES, load_game, loaded_games
from winnable.levels.dailies import made_ahead
from winnable.levels.files import (
    NamedLevel,
    meant_format,
    named_by_content,
    read_file,
    read_level,
    shipped_level,
)
from winnable.levels.identity import Identity, hint, is_identity, parse_identity


def find_level(
    text: str, seed: int = 0, budget: Budget | None = None, board: str | None = None
) -> NamedLevel:
    """A LEVEL that may be a file, and is one where there is a file of that name; or, of the game `text`, this
    `board` in its text notation.

    `seed` makes the default level, and deals files of a foreign format that hold a layout only. `budget`: to
    make the level. Raises WinnableError, GaveUp (one of these) when the budget ends before.
    """
    if board is not None:
        return parsed_board([text], board)
    try:
        on_disk = Path(text).is_file()
    except OSError as error:  # such as a name that is too long
        raise WinnableError("level.board", field=text[:80], reason=error.strerror) from None
    if not on_disk:
        if text in GAMES:
            game = load_game(text)
            return made_level(Identity(game, game.params_type(), seed), budget)
        if is_identity(text):
            return made_level(parse_identity(text), budget)
        if (meant := hint(text)) is not None:
            raise LevelError("level.hint", given=text[:80], meant=meant[:80])
        if (shipped := shipped_level(text)) is not None:
            return named_by_content(shipped.game, shipped.level)
    content = read_file(Path(text))
    try:
        return read_level(content, seed)
    except LevelError as error:
        raise error.within(text[:200]) from None


def find_level_or_board(text: str, game: str, budget: Budget) -> NamedLevel:
    """A LEVEL of the page, which must not look around in the files, or a board, first of all of this `game`
    ("": boards must name theirs). Raises likewise."""
    name, colon, board = text.partition(":")
    if colon and name in GAMES and _may_be_board(board):
        return parsed_board([name], board)
    if is_identity(text):
        return made_level(parse_identity(text), budget)
    if (shipped := shipped_level(text)) is not None:
        return shipped
    if not game:
        raise LevelError("level.unknown", field="level", given=text[:80])
    return parsed_board([game, *(one.name for one in loaded_games() if one.name != game)], text)


def made_level(identity: Identity, budget: Budget | None = None) -> NamedLevel:
    """Raises LevelError, GaveUp (one of these) when the budget ends before."""
    level = made_ahead(identity)
    if level is None:
        level = identity.game.generate(identity.params, identity.seed, budget)
    return NamedLevel(identity.game, level, str(identity))


def parsed_board(names: Sequence[str], text: str) -> NamedLevel:
    """By the first of the games that can read it; when none can, the first one says why."""
    content, complaints = text.encode(errors="replace"), list[LevelError]()
    if (meant := meant_format(content)) is not None and meant[0].name in names:
        return named_by_content(meant[0], meant[1].read(content, 0).level)
    for game in map(load_game, names):
        try:
            return named_by_content(game, game.parse_board(text))
        except LevelError as error:
            complaints.append(error)
    raise complaints[0]


def is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:
        return False


def _may_be_board(rest: str) -> bool:
    """What follows `GAME:` is parameters and a seed, or `daily`, or a board."""
    key, equals, _ = rest.partition(",")[0].partition("=")
    return "#" not in rest and rest not in ("", "daily") and not (equals and key.strip().isidentifier())
