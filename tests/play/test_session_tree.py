"""The tree of a game: against a model that is as plain as can be, and its files."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnable.contract.core import IllegalAction, WinnableError
from winnable.contract.registry import load_game
from winnable.levels.files import NamedLevel, named_by_content
from winnable.play import session as session_module
from winnable.play.session import Session
from winnable.play.tree import MAX_ACTIONS, ActionTree, SavedTree

NAMES = ["act"] * 6 + ["undo"] * 3 + ["go_to"] * 3 + ["redo", "take_back", "next", "previous", "go_to_ply"]
MOVES = st.lists(
    st.tuples(st.sampled_from([*NAMES, "branch", "reload"]), st.integers(0, 59)), min_size=20, max_size=60
)
"""What to do, and a number: of five actions, of the nodes there are and one more, of as many plies."""


def named() -> NamedLevel:
    """Of rotate, where five actions stay legal for ever: their blocks never make all colours whole."""
    game = load_game("rotate")
    return named_by_content(game, game.parse_board("123451/234512/345123/451234/512345/123451"))


class Model:
    """A node that knows its whole way from the start."""

    def __init__(self, way: tuple[int, ...], parent: Model | None) -> None:
        self.way, self.parent = way, parent
        self.children: list[Model] = []
        self.last: Model | None = None

    def line(self) -> list[Model]:
        return [self, *(self.last.line() if self.last else [])]


class Played:
    """All nodes as they were made; the one on the board. None stands for a refusal."""

    def __init__(self) -> None:
        self.nodes = [Model((), None)]
        self.at = self.nodes[0]

    def go_to(self, node: Model | None) -> bool:
        if node is None:
            return False
        self.at = node
        while node.parent:
            node.parent.last = node
            node = node.parent
        return True

    def line(self) -> list[Model]:
        return self.nodes[0].line()

    def child(self, node: Model, action: int) -> Model | None:
        return next((child for child in node.children if child.way[-1] == action), None)

    def act(self, action: int) -> bool:
        child = self.child(self.at, action)
        if child is None:
            child = Model((*self.at.way, action), self.at)
            self.at.children.append(child)
            self.nodes.append(child)
        return self.go_to(child)

    def take_back(self) -> bool:
        node, parent = self.at, self.at.parent
        if parent is None:
            return False
        self.at = parent
        if node is self.nodes[-1]:
            self.nodes.pop()
            parent.children.pop()
            parent.last = parent.children[-1] if parent.children else None
        return True

    def forks(self) -> list[int]:
        return [ply for ply, node in enumerate(self.line()) if len(node.children) > 1]

    def fork(self) -> int | None:
        forks, ply = self.forks(), len(self.at.way)
        order = [ply - 1, *range(ply, -1, -1), *range(ply, len(self.line()))]
        return next((place for place in order if place in forks), None)

    def alternate(self, step: int) -> bool:
        fork = self.fork()
        if fork is None:
            return False
        node, following = self.line()[fork], self.line()[fork + 1]
        return self.go_to(node.children[(node.children.index(following) + step) % len(node.children)])

    def meant(self, move: str, number: int) -> int:
        ranges = {"act": 5, "go_to": len(self.nodes) + 1, "go_to_ply": len(self.line()) + 1}
        return number % ranges.get(move, 60)

    def do(self, move: str, number: int) -> bool:
        line, ply = self.line(), len(self.at.way)
        match move:
            case "act":
                return self.act(number)
            case "undo":
                return self.go_to(self.at.parent)
            case "redo":
                return self.go_to(self.at.last)
            case "take_back":
                return self.take_back()
            case "next" | "previous":
                return self.alternate(1 if move == "next" else -1)
            case "go_to":
                return self.go_to(self.nodes[number] if number < len(self.nodes) else None)
            case "go_to_ply":
                return self.go_to(line[number] if number < len(line) else None)
            case "branch":
                return self.go_to(self.child(line[min(number, ply)], number % 5))
            case _:
                return True


def do(game: Session, move: str, number: int) -> tuple[Session, bool]:
    """The session after it (another one after a reload), and whether it was not refused."""
    works: dict[str, Any] = {
        "act": lambda: game.act(number),
        "undo": game.undo,
        "redo": game.redo,
        "take_back": game.take_back,
        "next": game.alternate,
        "previous": lambda: game.alternate(-1),
        "go_to": lambda: game.go_to(number),
        "go_to_ply": lambda: game.go_to_ply(number),
        "branch": lambda: game.go_to_ply(min(number, game.ply), number % 5),
        "reload": lambda: Session.load(game.save()),
    }
    before = game.save()
    try:
        return works[move]() or game, True
    except WinnableError:
        assert game.save() == before, "what is refused changes nothing"
        return game, False


def compare(game: Session, model: Played) -> None:
    line = model.line()
    assert (game.actions, game.ply, game.length) == (
        list(line[-1].way),
        len(model.at.way),
        len(line) - 1,
    )
    assert game.node == model.nodes.index(model.at)
    assert game.last_action == (model.at.way[-1] if model.at.way else None)
    state = game.start
    for action, expected in zip([None, *game.actions], game.states, strict=True):
        state = state if action is None else game.puzzle.apply(state, action)
        assert state == expected
    assert game.state == game.states[game.ply]
    assert (game.forks, game.fork) == (model.forks(), model.fork())
    for ply in game.forks:
        children = line[ply].children
        found = game.branches(ply)
        assert [branch.action for branch in found] == [child.way[-1] for child in children]
        assert [branch.length for branch in found] == [len(child.line()) for child in children]
        assert [branch.here for branch in found] == [child in line for child in children]
        assert game.place(ply) == (children.index(line[ply + 1]), len(children))
        for branch, child in zip(found, children, strict=True):
            end = game.states[ply]
            for step, action in enumerate(child.line()[-1].way[ply:]):
                end = game.puzzle.apply(end, action)
                assert step or end == branch.first
            assert end == branch.end


@pytest.mark.parametrize("spare", [0, 3, 10_000])
@settings(max_examples=50)
@given(moves=MOVES)
def test_a_session_is_a_tree(spare: int, moves: list[tuple[str, int]]) -> None:
    """Also when hardly a state is kept: then it is replayed."""
    with pytest.MonkeyPatch.context() as patch:

        def most_kept(state: object) -> int:
            return spare

        patch.setattr(session_module, "most_kept", most_kept)
        game, model = Session(named()), Played()
        for move, number in moves:
            number = model.meant(move, number)
            game, done = do(game, move, number)
            assert done == model.do(move, number), (move, number)
            compare(game, model)


@given(moves=MOVES)
def test_saving_and_loading_is_the_identity(moves: list[tuple[str, int]]) -> None:
    game, model = Session(named()), Played()
    for move, number in moves:
        number = model.meant(move, number)
        game, _ = do(game, move, number)
        model.do(move, number)
    again = Session.load(game.save())
    assert again.save() == game.save()
    assert again.saved_tree() == game.saved_tree()
    assert (again.states, again.ply, again.level_id) == (game.states, game.ply, game.level_id)


def test_the_line_says_when_it_became_another_one() -> None:
    game = Session(named())
    for action in (0, 1, 2):
        game.act(action)
    game.go_to_ply(1)
    game.redo()
    game.act(2)
    assert game.turns == 0, "along the line and on at its end"
    game.go_to_ply(1)
    game.act(3)
    assert game.turns == 1
    game.take_back()
    assert (game.turns, game.actions) == (2, [0, 1, 2])
    game.go_to_ply(0, 0)
    assert game.turns == 2
    assert (game.forks, game.fork) == ([], None)


def test_a_taken_back_turn_that_was_played_before_stays() -> None:
    game = Session(named())
    game.act(0)
    game.act(1)
    game.undo()
    game.act(2)
    game.go_to_ply(1, 1)
    game.take_back()
    assert [branch.action for branch in game.branches(1)] == [1, 2]


@pytest.mark.parametrize("ply", [0, 1, 3])
def test_a_game_of_the_first_format_is_opened(ply: int) -> None:
    game = Session(named())
    for action in (0, 1, 2):
        game.act(action)
    level = msgspec.json.decode(game.save())["level"]
    saved = {"format": "winnable.session/1", "level_id": "x", "level": level, "actions": [0, 1, 2]}
    old = Session.load(msgspec.json.encode(saved | {"ply": ply}))
    assert (old.actions, old.ply, old.states, old.level_id) == ([0, 1, 2], ply, game.states, "x")
    old.go_to_ply(1)
    old.act(3)
    assert [branch.action for branch in Session.load(old.save()).branches(1)] == [1, 3]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"branches": [[2, 2]]}, r"branches\[0\]: node 2 cannot come from node 2"),
        ({"branches": [[2, 3]]}, r"branches\[0\]: node 2 cannot come from node 3"),
        ({"branches": [[3, 0], [2, 0]]}, r"branches\[1\]: node 2 is not one of 4 to 4"),
        ({"branches": [[3, 0], [3, 1]]}, r"branches\[1\]: node 3 is not"),
        ({"branches": [[9, 0]]}, r"branches\[0\]: node 9 is not one of 1 to 4"),
        ({"branches": [[0, 0]]}, r"branches\[0\]: node 0 is not"),
        ({"branches": [[2, 0]]}, r"actions\[1\]: node 0 has a branch with action 0 already"),
        ({"branches": [[2, -1]]}, r"branches\[0\]\[1\]"),
        ({"branches": [[2]]}, r"branches\[0\]"),
        ({"branches": 3}, r"branches"),
        ({"node": 5}, "node: there is no node 5 in this game, only 0 to 4"),
        ({"node": -1}, r"node"),
        ({"onward": [7]}, r"onward\[0\]: node 7 is not one of 1 to 4"),
        ({"onward": [5]}, r"onward\[0\]: node 5 is not one of 1 to 4"),
        ({"onward": [0]}, r"onward\[0\]: node 0 is not"),
        ({"actions": [0, 0, 10**6, 1]}, r"actions\[2\]: "),
        ({"actions": [0] * (MAX_ACTIONS + 1)}, r"actions: .*length <= 1000000"),
        ({"ply": 1}, "ply"),
    ],
)
def test_a_broken_tree_gets_one_clear_error(change: dict[str, object], complaint: str) -> None:
    game = Session(named())
    for action in (0, 0, 1, 1):
        game.act(action)
    saved = msgspec.json.decode(game.save())
    with pytest.raises(WinnableError, match=complaint) as caught:
        Session.load(msgspec.json.encode(saved | change))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("node", [-1, 3])
def test_there_are_no_other_nodes_and_points_than_those_that_were_made(node: int) -> None:
    game = Session(named())
    game.act(0)
    game.act(1)
    with pytest.raises(WinnableError, match=f"node: there is no node {node} in this game, only 0 to 2"):
        game.go_to(node)
    with pytest.raises(WinnableError, match=f"ply: there is no point {node} in this game"):
        game.go_to_ply(node)
    assert game.ply == 2


def test_a_full_tree_refuses_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winnable.play.tree.MAX_ACTIONS", 2)
    game = Session(named())
    game.act(0)
    game.act(1)
    with pytest.raises(WinnableError, match="actions: a game holds at most 2"):
        game.act(2)
    assert (game.actions, game.ply) == ([0, 1], 2)


def test_a_start_with_very_many_branches_is_read_at_once() -> None:
    """Linear: with a list searched for each it would take minutes."""
    number = 100_000
    wide = SavedTree([*range(number)], [(node, 0) for node in range(2, number + 1)], 0, [5])
    tree = ActionTree.read(wide)
    assert len(tree.children(0)) == number
    assert tree.saved(0) == wide


def test_an_illegal_action_is_named_by_its_place() -> None:
    game = Session(named())
    with pytest.raises(IllegalAction):
        game.act(10**6)
    with pytest.raises(IllegalAction, match=r"^actions\[1\]: "):
        Session.grown(named(), SavedTree([0, 10**6], [], 0, []))


def grow(session: Session, moves: list[tuple[str, int]]) -> Session:
    """Acts and goes about, as the first two of MOVES' names say."""
    for name, number in moves:
        if name == "act":
            session.act(number % 5)
        else:
            session.go_to(number % len(session.saved_tree().actions or [0]))
    return session


