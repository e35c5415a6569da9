"""Values that need numpy or numba are made when they are used, so that every module can be imported without.

Compiled code knows none of this: before the compiler looks at a function, `exchange` puts the values
themselves in their places.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from types import CodeType, FunctionType, ModuleType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def is_installed(name: str) -> bool:
    """Whether the package is there; it is not imported."""
    with suppress(ImportError, ValueError):  # what hides packages says either
        return find_spec(name) is not None
    return False


ENABLED = os.environ.get("WINNABLE_JIT", "1") != "0" and is_installed("numba") and is_installed("numpy")
"""Whether kernels are compiled. Else all is plain Python, and nothing is late."""
_making = threading.RLock()


class Late:
    """Stands for a value that `make` makes when it is first called, or asked for an attribute.

    finish: what is still to be done, told what stands for the value, which it may come upon again. Any thread
    may be the first to ask: none gets it before it is finished.
    """

    def __init__(self, make: Callable[[], Any], finish: Callable[[Any], None] = lambda late: None) -> None:
        self._make, self._finish = make, finish
        self._made: list[Any] = []
        self._is_finished = False

    def value(self) -> Any:
        """What it stands for, made at the first call."""
        if not self._is_finished:
            with _making:
                if not self._made:
                    self._made.append(made(self._make()))
                    self._finish(self)
                    self._is_finished = True
        return self._made[0]

    def __call__(self, *arguments: Any) -> Any:
        return (self._made[0] if self._is_finished else self.value())(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.value(), name)

    def __reduce__(self) -> Any:
        return made, (self.value(),)


class LateModule(ModuleType):
    """Stands for a module that is imported when it is first asked for an attribute. A library's are looked up
    once, and then cost what they cost in any module."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self.__name__), name)
        if is_of_library(self.__name__):
            setattr(self, name, value)
        return value


def late(make: Callable[[], T]) -> T:
    """A value for kernels: made when the first of them is compiled; at once where none is."""
    value: Any = Late(make) if ENABLED else make()
    return value


def late_module(name: str) -> Any:
    """The same for a module."""
    return LateModule(name) if ENABLED else import_module(name)


def late_modules(package: str, *names: str) -> Iterator[Any]:
    """Modules of a package that are imported when they are first used: in the branch beside one of
    `TYPE_CHECKING` that imports the same, for whoever lists much and uses little."""
    return (LateModule(f"{package}.{name}") for name in names)


def later(find: Callable[[], Callable[P, R]]) -> Callable[P, R]:
    """A function of a late module, found when it is called."""

    def found(*arguments: P.args, **named: P.kwargs) -> R:
        return find()(*arguments, **named)

    return found


def made(value: Any) -> Any:
    """What the value stands for: most stand for themselves."""
    if isinstance(value, Late):
        return value.value()
    return import_module(value.__name__) if isinstance(value, LateModule) else value


def exchange(function: FunctionType) -> None:
    """Puts what they stand for in the place of all late values that the function uses, and the functions of
    ours that it calls: in their globals, the modules of ours that they name, and their closures."""
    seen: set[FunctionType] = set()
    waiting = [function]
    while waiting:
        one = waiting.pop()
        if one in seen or is_of_library(one.__module__):
            continue
        seen.add(one)
        names = {name for code in codes(one.__code__) for name in code.co_names}
        for cell in one.__closure__ or ():
            with suppress(ValueError):  # an empty cell
                cell.cell_contents = made(cell.cell_contents)
                waiting += _functions([cell.cell_contents])
        modules = [one.__globals__.get(name) for name in names]
        ours = [
            vars(one) for one in modules if isinstance(one, ModuleType) and not is_of_library(one.__name__)
        ]
        for place in (*ours, one.__globals__):
            used = {name: made(place[name]) for name in names if name in place}
            waiting += _functions(used.values())
            place.update(used)  # all at once: another thread may be about to call this very function


def spread(value: Late) -> None:
    """Puts what a kernel or another named value stands for in its place in all modules of its package: who
    calls it from Python pays for no detour."""
    package = value.__module__.partition(".")[0]
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == package and vars(module).get(value.__name__) is value:
            setattr(module, value.__name__, value.value())


def _functions(values: Iterable[Any]) -> Iterator[FunctionType]:
    return (value for value in values if isinstance(value, FunctionType))


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code, and that of all functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def is_of_library(module: str) -> bool:
    """Whether the module is one of Python's, numpy's or the compiler's."""
    return module.partition(".")[0] in {"llvmlite", "numba", "numpy", *sys.stdlib_module_names}
