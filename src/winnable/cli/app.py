"""The command line: finds a command's module by its name, and turns every failure into one line and a code.

Exit codes: 0 yes or done; 1 proved no, or a check failed; 2 usage or bad input, also a place that an answer
cannot be written to, be it a file or stdout; 3 the budget ran out; 70 winnable failed, or another package's
game. 130 and 141 are the shell's own for Ctrl-C (SIGTERM is the same) and a closed pipe.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from traceback import walk_tb
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from winnable import __version__, words
from winnable.cli.compiling import compile_in_children
from winnable.cli.config import defaults, read_config, refusal
from winnable.cli.options import studio_options
from winnable.cli.output import STDOUT, drop, end_notes, say_error
from winnable.cli.usage import usage_text
from winnable.contract import ending, registry
from winnable.contract.errors import GaveUp, WinnableError, shortened, unusable

CRASHED = 70  # as sysexits.h has it for software
log = logging.getLogger("winnable")

COMMANDS = {
    "studio": ("studio", "Play and analyse in the browser (also: no command at all)"),
    "games": ("games", "List the games with their solvers, players, parameters and levels"),
    "play": ("play", "Play a level in the terminal, with hints and verdicts"),
    "watch": ("watch", "Let a player or solver play a level"),
    "solve": ("solve", "Find a winning line, or prove that there is none"),
    "margin": ("margin", "How many of the legal actions still win, and how many keep the fewest"),
    "verify": ("verify", "Replay a line by the rules: does it win?"),
    "check": ("check", "Validate levels and their certificates; --solve decides them"),
    "generate": ("generate", "Make levels, one or many; --certify keeps the winnable ones"),
    "tasks": ("tasks", "Certified tasks as text, for models, planners and agents (JSONL)"),
    "score": ("score", "What replies to tasks are worth, and which move lost"),
    "repair": ("repair", "Change a level so that it can be won"),
    "measure": ("measure", "How hard is a level? Players who see what a person sees, and proofs"),
    "calibrate": ("calibrate", "How our difficulty stands to the tries of people: a curve to pass rates"),
    "compare": ("compare", "Players and solvers side by side on the same levels"),
    "tune": ("tune", "Evolve the weights of a player or solver; --resume goes on"),
    "tables": ("tables", "List, check, build and remove the tables that players of a game read"),
    "runs": ("runs", "List, show, compare, export and delete the kept tuning runs"),
    "deck": ("deck", "Answer the mistakes of your own games that are due again"),
    "data": ("data", "All your games, results and runs as one file: export, import"),
    "bench": ("bench", "Run a benchmark and print its figures beside the published ones"),
    "warm": ("warm", "Compile all kernels now"),
    "site": ("site", "Write the studio as a static page that needs no installation"),
    "share": ("share", "Serve such a page to the phones and computers of the local network"),
    "config": ("config", "Where the file with your defaults of options lies, and what it says"),
    "completion": ("completion", "Have bash, zsh or fish complete levels, games, methods ... at Tab"),
    "import": ("convert", "Turn a file of another format into a level file"),
    "export": ("convert", "Write a level as text, picture or another format"),
}
"""Command -> the module of this package that has it, as `NAME_command`, and its line in `--help`."""


def brought() -> dict[str, tuple[str, str]]:
    """Commands that games bring -> the game, and its line in `--help`."""
    return {
        key.removeprefix("command."): (entry.name, about)
        for entry in reversed(registry.entries())  # of two with one name the first has it
        for key, about in entry.words("en").items()
        if key.startswith("command.") and key.removeprefix("command.") not in COMMANDS
    }


def _of_game(command: str) -> click.Command | None:
    """Raises WinnableError where the game cannot be loaded."""
    from winnable.contract.abilities import Commands

    if command not in (known := brought()):
        return None
    game = registry.load_game(known[command][0])
    return game.commands().get(command) if isinstance(game, Commands) else None


class App(click.Group):
    """Commands are imported when they are needed, so that none pays for another: `list_commands`,
    `format_commands` and `shell_complete` know their names and lines without."""

    _tables: Mapping[str, Any] = {}
    """What the user's file says of commands."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Reads the user's file of defaults first, unless a shell asks at Tab. Raises WinnableError."""
        if not extra.get("resilient_parsing"):
            given = read_config()
            self._tables = {name: value for name, value in given.items() if isinstance(value, dict)}
            for name in self._tables.keys() - COMMANDS:
                if name not in brought():
                    raise refusal("config.command", name, given=name, known=[*COMMANDS, *brought()])
            own = {name: value for name, value in given.items() if name not in self._tables}
            extra["default_map"] = defaults(self, own)
        return super().make_context(*args, **extra)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *brought()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now, with the defaults of the user's file; None: there is none."""
        if cmd_name in COMMANDS:
            module = import_module(f"winnable.cli.{COMMANDS[cmd_name][0]}")
            command = getattr(module, f"{cmd_name}_command")
        else:
            command = _of_game(cmd_name)
        if command is None:
            return None
        if ctx.resilient_parsing:  # a shell asks what may follow
            from winnable.cli.candidates import complete_values

            complete_values(command)
        elif cmd_name in self._tables:
            known = defaults(command, self._tables[cmd_name], cmd_name)
            ctx.default_map = {**(ctx.default_map or {}), cmd_name: known}
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        known = (COMMANDS | brought()).items()
        own = [CompletionItem(name, help=about) for name, (_, about) in known if name.startswith(incomplete)]
        return [*own, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in (COMMANDS | brought()).items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Carries out the command; 141 where the reader of stdout has gone."""
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader has gone, as in `winnable ... | head`
            drop(STDOUT)
            return 141
        return code

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Carries out what is typed, and ends the process with its exit code."""
        extra |= {"prog_name": "winnable", "standalone_mode": False}
        words.use(words.locale_language())
        if "_WINNABLE_COMPLETE" in os.environ:
            import_module("winnable.cli.completion")
        code = _exit_code(lambda: super(App, self).main(*args, **extra))
        end_notes()
        sys.exit(code)


def _exit_code(command: Callable[[], Any]) -> int:
    """Commands return theirs; a failure is told on stderr in one line."""
    try:
        code = command() or 0
        sys.stdout.flush()
        return code
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "winnable"
        say_error(words.t("cli.see", text=usage_text(error), path=path))
    except click.ClickException as error:
        say_error(error.format_message())
    except WinnableError as error:
        say_error(error.said(words.language()))
        return 3 if isinstance(error, GaveUp) else 2
    except MemoryError:
        say_error(words.t("error.memory"))
        return 3
    except (click.Abort, KeyboardInterrupt):
        say_error(words.t("cli.interrupted"))
        return ending.INTERRUPTED
    except OSError as error:
        if error.filename is not None:  # of a file: that is for those who opened it
            return _crashed(error)
        drop(STDOUT)
        say_error(unusable("stdout", error).said(words.language()))
    except SystemExit as error:
        if "_WINNABLE_COMPLETE" in os.environ:  # click's own
            raise
        return _crashed(error)
    except Exception as error:
        return _crashed(error)
    return 2


def _crashed(error: BaseException) -> int:
    log.debug("crashed", exc_info=error)
    *_, (frame, line) = walk_tb(error.__traceback__)
    where = f"{frame.f_globals.get('__name__')}:{line}"
    say_error(words.t("cli.crash", where=where, reason=shortened(f"{type(error).__name__}: {error}", 300)))
    return CRASHED


_CONTEXT: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=App, invoke_without_command=True, context_settings=_CONTEXT)
@click.version_option(__version__, message="winnable %(version)s")
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="What is told on stderr about the work itself.",
)
@studio_options
@click.pass_context
def app(ctx: click.Context, log_level: str, port: int | None, no_open: bool, memory: int | None) -> int:
    """The analysis board for single-player puzzle games: can this still be won, how, and how hard is it?

    Without a command the studio starts: a page in the browser.

    \b
    A LEVEL is one of
      FILE.json                a level file, or `-` for stdin
      triple:layers=12#5       an identity: parameters and seed make the level again
      triple                   the game's default level; --seed says which
      triple:daily             today's level
      triple:daily#20261127    that of another day
      triple/NAME              a level that ships with the game (see `winnable games`)

    Defaults of all options may stand in a file, see `winnable config --help`.

    Exit codes: 0 yes or done; 1 proved no, or a check failed; 2 usage or bad input; 3 the budget ran out; 70
    winnable failed, or another package's game; 130 ended by Ctrl-C or SIGTERM.
    """
    logging.getLogger("winnable").setLevel(log_level.upper())
    if log_level in ("debug", "info"):
        logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    if ctx.invoked_subcommand is not None:
        return 0
    from winnable.cli.studio import open_studio

    return open_studio(port, not no_open, memory)


def run() -> NoReturn:
    """Runs the command line of this process, and never returns."""
    ending.interrupt_when_terminated()
    compile_in_children()
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if (stream := getattr(sys, name)) is None:  # it was closed: its number must not become another file's
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # what cannot show a sign shows another, not a traceback
    app.main()
