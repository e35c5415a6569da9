"""The estimate of a person's chance where faces are hidden."""

from typing import Any

from winnable.contract.abilities import Chance
from winnable.contract.core import Budget, Progress, collected, finish
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.text import parse_board
from winnable.games.triple.players.fair_players import Quick
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.rules.tools import TripleWithTools
from winnable.levels.find import find_level


def chances(puzzle: Triple | TripleWithTools, state: Any, seed: int) -> list[Chance]:
    return finish(collected(GAME.chance(puzzle, state, Budget(), seed)))


def test_it_is_of_many_games_and_the_same_for_the_same_seed() -> None:
    puzzle = Triple(find_level("triple/4-two-towers").level)
    told = chances(puzzle, puzzle.initial(), 3)
    assert [chance.games for chance in told] == sorted({chance.games for chance in told})
    assert told == chances(puzzle, puzzle.initial(), 3)
    *_, last = told
    assert last.low < last.won / last.games < last.high
    assert last.high - last.low < 0.1


def test_nothing_hidden_is_looked_at() -> None:
    """Where the hidden faces of the level change places, nothing changes."""
    level = find_level("triple/4-two-towers").level
    puzzle = Triple(level)
    hidden = [tile.tile for tile in puzzle.observe(0).tiles if tile.kind is None]
    kinds = list(puzzle.kinds)
    turned = [kinds[tile] for tile in reversed(hidden)]
    for tile, kind in zip(hidden, turned, strict=True):
        kinds[tile] = kind
    other = Triple(level.with_kinds(kinds))
    assert other.kinds != puzzle.kinds
    assert [*Quick(puzzle, "careful", 5).play_from(0, 80)] == [*Quick(other, "careful", 5).play_from(0, 80)]


def test_where_all_can_be_seen_or_the_game_is_over_there_is_none() -> None:
    flat = Triple(parse_board("3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0"))
    assert chances(flat, flat.initial(), 0) == []
    puzzle = Triple(find_level("triple/2-pyramid").level)
    assert chances(puzzle, (1 << puzzle.num_actions) - 1, 0) == []


def test_the_budget_ends_it() -> None:
    puzzle, budget = Triple(find_level("triple/4-two-towers").level), Budget()
    told = GAME.chance(puzzle, puzzle.initial(), budget, 0)
    assert next(one for one in told if not isinstance(one, Progress)).games > 0
    budget.cancel()
    assert finish(collected(told)) == []


def test_with_tools_it_is_as_if_there_were_none() -> None:
    puzzle = TripleWithTools(find_level("triple/6-second-chance").level)
    *_, last = chances(puzzle, puzzle.initial(), 0)
    assert last.games > last.won > 0
