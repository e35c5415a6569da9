"""The tree of a game as programs walk through it, against the list of all that was played."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winnable

MOVES = ["(1,1)", "(2,1)", "(3,1)", "(1,2)"]


def tried() -> winnable.Board:
    """Four games with common beginnings; the third is on the board, a move before its end."""
    board = winnable.load("drops/05-puddle")
    for moves in (MOVES[:3], [MOVES[0], MOVES[2]], [*MOVES[:2], MOVES[3]]):
        board.go_to(0).push(*moves)
    board.pop()
    return board


def test_a_tree_is_read_as_it_was_played() -> None:
    board = tried()
    tree = board.tree
    assert (tree.move, tree.ply, tree.parent, tree.moves) == (None, 0, None, [])
    assert [node.moves for node in tree] == [
        [],
        MOVES[:1],
        MOVES[:2],
        MOVES[:3],
        [*MOVES[:2], MOVES[3]],
        [MOVES[0], MOVES[2]],
    ]
    assert [node.moves[-1] for node in tree if node.is_main and node.ply] == [MOVES[0], MOVES[1], MOVES[3]]
    (here,) = (node for node in tree if node.is_here)
    assert here.moves == board.moves == MOVES[:2]
    assert board.ply == here.ply == 2
    assert here.parent is not None
    assert here in here.parent.children
    assert repr(here) == "<winnable.Node (2,1), ply 2, 2 children>"
    assert str(tree) == "1: (1,1) (2,1)* (1,2)\n  2: (3,1)\n  3: (3,1)"
    assert str(winnable.load("drops/05-puddle").tree) == "1: *"
    assert str(here.children[0]) == "3: (3,1)"


def test_any_place_of_the_tree_can_be_put_on_the_board() -> None:
    board = tried()
    for node in board.tree:
        assert board.go_to(node).moves == node.moves
        assert winnable.load("drops/05-puddle").push(*node.moves) == board
        assert node.is_here
        assert node.is_main
    assert board.go_to(1).moves == MOVES[:1]
    assert board.redo() == MOVES[2], "the line is the last one that was visited"
    for place in (3, -1):
        with pytest.raises(winnable.WinnableError, match=f"ply: there is no point {place} in this game"):
            board.go_to(place)


def test_a_place_is_found_on_copies_and_nowhere_else() -> None:
    board = tried()
    copies: list[winnable.Board] = [board.copy(), copy.deepcopy(board), pickle.loads(pickle.dumps(board))]
    end = [*board.tree][3]
    for other in copies:
        assert other.go_to(end).moves == end.moves
        assert [*other.tree][3] != end
    assert board.moves == MOVES[:2], "on its own"
    late = board.go_to(0).push(MOVES[3]).tree.children[1]
    strangers: list[Any] = [copies[0], winnable.load("drops/06-little-star")]
    for other in strangers:
        with pytest.raises(winnable.WinnableError, match="node: these moves were not tried in this game"):
            other.go_to(late)
    both: tuple[winnable.Board, winnable.Node] = pickle.loads(pickle.dumps((board, late)))
    assert both[0].go_to(both[1]).moves == [MOVES[3]]
    assert {late: 1}[board.tree.children[1]] == 1


@given(st.data())
def test_each_node_is_printed_and_visited_once(data: st.DataObject) -> None:
    board = winnable.load("2048:#1")
    for _ in range(data.draw(st.integers(0, 12))):
        board.go_to(data.draw(st.integers(0, board.ply)))
        board.push(data.draw(st.sampled_from(board.legal_moves)))
    nodes = [*board.tree]
    assert len({*nodes}) == len(nodes) == 1 + board.tree.session.size
    assert sorted(node.number for node in nodes) == [*range(len(nodes))]
    printed = str(board.tree).replace("*", "").split()
    moves = [word for word in printed if not word.endswith(":")]
    assert sorted(moves) == sorted(node.move for node in nodes if node.move is not None)
