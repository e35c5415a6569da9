"""`winnable arcade`: on a terminal of its own (a pty), and without one."""

import codecs
import contextlib
import itertools
import json
import os
import re
import select
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.cli.cli_support import Run, document, one_error
from tests.waiting import PATIENCE, wait_until
from winnable.contract.core import LevelError
from winnable.games.tetris.levels import fumen
from winnable.games.tetris.modern.commands import live
from winnable.games.tetris.modern.commands.game import ARTICLE_SOFT_FRAMES, Game, Reel, Taps
from winnable.games.tetris.modern.commands.screen import INKS, SCREEN_WIDTH, picture
from winnable.games.tetris.modern.players.replay import Film, Log
from winnable.games.tetris.modern.rules.bag import piece_of
from winnable.games.tetris.modern.rules.level import Handling, Level
from winnable.games.tetris.modern.rules.puzzle import Modern
from winnable.games.tetris.modern.rules.state import CW, HARD, LEFT, SOFT
from winnable.levels.files import decode

posix = pytest.mark.skipif(os.name != "posix", reason="a pty")
FLAT_I = next(dice for dice in itertools.count() if piece_of(dice, 0) == "I")
"""The first piece is an I: it appears above the columns 3 to 6."""
ONE_SHORT = fumen.encode([fumen.page_of(["XXX....XXX"])])
ON_ITS_TERMINAL = """
import fcntl, termios, time
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from winnable.games.tetris.modern.commands import live
from winnable.cli import main

class Clock:
    now = 0.0
    def monotonic(self):
        return self.now

def keys(terminal, until, keys=live.Terminal.keys):
    pressed = keys(terminal, time.monotonic() + until - clock.now)
    if not pressed:
        clock.now = until
    return pressed

clock = live.time = Clock()
live.Terminal.keys = keys
main()
"""
"""The game's clock goes on by as much as it waited for a key in vain: no frame is lost on a busy machine, and
keys that came together are pressed within one frame."""
_DRAWN = re.compile(r"\x1b\[(\d+);1H([^\n]*?)\x1b\[K")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Player:
    """Sits at a terminal on which `winnable arcade ARGUMENTS` runs."""

    def __init__(self, *arguments: str, rows: int = 24, columns: int = 80) -> None:
        import fcntl
        import struct
        import termios

        self.ours, self._theirs = os.openpty()
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.settings = termios.tcgetattr(self._theirs)
        self.process = subprocess.Popen(
            [sys.executable, "-c", ON_ITS_TERMINAL, "arcade", *arguments],
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "COLUMNS": "", "LINES": ""},
        )
        self.output = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def settings_now(self) -> Any:
        import termios

        return termios.tcgetattr(self._theirs)

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def screen(self) -> list[str]:
        rows: dict[int, str] = {}
        for row, text in _DRAWN.findall(self.output.rpartition("\x1b[2J")[2]):
            rows[int(row)] = _COLOUR.sub("", text)
        return [rows.get(row, "") for row in range(1, 25)]

    def board(self) -> list[str]:
        return [line.split("|")[1] for line in self.screen() if line.count("|") == 2]

    def filled(self) -> set[tuple[int, int]]:
        """Cells, row from the top."""
        return {
            (row, at // 2)
            for row, line in enumerate(self.board())
            for at in range(0, 20, 2)
            if line[at] == "["
        }

    def go(self) -> None:
        """Any key begins the game, or goes on."""
        self.press(" ")
        self.until_not("any key")

    def read(self, seconds: float = 0.05) -> bool:
        """Whether there was anything."""
        if select.select([self.ours], [], [], seconds)[0]:
            with contextlib.suppress(OSError):  # the program has closed its terminal
                self.output += self._decoder.decode(os.read(self.ours, 65536))
                return True
        return False

    def until(self, text: str) -> None:
        """Waits until the screen shows the text."""
        self._wait(lambda: any(text in line for line in self.screen()), text)

    def until_not(self, text: str) -> None:
        self._wait(lambda: not any(text in line for line in self.screen()), f"no {text}")

    def _wait(self, is_there: Callable[[], bool], what: str) -> None:
        def read() -> None:
            assert self.process.poll() is None, self.process.communicate()
            self.read()

        wait_until(is_there, lambda: "\n".join([what, *self.screen()]), read)

    def end(self) -> int:
        """Waits for the exit code, and reads all that was written."""
        wait_until(
            lambda: self.process.poll() is not None, lambda: "\n".join(["the end", *self.screen()]), self.read
        )
        while self.read(0):
            pass
        return self.process.returncode

    def after(self) -> str:
        """What stands on the terminal after the game's screen is gone."""
        return self.output.rpartition("\x1b[?1049l")[2]

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()
        for end in (self.ours, self._theirs):
            with contextlib.suppress(OSError):
                os.close(end)


@contextlib.contextmanager
def playing(*arguments: str, rows: int = 24, columns: int = 80) -> Generator[Player]:
    player = Player(*arguments, rows=rows, columns=columns)
    try:
        yield player
    finally:
        player.close()


@posix
def test_a_line_is_cleared_by_hand_and_replayed(run: Run, tmp_path: Path) -> None:
    saved = str(tmp_path / "game.json")
    with playing(
        "--lines", "1", "--seed", str(FLAT_I), "--fumen", ONE_SHORT, "--save", saved, "--json"
    ) as player:  # fmt: skip
        player.until("any key: go")
        player.until("space: drop")  # the last line: all is drawn
        assert player.board()[-1] == "[][][]::::::::[][][]"
        player.go()
        player.press("\x1b[D\x1b[C ")  # there and back again
        player.until("DONE")
        player.until("1 / 1")
        player.press("q")
        assert player.end() == 0
        assert player.errors() == ""
        assert player.settings_now() == player.settings
        assert "\x1b[?25h" in player.output
        played = json.loads(player.after())
    assert (played["status"], played["lines"], played["pieces"], played["by"]) == ("won", 1, 1, "person")
    assert played["seed"] == FLAT_I
    assert document(run("arcade", "--replay", saved, "--json")) == {**played, "by": "replay"}
    assert not decode(Path(saved).read_bytes(), Film).by_bot


@posix
def test_the_seeds_game_by_hand() -> None:
    with playing("--preset", "article", "--seed", "1") as player:
        player.until("any key: go")
        player.until("space: pause")  # the last line: all is drawn
        before = player.filled()
        player.go()
        player.press("\x1b[D" * 9)
        player.until("|[]")
        player.press("\x1b[B" * 20)
        player.until("PIECES 1")
        player.press(" ")
        player.until("PAUSE")
        assert len(before) == 4
        player.press("q")
        assert player.end() == 0
        assert player.errors() == ""
        assert "left after" in player.after()


@posix
@pytest.mark.parametrize("key", ["\x03", "\x1a"])
def test_signals_from_the_keyboard_give_the_terminal_back(key: str) -> None:
    with playing("--seed", "1") as player:
        player.until("any key: go")
        assert player.settings_now() != player.settings
        player.go()
        player.press(key)
        if key == "\x1a":  # its parent is no shell, so the system lets it go on at once: paused
            player.until("PAUSE")
            assert player.output.count("\x1b[?1049l") == 1
            assert player.output.count("\x1b[?1049h") == 2
            player.press("q")
        assert player.end() == 0
        assert "left after" in player.after()
        assert player.settings_now() == player.settings


@posix
def test_a_terminal_that_goes_away_ends_the_game_and_saves_it(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    with playing("--seed", "1", "--save", str(saved)) as player:
        player.until("any key: go")
        player.go()
        os.close(player.ours)
        player.process.wait(timeout=PATIENCE)
    assert decode(saved.read_bytes(), Film).level.dice == 1


@posix
def test_a_small_terminal_says_so() -> None:
    with playing("--seed", "1", rows=10, columns=60) as player:
        player.until("too small")
        player.press("q")
        assert player.end() == 0


@posix
def test_a_replay_on_a_terminal_ends_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "film.json"
    write_film(path, Level(lines=1, dice=FLAT_I, board=("XXX....XXX",)), [(20, 0), (1, HARD)])
    with playing("--replay", str(path), "--speed", "4") as player:
        assert player.end() == 0
        assert "won after 0:00.35: 1 line," in player.after()
        assert any("[]" in line for line in player.screen())


def write_film(path: Path, level: Level, runs: list[tuple[int, int]]) -> None:
    import msgspec

    path.write_bytes(msgspec.json.encode(Film(level, Log(Handling(), tuple(runs)))))


def test_the_bot_plays_to_the_end_and_its_replay_is_the_same(run: Run) -> None:
    played = document(run("arcade", "--bot", "--lines", "3", "--seed", "5", "--save", "bot.json", "--json"))
    assert (played["status"], played["by"], played["seed"]) == ("won", "bot", 5)
    assert played["lines"] >= 3
    assert played["frames"] == round(played["seconds"] * 60)
    assert document(run("arcade", "--replay", "bot.json", "--json")) == {**played, "by": "replay"}
    assert decode(Path("bot.json").read_bytes(), Film).by_bot
    text = run("arcade", "--replay", "bot.json").stdout
    assert text.startswith("won after 0:0")
    assert f"{played['pieces']} pieces" in text


def test_time_runs_out(run: Run) -> None:
    played = document(
        run("arcade", "--bot", "attack", "--mode", "endless", "--time", "0.2", "--json", code=3)
    )
    assert played["status"] == "playing"
    assert "left after" in run("arcade", "--bot", "--mode", "zen", "--time", "0.1", code=3).stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "needs a terminal"),
        (("--bot", "dance"), "style"),
        (("--bot", "attack", "--preset", "article"), "--by"),
        (("--bot", "--by", "article"), "--by"),
        (("--bot", "--preset", "article", "--by", "nobody"), "nobody"),
        (("--bot", "--lines", "0"), "--lines"),
        (("--bot", "--lines", "9" * 30), "--lines"),
        (("--bot", "--start-level", "21"), "--start-level"),
        (("--bot", "--mode", "marathon", "--start-level", "16"), "start_level"),
        (("--bot", "--mode", "zen", "--lines", "4"), "lines"),
        (("--bot", "--mode", "chess"), "--mode"),
        (("--bot", "--fumen", "v110@vhAAgH"), "fumen"),
        (("--bot", "--fumen", ""), "fumen"),
        (("--bot", "--seed", "-1"), "--seed"),
        (("--bot", "--speed", "nan"), "--speed"),
        (("--bot", "--time", "0"), "--time"),
        (("--bot", "--save", "nowhere/game.json"), "--save"),
        (("--bot", "--save", "-"), "--save"),
        (("--replay", "missing.json"), "missing.json"),
        (("--replay", "missing.json", "--seed", "3"), "--seed"),
        (("--replay", "missing.json", "--start-level", "3"), "--start-level"),
    ],
)
def test_bad_input_is_one_error(run: Run, arguments: tuple[str, ...], complaint: str) -> None:
    one_error(run("arcade", *arguments, code=2), complaint)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "replay"),
        (b"\xff", "replay"),
        (b"[" * 100_000, "replay"),
        (b'{"format":"winnable.modern-log/1"}', "format"),
        (
            b'{"format":"winnable.modern-replay/1","level":{"format":"winnable.modern/1","lines":0}}',
            "level.lines",
        ),
        (
            b'{"format":"winnable.modern-replay/1","level":{"format":"winnable.modern/1"},'
            b'"log":{"format":"winnable.modern-log/1","handling":{},"runs":[[1,256]]}}',
            "log.runs",
        ),
    ],
)  # fmt: skip
def test_a_broken_replay_names_the_field(run: Run, content: bytes, complaint: str) -> None:
    Path("broken.json").write_bytes(content)
    one_error(run("arcade", "--replay", "broken.json", code=2), complaint)


