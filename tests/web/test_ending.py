"""The end of a studio in which everything is under way."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.web import toy_game
from tests.web.studio_harness import running_studio
from winnable.contract.registry import GAMES, Entry


@pytest.mark.parametrize("threads", [True, False], ids=["threads", "loop"])
@pytest.mark.usefixtures("closed")
def test_it_ends_soon_and_leaves_nothing(
    tmp_path: Path, threads: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """No thread, and no task that is pending or was never awaited, which would be an error here."""
    monkeypatch.setitem(GAMES, "toy", Entry("toy", "tests.web.toy_game:GAME"))
    with running_studio(tmp_path, threads=threads) as studio, studio.page() as page:
        page.new("toy:start=20#1")
        assert page.wait("lamp")["searching"]
        page.send("step", by="auto")
        page.send("report")
        page.send("hint", by="auto")
        page.send("solve", solver="stuck", seconds=600)
        page.send("judge", game="toy", level="7", ticket=1)
        page.send("compare", game="toy", levels=["toy:start=3"], by=[{"name": "auto"}], games=5, seconds=600)
        page.wait("standings")
        with studio.page() as other:
            other.new("toy:start=21#1")
            other.send("act", action=0)
            other.wait("state")
        assert sum(studio.jobs.counts()) > 3
    assert not toy_game.OPEN.is_set(), "nobody was let go"
    assert studio.jobs.join(0)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
