"""The estimate of a person's chance where faces are hidden."""

from winnable.contract.core import Budget
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.text import parse_board
from winnable.games.triple.players.fair_players import Quick
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.rules.tools import TripleWithTools
from winnable.levels.find import find_level


def test_it_is_of_many_games_and_the_same_for_the_same_seed() -> None:
    puzzle = Triple(find_level("triple/4-two-towers").level)
    told = list(GAME.chance(puzzle, puzzle.initial(), Budget(), 3))
    assert [chance.games for chance in told] == sorted({chance.games for chance in told})
    assert told == list(GAME.chance(puzzle, puzzle.initial(), Budget(), 3))
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
    assert Quick(puzzle, "careful", 5).win_from(0, 80) == Quick(other, "careful", 5).win_from(0, 80)


def test_where_all_can_be_seen_or_the_game_is_over_there_is_none() -> None:
    flat = Triple(parse_board("3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0"))
    assert list(GAME.chance(flat, flat.initial(), Budget(), 0)) == []
    puzzle = Triple(find_level("triple/2-pyramid").level)
    assert list(GAME.chance(puzzle, (1 << puzzle.num_actions) - 1, Budget(), 0)) == []


def test_the_budget_ends_it() -> None:
    puzzle, budget = Triple(find_level("triple/4-two-towers").level), Budget()
    told = GAME.chance(puzzle, puzzle.initial(), budget, 0)
    next(told)
    budget.cancel()
    assert list(told) == []


def test_with_tools_it_is_as_if_there_were_none() -> None:
    puzzle = TripleWithTools(find_level("triple/6-second-chance").level)
    *_, last = GAME.chance(puzzle, puzzle.initial(), Budget(), 0)
    assert last.games > last.won > 0
