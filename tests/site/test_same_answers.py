"""A site's Python says of positions what this one says: verdicts, lengths, bounds, outlooks and hints.
`winnable bench site` does that for more of them, in all games."""

from pathlib import Path

import pytest

from bench.site.comparing import asked, drawn, tuned
from bench.site.tuning import Run
from tests.sites import GAMES

POSITIONS = 150
"""Of each game: ten seconds for both Pythons."""


@pytest.mark.parametrize("game", GAMES)
def test_a_site_says_of_positions_what_is_said_here(game: str, site: Path) -> None:
    pairs = asked(site, drawn(game, POSITIONS))
    assert [pair for pair in pairs if pair.differs] == []
    assert len({str(pair.native.same) for pair in pairs}) > POSITIONS // 5


def test_a_site_tunes_as_here_bit_for_bit(site: Path) -> None:
    """Each generation, with all that the run goes on from."""
    native, there = tuned(site, Run("tetris", "article-mean", "de", 300))
    assert len(native.generations) > 5
    assert native.generations == there.generations
