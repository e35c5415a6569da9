"""Counting bits of a uint64 in one instruction: numba has no name for it, LLVM has."""

from __future__ import annotations

from typing import Any

import numpy as np

from winnable.jit import ENABLED, kernel

if ENABLED:
    from numba import types
    from numba.core.errors import TypingError
    from numba.extending import intrinsic

    def _unary(name: str) -> Any:
        """uint64 -> int64, by the method of this name of llvmlite's IRBuilder."""

        def declare(typing_context: Any, x: Any) -> Any:
            if x != types.uint64:
                raise TypingError(f"{name} takes a uint64, not {x}")

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                flag = () if name == "ctpop" else (context.get_constant(types.boolean, 0),)
                return getattr(builder, name)(arguments[0], *flag)

            return types.int64(types.uint64), generate

        return intrinsic(declare)

    _ctpop, _ctlz, _cttz = _unary("ctpop"), _unary("ctlz"), _unary("cttz")
else:

    def _ctpop(x: Any) -> Any:
        return int(x).bit_count()

    def _ctlz(x: Any) -> Any:
        return 64 - int(x).bit_length()

    def _cttz(x: Any) -> Any:
        return (int(x) & -int(x)).bit_length() - 1 if x else 64


@kernel
def count_ones(x: np.uint64) -> int:
    return _ctpop(x)


@kernel
def bit_length(x: np.uint64) -> int:
    """The place of the highest one, counted from 1; 0 for 0."""
    return 64 - _ctlz(x)


@kernel
def trailing_zeros(x: np.uint64) -> int:
    """64 for 0."""
    return _cttz(x)
