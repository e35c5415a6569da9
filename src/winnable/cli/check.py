"""`winnable check`: are these levels valid, do their certificates hold, and can they be won?

A file that cannot be read at all (missing, no permission, a folder) is a usage error: exit code 2. A file
that can be read and holds no valid level has failed its check: exit code 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import click
from msgspec import structs

from winnable.batches.checking import Check
from winnable.batches.files import missing
from winnable.batches.pack import fact_said, rating_said
from winnable.batches.revisions import Change, changes, kept_checks, named_check
from winnable.cli.batch import Batch, Rows, batch_options, rows_option
from winnable.cli.levels import keep_apart, level_entries
from winnable.cli.options import (
    Command,
    gathered,
    json_option,
    memory_option,
    seed_option,
    solver_option,
    time_option,
)
from winnable.cli.output import note, one_line, say
from winnable.cli.reports import Reports, report_options
from winnable.contract.core import WinnableError
from winnable.levels.checking import Checked, Checking, Doubles, Looked, Span
from winnable.levels.files import NamedLevel
from winnable.words import language, t

FEW_LEVELS = 20
"""Below so many nobody has to look for what is wrong: it is not said again at the end."""
Entry: TypeAlias = tuple[str, bytes | NamedLevel]


def _span(ctx: click.Context, param: click.Parameter, text: str | None) -> Span | None:
    return None if text is None else Span.parse(text)


@click.command("check", cls=Command)
@click.argument("levels", nargs=-1, required=True, metavar="LEVEL...")
@click.option("--solve", is_flag=True, help="Also decide whether each level can be won.")
@solver_option
@time_option(10, "Seconds to look into each level, and as many again to solve it.")
@seed_option("Feeds the solver's chance; also deals files that hold a layout only.")
@memory_option
@click.option("--distinct", is_flag=True, help="Refuse a level that is, or looks like, an earlier one.")
@click.option("--fewest", is_flag=True, help="Solve, and refuse a line that is not proved to be the fewest.")
@click.option("--rate", is_flag=True, help="Also say how hard each level is for a person.")
@click.option(
    "--difficulty",
    metavar="LOW..HIGH",
    callback=_span,
    help="Rate, and refuse what is easier or harder, on the scale of its game: 800..1600, 800.. or ..1600.",
)
@report_options
@batch_options
@rows_option
@json_option
@gathered(Checking, "how")
@gathered(Batch, "batch")
@gathered(Reports, "reports")
def check_command(
    levels: tuple[str, ...], how: Checking, batch: Batch, reports: Reports, output: str | None, as_json: bool
) -> int:
    """Validate each LEVEL, show what is in it and check its certificate.

    A file may be JSONL, one level a line. Exit code: 0 all are fine; 1 a level is invalid, its certificate
    fails, (--solve) it is proved unsolvable, or it is refused; 2 a file cannot be read; 3 a verdict ran out
    of budget.

    Examples:
      winnable check level.json
      winnable check levels.jsonl --solve --time 10
      winnable check levels/ --solve --workers auto --resume rows.jsonl
      winnable check levels/ --fewest --distinct --junit levels.xml --sarif levels.sarif
      winnable check levels/ --markdown report.md --against ../main/levels
      winnable check drops/05-puddle --difficulty 5..10
      winnable check "levels/*.json" --json
    """
    files = {"resume": batch.resume, "output": output, **reports.files}
    keep_apart(files, levels)
    if reports.against is not None:  # a check may go on with the rows that it is held against
        keep_apart({**files, "resume": None}, [reports.against])
    how = structs.replace(how, rate=how.rate or reports.markdown is not None)
    entries = [entry for level in levels for entry in level_entries(level, how.seed, how.seconds)]
    names = [Check.of(*entry, how).name for entry in entries]
    others = None if reports.against is None else _others(reports.against, how, batch)
    part, tally = batch.shard.of(len(entries)), _Tally(reports.wanted)
    with Rows(batch, output, as_json=as_json, told=True) as rows:
        done = list[str]()
        for name, row in rows.named((names[place] for place in part), named_check):
            tally.count(name, row)
            done.append(name)
        left = missing(names, part, done)
        interrupted = _check(entries, left, how, batch, rows, tally)
        rows.tell("check", interrupted)
    if reports.wanted:
        all_rows = [(entries[place][0], tally.rows.get(names[place])) for place in part]
        known = [row for _, row in all_rows if row]
        found = None if others is None or interrupted else _compared(others, known, how, batch)
        if others is not None and found is None:
            note(t("report.uncompared"))
        reports.write(known, [source for source, row in all_rows if row is None], found)
        for change in found or () if rows.is_told else ():
            if text := change.said():
                say(t("report.change", source=one_line(change.source), text=text))
    if interrupted:
        note(t("cli.check.interrupted", done=tally.all, all=len(part)))
    elif len(part) > 1 and not as_json:
        if tally.all > FEW_LEVELS:
            for told in tally.failed:
                say(told)
        say(t("cli.check.fine", fine=tally.fine, all=tally.all))
    return 1 if tally.fine < tally.all else 3 if interrupted or tally.undecided else 0


def _others(path: str, how: Checking, batch: Batch) -> list[Checked] | list[Entry]:
    """What was checked already, or is to be. Raises WinnableError."""
    if batch.shard.parts > 1:
        raise WinnableError("report.shard", field="against")
    return kept_checks(Path(path)) or [*level_entries(path, how.seed, how.seconds)]


def _compared(
    others: list[Checked] | list[Entry], rows: Sequence[Checked], how: Checking, batch: Batch
) -> list[Change] | None:
    """None: Ctrl-C ended it."""
    from winnable.cli.work import Work

    before = [one for one in others if isinstance(one, Checked)]
    entries = [one for one in others if not isinstance(one, Checked)]
    doubles = Doubles()
    with Work(t("cli.work.checking"), len(entries)) as work:
        for row in batch.rows(work, [Check.of(*entry, how) for entry in entries]):
            looked = doubles.judged(_looked(row.answer, entries[row.number][0]), how)
            before.append(looked.checked)
            work.advance(looked.checked.source)
    return None if work.interrupted else changes(before, rows)


def _looked(answer: Looked | WinnableError, source: str) -> Looked:
    """Also where the level could not be checked."""
    return answer if isinstance(answer, Looked) else Looked(Checked(source, False, str(answer)), answer)


class _Tally:
    """What levels came to."""

    def __init__(self, keeps: bool) -> None:
        """keeps: the rows, too"""
        self.all = self.fine = self.undecided = 0
        self.failed: list[str] = []
        """What is wrong with those that are not fine, as it is said."""
        self.rows: dict[str, Checked] = {}
        """By the names of their requests."""
        self._keeps = keeps

    def count(self, name: str, row: Checked) -> None:
        self.all += 1
        self.fine += row.ok
        self.undecided += row.verdict == "budget"
        if row.problem is not None:
            self.failed.append(t("cli.check.failed", source=one_line(row.source), problem=row.problem))
        if self._keeps:
            self.rows[name] = row


def _check(
    entries: Sequence[Entry],
    left: Sequence[int],
    how: Checking,
    batch: Batch,
    rows: Rows,
    tally: _Tally,
) -> bool:
    """Whether part of it is still to be done."""
    from winnable.cli.work import Work

    doubles, passed = Doubles(), 0
    with Work(t("cli.work.checking"), len(left)) as work:
        for row in batch.rows(work, [Check.of(*entries[place], how) for place in left]):
            place = left[row.number]
            for source, content in entries[passed:place]:
                doubles.pass_by(source, content, how.seed)
            passed = place + 1
            looked = doubles.judged(_looked(row.answer, entries[place][0]), how)
            checked = looked.checked
            problem = looked.problem and one_line(looked.problem.said(language()))
            tally.count(row.request.name, replace(checked, problem=problem))
            if rows.is_told:
                _tell(checked, problem, how)
            rows.add_named(row.request, _known(checked))
            work.advance(t("cli.check.so_far", fine=tally.fine, all=tally.all))
    return work.is_cut


def _known(checked: Checked) -> dict[str, Any]:
    """For JSON: `problem` always, of all else what is known."""
    values = {name: getattr(checked, name) for name in checked.__slots__}
    return {name: value for name, value in values.items() if name == "problem" or value not in (None, {})}


def _tell(report: Checked, problem: str | None, how: Checking) -> None:
    if problem is not None:
        say(t("cli.check.failed", source=one_line(report.source), problem=problem))
    else:
        say(t("cli.check.ok", source=one_line(report.source)))
    details = [fact_said(key, value) for key, value in report.facts.items() if value != 0]
    if report.certificate is not None:
        details.append(t(f"cli.check.certificate.{report.certificate}"))
    if report.verdict is not None:
        details.append(t(f"cli.check.verdict.{report.verdict}"))
    elif how.solve and report.ok:
        details.append(t("cli.check.unsolved", game=report.game))
    if report.same_as is not None:
        details.append(t("cli.check.same", source=one_line(report.same_as)))
    if report.twin_of is not None:
        details.append(t("cli.check.twin", source=one_line(report.twin_of)))
    if report.rating is not None and "difficulty" not in report.facts:
        details.append(fact_said("difficulty", f"{rating_said(report)}, {report.word}"))
    if report.luck is not None:
        details.append(f"{t('report.column.luck')} {report.luck:.0%}")
    if details:
        say(f"  {t('list.comma').join(details)}")
