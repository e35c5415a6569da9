"""Compiles a game's kernels for browsers: numba's front end as it is, LLVM's WebAssembly target behind it.

`python -m winnable.site.cross_compiler GAME FOLDER`, in a process of its own, as it takes the
place of numba's target for good. It writes `GAME.so`, a shared object as Python for browsers loads it with
ctypes, and `GAME.json`, a list of `ahead.Entry`. Nothing of the C library but LIBRARY is there: whatever else
is called traps, and is printed.

All that this needs of numba's internals stands here, pinned to TESTED: methods that are overridden, and the
context of `cpu_target`, made before anybody asks for it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

os.environ |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_INTEL_SVML": "1"}

from importlib import import_module

import msgspec
import numba

from winnable.compiled import kernel_cache, kernel_lists
from winnable.compiled.ahead import Entry
from winnable.contract.registry import load_game

# What numba and llvmlite show to those who compile by themselves has no types.
llvm: Any = import_module("llvmlite.binding")
_codegen: Any = import_module("numba.core.codegen")
_cpu: Any = import_module("numba.core.cpu")
_lock: Any = import_module("numba.core.compiler_lock").global_compiler_lock
_target: Any = import_module("numba.core.registry").cpu_target

TESTED = ("0.68",)
TRIPLE = "wasm32-unknown-unknown"
# Without SIMD: with it searches take as long, and browsers of before 2023 have none.
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
LIBRARY = frozenset({
    "malloc", "free", "realloc", "memset", "memcpy", "memmove", "exp", "log", "log1p", "log10", "log2", "pow",
    "sqrt", "floor", "ceil", "fmod", "expf", "logf", "powf",
})  # fmt: skip
"""What the module takes from the C library that CPython brings."""
RUNTIME = Path(__file__).with_name("runtime.ll")


class _Library(_codegen.JITCodeLibrary):
    """Keeps the code, and hands it to no engine."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class _Codegen(_codegen.JITCPUCodegen):
    _library_class = _Library

    def _init(self, llvm_module: Any) -> None:
        self._tm, self._tm_features = machine(), FEATURES
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)
        self._loopvect, self._opt_level = False, 0

    def _create_empty_module(self, name: str) -> Any:
        module: Any = _codegen.JITCPUCodegen._create_empty_module(self, name)
        module.triple = TRIPLE
        return module


class _Context(_cpu.CPUContext):
    def init(self) -> None:
        self.is32bit = False  # WebAssembly divides 64 bits itself
        self._internal_codegen = _Codegen("winnable.site")

    def create_cpython_wrapper(self, *arguments: Any, **named: Any) -> None:
        """There is none: Python calls by `_entry`."""

    def create_cfunc_wrapper(self, *arguments: Any, **named: Any) -> None:
        """Likewise."""

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        # Numba tells functions apart by this, and takes built-in ones only; nobody calls it.
        return list[Any]().append


def machine() -> Any:
    """LLVM's, for WebAssembly."""
    return llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="pic", codemodel="default"
    )


def _install() -> None:
    """From now on this process compiles for browsers, and calls no kernel."""
    if not numba.__version__.startswith(TESTED):
        raise SystemExit(f"numba {numba.__version__} was not tried: {', '.join(TESTED)} were")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    vars(_target)["_toplevel_target_context"] = _Context(_target.typing_context, _target._target_name)
    kernel_cache.find = _no_file
    setattr(kernel_cache.KernelCache, "save_overload", _keep_nothing)  # noqa: B010


def _no_file(*_: Any) -> None:
    """In the place of `kernel_cache.find`."""


def _keep_nothing(*_: Any) -> None:
    """In the place of `KernelCache.save_overload`."""


@_lock
def compiled(game: str) -> list[tuple[Entry, Any]]:
    """Each kernel of the game that Python calls, with numba's result."""
    found: list[tuple[Entry, Any]] = []
    listed = kernel_lists.read(load_game(game))
    for kernel in listed.kernels:
        if kernel.inner:
            continue
        said = listed.arguments(kernel)
        types = tuple(map(kernel_lists.type_of, said))
        dispatcher = kernel_lists.kernel_named(kernel.name)
        dispatcher.compile(types)
        result = dispatcher.overloads[types]
        result.library._ensure_finalized()
        function = result.library.get_function(result.fndesc.llvm_func_name)
        slots = len(list(function.arguments)) - 2
        symbol = f"k{len(found)}"
        kind = result.signature.return_type
        found.append((Entry(symbol, kernel.name, said, slots, kernel_lists.said(kind)), result))
    return found


