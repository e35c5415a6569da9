"""Positions for tests: a drawn board and a piece anywhere on it."""

from collections.abc import Iterable, Sequence

from winnable.games.tetris.modern.rules.level import Handling, Level, Mode
from winnable.games.tetris.modern.rules.piece import Active
from winnable.games.tetris.modern.rules.puzzle import AnyState, Modern
from winnable.games.tetris.modern.rules.state import HARD


class Scene:
    """A game of the guideline's rules that begins with this piece here.

    board: rows from the top; spaces between them
    """

    def __init__(
        self,
        board: str = "",
        piece: str = "T",
        turn: int = 0,
        at: tuple[int, int] = (4, 10),
        mode: Mode = "endless",
        handling: Handling | None = None,
        start_level: int = 1,
    ) -> None:
        level = Level(mode=mode, board=tuple(board.split()), start_level=start_level)
        self.puzzle = Modern(level, handling)
        x, y = at
        self.state: AnyState = self.puzzle.initial()._replace(active=Active(piece, turn, x, y, lowest=y))

    def step(self, *keys: int) -> AnyState:
        for held in keys:
            self.state = self.puzzle.apply(self.state, held)
        return self.state

    def wait(self, frames: int) -> AnyState:
        return self.step(*[0] * frames)

    def drop(self) -> AnyState:
        """A hard drop, and the key is released."""
        dropped = self.step(HARD)
        if dropped.status == "playing":
            self.step(0)
        return dropped

    def put(self, piece: str, turn: int, at: tuple[int, int]) -> None:
        x, y = at
        self.state = self.state._replace(active=Active(piece, turn, x, y, lowest=y))

    @property
    def at(self) -> tuple[int, int]:
        return self.state.active.x, self.state.active.y


def filled(rows: Sequence[str]) -> int:
    return sum(cell != "." for row in rows for cell in row)


def locked_after(scene: Scene, keys: Iterable[int]) -> int | None:
    """In which frame from now, the first being 1, the piece locks."""
    for frame, held in enumerate(keys, 1):
        if scene.step(held).events.locked:
            return frame
    return None
