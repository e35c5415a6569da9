"""Fetching memory ahead of its use: numba has no name for it, LLVM has."""

from __future__ import annotations

from typing import Any

from winnable.compiled.compiler import TypingError, ir, types
from winnable.compiled.jit import ENABLED, intrinsic, kernel
from winnable.inert.arrays import F32, np

if ENABLED:
    _READ, _KEEP, _DATA = 0, 3, 1
    """Arguments of LLVM's instruction: what for, for how long (3: in every cache), and not code."""

    def _by_llvm() -> Any:
        """(array, uint64) -> nothing."""

        def declare(typing_context: Any, array: Any, index: Any) -> Any:
            if getattr(array, "ndim", 0) != 1 or index != types.uint64:
                raise TypingError(f"prefetch takes an array of one dimension and a uint64, not {index}")

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                data: Any = context.make_array(signature.args[0])(context, builder, arguments[0]).data
                number: Any = ir.IntType(32)
                kind: Any = ir.FunctionType(ir.VoidType(), [data.type, number, number, number])
                function: Any = builder.module.declare_intrinsic("llvm.prefetch", (data.type,), kind)
                how = [number(_READ), number(_KEEP), number(_DATA)]
                builder.call(function, [builder.gep(data, [arguments[1]]), *how])
                return context.get_dummy_value()

            return types.void(array, types.uint64), generate

        return intrinsic(declare)

    _ask = _by_llvm()
else:

    def _ask(array: Any, index: Any) -> None:
        pass


@kernel
def prefetch(array: F32, index: np.uint64) -> None:
    """Asks for array[index], of one dimension without gaps, to be in the cache when it will be read."""
    _ask(array, index)
