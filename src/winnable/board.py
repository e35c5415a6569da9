"""For programs and notebooks: `winnable.load` gives a board that is played, asked and drawn."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from html import escape
from math import inf
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from winnable import words
from winnable.analysis import companion_of
from winnable.analysis.by_proof import ByProof
from winnable.analysis.engine import COMPILING, engine
from winnable.analysis.margin import Margin, margins, open_margin
from winnable.analysis.rating import rating_of, shipped_ratings
from winnable.analysis.reviewing import Findings, GameReview, looking_back, reviewed
from winnable.analysis.verdicts import Point, Verdict
from winnable.contract.abilities import ProvesFewest, players_of, solvers_of
from winnable.contract.arguments import MAX_SEED, of_kind, several, whole
from winnable.contract.arguments import path as path_of
from winnable.contract.budget import Answer, Budget, Limit, Progress, Search, answer_of
from winnable.contract.chance import GoalChance
from winnable.contract.core import (
    Action,
    IllegalAction,
    LevelError,
    WinnableError,
    action_name,
    action_number,
    finish,
    parsed_action,
    with_moves,
)
from winnable.contract.methods import choose_method
from winnable.contract.registry import GAMES, abouts, load_game, loaded_games
from winnable.levels.files import NamedLevel, encode_level, write_file
from winnable.levels.find import find_level, find_named, in_file, level_text
from winnable.levels.identity import MAKING_SECONDS, content_id
from winnable.play.animation import DELAY, Animation, as_source
from winnable.play.exporting import exported
from winnable.play.links import session_on
from winnable.play.nodes import Node
from winnable.play.session import Session, Standing
from winnable.stats.difficulty import Rating

Move = str | Action
"""As the game writes it, such as `(2,1)` or `left`; or its number."""
QUESTION_SECONDS = 10.0
"""For each question of a report, at most."""
MOST_SHOWN = 60
"""Boards in a notebook's list."""
GRACE_SECONDS = 0.3
"""Beyond the time, for a search that ends with what it has."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of the moves played so far.

    verdict: on the position on the board
    lost_at: how many moves had been played when the one that lost the game was; None: the game is not lost,
             never could be won, or the time did not suffice to name the move
    move, better: that move, and one that still won
    reason:  why the position after it is lost, or the one on the board where no move is named, in words that
             the rules have checked; None: it is not lost, or no short one is known
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
        """Made by `load`; or of a `Session`. Raises WinnableError."""
        self._session = of_kind("session", session, Session)
        self._companion = companion_of(session.game, session.level, session.puzzle)

    @property
    def game(self) -> str:
        """Its name, such as `drops`."""
        return self._session.game.name

    @property
    def id(self) -> str:
        """What the level is called: a shipped level's name, an identity, or `GAME@` and a hash."""
        return self._session.level_id

    @property
    def named(self) -> NamedLevel:
        """The level, its game and what it is called."""
        return NamedLevel(self._session.game, self._session.level, self.id)

    @property
    def code(self) -> str:
        """The level as one line of text, in the notation of its game; `load(f"{game}:{code}")` reads it."""
        return self._session.game.format_board(self._session.level)

    @property
    def standing(self) -> Standing:
        """`playing`, `won`, `lost` (no move is left), or `over` in a game without a goal."""
        return self._session.standing

    @property
    def ply(self) -> int:
        """How many moves were played."""
        return self._session.ply

    @property
    def moves(self) -> list[str]:
        """That were played."""
        return [self._name(action) for action in self._session.actions[: self._session.ply]]

    @property
    def legal_moves(self) -> list[str]:
        """What `push` takes here, as the game writes it."""
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

    def redo(self) -> str:
        """Plays again what was taken back last and returns it. Raises WinnableError when nothing was."""
        self._session.redo()
        return self.moves[-1]

    @property
    def tree(self) -> Node:
        """The start, and from there all that was tried: what was taken back, too."""
        return Node(self._session, 0)

    def go_to(self, place: Node | int) -> Board:
        """Puts another position on the board and returns it: one of `tree`, also of a copied board's; or, by
        its ply, one of the main line, that of `moves` and of what `redo` plays. What was played stays in the
        tree. Raises WinnableError."""
        if isinstance(place, Node):
            self._session.go_to(place.number_in(self._session))
        else:
            self._session.go_to_ply(place)
        return self

    def __eq__(self, other: object) -> bool:
        """Of two boards in the same position of the same level, however they came there, were called or
        certified."""
        if not isinstance(other, Board):
            return NotImplemented
        ours, theirs = self._session, other._session
        return (
            ours.game is theirs.game
            and ours.state == theirs.state
            and content_id(ours.game, ours.level) == content_id(theirs.game, theirs.level)
        )

    def copy(self) -> Board:
        """To be played on its own; what is known of the level both know. `copy.copy` does the same; what
        `copy.deepcopy` and `pickle` make knows what this one knew."""
        other = object.__new__(type(self))
        other._session, other._companion = copy(self._session), self._companion
        return other

    __copy__ = copy

    # -- what can be asked -----------------------------------------------------------------------------------

    def verdict(self, seconds: float = 5.0) -> Verdict:
        """`winnable`, `lost`, or `unknown` where the time did not suffice. Raises WinnableError for a game
        without a goal."""
        proofs = self._proofs("verdict")
        self._decide(proofs, _Seconds(seconds))
        return proofs.verdict(self._session.state)

    def line(self, seconds: float = 5.0) -> list[str] | None:
        """Moves that win from here, as the rules have checked; None: none is known within the time. Raises
        likewise."""
        self.verdict(seconds)
        line = self._proofs("line").line(self._session.state)
        return None if line is None else [*map(self._name, line)]

    def hint(self, seconds: float = 5.0) -> str | None:
        """The next move of a winning line or, where nothing can be won, of the game's own player; None: there
        is none, or none is known within the time."""
        state, companion, budget = self._session.state, self._companion, _Seconds(seconds)
        if isinstance(companion, ByProof):
            self._decide(companion, budget)
            action = companion.hint(state)
        else:
            choices = companion.choices(state, budget) if self.standing == "playing" else ()
            action = next(budget.told(choices), None)
        return None if action is None else self._name(action)

    def values(self, seconds: float = 5.0) -> dict[str, float]:
        """What each move is worth, the best first, in games without a goal that can say it; else empty, also
        where the time did not suffice. In 2048 the score to come or, with a goal that is not made yet, the
        chance to make it, 0 to 1; in tetris the share of the lines to come that it leaves."""
        companion, budget = self._companion, _Seconds(seconds)
        if isinstance(companion, ByProof):
            return {}
        found = budget.told(companion.worths(self._session.state, budget))
        values = dict(next((values for values in found if values), ()))
        return {self._name(action): values[action] for action in sorted(values, key=lambda one: -values[one])}

    def chance(self, seconds: float = 5.0) -> GoalChance | None:
        """The chance to make the level's goal, in a game of chance that has one on its way, such as a tile of
        2048: exact on small boards, else by games of a player who is named, with an interval. None: there is
        no goal, or it is made."""
        state, companion, budget = self._session.state, self._companion, _Seconds(seconds)
        if isinstance(companion, ByProof) or self.standing != "playing":
            return None
        found = budget.finish(companion.outlook(state, budget))
        return found.goal if found else GoalChance() if companion.aims(state) else None

    def solve(self, seconds: float = 10.0, solver: str = "", seed: int = 0) -> Answer:
        """solver: as `NAME` or `NAME(key=value,...)`; "": the game's default one. Raises WinnableError for a
        solver that the game does not have."""
        game, seed, budget = self._session.game, whole("seed", seed, 0, MAX_SEED), _Seconds(seconds)
        method = choose_method("solver", solvers_of(game), solver, self.game).method
        found = Answer("budget", limit=Limit("time", seconds))
        for found in budget.told(self._proofs("solver").solve(self._point, method, budget, seed)):
            is_best = found.optimal or not isinstance(game, ProvesFewest)
            if not solver and (found.status == "unsolvable" or (found.status == "solved" and is_best)):
                break
        return with_moves(self._session.puzzle, found)

    def play(
        self, player: str = "", seconds: float = 10.0, seed: int = 0, most: int | None = None
    ) -> list[str]:
        """Lets a player play on from here, until the game or the time ends, or for `most` moves, which are
        returned. player: as `NAME` or `NAME(key=value,...)`; "": the game's default one. Raises WinnableError
        for a player that the game does not have."""
        session, seed, budget = self._session, whole("seed", seed, 0, MAX_SEED), _Seconds(seconds)
        left = inf if most is None else whole("most", most, 0)
        make = choose_method("player", players_of(session.game), player, self.game).method
        chosen, played = make(session.puzzle, seed), list[str]()
        while self.standing == "playing" and len(played) < left and budget.elapsed < budget.seconds:
            choose = partial(chosen.choose, session.state)
            if (action := budget.finish(engine().run(choose, budget, session.game))) is None:
                break
            played.append(self._name(action))
            session.act(action)
        return played

    def report(self, seconds: float = 30.0) -> Report:
        """Which move lost the game, and why. Raises WinnableError for a game without a goal."""
        proofs, point, budget = self._proofs("report"), self._point, _Seconds(seconds)
        self._decide(proofs, budget.part(0.5))
        ply, reason = None, None
        if proofs.verdict(point.state) != "winnable":
            budget.finish(proofs.mistake(point, budget, QUESTION_SECONDS))
            ply = proofs.verdicts(point.states).mistake
            lost = point.state if ply is None else point.states[ply + 1]
            reason = budget.finish(proofs.reason(lost, budget.part(most=QUESTION_SECONDS)))
        better = None if ply is None else proofs.hint(point.states[ply])
        return Report(
            verdict=proofs.verdict(point.state),
            lost_at=ply,
            move=None if ply is None else self._name(point.actions[ply]),
            better=None if better is None else self._name(better),
            reason=None if reason is None else words.t(f"reason.{reason.why}", **reason.values),
        )

    def review(self, seconds: float = 30.0) -> GameReview:
        """The moves that mattered most so far, as the studio's page finds them: what lost the game, left few
        that still win, took the long way or, without a goal, cost most; and what is known of all others. What
        was taken back is no part of it. Raises WinnableError for a game that has neither a goal nor values of
        moves."""
        companion, point, budget = self._companion, self._point, _Seconds(seconds)
        if isinstance(companion, ByProof):
            self._decide(companion, budget.part(0.5))
        elif not companion.weighs:
            raise WinnableError("report.none")
        found = Findings()
        for told in budget.told(looking_back(companion, point, budget)):
            found.take(told)
        return reviewed(companion, self._session, point, found, budget.limit(0) is not None)

    def margin(self, seconds: float = 5.0) -> Margin:
        """Of how many legal moves it is proved that they still win, and that they keep the fewest. Raises
        WinnableError for a game without a goal."""
        proofs, state, budget = self._proofs("margin"), self._session.state, _Seconds(seconds)
        self._decide(proofs, budget.part(0.5))
        found = deque(budget.told(margins(proofs, state, budget)), maxlen=1)
        return found[0] if found else open_margin(proofs, state)

    def difficulty(self, seconds: float = 20.0) -> Rating | None:
        """How hard the level is for a person; None: the game cannot tell, or not within the time."""
        session, budget = self._session, _Seconds(seconds)
        return budget.finish(rating_of(NamedLevel(session.game, session.level, session.level_id), budget))

    # -- what is shown and kept ------------------------------------------------------------------------------

    def svg(self) -> str:
        """The position as a drawing that stands alone."""
        return self._session.game.svg(self._session.puzzle, self._session.state)

    def animate(self, line: Iterable[Move] | None = None, *, delay: float = DELAY) -> Animation:
        """The moves as pictures one after the other, for a notebook, or to `save` as a page: those of `line`
        from here, such as `board.line()`; None: what was played so far, from the start. delay: seconds
        between two of them. The board stays as it is. Raises WinnableError, IllegalAction that says which
        move of the line."""
        first, played = 0 if line is None else self.ply, self.copy()
        for place, move in enumerate(several("line", () if line is None else line)):
            try:
                played.push(move)
            except IllegalAction as error:
                raise error.within(f"line[{place}]") from None
        states = played._session.states[first : played.ply + 1]
        return Animation(self._session.game, self._session.puzzle, states, played.moves[first:], delay)

    def to_dict(self) -> dict[str, Any]:
        """What is on the board, in values that JSON has: `game` and `id`; the `level`, as its files are; the
        `moves` that were played, and their number, `ply`; the `state` as a player sees it, None where the
        game does not say; its `standing`."""
        shown = {
            "game": self.game,
            "id": self.id,
            "level": self._session.level,
            "moves": self.moves,
            "ply": self.ply,
            "state": self._session.view,
            "standing": self.standing,
        }
        return msgspec.json.decode(msgspec.json.encode(shown))

    def export(self, format: str) -> str:
        """`json`: the level as ours, `text`: as one line, `svg`: the board as a picture; or in a format of
        the game that another program reads (`winnable games` lists them), as far as it was played where that
        can say so. Raises WinnableError, also for what the format cannot say."""
        return exported(self._session, of_kind("format", format, str)).decode()

    def save(self, path: str | Path) -> None:
        """The level with all that was played, for `load` and `winnable play`. Raises WinnableError."""
        write_file(path_of("path", path), self._session.save() + b"\n")

    def save_level(self, path: str | Path) -> None:
        """The level alone, as it is made and checked. Raises WinnableError."""
        write_file(path_of("path", path), encode_level(self._session.level) + b"\n")

    def __str__(self) -> str:
        return self._session.game.render(self._session.puzzle, self._session.state)

    def __repr__(self) -> str:
        return f"<winnable.Board {self.id}, {self._session.ply} moves, {self.standing}>"

    def _repr_svg_(self) -> str:
        return self.svg()

    # -- parts -----------------------------------------------------------------------------------------------

    def _decide(self, proofs: ByProof, budget: _Seconds) -> None:
        """As soon as the verdict is known."""
        for _ in budget.told(proofs.ask(self._point, budget, inf)):
            if proofs.verdict(self._session.state) != "unknown":
                break

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
            return action_number("move", move)
        return parsed_action(self._session.puzzle, move)


