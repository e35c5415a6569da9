"""What is shipped of boards is what measuring them says."""

import msgspec
import pytest

from winnable.games.tetris.game import GAME
from winnable.games.tetris.levels.generator import Params
from winnable.games.tetris.measure import long_run
from winnable.games.tetris.measure.judge import MOST_PIECES
from winnable.games.tetris.measure.long_run import FILE, LONG_RUN, Board, LongRun, find_calm
from winnable.games.tetris.rules.level import Level

KNOWN = msgspec.json.decode(FILE.read_bytes(), type=list[LongRun])


def test_levels_that_are_offered_first_need_not_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_run, "expected_lines", None)
    levels = [msgspec.json.decode(path.read_bytes(), type=Level) for path in GAME.levels.glob("*.json")]
    for level in [*levels, Params(), Params(rules="travel")]:
        if level.rules != "article":
            found = LONG_RUN.find(Board(level.width, level.height, rules=level.rules))
            assert found is not None
            assert found.lines is not None
            assert found.low < found.lines < found.high < 1.3 * found.low


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: str(known.board))
def test_walls_are_calm_where_it_says(known: LongRun) -> None:
    assert known.calm == find_calm(known.board)


@pytest.mark.parametrize(
    "known", [one for one in KNOWN if one.board.height == 10], ids=lambda one: one.board.rules
)
def test_the_mean_is_that_of_another_measurement(known: LongRun) -> None:
    again = known.board.mean_lines(7, 4000, MOST_PIECES)
    assert again.low < known.strength.high
    assert known.strength.low < again.high
