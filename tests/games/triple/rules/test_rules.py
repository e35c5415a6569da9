"""The rules of triple, against the plain words of the article and of the real game."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.triple.naive_triple import overlap
from winnable.contract.core import IllegalAction, LevelError, finish, replay
from winnable.games.triple.rules.level import SIDE, Level, Tile, Tools
from winnable.games.triple.rules.puzzle import Triple, direct_covers
from winnable.games.triple.rules.tools import ToolsState, TripleWithTools, plain_position


@st.composite
def levels(draw: st.DrawFn, step: int = 4) -> Level:
    """Small boards of any shape: three to twelve tiles, up to four layers, on a grid of `step` units."""
    groups = draw(st.integers(1, 4))
    kinds = [
        kind for kind in draw(st.lists(st.integers(0, 3), min_size=groups, max_size=groups)) for _ in "123"
    ]
    places = draw(
        st.lists(
            st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)),
            min_size=len(kinds) * 3,
            max_size=len(kinds) * 6,
            unique=True,
        )
    )
    tiles: list[Tile] = []
    for column, row, layer in places:
        tile = Tile(kinds[len(tiles)], column * step, row * step, layer, draw(st.booleans()))
        if not any(other.layer == layer and overlap(tile, other) for other in tiles):
            tiles.append(tile)
        if len(tiles) == len(kinds):
            break
    for number in range(len(tiles), len(kinds)):
        tiles.append(Tile(kinds[number], 100 + SIDE * number, 0, 0))
    return Level(tuple(tiles), slots=draw(st.integers(1, 7)))


def naive_uncovered(level: Level, gone: set[int]) -> list[int]:
    """By the words of the rule: nothing that is left in any higher layer overlaps the tile."""
    left = [(index, tile) for index, tile in enumerate(level.tiles) if index not in gone]
    return [
        index
        for index, tile in left
        if not any(other.layer > tile.layer and overlap(tile, other) for _, other in left)
    ]


@given(levels(), st.integers(0, 2**32))
def test_random_games_follow_the_naive_rules(level: Level, seed: int) -> None:
    puzzle, rng = Triple(level), random.Random(seed)
    state, gone, tray = puzzle.initial(), set[int](), list[int]()
    while True:
        uncovered = naive_uncovered(level, gone)
        over = len(tray) >= level.slots
        assert puzzle.legal_actions(state) == ([] if over else uncovered)
        assert puzzle.tray(state) == tuple(sorted(tray))
        assert puzzle.is_goal(state) == (len(gone) == len(level.tiles))
        view = puzzle.observe(state)
        assert view.status == ("won" if puzzle.is_goal(state) else "lost" if over else "playing")
        assert [seen.tile for seen in view.tiles if seen.open] == [
            seen.tile for seen in view.tiles if seen.tile in uncovered
        ]
        for tile in set(range(len(level.tiles))) - set(puzzle.legal_actions(state)):
            with pytest.raises(IllegalAction):
                puzzle.apply(state, tile)
        if over or not uncovered:
            return
        if rng.random() < 0.5:
            puzzle.apply(state, rng.choice(uncovered))  # then what the rules remember is of another state
        tile = rng.choice(uncovered)
        state = puzzle.apply(state, tile)
        gone.add(tile)
        tray.append(level.tiles[tile].kind)
        if tray.count(tray[-1]) == 3:
            tray = [kind for kind in tray if kind != tray[-1]]


@given(levels(step=1))
def test_a_face_shows_unless_the_tile_is_wholly_covered_or_marked(level: Level) -> None:
    puzzle = Triple(level)
    for seen in puzzle.observe(0).tiles:
        tile = level.tiles[seen.tile]
        above = [other for other in level.tiles if other.layer > tile.layer and overlap(tile, other)]
        bare = any(
            not any(other.x <= x < other.x + SIDE and other.y <= y < other.y + SIDE for other in above)
            for x in range(tile.x, tile.x + SIDE)
            for y in range(tile.y, tile.y + SIDE)
        )
        shows = bare and not (tile.hidden and above)
        assert seen.kind == (tile.kind if shows else None)


def test_distance_of_a_whole_tile_does_not_cover_but_seven_eighths_do() -> None:
    beside = (Tile(0, 0, 0, 0), Tile(0, 8, 0, 1), Tile(0, 8, 8, 1))
    near = (Tile(0, 0, 0, 0), Tile(0, 7, 7, 5), Tile(0, 30, 0, 0))
    assert finish(direct_covers(beside))[0] == ((), (), ())
    assert finish(direct_covers(near))[0] == ((1,), (), ())


def test_seven_in_the_tray_lose_although_a_third_would_have_come_next() -> None:
    """Seed, `remove_3_card`: the limit is tested after three vanished; six may rest, a seventh must match."""
    puzzle = Triple(Level(tuple(Tile(place // 3, 8 * place, 0, 0) for place in range(12)), slots=7))
    six = replay(puzzle, [0, 1, 3, 4, 6, 7])
    assert puzzle.tray(six) == (0, 0, 1, 1, 2, 2)
    assert puzzle.tray(puzzle.apply(six, 2)) == (1, 1, 2, 2)
    lost = puzzle.apply(six, 9)
    assert puzzle.observe(lost).status == "lost"
    assert puzzle.legal_actions(lost) == []
    with pytest.raises(IllegalAction, match="the tray is full"):
        puzzle.apply(lost, 2)


@pytest.mark.parametrize("action", [-1, 3, 10**9])
def test_actions_that_no_state_has(action: int) -> None:
    with pytest.raises(IllegalAction, match=f"action {action}"):
        Triple(ROW).apply(0, action)


ROW = Level((Tile(0, 0, 0, 0), Tile(0, 8, 0, 0), Tile(0, 16, 0, 0)))


def test_names_of_actions_round_trip() -> None:
    for puzzle in (Triple(ROW), TripleWithTools(with_tools(ROW))):
        for action in range(puzzle.num_actions):
            assert puzzle.parse_action(puzzle.action_name(action)) == action
        for text in ("", "x", "-1", "99", "1e0", "9" * 400, "٣"):
            with pytest.raises(IllegalAction):
                puzzle.parse_action(text)


def test_kinds_not_in_threes_and_overlaps_are_refused() -> None:
    with pytest.raises(LevelError, match="kind 5 occurs 1 time,"):
        Level((*ROW.tiles, Tile(5, 50, 0, 0)))
    with pytest.raises(LevelError, match=r"tiles\[1\]: overlaps tiles\[0\] in layer 2"):
        Level((Tile(0, 0, 0, 2), Tile(0, 7, 7, 2), Tile(0, 40, 0, 2)))


def with_tools(level: Level, undo: int = 1, move_out: int = 1, shuffle: int = 1) -> Level:
    return Level(level.tiles, level.slots, Tools(undo, move_out, shuffle, seed=3))


@given(levels(), st.integers(0, 2**32))
def test_with_tools_a_position_without_further_tools_is_a_plain_one(level: Level, seed: int) -> None:
    """Random games with all tools: tray and board agree with the plain rules on the same position."""
    puzzle, rng = TripleWithTools(with_tools(level, 2, 2, 2)), random.Random(seed)
    state = puzzle.initial()
    while legal := puzzle.legal_actions(state):
        assert list(legal) == sorted(set(legal))
        plain, picked = plain_position(puzzle, state)
        kinds = tuple(sorted(state.kinds[tile] for tile in state.tray))
        assert plain.tray(picked) == kinds
        tiles = [action for action in legal if action < len(level.tiles)]
        assert plain.legal_actions(picked) == tiles
        assert sorted(state.kinds) == sorted(tile.kind for tile in level.tiles)
        view = puzzle.observe(state)
        assert sorted(view.tray) == list(kinds)
        assert len(view.tiles) + state.picked.bit_count() == len(level.tiles)
        assert [seen.tile for seen in view.aside] == list(state.aside)
        for action in set(range(puzzle.num_actions)) - set(legal):
            with pytest.raises(IllegalAction):
                puzzle.apply(state, action)
        state = puzzle.apply(state, rng.choice(legal))
    assert puzzle.is_goal(state) or len(state.tray) >= level.slots


def test_each_tool_does_what_it_says() -> None:
    tiles = tuple(Tile(kind, 8 * index, 0, 0) for index, kind in enumerate([0, 1, 0, 2, 1, 0, 1, 2, 2]))
    puzzle = TripleWithTools(with_tools(Level(tiles), undo=1, move_out=1, shuffle=1))
    undo, move_out, shuffle = range(9, 12)
    start = puzzle.initial()
    assert puzzle.legal_actions(start) == [*range(9), shuffle]
    three = replay(puzzle, [0, 1, 2, 3])
    assert three.tray == (0, 2, 1, 3), "alike tiles lie together"
    undone = puzzle.apply(three, undo)
    assert (undone.tray, undone.picked, undone.uses) == ((0, 2, 1), 0b111, (0, 1, 1))
    with pytest.raises(IllegalAction, match="undo: no use is left"):
        puzzle.apply(puzzle.apply(undone, 3), undo)
    out = puzzle.apply(three, move_out)
    assert (out.tray, out.aside) == ((3,), (0, 2, 1))
    assert undo in puzzle.legal_actions(out), "the tile picked last still lies in the tray"
    again = replay(puzzle, [0, 2, 5], out)
    assert (again.tray, again.aside) == ((3,), (1,))
    mixed = puzzle.apply(three, shuffle)
    assert mixed.tray == three.tray
    assert mixed == puzzle.apply(three, shuffle), "the same actions give the same game"
    assert isinstance(mixed, ToolsState)
    assert mixed.kinds[:4] == three.kinds[:4]
    assert sorted(mixed.kinds[4:]) == sorted(three.kinds[4:])
