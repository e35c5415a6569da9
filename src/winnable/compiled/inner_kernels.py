"""For a process that compiles kernels and runs none: those that only other kernels call get no machine code.

Their code becomes part of each caller's. What numba makes of each besides, machine code of all that it
calls, too, and a wrapper for Python, is a quarter of a compiler's time, and nobody would ever run it. What is
left is kept in a file of its own kind (`kernel_cache.INNER`), which only such a process reads.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from winnable.compiled import kernel_cache

# What numba shows to those who compile by themselves has no types.
_codegen: Any = import_module("numba.core.codegen")
_Plain: Any = _codegen.JITCodeLibrary
_context: Any = import_module("numba.core.cpu").CPUContext
_dispatcher: Any = import_module("numba.core.dispatcher")
_parse_bitcode: Any = import_module("llvmlite.binding").parse_bitcode


class _Making:
    """What is compiled just now; its callees may all be inner ones."""

    kernel: Any = None
    inner = False


class NoEntry:
    """In the place of a compiled function that Python could call."""


class _Library(_Plain):
    def __init__(self, codegen: Any, name: str) -> None:
        _Plain.__init__(self, codegen, name)
        self.is_inner = _Making.inner

    def _finalize_final_module(self) -> None:
        if not self.is_inner:
            _Plain._finalize_final_module(self)
            return
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> Any:
        if not self.is_inner:
            return _Plain.serialize_using_object_code(self)
        return self.name, "object", (b"", self._get_module_for_linking().as_bitcode())

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, _, (machine_code, bitcode) = state
        if machine_code:
            return _Plain._unserialize.__func__(cls, codegen, state)
        library = codegen.create_library(name)
        library.is_inner = library._finalized = True
        library._shared_module = _parse_bitcode(bitcode)
        return library


def install() -> None:
    """Sets this process up, before anything is compiled; from then on it must not call any kernel."""
    executable, add = _context.get_executable, _dispatcher.Dispatcher.add_overload
    set_env = _codegen.JITCPUCodegen.set_env
    compile_core = _dispatcher._FunctionCompiler._compile_core

    def get_executable(context: Any, library: Any, function: Any, environment: Any) -> Any:
        return NoEntry() if library.is_inner else executable(context, library, function, environment)

    def add_overload(dispatcher: Any, compiled: Any) -> None:
        if isinstance(compiled.entry_point, NoEntry):
            dispatcher.overloads[tuple(compiled.signature.args)] = compiled
        else:
            add(dispatcher, compiled)

    def set_present_env(codegen: Any, name: str, environment: Any) -> None:
        if codegen._engine.get_global_value_address(name):
            set_env(codegen, name, environment)

    def compile_without_wrapper(compiler: Any, *arguments: Any) -> Any:
        before = compiler.targetoptions
        if _Making.inner:
            compiler.targetoptions = {**before, "no_cpython_wrapper": True}
        try:
            return compile_core(compiler, *arguments)
        finally:
            compiler.targetoptions = before

    _codegen.JITCPUCodegen._library_class = _Library
    _codegen.JITCPUCodegen.set_env = set_present_env
    _context.get_executable = get_executable
    _dispatcher.Dispatcher.add_overload = add_overload
    _dispatcher._FunctionCompiler._compile_core = compile_without_wrapper
    kernel_cache.takes_inner = lambda kernel: _Making.inner or kernel is not _Making.kernel


def compile_kernel(kernel: Any, types: tuple[Any, ...], inner: bool) -> None:
    """Compiles a kernel, and keeps what comes of it. types: numba's, of its arguments; inner: only other
    kernels call it"""
    known = kernel.overloads.get(types)
    if known is not None and isinstance(known.entry_point, NoEntry) and not inner:
        del kernel.overloads[types]
    _Making.kernel, _Making.inner = kernel, inner
    try:
        kernel.compile(types)
    finally:
        _Making.kernel, _Making.inner = None, False
