"""How kept tuning runs are shown in the terminal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from winnable.cli.output import padded, print_table, say, seconds_text
from winnable.words import t

if TYPE_CHECKING:
    from winnable.tuning.runs import Comparison, Run


def tell_run(run: Run) -> None:
    """The weights, and whether they are better."""
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
    weight, tuned, used = titles("weight", "tuned", "in_use")
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
    difference = difference_text(found, gain)
    return t(key, pairs=found.pairs, difference=difference, measure=t(f"measure.{gain}"))


def titles(*columns: str) -> list[str]:
    """The titles of columns, in the reader's language."""
    return [t(f"cli.runs.{column}") for column in columns]


def difference_text(found: Comparison | None, gain: str | None) -> str:
    """The difference of losses, or of what they are the negatives of, tuned less in use."""
    if found is None:
        return "-"
    if gain is None:
        return f"{found.difference:+.4f} [{found.ci_low:+.4f}, {found.ci_high:+.4f}]"
    return f"{0.0 - found.difference:+.4f} [{0.0 - found.ci_high:+.4f}, {0.0 - found.ci_low:+.4f}]"


def titled(column: str, gain: str | None) -> str:
    """The title of a column of losses, or of what they are the negatives of."""
    if gain is None:
        return t(f"cli.runs.{column}")
    return t(f"cli.runs.{column}.gain", measure=t(f"measure.{gain}"))


def value_text(loss: float, gain: str | None) -> str:
    """A loss, or what it is the negative of."""
    return f"{loss if gain is None else 0.0 - loss:.4f}"


def weights_text(weights: Sequence[float]) -> str:
    """The weights, one after the other."""
    return " ".join(f"{weight:.3f}" for weight in weights)


def _value_text(run: Run, loss: float) -> str:
    """A loss, or what it is the negative of with its name."""
    gain = run.gain
    return value_text(loss, gain) + (f" {t(f'measure.{gain}')}" if gain else "")


def tell_list(found: Sequence[Run]) -> None:
    """Prints runs, a row each."""
    print_table(
        titles("id", "game", "tunable", "optimizer", "status", "evaluations", "best", "median", "started"),
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
