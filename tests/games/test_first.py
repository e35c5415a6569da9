"""What each game says at first where nothing is compiled, with the same source as plain Python."""

import pytest

from tests.fresh_python import printed
from winnable.contract.registry import GAMES

USUAL = "drops:043122/330042/302314/400241/120122/111210,drops=14"
"""Made at random; to make one takes minutes as plain Python."""
LEVELS = {
    "triple": ("triple:daily", "triple:#3", "triple:#6", "triple/5-tight-tray", "triple/6-second-chance"),
    "drops": (
        *("drops:slack=none#1", USUAL, "drops/09-plus", "drops/23-checkmate", "drops/30-ones"),
        *("drops/article-01-fountain", "drops/article-30-all-ones"),
    ),
    "rotate": ("rotate:#1", "rotate/01-one-turn", "rotate/07-blinds", "rotate/28-pairs"),
    "tetris": tuple(
        f"tetris/{name}" for name in ("2-classic", "5-dig", "6-find-the-way", "7-the-articles-game")
    ),
    "2048": ("2048:#1", "2048/2-the-articles-1024", "2048/3-two-by-two", "2048/6-five-by-five"),
}
ASKED = """
import sys
from winnable.contract.abilities import Solves
from tests.driving import driven
from winnable.contract.core import Budget, Answer, finish, replay
from winnable.levels.find import find_level_or_board
def asked(name, budget, seed=0, hear=lambda progress: None):
    game, level, _ = finish(find_level_or_board(name, "", Budget()))
    puzzle = game.puzzle(level)
    return game, puzzle, driven(game.first(puzzle, puzzle.initial(), budget, seed), hear)
"""


def test_every_game_has_a_first_answer() -> None:
    assert set(LEVELS) == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_holds(game: str) -> None:
    """Lines are replayed by the rules; of an outlook the interval holds the mean, and a player is named."""
    script = f"""{ASKED}
for name in {LEVELS[game]}:
    game, puzzle, found = asked(name, Budget(60))
    if isinstance(found, Answer):
        assert isinstance(game, Solves) and found.status != "budget", (name, found)
        if found.status == "solved":
            assert puzzle.is_goal(replay(puzzle, found.actions)) and found.cost == len(found.actions), name
            assert found.lower_bound is None or found.lower_bound <= found.cost, name
            assert found.optimal == (found.lower_bound == found.cost), name
        print(name, found.status)
    else:
        assert not isinstance(game, Solves) and found.by in game.players, name
        assert 0 <= found.low <= found.score <= found.high, (name, found)
        assert (found.within is None) == (found.risk is None), (name, found)
        assert found.risk is None or 0 <= found.risk_low <= found.risk <= found.risk_high <= 1, (name, found)
        legal = puzzle.legal_actions(puzzle.initial())
        assert [action for action, _ in found.values] in ([], list(legal)), (name, found)
        print(name, found.within)
assert "numba" not in sys.modules
"""
    said = dict(line.split() for line in printed(script, jit=False).splitlines())
    assert set(said) == set(LEVELS[game])
    if game == "drops":
        assert said.pop("drops/article-30-all-ones") == "unsolvable"
    if game in ("triple", "drops", "rotate"):
        assert set(said.values()) == {"solved"}
    if game == "tetris":
        assert set(said.values()) == {"50"}
    if game == "2048":
        assert said == dict.fromkeys(LEVELS[game], "None") | {"2048/6-five-by-five": "300"}


@pytest.mark.parametrize("game", GAMES)
def test_it_ends_soon_after_it_is_cancelled(game: str) -> None:
    """Also one that is cancelled before: then it knows nothing, or what it need not search for."""
    script = f"""{ASKED}
for name in {LEVELS[game]}:
    for most in range(4):
        reports = []
        def report(progress):
            reports.append(progress)
            if len(reports) == most:
                budget.cancel()
        budget = Budget(600)
        if not most:
            budget.cancel()
        *_, found = asked(name, budget, hear=report)
        late = len(set(report.expanded for report in reports[most:]))  # a round is ended by all copies
        assert late <= 8, (name, most, late)
        if isinstance(found, Answer) and found.status == "budget":
            assert found.limit is not None and found.limit.kind == "cancelled", (name, most, found)
print("ended")
"""
    assert printed(script, jit=False) == "ended\n"


@pytest.mark.parametrize("game", ["tetris", "2048"])
def test_the_same_seed_says_the_same(game: str) -> None:
    script = f"""{ASKED}
for name in {LEVELS[game][:1]}:
    one, same, other = (asked(name, Budget(600), seed)[2] for seed in (1, 1, 2))
    assert one == same != other, name
print("so it is")
"""
    assert printed(script, jit=False) == "so it is\n"


def test_triple_proves_what_is_as_good_as_over() -> None:
    """The kinds that are open in turns, with room for two in the tray."""
    script = f"""{ASKED}
from winnable.games.triple.rules.level import Level, Tile
from winnable.games.triple.game import GAME
tiles = tuple(Tile(number % 3, 0, 0, 9 - number) for number in range(9))
puzzle = GAME.puzzle(Level(tiles, slots=3))
print(driven(GAME.first(puzzle, puzzle.initial(), Budget(60), 0), lambda progress: None).status)
"""
    assert printed(script, jit=False) == "unsolvable\n"
