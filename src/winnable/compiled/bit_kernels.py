"""Bits of a uint64 counted and picked in one instruction: numba has no names for these, LLVM has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from winnable.compiled.compiler import TypingError, binding, config, ir, types
from winnable.compiled.jit import ENABLED, intrinsic, kernel
from winnable.inert.arrays import U, np
from winnable.inert.late import late

if ENABLED:

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

    def _binary(name: str) -> Any:
        """(uint64, uint64) -> uint64, an instruction of LLVM by its full name."""

        def declare(typing_context: Any, x: Any, y: Any) -> Any:
            if x != types.uint64 or y != types.uint64:
                raise TypingError(f"{name} takes two uint64, not {x} and {y}")

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                word: Any = ir.IntType(64)
                kind: Any = ir.FunctionType(word, [word, word])
                return builder.call(builder.module.declare_intrinsic(name, (), kind), arguments)

            return types.uint64(types.uint64, types.uint64), generate

        return intrinsic(declare)

    def _has_bmi2() -> bool:
        """Whether the processor has pext and pdep, and not as AMD's first two generations of Zen, where they
        take hundreds of cycles."""
        if config.CPU_NAME:  # by the user, for another processor perhaps
            return False
        try:
            features = binding.get_host_cpu_features()
        except RuntimeError:  # not known for this kind of processor
            return False
        return bool(features.get("bmi2")) and binding.get_host_cpu_name() not in ("znver1", "znver2")

    _ctpop, _ctlz, _cttz = _unary("ctpop"), _unary("ctlz"), _unary("cttz")
    _pext, _pdep = _binary("llvm.x86.bmi.pext.64"), _binary("llvm.x86.bmi.pdep.64")
else:
    _pext: Any = None
    _pdep: Any = None

    def _has_bmi2() -> bool:
        return False

    def _ctpop(x: Any) -> Any:
        return int(x).bit_count()

    def _ctlz(x: Any) -> Any:
        return 64 - int(x).bit_length()

    def _cttz(x: Any) -> Any:
        return (int(x) & -int(x)).bit_length() - 1 if x else 64


@kernel
def count_ones(x: np.uint64) -> int:
    """How many ones x has."""
    return _ctpop(x)


@kernel
def bit_length(x: np.uint64) -> int:
    """The place of the highest one, counted from 1; 0 for 0."""
    return 64 - _ctlz(x)


@kernel
def trailing_zeros(x: np.uint64) -> int:
    """64 for 0."""
    return _cttz(x)


@kernel
def gather_by_runs(x: np.uint64, mask: np.uint64) -> np.uint64:
    """Gathers as `gather_bits` does, run after run of the mask's ones; it must not be all ones."""
    gathered, place = U(0), 0
    while mask != U(0):
        first = U(_cttz(mask))
        rest = mask >> first
        run = rest & ~(rest + U(1))
        gathered |= (x >> first & run) << U(place)
        place += _ctpop(run)
        mask ^= run << first
    return gathered


@kernel
def nth_one_by_steps(x: np.uint64, n: int) -> np.uint64:
    """Finds what `nth_one` finds, one after one."""
    for _ in range(n):
        x &= x - U(1)
    return x & (~x + U(1))


def _or_else(
    otherwise: Callable[[np.uint64, Any], np.uint64],
) -> Callable[[Callable[[np.uint64, Any], np.uint64]], Callable[[np.uint64, Any], np.uint64]]:
    """Decorates a kernel for processors that have pext and pdep; the others take another one."""
    return lambda function: late(lambda: kernel(function) if _has_bmi2() else otherwise)


@_or_else(gather_by_runs)
def gather_bits(x: np.uint64, mask: np.uint64) -> np.uint64:
    """The bits of x where the mask has ones, which is not everywhere, side by side from bit 0 on."""
    return _pext(x, mask)


@_or_else(nth_one_by_steps)
def nth_one(x: np.uint64, n: int) -> np.uint64:
    """The n-th one of x, counted from 0 at bit 0; there must be as many."""
    return _pdep(U(1) << U(n), x)
