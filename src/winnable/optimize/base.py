"""What every optimiser shares: the interface, and the checks of arguments. Beside it: `ledger.py`, what was
asked for and told; `state.py`, states as JSON."""

from __future__ import annotations

from contextlib import suppress
from numbers import Integral
from typing import Any, Protocol, TypeAlias, cast

from winnable.inert.arrays import F64, ArrayLike, NDArray, np

Floats: TypeAlias = F64
Genomes: TypeAlias = "NDArray[Any]"
"""[n, genes]: float64 for real genomes, int64 for all others."""


class Optimizer(Protocol):
    """Minimises a loss. The caller owns the loop:

        while not optimizer.should_stop():
            genomes = optimizer.ask()
            optimizer.tell(genomes, [loss(genome) for genome in genomes])
        genome, loss = optimizer.best

    By generation, as above; or steady-state: `ask(n)` at any time, also while others are being judged, and
    `tell` whatever was judged meanwhile, in any order and any number at a time.
    """

    @property
    def generation(self) -> int:
        """Generations finished: populations' worth of told genomes."""
        ...

    @property
    def evaluations(self) -> int:
        """Genomes told."""
        ...

    @property
    def best(self) -> tuple[Genomes, float]:
        """The genome of the least loss told so far (of equals, the first) and that loss, which under noise is
        a lucky one. Raises ValueError before the first `tell`."""
        ...

    @property
    def recommendation(self) -> Genomes:
        """[genes]: what to use in the end. Where the optimiser keeps a distribution, its mean: under noise
        the best genome is the luckiest, the mean the surest."""
        ...

    def ask(self, n: int | None = None) -> Genomes:
        """[n, genes], the caller's own; None: a whole generation. Raises ValueError."""
        ...

    def tell(self, genomes: ArrayLike, losses: ArrayLike) -> None:
        """Genomes as `ask` gave them, with a loss each (infinity allowed). Raises ValueError that names the
        argument: a wrong shape, a NaN, a genome that was not asked for."""
        ...

    def should_stop(self) -> bool:
        """Whether a limit is reached, or the search has come to its end."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Everything, as JSON values: `load_state_dict` in an optimiser made with the same arguments, then
        the same `ask`s and `tell`s, give bit-identical genomes."""
        ...

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Raises ValueError that names the field when the state is damaged or of another optimiser."""
        ...


FARTHEST = 1e307
"""From zero: a bound. Steps are a few times as long as the bounds are apart."""


def suitable_size(genes: int, evaluations: int) -> int:
    """The size of a population where nobody says it."""
    return max(8, min(10 * genes, evaluations // 10))


def checked_bounds(low: ArrayLike, high: ArrayLike) -> tuple[Floats, Floats]:
    """low, high: float [genes], of at most FARTHEST, low <= high. Raises ValueError."""
    lows, highs = (
        np.array(_numbers(name, bound), np.float64) for name, bound in (("low", low), ("high", high))
    )
    if lows.ndim != 1 or lows.size == 0:
        raise ValueError(f"low: a list of at least one number is needed, not shape {lows.shape}")
    if highs.shape != lows.shape:
        raise ValueError(f"high: shape {highs.shape}, but low has {lows.shape}")
    for name, bounds in (("low", lows), ("high", highs)):
        if not np.isfinite(bounds).all():
            raise ValueError(f"{name}: all bounds must be finite")
    if (lows > highs).any():
        gene = int((lows > highs).argmax())
        raise ValueError(f"high: gene {gene} has bounds {lows[gene]} > {highs[gene]}")
    with np.errstate(over="ignore"):
        if not np.isfinite(highs - lows).all():
            raise ValueError("high: some bounds are too far apart")
    for name, bounds in (("low", lows), ("high", highs)):
        if (abs(bounds) > FARTHEST).any():
            raise ValueError(f"{name}: some bound is beyond {FARTHEST:g}, where steps would overflow")
    return lows, highs


def checked_genome(name: str, genome: ArrayLike, low: Floats, high: Floats) -> Floats:
    """float [genes] within the bounds, a copy. Raises ValueError."""
    genes = np.array(_numbers(name, genome), np.float64)
    if genes.shape != low.shape:
        raise ValueError(f"{name}: shape {genes.shape}, but the bounds have {low.shape}")
    if not ((low <= genes) & (genes <= high)).all():
        raise ValueError(f"{name}: some gene is out of bounds or not a number")
    return genes


def checked_loss(value: Any, evaluation: int) -> float:
    """What the loss returned, as scipy reads it. Raises ValueError."""
    is_array = isinstance(cast("object", value), list | tuple | np.ndarray)
    one = np.asarray(value) if is_array else value
    one: Any = one.item() if is_array and one.size == 1 else one
    found = None
    if not isinstance(cast("object", one), str | bytes | complex | np.complexfloating | np.ndarray):
        with suppress(TypeError, ValueError, OverflowError):
            found = float(one)
    if found is None or np.isnan(found):
        said = repr(value)[:40] if np.size(one) == 1 else f"shape {np.shape(one)}"
        raise ValueError(f"fun: losses are numbers; the one of evaluation {evaluation} is {said}")
    return found


def checked_count(name: str, value: Any, least: int, why: str = "") -> int:
    """A whole number of at least `least`. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{name}: {value!r} is no whole number")
    if value < least:
        raise ValueError(f"{name}: {value} is less than {least}{why}")
    return int(cast(int, value))


def checked_number(name: str, value: Any) -> float:
    """The number, which must not be NaN. Raises ValueError."""
    number = _numbers(name, value)
    if number.ndim or np.isnan(number):
        raise ValueError(f"{name}: {value!r} is no number")
    return float(number)


def checked_rng(seed: int) -> np.random.Generator:
    """The generator of an optimiser. Raises ValueError."""
    return np.random.default_rng(checked_count("seed", seed, 0))


def uniform(rng: np.random.Generator, n: int, low: Floats, high: Floats) -> Floats:
    """float [n, genes], drawn uniformly within the bounds."""
    return np.clip(low + rng.random((n, low.size)) * (high - low), low, high)


def checked_losses(losses: ArrayLike, n: int) -> Floats:
    """float [n] without NaN. Raises ValueError."""
    judged = np.asarray(_numbers("losses", losses), np.float64)
    if judged.shape != (n,):
        raise ValueError(f"losses: shape {judged.shape}, but {n} genomes are told")
    if np.isnan(judged).any():
        raise ValueError(f"losses: loss {int(np.isnan(judged).argmax())} is not a number")
    return judged


def checked_genomes(genomes: ArrayLike, genes: int, dtype: np.dtype[Any]) -> Genomes:
    """[n, genes], n > 0, as `dtype`. Raises ValueError."""
    told = _numbers("genomes", genomes)
    if told.ndim != 2 or told.shape[1] != genes or len(told) == 0:
        raise ValueError(f"genomes: shape {told.shape} instead of [n, {genes}], n > 0")
    if dtype.kind == told.dtype.kind:
        return told.astype(dtype, copy=False)
    with np.errstate(invalid="ignore"):
        converted = told.astype(dtype)
    if dtype.kind == "i" and not (converted == told).all():
        raise ValueError("genomes: some gene is no whole number")
    return converted


def _numbers(name: str, values: ArrayLike) -> Genomes:
    """A copy only where needed; booleans and texts are refused."""
    try:
        numbers = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name}: rows of unequal length") from None
    if numbers.dtype.kind not in "fiu":
        raise ValueError(f"{name}: numbers are needed, not {numbers.dtype}")
    return numbers
