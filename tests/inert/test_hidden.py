"""Where neither numpy nor numba is, all but what is only for them can be imported, and all engines answer."""

from __future__ import annotations

import pytest

from tests.fresh_python import printed
from winnable.contract.registry import GAMES

NEEDY = {
    "winnable.compiled.kernel_cache": "keeps what numba compiled",
    "winnable.site.cross_compiler": "changes what numba compiles for",
    "winnable.site.recording": "runs compiled kernels",
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


EVERYTHING = """
from tests.inert.everything import print_all
print_all({name!r})
"""


@pytest.mark.parametrize("name", GAMES)
def test_engines_answer_on_plain_arrays_as_they_do_compiled(name: str) -> None:
    script = EVERYTHING.format(name=name)
    hidden, compiled = printed(HIDE + script, jit=False), printed(script, jit=True)
    assert len(compiled.splitlines()) > 10
    assert hidden == compiled


OPTIMISE = """
from winnable.optimize import JSO, LSHADE, AdaptiveDE, CrossEntropy, Genetic, RealGenes
low, high, limits = [-4.0] * 3, [4.0] * 3, {"seed": 1, "max_evaluations": 600}
adaptive = [kind(low, high, 12, **limits) for kind in (JSO, LSHADE, AdaptiveDE)]
for made in (*adaptive, CrossEntropy(low, high, 20, **limits), Genetic(RealGenes(low, high), 20, **limits)):
    while not made.should_stop():
        genomes = made.ask()
        made.tell(genomes, [sum((gene - 1) ** 2 for gene in genome) for genome in genomes.tolist()])
        made.load_state_dict(made.state_dict())
    print(type(made).__name__, made.best[1])
"""


def test_optimisers_minimise() -> None:
    lines = printed(HIDE + OPTIMISE, jit=False).splitlines()
    found = {name: float(loss) for name, loss in map(str.split, lines)}
    assert len(found) == 5
    assert max(found.values()) < 0.01


ASK = """
import winnable
for start in ("drops/01-first-drops", "rotate:112/221", "triple:layers=2,sets=1,kinds=4#1"):
    board = winnable.load(start)
    print(start, board.verdict(seconds=20), board.hint(seconds=20) is not None)
print(winnable.load("drops:21/13,drops=1").report().reason)
"""


def test_positions_are_asked_about() -> None:
    *asked, reason = printed(HIDE + ASK, jit=False).splitlines()
    assert [line.split()[1:] for line in asked] == 3 * [["winnable", "True"]]
    assert "13 drops" in reason
