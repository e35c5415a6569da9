"""`@kernel` and `@inlined_kernel`: the decorators of every compiled function.

numba's own cache goes stale when a kernel calls a function of another file that changed (its issue #1833),
so our cache folder is named after the hash of *all* kernel sources. Cache files are pickles: the folder
belongs to the user alone (mode 0700, owner checked), else a temporary one is used. `WINNABLE_JIT=0` runs the
same source as plain Python.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

import platformdirs

from winnable import clock

P = ParamSpec("P")
R = TypeVar("R")

ENABLED = os.environ.get("WINNABLE_JIT", "1") != "0"
_FLAGS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": os.environ.get("NUMBA_BOUNDSCHECK") == "1",
}


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compiles `function` at its first call, without the GIL, cached on disk."""
    return _compiled(function, inline="never")


def inlined_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel whose code becomes part of every kernel that calls it, however long it is: a call would count
    the references to its arrays, by several threads in step."""
    return _compiled(function, inline="always")


def _compiled(function: Callable[P, R], inline: Literal["never", "always"]) -> Callable[P, R]:
    if not ENABLED:
        return function
    import numba

    _stop_clocks_meanwhile()
    with _cache_in(_cache_folder()):
        compiled: Any = numba.njit(cache=True, inline=inline, **_FLAGS)(function)
    return compiled


@cache
def _stop_clocks_meanwhile() -> None:
    """Compiling, and loading what was compiled, takes no time of any budget."""
    events: Any = import_module("numba.core.event")

    class Listener(events.Listener):
        def on_start(self, event: Any) -> None:
            clock.stop()

        def on_end(self, event: Any) -> None:
            clock.go()

    events.register("numba:compiler_lock", Listener())


def uncached() -> bool:
    """Whether no kernel was ever compiled here from these sources: the first use will take seconds."""
    return ENABLED and not any(_cache_folder().rglob("*.nbc"))


@cache
def notice_if_compiling() -> None:
    """Says on stderr, when the first use in this process is about to compile. Free from then on."""
    if uncached():
        print("winnable: compiling kernels once, this takes some seconds ...", file=sys.stderr, flush=True)


@cache
def _cache_folder() -> Path:
    digest = _sources_digest()
    wanted = Path(platformdirs.user_cache_dir("winnable")) / "kernels" / digest
    if _is_private(wanted):
        return wanted
    return Path(tempfile.mkdtemp(prefix=f"winnable-kernels-{digest[:8]}-"))


def _is_private(folder: Path) -> bool:
    """Makes the folder if it must; True when we may write there and nobody else may."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not hasattr(os, "getuid"):  # Windows: the profile folder is the user's own
            return os.access(folder, os.W_OK)
        info = folder.stat()
        return (
            info.st_uid == os.getuid()
            and not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
            and os.access(folder, os.W_OK)
        )
    except OSError:
        return False


def _sources_digest() -> str:
    import numba
    import numpy

    digest = hashlib.sha256(f"{numba.__version__} {numpy.__version__} {sys.version} {_FLAGS}".encode())
    package = Path(__file__).parent
    for path in sorted(package.rglob("*kernels.py")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:24]


class _cache_in:
    """numba reads its cache folder from a global when it decorates; ours holds only meanwhile."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)

    def __enter__(self) -> None:
        from numba.core import config

        self._config: Any = config
        self._before: str = self._config.CACHE_DIR
        self._config.CACHE_DIR = self._folder

    def __exit__(self, *_: object) -> None:
        self._config.CACHE_DIR = self._before
