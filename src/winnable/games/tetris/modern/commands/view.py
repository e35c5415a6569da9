"""What `winnable arcade` says of a game: its title, and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from winnable.cli.output import emit_json, say
from winnable.words import t, tn

if TYPE_CHECKING:
    from winnable.games.tetris.modern.commands.game import Game


class Result(Struct, frozen=True):
    """What `arcade --json` prints.

    level:   the level's document; frames: that were played; seconds: of game time
    status:  `won`, `block out`, `lock out`, or `playing`: the game was left before its end
    by:      `person`, `bot` or `replay`; seed: of the pieces
    """

    level: Any
    frames: int
    seconds: float
    lines: int
    score: int
    pieces: int
    attack: int
    status: str
    by: str
    seed: int


def title(game: Game) -> str:
    """The line above the board: who plays what."""
    rules = t("cli.arcade.rules") if game.level.rules == "article" else ""
    by = "" if game.by == "person" else f"{game.by}: "
    return by + t("cli.arcade.title", mode=game.level.mode, rules=rules, seed=game.level.dice)


def encoded(game: Game) -> bytes:
    """The game as the content of a replay file."""
    import msgspec

    return msgspec.json.encode(game.play.film)


def tell(game: Game, as_json: bool) -> None:
    """Print the result, as JSON or in words."""
    state, tally = game.state, game.state.tally
    result = Result(
        level=game.level,
        frames=state.frames,
        seconds=round(game.seconds, 3),
        lines=tally.lines,
        score=tally.score,
        pieces=state.placed,
        attack=tally.attack,
        status=state.status,
        by=game.by,
        seed=game.level.dice,
    )
    if as_json:
        emit_json(result)
        return
    from winnable.games.tetris.modern.commands.screen import game_time

    say(
        t(
            "cli.arcade.result", status=t(f"cli.arcade.{result.status}"), time=game_time(result.frames),
            lines=tn("cli.arcade.lines", result.lines), score=f"{result.score:,}",
            pieces=tn("cli.arcade.pieces", result.pieces), attack=result.attack, by=result.by,
            mode=game.level.mode, seed=result.seed,
        )
    )  # fmt: skip
