"""`winnable warm`: what will be compiled, compiled now; what will be unpacked, unpacked now."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import click

from winnable import words
from winnable.cli.options import Command, json_option
from winnable.cli.output import emit_json, print_table, say, seconds_text
from winnable.contract.abilities import KeepsFiles
from winnable.contract.core import WinnableError
from winnable.contract.registry import loaded_games

MEMORY = 1024
"""MiB of a child: nobody plays meanwhile, and whatever a new one would compile again is compiled once."""


@click.command("warm", cls=Command)
@click.option("--profile", is_flag=True, help="What each kernel took, the longest first.")
@click.option("--record", is_flag=True, help="For developers: write down anew which kernels the games need.")
@json_option
def warm_command(profile: bool, record: bool, as_json: bool) -> int:
    """Compile every kernel of every game now, so that no later command has to wait for it.

    Examples:
      winnable warm
      winnable warm --profile
      winnable warm --json
    """
    if record:
        return _record()
    from winnable.cli.compiling import bar
    from winnable.compiled import kernel_cache
    from winnable.compiled.compiling import Compilers

    began, games = time.monotonic(), loaded_games()
    compilers = Compilers(MEMORY)
    try:
        with bar(compilers):
            for game in games:
                compilers.want(game.name, None)
            for game in games:
                if isinstance(game, KeepsFiles):
                    game.unpack()
            for game in games:
                compilers.wait(game.name, None)
    finally:
        compilers.close()
    kernel_cache.prune()
    took = sorted(compilers.took(), key=lambda one: -one.seconds)
    seconds = time.monotonic() - began
    if as_json:
        emit_json({"seconds": round(seconds, 3), "kernels": took})
    elif profile:
        rows = [[one.name, f"{one.seconds:.2f}", f"{one.game}: {one.part}", one.error] for one in took]
        print_table(["kernel", "seconds", "part", ""], rows)
    failed = [one for one in took if one.error]
    if not as_json:
        say(words.t("cli.warm.done", n=len(took), time=seconds_text(seconds)))
        if failed:
            say(words.t("cli.warm.failed", n=len(failed), name=failed[0].name, reason=failed[0].error))
    return 0


def _record() -> int:
    """Each game in a process of its own that finds nothing compiled. One after the other: what kernels take
    is written down, too."""
    for game in loaded_games():
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "winnable.compiled.compile_worker", "record", game.name]
            done = subprocess.run(command, env={**os.environ, "WINNABLE_CACHE": folder}, check=False)
        if done.returncode:
            raise WinnableError("warm.record", field="record", game=game.name)
        say(game.name)
    return 0