def test_a_replay_that_goes_on_after_the_end_is_refused(run: Run) -> None:
    level = Level(lines=1, dice=FLAT_I, board=("XXX....XXX",))
    write_film(Path("long.json"), level, [(1, HARD), (1, 0)])
    one_error(run("arcade", "--replay", "long.json", code=2), "after frame 1")


def test_taps_are_one_frame_each_and_none_is_lost() -> None:
    level = Level(dice=FLAT_I)
    taps = Taps(level)
    game = Game(level, Handling(), "person", taps)
    for key in (LEFT, LEFT, LEFT, CW):
        taps.tap(key)
    for _ in range(6):
        game.step()
    assert min(x for x, _ in game.play.puzzle.observe(game.state).cells) == 2  # upright in column 5 - 3
    assert game.play.film.log.runs == ((1, LEFT), (1, 0), (1, LEFT), (1, 0), (1, LEFT), (1, CW))
    game.step()
    assert game.state.keys == 0


def test_the_seeds_down_bridges_the_repetitions_of_a_terminal() -> None:
    level = Level(mode="endless", rules="article")
    taps = Taps(level)
    game = Game(level, Handling(), "person", taps)
    taps.tap(SOFT)
    for _ in range(ARTICLE_SOFT_FRAMES + 2):
        game.step()
    assert game.play.film.log.runs == ((ARTICLE_SOFT_FRAMES, SOFT), (2, 0))


