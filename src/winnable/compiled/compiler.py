"""What intrinsics name of numba and LLVM, imported when a kernel is compiled."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from winnable.inert.late import Late, LateModule

binding: Any = LateModule("llvmlite.binding")
config: Any = LateModule("numba.core.config")
ir: Any = LateModule("llvmlite.ir")
types: Any = LateModule("numba.core.types")
TypingError: Any = Late(lambda: import_module("numba.core.errors").TypingError)
