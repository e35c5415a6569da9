"""Compiled kernels on disk, each under a digest of all that its machine code follows from.

That is its bytecode and that of whatever it calls, the constants that they read, the types of its arguments,
and the versions and processor that it is for. So a changed line cools the kernels that it is part of and no
others, and another environment with the same Python, numba and processor starts warm; numba's own cache goes
stale when a kernel calls a changed function of another file (its issue #1833).

A file begins with a digest of the rest: what is damaged is removed and made again. Trouble with files never
keeps a kernel from running: then it is compiled, and not kept.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np

from winnable.inert.late import codes, is_of_library, made
from winnable.store import caches

# What numba shows to those who write caches has no types.
_CompileResult: Any = import_module("numba.core.compiler").CompileResult
_Dispatcher: Any = import_module("numba.core.dispatcher").Dispatcher
_Intrinsic: Any = import_module("numba.extending")._Intrinsic
_dumps: Any = import_module("numba.core.serialize").dumps
_normalized: Any = import_module("numba.core.sigutils").normalize_signature
_target: Any = import_module("numba.core.registry").cpu_target

SUFFIX, INNER = ".kernel", ".inner"
"""The second, of kernels without machine code: see `inner_kernels`."""
CHECKED = hashlib.sha256().digest_size
DAY = 24 * 3600.0
KEPT_DAYS = 60
"""A file that nobody used for so long is removed by `prune`."""
takes_inner: Callable[[Any], bool] | None = None
"""Whether one without machine code will do for this kernel; None: never."""


class KernelCache:
    """Of one kernel, as numba's dispatchers ask for it."""

    def __init__(self, kernel: Any, elsewhere: Callable[[Any, Any], bool]) -> None:
        """elsewhere: see `jit.elsewhere`"""
        self._kernel, self._elsewhere = kernel, elsewhere

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        types = _types(sig)
        found = self._load(types, target_context)
        if found is None and self._elsewhere(self._kernel, types):
            found = self._load(types, target_context)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        content: bytes = _dumps(data._reduce())
        with suppress(OSError):
            suffix = INNER if getattr(data.library, "is_inner", False) else SUFFIX
            _write(caches.writable(caches.KERNELS) / file_name(self._kernel, _types(sig), suffix), content)

    def _load(self, types: tuple[Any, ...], target_context: Any) -> Any:
        path = find(self._kernel, types, takes_inner is not None and takes_inner(self._kernel))
        if path is None:
            return None
        if not caches.is_trusted(path):  # it is a pickle
            return None
        try:
            content = path.read_bytes()
            if hashlib.sha256(content[CHECKED:]).digest() != content[:CHECKED]:
                raise ValueError("damaged")
            loaded: Any = _CompileResult._rebuild(target_context, *pickle.loads(content[CHECKED:]))
        except Exception:  # whatever a damaged file or another version of numba makes of it
            with suppress(OSError):
                path.unlink()
            return None
        _note_use(path)
        return loaded


def _types(signature: Any) -> tuple[Any, ...]:
    return tuple(_normalized(signature)[0])


def find(kernel: Any, types: Iterable[Any], inner: bool = False) -> Path | None:
    """The file of the kernel, compiled for arguments of these numba types; None when there is none. inner:
    one without machine code will do"""
    types = tuple(types)
    names = [file_name(kernel, types, suffix) for suffix in ((SUFFIX, INNER) if inner else (SUFFIX,))]
    with suppress(OSError):
        paths = [folder / name for name in names for folder in caches.readable(caches.KERNELS)]
        return next((path for path in paths if path.is_file()), None)
    return None


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with open(handle, "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        _touch(name)
        if path.is_dir():
            shutil.rmtree(path)
        os.replace(name, path)
    except OSError:
        os.unlink(name)
        raise


def _note_use(path: Path) -> None:
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > DAY:
            _touch(path)


def _touch(path: Path | str) -> None:
    """By the clock that `prune` asks: that of the disk may be another one."""
    now = time.time()
    os.utime(path, (now, now))


def prune() -> None:
    """Removes what was not used for KEPT_DAYS."""
    with suppress(OSError):
        for path in caches.writable(caches.KERNELS).iterdir():
            if time.time() - path.stat().st_mtime > KEPT_DAYS * DAY:
                path.unlink(missing_ok=True)


def file_name(kernel: Any, types: tuple[Any, ...], suffix: str = SUFFIX) -> str:
    """The name of the file that a kernel compiled for these types is kept in."""
    function = kernel.py_func
    said = [_environment(), content_digest(kernel), "; ".join(map(_type_said, types))]
    digest = hashlib.sha256("\n".join(said).encode()).hexdigest()[:32]
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}-{digest}{suffix}"


