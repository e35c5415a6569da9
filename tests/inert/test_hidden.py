"""Where neither numpy nor numba is, all but what is only for them can be imported, and games are played."""

from __future__ import annotations

from tests.fresh_python import printed
from winnable.contract.registry import GAMES

NEEDY = {
    "winnable.compiled.kernel_cache": "keeps what numba compiled",
    "winnable.compiled.inner_kernels": "changes how numba compiles",
    "winnable.envs": "gymnasium",
    "winnable.optimize.optuna_sampler": "optuna",
    "winnable.tasks.reasoning_gym": "reasoning-gym",
    "winnable.tasks.verifiers": "verifiers",
}
"""Modules and packages that need what is hidden, and why."""

HIDE = "import sys\nsys.modules.update(dict.fromkeys(('numpy', 'numba', 'llvmlite')))\n"

IMPORT = """
import importlib, pathlib, winnable
root = pathlib.Path(winnable.__file__).parent.parent
for path in sorted(root.glob("winnable/**/*.py")):
    name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    if not name.endswith("__main__"):
        try:
            importlib.import_module(name)
        except Exception as error:
            print(name, error)
"""


def test_every_module_can_be_imported() -> None:
    failing = dict(line.split(" ", 1) for line in printed(HIDE + IMPORT, jit=False).splitlines())
    needy = {name: why for name, why in failing.items() if not name.startswith(tuple(NEEDY))}
    assert needy == {}


PLAY = """
import winnable
from winnable.contract.abilities import AnswersFirst, Solves
from winnable.contract.core import Budget, finish, replay
from winnable.contract.registry import GAMES, load_game
for name in GAMES:
    game, board = load_game(name), winnable.load(STARTS[name])
    for _ in range(3):
        board.push(board.legal_moves[-1])
    board.pop()
    puzzle, state = board._session.puzzle, board._session.state
    assert finish(game.first(puzzle, state, Budget(1), 0)) is not None
    if isinstance(game, Solves):
        found = finish(game.live_solver(puzzle)(puzzle, state, Budget(20), 0))
        assert puzzle.is_goal(replay(puzzle, found.actions, state)), found
        print(name, board.verdict(seconds=20), board.hint(seconds=20) is not None)
    else:
        assert finish(game.outlook(puzzle, state, Budget(1), 0)).score is not None
        print(name, "alive", board.hint(seconds=20) is not None)
print(winnable.load("drops:21/13,drops=1").report().reason)
"""
STARTS = {
    "triple": "triple/3-butterfly",
    "drops": "drops/07-butterfly",
    "tetris": "tetris",
    "rotate": "rotate:121/212/121",
    "2048": "2048",
}


def test_games_are_played_and_asked_by_what_is_readable() -> None:
    *asked, reason = printed(f"{HIDE}STARTS = {STARTS!r}\n{PLAY}", jit=False).splitlines()
    verdicts = {name: "winnable" if name in ("triple", "drops", "rotate") else "alive" for name in GAMES}
    assert asked == [f"{name} {verdict} True" for name, verdict in verdicts.items()]
    assert "13 drops" in reason
