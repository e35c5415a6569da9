"""One game being played: history, undo and redo without limit, saving and replaying. All shells share it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from winnable.chance import Seeded
from winnable.core import Action, Puzzle, WinnableError
from winnable.library import NamedLevel, decode, read_level

Standing: TypeAlias = Literal["playing", "won", "lost", "over"]


class SavedSession(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="format", tag="winnable.session/1"
):
    """A game as files and the store keep it: the level in full and every action, also the undone ones."""

    level_id: Annotated[str, Meta(max_length=400)]
    level: msgspec.Raw
    actions: Annotated[list[Annotated[int, Meta(ge=0)]], Meta(max_length=1_000_000)]
    ply: Annotated[int, Meta(ge=0)]
    """How many of `actions` are played; the rest can be redone."""


class Session:
    """`states[i]` is the state after `actions[:i]`; `ply` says which one is on the board."""

    def __init__(self, named: NamedLevel) -> None:
        self.game, self.level, self.level_id = named
        self.puzzle: Puzzle[Any] = self.game.puzzle(self.level)
        self.states: list[Any] = [self.puzzle.initial()]
        self.actions: list[Action] = []
        self.ply = 0

    @property
    def state(self) -> Any:
        return self.states[self.ply]

    @property
    def standing(self) -> Standing:
        """Lost means that no action is left; whether a game in play can still be won is for a solver. A game
        that has no goal is over then."""
        if self.puzzle.is_goal(self.state):
            return "won"
        if self.puzzle.legal_actions(self.state):
            return "playing"
        return "over" if isinstance(self.puzzle, Seeded) else "lost"

    @property
    def view(self) -> Any:
        """What a player sees; None when the puzzle does not say."""
        observe: Any = getattr(self.puzzle, "observe", None)
        return observe(self.state) if observe else None

    @property
    def legal(self) -> list[Action] | None:
        """None: all actions that the level has. Of a large board of rotate they would be 131,040."""
        legal = self.puzzle.legal_actions(self.state)
        return None if legal == range(self.puzzle.num_actions) else [*legal]

    @property
    def next_level(self) -> Any:
        """What an endless game goes on with after a win; None when nothing follows, or it is not won."""
        return self.game.follow(self.level, self.state) if self.standing == "won" else None

    def act(self, action: Action) -> None:
        """Plays on from here; what was undone is forgotten. Raises IllegalAction and changes nothing."""
        state = self.puzzle.apply(self.state, action)
        self.actions[self.ply :] = [action]
        self.states[self.ply + 1 :] = [state]
        self.ply += 1

    def undo(self) -> None:
        """Raises WinnableError at the start."""
        if self.ply == 0:
            raise WinnableError("undo: this is the start of the game")
        self.go_to(self.ply - 1)

    def redo(self) -> None:
        """Raises WinnableError when nothing was undone."""
        if self.ply == len(self.actions):
            raise WinnableError("redo: nothing was undone")
        self.go_to(self.ply + 1)

    def go_to(self, ply: int) -> None:
        """Any point of the history. Raises WinnableError."""
        if not 0 <= ply < len(self.states):
            raise WinnableError(
                f"ply: there is no point {ply} in this game, only 0 to {len(self.states) - 1}"
            )
        self.ply = ply

    def save(self) -> bytes:
        """JSON of a SavedSession."""
        level = msgspec.Raw(msgspec.json.encode(self.level))
        return msgspec.json.encode(SavedSession(self.level_id, level, self.actions, self.ply))

    @classmethod
    def load(cls, content: bytes) -> Session:
        """Replays every action by the rules. Raises WinnableError that names the field or the bad action."""
        saved: SavedSession = decode(content, SavedSession)
        named = read_level(bytes(saved.level))
        session = cls(named._replace(id=saved.level_id))
        for action in saved.actions:
            session.act(action)
        session.go_to(saved.ply)
        return session
