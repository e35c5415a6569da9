"""Are these levels valid, do their certificates hold, and can they be won?"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from winnable.contract.abilities import ProvesFewest, solvers_of
from winnable.contract.core import (
    Answer,
    Budget,
    Puzzle,
    Search,
    Status,
    WinnableError,
    check_line,
    decide,
)
from winnable.contract.methods import choose_method
from winnable.levels.certificates import certificate_fault
from winnable.levels.files import NamedLevel, entries, read_level
from winnable.levels.identity import content_id, picture_id

CertificateCheck: TypeAlias = Literal["holds", "fails", "unchecked"]
Fault: TypeAlias = Literal["invalid", "certificate", "unsolvable"]
_FAULTS: dict[str, Fault] = {"line.unsolvable": "unsolvable"}
"""By the codes of errors; all others are about the certificate."""
_OPPOSITES = {"solved", "unsolvable"}


@dataclass(frozen=True, slots=True)
class Checked:
    """One level's result; None: not known, or not asked for.

    source:      what the level was read from; with the line of a file of several
    problem:     what is wrong; None when nothing is
    fault:       of which kind that is; None also where the level could not be checked
    certificate: of a level that has one: `holds`, `fails`, or, where nothing was solved, `unchecked`: an
                 `unsolvable` that does not say why
    verdict:     where levels are solved, or a certificate holds that proves it
    cost, lower_bound, optimal: of the line that was found, or that a certificate which holds has: what it
                 costs, what no line costs less than, and whether the first is proved to be the second
    expanded, generated, seconds: of the search, where there was one: states whose actions were tried, states
                 so made, and the time
    same_as:     an earlier level that is the same
    twin_of:     an earlier level that is not the same but looks alike, as when mirrored
    facts:       what the game says of its levels, by English names
    """

    source: str
    ok: bool
    problem: str | None
    fault: Fault | None = None
    level_id: str | None = None
    game: str | None = None
    certificate: CertificateCheck | None = None
    verdict: Status | None = None
    cost: int | None = None
    lower_bound: int | None = None
    optimal: bool | None = None
    expanded: int | None = None
    generated: int | None = None
    seconds: float | None = None
    same_as: str | None = None
    twin_of: str | None = None
    facts: Mapping[str, int | float | str] = field(default_factory=dict[str, int | float | str])


class Checking(Struct, frozen=True):
    """seconds: to look into each level, and as many again to solve it. solver: None: the game's default one.
    seed: of the solver's chance; also deals files that hold a layout only. memory: MiB; None: the budget's"""

    solve: bool
    seconds: float
    solver: str | None = None
    seed: int = 0
    memory: int | None = None


class Looked(NamedTuple):
    """What is known of one level alone.

    problem: what is wrong with it
    content, picture: the same for levels that are the same, and for those that look alike; "" where it could
             not be read
    """

    checked: Checked
    problem: WinnableError | None
    content: str = ""
    picture: str = ""

    def refused(self, problem: WinnableError | None) -> Looked:
        """The same for this reason; None: there is none."""
        if problem is None:
            return self
        fault = _FAULTS.get(problem.code, "certificate")
        checked = replace(self.checked, ok=False, problem=str(problem), fault=fault)
        return self._replace(checked=checked, problem=problem)


def sources(source: str, content: bytes) -> list[tuple[str, bytes]]:
    """(source, level) of each level in a file."""
    levels = entries(content)
    return [(f"{source}:{line}" if len(levels) > 1 else source, level) for line, level in levels]


class Doubles:
    """Of levels that are seen one after the other."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def pass_by(self, source: str, content: bytes | NamedLevel, seed: int) -> None:
        """A level that was looked into before, or is elsewhere. seed: see `Checking`"""
        with suppress(WinnableError):
            named = read_level(content, seed) if isinstance(content, bytes) else content
            self._seen(source, *_identities(named))

    def compared(self, looked: Looked) -> Checked:
        """The level with the earlier ones that it is like."""
        found, source = looked.checked, looked.checked.source
        if not looked.content:
            return found
        same, twin = self._seen(source, looked.content, looked.picture)
        return replace(
            found,
            same_as=None if same == source else same,
            twin_of=None if twin in (source, same) else twin,
        )

    def _seen(self, source: str, content: str, picture: str) -> tuple[str, str]:
        """The first of those that are the same, and of those that look alike."""
        return self._first.setdefault(content, source), self._first.setdefault(picture, source)


