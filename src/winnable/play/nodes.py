"""The tree of a game as programs walk through it."""

from __future__ import annotations

from collections.abc import Iterator

from winnable.contract.core import Action, WinnableError, action_name
from winnable.play.session import Session


class Node:
    """A place in the tree of all that was tried in a game: the start, or a move and the position after it. It
    tells of the game as it is now, also of what is tried later.

    `for node in tree` goes through it and all that follows, each before its children; `print(tree)` shows
    what follows, variations below the line that they leave, and `*` at the position on the board.
    """

    __slots__ = ("number", "session")

    def __init__(self, session: Session, number: int) -> None:
        """Made by `Board.tree`. number: as `Session.go_to` takes it."""
        self.session, self.number = session, number

    @property
    def move(self) -> str | None:
        """The move that leads here; None at the start."""
        return self._name(self.number) if self.number else None

    @property
    def ply(self) -> int:
        """How many moves lead here."""
        return self.session.tree.depth(self.number)

    @property
    def moves(self) -> list[str]:
        """The moves that lead here from the start."""
        found, number = list[str](), self.number
        while number:
            found.append(self._name(number))
            number = self.session.tree.parent(number)
        return found[::-1]

    @property
    def parent(self) -> Node | None:
        """None at the start."""
        return Node(self.session, self.session.tree.parent(self.number)) if self.number else None

    @property
    def children(self) -> list[Node]:
        """What was played from here, in the order in which it was tried."""
        return [Node(self.session, child) for child in self.session.tree.children(self.number)]

    @property
    def is_main(self) -> bool:
        """Whether it is on the main line: that of the moves played, and of those that `Board.redo` plays."""
        return self.session.is_on_line(self.number)

    @property
    def is_here(self) -> bool:
        """Whether it is on the board."""
        return self.session.node == self.number

    def number_in(self, session: Session) -> int:
        """Of the same place in another game on the level, such as that of a copied board. Raises
        WinnableError where it was not tried there."""
        if session is self.session:
            return self.number
        way, at = list[Action](), self.number
        while at:
            way.append(self.session.tree.action(at))
            at = self.session.tree.parent(at)
        found = 0 if session.level == self.session.level else None
        while way and found is not None:
            found = session.tree.child(found, way.pop())
        if found is None:
            raise WinnableError("session.elsewhere", field="node")
        return found

    def __iter__(self) -> Iterator[Node]:
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children[::-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return (self.session is other.session) and self.number == other.number

    def __hash__(self) -> int:
        return hash((id(self.session), self.number))

    def __repr__(self) -> str:
        return f"<winnable.Node {self.move or 'start'}, ply {self.ply}, {len(self.children)} children>"

    def __str__(self) -> str:
        tree, rows = self.session.tree, list[str]()
        waiting = [(self.number, 0)]
        while waiting:
            first, indent = waiting.pop()
            row = [first, *tree.ahead(first)]
            moves = [f"{self._name(node) if node else ''}{'*' * (node == self.session.node)}" for node in row]
            numbered = f"{max(1, tree.depth(first))}: {' '.join(filter(None, moves))}"
            rows.append(f"{'  ' * indent}{numbered}")
            onward = {*row}
            others = [child for node in row for child in tree.children(node) if child not in onward]
            waiting += [(child, indent + 1) for child in others[::-1]]
        return "\n".join(rows)

    def _name(self, number: int) -> str:
        return action_name(self.session.puzzle, self.session.tree.action(number))
