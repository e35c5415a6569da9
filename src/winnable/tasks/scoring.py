"""What an answer to a task is worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from winnable import words
from winnable.analysis.by_proof import ByProof
from winnable.analysis.verdicts import Point
from winnable.contract.abilities import SetsTasks
from winnable.contract.core import (
    Action,
    Answer,
    Budget,
    IllegalAction,
    Puzzle,
    WinnableError,
    action_name,
    completion,
    finish,
)
from winnable.contract.errors import printable, shortened
from winnable.tasks.answers import Piece, read

EFFORT = 2_000_000
"""Positions that one search may try: a count, not a clock, so that an answer has one score everywhere."""


class Proved(NamedTuple):
    """What is proved of the level; see `Task`."""

    verdict: str
    line: Sequence[Action]
    par: int | None
    least: int


@dataclass(frozen=True, slots=True)
class Score:
    """What an answer is worth, and why.

    value:   from 0 to 1. A line that wins: (1 + par / length) / 2. A right claim that none does: 1. On a
             solvable level, moves that do not win: half of how far they came before the game was lost. All
             else: 0
    won:     the moves reach the goal
    claimed: it is the claim that no moves do
    length:  how many moves were played, up to the goal or the first that cannot be
    par:     of the task
    lost_at: how many moves had been played when the one that lost the game was, as it is proved; None: none
             did, or it is not proved which
    move, better: that move, and one that still won
    reason:  why the position after it is lost, in words that the rules have checked; None: no short one is
             known
    fault:   why the answer was not played, or not to its end
    blind:   what the claim that no moves win is worth on this task, whoever makes it: 1 or 0; see
             `above_chance`
    """

    value: float
    won: bool = False
    claimed: bool = False
    length: int = 0
    par: int | None = None
    lost_at: int | None = None
    move: str | None = None
    better: str | None = None
    reason: str | None = None
    fault: str | None = None
    blind: float = 0.0


def above_chance(scores: Iterable[Score]) -> float | None:
    """How much of what can be gained over answering blindly these scores gain: (mean - blind) / (1 - blind),
    where `blind` is what always answering "unsolvable" is worth on the same tasks. 0 for that, 1 where all is
    right, less than 0 for what is worse. None: there are no scores, or "unsolvable" is right everywhere, so
    that no answer could tell."""
    known = [*scores]
    blind = sum(score.blind for score in known)
    return (
        (sum(score.value for score in known) - blind) / (len(known) - blind) if blind < len(known) else None
    )


def score(game: SetsTasks, puzzle: Puzzle, proved: Proved, answer: object) -> Score:
    """Scores an answer to a task; see `Task.score`. Says its words in the language of now. Raises
    WinnableError where a line wins that is said to be unsolvable, which no task is that was made here."""
    none = Score(0.0, par=proved.par, blind=float(proved.verdict == "unsolvable"))
    try:
        said = read(answer, puzzle)
        if isinstance(said, bool):
            return replace(none, value=none.blind, claimed=True)
        point, fault = _played(puzzle, said)
    except WinnableError as error:
        return replace(none, fault=error.said(words.language()))
    played = replace(none, length=point.ply, fault=fault)
    if puzzle.is_goal(point.state):
        if proved.verdict == "unsolvable":
            raise WinnableError("task.won", field="verdict")
        return replace(played, value=(1 + proved.least / max(1, point.ply)) / 2, won=True, fault=None)
    if proved.verdict != "solvable":
        return played
    return _lost(game, puzzle, proved, point, played)


def _played(puzzle: Puzzle, pieces: Iterator[Piece]) -> tuple[Point, str | None]:
    """The game up to the goal or the first move that cannot be, and why that cannot."""
    states, actions = [puzzle.initial()], list[Action]()
    for piece in pieces:
        if puzzle.is_goal(states[-1]):
            break
        try:
            if piece.action is None:
                raise piece.fault or IllegalAction("cli.action", given=piece.text)
            states.append(puzzle.apply(states[-1], piece.action))
        except IllegalAction as error:
            why = error.said(words.language())
            number = len(states)
            fault = words.t("task.move", number=number, move=printable(shortened(piece.text)), why=why)
            return Point(states, actions, len(actions)), fault
        actions.append(piece.action)
    return Point(states, actions, len(actions)), None


def _lost(game: SetsTasks, puzzle: Puzzle, proved: Proved, point: Point, played: Score) -> Score:
    """Of moves that do not win a level that can be won. The solver is the first one, which has no memory of
    what it was asked before."""
    proofs = ByProof(game, puzzle, next(iter(game.solvers.values())))
    optimal = proved.par is not None
    line = Answer("solved", tuple(proved.line), len(proved.line), proved.least, optimal=optimal)
    proofs.learn(point.states[0], line)
    ply = finish(proofs.mistake(point, Budget(expanded=EFFORT)))
    kept = proofs.verdicts(point.states).winnable
    value = _progress(proofs, proved, point._replace(ply=kept)) / 2
    if ply is None:
        return replace(played, value=value)
    reason = finish(proofs.reason(point.states[ply + 1], Budget()))
    better = proofs.hint(point.states[ply])
    return replace(
        played,
        value=value,
        lost_at=ply,
        move=action_name(puzzle, point.actions[ply]),
        better=None if better is None else action_name(puzzle, better),
        reason=None if reason is None else words.t(f"reason.{reason.why}", **reason.values),
    )


def _progress(proofs: ByProof, proved: Proved, point: Point) -> float:
    """How much of the level is done, from 0 to 1: as the game says, or by the moves that are needed still."""
    if point.ply == 0:
        return 0.0
    done = completion(proofs.puzzle, point.state)
    if done is not None:
        return done
    needed = finish(proofs.needed(point, Budget(expanded=EFFORT)))
    return 0.0 if needed is None or proved.par is None else max(0.0, 1 - needed / proved.par)
