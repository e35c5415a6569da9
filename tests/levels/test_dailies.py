"""Daily levels that were made ahead: they are those that the generator makes, and opened without it."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from winnable.contract.core import finish, replay
from winnable.contract.provenance import unchecked_replace
from winnable.contract.registry import GAMES, load_game
from winnable.games.drops.levels import generator
from winnable.levels import dailies, files
from winnable.levels.dailies import FILE, Dailies, made_ahead
from winnable.levels.files import decode
from winnable.levels.find import made_level
from winnable.levels.identity import Identity, daily

AHEAD = [name for name, entry in GAMES.items() if entry.folder and (entry.folder / FILE).exists()]


def kept(name: str) -> dict[date, Any]:
    folder, game = GAMES[name].folder, load_game(name)
    assert folder is not None
    file: Dailies = decode((folder / FILE).read_bytes(), Dailies)
    days = [date.fromisoformat(f"{seed[:4]}-{seed[4:6]}-{seed[6:]}") for seed in file.levels]
    return {day: made_ahead(daily(game, day)) for day in days}


def same(level: Any) -> Any:
    """But for the versions that made it."""
    provenance = msgspec.structs.replace(level.provenance, version="")
    certificate = msgspec.structs.replace(level.certificate, version="")
    return unchecked_replace(level, provenance=provenance, certificate=certificate)


def test_games_that_must_prove_something_have_them() -> None:
    assert {*AHEAD} == {"rotate", "drops"}


@pytest.mark.parametrize("name", AHEAD)
def test_each_day_has_one_that_its_line_wins(name: str) -> None:
    levels, game = kept(name), load_game(name)
    first = min(levels)
    assert [*levels] == [first + timedelta(ahead) for ahead in range(len(levels))]
    assert len(levels) > 365
    for level in levels.values():
        puzzle, certificate = game.puzzle(level), level.certificate
        assert puzzle.is_goal(replay(puzzle, certificate.actions))
        assert certificate.cost == certificate.lower_bound == len(certificate.actions)


@pytest.mark.parametrize("name", AHEAD)
def test_they_are_what_the_generator_makes(name: str) -> None:
    game = load_game(name)
    for day, level in [*kept(name).items()][::80]:
        identity = daily(game, day)
        assert same(level) == same(finish(game.generate(identity.params, identity.seed)))


def test_other_levels_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("drops")
    day = max(kept("drops"))
    assert made_ahead(daily(game, day + timedelta(1))) is None
    assert made_ahead(Identity(game, game.params_type(), daily(game, day).seed)) is None
    assert made_ahead(daily(load_game("triple"), day)) is None
    monkeypatch.setattr(generator, "_find", None)
    assert finish(made_level(daily(game, day))).level == kept("drops")[day]


@pytest.mark.parametrize("content", ['{"levels": 3}', '{"provenance": {}}', "nothing"])
def test_a_damaged_file_costs_time_only(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = load_game("drops")
    (tmp_path / FILE).write_text(content)

    class Elsewhere:
        folder = tmp_path

    monkeypatch.setattr(files, "GAMES", {"drops": Elsewhere()})
    dailies._dailies.cache_clear()  # pyright: ignore[reportPrivateUsage]
    try:
        assert made_ahead(daily(game, date(2026, 12, 1))) is None
        assert FILE in caplog.text
    finally:
        dailies._dailies.cache_clear()  # pyright: ignore[reportPrivateUsage]
