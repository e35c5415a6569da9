"""Games of other packages: the example is installed, played and opened; a broken one harms nobody."""

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.foreign import describe, install
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
PEGS = ROOT / "examples" / "pegs"
LIGHTS = ROOT / "examples" / "lights"
PLUS = "xx...xx/xx.o.xx/...o.../.ooooo./...o.../xx.o.xx/xx...xx"


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("installed")
    install(PEGS, target)
    return target


def python(
    target: Path, *arguments: str, code: int = 0, **environment: str
) -> subprocess.CompletedProcess[str]:
    paths = [str(target), str(ROOT / "src"), str(ROOT)]
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment},
        cwd=target,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done


def winnable(target: Path, *arguments: str, code: int = 0, **environment: str) -> str:
    return python(target, "-m", "winnable", *arguments, code=code, **environment).stdout


def test_it_is_small() -> None:
    files = [path for path in PEGS.rglob("*") if path.suffix in {".py", ".json", ".toml"}]
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) < 255


def test_it_is_listed_among_ours(target: Path) -> None:
    games = json.loads(winnable(target, "games", "--json"))
    assert [game["name"] for game in games] == ["triple", "drops", "tetris", "rotate", "2048", "pegs"]
    assert games[-1]["title"] == {"en": "Pegs", "zh-CN": "孔明棋"}
    assert games[-1]["levels"] == ["pegs/1-plus", "pegs/2-apart"]
    assert "一子跳过一子" in winnable(target, "games", LC_ALL="zh_CN.UTF-8")


def test_it_is_solved_generated_and_checked(target: Path) -> None:
    assert "SOLVED in 8 actions" in winnable(target, "solve", "pegs", PLUS)
    assert "UNSOLVABLE" in winnable(target, "solve", "pegs/2-apart", code=1)
    winnable(target, "generate", "pegs", "jumps=5", "--seed", "3", "--output", "three.json")
    checked = json.loads(winnable(target, "check", "three.json", "--solve", "--json"))[0]
    assert (checked["verdict"], checked["facts"]) == ("solved", {"pegs": 6})
    assert "6 pegs" in winnable(target, "check", "three.json")
    played = json.loads(winnable(target, "watch", "pegs/2-apart", "--by", "random", "--json"))
    assert set(played["moves"]) == {"4,3-left", "1,1-right"}
    refused = python(target, "-m", "winnable", "solve", "pegs", "oq", code=2, LC_ALL="zh_CN.UTF-8").stderr
    assert "board[0]: “oq”不是由 o、x 和 . 组成" in refused


def test_benchmarks_of_all_games_know_it(target: Path) -> None:
    rows = json.loads(winnable(target, "bench", "signature", "--targets", "pegs", "--json"))
    assert [row["name"] for row in rows] == ["pegs: solver depth-first", "pegs: player random", "signature"]


@pytest.mark.parametrize("example", [PEGS, LIGHTS], ids=lambda path: path.name)
def test_its_tests_pass_the_contract(tmp_path: Path, example: Path) -> None:
    install(example, tmp_path)
    arguments = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", str(example / "tests"))
    assert " passed" in python(tmp_path, *arguments).stdout


def test_a_board_that_is_clicked_is_small() -> None:
    for page in (PEGS / "src" / "winnable_pegs" / "page", LIGHTS / "src" / "winnable_lights" / "page"):
        assert len((page / "board.js").read_text("utf-8").splitlines()) < 70
        assert len((page / "board.css").read_text("utf-8").splitlines()) <= 10


def test_lights_are_played_rated_set_as_tasks_and_learned(tmp_path: Path) -> None:
    install(LIGHTS, tmp_path)
    assert "SOLVED in 5 actions" in winnable(tmp_path, "solve", "lights/2-nine")
    task = json.loads(winnable(tmp_path, "tasks", "lights", "--difficulty", "hard", "--language", "zh-CN"))
    assert task["difficulty"] == "hard"
    assert "关灯游戏" in task["text"]
    told = python(tmp_path, "-c", dedent("""
        import gymnasium, winnable, winnable.envs
        env = gymnasium.make("winnable/Lights-v0", level="lights/1-cross")
        seen, info = env.reset(seed=1)
        print(seen["lit"].tolist(), seen["left"].tolist(), info["action_mask"].sum())
        print(*env.step(4)[1:3])
        print(winnable.load("lights/2-nine").difficulty().word)
    """)).stdout.split("\n")  # fmt: skip
    assert told[:-1] == ["[[0, 1, 0], [1, 1, 1], [0, 1, 0]] [1] 9", "1.0 True", "tricky"]


