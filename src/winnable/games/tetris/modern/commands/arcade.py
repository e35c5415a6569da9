"""`winnable arcade`: modern tetris in the terminal, in real time; the bot to watch; replays."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click
from msgspec import Struct

from winnable.cli.options import example, gathered, json_option, not_nan, optional_time_option
from winnable.cli.output import note, write_output
from winnable.cli.usage import said
from winnable.contract import ending
from winnable.contract.arguments import MAX_SEED
from winnable.games.tetris.levels.fumen import decode
from winnable.games.tetris.modern.commands.view import encoded, tell, title
from winnable.games.tetris.modern.rules.level import Handling, Level, asked_level
from winnable.words import t

if TYPE_CHECKING:
    from winnable.games.tetris.modern.commands.game import Game, Keys

MODES = ["sprint", "marathon", "zen", "endless"]


class LevelOptions(Struct, frozen=True):
    """The level to play; see the options of these names."""

    mode: str | None
    preset: str | None
    lines: int | None
    start_level: int
    fumen: str | None
    seed: int | None


@click.command(
    "arcade",
    epilog=example(
        "Examples:\n"
        "  winnable arcade --mode marathon --start-level 5\n"
        "  winnable arcade --preset article\n"
        "  winnable arcade --bot attack --mode endless --speed 0.5\n"
        "  winnable arcade --preset article --bot --by run:last --speed 4\n"
        "  winnable arcade --bot --seed 7 --json --save game.json\n"
        "  winnable arcade --replay game.json\n"
        "\n"
        "Keys: arrows move, drop softly and turn (up, also x); z turns back, a by half; space drops;\n"
        "c holds; h outlines the bot's plan; p or Esc pauses; q leaves. While the bot pauses, s is a move,\n"
        "n the next piece.\n"
        "A terminal tells no releases: its own key repetition stands for delayed auto shift."
    ),
)
@click.option("--mode", type=click.Choice(MODES), help="Sprint; with --preset article: endless.")
@click.option("--preset", type=click.Choice(["article"]), help="The article's game: its rules, no hold.")
@click.option("--lines", type=click.IntRange(1, 10_000), metavar="N", help="How many win a sprint [40].")
@click.option(
    "--start-level", type=click.IntRange(1, 20), metavar="N", default=1, show_default=True, help="Of gravity."
)
@click.option("--fumen", metavar="TEXT", help="The game begins with the board of its first page.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), metavar="N", help="Chooses the pieces; else any.")
@click.option(
    "--bot", metavar="[STYLE]", is_flag=False, flag_value="",
    help="The bot plays: attack, sprint or marathon; else what suits the mode.",
)  # fmt: skip
@click.option(
    "--by", metavar="NAME",
    help="With --preset article, who plays: a player of tetris, run:last, run:ID, FILE.json [article].",
)  # fmt: skip
@click.option(
    "--speed", type=click.FloatRange(0.1, 100), metavar="X", default=1, show_default=True, callback=not_nan,
    help="Times as fast as the game goes, on a terminal.",
)  # fmt: skip
@click.option("--replay", metavar="FILE", help="Shows a replay file, also one of the arcade's page.")
@click.option("--save", metavar="FILE", help="Writes the game as a replay file, however it ends.")
@optional_time_option("Seconds on the clock after which the game is left.")
@json_option
@click.pass_context
@gathered(LevelOptions, "options")
def arcade_command(
    ctx: click.Context,
    options: LevelOptions,
    bot: str | None,
    by: str | None,
    speed: float,
    replay: str | None,
    save: str | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Play modern tetris in the terminal, 60 frames a second; or watch the bot or a replay.

    Without a terminal, or with --json, the bot and replays are not shown and do not wait.

    Exit code: 0; 3 when the bot, or a replay, was stopped before its end.
    """
    _check_usage(ctx, replay, save)
    is_terminal = _is_terminal(sys.stdin) and _is_terminal(sys.stdout)
    if bot is None and replay is None and not is_terminal:
        raise click.UsageError(said("cli.terminal"), ctx)
    from winnable.games.tetris.modern.commands.game import TAPPED, Game, Reel, Taps, read_film

    if replay is not None:
        film = read_film(replay)
        game = Game(film.level, film.log.handling, "replay", Reel(film))
    else:
        level = _level(options)
        if bot is not None:
            game = Game(level, Handling(), "bot", _bot(ctx, level, bot, by, speed if is_terminal else None))
        else:
            game = Game(level, TAPPED, "person", Taps(level))
    shown = is_terminal and not (as_json and game.by != "person")
    try:
        is_whole = _play(game, speed if shown else None, seconds)
    finally:
        if save is not None:
            write_output(save, encoded(game) + b"\n")
    tell(game, as_json)
    return 0 if is_whole or game.by == "person" else 3


def _bot(ctx: click.Context, level: Level, style: str, by: str | None, speed: float | None) -> Keys:
    """Raises WinnableError."""
    from winnable.games.tetris.modern.commands.game import ArticleBot, guideline_bot

    if level.rules == "article":
        if style:
            raise click.UsageError(said("cli.bot.style", field="--bot"), ctx)
        return ArticleBot(level, by or "article", speed)
    if by is not None:
        raise click.UsageError(said("cli.bot.by", field="--by"), ctx)
    return guideline_bot(level, style)


def _is_terminal(stream: TextIO | None) -> bool:
    """None: it was closed before we began."""
    return stream is not None and stream.isatty()


def _check_usage(ctx: click.Context, replay: str | None, save: str | None) -> None:
    """Also that the file can be written: before the game and not after it."""
    if replay is not None:
        for name in (*LevelOptions.__struct_fields__, "bot", "by", "save"):
            if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
                option = name.replace("_", "-")
                raise click.UsageError(said("cli.replay.option", field="--replay", option=option), ctx)
    if save is None:
        return
    folder = Path(save).parent
    if save == "-" or "\0" in save or Path(save).is_dir():
        raise click.UsageError(said("cli.save.name", field="--save", given=save[:200]), ctx)
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise click.UsageError(said("cli.save.folder", field="--save", given=str(folder)[:200]), ctx)


def _level(options: LevelOptions) -> Level:
    """Raises LevelError that names the field."""
    return asked_level(
        options.seed,
        mode=options.mode or ("endless" if options.preset == "article" else "sprint"),
        rules=options.preset or "guideline",
        lines=options.lines,
        start_level=options.start_level,
        board=() if options.fumen is None else decode(options.fumen)[0].board,
    )


def _play(game: Game, speed: float | None, seconds: float | None) -> bool:
    """Whether it came to its end. speed: None: it is not shown, and waits for nothing."""
    if speed is not None and game.by == "bot" and not game.is_over:
        game.keys.next_keys(game.state)  # the first plan may compile: not while the screen is taken
    end = None if seconds is None else time.monotonic() + seconds

    def is_late() -> bool:
        return end is not None and time.monotonic() >= end

    try:
        if speed is not None:
            from winnable.games.tetris.modern.commands.live import play_live

            play_live(game, title(game), speed, is_late)
            return True if game.is_over else not is_late()
        while not game.is_over and not is_late():
            game.step()
    except KeyboardInterrupt:
        ending.call_off()
        if speed is None:
            note(t("cli.interrupted.far"))
            return False
        return True  # leaves like q
    return game.is_over
