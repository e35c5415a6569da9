"""The options of a check's reports, and how they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import click
from msgspec import Struct

from winnable.batches.pack import markdown
from winnable.batches.reports import junit, sarif
from winnable.batches.revisions import Change
from winnable.cli.options import writable
from winnable.cli.output import note, write_output
from winnable.cli.usage import said
from winnable.levels.checking import Checked
from winnable.words import t

F = TypeVar("F", bound=Callable[..., Any])


class Reports(Struct, frozen=True):
    """Files for what the check came to; None: not wanted. against: another revision of the levels, or the
    rows of its check"""

    junit: str | None = None
    sarif: str | None = None
    markdown: str | None = None
    against: str | None = None

    @property
    def wanted(self) -> bool:
        """Whether any is."""
        return self.against is not None or any(path is not None for path in self.files.values())

    @property
    def files(self) -> dict[str, str | None]:
        """By the names of their options."""
        return {"junit": self.junit, "sarif": self.sarif, "markdown": self.markdown}

    def write(self, rows: Sequence[Checked], left: Sequence[str], found: Sequence[Change] | None) -> None:
        """left: sources of levels that were not checked. found: what changed. Raises WinnableError."""
        pack = partial(markdown, changes=found)
        for path, content in ((self.junit, junit), (self.sarif, sarif), (self.markdown, pack)):
            if path is not None:
                write_output(path, content(rows, left))
                note(t("report.written", output=path))


def _report_option(name: str, about: str) -> Callable[[F], F]:
    return click.option(name, metavar="FILE", callback=_report_file, help=about)


def _report_file(ctx: click.Context, param: click.Parameter, path: str | None) -> str | None:
    """stdout is for what is read."""
    if path == "-":
        raise click.BadParameter(said("report.stdout"))
    return writable(ctx, param, path)


def report_options(command: F) -> F:
    """The options of the reports, which reach the command as one value, `reports`."""
    build = _report_option("--junit", "File for what was found, as JUnit's XML, for a build server.")
    review = _report_option("--sarif", "The same as SARIF 2.1.0, with file and line, for a review of code.")
    pack = _report_option("--markdown", "A report of the pack for people: rates, and shows how hard it gets.")
    against = click.option(
        "--against",
        metavar="OTHER",
        help="Say what changed: OTHER is another revision, a file or folder, or the rows of its check.",
    )
    return build(review(pack(against(command))))