def test_the_studio_opens_it(target: Path) -> None:
    told = python(target, "-c", dedent(f"""
        import json, urllib.request
        from pathlib import Path
        from tests.web.studio_harness import running_studio
        with running_studio(Path("studio")) as studio:
            def get(path):
                return urllib.request.urlopen(f"http://127.0.0.1:{{studio.port}}{{path}}").read().decode()
            print(get("/pictures/pegs.svg")[:4])
            words = json.loads(get("/locales/zh-CN.json"))
            print(words["game.pegs"], "lamp.winnable" in words or len(words) > 1000)
            with studio.page() as page:
                state = page.new("pegs:{PLUS}")
                view = state["view"]
                print(state["game"], "".join(view).count("x"))
                print(get("/boards/pegs.js").splitlines()[0][:44])
                print(page.lamp()["verdict"])
                page.send("act", action=state["legal"][0])
                print(page.wait("state")["ply"])
    """), PYTHONUTF8="1").stdout.split("\n")  # fmt: skip
    assert told[:-1] == [
        "<svg",
        "孔明棋 True",
        "pegs 16",
        "// The board of pegs: a click, a touch or th",
        "winnable",
        "1",
    ]


BROKEN = {
    "no-such": ("lost", "no_such_module.game:GAME", "lost: the game of the package no-such cannot be loaded"),
    "raises": ("bad", "raises.game:GAME", "ZeroDivisionError: on purpose"),
    "panics": ("rust", "panics:GAME", "Panic: on purpose"),
    "no-game": ("odd", "json:dumps", "json:dumps of the package no-game is no Game of that name"),
    "thief": (
        "triple",
        "winnable_pegs.game:GAME",
        "triple: the package thief brings a game of a name",
    ),
    "forger": (
        "copy",
        "forger.game:GAME",
        "copy: levels of the game of the package forger have the format winnable.pegs/1, not winnable.copy/1",
    ),
    "shouts": ("A!", "winnable_pegs.game:GAME", "A!: the package shouts brings a game whose name has other"),
}

FORGED = """
from dataclasses import fields
from winnable_pegs.game import GAME as PEGS, PegsGame

GAME = PegsGame(**{field.name: getattr(PEGS, field.name) for field in fields(PEGS)} | {"name": "copy"})
"""


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("broken")
    install(PEGS, target)
    (target / "raises").mkdir()
    (target / "raises" / "__init__.py").touch()
    (target / "raises" / "game.py").write_text("raise ZeroDivisionError('on purpose')\n")
    (target / "raises" / "words.en.json").write_text("[1")
    panics = "class Panic(BaseException): pass\nraise Panic('on purpose')\n"
    (target / "panics.py").write_text(panics)
    (target / "forger").mkdir()
    (target / "forger" / "__init__.py").touch()
    (target / "forger" / "game.py").write_text(FORGED)
    for package, (name, value, _) in BROKEN.items():
        describe(target, package, {name: value})
    return target


def test_a_package_whose_entry_points_cannot_be_read_stops_nobody(tmp_path: Path) -> None:
    describe(tmp_path, "unclosed", {})
    (tmp_path / "unclosed-0.1.0.dist-info" / "entry_points.txt").write_text("[winnable.games]\n[x\n")
    done = python(tmp_path, "-m", "winnable", "games", "--json")
    assert len(json.loads(done.stdout)) == 5
    assert done.stderr.count("the games of other packages are left out") == 1
    assert "Traceback" not in done.stderr


def test_broken_packages_are_named_and_harm_nobody(broken: Path) -> None:
    done = python(broken, "-m", "winnable", "games", "--json")
    names = [game["name"] for game in json.loads(done.stdout)]
    assert names == ["triple", "drops", "tetris", "rotate", "2048", "pegs"]
    for _, _, complaint in BROKEN.values():
        assert done.stderr.count(complaint) == 1, (complaint, done.stderr)
    assert "raises: words.en.json: " in done.stderr
    assert "Traceback" not in done.stderr
    assert "SOLVED" in winnable(broken, "solve", "pegs", "oo./...")
    refused = python(broken, "-m", "winnable", "generate", "bad", code=2).stderr
    assert "bad: the game of the package raises cannot be loaded: ZeroDivisionError: on purpose" in refused


