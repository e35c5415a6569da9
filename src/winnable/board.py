"""A level under one's hands: `winnable.load` gives a board that is played, asked and drawn."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from winnable import words
from winnable.analysis import companion_of
from winnable.analysis.by_proof import ByProof
from winnable.analysis.margin import Margin
from winnable.analysis.rating import rating_of
from winnable.analysis.verdicts import Point, Verdict
from winnable.contract.abilities import solvers_of
from winnable.contract.budget import Budget, SolveResult, Status
from winnable.contract.core import Action, IllegalAction, Named, WinnableError, action_name
from winnable.contract.methods import choose, parse_method
from winnable.contract.registry import GAMES
from winnable.levels.files import NamedLevel, read_file, write_file
from winnable.levels.find import find_level, find_level_or_board, is_file
from winnable.levels.identity import MAKING_SECONDS
from winnable.play.session import Session, Standing
from winnable.stats.difficulty import Rating

Move = str | Action
"""As the game writes it, such as `(2,1)` or `left`; or its number."""
QUESTION_SECONDS = 10.0
"""For each question of a report, at most."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What a solver found of a position.

    status:      `solved`, with a line that the rules replayed; `unsolvable`: an exhaustive search found none;
                 `budget`: the search ended before
    moves:       the line
    cost:        of the line: how many moves, in most games
    lower_bound: no line costs less; None where nothing is known of that
    optimal:     it is proved that no line costs less than this one
    expanded, generated: positions whose moves were tried, and positions so made
    seconds:     that it took
    limit:       what ended an undecided search, such as `time`; else None
    """

    status: Status
    moves: tuple[str, ...]
    cost: int | None
    lower_bound: int | None
    optimal: bool
    expanded: int
    generated: int
    seconds: float
    limit: str | None


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of the moves played so far.

    verdict: on the position on the board
    lost_at: how many moves had been played when the one that lost the game was; None: the game is not lost,
             never could be won, or the time did not suffice to name the move
    move, better: that move, and one that still won
    reason:  why the position after it is lost, in words that the rules have checked; None: no short one is
             known
    """

    verdict: Verdict
    lost_at: int | None = None
    move: str | None = None
    better: str | None = None
    reason: str | None = None


