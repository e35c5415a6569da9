"""Each game's list of kernels has all that the game needs; the types that a list says come back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import types

from tests.kernel_scripts import run
from winnable.compiled import kernel_lists
from winnable.compiled.kernel_lists import Kernel, KernelList, Said
from winnable.contract.registry import GAMES, load_game
from winnable.store import caches

NUMBERS = ["bool", "int8", "uint16", "int32", "int64", "uint64", "float32", "float64", "complex128"]
PAIR = "winnable.games.game2048.exact.small_kernels:Exchange"
PAIR_FIELDS = 5

arrays = st.tuples(
    st.sampled_from(NUMBERS), st.integers(1, 5), st.sampled_from("CFA"), st.sampled_from(["", "!"])
).map(lambda parts: f"{parts[0]}[{parts[1]}{parts[2]}]{parts[3]}")
simple = st.sampled_from([*NUMBERS, "none"]) | arrays
flags = st.sampled_from(["True", "False"])


def _tuples(parts: st.SearchStrategy[Said]) -> st.SearchStrategy[Said]:
    plain = st.lists(parts, max_size=3).map(lambda said: ["tuple", *said])
    named = st.lists(parts, min_size=PAIR_FIELDS, max_size=PAIR_FIELDS).map(lambda said: [PAIR, *said])
    return plain | named


@given(flags | st.recursive(simple, _tuples, max_leaves=12))
def test_a_said_type_comes_back(said: Said) -> None:
    type = kernel_lists.type_of(said)
    again = kernel_lists.type_of(kernel_lists.said(type))
    assert kernel_lists.said(type) == said
    assert again == type
    assert getattr(again, "instance_class", None) == getattr(type, "instance_class", None)


@pytest.mark.parametrize(
    "type", [types.unicode_type, types.Array(types.int64, 1, "C", aligned=False), types.ListType(types.int64)]
)
def test_a_type_that_no_list_can_hold_is_refused(type: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        kernel_lists.said(type)
    with pytest.raises(ValueError, match=r"."):
        kernel_lists.said(types.Tuple([types.int64, type]))


def test_a_list_comes_back_from_its_file(tmp_path: Path) -> None:
    game = replace(load_game("drops"), levels=tmp_path / "levels")
    kernels = [Kernel("m:a", "solver", (0, 1), (), 0.5), Kernel("m:b", "other", (1,), (0,), 0.0)]
    listed = KernelList(["int64[1C]!", ["tuple", "int64", ["m:Pair", "bool"]]], kernels)
    kernel_lists.write(game, listed)
    assert kernel_lists.read(game) == listed
    assert listed.arguments(kernels[0]) == listed.types


ASKED = """
import json
from winnable.compiled import kernel_cache, kernel_lists
from winnable.contract.abilities import Foresees
from winnable.contract.core import Budget, finish
from winnable.contract.registry import load_game
from winnable.levels.files import shipped_level
asked = []
load = kernel_cache.KernelCache.load_overload
def recorded(self, sig, context):
    function, types = self._kernel.py_func, kernel_cache._types(sig)
    asked.append([f"{function.__module__}:{function.__name__}", list(map(kernel_lists.said, types))])
    return load(self, sig, context)
kernel_cache.KernelCache.load_overload = recorded
game = load_game(NAME)
shipped = shipped_level(game.cover)
level = game.parse_board(game.cover) if shipped is None else shipped.level
puzzle = game.puzzle(level)
if isinstance(game, Foresees):
    finish(game.outlook(puzzle, puzzle.initial(), Budget(0.5), 0))
else:
    finish(game.live_solver(puzzle)(puzzle, puzzle.initial(), Budget(0.5), 0))
lamp = asked[:]
game.warm()
print(json.dumps([lamp, asked]))
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """The kernels, each with its types, that a fresh process needs for the lamp, and then for `warm`, too:
    those that are loaded for themselves where the cache is warm, all where it is cold."""
    warm = str(caches.writable(caches.KERNELS).parent)

    @cache
    def asked(name: str) -> Any:
        script = f"NAME = {name!r}\n{ASKED}"
        found = run(tmp_path_factory.mktemp("asked"), script, WINNABLE_CACHE=warm, WINNABLE_JIT="1")
        lamp, whole = ([tuple(one) for one in part] for part in json.loads(found))
        assert lamp, "nothing was asked for"
        return lamp, whole

    return asked


@pytest.mark.parametrize("name", GAMES)
def test_the_list_has_all_that_the_game_warms(name: str, asked: Callable[[str], Any]) -> None:
    listed = kernel_lists.read(load_game(name))
    entries = [(kernel.name, listed.arguments(kernel)) for kernel in listed.kernels]
    missing = [one for one in asked(name)[1] if one not in entries]
    assert not missing, f"run `winnable warm --record`: {missing}"


@pytest.mark.parametrize("name", GAMES)
def test_the_first_part_is_what_the_lamp_needs(name: str, asked: Callable[[str], Any]) -> None:
    game = load_game(name)
    listed, first = kernel_lists.read(game), next(iter(game.kernels))
    entries = [(kernel.name, listed.arguments(kernel)) for kernel in listed.kernels if kernel.part == first]
    missing = [one for one in asked(name)[0] if one not in entries]
    assert not missing, f"run `winnable warm --record`: {missing}"


@pytest.mark.parametrize("name", GAMES)
def test_each_entry_names_a_kernel_of_a_part(name: str) -> None:
    game = load_game(name)
    listed = kernel_lists.read(game)
    for index, kernel in enumerate(listed.kernels):
        dispatcher = kernel_lists.kernel_named(kernel.name)
        assert len(dispatcher.py_func.__code__.co_varnames) >= len(kernel.arguments)
        said = listed.arguments(kernel)
        assert [kernel_lists.said(kernel_lists.type_of(one)) for one in said] == said
        assert kernel.part in game.kernels
        assert all(called < index for called in kernel.calls), f"{kernel.name}: run `winnable warm --record`"
    assert listed.kernels[0].part == next(iter(game.kernels))
