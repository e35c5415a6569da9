"""Are these levels valid, do their certificates hold, and can they be won?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf, isinf
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
from winnable.stats.difficulty import Word

CertificateCheck: TypeAlias = Literal["holds", "fails", "unchecked"]
Fault: TypeAlias = Literal["invalid", "certificate", "unsolvable", "fewest", "difficulty", "double"]
_FAULTS: dict[str, Fault] = {
    "line.unsolvable": "unsolvable",
    "fewest.game": "fewest",
    "fewest.more": "fewest",
    "fewest.open": "fewest",
    "difficulty.game": "difficulty",
    "difficulty.open": "difficulty",
    "difficulty.outside": "difficulty",
    "level.double": "double",
}
"""By the codes of errors; all others are about the certificate."""
_NUMBER = r"(-?[0-9]{1,9}(?:\.[0-9]{1,18})?)?"
_SPAN = re.compile(rf"{_NUMBER}\.\.{_NUMBER}", re.ASCII)
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
    rating, word: where levels are rated: how hard it is for a person, on the scale of its game: larger is
                 harder; and in a word
    rating_low, rating_high, luck: where that is from games of players who see what a person sees: its 95 %
                 interval, open where there is no end; and the share of luck in who wins, 0 to 1
    figures:     what can be proved of how hard it is, as numbers, by the game's names
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
    rating: float | None = None
    word: Word | None = None
    rating_low: float | None = None
    rating_high: float | None = None
    luck: float | None = None
    figures: Mapping[str, float] = field(default_factory=dict[str, float])


class Span(Struct, frozen=True):
    """From `low` to `high`, both included."""

    low: float
    high: float

    @classmethod
    def parse(cls, text: str) -> Span:
        """Reads `800..1600`, `800..` or `..1600`. Raises WinnableError."""
        found = _SPAN.fullmatch(text.strip())
        span = cls(float(found[1] or -inf), float(found[2] or inf)) if found else cls(1, 0)
        if span.low > span.high or not found or not (found[1] or found[2]):
            raise WinnableError("difficulty.span", field="difficulty", given=text[:40])
        return span

    def __str__(self) -> str:
        return "..".join("" if isinf(end) else f"{end:g}" for end in (self.low, self.high))


class Checking(Struct, frozen=True):
    """solve: where the game has a solver
    seconds: to look into each level, and as many again to solve it. solver: None: the game's default one.
    seed: of the solver's chance; also deals files that hold a layout only. memory: MiB; None: the budget's

    Refused are also, where it is asked for, levels that are like an earlier one (`distinct`), whose line is
    not proved to be the fewest (`fewest`, which solves, too), and whose rating is none of the `difficulty`.
    rate: say how hard levels are, see `is_rated`. figures: seconds for what can be proved of that; None: as
    many as else
    """

    solve: bool
    seconds: float
    solver: str | None = None
    seed: int = 0
    memory: int | None = None
    distinct: bool = False
    fewest: bool = False
    difficulty: Span | None = None
    rate: bool = False
    figures: float | None = None

    @property
    def is_rated(self) -> bool:
        """Whether levels are rated."""
        return self.rate or self.difficulty is not None


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

    def judged(self, looked: Looked, how: Checking) -> Looked:
        """The level with the earlier ones that it is like; refused, where such a level is."""
        if not looked.content:
            return looked
        source = looked.checked.source
        same, twin = (
            None if one == source else one for one in self._seen(source, looked.content, looked.picture)
        )
        checked = replace(looked.checked, same_as=same, twin_of=None if twin == same else twin)
        looked = looked._replace(checked=checked)
        like = checked.same_as or checked.twin_of
        if like is None or not how.distinct or looked.problem is not None:
            return looked
        return looked.refused(WinnableError("level.double", source=like))

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
    facts = {**named.game.facts(named.level, whole.part(most=how.seconds))}
    if found.verdict == "unsolvable":
        facts.pop("difficulty", None)  # that of the board, had one clicks enough
    found = replace(found, facts=facts)
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
    proves = isinstance(named.game, ProvesFewest)
    if how.fewest and not proves:
        problem = problem or WinnableError("fewest.game", game=named.game.name)
    if not (how.solve or how.fewest):
        return found, problem
    # What the rules have confirmed is not searched for, but a line that costs less than is claimed.
    holds = found.certificate == "holds"
    claimed = claim.lower_bound if claim and holds and proves else None
    if holds and claimed is None and not (how.fewest and proves):
        return _agreed(found, named, problem)
    solvers = solvers_of(named.game)
    if not solvers and not how.solver:
        return _agreed(found, named, problem)
    solver = choose_method("solver", solvers, how.solver, named.game.name).method
    budget = whole.part(most=how.seconds, memory_mb=how.memory)
    result = yield from decide(solver, puzzle, puzzle.initial(), budget, how.seed)
    if how.fewest and proves:
        problem = problem or _not_fewest(found.cost, result)
    found = _with_result(found, result)
    if claimed is not None and result.cost is not None and result.cost < claimed:
        found = replace(found, certificate="fails")
        problem = WinnableError(
            "line.claim.better", field="certificate: lower_bound", claimed=claimed, cost=result.cost
        )
    return _agreed(found, named, problem)


def _not_fewest(cost: int | None, result: Answer) -> WinnableError | None:
    """What is wrong with a line of this cost, None: the one that was found, when only the search is believed
    and no certificate; None where there is no line."""
    cost = result.cost if cost is None else cost
    if cost is None:
        return None
    if result.cost is not None and result.cost < cost:
        return WinnableError("fewest.more", cost=cost, fewer=result.cost)
    bound = result.cost if result.optimal else result.lower_bound
    return None if bound == cost else WinnableError("fewest.open", cost=cost, bound=bound or 0)


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
