"""`winnable bench`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

import click

import winnable
from winnable.cli.options import Command, json_option, number_option, optional_time_option, seed_option
from winnable.cli.output import emit_json, note, print_table, say, say_error, write_output
from winnable.contract.core import WinnableError


class _OfCheckout(Command):
    """An installed winnable has no benchmarks, and says so even to `--help`."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        _find_benchmarks()
        return super().make_context(*args, **extra)


def _find_benchmarks() -> None:
    """Has Python find the package `bench` beside `src`. Raises WinnableError outside a checkout."""
    checkout = Path(winnable.__file__).parents[2]
    if not (checkout / "bench" / "__init__.py").is_file():
        raise WinnableError("cli.bench.checkout")
    if str(checkout) not in sys.path:
        sys.path.insert(0, str(checkout))


@click.command("bench", cls=_OfCheckout)
@click.argument("name", required=False)
@number_option("--games", "Games for each row; else as many as it says.")
@number_option(
    "--runs", "Independent runs of each thing measured, where a benchmark has them.", 10_000, least=2
)
@number_option("--pieces", "Simulated pieces of a run, where a benchmark counts them.", 1_000_000_000)
@click.option(
    "--soak",
    type=click.FloatRange(0.05, 10_000),
    metavar="MINUTES",
    help="Also under load for so long, where a benchmark does that.",
)
@optional_time_option("Seconds for each board, where a benchmark gives them so long.")
@click.option("--targets", metavar="A,B,...", help="Only these parts of a benchmark that has parts.")
@click.option(
    "--film",
    metavar="FOLDER",
    help="Also write screenshots, one each second, where a benchmark looks at pages.",
)
@click.option(
    "--coco",
    metavar="FOLDER",
    help="Also let COCO write its logs, for cocopp, where a benchmark runs its functions.",
)
@click.option(
    "--document",
    metavar="FILE",
    help="Also write the document that the benchmark makes of what it found, where it makes one.",
)
@seed_option("Of the first game; the next ones count up from it. Else 0.", default=None)
@json_option
def bench_command(name: str | None, document: str | None, as_json: bool, **options: Any) -> int:
    """Run the benchmark NAME and print its figures beside the published ones; without NAME, list them all.

    Ctrl-C prints the rows so far. Exit code: 1 when a benchmark that checks something finds it wrong.

    Examples:
      winnable bench
      winnable bench triple-article-table
      winnable bench triple-article-table --games 20 --seed 1 --json
    """
    if name is None:
        _list(as_json)
        return 0
    from bench import load_benchmark, load_document
    from bench.report import CheckFailed
    from winnable.cli.work import LAST_SECONDS, Work

    benchmark = load_benchmark(name)
    written = load_document(name) if document else None
    asked = _asked(name, benchmark, options)
    rows: list[Any] = []
    failure: CheckFailed | None = None
    with Work(name, ends_in=LAST_SECONDS) as work:
        try:
            for row in benchmark(**asked, progress=work.progress):
                rows.append(row)
                if work.interrupted and not work.told:  # else these are the rows that it ends with
                    break
        except KeyboardInterrupt:  # of work.progress
            if not rows:
                raise
        except CheckFailed as error:
            failure = error
        except WinnableError:  # of a process that heard it, too
            if not (rows and work.interrupted):
                raise
    if as_json:
        emit_json(rows)
    else:
        print_table(("", "value", "95 % interval", "n", "published"), _cells(rows))
    if failure is not None:
        say_error(str(failure))
        return 1
    if work.interrupted:
        note("interrupted: these are the rows so far")
        return 3
    if document and written:
        write_output(document, written(rows).encode())
    return 0


def _asked(name: str, benchmark: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given. Raises WinnableError for one that the benchmark does not know."""
    given = {option: value for option, value in options.items() if value is not None}
    for option in given.keys() - signature(benchmark).parameters.keys():
        raise WinnableError("cli.bench.option", field="time" if option == "seconds" else option, name=name)
    return given


def abouts() -> dict[str, str]:
    """Benchmark -> its line; only where `_find_benchmarks` has been."""
    from bench import BENCHMARKS

    return {name: entry.about for name, entry in BENCHMARKS.items()}


def _list(as_json: bool) -> None:
    if as_json:
        emit_json([{"name": name, "about": about} for name, about in abouts().items()])
        return
    width = max(map(len, abouts()), default=0)
    for name, about in abouts().items():
        say(f"{name:<{width}}  {about}")


def _cells(rows: Sequence[Any]) -> Iterator[list[str]]:
    for row in rows:
        interval = "" if row.ci_low is None else f"{_figure(row.ci_low)} - {_figure(row.ci_high)}"
        reference = "" if row.reference is None else _figure(row.reference)
        yield [row.name, f"{_figure(row.value)} {row.unit}".rstrip(), interval, str(row.n), reference]


def _figure(value: float) -> str:
    """Three decimals for shares and small figures, none for large ones, powers of ten for tiny ones."""
    if 0 < abs(value) < 0.0005:
        return f"{value:.1e}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}" if abs(value) >= 100 else f"{value:.3f}"
