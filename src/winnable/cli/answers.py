"""What a solver answers, as JSON has it and in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from winnable.cli.output import short_name
from winnable.contract.core import Answer, Best, Limit, Puzzle, Reason, action_name
from winnable.contract.provenance import ClosedSet
from winnable.words import has, own_key, t, tn


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution(Answer):
    """What `solve --json` prints: the answer, and to what; `verify` reads it back. settings: of the solver,
    all of them. closed_set: of an `unsolvable` one, where it is small enough to be checked by the rules."""

    game: str
    level_id: str
    solver: str
    settings: dict[str, Any]
    seed: int
    closed_set: ClosedSet | None = None


def limit_text(limit: Limit, game: str) -> str:
    """What ended a search."""
    return t(own_key(f"limit.{limit.kind}", game), value="" if limit.value is None else f"{limit.value:,g}")


def best_text(best: Best) -> str:
    """How far an undecided search came."""
    if has(key := f"best.{best.measure}"):
        return t(key, value=f"{best.value:g}", target="–" if best.target is None else f"{best.target:g}")
    measure = t(f"measure.{best.measure}")
    found = t("best", measure=measure, value=f"{best.value:g}")
    return found if best.target is None else found + t("best.target", value=f"{best.target:g}")


def is_short(limit: Limit | None) -> bool:
    """Whether there is a line for which the level does not give enough."""
    return limit is not None and limit.kind == "supply"


def line_text(best: Best, game: str) -> str:
    """A line for which the level does not give enough."""
    key = own_key(f"line.{best.measure}", game)
    moves = tn(own_key("count.moves", game), len(best.actions))
    target = "–" if best.target is None else f"{best.target:g}"
    return t(key if has(key) else "line.supply", moves=moves, value=f"{best.value:g}", target=target)


def closed_set_text(closed_set: ClosedSet) -> str:
    """One sentence."""
    kinds = t("cli.proof.kinds", kinds=closed_set.kinds) if closed_set.kinds else ""
    positions = tn("cli.positions", closed_set.positions)
    return t(f"cli.proof.{closed_set.reading}", kinds=kinds, positions=positions)


def verdict_text(result: Answer, game: str) -> str:
    """One sentence, or two."""
    if result.status == "unsolvable":
        return t("cli.unsolvable")
    if result.status == "budget" and result.best is not None and is_short(result.limit):
        return line_text(result.best, game)
    if result.status == "budget":
        ended = t("cli.ended", limit=limit_text(result.limit, game)) if result.limit else ""
        return t("cli.unknown") + ended
    count = len(result.actions)
    more = "" if result.cost in (None, count) else t("cli.cost", cost=result.cost)
    if result.optimal:
        more += t("cli.least")
    elif result.lower_bound is not None and result.lower_bound != result.cost:
        more += t("cli.bound", bound=result.lower_bound)
    ended = t("cli.ended", limit=limit_text(result.limit, game)) if result.limit else ""
    return tn("cli.solved", count, more=more) + ended


def reason_text(puzzle: Puzzle, reason: Reason) -> str:
    """Why a position is lost, and what it calls marked."""
    said = t(f"reason.{reason.why}", **reason.values)
    names = [short_name(action_name(puzzle, action)) for action in reason.marked]
    return said + (t("cli.reason.marked", names=names) if names else "")
