"""`import`, `export` and `play` of what other programs write, played or not."""

from pathlib import Path

import pytest

from tests.cli.cli_support import Run, document, one_error
from winnable.contract.abilities import Recording
from winnable.games.game2048.levels import replays
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Seeded2048


@pytest.fixture
def replay_file() -> str:
    puzzle, actions = Seeded2048(Level(dice=5)), list[int]()
    state = puzzle.initial()
    for _ in range(12):
        actions.append(puzzle.legal_actions(state)[0])
        state = puzzle.apply(state, actions[-1])
    Path("game.txt").write_bytes(replays.write(Recording(Level(dice=5), actions)))
    return "game.txt"


def test_a_replay_becomes_a_saved_game_and_a_replay_again(run: Run, replay_file: str) -> None:
    run("import", replay_file, "-o", "saved.json")
    assert document(run("import", replay_file, "--json"))["format"] == "winnable.session/2"
    again = run("export", "saved.json", "--format", "replay").stdout
    assert again.strip("\n") == Path(replay_file).read_text()
    end = run("export", replay_file, "--format", "hex").stdout.strip()
    start = run("export", replay_file, "--format", "hex", "--at", "0").stdout.strip()
    assert end.startswith("0x")
    assert start != end
    low = run("export", replay_file, "--format", "hex-low").stdout.strip()
    assert low == f"0x{end[:1:-1]}"
    Path("low.txt").write_text(low)
    board = run("import", "low.txt", "--format", "hex-low", "--json")
    assert document(run("export", "2048", end, "--json")) == document(board)
    one_error(run("export", replay_file, "--at", "99", code=2), "99")


def test_one_plays_on_from_a_recorded_game(run: Run, replay_file: str) -> None:
    played = document(run("play", replay_file, "--json", stdin=b"redo\nredo\n"))
    assert len(played["actions"]) == 2


def test_a_map_is_checked_solved_and_written_back(run: Run) -> None:
    Path("levels").mkdir()
    kept = document(run("export", "drops/05-puddle", "--json"))
    for program, file in (("tiled", "levels/1.tmx"), ("ldtk", "levels/2.ldtk")):
        run("export", "drops/05-puddle", "--format", program, "-o", file)
        level = document(run("import", file, "--json"))
        assert document(run("import", file, "--format", program, "--json")) == level
        assert level.items() == {name: kept[name] for name in kept if name != "certificate"}.items()
        assert document(run("solve", file, "--json"))["status"] == "solved"
        assert run("export", file, "--format", program).stdout_bytes == Path(file).read_bytes()
    assert [row["ok"] for row in document(run("check", "levels", "--json"))] == [True, True]
    Path("bare.tmx").write_text('<map width="1" height="1" tilewidth="8" tileheight="8"/>')
    one_error(run("solve", "bare.tmx", code=2), "bare.tmx: format: a map names its game")


def test_a_board_of_another_program_is_a_board(run: Run) -> None:
    level = document(run("export", "tetris", "v115@9gI8AeI8AeI8AeI8KeAgH", "--json"))
    assert level["wall"] == ["xxxxxxxxx."] * 4
    one_error(run("export", "tetris", "v105@vhAAgH", code=2), "version 105")
    one_error(run("import", "low.txt", "--format", "nothing", code=2), "low.txt")


def test_what_is_no_map_gets_no_maps_name(run: Run) -> None:
    run("generate", "drops", "-o", "x.tmx", code=2)
    told = run("repair", "triple/1-first-steps", "-o", "x.ldtk", code=2)
    assert "`winnable export`" in told.stderr
    assert not [*Path().iterdir()]
