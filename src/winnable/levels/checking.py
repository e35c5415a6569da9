"""Are these levels valid, do their certificates hold, and can they be won?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeAlias

from winnable.contract.abilities import ProvesFewest, solvers_of
from winnable.contract.core import Answer, Puzzle, Status, WinnableError, check_line
from winnable.contract.methods import choose_method
from winnable.contract.work import Work
from winnable.levels.certificates import certificate_fault
from winnable.levels.files import NamedLevel, entries, read_level
from winnable.levels.identity import content_id, picture_id

CertificateCheck: TypeAlias = Literal["holds", "fails", "unchecked"]
_OPPOSITES = {"solved", "unsolvable"}


@dataclass(frozen=True, slots=True)
class Checked:
    """One level's result; None: not known, or not asked for.

    source:      what the level was read from; with the line of a file of several
    problem:     what is wrong; None when nothing is
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


class Checking(NamedTuple):
    """seconds: to look into each level, and as many again to solve it. solver: None: the game's default one.
    seed: of the solver's chance; also deals files that hold a layout only"""

    solve: bool
    seconds: float
    solver: str | None = None
    seed: int = 0
    memory: int | None = None


def sources(source: str, content: bytes) -> list[tuple[str, bytes]]:
    """(source, level) of each level in a file."""
    levels = entries(content)
    return [(f"{source}:{line}" if len(levels) > 1 else source, level) for line, level in levels]


class Checker:
    """Of several levels, which it compares."""

    def __init__(self, work: Work, how: Checking) -> None:
        self._work, self._how = work, how
        self._first: dict[str, str] = {}

    def check(self, source: str, content: bytes | NamedLevel) -> tuple[Checked, WinnableError | None]:
        """What is known of the level, in English, and what is wrong with it."""
        try:
            named = read_level(content, self._how.seed) if isinstance(content, bytes) else content
            puzzle = named.game.puzzle(named.level)
        except WinnableError as error:
            return Checked(source, False, " ".join(str(error).split())), error
        found, problem = self._proved(Checked(source, True, None, named.id, named.game.name), named, puzzle)
        name = named.game.name
        same = self._first.setdefault(content_id(named.game, named.level), source)
        twin = self._first.setdefault(f"picture of {name}: {picture_id(named.game, named.level)}", source)
        found = replace(
            found,
            ok=problem is None,
            problem=None if problem is None else str(problem),
            same_as=None if same == source else same,
            twin_of=None if twin in (source, same) else twin,
            facts=named.game.facts(named.level, self._work.budget(self._how.seconds)),
        )
        return found, problem

    def _proved(
        self, found: Checked, named: NamedLevel, puzzle: Puzzle
    ) -> tuple[Checked, WinnableError | None]:
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
        return self._solved(found, named, puzzle, problem) if self._how.solve else (found, problem)

    def _solved(
        self, found: Checked, named: NamedLevel, puzzle: Puzzle, problem: WinnableError | None
    ) -> tuple[Checked, WinnableError | None]:
        """What the rules have confirmed is not searched for, but a line that costs less than is claimed."""
        claim, holds = named.level.certificate, found.certificate == "holds"
        claimed = claim.lower_bound if holds and isinstance(named.game, ProvesFewest) else None
        if not holds or claimed is not None:
            result = self._decide(named, puzzle)
            found = _with_result(found, result)
            if claimed is not None and result.cost is not None and result.cost < claimed:
                found = replace(found, certificate="fails")
                problem = WinnableError(
                    "line.claim.better", field="certificate: lower_bound", claimed=claimed, cost=result.cost
                )
        if found.verdict == "unsolvable":
            problem = problem or WinnableError("line.unsolvable")
        if claim is not None and {found.verdict, claim.status} == _OPPOSITES:
            found = replace(found, certificate="fails")
            problem = WinnableError("line.opposite", claimed=claim.status, verdict=found.verdict)
        elif found.verdict == "unsolvable" and found.certificate == "unchecked":
            found = replace(found, certificate="holds")
        return found, problem

    def _decide(self, named: NamedLevel, puzzle: Puzzle) -> Answer:
        how, solvers = self._how, solvers_of(named.game)
        solver = choose_method("solver", solvers, how.solver, named.game.name).method
        return self._work.solve(solver, puzzle, puzzle.initial(), how.seconds, how.seed, how.memory)


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