def _identities(named: NamedLevel) -> tuple[str, str]:
    picture = picture_id(named.game, named.level)
    return content_id(named.game, named.level), f"picture of {named.game.name}: {picture}"


def look(source: str, content: bytes | NamedLevel, how: Checking, whole: Budget) -> Search[Looked]:
    """What is known of the level, in English, and what is wrong with it. The budget ends it before, too."""
    try:
        named = read_level(content, how.seed) if isinstance(content, bytes) else content
        puzzle = named.game.puzzle(named.level)
    except WinnableError as error:
        return Looked(Checked(source, False, " ".join(str(error).split()), "invalid"), error)
    found = Checked(source, True, None, level_id=named.id, game=named.game.name)
    found, problem = yield from _proved(found, named, puzzle, how, whole)
    found = replace(found, facts=named.game.facts(named.level, whole.part(most=how.seconds)))
    return Looked(found, None, *_identities(named)).refused(problem)


def _proved(
    found: Checked, named: NamedLevel, puzzle: Puzzle, how: Checking, whole: Budget
) -> Search[tuple[Checked, WinnableError | None]]:
    """With what its certificate and the solver say."""
    claim, problem = named.level.certificate, None
    if claim is not None and claim.status == "unsolvable" and claim.closed_set is None:
        found = replace(found, certificate="unchecked")
    elif claim is not None:
        fault = certificate_fault(named.game, puzzle, claim)
        problem = fault and fault.within("certificate")
        found = replace(found, certificate="fails" if problem else "holds")
    if claim is not None and found.certificate == "holds":
        found = replace(found, verdict=claim.status)
    if claim is not None and claim.status == "solved" and not problem:
        found = _with_bound(found, check_line(puzzle, claim.actions), claim.lower_bound)
    if not how.solve:
        return found, problem
    # What the rules have confirmed is not searched for, but a line that costs less than is claimed.
    holds = found.certificate == "holds"
    claimed = claim.lower_bound if claim and holds and isinstance(named.game, ProvesFewest) else None
    if holds and claimed is None:
        return _agreed(found, named, problem)
    solver = choose_method("solver", solvers_of(named.game), how.solver, named.game.name).method
    budget = whole.part(most=how.seconds, memory_mb=how.memory)
    result = yield from decide(solver, puzzle, puzzle.initial(), budget, how.seed)
    found = _with_result(found, result)
    if claimed is not None and result.cost is not None and result.cost < claimed:
        found = replace(found, certificate="fails")
        problem = WinnableError(
            "line.claim.better", field="certificate: lower_bound", claimed=claimed, cost=result.cost
        )
    return _agreed(found, named, problem)


def _agreed(
    found: Checked, named: NamedLevel, problem: WinnableError | None
) -> tuple[Checked, WinnableError | None]:
    """Whether what was claimed is what was found."""
    claim = named.level.certificate
    if found.verdict == "unsolvable":
        problem = problem or WinnableError("line.unsolvable")
    if claim is not None and {found.verdict, claim.status} == _OPPOSITES:
        found = replace(found, certificate="fails")
        problem = WinnableError("line.opposite", claimed=claim.status, verdict=found.verdict)
    elif found.verdict == "unsolvable" and found.certificate == "unchecked":
        found = replace(found, certificate="holds")
    return found, problem


def _with_bound(found: Checked, cost: int | None, bound: int | None) -> Checked:
    """Where a line is at hand it is known whether its cost is the bound; else nothing is known of that."""
    optimal = None if cost is None or bound is None else cost == bound
    return replace(found, cost=cost, lower_bound=bound, optimal=optimal)


def _with_result(found: Checked, result: Answer) -> Checked:
    """What a certificate that holds says stays, unless the search came to a line that costs less."""
    counts = replace(
        found, expanded=result.expanded, generated=result.generated, seconds=round(result.seconds, 3)
    )
    counts = replace(counts, verdict=found.verdict or result.status)
    if counts.verdict == "unsolvable" or (result.cost is None and found.cost is None):
        return replace(counts, lower_bound=result.lower_bound, optimal=result.optimal)
    cost = min(cost for cost in (found.cost, result.cost) if cost is not None)
    claims = (found.lower_bound, result.lower_bound)
    bounds = [bound for bound in claims if bound is not None and bound <= cost]  # a certificate may be wrong
    if result.optimal:
        bounds.append(cost)
    return _with_bound(counts, cost, max(bounds, default=None))
