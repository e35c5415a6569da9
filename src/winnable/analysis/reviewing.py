"""A game looked at again: what is found out one after the other, and for programs what that comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, TypeAlias

from winnable import words
from winnable.analysis import ByProof, Companion
from winnable.analysis.by_outlook import ByOutlook
from winnable.analysis.costs import Cost, Measure, Narrowing, Review, Room
from winnable.analysis.margin import narrowings
from winnable.analysis.verdicts import Point, Verdict, Verdicts
from winnable.contract.abilities import ProvesFewest
from winnable.contract.core import Budget, Progress, Reason, action_name
from winnable.play.session import Session, Standing

QUESTION_SECONDS, REASON_SECONDS, ROOM_SECONDS = 10.0, 3.0, 1.0
"""For a question to the solver; for why the game is lost; for the room in one state."""
MOST_BARS = 60

Told: TypeAlias = Verdicts | Reason | Cost | Narrowing
Turn: TypeAlias = Literal["lost", "narrowed", "detour", "cost"]
Unit: TypeAlias = Literal["moves", "score", "share", "chance"]
_UNITS: Mapping[Measure, Unit] = {"expected": "score", "kept": "share", "chance": "chance"}


def looking_back(
    companion: Companion, point: Point, budget: Budget, around: float = inf
) -> Iterator[Progress | Told]:
    """Which action lost the game, and why; what the others cost, from the last to the first; how much room
    they left. around: seconds for that. The point's ply is nothing to it."""
    if isinstance(companion, ByOutlook):
        yield from companion.costs(point, budget)
        return
    yield from companion.blame(point, budget, QUESTION_SECONDS)
    if (lost := companion.verdicts(point.states).lost) is not None:
        reason = yield from companion.reason(point.states[lost], budget.part(most=REASON_SECONDS))
        if reason is not None:
            yield reason
    yield from companion.detours(point, budget, QUESTION_SECONDS)
    yield from narrowings(companion, point, budget.part(most=around), ROOM_SECONDS)


@dataclass
class Findings:
    """What `looking_back` told."""

    costs: list[Cost] = field(default_factory=list[Cost])
    rooms: list[Narrowing] = field(default_factory=list[Narrowing])
    reason: Reason | None = None

    def take(self, told: Told) -> None:
        if isinstance(told, Cost):
            self.costs.append(told)
        elif isinstance(told, Narrowing):
            self.rooms.append(told)
        elif isinstance(told, Reason):
            self.reason = told

    def player(self, companion: ByOutlook, point: Point) -> str:
        """By whose play on costs are what they are; "": none is known, or several are."""
        players = {companion.worth(point.states[cost.ply]).compared_by for cost in self.costs}
        return players.pop() if len(players) == 1 else ""

    def review(self, companion: Companion, point: Point) -> Review:
        if isinstance(companion, ByOutlook):
            return companion.review(point, self.costs)
        return companion.review(point, self.costs, self.rooms)


@dataclass(frozen=True, slots=True)
class MoveReview:
    """What is known of a move that was played.

    ply:     how many moves had been played before it
    verdict: on the position after it; `unknown` in a game without a goal
    turn:    why it is among those that mattered most: it `lost` the game, `narrowed` what still wins, was a
             `detour`, or `cost` most of what could be expected. None: it is not among them
    cost:    at least and at most, in the unit of the review, how much less it was worth than the best move.
             In a game with a goal how many moves more are needed after it, infinitely many where none wins
             any more. In one without a goal both are what the player expects. None: it is not known, or
             there was nothing left to lose
    value:   in the same unit, what the best move was worth: the fewest moves from there, or what was still to
             be expected; None: it is not known, or of shares, of which it is all
    better:  a move that was better; None: none is known
    room:    of how many moves how many still won, before it and after it; None: it is not known
    """

    ply: int
    move: str
    verdict: Verdict
    turn: Turn | None = None
    cost: tuple[float, float] | None = None
    value: float | None = None
    better: str | None = None
    room: tuple[Room, Room] | None = None


