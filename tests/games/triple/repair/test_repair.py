"""The article's repair: same tiles, other kinds, and greedy wins."""

import pytest

from winnable.contract.core import Budget, LevelError, finish, replay
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.players.greedy_kernels import play_greedy
from winnable.games.triple.repair.repair import RepairFailed, de_repair, run_repair
from winnable.games.triple.repair.settings import Keep, RepairSettings
from winnable.games.triple.rules.level import Level, Tile
from winnable.games.triple.rules.puzzle import Triple

LOST = finish(generate(Params(layers=20), 1))


@pytest.mark.parametrize("keep", ["improving", "always"])
def test_repaired_boards_are_won_by_greedy(keep: Keep) -> None:
    assert not play_greedy(LOST).won
    level = finish(de_repair(LOST, 5, Budget(expanded=20_000), RepairSettings(keep)))
    assert [(tile.x, tile.y, tile.layer) for tile in level.tiles] == [
        (tile.x, tile.y, tile.layer) for tile in LOST.tiles
    ]
    assert sorted(tile.kind for tile in level.tiles) == sorted(tile.kind for tile in LOST.tiles)
    assert level.certificate is not None
    assert level.certificate.actions == play_greedy(level).actions
    puzzle = Triple(level)
    assert puzzle.is_goal(replay(puzzle, level.certificate.actions))
    assert level.provenance is not None
    assert level.provenance.params["from"]["seed"] == 1
    assert level == finish(de_repair(LOST, 5, Budget(expanded=20_000), RepairSettings(keep)))


def test_a_board_that_greedy_wins_stays_as_it_is() -> None:
    level = Level(tiles=tuple(Tile(kind % 2 + 7, 8 * kind, 0, 0) for kind in range(6)), slots=4)
    run = finish(run_repair(level, 0, Budget()))
    assert run.kinds == tuple(tile.kind for tile in level.tiles)
    assert (run.rounds, run.games, run.swaps) == (0, 1, 0)


def test_a_spent_budget_names_the_best_completion() -> None:
    level = finish(generate(Params(layers=30, slots=4), 1))
    with pytest.raises(RepairFailed, match=r"after \d+ games .* best completion was 0\.\d\d\d"):
        finish(de_repair(level, 0, Budget(expanded=200)))


def test_a_cancelled_budget_stops_at_once() -> None:
    budget = Budget()
    budget.cancel()
    with pytest.raises(RepairFailed, match="after 0 games and 0 rounds"):
        finish(de_repair(LOST, 0, budget))


def test_seeds_that_no_file_could_carry_are_refused() -> None:
    with pytest.raises(LevelError, match=r"seed: from 0 to .*, not -1"):
        finish(de_repair(LOST, -1, Budget()))


def test_too_few_slots_are_refused() -> None:
    with pytest.raises(LevelError, match="slots: with 2"):
        finish(de_repair(Level(tiles=LOST.tiles, slots=2), 0, Budget()))
