"""`winnable train`: a network learns by playing, with a live curve; stopped trainings go on later."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from winnable.cli.options import (
    example,
    json_option,
    not_nan,
    optional_time_option,
    output_option,
    seed_option,
)
from winnable.cli.output import emit_json, note, write_output
from winnable.cli.usage import said
from winnable.words import t

if TYPE_CHECKING:
    from winnable.games.game2048.commands.view import Training
    from winnable.games.game2048.network.games import Strength
    from winnable.games.game2048.network.training import Point, Settings, Trainer
    from winnable.games.game2048.network.training_store import KeptTraining

TEST_GAMES = 1000
"""At the end, without learning."""


@click.command(
    "train",
    epilog=example(
        "Examples:\n"
        "  winnable train 2048 --time 120 -o mine.network\n"
        "  winnable train 2048 --network 4x5 --threads 2\n"
        '  winnable train 2048 --network "0123 4567 0145" --learning td --games 20000\n'
        "  winnable train --resume last --time 3600\n"
        "  winnable train --prune last --weights 4000000 --time 600 -o small.network"
    ),
)
@click.argument("game", required=False, type=click.Choice(["2048"]))
@click.option(
    "--network", default="8x6", show_default=True, metavar="SHAPE",
    help="4x5, 4x6, 8x6, or tuples of cells in digits 0 to f, row by row.",
)  # fmt: skip
@click.option(
    "--stages", default="", metavar="TILES",
    help="Tiles from which on boards have weights of their own, as 2048,8192.",
)  # fmt: skip
@click.option(
    "--fold", default="16384", show_default=True, metavar="TILE",
    help="Where it is made, games go on with large tiles halved, so that all learn of boards that are "
    "seen often. none: never.",
)  # fmt: skip
@click.option(
    "--learning", type=click.Choice(["tc", "td"]), default="tc", show_default=True,
    help="tc: temporal coherence, each weight with a rate of its own. td: one rate for all.",
)  # fmt: skip
@click.option(
    "--alpha", type=click.FloatRange(0, 10, min_open=True), callback=not_nan, metavar="X",
    help="Learning rate [tc 1.0, td 0.1].",
)  # fmt: skip
@click.option(
    "--lambda", "decay", type=click.FloatRange(0, 1), callback=not_nan, default=0.5, show_default=True,
    metavar="X",
    help="How far rewards are passed back at once: 0 to the move before, 1 to the whole game.",
)  # fmt: skip
@click.option(
    "--optimistic", type=click.FloatRange(0, 1e7), callback=not_nan, default=0.0, show_default=True,
    metavar="V",
    help="What every board is worth at first: the more, the more is tried.",
)  # fmt: skip
@optional_time_option("Stop after so many seconds; else after --games, or by Ctrl-C.")
@click.option("--games", type=click.IntRange(1), metavar="N", help="Stop when so many games are played.")
@click.option(
    "--threads", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N",
    help="Learn at once on the same weights; with more than one no two trainings are the same.",
)  # fmt: skip
@seed_option("Feeds all chance of the training.")
@click.option("--resume", metavar="RUN", help="Go on with a training: its id, the start of it, or `last`.")
@click.option(
    "--prune", metavar="RUN",
    help="Go on with what RUN has learned, as a training of its own, in which but --weights of them learn.",
)  # fmt: skip
@click.option(
    "--weights", type=click.IntRange(1), metavar="N",
    help="With --prune: so many, those that learned most; the others are as if they had never learned.",
)  # fmt: skip
@output_option(None, "Where to write the network at the end, compressed to play with.")
@json_option
@click.pass_context
def train_command(
    ctx: click.Context,
    game: str | None,
    resume: str | None,
    prune: str | None,
    weights: int | None,
    seconds: float | None,
    games: int | None,
    output: str | None,
    as_json: bool,
    **chosen: Any,
) -> int:
    """Train a network for GAME, which plays by looking one move ahead.

    Each minute a checkpoint is kept, at first more often, so that whatever ends the program, `--resume` goes
    on. At the end it plays 1,000 games without learning. Exit code: 0 done, also when the time is up; 3
    stopped by Ctrl-C.
    """
    _check_usage(ctx, game, resume, prune, weights)
    if output == "-" and as_json:
        raise click.UsageError(said("cli.stdout", field="--json"), ctx)
    from winnable.games.game2048.network import training_store

    if prune and weights:
        kept = training_store.find(prune).pruned(weights)
    elif resume:
        kept = training_store.find(resume)
    else:
        kept = training_store.create(_settings(chosen))
    trainer, complaints = kept.resume()
    for complaint in complaints:
        note(t("cli.train.before", complaint=complaint))
    ended = _carry_out(kept, trainer, seconds or math.inf, games or math.inf)
    if kept.trouble:
        note(t("cli.not_kept", reason=kept.trouble))
    if output:
        from winnable.games.game2048.network.file import PRESET, QUICK_PRESET, quantised

        preset = QUICK_PRESET if ended.interrupted else PRESET
        write_output(output, quantised(trainer.network, trainer.progress, preset))
    if as_json:
        emit_json(ended)
    elif output != "-":
        from winnable.games.game2048.commands.view import tell

        tell(ended)
    note(t(f"cli.train.{'interrupted' if ended.interrupted else 'go_on'}", id=kept.id))
    return 3 if ended.interrupted else 0


def _check_usage(
    ctx: click.Context, game: str | None, resume: str | None, prune: str | None, weights: int | None
) -> None:
    if resume and prune:
        raise click.UsageError(said("cli.train.prune", field="--prune"), ctx)
    if (prune is None) != (weights is None):
        raise click.UsageError(said("cli.train.weights", field="--prune and --weights"), ctx)
    if not resume and not prune:
        if not game:
            raise click.UsageError(said("cli.train.game"), ctx)
        return
    own = ("game", "resume", "prune", "weights", "seconds", "games", "output", "as_json")
    for param in ctx.command.params:
        given = ctx.get_parameter_source(param.name or "") is not click.core.ParameterSource.DEFAULT
        if given and param.name not in own:
            raise click.UsageError(said("cli.train.own", field=param.opts[0]), ctx)


def _settings(chosen: dict[str, Any]) -> Settings:
    """By the options, some of which are written in another way than settings."""
    from winnable.games.game2048.network.network import NO_FOLD, count_weights, format_tuples, parse_tuples
    from winnable.games.game2048.network.training import ALPHA, Settings

    tuples = parse_tuples(chosen["network"])
    stages = _exponents(chosen["stages"].replace(",", " ").split(), "--stages")
    fold = NO_FOLD if chosen["fold"] == "none" else _exponents([chosen["fold"]], "--fold")[0]
    count_weights(tuples, stages, fold)
    alpha = chosen["alpha"] or ALPHA[chosen["learning"]]
    own: dict[str, Any] = {"network": format_tuples(tuples), "stages": stages, "fold": fold, "alpha": alpha}
    return Settings(**{**chosen, **own})


def _exponents(tiles: Sequence[str], option: str) -> tuple[int, ...]:
    for tile in tiles:
        if not tile.isdecimal() or len(tile) > 6 or int(tile).bit_count() != 1:
            raise click.BadParameter(said("cli.tile", given=tile[:40]), param_hint=option)
    return tuple(int(tile).bit_length() - 1 for tile in tiles)


def _carry_out(kept: KeptTraining, trainer: Trainer, seconds: float, games: float) -> Training:
    from winnable.cli.work import long_run
    from winnable.games.game2048.commands.view import Training, TrainView
    from winnable.games.game2048.network.games import strength

    view = TrainView(kept, trainer)
    stop = threading.Event()

    def on_round(points: Sequence[Point]) -> None:
        kept.keep(trainer, points)
        view.round(points)

    def work() -> Strength | None:
        trainer.work(on_round, stop, seconds, games)
        kept.save(trainer)
        if stop.is_set():
            return None
        view.testing()
        threads = os.cpu_count() or 1  # the same games on any number
        return strength(trainer.network, TEST_GAMES, kept.settings.seed, threads)

    tested, interrupted = long_run(work, stop.set, view)
    points = kept.points()
    return Training(
        id=kept.id,
        settings=kept.settings,
        games=trainer.games,
        moves=trainer.moves,
        seconds=round(trainer.seconds, 3),
        interrupted=interrupted,
        latest=points[-1] if points else None,
        strength=tested,
    )