@dataclass(frozen=True, slots=True, repr=False)
class GameReview:
    """A game that was looked at again; `print` shows the moves that mattered most, and its course.

    moves:   all that were played
    turning: those that mattered most, at most three, the worst first
    lost:    the plies of the first and the last move among which is the one that lost the game, alike where
             it is known; None: the game is not known to be lost, or never could be won
    reason:  why the position after it is lost, in words that the rules have checked; None: none is known
    course:  a figure for each position, one more than moves; None where it is not known
    measure: what that is: how much of the level is done (`completion`), how many moves are needed at the
             least (`remaining`), the score to expect in all (`expected`), which share of what could be
             expected the moves have `kept`, or the `chance` to make the goal
    unit:    what costs are counted in
    player:  by whose play on costs are what they are; "": of games with a goal, or of several players
    is_cut:  whether some of it is open because the time ended: more may be found in a longer one
    """

    game: str
    level: str
    standing: Standing
    moves: Sequence[MoveReview]
    turning: Sequence[MoveReview]
    lost: tuple[int, int] | None
    reason: str | None
    course: Sequence[float | None]
    measure: Measure
    unit: Unit
    player: str
    is_cut: bool

    def __repr__(self) -> str:
        plies = ", ".join(str(move.ply) for move in self.turning)
        return f"<winnable.GameReview {self.level}, {len(self.moves)} moves, turning at [{plies}]>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def __str__(self) -> str:
        played = words.tn(words.own_key("count.moves", self.game), len(self.moves))
        parts = [self.level, played, words.t(f"standing.{self.standing}")]
        lines = [words.t("list.comma").join(parts)]
        lines += [f"  {self._said(move)}" for move in self.turning]
        if self.reason is not None:
            lines.append(f"  {self.reason}")
        if any(figure is not None for figure in self.course):
            lines += [f"{words.t(f'review.{self.measure}')}:", f"  {_bars(self.course)}"]
        if self.is_cut:
            lines.append(words.t("review.cut"))
        return "\n".join(lines)

    def _said(self, move: MoveReview) -> str:
        place = {"place": words.t("timeline.move", ply=move.ply + 1), "name": move.move}
        if move.turn in ("detour", "cost"):
            return words.t("costs.move", **place, cost=self._loss(move), best=move.better)
        if move.turn == "narrowed" and move.room is not None:
            before, after = move.room
            numbers = {"wins_after": after.wins, "legal_after": after.legal}
            room = words.t("review.room", wins=before.wins, legal=before.legal, **numbers)
            told = words.t("review.narrowed", **place, room=room)
        else:
            first, last = self.lost or (move.ply, move.ply)
            ends = {"first": first + 1, "last": last + 1}
            noun = words.t(words.own_key("move", self.game))
            told = (
                words.t("review.lost", **place)
                if first == last
                else words.t("report.range", move=noun, **ends)
            )
        return told if move.better is None else words.t("review.better", told=told, name=move.better)

    def _loss(self, move: MoveReview) -> str:
        cost, value = move.cost[0] if move.cost else 0.0, move.value or 0.0
        if self.unit == "moves":
            return words.t(
                "costs.loss.moves", moves=words.tn(words.own_key("count.moves", self.game), int(cost))
            )
        if self.unit == "chance":
            ends = {"from": f"{_percent(value)} %", "to": f"{_percent(value - cost)} %"}
            return words.t("costs.loss.chance", n=_percent(cost), **ends)
        if self.unit == "share":
            return words.t("costs.loss.share", share=f"{_percent(cost)} %")
        points = f"{cost:,.0f}" if cost >= 10 else f"{cost:.2g}"
        return words.t("costs.loss", n=points, share=f"{_percent(cost / value if value else 0)} %")


def _percent(share: float) -> str:
    return f"{100 * share:.0f}" if share >= 0.1 else f"{100 * share:.2g}"


