"""Seeds: each evaluation has its own, which follows from where it stands in its run and from nothing else, so
that it can be repeated anywhere and alone."""

from __future__ import annotations

from winnable.inert.arrays import np

RECOMMENDED, INCUMBENT = 2**32 - 2, 2**32 - 1
"""The candidate numbers of the two in the final choice: no search gets that far."""


def evaluation_seed(run: int, candidate: int, attempt: int = 0) -> int:
    """0 <= seed < 2**63, from numpy's `SeedSequence(run, candidate, attempt)`.

    The last two are its spawn key: as further words of entropy, (2**32, 0) and (0, 1) would share a seed.
    Raises ValueError that names the argument.
    """
    if not 0 <= run < 2**128:
        raise ValueError(f"run: {run} is not in 0 ... 2**128 - 1")
    for name, number in (("candidate", candidate), ("attempt", attempt)):
        if not 0 <= number < 2**32:
            raise ValueError(f"{name}: {number} is not in 0 ... 2**32 - 1")
    sequence = np.random.SeedSequence(run, spawn_key=(candidate, attempt))
    return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))