def _entry(symbol: str, function: Any) -> str:
    """`int symbol(void *slots)` in LLVM's assembly: arguments in slots of 8 bytes, then a slot for what an
    error says, then the result; it returns 0 or the status of an error."""
    result, error, *arguments = [str(one.type) for one in function.arguments]
    lines = [
        f'declare i32 @"{function.name}"({", ".join((result, error, *arguments))})',
        f"define i32 @{symbol}(ptr %s) {{",
    ]
    for i, kind in enumerate(arguments):
        lines += [
            f"  %p{i} = getelementptr i8, ptr %s, i32 {8 * i}",
            f"  %a{i} = load {kind}, ptr %p{i}, align 8",
        ]
    n = len(arguments)
    lines += [
        f"  %e = getelementptr i8, ptr %s, i32 {8 * n}",
        f"  %r = getelementptr i8, ptr %s, i32 {8 * n + 8}",
    ]
    given = "".join(f", {kind} %a{i}" for i, kind in enumerate(arguments))
    lines += [f'  %x = call i32 @"{function.name}"(ptr %r, ptr %e{given})', "  ret i32 %x", "}"]
    return "\n".join(lines) + "\n"


def _linked(kernels: Iterable[tuple[Entry, Any]]) -> tuple[Any, list[str]]:
    """All in one module, with the names of what nobody defines: it traps."""
    whole = _parsed("")
    for _, result in kernels:
        module, own = result.library._final_module.clone(), result.fndesc.llvm_func_name
        for one in (*module.functions, *module.global_variables):
            if not one.is_declaration and one.linkage.name in ("external", "common", "weak_any"):
                one.linkage = "linkonce_odr"
        module.get_function(own).linkage = "weak_odr"
        whole.link_in(module)
    for entry, result in kernels:
        whole.link_in(_parsed(_entry(entry.symbol, whole.get_function(result.fndesc.llvm_func_name))))
    whole.link_in(_parsed(RUNTIME.read_text("ascii")))
    missing = [
        one
        for one in whole.functions
        if one.is_declaration and not one.name.startswith("llvm.") and one.name not in LIBRARY
    ]
    names = [one.name for one in missing]
    traps = ["declare void @llvm.trap()"]
    for one in missing:
        kind = str(one.global_value_type)
        result, _, rest = kind.partition(" (")
        body = "  call void @llvm.trap()\n  unreachable\n"
        traps.append(f'define {result} @"{one.name}"({rest.rstrip(")")}) {{\n{body}}}')
    empty = [one.name for one in whole.global_variables if one.is_declaration]
    traps += [f'@"{name}" = global ptr null' for name in empty]
    whole.link_in(_parsed("\n".join(traps) + "\n"))
    symbols = {entry.symbol for entry, _ in kernels}
    for one in whole.functions:
        if not one.is_declaration:
            one.linkage = "external" if one.name in symbols else "internal"
    return whole, names + empty


def _parsed(assembly: str) -> Any:
    module = llvm.parse_assembly(f'target triple = "{TRIPLE}"\n{assembly}')
    module.data_layout = str(machine().target_data)
    return module


def build(game: str, folder: Path, linker: Sequence[str]) -> list[str]:
    """Writes the game's shared object and its list. Returns what is missing in it: what calls it traps."""
    kernels = compiled(game)
    whole, missing = _linked(kernels)
    target = machine()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(whole, builder)
    whole.verify()
    made = folder / f"{game}.o"
    made.write_bytes(target.emit_object(whole))
    exports = [f"--export={entry.symbol}" for entry, _ in kernels]
    flags = ["-shared", "--experimental-pic", "--import-memory", "--allow-undefined", "--strip-all", "-O2"]
    subprocess.run([*linker, *flags, *exports, str(made), "-o", str(folder / f"{game}.so")], check=True)
    made.unlink()
    (folder / f"{game}.json").write_bytes(msgspec.json.encode([entry for entry, _ in kernels]))
    return missing


if __name__ == "__main__":
    _install()
    print(build(sys.argv[1], Path(sys.argv[2]), [sys.executable, "-m", "ziglang", "wasm-ld"]))