class Boards(list[Board]):
    """A list of boards that `print` shows one a line, and a notebook as pictures side by side."""

    def __str__(self) -> str:
        return "\n".join(map(repr, self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        return side_by_side(self)


def side_by_side(boards: Sequence[Board]) -> str:
    """The first MOST_SHOWN of them, as HTML."""
    shown = "".join(map(_captioned, boards[:MOST_SHOWN]))
    more = f"<p>… {len(boards) - MOST_SHOWN:,}</p>" if len(boards) > MOST_SHOWN else ""
    return f'<div style="display: flex; flex-wrap: wrap; gap: 1em">{shown}</div>{more}'


def _captioned(board: Board) -> str:
    told = escape(f"{board.id}, {words.t(f'standing.{board.standing}')}")
    picture = f'<img src="{as_source(board.svg())}" alt="" style="max-width: 100%; height: auto">'
    return f'<figure style="margin: 0; width: 12em">{picture}<figcaption>{told}</figcaption></figure>'


@dataclass
class _Seconds(Budget):
    """What a program said that it waits: also for what is compiled meanwhile."""

    _end: float = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._end = time.monotonic() + self.seconds

    def wait(self, seconds: float) -> None:
        """It counts all the same."""

    def told(self, stream: Iterable[Progress | T]) -> Iterator[T]:
        """What is told in time. A search ends by itself then, with what it has; what does not, or waits for
        a compiler, is left."""
        for one in stream:
            if not isinstance(one, Progress):
                yield one
            elif time.monotonic() > self._end + (0 if one.stage == COMPILING else GRACE_SECONDS):
                return

    def finish(self, search: Search[T]) -> T | None:
        """What it finds; None: not in time."""
        return next(self.told(answer_of(search)), None)


def load(level: str | Path, *, seed: int = 0, board: str | None = None) -> Board:
    """level: a file (a level, a saved game, or one of another program), of several in one file the
             first or, as `levels.jsonl#3`, that of a line; an identity such as `triple:layers=12#5`,
             `GAME:daily`, a level that ships such as `drops/05-puddle`, `GAME:BOARD`, or a game's name,
             alone or with `board`; or a link to one of these or to a game
    seed:    makes the default level, and deals a file that holds a layout only
    board:   the level in the text notation of its game

    Raises WinnableError.
    """
    text, seed = level_text(level), whole("seed", seed, 0, MAX_SEED)
    if board is not None:
        return _board(find_level(text, seed, Budget(MAKING_SECONDS), of_kind("board", board, str)))
    if (found := in_file(text)) is None:
        return Board(finish(session_on(find_named(text, seed, Budget(MAKING_SECONDS)), text)))
    try:
        return Board(Session.read(found.read(), seed))
    except LevelError as error:
        raise error.within(text[:200]) from None


def _board(named: NamedLevel) -> Board:
    return Board(Session(named))


class Names(list[str]):
    """A list of names; `print` shows them one a line, each with what is told of it."""

    def __init__(self, told: Mapping[str, str]) -> None:
        super().__init__(told)
        self._told = told

    def __str__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:{width}}  {self._told.get(name, '')}".rstrip() for name in self)


def list_games() -> Names:
    """The names of all games, those of installed packages too; `print` shows what each is."""
    return Names({name: abouts(name)[words.language()] for name in GAMES})


def list_levels(game: str | None = None) -> Names:
    """The names of the levels that ship with the game, or with all, as `load` takes them; `print` shows how
    hard they are. Raises WinnableError for an unknown game."""
    games = loaded_games() if game is None else [load_game(game)]
    ratings = {name: rating.word for one in games for name, rating in shipped_ratings(one.name).items()}
    names = [f"{one.name}/{path.stem}" for one in games for path in sorted(one.levels.glob("*.json"))]
    return Names({name: words.t(f"fact.word.{ratings[name]}") if name in ratings else "" for name in names})


def solve(
    level: str | Path, *, board: str | None = None, seconds: float = 10.0, solver: str = "", seed: int = 0
) -> Answer:
    """See `load` and `Board.solve`."""
    return load(level, seed=seed, board=board).solve(seconds, solver, seed)