def test_a_replay_raises_where_its_game_has_ended() -> None:
    level = Level(lines=1, dice=FLAT_I, board=("XXX....XXX",))
    log = Log(Handling(), ((1, HARD), (3, 0)))
    game = Game(level, log.handling, "replay", Reel(Film(level, log)))
    with pytest.raises(LevelError, match="frame 1"):
        game.step()


def test_what_a_busy_machine_owes_is_forgiven(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(
        Level(mode="zen"), Handling(), "bot", Reel(Film(Level(mode="zen"), Log(Handling(), ((900, 0),))))
    )
    late = iter([0.0, 0.0, 3600.0, 0.0, 0.0])
    clock, frames = SimpleNamespace(now=1000.0), list[int]()

    class Busy:
        is_closed = was_stopped = False

        def show(self, lines: list[str], width: int) -> bool:
            frames.append(game.state.frames)
            return True

        def keys(self, until: float) -> list[str]:
            pause = next(late, None)
            clock.now = until + (pause or 0)
            return ["q"] if pause is None else []

    monkeypatch.setattr(live, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(live, "Terminal", lambda: contextlib.nullcontext(Busy()))
    live.play_live(game, "", 1.0, lambda: False)
    steps = [after - before for before, after in itertools.pairwise(frames)]
    assert steps == [1, 1, 1 + live.CATCH_UP, 1, 1]


@pytest.mark.parametrize("coloured", [True, False])
def test_every_line_of_the_picture_fits(coloured: bool) -> None:
    level = Level(mode="marathon", start_level=9, dice=3)
    puzzle = Modern(level)
    state = puzzle.initial()
    for keys in (128, 0, HARD, 0, HARD, 0, 128, 0):
        state = puzzle.apply(state, keys)
    plan = {(0, 5)}
    lines = picture(
        puzzle.observe(state), plan, "", "a title " * 20, "keys " * 30, INKS if coloured else None
    )
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    assert len(lines) <= 24
    assert max(len(line) for line in plain) <= SCREEN_WIDTH <= 80
    assert {line.index("|") for line in plain[1:21]} == {17}
    assert ("\x1b" in "".join(lines)) is coloured
    assert plain[1 + 19 - 5].split("|")[1].startswith("<>")
    seen = puzzle.observe(state)
    filled = sum(cell != "." for row in seen.rows for cell in row) + sum(y < 20 for _, y in seen.cells)
    assert filled > 8
    assert sum(line.split("|")[1].count("[]") for line in plain[1:21]) == filled
