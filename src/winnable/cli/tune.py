"""`winnable tune`: evolve the weights of a player or solver, with a live table; stopped runs go on later."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from winnable.cli.batch import workers_options
from winnable.cli.options import (
    Command,
    json_option,
    number_option,
    optional_time_option,
    seed_option,
    with_option,
)
from winnable.cli.output import emit_json, note
from winnable.cli.usage import said
from winnable.contract.errors import WinnableError
from winnable.words import t

if TYPE_CHECKING:
    from collections.abc import Mapping

    from winnable.contract.methods import Wanted
    from winnable.store.database import Store
    from winnable.tuning.runs import Run
    from winnable.workers.engines import Engine

ARTICLE = "article"
HELD = "winnable.cli.tune.held"
"""Where `_hold` leaves what it read."""


def _hold(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Raises WinnableError."""
    from winnable.contract.params import split_pairs

    if value is None:
        return
    held = ctx.meta[HELD] = dict[str, float]()
    for name, given in split_pairs(value, "hold").items():
        try:
            held[name] = float(given)
        except ValueError:
            held[name] = math.nan
        if not math.isfinite(held[name]):
            raise WinnableError("params.number", field=name[:40], given=given[:40])


@click.command("tune", cls=Command)
@click.argument("game", required=False)
@click.argument("tunable", required=False)
@click.option(
    "--optimizer",
    metavar="NAME",
    help="cross-entropy (default), cma, jso, lshade, de or genetic; article: as these weights' article does.",
)
@with_option
@click.option(
    "--hold",
    metavar="WEIGHT=VALUE,...",
    expose_value=False,
    callback=_hold,
    help="Weights that are not tuned but stay at a value; at 0 what they weigh plays no part.",
)
@number_option(
    "--evaluations", "How many genomes to judge [500]; with iterations=K: size * (K + 1).", 10_000_000
)
@optional_time_option("Stop after so many seconds; the run can be resumed.")
@seed_option("Feeds all chance of the run.")
@workers_options
@click.option(
    "--steady",
    is_flag=True,
    help="Ask for a genome as soon as one is judged: no worker waits for the slowest of a generation.",
)
@click.option("--resume", metavar="RUN", help="Go on with a kept run: its id, the start of it, or `last`.")
@json_option
def tune_command(
    game: str | None,
    tunable: str | None,
    optimizer: str | None,
    set_to: tuple[str, ...],
    evaluations: int | None,
    seconds: float | None,
    seed: int,
    workers: str | None,
    executor: str | None,
    steady: bool,
    resume: str | None,
    as_json: bool,
) -> int:
    """Tune the weights TUNABLE of GAME (see `winnable games`): the less loss, the better they play.

    Each generation is kept at once, so that whatever ends the program, `--resume` goes on, bit for bit as if
    nothing had happened. At the end the recommended weights meet those in use on fresh seeds. Ctrl-C stops
    and says how to resume. Exit code: 0 done, also when the time is up; 3 stopped by Ctrl-C.

    Examples:
      winnable tune triple beam-backward --evaluations 300
      winnable tune triple beam-forward --optimizer lshade --workers 8 --time 600
      winnable tune tetris article-mean --optimizer article --with iterations=50
      winnable tune tetris article-mean --hold one_short=0,more_short=0
      winnable tune --resume last
    """
    _check_usage(game, tunable, resume)
    from winnable.cli.runs_view import tell_run
    from winnable.cli.users_store import opened_store
    from winnable.contract.methods import Wanted
    from winnable.contract.params import split_pairs
    from winnable.tuning import runs
    from winnable.tuning.optimizers import OPTIMIZERS
    from winnable.workers.engines import make_engine

    engine = make_engine(workers, executor)
    with opened_store() as store:
        if resume:
            run = runs.find(store, resume)
        else:
            name = optimizer or next(iter(OPTIMIZERS))
            wanted = Wanted(name, split_pairs(",".join(set_to), name))
            if name == ARTICLE:
                wanted = _as_in_its_article(game or "", tunable or "", wanted.values)
            held = click.get_current_context().meta.get(HELD, {})
            run = runs.new_run(store, game or "", tunable or "", wanted, evaluations, seed, steady, held)
        ended, interrupted = _carry_out(store, run, engine, math.inf if seconds is None else seconds)
    if as_json:
        emit_json(ended)
    else:
        tell_run(ended)
    if ended.status == "finished":
        return 0
    note(t(f"cli.tune.{'interrupted' if interrupted else 'stopped'}", id=run.id))
    return 3 if interrupted else 0


def _as_in_its_article(game: str, tunable: str, changed: Mapping[str, str]) -> Wanted:
    """But for what of it is `changed`. Raises WinnableError."""
    from winnable.contract.abilities import Tunes
    from winnable.contract.methods import Wanted
    from winnable.contract.registry import load_game
    from winnable.tuning.runs import find_tunable

    find_tunable(game, tunable)
    loaded = load_game(game)
    found = loaded.as_in_its_article(tunable) if isinstance(loaded, Tunes) else None
    if found is None:
        raise WinnableError("tune.article", field="optimizer", tunable=tunable)
    return Wanted(found.name, {**found.values, **changed})


def _check_usage(game: str | None, tunable: str | None, resume: str | None) -> None:
    ctx = click.get_current_context()
    if not resume:
        if not (game and tunable):
            raise click.UsageError(said("cli.tune.needed"), ctx)
        return
    if HELD in ctx.meta:
        raise click.UsageError(said("cli.tune.own", field="--resume", option="--hold"), ctx)
    for name in ("game", "tunable", "optimizer", "set_to", "evaluations", "seed", "steady"):
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            option = "--with" if name == "set_to" else name
            raise click.UsageError(said("cli.tune.own", field="--resume", option=option), ctx)


def _carry_out(store: Store, run: Run, engine: Engine, seconds: float) -> tuple[Run, bool]:
    """The run as it is afterwards, and whether Ctrl-C ended it."""
    from winnable.cli.tune_view import TuneView
    from winnable.cli.work import long_run
    from winnable.tuning.tuner import Tuner

    view = TuneView(run)
    tuner = Tuner(
        store,
        run,
        engine,
        on_judged=view.judged,
        on_generation=view.generation,
        on_comparing=view.comparing,
    )
    try:
        ended, interrupted = long_run(lambda: tuner.work(seconds), tuner.stop, view)
    except KeyboardInterrupt:
        note(t("cli.tune.interrupted", id=run.id))
        raise
    if tuner.recorder.trouble:
        note(t("cli.not_kept", reason=tuner.recorder.trouble))
    return ended, interrupted
