"""Players that know no more than a person sees: they see what `observe` shows, no more."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from winnable.compiled.dice_kernels import new_dice
from winnable.contract.core import LevelError, PlaysWhole, finish
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.players import fair_kernels, fair_players
from winnable.games.triple.players.by_name import SKILLS
from winnable.games.triple.players.fair_players import DEALS, QUICK, Foresight, Quick, make_player
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Picked, Triple

NAMES = [name for name in SKILLS if name != "random"]
SMALL = Params(layers=6, sets=3, kinds=8, side=4)


def somewhere(puzzle: Triple, picks: int, rng: random.Random) -> Picked:
    """The position after some legal picks."""
    state = puzzle.initial()
    for _ in range(picks):
        legal = puzzle.legal_actions(state)
        if not legal:
            break
        after = puzzle.apply(state, rng.choice(legal))
        if not puzzle.is_full(after):
            state = after
    return state


def with_blind_tiles(level: Level, rng: random.Random) -> Level:
    return replace(level, tiles=tuple(replace(tile, hidden=rng.random() < 0.2) for tile in level.tiles))


def with_others_hidden(level: Level, state: Picked, rng: random.Random) -> Level:
    """The same level, but for the kinds of tiles whose faces are hidden in `state`, which are exchanged."""
    hidden = [tile.tile for tile in Triple(level).observe(state).tiles if tile.kind is None]
    kinds = [level.tiles[tile].kind for tile in hidden]
    rng.shuffle(kinds)
    tiles = list(level.tiles)
    for tile, kind in zip(hidden, kinds, strict=True):
        tiles[tile] = replace(tiles[tile], kind=kind)
    return replace(level, tiles=tuple(tiles))


@given(st.integers(0, 999), st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_the_kernels_see_what_the_rules_show(seed: int, picks: int) -> None:
    rng = random.Random(seed)
    puzzle = Triple(with_blind_tiles(finish(generate(SMALL, seed)), rng))
    state = somewhere(puzzle, picks, rng)
    player = Quick(puzzle, "careful")
    seen = np.empty(puzzle.num_actions, np.bool_)
    fair_kernels.look(player._sight, player._position(state), seen)  # pyright: ignore[reportPrivateUsage]
    hidden = {tile.tile for tile in puzzle.observe(state).tiles if tile.kind is None}
    assert {tile for tile in range(puzzle.num_actions) if not seen[tile]} == hidden


@pytest.mark.parametrize("name", NAMES)
@given(seed=st.integers(0, 999), picks=st.integers(0, 60))
@settings(max_examples=8, deadline=None)
def test_what_is_hidden_moves_nobody(name: str, seed: int, picks: int) -> None:
    rng = random.Random(seed)
    level = with_blind_tiles(finish(generate(SMALL, seed)), rng)
    puzzle = Triple(level)
    state = somewhere(puzzle, picks, rng)
    if not puzzle.legal_actions(state):
        return
    choices = {
        finish(make_player(name, Triple(with_others_hidden(level, state, rng)), 7).choose(state))
        for _ in range(3)
    }
    assert choices == {finish(make_player(name, puzzle, 7).choose(state))}


@given(st.integers(0, 999), st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_an_imagined_deal_keeps_what_was_seen_and_comes_in_threes(seed: int, picks: int) -> None:
    rng = random.Random(seed)
    puzzle = Triple(finish(generate(SMALL, seed)))
    state = somewhere(puzzle, picks, rng)
    player = Quick(puzzle, "careful")
    position, tables = player._position(state), player._tables  # pyright: ignore[reportPrivateUsage]
    sight = player._sight  # pyright: ignore[reportPrivateUsage]
    seen, deals = np.empty(puzzle.num_actions, np.bool_), np.empty((2, puzzle.num_actions), np.int32)
    fair_kernels.look(sight, position, seen)
    fair_kernels.imagine(tables.kind, sight, position, deals, new_dice(seed))
    for deal in deals:
        assert (deal[seen] == tables.kind[seen]).all()
        assert set(deal) <= set(tables.kind[seen])
        assert all(number % 3 == 0 for number in Counter(deal.tolist()).values())


@pytest.mark.parametrize("name", NAMES)
def test_games_follow_the_rules_and_their_seed(name: str) -> None:
    puzzle = Triple(finish(generate(SMALL, 5)))
    lines: list[tuple[int, ...]] = []
    for _ in range(2):
        player, state, line = make_player(name, puzzle, 3), puzzle.initial(), list[int]()
        while puzzle.legal_actions(state):
            line.append(finish(player.choose(state)))
            state = puzzle.apply(state, line[-1])
        lines.append(tuple(line))
    assert lines[0] == lines[1]
    if isinstance(player := make_player(name, puzzle, 3), PlaysWhole):
        assert player.play() == lines[0]


def test_the_stronger_win_more() -> None:
    levels = [Triple(finish(generate(SMALL, seed))) for seed in range(40)]
    won = {
        name: sum(len(Quick(puzzle, name, 1).play()) == puzzle.num_actions for puzzle in levels)
        for name in ("matching", "hurried", "careful")
    }
    assert won["matching"] < won["hurried"] < won["careful"]


def test_foresight_follows_its_plan_until_a_new_face_shows() -> None:
    puzzle = Triple(finish(generate(SMALL, 2)))
    player, state = Foresight(puzzle, 1), puzzle.initial()
    shown = {tile.tile for tile in puzzle.observe(state).tiles if tile.kind is not None}
    first = finish(player.choose(state))
    plan = dict(player._planned)  # pyright: ignore[reportPrivateUsage]
    assert plan[state] == first
    for reached, action in list(plan.items())[:-1]:
        after = puzzle.observe(puzzle.apply(reached, action))
        assert {tile.tile for tile in after.tiles if tile.kind is not None} <= shown


def test_levels_past_the_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_players, "MAX_CLOSED_TILES", 71)
    monkeypatch.setattr(fair_players, "MOST_TILES", 70)
    for name, most in (("careful", 71), ("sampling-4", 70), ("foresight", 70)):
        with pytest.raises(LevelError, match=f"tiles: 72 of them, over the {most}"):
            make_player(name, Triple(finish(generate(SMALL, 0))), 0)


def test_every_player_has_a_skill() -> None:
    assert {*QUICK, *DEALS, "random", "foresight"} == set(SKILLS)