def ways(session: Session) -> dict[tuple[int, ...], int]:
    """How each node is reached, and its number."""
    tree = ActionTree.read(session.saved_tree())
    found: list[tuple[int, ...]] = [()]
    for node in range(1, len(tree)):
        found.append((*found[tree.parent(node)], tree.action(node)))
    return {way: node for node, way in enumerate(found)}


GROWTH = st.lists(st.tuples(st.sampled_from(["act", "act", "go_to"]), st.integers(0, 59)), max_size=25)


@given(GROWTH, GROWTH, GROWTH)
@settings(max_examples=60, deadline=None)
def test_trees_grown_apart_are_merged_and_the_board_stays(
    common: list[tuple[str, int]], here: list[tuple[str, int]], there: list[tuple[str, int]]
) -> None:
    start = grow(Session(named()), common).saved_tree()
    mine, theirs = grow(Session.grown(named(), start), here), grow(Session.grown(named(), start), there)
    line, ply, all_ways = mine.actions, mine.ply, {*ways(mine)} | {*ways(theirs)}
    mine.merge(theirs.saved_tree())
    assert {*ways(mine)} == all_ways
    assert (mine.ply, mine.actions[: len(line)]) == (ply, line)
    assert mine.state == Session.grown(named(), SavedTree(line, [], ply, [])).state
    again = Session.grown(named(), mine.saved_tree())
    assert (again.actions, again.ply, again.states, again.forks) == (
        mine.actions, mine.ply, mine.states, mine.forks,
    )  # fmt: skip
    turns = mine.turns
    mine.merge(theirs.saved_tree())
    assert ({*ways(mine)}, mine.turns) == (all_ways, turns), "twice is the same as once"
    for way, node in ways(mine).items():
        mine.go_to(node)
        assert tuple(mine.actions[: mine.ply]) == way


def test_an_illegal_branch_of_another_tree_is_named_and_the_line_stays_whole() -> None:
    mine = grow(Session(named()), [("act", 0), ("act", 1)])
    with pytest.raises(IllegalAction):
        mine.merge(SavedTree([0, 1, 2, 10**6], [], 4, []))
    assert mine.actions == [0, 1, 2]
    assert mine.states[-1] == Session.grown(named(), SavedTree([0, 1, 2], [], 3, [])).state
