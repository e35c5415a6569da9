"""`winnable runs`: the kept tuning runs."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from winnable.cli.options import example, json_option, output_option
from winnable.cli.output import emit_json, note, padded, print_table, say, seconds_text, write_output
from winnable.cli.usage import said
from winnable.words import language, t

if TYPE_CHECKING:
    from winnable.store.database import Store
    from winnable.tuning.runs import Comparison, Generation, Run


SHOWN = 16
"""Generations that `runs show` prints of the whole course."""


class RunDetails(Struct, frozen=True):
    """What `runs show --json` prints."""

    run: Run
    generations: list[Generation]


@click.group(
    "runs",
    invoke_without_command=True,
    epilog=example(
        "Examples:\n"
        "  winnable runs\n"
        "  winnable runs show last\n"
        "  winnable runs compare 3f2a 90b1 --json\n"
        "  winnable runs export last --format svg -o curve.svg\n"
        "  winnable runs export last --format weights -o weights.json"
    ),
)
@json_option
@click.pass_context
def runs_command(ctx: click.Context, as_json: bool) -> int:
    """List the kept tuning runs, newest first; a RUN is an id, the beginning of one, or `last`."""
    if ctx.invoked_subcommand is not None:
        return 0
    from winnable.tuning import runs

    with opened_store() as store:
        found = runs.listed(store, limit=1000)
    if as_json:
        emit_json(found)
    elif not found:
        note(t("cli.runs.none"))
    else:
        _tell_list(found)
    return 0


@runs_command.command(
    "show", epilog=example("Examples:\n  winnable runs show last\n  winnable runs show 3f2a")
)
@click.argument("run")
@json_option
def show_command(run: str, as_json: bool) -> int:
    """Show one RUN: its arguments, weights, comparison and course."""
    from winnable.tuning import runs

    with opened_store() as store:
        found = runs.find(store, run)
        course = runs.generations(store, found.id)
    if as_json:
        emit_json(RunDetails(found, course))
        return 0
    tell_run(found)
    if course:
        from winnable.cli.tune_view import titled, value_text

        say()
        gain = found.gain
        shown = (
            course if len(course) <= 12 else [course[len(course) * i // 12] for i in range(12)] + course[-1:]
        )
        print_table(
            [
                *_titles("generation", "evaluations"), titled("best", gain), *_titles("quartile"),
                titled("median", gain), *_titles("quartile", "time"),
            ],
            [
                (
                    f"{g.generation:,}", f"{g.evaluations:,}",
                    *(value_text(loss, gain) for loss in (g.best, g.low, g.median, g.high)),
                    seconds_text(g.seconds),
                )
                for g in shown
            ],
        )  # fmt: skip
    return 0


@runs_command.command("compare", epilog=example("Examples:\n  winnable runs compare 3f2a 90b1"))
@click.argument("run", nargs=-1, required=True)
@json_option
def compare_runs_command(run: tuple[str, ...], as_json: bool) -> int:
    """Runs side by side: losses, weights, and what their final comparisons said."""
    from winnable.tuning import runs

    with opened_store() as store:
        found = [runs.find(store, text) for text in run]
    if as_json:
        emit_json(found)
        return 0
    _tell_list(found)
    say()
    print_table(
        _titles("id", "against", "weights"),
        [(one.id, _difference_text(one.comparison, one.gain), _weights(one)) for one in found],
    )
    return 0


@runs_command.command(
    "export", epilog=example("Examples:\n  winnable runs export last --format svg -o curve.svg")
)
@click.argument("run", nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "svg", "weights"]), default="jsonl", show_default=True,
    help="jsonl: the run, then a generation a line. svg: the loss curve; several runs share one picture. "
    "weights: those it recommends, which `--by FILE.json` plays with.",
)  # fmt: skip
@output_option()
@json_option
def export_command(run: tuple[str, ...], form: str, output: str, as_json: bool) -> int:
    """Write one RUN to a file; as SVG also several in one picture."""
    from winnable.tuning import runs
    from winnable.tuning.curve import curves_svg
    from winnable.tuning.tuned import as_json_file, weights_of

    if form != "svg" and len(run) > 1:
        raise click.UsageError(said("cli.runs.one", field="RUN", form=form))
    if as_json and output == "-":
        raise click.UsageError(said("cli.stdout", field="--json"))
    with opened_store() as store:
        found = [runs.find(store, text) for text in run]
        if form == "jsonl":
            content = runs.as_jsonl(store, found[0])
        elif form == "weights":
            content = as_json_file(weights_of(found[0]))
        else:
            title = ", ".join(dict.fromkeys(f"{one.game} {one.tunable}" for one in found))
            content = curves_svg(title, [runs.curve(store, one) for one in found]).encode()
    write_output(output, content)
    if as_json:
        emit_json({"runs": [one.id for one in found], "format": form, "output": output})
    return 0


@runs_command.command("delete", epilog=example("Examples:\n  winnable runs delete 3f2a"))
@click.argument("run", nargs=-1, required=True)
@json_option
def delete_command(run: tuple[str, ...], as_json: bool) -> int:
    """Delete runs for good; one that is running stops."""
    from winnable.tuning import runs

    with opened_store() as store:
        found = [runs.find(store, text) for text in run]
        for one in found:
            store.delete_run(one.id)
    if as_json:
        emit_json({"deleted": [one.id for one in found]})
    else:
        for one in found:
            say(t("cli.runs.deleted", id=one.id))
    return 0


@contextmanager
def opened_store(whole: bool = False) -> Generator[Store]:
    """The user's own; that it was damaged is told. Raises StoreError where it cannot be opened, and where it
    must be whole and was damaged."""
    from winnable.store.database import Store, data_folder

    store = Store(data_folder(), in_memory=False)
    try:
        if store.fault is not None and whole:
            raise store.fault
        if store.fault is not None:
            note(store.fault.said(language()))
        yield store
    finally:
        store.close()


def tell_run(run: Run) -> None:
    """The weights, and whether they are better."""
    from winnable.cli.tune_view import value_text

    done = run.latest.evaluations if run.latest else 0
    about, status = f"{run.id}: {run.game} {run.tunable}, {run.method}", t(f"tune.status.{run.status}")
    say(t("cli.runs.run", about=about, seed=run.seed, status=status))
    if run.error:
        say(f"  {run.error}")
    if run.latest is None:
        return
    latest = run.latest
    gain = run.gain
    said_of = {
        "done": f"{done:,}", "all": f"{run.evaluations:,}", "time": seconds_text(latest.seconds),
        "best": value_text(latest.best, gain), "median": value_text(latest.median, gain),
    }  # fmt: skip
    key = "cli.runs.done" if gain is None else "cli.runs.done.gain"
    say("  " + t(key, **said_of, measure=t(f"measure.{gain}")))
    width = max(map(len, run.genes), default=0)
    weight, tuned, used = _titles("weight", "tuned", "in_use")
    heads = padded(tuned, 10, right=True), f"{'+-':>8}", padded(used, 10, right=True)
    say("  ".join(["  " + padded(weight, width), *heads]))
    for name, tuned, spread, used in zip(
        run.genes, latest.recommendation, latest.spread, run.incumbent, strict=False
    ):
        given = t("cli.runs.held") if name in run.held else f"{spread:.4f}"
        say(f"  {name:<{width}}  {tuned:10.4f}  {padded(given, 8, right=True)}  {used:10.4f}")
    if run.comparison is not None:
        say(f"  {_comparison_text(run.comparison, gain)}")


def _comparison_text(found: Comparison, gain: str | None) -> str:
    key = f"cli.runs.{found.decision}" + (".gain" if gain else "")
    difference = _difference_text(found, gain)
    return t(key, pairs=found.pairs, difference=difference, measure=t(f"measure.{gain}"))


def _titles(*columns: str) -> list[str]:
    return [t(f"cli.runs.{column}") for column in columns]


def _difference_text(found: Comparison | None, gain: str | None) -> str:
    """Of losses; or of what they are the negatives of, tuned less in use."""
    if found is None:
        return "-"
    if gain is None:
        return f"{found.difference:+.4f} [{found.ci_low:+.4f}, {found.ci_high:+.4f}]"
    return f"{0.0 - found.difference:+.4f} [{0.0 - found.ci_high:+.4f}, {0.0 - found.ci_low:+.4f}]"


def _weights(run: Run) -> str:
    return " ".join(f"{weight:.3f}" for weight in run.latest.recommendation) if run.latest else "-"


def _value_text(run: Run, loss: float) -> str:
    """A loss, or what it is the negative of with its name."""
    from winnable.cli.tune_view import value_text

    gain = run.gain
    return value_text(loss, gain) + (f" {t(f'measure.{gain}')}" if gain else "")


def _tell_list(found: Sequence[Run]) -> None:
    print_table(
        _titles("id", "game", "tunable", "optimizer", "status", "evaluations", "best", "median", "started"),
        [
            (
                run.id, run.game, run.tunable, run.method, run.status,
                f"{run.latest.evaluations if run.latest else 0:,}/{run.evaluations:,}",
                _value_text(run, run.latest.best) if run.latest else "-",
                _value_text(run, run.latest.median) if run.latest else "-",
                time.strftime("%Y-%m-%d %H:%M", time.localtime(run.started)),
            )
            for run in found
        ],
    )  # fmt: skip
