"""`winnable runs`: the kept tuning runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import Struct

from winnable.cli.options import Group, json_option, output_option
from winnable.cli.output import emit_json, note, print_table, say, seconds_text, write_output
from winnable.cli.runs_view import (
    difference_text,
    tell_list,
    tell_run,
    titled,
    titles,
    value_text,
    weights_text,
)
from winnable.cli.usage import said
from winnable.cli.users_store import opened_store
from winnable.words import t

if TYPE_CHECKING:
    from winnable.tuning.runs import Generation, Run


class RunDetails(Struct, frozen=True):
    """What `runs show --json` prints."""

    run: Run
    generations: list[Generation]


@click.group("runs", cls=Group, invoke_without_command=True)
@json_option
@click.pass_context
def runs_command(ctx: click.Context, as_json: bool) -> int:
    """List the kept tuning runs, newest first; a RUN is an id, the beginning of one, or `last`.

    Examples:
      winnable runs
      winnable runs show last
      winnable runs compare 3f2a 90b1 --json
      winnable runs export last --format svg -o curve.svg
      winnable runs export last --format weights -o weights.json
    """
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
        tell_list(found)
    return 0


@runs_command.command("show")
@click.argument("run")
@json_option
def show_command(run: str, as_json: bool) -> int:
    """Show one RUN: its arguments, weights, comparison and course.

    Examples:
      winnable runs show last
      winnable runs show 3f2a
    """
    from winnable.tuning import runs

    with opened_store() as store:
        found = runs.find(store, run)
        course = runs.generations(store, found.id)
    if as_json:
        emit_json(RunDetails(found, course))
        return 0
    tell_run(found)
    if course:
        say()
        gain = found.gain
        shown = (
            course if len(course) <= 12 else [course[len(course) * i // 12] for i in range(12)] + course[-1:]
        )
        print_table(
            [
                *titles("generation", "evaluations"), titled("best", gain), *titles("quartile"),
                titled("median", gain), *titles("quartile", "time"),
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


@runs_command.command("compare")
@click.argument("run", nargs=-1, required=True)
@json_option
def compare_runs_command(run: tuple[str, ...], as_json: bool) -> int:
    """Runs side by side: losses, weights, and what their final comparisons said.

    Examples:
      winnable runs compare 3f2a 90b1
    """
    from winnable.tuning import runs

    with opened_store() as store:
        found = [runs.find(store, text) for text in run]
    if as_json:
        emit_json(found)
        return 0
    tell_list(found)
    say()
    print_table(
        titles("id", "against", "weights"),
        [
            (
                one.id,
                difference_text(one.comparison, one.gain),
                weights_text(one.latest.recommendation) if one.latest else "-",
            )
            for one in found
        ],
    )
    return 0


@runs_command.command("export")
@click.argument("run", nargs=-1, required=True)
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "svg", "weights"]), default="jsonl", show_default=True,
    help="jsonl: the run, then a generation a line. svg: the loss curve; several runs share one picture. "
    "weights: those it recommends, which `--by FILE.json` plays with.",
)  # fmt: skip
@output_option()
@json_option
def export_command(run: tuple[str, ...], form: str, output: str, as_json: bool) -> int:
    """Write one RUN to a file; as SVG also several in one picture.

    Examples:
      winnable runs export last --format svg -o curve.svg
    """
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


@runs_command.command("delete")
@click.argument("run", nargs=-1, required=True)
@json_option
def delete_command(run: tuple[str, ...], as_json: bool) -> int:
    """Delete runs for good; one that is running stops.

    Examples:
      winnable runs delete 3f2a
    """
    from winnable.tuning import runs

    with opened_store() as store:
        found = [runs.find_id(store, text) for text in run]
        for id in found:
            store.delete_run(id)
    if as_json:
        emit_json({"deleted": found})
    else:
        for id in found:
            say(t("cli.runs.deleted", id=id))
    return 0