class Board:
    """A game on one level. What is asked is asked of the position on the board, and what was once found out
    is remembered. In a notebook it draws itself, `print` shows it as characters."""

    def __init__(self, session: Session) -> None:
        """Made by `load`."""
        self._session = session
        self._companion = companion_of(session.game, session.level, session.puzzle)

    @property
    def game(self) -> str:
        return self._session.game.name

    @property
    def id(self) -> str:
        """What the level is called: a shipped level's name, an identity, or `GAME@` and a hash."""
        return self._session.level_id

    @property
    def code(self) -> str:
        """The level as one line of text, in the notation of its game; `load(f"{game}:{code}")` reads it."""
        return self._session.game.format_board(self._session.level)

    @property
    def standing(self) -> Standing:
        """`playing`, `won`, `lost` (no move is left), or `over` in a game without a goal."""
        return self._session.standing

    @property
    def moves(self) -> list[str]:
        """That were played."""
        return [self._name(action) for action in self._session.actions[: self._session.ply]]

    @property
    def legal_moves(self) -> list[str]:
        return [self._name(action) for action in self._session.puzzle.legal_actions(self._session.state)]

    def push(self, *moves: Move) -> Board:
        """Plays them, one after the other, and returns the board. Raises IllegalAction; those before the
        illegal one are played then."""
        for move in moves:
            self._session.act(self._action(move))
        return self

    def pop(self) -> str:
        """Takes back the last move and returns it. Raises WinnableError at the start."""
        last = self._session.last_action
        self._session.undo()
        assert last is not None
        return self._name(last)

    def copy(self) -> Board:
        """To be played on its own; what is known of the level both know."""
        other = copy(self)
        session = self._session
        other._session = Session.grown(
            NamedLevel(session.game, session.level, session.level_id), session.saved_tree()
        )
        return other

    # -- what can be asked -----------------------------------------------------------------------------------

    def verdict(self, seconds: float = 5.0) -> Verdict:
        """`winnable`, `lost`, or `unknown` where the time did not suffice. Raises WinnableError for a game
        without a goal."""
        return self._proofs("verdict").decide(self._point, Budget(seconds))

    def line(self, seconds: float = 5.0) -> list[str] | None:
        """Moves that win from here, as the rules have checked; None: none is known within the time. Raises
        likewise."""
        self.verdict(seconds)
        line = self._proofs("line").line(self._session.state)
        return None if line is None else [*map(self._name, line)]

    def hint(self, seconds: float = 5.0) -> str | None:
        """The next move of a winning line or, where nothing can be won, of the game's own player; None: there
        is none, or none is known within the time."""
        session = self._session
        if isinstance(self._companion, ByProof):
            self.verdict(seconds)
            action = self._companion.hint(session.state)
            return None if action is None else self._name(action)
        if session.standing != "playing":
            return None
        player = session.game.players[self._companion.adviser](session.puzzle, 0)
        return self._name(player.choose(session.state))

    def values(self, seconds: float = 5.0) -> dict[str, float]:
        """What each move is worth, the best first, in games without a goal that can say it; else empty."""
        if isinstance(self._companion, ByProof):
            return {}
        values = self._companion.values(self._session.state, Budget(seconds))
        return {self._name(action): value for action, value in sorted(values, key=lambda pair: -pair[1])}

    def solve(self, seconds: float = 10.0, solver: str = "", seed: int = 0) -> Solution:
        """solver: as `NAME` or `NAME(key=value,...)`; "": the game's default one. Raises WinnableError for a
        solver that the game does not have."""
        game, session = self._session.game, self._session
        solvers = solvers_of(game)
        wanted = parse_method(solver or next(iter(solvers), ""))
        method = choose("solver", solvers, wanted, game.name).method
        found: SolveResult = method(session.puzzle, session.state, Budget(seconds), seed)
        self._companion.learn(session.state, found)
        return Solution(
            status=found.status,
            moves=tuple(map(self._name, found.actions)),
            cost=found.cost,
            lower_bound=found.lower_bound,
            optimal=found.optimal,
            expanded=found.expanded,
            generated=found.generated,
            seconds=found.seconds,
            limit=found.limit and found.limit.kind,
        )

    def report(self, seconds: float = 30.0) -> Report:
        """Which move lost the game, and why. Raises WinnableError for a game without a goal."""
        proofs, point, whole = self._proofs("report"), self._point, Budget(seconds)

        def budget() -> Budget | None:
            left = whole.part(most=QUESTION_SECONDS)
            return left if left.seconds > 0 else None

        verdict = proofs.decide(point, whole.part(0.5))
        ply = proofs.mistake(point, budget)
        if ply is None:
            return Report(verdict)
        reason = proofs.reason(point.states[ply + 1], whole.part(most=QUESTION_SECONDS))
        better = proofs.hint(point.states[ply])
        return Report(
            verdict=verdict,
            lost_at=ply,
            move=self._name(point.actions[ply]),
            better=None if better is None else self._name(better),
            reason=None if reason is None else words.t(f"reason.{reason.why}", **reason.values),
        )

    def margin(self, seconds: float = 5.0) -> Margin:
        """Of how many legal moves it is proved that they still win, and that they keep the fewest. Raises
        WinnableError for a game without a goal."""
        proofs, whole = self._proofs("margin"), Budget(seconds)
        proofs.decide(self._point, whole.part(0.5))
        *_, found = Margin(len(self.legal_moves), None, None), *proofs.margin(self._session.state, whole)
        return found

    def difficulty(self, seconds: float = 20.0) -> Rating | None:
        """How hard the level is for a person; None: the game cannot tell, or not within the time."""
        session = self._session
        return rating_of(NamedLevel(session.game, session.level, session.level_id), Budget(seconds))

    # -- what is shown and kept ------------------------------------------------------------------------------

    def svg(self) -> str:
        return self._session.game.svg(self._session.puzzle, self._session.state)

    def save(self, path: str | Path) -> None:
        """The level with all that was played, for `load` and `winnable play`. Raises WinnableError."""
        write_file(Path(path), self._session.save() + b"\n")

    def __str__(self) -> str:
        return self._session.game.render(self._session.puzzle, self._session.state)

    def __repr__(self) -> str:
        return f"<winnable.Board {self.id}, {self._session.ply} moves, {self.standing}>"

    def _repr_svg_(self) -> str:
        return self.svg()

    # -- parts -----------------------------------------------------------------------------------------------

    @property
    def _point(self) -> Point:
        session = self._session
        return Point(session.states[: session.ply + 1], session.actions[: session.ply], session.ply)

    def _proofs(self, what: str) -> ByProof:
        if not isinstance(self._companion, ByProof):
            raise WinnableError("none", field=what, game=self.game)
        return self._companion

    def _name(self, action: Action) -> str:
        return action_name(self._session.puzzle, action)

    def _action(self, move: Move) -> Action:
        if not isinstance(move, str):
            return move
        puzzle: Any = self._session.puzzle
        if isinstance(puzzle, Named):
            return puzzle.parse_action(move)
        raise IllegalAction("cli.action", given=move[:40])


def load(level: str | Path, *, seed: int = 0, board: str | None = None) -> Board:
    """level: a file (a level, a saved game, or one of another program), an identity such as
             `triple:layers=12#5`, `GAME:daily`, a level that ships such as `drops/05-puddle`, `GAME:BOARD`,
             or a game's name, alone or with `board`
    seed:    makes the default level, and deals a file that holds a layout only
    board:   the level in the text notation of its game

    Raises WinnableError.
    """
    text = str(level)
    if board is None and is_file(text):
        return Board(Session.read(read_file(Path(text)), seed))
    if board is None and text not in GAMES:
        return Board(Session(find_level_or_board(text, "", Budget(MAKING_SECONDS))))
    return Board(Session(find_level(text, seed, Budget(MAKING_SECONDS), board)))


def solve(
    level: str | Path, *, board: str | None = None, seconds: float = 10.0, solver: str = "", seed: int = 0
) -> Solution:
    """See `load` and `Board.solve`."""
    return load(level, seed=seed, board=board).solve(seconds, solver, seed)