def _bars(course: Sequence[float | None]) -> str:
    """A bar for each figure, or for the last of as many as share one; a dot where there is none."""
    step = -(-len(course) // MOST_BARS)
    shown = [course[min(at + step, len(course)) - 1] for at in range(0, len(course), step)]
    most = max(figure for figure in course if figure is not None) or 1
    return "".join("·" if figure is None else "▁▂▃▄▅▆▇█"[round(7 * figure / most)] for figure in shown)


def reviewed(
    companion: Companion, session: Session, point: Point, found: Findings, is_cut: bool
) -> GameReview:
    """The record of it, with moves as the game writes them. is_cut: the time ended what was asked."""
    review, verdicts = found.review(companion, point), companion.verdicts(point.states)
    blunder = verdicts.blunder
    moves = _Moves(companion, session.puzzle, point, found, review, verdicts)
    told = [moves.told(ply) for ply in range(len(point.actions))]
    is_open = isinstance(companion, ByProof) and any(move.verdict == "unknown" for move in told)
    why = found.reason
    return GameReview(
        game=session.game.name,
        level=session.level_id,
        standing=session.standing_of(point.states[-1]),
        moves=told,
        turning=[told[ply] for ply in review.turning],
        lost=None if blunder is None else (blunder.first, blunder.last),
        reason=None if why is None else words.t(f"reason.{why.why}", **why.values),
        course=review.course,
        measure=review.measure,
        unit=_UNITS.get(review.measure, "moves"),
        player=found.player(companion, point) if isinstance(companion, ByOutlook) else "",
        is_cut=is_cut or is_open,
    )


class _Moves:
    def __init__(
        self,
        companion: Companion,
        puzzle: Any,
        point: Point,
        found: Findings,
        review: Review,
        verdicts: Verdicts,
    ) -> None:
        self._companion, self._puzzle, self._point, self._verdicts = companion, puzzle, point, verdicts
        self._turning, self._measure = review.turning, review.measure
        self._costs = {cost.ply: cost for cost in found.costs}
        self._rooms = {room.ply: room for room in found.rooms}

    def told(self, ply: int) -> MoveReview:
        cost, room = self._costs.get(ply), self._rooms.get(ply)
        better = self._better(ply, cost, room)
        is_share = self._measure == "kept"
        return MoveReview(
            ply=ply,
            move=action_name(self._puzzle, self._point.actions[ply]),
            verdict=self._verdicts.at(ply + 1),
            turn=self._turn(ply) if ply in self._turning else None,
            cost=self._bounds(ply, cost),
            value=None if cost is None or is_share else cost.value,
            better=None if better is None else action_name(self._puzzle, better),
            room=None if room is None else (room.before, room.after),
        )

    def _turn(self, ply: int) -> Turn:
        if isinstance(self._companion, ByOutlook):
            return "cost"
        if self._verdicts.blunder is not None and ply == self._verdicts.blunder.first:
            return "lost"
        return "narrowed" if ply in self._rooms else "detour"

    def _better(self, ply: int, cost: Cost | None, room: Narrowing | None) -> int | None:
        if cost is not None:
            return cost.best if cost.cost > 0 else None
        if ply == self._verdicts.mistake:
            return self._companion.hint(self._point.states[ply])
        return None if room is None else room.better

    def _bounds(self, ply: int, cost: Cost | None) -> tuple[float, float] | None:
        if cost is not None:
            lost = cost.cost
            if self._measure == "kept":
                lost = cost.cost / cost.value if cost.value > 0 else 0.0
            return lost, lost
        known, verdicts = self._companion, self._verdicts
        if not isinstance(known, ByProof) or verdicts.at(ply) == "lost":
            return None
        before, after = self._point.states[ply : ply + 2]
        verdict = verdicts.at(ply + 1)
        if verdict == "lost":
            return (inf if verdicts.at(ply) == "winnable" else 0), inf
        if not isinstance(known.game, ProvesFewest):
            return 0, 0 if verdict == "winnable" else inf
        upper, least = known.remaining(before), known.at_least(before)
        low = 0 if upper is None else max(0, known.at_least(after) + 1 - upper)
        left = known.remaining(after)
        return low, inf if left is None else left + 1 - least
