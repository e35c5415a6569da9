"""The genetic algorithm's parts as plain functions: who has children, how two genomes mix, how one changes.

Genomes are rows: [n, genes]. Every function leaves its arguments alone, and draws from `rng` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from winnable.inert.arrays import I64, NDArray, np
from winnable.optimize.base import Floats

Ints: TypeAlias = I64
Draw: TypeAlias = "Callable[[np.random.Generator, int], Any]"
"""draw(rng, n) -> int [n]: n random genes, each 0 or more."""

END = -1
"""Fills a sequence shorter than its row."""


def indices(n: int) -> Ints:
    """0 ... n - 1."""
    return np.arange(n)


# Selection


def fitness_of_losses(losses: Floats) -> Floats:
    """[n], in 0 ... 1: how much better than the worst finite loss each is, relative to the best finite one.
    So the worst has no chance on the wheel, and only differences of losses count. An infinite loss has 0; a
    loss of minus infinity leaves 0 to all others."""
    if (losses == -np.inf).any():
        return (losses == -np.inf).astype(np.float64)
    finite = np.isfinite(losses)
    if not finite.any():
        return np.zeros(len(losses))
    worst = losses[finite].max()
    gains = worst / 2 - np.where(finite, losses, worst) / 2  # halves, which cannot overflow
    return gains / gains.max() if gains.max() > 0 else finite.astype(np.float64)


def roulette(rng: np.random.Generator, fitness: Floats, n: int) -> NDArray[np.intp]:
    """[n]: indices, each drawn with chance fitness[i] / sum(fitness). Without any fitness all are alike."""
    top = fitness.max()
    shares = fitness / top if top > 0 else np.ones(len(fitness))  # the sum of shares cannot overflow
    return rng.choice(len(fitness), size=n, p=shares / shares.sum())


def tournament(rng: np.random.Generator, losses: Floats, n: int, size: int) -> NDArray[np.intp]:
    """[n]: indices, each the least loss (of equals, the first drawn) of `size` drawn with replacement."""
    drawn = rng.integers(len(losses), size=(n, size))
    return drawn[indices(n), losses[drawn].argmin(axis=1)]


# Crossover: of parents a and b two children each


def one_point(a: Ints, b: Ints, cut: int) -> Ints:
    """[2, genes]. The genes before the cut stay, those from the cut on are exchanged."""
    children = np.array((a, b))
    children[0, cut:], children[1, cut:] = b[cut:], a[cut:]
    return children


def simulated_binary(
    rng: np.random.Generator, a: Floats, b: Floats, low: Floats, high: Floats, index: float
) -> tuple[Floats, Floats]:
    """Each gene, with chance one half, is spread about the parents' middle by a factor near 1: the nearer,
    the larger `index`. Children beyond a bound are put on it.

    K. Deb and R. B. Agrawal, "Simulated Binary Crossover for Continuous Search Space", Complex Systems 9
    (1995), 115-148: the polynomial density of the spread factor, inverted.
    """
    u = rng.random(a.shape)
    factor = np.where(u < 0.5, 2 * u, 1 / (2 - 2 * u)) ** (1 / (index + 1))
    factor = np.where(rng.random(a.shape) < 0.5, factor, 1.0)
    middle, half = a / 2 + b / 2, (a / 2 - b / 2) * factor
    kept = factor == 1  # exactly the parents' genes, not the middle plus the half, which rounds
    return (
        np.where(kept, a, np.clip(middle + half, low, high)),
        np.where(kept, b, np.clip(middle - half, low, high)),
    )


# Mutation


def polynomial(
    rng: np.random.Generator, genomes: Floats, low: Floats, high: Floats, index: float, rate: float
) -> Floats:
    """Each gene, with chance `rate`, moves towards one of its bounds by a share of the way that is mostly
    small: the smaller, the larger `index`.

    K. Deb and D. Deb, "Analysing mutation schemes for real-parameter genetic algorithms", International
    Journal of Artificial Intelligence and Soft Computing 4 (2014), 1-28: polynomial mutation with one share
    for either bound.
    """
    u = rng.random(genomes.shape)
    down = (2 * u) ** (1 / (index + 1)) - 1
    up = 1 - (2 - 2 * np.maximum(u, 0.5)) ** (1 / (index + 1))
    moved = np.where(u < 0.5, genomes + down * (genomes - low), genomes + up * (high - genomes))
    return np.where(rng.random(genomes.shape) < rate, np.clip(moved, low, high), genomes)


def redraw(rng: np.random.Generator, genomes: Ints, rate: float, fresh: Ints) -> Ints:
    """Each gene, with chance `rate`, becomes the one of `fresh` [n, genes]. What lies after a sequence's end
    stays so."""
    return np.where((rng.random(genomes.shape) < rate) & (genomes != END), fresh, genomes)


def redraw_one(rng: np.random.Generator, genomes: Ints, rate: float, fresh: Ints) -> Ints:
    """Each sequence, with chance `rate`, gets at one of its places the gene of `fresh` [n, genes]."""
    lengths: list[int] = np.count_nonzero(genomes != END, axis=1).tolist()
    changed, places = genomes.copy(), [int(rng.integers(length)) for length in lengths]
    for row in np.flatnonzero(rng.random(len(genomes)) < rate).tolist():
        changed[row, places[row]] = fresh[row, places[row]]
    return changed


def resize(rng: np.random.Generator, genomes: Ints, rate: float, shortest: int, fresh: Ints) -> Ints:
    """Each sequence, with chance `rate`, loses a gene anywhere or gets one of `fresh` [n] anywhere, with
    equal chance; one that would become shorter than `shortest` or longer than its row stays as it is."""
    resized, lengths = genomes.copy(), (genomes != END).sum(axis=1)
    for row in np.flatnonzero(rng.random(len(genomes)) < rate):
        length, grows = int(lengths[row]), bool(rng.random() < 0.5)
        place = int(rng.integers(length + grows))
        if grows and length < genomes.shape[1]:
            resized[row, place + 1 :] = genomes[row, place:-1]
            resized[row, place] = fresh[row]
        elif not grows and length > shortest:
            resized[row, place:-1], resized[row, -1] = genomes[row, place + 1 :], END
    return resized


def checked_share(name: str, value: float) -> float:
    """The number, which must lie in 0 ... 1. Raises ValueError that names it."""
    if not 0 <= value <= 1:
        raise ValueError(f"{name}: {value} is not in 0 ... 1")
    return float(value)
