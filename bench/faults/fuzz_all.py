"""Every target of `bench fuzz`, by its name."""

from __future__ import annotations

from functools import cache

from bench.faults.fuzz_http import Addresses, RawHttp
from bench.faults.fuzz_sockets import ArcadeSocket, StudioSocket
from bench.faults.fuzz_targets import Target, simple_targets


@cache
def all_targets() -> dict[str, Target]:
    return {
        **simple_targets(),
        "studio": StudioSocket(0.10),
        "arcade": ArcadeSocket(0.08),
        "addresses": Addresses(0.05),
        "http": RawHttp(0.02),
    }
