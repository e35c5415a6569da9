"""The self-adaptation of L-SHADE and jSO: memories of the parameters that succeeded.

[L] R. Tanabe and A. Fukunaga, "Improving the Search Performance of SHADE Using Linear Population Size
    Reduction", IEEE CEC 2014, 1658-1665.
[J] J. Brest, M. S. Maucec and B. Boskovic, "Single Objective Real-Parameter Optimization: Algorithm jSO",
    IEEE CEC 2017, 1311-1318.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from winnable.inert.arrays import NDArray, np
from winnable.optimize.base import Floats
from winnable.optimize.state import StateReader, to_json

SPREAD = 0.1
"""Of both parameters about a memory's value: [L] equations 1 and 2."""

LEAST_POPULATION = 4
"""[L] section III-B: current-to-pbest/1 needs four genomes."""


@dataclass(frozen=True)
class Rule:
    """In what the two differ.

    memories:          H, how many pairs (F, CR) are remembered; [L] table I, [J] section III
    first_f, first_cr: in all memories at first
    fixed:             whether the last pair always is (0.9, 0.9); [J] section III
    mixed:             whether a new value is the mean of the old and the successes'; [J] section III
    paced:             whether F, CR and the pull to the best follow the progress; [J] equations 3 to 6
    p_first, p_last:   share of the population that counts as best, at 0 and all of the evaluations
    archive:           size of the archive, as a multiple of the population
    """

    memories: int
    first_f: float
    first_cr: float
    fixed: bool
    mixed: bool
    paced: bool
    p_first: float
    p_last: float
    archive: float


LSHADE_RULE = Rule(6, 0.5, 0.5, False, False, False, 0.11, 0.11, 2.6)
"""[L] table I."""

ADAPTIVE_RULE = Rule(5, 0.3, 0.8, True, True, False, 0.25, 0.125, 1.0)
"""jSO without its pace: on BBOB that reaches more (`winnable bench optimize-bbob`)."""

JSO_RULE = Rule(5, 0.3, 0.8, True, True, True, 0.25, 0.125, 1.0)
"""[J] section III."""


def lshade_population(genes: int) -> int:
    """[L] table I: r_Ninit = 18."""
    return max(18 * genes, LEAST_POPULATION)


def jso_population(genes: int) -> int:
    """[J] section III: 25 ln D √D."""
    return max(round(25 * log(genes) * sqrt(genes)), 2 * LEAST_POPULATION)


class Memory:
    """f, cr: [memories]; a cr of -1 stands for the terminal value, after which CR stays 0 ([L] algorithm 1).
    next: which pair is learnt next."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self.f, self.cr = np.full(rule.memories, rule.first_f), np.full(rule.memories, rule.first_cr)
        self.next = 0
        if rule.fixed:
            self.f[-1] = self.cr[-1] = 0.9

    def draw(self, uniforms: Floats, normals: Floats, progress: float) -> tuple[Floats, Floats]:
        """F and CR for n trials; uniforms: [2, n], normals: [n]."""
        pairs = (uniforms[0] * len(self.f)).astype(np.intp)
        cr = np.where(self.cr[pairs] < 0, 0.0, _limited(self.cr[pairs] + SPREAD * normals))  # [L] (1)
        f = np.minimum(_positive_cauchy(self.f[pairs], uniforms[1]), 1)  # [L] (2)
        if self._rule.paced:
            cr = np.maximum(cr, 0.7 if progress < 0.25 else 0.6 if progress < 0.5 else 0.0)  # [J] (3)
            f = np.minimum(f, 0.7) if progress < 0.6 else f  # [J] (4)
        return f, cr

    def pull(self, f: Floats, progress: float) -> Floats:
        """The factor of the step towards one of the best: F itself, or [J] equation 6's F_w."""
        if not self._rule.paced:
            return f
        return f * (0.7 if progress < 0.2 else 0.8 if progress < 0.4 else 1.2)

    def learn(self, f: Floats, cr: Floats, gains: Floats) -> None:
        """f, cr: [n] of the trials that beat their targets, n > 0; gains: [n], by how much."""
        weights = _weights(gains)
        new_f = _lehmer(weights, f)
        new_cr = -1.0 if self.cr[self.next] < 0 or cr.max() <= 0 else _lehmer(weights, cr)
        if self._rule.mixed:
            new_f = (self.f[self.next] + new_f) / 2
            new_cr = new_cr if new_cr < 0 else (self.cr[self.next] + new_cr) / 2
        self.f[self.next], self.cr[self.next] = new_f, new_cr
        self.next = (self.next + 1) % (len(self.f) - self._rule.fixed)

    def to_json(self) -> dict[str, Any]:
        """Its fields as JSON values, for `from_json`."""
        return {"f": to_json(self.f), "cr": to_json(self.cr), "next": self.next}

    @staticmethod
    def from_json(rule: Rule, value: Any) -> Memory:
        """A memory as `to_json` wrote it. Raises ValueError that names the field."""
        reader, memory = StateReader(value, "state: memory"), Memory(rule)
        memory.f, memory.cr = (reader.floats(name, (rule.memories,)) for name in ("f", "cr"))
        if not ((memory.f > 0) & (memory.f <= 1)).all():
            raise ValueError("state: memory: f: not in 0 ... 1 (0 excluded)")
        if not (((memory.cr >= 0) & (memory.cr <= 1)) | (memory.cr == -1)).all():
            raise ValueError("state: memory: cr: not in 0 ... 1")
        memory.next = reader.integer("next", 0, rule.memories - 1 - rule.fixed)
        return memory


def _limited(values: Floats) -> Floats:
    """In 0 ... 1; for short arrays several times as fast as numpy's clip."""
    return np.minimum(np.maximum(values, 0.0), 1.0)


def _positive_cauchy(middle: Floats, uniforms: Floats) -> Floats:
    """Cauchy about `middle`, given that it is positive: [L] section II-A draws again until it is; here the
    part of the distribution above 0 is inverted."""
    least = 0.5 - np.arctan(middle / SPREAD) / np.pi
    drawn = middle + SPREAD * np.tan(np.pi * (least + uniforms * (1 - least) - 0.5))
    return np.maximum(drawn, 1e-12)


def _weights(gains: Floats) -> NDArray[np.float64]:
    """[L] equation 4: shares of the gains; an infinite gain (from an infinite loss) counts as the greatest
    finite one, or all alike."""
    finite = gains[np.isfinite(gains)]
    top = max(finite.tolist(), default=0.0)
    if top <= 0:
        return np.full(len(gains), 1 / len(gains))
    scaled = np.minimum(gains, top) / top
    return scaled / scaled.sum()


def _lehmer(weights: Floats, values: Floats) -> float:
    """[L] equation 6: the weighted Lehmer mean."""
    return float((weights * values * values).sum() / (weights * values).sum())
