"""One game being played: a tree of actions, undo and redo without limit, saving and replaying. All shells
share it."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from winnable.contract.abilities import ChangesLevels
from winnable.contract.arguments import of_kind, whole
from winnable.contract.chance import Seeded
from winnable.contract.core import (
    Action,
    IllegalAction,
    LevelError,
    Progress,
    Puzzle,
    Search,
    WinnableError,
    action_number,
    finish,
)
from winnable.contract.game import Game
from winnable.levels.files import NamedLevel, decode, read_level, read_played
from winnable.play.states import LineStates, most_kept
from winnable.play.tree import MAX_ACTIONS, ActionTree, SavedTree
from winnable.store.results import Text

Standing: TypeAlias = Literal["playing", "won", "lost", "over"]

REPLAYED = 16
"""Actions between two steps of a search that replays them: on the largest board of rotate 11 ms, and some
times as long in a browser."""
_GONE: Any = ...
"""In place of a state that is not known."""


class SavedLine(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="format", tag="winnable.session/1"
):
    """A game as files kept it before there were branches."""

    level_id: Text
    level: msgspec.Raw
    actions: Annotated[list[Annotated[int, Meta(ge=0)]], Meta(max_length=MAX_ACTIONS)]
    ply: Annotated[int, Meta(ge=0)]
    """How many of `actions` are played; the rest can be redone."""


class SavedSession(SavedTree, frozen=True, omit_defaults=True, tag_field="format", tag="winnable.session/2"):
    """A game as files keep it: the level in full and every action, also the undone ones."""

    level_id: Text
    level: msgspec.Raw
    helped: bool = False


class _Tagged(Struct):
    format: str = ""


SESSIONS = {kind.__struct_config__.tag for kind in (SavedLine, SavedSession)}


class Branch(NamedTuple):
    """One way on from a fork.

    action: its first one
    first:  the state after that
    end:    the last state, along what was visited last
    length: how many actions lead from the fork to there
    here:   whether it is on the line
    """

    action: Action
    first: Any
    end: Any
    length: int
    here: bool


class Session:
    """The *line* leads from the start through the state on the board and on along the branches visited last:
    `states[i]` is the state after `actions[:i]`, and `ply` says which one is on the board."""

    def __init__(self, named: NamedLevel) -> None:
        """Raises WinnableError."""
        of_kind("named", named, NamedLevel)
        self.game: Game = named.game
        self.level: Any = named.level
        self.level_id: str = named.id
        self.puzzle: Puzzle = self.game.puzzle(self.level)
        self.start: Any = self.puzzle.initial()
        self._tree = ActionTree()
        self._line = array("i", [0])
        """Its nodes."""
        self._states: dict[Any, Any] = {0: self.start}
        """By node: of some, among them all whose depth is a multiple of `_stride`."""
        self._stride = 1
        self._most = most_kept(self.start)
        self._legal_of: tuple[Any, Sequence[Action]] = _GONE, ()
        """A state, and what is legal in it."""
        self.ply: int = 0
        self.helped = False
        """Whether a hint, a solver, a player or a cheat had a part in the game: what a person did alone has
        none."""
        self.seconds: float | None = 0.0
        """Of play; None: not known."""
        self.turns: int = 0
        """How often the line became another one, and not just longer by one action."""
        self.turned: int = 0
        """After how many actions it did so last."""

    def __copy__(self) -> Session:
        """To be played on its own; level, rules and states never change, and are shared."""
        other = type(self).__new__(type(self))
        vars(other).update(vars(self))
        other._tree, other._line, other._states = deepcopy(self._tree), self._line[:], {**self._states}
        return other

    def __deepcopy__(self, memo: object) -> Session:
        return self.__copy__()

    @property
    def state(self) -> Any:
        """The state on the board."""
        return self._state(self.node)

    @property
    def node(self) -> int:
        """The one on the board."""
        return self._line[self.ply]

    @property
    def tree(self) -> ActionTree:
        """All that was tried, to be read."""
        return self._tree

    @property
    def length(self) -> int:
        """Actions of the line; more than `ply` after an undo."""
        return len(self._line) - 1

    @property
    def size(self) -> int:
        """Actions of the tree."""
        return len(self._tree) - 1

    @property
    def actions(self) -> list[Action]:
        """The actions of the line, also the undone ones."""
        return [self._tree.action(node) for node in self._line[1:]]

    @property
    def last_action(self) -> Action | None:
        """The action that led to the state on the board; None at the start."""
        return self._tree.action(self.node) if self.ply else None

    @property
    def states(self) -> Sequence[Any]:
        """The states of the line: one more than `actions`."""
        kept = {ply: self._states[node] for ply, node in enumerate(self._line) if node in self._states}
        if len(kept) == len(self._line):
            return [*kept.values()]
        return LineStates(self.puzzle, self.actions, kept)

    @property
    def standing(self) -> Standing:
        """How the game stands on the board, see `standing_of`."""
        return self.standing_of(self.state)

    def standing_of(self, state: Hashable) -> Standing:
        """Lost means that no action is left; whether a game in play can still be won is for a solver. A game
        that has no goal is over then."""
        if self.puzzle.is_goal(state):
            return "won"
        if self._legal(state):
            return "playing"
        return "over" if isinstance(self.puzzle, Seeded) else "lost"

    def _legal(self, state: Hashable) -> Sequence[Action]:
        """A click asks for those of one state again and again."""
        known = self._legal_of
        if known[0] is not state:
            known = self._legal_of = state, self.puzzle.legal_actions(state)
        return known[1]

    @property
    def view(self) -> Any:
        """What a player sees; None when the puzzle does not say."""
        observe: Any = getattr(self.puzzle, "observe", None)
        return observe(self.state) if observe else None

    @property
    def legal(self) -> list[Action] | None:
        """The legal actions. None: all actions that the level has. Of a large board of rotate they would be
        131,040."""
        legal = self._legal(self.state)
        return None if legal == range(self.puzzle.num_actions) else [*legal]

    @property
    def next_level(self) -> Any:
        """What an endless game goes on with after a win; None when nothing follows, or it is not won."""
        if self.standing != "won" or not isinstance(self.game, ChangesLevels):
            return None
        return self.game.follow(self.level, self.state)

    @cached_property
    def easier_level(self) -> Any:
        """A level on which every action so far stays legal; None when there is none."""
        return self.game.cheat(self.level) if isinstance(self.game, ChangesLevels) else None

    # -- moving about --------------------------------------------------------------------------------------

    def act(self, action: Action, after: Any = None) -> None:
        """Plays on from here. What was undone stays as a branch; where the action was played before, the game
        goes on along that branch. Raises IllegalAction, or WinnableError when the tree is full, and changes
        nothing.

        after: the state that the puzzle's `apply` leads to, where it is known
        """
        action, here = action_number("action", action), self.node
        known = self._tree.child(here, action)
        if known is not None:
            self.go_to(known)
            return
        state = self.puzzle.apply(self.state, action) if after is None else after
        node = self._tree.add(here, action)
        self._states[node] = state
        if self.ply < self.length:
            self._turned_after(self.ply)
        self._line[self.ply + 1 :] = array("i", [node])
        self.ply += 1
        self._tidy()

    def undo(self) -> None:
        """Raises WinnableError at the start."""
        if self.ply == 0:
            raise WinnableError("session.undo", field="undo")
        self.ply -= 1

    def redo(self) -> None:
        """Along the branch visited last. Raises WinnableError when nothing was undone."""
        if self.ply == self.length:
            raise WinnableError("session.redo", field="redo")
        self.ply += 1

    def take_back(self) -> None:
        """Undoes the last action; if it was the newest of all, it is forgotten, as if it had never been: what
        comes instead is no other branch. Raises WinnableError at the start."""
        node = self.node
        self.undo()
        if node == len(self._tree) - 1:
            self._tree.pop()
            self._states.pop(node, None)
            self._turn_after(self.ply, [])

    def go_to(self, node: int) -> None:
        """Any node of the tree; the start is 0, the others are numbered as they were made. Raises
        WinnableError."""
        node, newest = whole("node", node), len(self._tree) - 1
        if not 0 <= node <= newest:
            raise WinnableError("session.node", field="node", given=node, newest=newest)
        way: list[int] = []
        at = node
        while not self.is_on_line(at):
            way.append(at)
            at = self._tree.parent(at)
        if way:
            self._turn_after(self._tree.depth(at), way[::-1])
        self.ply = self._tree.depth(node)

    def go_to_ply(self, ply: int, action: Action | None = None) -> None:
        """Any point of the line; with an action, the point after it, on the branch that begins with it there.
        Raises WinnableError."""
        ply = self._ply(ply)
        if action is None:
            self.ply = ply
            return
        action = action_number("action", action)
        child = self._tree.child(self._line[ply], action)
        if child is None:
            raise WinnableError("session.unplayed", field="action", ply=ply, given=action)
        self.go_to(child)

    def merge(self, saved: SavedTree) -> None:
        """Takes in what was played elsewhere on the same level; the board stays, and what `redo` leads to.
        Raises WinnableError as `load`, with what came before the bad action taken in."""
        theirs, before = ActionTree.read(of_kind("saved", saved, SavedTree)), len(self._tree)
        nodes = [0]
        """Here, of those there."""
        try:
            for node in range(1, len(theirs)):
                parent, action = nodes[theirs.parent(node)], theirs.action(node)
                known = self._tree.child(parent, action)
                if known is None:
                    state = self.puzzle.apply(self._state(parent), action)
                    known = self._tree.add(parent, action, visited=False)
                    self._states[known] = state
                    self._tidy()
                nodes.append(known)
        finally:
            if len(self._tree) > before:
                self._turn_after(self.ply, [])

    # -- branches ------------------------------------------------------------------------------------------

    def is_on_line(self, node: int) -> bool:
        """Whether the line goes through this node of the tree."""
        depth = self._tree.depth(node)
        return depth < len(self._line) and self._line[depth] == node

    @property
    def forks(self) -> list[int]:
        """The plies of the line after which something else was played, too; in rising order."""
        return sorted(self._tree.depth(node) for node in self._tree.forks() if self.is_on_line(node))

    @property
    def fork(self) -> int | None:
        """The one of `forks` that matters here: before the last action, else here, else the nearest before,
        else the nearest to come."""
        forks = self.forks
        if self.ply - 1 in forks:
            return self.ply - 1
        return max((ply for ply in forks if ply <= self.ply), default=min(forks, default=None))

    def branches(self, ply: int) -> list[Branch]:
        """What was played after that many actions of the line, in the order in which it was tried. Raises
        WinnableError where the line has no such point."""
        found: list[Branch] = []
        for child in self._tree.children(self._line[self._ply(ply)]):
            way = [child, *self._tree.ahead(child)]
            first, end = self._state(child), self._state(way[-1])
            found.append(Branch(self._tree.action(child), first, end, len(way), self.is_on_line(child)))
        return found

    def place(self, ply: int) -> tuple[int, int]:
        """Tells which of the branches after that many actions the line takes, from 0, and how many there are.
        Raises WinnableError where the line does not go on."""
        children = self._tree.children(self._line[self._ply(ply, self.length - 1)])
        return children.index(self._line[ply + 1]), len(children)

    def alternate(self, step: int = 1) -> None:
        """Goes to the next of the branches at `fork`, or with -1 to the one before. Raises WinnableError."""
        step, fork = whole("step", step), self.fork
        if fork is None:
            raise WinnableError("session.alternate", field="alternate")
        at, number = self.place(fork)
        self.go_to(self._tree.children(self._line[fork])[(at + step) % number])

    def _ply(self, ply: int, last: int | None = None) -> int:
        """One of the line, up to the last one. Raises WinnableError."""
        last = self.length if last is None else last
        if not 0 <= whole("ply", ply) <= last:
            raise WinnableError("session.ply", field="ply", given=ply, length=last)
        return whole("ply", ply)

    def _turn_after(self, ply: int, way: list[int]) -> None:
        """The line turns off after that many actions, along `way` and on as before."""
        for node in way:
            self._tree.visit(node)
        last = way[-1] if way else self._line[ply]
        self._line[ply + 1 :] = array("i", [*way, *self._tree.ahead(last)])
        self._turned_after(ply)

    def _turned_after(self, ply: int) -> None:
        self.turns += 1
        self.turned = ply

    def _state(self, node: int) -> Any:
        """Replayed from the nearest state that is kept."""
        way: list[int] = []
        at = node
        while at not in self._states:
            way.append(at)
            at = self._tree.parent(at)
        state = self._states[at]
        for at in reversed(way):
            state = self._states[at] = self.puzzle.apply(state, self._tree.action(at))
        if way:
            self._tidy(node)
        return state

    def _tidy(self, here: int | None = None) -> None:
        """Where there are too many states, only each nth stays, and the one at hand."""
        if len(self._states) <= self._most:
            return
        here = self.node if here is None else here
        state = self._states.get(here, _GONE)
        self._most = most_kept(self.start if state is _GONE else state)
        depth = self._tree.depth
        while True:
            self._states = {
                node: kept for node, kept in self._states.items() if depth(node) % self._stride == 0
            }
            if len(self._states) <= max(1, self._most // 2):
                break
            self._stride *= 2
        if state is not _GONE:
            self._states[here] = state

    # -- saving --------------------------------------------------------------------------------------------

    def saved_tree(self) -> SavedTree:
        """The whole tree, as files and the store keep it."""
        return self._tree.saved(self.node)

    def save(self) -> bytes:
        """JSON of a SavedSession."""
        level, tree = msgspec.Raw(msgspec.json.encode(self.level)), self.saved_tree()
        return msgspec.json.encode(
            SavedSession(
                tree.actions, tree.branches, tree.node, tree.onward, self.level_id, level, self.helped
            )
        )

    @classmethod
    def read(cls, content: bytes, seed: int = 0) -> Session:
        """Reads a file: a saved game, a level, or what another program wrote; what was played by its word
        lies ahead of the start. seed: deals what is not dealt. Raises WinnableError."""
        return finish(cls.reading(content, seed))

    @classmethod
    def reading(cls, content: bytes, seed: int = 0) -> Search[Session]:
        """Reads a file likewise, as a search."""
        of_kind("content", content, bytes)
        try:
            is_saved = decode(content, _Tagged).format in SESSIONS
        except LevelError:
            is_saved = False  # what reads levels says what is wrong
        if is_saved:
            return (yield from cls._loading(content))
        named, actions = read_played(content, seed)
        return (yield from cls.growing(named, as_tree([*actions], 0)))

    @classmethod
    def load(cls, content: bytes) -> Session:
        """Replays every action by the rules. Raises WinnableError that names the field or the bad action."""
        return finish(cls._loading(content))

    @classmethod
    def _loading(cls, content: bytes) -> Search[Session]:
        of_kind("content", content, bytes)
        saved: SavedLine | SavedSession = decode(content, SavedLine | SavedSession)
        named = read_level(bytes(saved.level))._replace(id=saved.level_id)
        if isinstance(saved, SavedLine):
            return (yield from cls.growing(named, as_tree(saved.actions, saved.ply)))
        session = yield from cls.growing(named, saved)
        session.helped = saved.helped
        return session

    @classmethod
    def grown(cls, named: NamedLevel, saved: SavedTree) -> Session:
        """A tree on a level, perhaps on another than it was made on. Raises WinnableError as `load`."""
        return finish(cls.growing(named, saved))

    @classmethod
    def growing(cls, named: NamedLevel, saved: SavedTree) -> Search[Session]:
        """Grows the tree likewise, as a search."""
        session = cls(named)
        tree = session._tree = ActionTree.read(of_kind("saved", saved, SavedTree))
        for node in range(1, len(tree)):
            if not node % REPLAYED:
                yield replayed(node)
            before = session._state(tree.parent(node))
            try:
                session._states[node] = session.puzzle.apply(before, tree.action(node))
                session._tidy(node)
            except IllegalAction as error:
                raise error.within(f"actions[{node - 1}]") from None
        session.seconds = None if saved.actions else 0.0
        session._line = array("i", [0, *tree.ahead(0)])
        session.go_to(saved.node)
        session._tidy()
        return session


def replayed(actions: int) -> Progress:
    """How far a search is that replays a game."""
    return Progress("check", actions, actions, 0.0)


def as_tree(actions: list[Action], ply: int) -> SavedTree:
    """A game without branches, as it was kept before there were any. Raises WinnableError."""
    if not 0 <= whole("ply", ply) <= len(actions):
        raise WinnableError("session.ply", field="ply", given=ply, length=len(actions))
    return SavedTree(actions, [], ply, [])
