"""The actions of one game with all its branches: played, undone, and played in another way. It knows no game.

Nodes are numbered in the order in which they were made: node 0 is the start, node n stands for the state that
`actions[n - 1]` led to. So a node comes after its parent, and the newest one is always an end.
"""

from __future__ import annotations

from array import array
from typing import Annotated

from msgspec import Meta, Struct

from winnable.contract.core import Action, WinnableError

MAX_ACTIONS = 1_000_000
"""In one tree."""

Node = Annotated[int, Meta(ge=0, le=2**53)]


class SavedTree(Struct, frozen=True, forbid_unknown_fields=True):
    """A tree as files and the store keep it: a list of all actions as they were made, and a few exceptions.

    actions:  those of the nodes 1, 2, ...; each follows the one before it in the list,
    branches: but for these, (node, its parent), in rising order
    node:     the one on the board
    onward:   nodes that `redo` goes to from their parents; not named where that is the newest branch
    """

    actions: Annotated[list[Node], Meta(max_length=MAX_ACTIONS)]
    branches: Annotated[list[tuple[Node, Node]], Meta(max_length=MAX_ACTIONS)]
    node: Node
    onward: Annotated[list[Node], Meta(max_length=MAX_ACTIONS)]


class ActionTree:
    """Grows by one node at a time. Every node knows which of its children was visited last."""

    def __init__(self) -> None:
        self.actions: list[Action] = []
        self._parents = array("i", [0])
        self._depths = array("i", [0])
        self._onward = array("i", [0])
        """The child visited last; 0 for none, as no action leads to the start."""
        self._forks: dict[int, dict[Action, int]] = {}
        """The children where there are several, by their actions, in the order in which they were made."""
        self._branches: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._parents)

    def action(self, node: int) -> Action:
        """What led there; not of node 0."""
        return self.actions[node - 1]

    def parent(self, node: int) -> int:
        """The node that it was played from; of node 0 itself."""
        return self._parents[node]

    def depth(self, node: int) -> int:
        """How many actions lead there from the start."""
        return self._depths[node]

    def children(self, node: int) -> list[int]:
        """The nodes that follow, in the order in which they were made."""
        if node in self._forks:
            return [*self._forks[node].values()]
        return [self._onward[node]] if self._onward[node] else []

    def forks(self) -> list[int]:
        """The nodes with several children."""
        return [*self._forks]

    def child(self, node: int, action: Action) -> int | None:
        """The node that the action led to when it was played already."""
        if node in self._forks:
            return self._forks[node].get(action)
        only = self._onward[node]
        return only if only and self.action(only) == action else None

    def ahead(self, node: int) -> list[int]:
        """The nodes after it, always along the child visited last."""
        found: list[int] = []
        while node := self._onward[node]:
            found.append(node)
        return found

    def add(self, parent: int, action: Action, visited: bool = True) -> int:
        """A new node, visited last, unless another was and this one is not. Raises WinnableError when there
        are too many."""
        node = len(self._parents)
        if node > MAX_ACTIONS:
            raise WinnableError("tree.full", field="actions", most=f"{MAX_ACTIONS:,}")
        if parent not in self._forks and (only := self._onward[parent]):
            self._forks[parent] = {self.action(only): only}
        if parent in self._forks:
            self._forks[parent][action] = node
        if parent != node - 1:
            self._branches.append((node, parent))
        self.actions.append(action)
        self._parents.append(parent)
        self._depths.append(self._depths[parent] + 1)
        self._onward.append(0)
        if visited or not self._onward[parent]:
            self._onward[parent] = node
        return node

    def visit(self, node: int) -> None:
        """Makes `ahead` of its parent lead there from now on; not for node 0."""
        self._onward[self._parents[node]] = node

    def pop(self) -> None:
        """Forgets the newest node, as if it had never been; not node 0. Its parent goes on to the newest of
        its other children."""
        node = len(self._parents) - 1
        parent = self._parents[node]
        others = self.children(parent)[:-1]
        if len(others) == 1:
            del self._forks[parent]
        elif others:
            del self._forks[parent][self.actions[-1]]
        if self._onward[parent] == node:
            self._onward[parent] = others[-1] if others else 0
        if parent != node - 1:
            self._branches.pop()
        for values in (self.actions, self._parents, self._depths, self._onward):
            values.pop()

    def saved(self, node: int) -> SavedTree:
        """The tree to be kept, with `node` on the board."""
        newest = [next(reversed(children.values())) for children in self._forks.values()]
        onward = [self._onward[fork] for fork in self._forks]
        return SavedTree([*self.actions], [*self._branches], node, sorted({*onward} - {*newest}))

    @classmethod
    def read(cls, saved: SavedTree) -> ActionTree:
        """Raises WinnableError that names the field: for a node that is not there, a parent that does not
        come before its child (so there is no cycle), a node with two branches of the same action."""
        last = len(saved.actions)
        parents = [*range(last)]
        before = 0
        for i, (node, parent) in enumerate(saved.branches):
            if not before < node <= last:
                raise WinnableError(
                    "tree.range", field=f"branches[{i}]", given=node, low=before + 1, high=last
                )
            if parent >= node:
                raise WinnableError("tree.parent", field=f"branches[{i}]", given=node, parent=parent)
            parents[node - 1] = parent
            before = node
        tree = cls()
        for i, (parent, action) in enumerate(zip(parents, saved.actions, strict=True)):
            if tree.child(parent, action) is not None:
                raise WinnableError("tree.twice", field=f"actions[{i}]", parent=parent, action=action)
            tree.add(parent, action)
        for i, node in enumerate(saved.onward):
            if not 0 < node <= last:
                raise WinnableError("tree.range", field=f"onward[{i}]", given=node, low=1, high=last)
            tree.visit(node)
        if saved.node > last:
            raise WinnableError("session.node", field="node", given=saved.node, newest=last)
        return tree
