"""Levels and games in damaged files: refused in one sentence, or read as what they are; and a damaged file of
ours takes nothing else with it. (Stores: test_store.py. Networks and tables: tests/games/game2048.)"""

from __future__ import annotations

import logging
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from winnable.contract.core import Budget, WinnableError, finish
from winnable.contract.game import Game
from winnable.contract.registry import GAMES, load_game
from winnable.levels import files as level_files
from winnable.levels import find
from winnable.levels.files import read_level, shipped_level, shipped_levels
from winnable.levels.find import find_level
from winnable.play.session import Session
from winnable.web import catalog, opening


def damaged(content: bytes, rng: random.Random) -> bytes:
    at, size = rng.randrange(len(content)), rng.randrange(1, 20)
    return rng.choice(
        [
            content[:at],
            content[at:],
            content[:at] + bytes(size) + content[at + size :],
            content[:at] + rng.randbytes(size) + content[at + size :],
            content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :],
            content + content[:at],
            b"",
            b"\xff\xfe" + content,
        ]
    )


@pytest.mark.parametrize("name", GAMES)
def test_damaged_levels_and_sessions_are_refused_in_one_sentence_or_are_levels(name: str) -> None:
    game, rng = load_game(name), random.Random(name)
    path = min(game.levels.glob("*.json"), key=lambda path: path.stat().st_size)
    level = path.read_bytes()
    session = Session(read_level(level))
    if legal := session.puzzle.legal_actions(session.state):
        session.act(legal[0])
    refusals: list[WinnableError] = []
    for content, read in ((level, read_level), (session.save(), Session.load)):
        for _ in range(150):
            try:
                read(damaged(content, rng))
            except WinnableError as error:
                refusals.append(error)
    assert len(refusals) > 150
    for error in refusals:
        for language in ("en", "zh-CN"):
            assert error.said(language).strip()
            assert "\n" not in error.said(language)


@pytest.fixture
def drops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """With three levels, of which the first one, the game's cover, is cut short."""
    found = load_game("drops")
    cover = found.levels / f"{found.cover.partition('/')[2]}.json"
    names = {cover.name, *[path.name for path in sorted(found.levels.glob("*.json"))[:3]]}
    for name in names:
        shutil.copy(found.levels / name, tmp_path)
    (tmp_path / cover.name).write_bytes(cover.read_bytes()[:60])
    game = replace(found, levels=tmp_path)

    def load(name: str) -> Game:
        return game if name == "drops" else load_game(name)

    for module in (level_files, find, catalog):
        monkeypatch.setattr(module, "load_game", load)
    return game


def test_a_damaged_level_of_ours_takes_no_other_with_it(
    drops: Game, caplog: pytest.LogCaptureFixture
) -> None:
    files = len([*drops.levels.iterdir()])
    with caplog.at_level(logging.ERROR):
        shipped = dict(shipped_levels(drops))
    assert len(shipped) == files - 1
    (record,) = caplog.records
    assert record.getMessage() == f"{drops.cover}: not JSON: Input data was truncated"
    assert record.exc_info is None
    from_text = partial(opening.from_text, game="", budget=Budget())
    finders: list[Callable[[str], object]] = [shipped_level, find_level, from_text]
    for finder in finders:
        with pytest.raises(WinnableError, match=rf"^{drops.cover}: not JSON"):
            finish(finder(drops.cover))
    whole = next(iter(shipped))
    assert finish(opening.from_text(whole, "", Budget())).session.level_id == whole
    assert catalog.picture.__wrapped__("drops").startswith("<svg")
    described: Any = catalog._describe.__wrapped__("drops")  # pyright: ignore[reportPrivateUsage]
    assert described is not None
    assert [level.name for level in described.levels] == [*shipped]


def test_a_game_kept_on_a_level_whose_file_is_damaged_goes_on(drops: Game) -> None:
    whole = shipped_level(next(iter(dict(shipped_levels(drops)))))
    assert whole is not None
    assert whole.level.certificate is not None
    session = Session(whole._replace(id=drops.cover))
    assert finish(opening.from_file(session.save().decode())).session.level_id == drops.cover