WITH_COMMAND = """
from dataclasses import replace, fields
import click
from winnable.contract.abilities import Commands
from winnable_pegs.game import GAME as PEGS, PegsGame
from winnable_pegs.rules import Level

class HopLevel(Level, frozen=True, tag="winnable.hopping/1"):
    pass

@click.command("hop")
@click.option("--times", default=1)
def hop(times: int) -> int:
    click.echo("hop " * times)
    return 3

class Hopping(PegsGame, Commands):
    def commands(self):
        return {"hop": hop}

GAME = Hopping(**{field.name: getattr(PEGS, field.name) for field in fields(PEGS)} | {
    "name": "hopping", "level_type": HopLevel
})
"""


def test_a_game_brings_commands(tmp_path: Path) -> None:
    install(PEGS, tmp_path)
    (tmp_path / "hopping").mkdir()
    (tmp_path / "hopping" / "__init__.py").touch()
    (tmp_path / "hopping" / "game.py").write_text(WITH_COMMAND)
    words = {
        "command.hop": "Hops as often as asked",
        "command.solve": "Not this one",
        "command.gone": "Nowhere",
    }
    (tmp_path / "hopping" / "words.en.json").write_text(json.dumps(words))
    describe(tmp_path, "hopping", {"hopping": "hopping.game:GAME"})
    listed = winnable(tmp_path, "--help")
    assert "Hops as often as asked" in listed
    assert "Not this one" not in listed
    assert winnable(tmp_path, "hop", "--times", "2", code=3) == "hop hop \n"
    assert "--times" in winnable(tmp_path, "hop", "--help")
    assert "No such command" in python(tmp_path, "-m", "winnable", "gone", code=2).stderr


WITH_KERNEL = """
from dataclasses import fields
from winnable_pegs.game import GAME as PEGS, PegsGame
from winnable_pegs.rules import Level

class CountLevel(Level, frozen=True, tag="winnable.counting/1"):
    pass

def _warm() -> None:
    from counting.counter import warm
    warm()

GAME = PegsGame(**{field.name: getattr(PEGS, field.name) for field in fields(PEGS)} | {
    "name": "counting",
    "level_type": CountLevel,
    "levels": __import__("pathlib").Path(__file__).parent / "levels",
    "kernels": {"count": _warm},
})
"""
COUNTER = """
from counting.kernels import count

def warm():
    count(5)
"""
KERNELS = """
from winnable.compiled.jit import kernel

@kernel
def inner(n):
    return n + 1

@kernel
def count(n):
    total = 0
    for i in range(n):
        total = inner(total)
    return total
"""
COMPILED = """
from winnable.compiled.compiling import Compilers
compilers = Compilers(1024)
assert compilers.wait("counting", None)
compilers.close()
print(*[(one.game, one.name, one.error) for one in compilers.took()])
from counting.kernels import count
assert count(7) == 7 and sum(count._cache_hits.values()) == 1
"""


def test_its_kernels_are_listed_in_its_package_and_compiled_ahead(tmp_path: Path) -> None:
    install(PEGS, tmp_path)
    (tmp_path / "counting").mkdir()
    modules = {"__init__": "", "game": WITH_KERNEL, "counter": COUNTER, "kernels": KERNELS}
    for name, content in modules.items():
        (tmp_path / "counting" / f"{name}.py").write_text(content)
    describe(tmp_path, "counting", {"counting": "counting.game:GAME"})
    record = ("-m", "winnable.compiled.compile_worker", "record", "counting")
    python(tmp_path, *record, WINNABLE_CACHE=str(tmp_path / "first"))
    listed = json.loads((tmp_path / "counting" / "kernels.json").read_text())
    assert [one["name"] for one in listed["kernels"]] == ["counting.kernels:inner", "counting.kernels:count"]
    assert [one["inner"] for one in listed["kernels"]] == [True, False]
    told = python(tmp_path, "-c", COMPILED, WINNABLE_CACHE=str(tmp_path / "second"), WINNABLE_JIT="1").stdout
    assert "('counting', 'counting.kernels:count', '')" in told
