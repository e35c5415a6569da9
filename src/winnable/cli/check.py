"""`winnable check`: are these levels valid, do their certificates hold, and can they be won?

A file that cannot be read at all (missing, no permission, a folder) is a usage error: exit code 2. A file
that can be read and holds no valid level has failed its check: exit code 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import click
from msgspec import UNSET, Struct, UnsetType

from winnable.cli.options import example, json_option, memory_option, seed_option, solver_option, time_option
from winnable.cli.output import emit_json, note, one_line, say
from winnable.contract.abilities import ProvesFewest, solvers_of
from winnable.contract.core import SolveResult, Status, WinnableError
from winnable.levels.files import NamedLevel
from winnable.words import has, language, t


class Report(Struct, frozen=True, omit_defaults=True):
    """One level's result; `check --json` prints a list of these.

    problem:     what is wrong; None when nothing is
    certificate: of a level that has one: `holds`, `fails`, or, without --solve, `unchecked`: an `unsolvable`
                 that does not say why
    verdict:     with --solve
    twin_of:     an earlier level that is not the same but looks alike, as when mirrored
    """

    source: str
    ok: bool
    problem: str | None
    level_id: str | UnsetType = UNSET
    game: str | UnsetType = UNSET
    facts: dict[str, Any] = {}
    certificate: str | UnsetType = UNSET
    verdict: Status | UnsetType = UNSET
    same_as: str | UnsetType = UNSET
    twin_of: str | UnsetType = UNSET


class _Settings(NamedTuple):
    solver: str | None
    seconds: float
    seed: int
    memory: int


@click.command(
    "check",
    epilog=example(
        "Examples:\n"
        "  winnable check level.json\n"
        "  winnable check levels.jsonl --solve --time 10\n"
        "  winnable check levels/*.json --json"
    ),
)
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
    """
    from winnable.cli.work import Work

    sources = [entry for level in levels for entry in _entries(level, seed, seconds)]
    settings = _Settings(solver, seconds, seed, memory)
    reports: list[Report] = []
    first: dict[str, str] = {}
    with Work(t("cli.work.checking"), len(sources)) as work:
        for source, content in sources:
            if work.interrupted:
                note(t("cli.check.interrupted", done=len(reports), all=len(sources)))
                break
            report, problem = _check(work, source, content, settings, solve, first)
            reports.append(report)
            if not as_json:
                _tell(report, problem)
            work.advance(source)
    if as_json:
        emit_json(reports)
    elif len(sources) > 1:
        say(t("cli.check.fine", fine=sum(report.ok for report in reports), all=len(reports)))
    return _exit_code(reports, complete=len(reports) == len(sources))


def _entries(level: str, seed: int, seconds: float) -> Iterator[tuple[str, bytes | NamedLevel]]:
    """(source, content), one for each line of a JSONL file; or the level, when it is not in a file."""
    from winnable.cli.levels import load_level, read_content
    from winnable.levels.find import is_file

    if level != "-" and not is_file(level):
        yield level, load_level(level, seed, seconds)
        return
    content = read_content(level)
    lines = [(number, line) for number, line in enumerate(content.splitlines(), 1) if line.strip()]
    if len(lines) > 1 and all(line.lstrip().startswith(b"{") for _, line in lines[:2]):
        yield from ((f"{level}:{number}", line) for number, line in lines)
    else:
        yield level, content


