"""`winnable check`: are these levels valid, do their certificates hold, and can they be won?

A file that cannot be read at all (missing, no permission, a folder) is a usage error: exit code 2. A file
that can be read and holds no valid level has failed its check: exit code 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from winnable.cli.options import Command, json_option, memory_option, seed_option, solver_option, time_option
from winnable.cli.output import emit_json, note, one_line, say
from winnable.contract.core import WinnableError
from winnable.levels.files import NamedLevel
from winnable.words import has, language, t

if TYPE_CHECKING:
    from winnable.levels.checking import Checked


@click.command("check", cls=Command)
@click.argument("levels", nargs=-1, required=True, metavar="LEVEL...")
@click.option("--solve", is_flag=True, help="Also decide whether each level can be won.")
@solver_option
@time_option(10, "Seconds to look into each level, and as many again to solve it.")
@seed_option("Feeds the solver's chance; also deals files that hold a layout only.")
@memory_option
@json_option
def check_command(
    levels: tuple[str, ...],
    solve: bool,
    solver: str | None,
    seconds: float,
    seed: int,
    memory: int,
    as_json: bool,
) -> int:
    """Validate each LEVEL, show what is in it and check its certificate.

    A file may be JSONL, one level a line. Exit code: 0 all are fine; 1 a level is invalid, its certificate
    fails, or (--solve) it is proved unsolvable; 2 a file cannot be read; 3 a verdict ran out of budget.

    Examples:
      winnable check level.json
      winnable check levels.jsonl --solve --time 10
      winnable check levels/*.json --json
    """
    from winnable.cli.work import Work
    from winnable.levels.checking import Checker, Checking

    sources = [entry for level in levels for entry in _entries(level, seed, seconds)]
    found: list[Checked] = []
    with Work(t("cli.work.checking"), len(sources)) as work:
        checker = Checker(work, Checking(solve, seconds, solver, seed, memory))
        for source, content in sources:
            if work.interrupted:
                note(t("cli.check.interrupted", done=len(found), all=len(sources)))
                break
            checked, problem = checker.check(source, content)
            found.append(checked)
            if not as_json:
                _tell(checked, problem)
            work.advance(source)
    if as_json:
        emit_json([_known(checked) for checked in found])
    elif len(sources) > 1:
        say(t("cli.check.fine", fine=sum(checked.ok for checked in found), all=len(found)))
    return _exit_code(found, complete=len(found) == len(sources))


def _entries(level: str, seed: int, seconds: float) -> Iterator[tuple[str, bytes | NamedLevel]]:
    """Those of a file; or the level, when it is not in a file."""
    from winnable.cli.levels import file_of, load_level, read_content
    from winnable.levels.checking import sources

    if (found := file_of(level)) is None:
        yield level, load_level(level, seed, seconds)
    elif found.line is not None:
        yield level, found.read()
    else:
        yield from sources(level, read_content(level))


def _known(checked: Checked) -> dict[str, Any]:
    """For JSON: `problem` always, of all else what is known."""
    values = {name: getattr(checked, name) for name in checked.__slots__}
    return {name: value for name, value in values.items() if name == "problem" or value not in (None, {})}


def _tell(report: Checked, problem: WinnableError | None) -> None:
    if problem is not None:
        say(t("cli.check.failed", source=report.source, problem=one_line(problem.said(language()))))
    else:
        say(t("cli.check.ok", source=report.source))
    details = [_fact(key, value) for key, value in report.facts.items() if value != 0]
    if report.certificate is not None:
        details.append(t(f"cli.check.certificate.{report.certificate}"))
    if report.verdict is not None:
        details.append(t(f"cli.check.verdict.{report.verdict}"))
    if report.same_as is not None:
        details.append(t("cli.check.same", source=report.same_as))
    if report.twin_of is not None:
        details.append(t("cli.check.twin", source=report.twin_of))
    if details:
        say(f"  {t('list.comma').join(details)}")


def _fact(key: str, value: Any) -> str:
    if has(f"fact.{key}"):
        words = [t(word) if has(word := f"fact.word.{part}") else part for part in str(value).split(", ")]
        return t(f"fact.{key}", value=", ".join(words))
    return f"{value} {key}" if isinstance(value, int) else f"{key} {value}"


def _exit_code(found: Sequence[Checked], complete: bool) -> int:
    if any(not report.ok for report in found):
        return 1
    return 3 if not complete or any(report.verdict == "budget" for report in found) else 0
