"""What the harnesses of `bench kill` and `bench damage` would find."""

import os
import time
from pathlib import Path
from random import Random

import pytest

from bench.faults import damage
from bench.faults.damage_targets import Answer, Target
from bench.faults.kill_studio import _Game  # pyright: ignore[reportPrivateUsage]
from bench.faults.lives import Life
from winnable.levels.find import find_level
from winnable.play.session import Session

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


def test_a_life_is_killed_or_ends_by_itself(tmp_path: Path) -> None:
    long = Life(lambda: time.sleep(600), tmp_path, 0.01)
    assert long.wait() == -9
    assert long.killed
    short = Life(lambda: (tmp_path / "done").touch(), tmp_path, 600)
    assert short.wait() == 0
    assert not short.killed
    assert (tmp_path / "done").exists()


def test_an_action_that_was_acknowledged_must_be_there() -> None:
    named = find_level("triple/1-first-steps")
    first, second = Session(named).puzzle.legal_actions(Session(named).start)[:2]
    game = _Game("", named, "code")
    for action in (first, second):
        game.asked = {"type": "act", "action": action}
        if action == first:
            game.acknowledged()
    kept = {"history": [first], "ply": 1, "code": "code"}
    assert _Game("", named, "code").found({"history": None, "ply": 0, "code": "code"})
    assert game.found(kept), "the second one was under way"
    game.asked = {"type": "act", "action": second}
    assert game.found(kept | {"history": [first, second], "ply": 2})
    assert not game.found(kept), "by now it had been seen"


def test_what_a_damaged_file_leads_to_is_counted() -> None:
    def make(folder: Path) -> None:
        (folder / "file").write_bytes(b"content")

    def use(folder: Path) -> Answer:
        path = folder / "file"
        if path.is_dir():
            raise ValueError("a traceback")
        return "healed" if path.read_bytes() == b"conten" else "refused"

    target = Target(make, lambda folder: [folder / "file"], use)
    found = damage._damaged(target, Random(1), 3)  # pyright: ignore[reportPrivateUsage]
    assert found.healed == 1
    assert found.refused == 9
    assert len(found.wrong) == 1
    assert "ValueError" in found.wrong[0]
