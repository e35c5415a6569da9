"""`@kernel`, `@borrowing_kernel` and `@inlined_kernel`: the decorators of every compiled function.

They only write the function down: it becomes numba's when it is first called, or asked for an attribute, so
that every module can be imported without numba. What was compiled is kept (see `kernel_cache`). With
`WINNABLE_JIT=0`, and where numba is not installed, the same source runs as plain Python.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache, partial, update_wrapper
from importlib import import_module
from typing import Any, Literal, ParamSpec, TypeVar

from winnable.contract import clock, ending
from winnable.inert import late
from winnable.inert.late import ENABLED, Late

P = ParamSpec("P")
R = TypeVar("R")

_FLAGS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": os.environ.get("NUMBA_BOUNDSCHECK") == "1",
    "no_cfunc_wrapper": True,  # nobody calls kernels from C; it would take 4 % of the compiler's time
}
elsewhere: Callable[[Any, Any], bool] | None = None
"""(kernel, numba types of its arguments) -> whether another process has compiled it by now, before this one
does. Set by shells."""
arrived: Callable[[str], bool] | None = None
"""Game -> whether kernels of its that were compiled ahead are there, or will not come; asks for them. Set by
shells in browsers."""
awaited: Callable[[str], bool] | None = None
"""Module of a kernel that is called -> whether it may still arrive; may raise, for who can wait for it."""


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compiles `function` at its first call, without the GIL, cached on disk."""
    return _compiled(function)


def borrowing_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that makes no array: all that it works on is its caller's, so it counts no references. A
    workspace, a NamedTuple of arrays, then costs nothing, where else each kernel that it is handed to,
    `inlined_kernel`s too, counts every array of it, by several threads in step."""
    return _compiled(function, borrows=True)


def inlined_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel whose code becomes part of every kernel that calls it, however long it is: a call would count
    the references to its arrays, by several threads in step."""
    return _compiled(function, inline="always")


def _compiled(
    function: Callable[P, R], inline: Literal["never", "always"] = "never", borrows: bool = False
) -> Callable[P, R]:
    if not ENABLED:
        if sys.platform != "emscripten":
            return function
        from winnable.compiled import ahead  # a browser's only: help would pay for what it imports

        return ahead.kernel(function, _may_arrive)

    recorded: Any = Late(partial(_dispatcher, function, inline, borrows), partial(_put, function))
    return update_wrapper(recorded, function)


def _may_arrive(module: str) -> bool:
    return awaited is None or awaited(module)


def _put(function: Any, recorded: Late) -> None:
    late.exchange(function)
    late.spread(recorded)


def intrinsic(declare: Callable[..., Any]) -> Any:
    """Stands for numba's decorator of this name, which it is when a kernel that calls it is compiled. Only
    where `ENABLED`."""
    return Late(lambda: import_module("numba.extending").intrinsic(declare), lambda _: late.exchange(declare))


def _dispatcher(function: Callable[..., Any], inline: Literal["never", "always"], borrows: bool) -> Any:
    clock.stop()  # also while the compiler is imported
    try:
        import numba

        from winnable.compiled.kernel_cache import KernelCache

        _watch_compiler()
        options: dict[str, Any] = {**_FLAGS, "inline": inline, "_nrt": not borrows}
        compiled: Any = numba.njit(**options)(function)
    finally:
        clock.go()
    compiled._cache = KernelCache(compiled, _is_elsewhere)
    by_types = compiled.get_call_template

    def by_plain_types(arguments: Any, named: Any) -> Any:
        return by_types(tuple(map(_plain, arguments)), named)

    compiled.get_call_template = by_plain_types
    return compiled


def _is_elsewhere(kernel: Any, types: Any) -> bool:
    if elsewhere is None:
        return False
    with ending.heard():  # as it may take a while, and nothing of the compiler's is under way here
        return elsewhere(kernel, types)


def _plain(argument: Any) -> Any:
    """Called with a number that stands in the source, a kernel is not compiled for this number alone; for
    True or False it is, as such a flag decides which of its code is there."""
    types: Any = import_module("numba.core.types")
    return argument if isinstance(argument, types.BooleanLiteral) else types.unliteral(argument)


@cache
def _watch_compiler() -> None:
    """Compiling, and loading what was compiled, takes no time of any budget, and signals wait for its end:
    LLVM's memory has two owners for a moment, and breaking off there frees it twice."""
    events: Any = import_module("numba.core.event")

    class Listener(events.Listener):
        def on_start(self, event: Any) -> None:
            ending.hold()
            clock.stop()

        def on_end(self, event: Any) -> None:
            clock.go()
            ending.release()

    events.register("numba:compiler_lock", Listener())