@cache
def _environment() -> str:
    versions = (numba.__version__, llvmlite.__version__, np.__version__, sys.version, sys.implementation)
    processor: Any = _target.target_context.codegen().magic_tuple()
    return repr((versions, processor))


def _type_said(type: Any) -> str:
    """A named tuple's type says neither what its fields are called nor in which module it stands."""
    parts = ", ".join(map(_type_said, getattr(type, "types", ())))
    kind = getattr(type, "instance_class", None)  # a plain tuple has none
    named = f"{type} {_class_said(kind)}" if kind and parts else f"{type}"
    return f"{named} ({parts})" if parts else named


# -- what a kernel is made of ------------------------------------------------------------------------------


@cache
def content_digest(kernel: Any) -> str:
    """The digest of the kernel and of all that it calls, directly or not."""
    reached: dict[FunctionType, Any] = {}
    waiting: list[Any] = [kernel]
    while waiting:
        function, options = _function(waiting.pop())
        if function not in reached:
            reached[function] = options
            waiting += called(function)
    first = kernel.py_func
    rest = sorted(f"{_name(function)} {_own_digest(function)} {said}" for function, said in reached.items())
    return hashlib.sha256("\n".join([_name(first), *rest]).encode()).hexdigest()


def called(function: FunctionType) -> list[Any]:
    """The kernels, intrinsics and functions whose names it uses, of no library."""
    return [value for _, value in _used(function) if _is_code(value)]


def _is_code(value: Any) -> bool:
    if isinstance(value, FunctionType):
        return not is_of_library(value.__module__)
    return isinstance(value, _Dispatcher | _Intrinsic)


def _function(value: Any) -> tuple[FunctionType, str]:
    """With what else decides how it is compiled."""
    if isinstance(value, _Dispatcher):
        return value.py_func, repr(sorted(value.targetoptions.items()))
    return (value, "") if isinstance(value, FunctionType) else (value._defn, "intrinsic")


def _name(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}"


@cache
def _own_digest(function: FunctionType) -> str:
    values = [f"{name}={_said(value)}" for name, value in sorted(_used(function), key=lambda pair: pair[0])]
    said = [*_code_said(function.__code__, function.__doc__), repr(function.__defaults__), *values]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def _used(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What its global names and the cells of its closure stand for."""
    names = sorted({name for code in codes(function.__code__) for name in code.co_names})
    modules: list[ModuleType] = []
    for name in names:
        if name in function.__globals__:
            value = made(function.__globals__[name])
            yield name, value
            if isinstance(value, ModuleType) and not is_of_library(value.__name__):
                modules.append(value)
    for module in modules:
        yield from ((name, made(getattr(module, name))) for name in names if hasattr(module, name))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # an empty cell
            yield name, made(cell.cell_contents)


def _code_said(code: CodeType, doc: str | None = None) -> Iterator[str]:
    """Without its documentation and its place in the file."""
    constants = code.co_consts[1:] if doc is not None and code.co_consts[:1] == (doc,) else code.co_consts
    yield repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_exceptiontable))
    for constant in constants:
        if isinstance(constant, CodeType):
            yield from _code_said(constant)
        else:
            yield _said(constant)


def _said(value: Any) -> str:
    """The same for the same value in every process."""
    if _is_code(value):
        return _name(_function(value)[0])
    if isinstance(value, type):
        return _class_said(value)
    kind = type(value).__name__
    if kind == "ndarray":
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if kind in ("tuple", "list") or hasattr(value, "_fields"):
        return f"{kind}({', '.join(map(_said, value))})"
    if kind == "frozenset":
        return f"frozenset({', '.join(sorted(map(_said, value)))})"
    if value is None or kind in ("bool", "int", "float", "str", "bytes") or isinstance(value, np.generic):
        return f"{kind} {value!r}"
    return getattr(value, "__name__", type(value).__qualname__)


def _class_said(kind: Any) -> str:
    return f"{kind.__module__}.{kind.__qualname__}{getattr(kind, '_fields', '')}"
