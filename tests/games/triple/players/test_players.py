"""The greedy player against the article's words, taken literally; and the compiled games against the
player."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import fresh_python
from tests.games.triple.naive_triple import overlap
from winnable.contract.core import LevelError, finish, replay
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.players import by_name as players
from winnable.games.triple.players import greedy_kernels
from winnable.games.triple.players.by_name import PLAYERS, Greedy
from winnable.games.triple.rules.level import SIDE, Level, Tile, Tools
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.rules.tools import TripleWithTools
from winnable.play.playing import RandomPlayer


class LiteralGreedy:
    """The article's rule, step by step: lists of blockers that shrink, all paths walked, rising threshold."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.tray: list[int] = []
        self.blockers: dict[int, list[int]] = {}
        by_layer = sorted(range(len(level.tiles)), key=lambda tile: -level.tiles[tile].layer)
        for tile in range(len(level.tiles)):
            self.blockers[tile] = [other for other in by_layer if self.blocks(other, tile)]

    def blocks(self, upper: int, lower: int) -> bool:
        a, b = self.level.tiles[upper], self.level.tiles[lower]
        return a.layer > b.layer and abs(a.x - b.x) < SIDE and abs(a.y - b.y) < SIDE

    def path(self, tile: int) -> list[int]:
        """What must be clicked for `tile`, last click first; whatever is met again moves to the end."""
        found = [tile]
        for blocker in self.blockers[tile]:
            for other in self.path(blocker):
                if other in found:
                    found.remove(other)
                found.append(other)
        return found

    def plan(self, kind: int, wanted: int, threshold: int) -> list[int] | None:
        paths = [
            self.path(tile)
            for tile, blockers in self.blockers.items()
            if self.level.tiles[tile].kind == kind and len(blockers) <= threshold
        ]
        if len(paths) < wanted:
            return None
        return [tile for path in sorted(paths, key=len)[:wanted] for tile in reversed(path)]

    def choose(self) -> int:
        held = dict(Counter(sorted(self.tray)))
        for tile in self.blockers:
            held.setdefault(self.level.tiles[tile].kind, 0)
        for threshold in range(len(self.level.tiles)):
            plans: list[list[int]] = []
            for kind, number in held.items():
                plan = self.plan(kind, 3 - number, threshold)
                if plan is not None and len(plan) == 1:
                    return plan[0]
                if plan is not None:
                    plans.append(plan)
            if plans:
                return min(plans, key=len)[0]
        raise AssertionError("some kind can always be completed")

    def click(self, tile: int) -> None:
        assert not self.blockers.pop(tile)
        for blockers in self.blockers.values():
            if tile in blockers:
                blockers.remove(tile)
        self.tray.append(self.level.tiles[tile].kind)
        self.tray = [kind for kind in self.tray if self.tray.count(kind) < 3]

    def play(self) -> list[int]:
        clicks: list[int] = []
        while self.blockers and len(self.tray) < self.level.slots:
            clicks.append(self.choose())
            self.click(clicks[-1])
        return clicks


@st.composite
def boards(draw: st.DrawFn, most: int = 7, layers: int = 5) -> Level:
    """Any geometry on a 4-unit grid (or shifted by single units), layers and kinds in any order."""
    groups = draw(st.integers(1, most))
    kinds = draw(st.permutations([draw(st.integers(0, 3)) for _ in range(groups)] * 3))
    unit = draw(st.sampled_from([1, 3, 4, 8]))
    place = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, layers - 1))
    tiles: list[Tile] = []
    for kind in kinds:
        column, row, layer = draw(place)
        tile = Tile(kind, column * unit, row * unit, layer)
        if any(other.layer == layer and overlap(tile, other) for other in tiles):
            tile = Tile(kind, column * unit, 100 + SIDE * len(tiles), layer)
        tiles.append(tile)
    return Level(tiles=tuple(tiles), slots=draw(st.integers(1, 8)))


def play(level: Level) -> list[int]:
    puzzle = Triple(level)
    player, state, actions = Greedy(puzzle), puzzle.initial(), list[int]()
    while puzzle.legal_actions(state):
        actions.append(finish(player.choose(state)))
        state = puzzle.apply(state, actions[-1])
    return actions