def _check(
    work: Any,
    source: str,
    content: bytes | NamedLevel,
    settings: _Settings,
    solve: bool,
    first: dict[str, str],
) -> tuple[Report, WinnableError | None]:
    """What `--json` prints, in English whatever the locale; and what is wrong with the level."""
    from winnable.levels.files import read_level
    from winnable.levels.identity import content_id, picture_id

    try:
        named = read_level(content, settings.seed) if isinstance(content, bytes) else content
        puzzle = named.game.puzzle(named.level)
    except WinnableError as error:
        return Report(source, False, one_line(str(error))), error
    same = first.setdefault(content_id(named.game, named.level), source)
    twin = first.setdefault(f"picture of {named.game.name}: {picture_id(named.game, named.level)}", source)
    problem, certificate = _check_certificate(named, puzzle)
    verdict: Status | UnsetType = UNSET
    if solve:
        holds = certificate == "holds"
        proves = holds and isinstance(named.game, ProvesFewest)
        claimed = named.level.certificate.lower_bound if proves else None
        verdict = named.level.certificate.status if holds else "solved"
        if not holds or claimed is not None:
            result = _solve(work, named, puzzle, settings)
            verdict = verdict if holds else result.status
            if claimed is not None and result.cost is not None and result.cost < claimed:
                certificate = "fails"
                field = "certificate: lower_bound"
                problem = WinnableError("line.claim.better", field=field, claimed=claimed, cost=result.cost)
        if verdict == "unsolvable":
            problem = problem or WinnableError("line.unsolvable")
        if named.level.certificate is not None and {verdict, named.level.certificate.status} == _OPPOSITES:
            certificate = "fails"
            problem = WinnableError("line.opposite", claimed=named.level.certificate.status, verdict=verdict)
        elif verdict == "unsolvable" and certificate == "unchecked":
            certificate = "holds"
    facts = named.game.facts(named.level, work.budget(settings.seconds))
    report = Report(
        source, problem is None, None if problem is None else str(problem), named.id, named.game.name,
        facts, certificate, verdict, UNSET if same == source else same,
        UNSET if twin in (source, same) else twin,
    )  # fmt: skip
    return report, problem


_OPPOSITES = {"solved", "unsolvable"}


def _check_certificate(named: NamedLevel, puzzle: Any) -> tuple[WinnableError | None, str | UnsetType]:
    from winnable.cli.verify import certificate_fault

    certificate = named.level.certificate
    if certificate is None:
        return None, UNSET
    if certificate.status == "unsolvable" and certificate.closed_set is None:
        return None, "unchecked"
    problem = certificate_fault(named.game, puzzle, certificate)
    return (problem.within("certificate"), "fails") if problem else (None, "holds")


def _solve(work: Any, named: NamedLevel, puzzle: Any, settings: _Settings) -> SolveResult:
    from winnable.cli.levels import chosen_method

    solver = chosen_method("solver", solvers_of(named.game), settings.solver, (), named.game)
    return work.solve(
        solver.method, puzzle, puzzle.initial(), settings.seconds, settings.seed, settings.memory
    )


def _tell(report: Report, problem: WinnableError | None) -> None:
    if problem is not None:
        say(t("cli.check.failed", source=report.source, problem=one_line(problem.said(language()))))
    else:
        say(t("cli.check.ok", source=report.source))
    details = [_fact(key, value) for key, value in report.facts.items() if value != 0]
    if report.certificate is not UNSET:
        details.append(t(f"cli.check.certificate.{report.certificate}"))
    if report.verdict is not UNSET:
        details.append(t(f"cli.check.verdict.{report.verdict}"))
    if report.same_as is not UNSET:
        details.append(t("cli.check.same", source=report.same_as))
    if report.twin_of is not UNSET:
        details.append(t("cli.check.twin", source=report.twin_of))
    if details:
        say(f"  {t('list.comma').join(details)}")


def _fact(key: str, value: Any) -> str:
    if has(f"fact.{key}"):
        words = [t(word) if has(word := f"fact.word.{part}") else part for part in str(value).split(", ")]
        return t(f"fact.{key}", value=", ".join(words))
    return f"{value} {key}" if isinstance(value, int) else f"{key} {value}"


def _exit_code(reports: Sequence[Report], complete: bool) -> int:
    if any(not report.ok for report in reports):
        return 1
    return 3 if not complete or any(report.verdict == "budget" for report in reports) else 0