@settings(max_examples=100)
@given(boards())
def test_greedy_is_the_articles_player(level: Level) -> None:
    assert play(level) == LiteralGreedy(level).play()


@pytest.mark.parametrize("seed", range(8))
def test_greedy_is_the_articles_player_on_its_boards(seed: int) -> None:
    level = finish(generate(Params(layers=4, side=4, kinds=5, sets=2), seed))
    assert play(level) == LiteralGreedy(level).play()


@settings(max_examples=25)
@given(boards(most=20, layers=12))
def test_compiled_games_are_the_players_games(level: Level) -> None:
    game, puzzle = greedy_kernels.play_greedy(level), Triple(level)
    assert list(game.actions) == play(level)
    assert game.won == puzzle.is_goal(replay(puzzle, game.actions))
    assert game.completion == len(game.actions) / len(level.tiles)


@pytest.mark.parametrize("layers", [12, 18, 30])
def test_compiled_games_are_the_players_games_on_full_boards(layers: int) -> None:
    for seed in range(4):
        level = finish(generate(Params(layers=layers), seed))
        assert list(greedy_kernels.play_greedy(level).actions) == play(level)


def test_kernels_run_without_the_compiler() -> None:
    program = (
        "from winnable.contract.core import finish\n"
        "from winnable.games.triple.levels.generator import Params, generate\n"
        "from winnable.games.triple.players.greedy_kernels import play_greedy\n"
        "print(*play_greedy(finish(generate(Params(layers=13, sets=4), 5))).actions)\n"
    )
    printed = fresh_python.printed(program, jit=False)
    level = finish(generate(Params(layers=13, sets=4), 5))
    assert [int(word) for word in printed.split()] == play(level)


def test_warm_compiles() -> None:
    greedy_kernels.warm()


@given(boards(), st.integers(0, 2**32))
def test_random_player_is_legal_and_follows_its_seed(level: Level, seed: int) -> None:
    puzzle = Triple(level)
    games: list[list[int]] = []
    for _ in range(2):
        player, state, actions = RandomPlayer(puzzle, seed), puzzle.initial(), list[int]()
        while legal := puzzle.legal_actions(state):
            actions.append(finish(player.choose(state)))
            assert actions[-1] in legal
            state = puzzle.apply(state, actions[-1])
        games.append(actions)
    assert games[0] == games[1]


@pytest.mark.parametrize("name", PLAYERS)
def test_players_play_with_tools(name: str) -> None:
    puzzle = TripleWithTools(finish(generate(Params(layers=5, side=4, kinds=6, sets=2, variant="tools"), 2)))
    player, state = PLAYERS[name](puzzle, 1), puzzle.initial()
    for action in (0, 1, 2):  # move three out, then play on
        state = puzzle.apply(state, puzzle.legal_actions(state)[action])
    state = puzzle.apply(state, puzzle.parse_action("move_out"))
    while legal := puzzle.legal_actions(state):
        action = finish(player.choose(state))
        assert action in legal
        state = puzzle.apply(state, action)


def test_without_tools_used_greedy_plays_as_ever() -> None:
    level = finish(generate(Params(layers=12), 4))
    tooled = Level(tiles=level.tiles, tools=Tools())
    puzzle = TripleWithTools(tooled)
    player, state, actions = PLAYERS["greedy"](puzzle, 0), puzzle.initial(), list[int]()
    while len(state.tray) < puzzle.slots and not puzzle.is_goal(state):
        actions.append(finish(player.choose(state)))
        state = puzzle.apply(state, actions[-1])
    assert actions == play(level)


def test_boards_past_the_limits_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    stack = Level(tiles=tuple(Tile(0, 0, 0, layer) for layer in range(30)))
    monkeypatch.setattr(players, "MAX_OVERLAPS", 100)
    with pytest.raises(LevelError, match="tiles: more than 100 pairs overlap"):
        Greedy(Triple(stack))
    monkeypatch.setattr(greedy_kernels, "MAX_SHAPE_TILES", 29)
    with pytest.raises(LevelError, match="tiles: 30 are more than the 29"):
        greedy_kernels.play_greedy(stack)
