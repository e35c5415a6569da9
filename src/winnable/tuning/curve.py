"""Loss curves of tuning runs as an SVG picture: the best loss as a line, the population as a band around its
median, over evaluations. Pure functions; nothing is loaded to look at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import floor, log10
from typing import TypeVar

from msgspec import Struct

from winnable.contract.errors import printable

WIDTH, PLOT = 800, 340
LEFT, RIGHT, TITLE, LEGEND, BOTTOM = 68, 20, 40, 20, 52
"""The picture's width, the plot's height, and what stands around it; LEGEND is the height of its lines."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Okabe and Ito's, told apart by all eyes; the dashes say it too."""
DASHES = ("", "7 4", "2 3", "10 3 2 3", "4 2", "1 4")


MOST_POINTS = 400
LARGEST = 1e300
"""A loss of this size is no figure but stands for infinity."""

T = TypeVar("T")


class Point(Struct, frozen=True):
    """One generation: the best loss so far, and the quartiles of the population's losses."""

    evaluations: int
    best: float
    low: float
    median: float
    high: float


class Curve(Struct, frozen=True):
    label: str
    points: list[Point]


def thinned(points: Sequence[T], most: int = MOST_POINTS) -> list[T]:
    """Picks at most so many of them, evenly chosen; the first and the last always."""
    if len(points) <= most:
        return list(points)
    return [points[round(index * (len(points) - 1) / (most - 1))] for index in range(most)]


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers (1, 2 or 5 times a power of ten apart) within low ... high."""
    if not high - low > 1 / LARGEST:
        return [low]
    rough = (high - low) / wanted
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    first = floor(low / step + 0.999_999)
    count = floor((high - first * step) / step + 1e-6) + 1
    return [(first + index) * step for index in range(count)]


def curves_svg(title: str, curves: Sequence[Curve]) -> str:
    """A whole SVG document. Generations with infinite losses are left out."""
    shown = [Curve(curve.label, [p for p in thinned(curve.points) if _finite(p)]) for curve in curves]
    axes = _Axes([point for curve in shown for point in curve.points], TITLE + LEGEND * len(shown))
    parts = [*axes.svg(title)]
    for index, curve in enumerate(shown):
        parts += _curve_svg(axes, curve, index)
    return "\n".join([*parts, "</svg>", ""])


class _Axes:
    """Where a figure lies in the picture."""

    def __init__(self, points: Sequence[Point], top: float) -> None:
        self.top, self.floor = top, top + PLOT
        losses = [loss for p in points for loss in (p.best, p.low, p.high)] or [0.0, 1.0]
        margin = (max(losses) - min(losses)) * 0.06 or abs(losses[0]) * 0.1 or 1.0
        self.low, self.high = min(losses) - margin, max(losses) + margin
        self.most = max((p.evaluations for p in points), default=1) or 1

    def x(self, evaluations: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * evaluations / self.most

    def y(self, loss: float) -> float:
        return self.top + PLOT * (self.high - loss) / (self.high - self.low)

    def svg(self, title: str) -> Iterator[str]:
        height = self.floor + BOTTOM
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
            f'height="{height:.0f}" font-family="system-ui, sans-serif" font-size="13" fill="#26332c">'
        )
        yield f"<title>{escape(printable(title))}</title>"
        yield f'<rect width="{WIDTH}" height="{height:.0f}" fill="#ffffff"/>'
        yield f'<text x="{LEFT}" y="24" font-size="15" font-weight="600">{escape(printable(title))}</text>'
        for loss in ticks(self.low, self.high):
            y = self.y(loss)
            yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#dfe7e1"/>'
            yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{loss:.4g}</text>'
        for count in ticks(0, self.most):
            x = self.x(count)
            yield f'<path d="M{x:.1f} {self.floor}v5" stroke="#8a9890"/>'
            yield f'<text x="{x:.1f}" y="{self.floor + 20}" text-anchor="middle">{count:,.0f}</text>'
        yield f'<path d="M{LEFT} {self.top}V{self.floor}H{WIDTH - RIGHT}" fill="none" stroke="#8a9890"/>'
        middle = (LEFT + WIDTH - RIGHT) / 2
        yield f'<text x="{middle:.0f}" y="{height - 10:.0f}" text-anchor="middle">evaluations</text>'
        turned = f"translate(16 {self.floor - PLOT / 2:.0f}) rotate(-90)"
        yield f'<text transform="{turned}" text-anchor="middle">loss</text>'


def _curve_svg(axes: _Axes, curve: Curve, index: int) -> Iterator[str]:
    colour, dash = COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    if curve.points:
        upper = _path(axes, ((p.evaluations, p.high) for p in curve.points))
        lower = _path(axes, ((p.evaluations, p.low) for p in reversed(curve.points)))
        yield f'<path d="M{upper}L{lower}Z" fill="{colour}" fill-opacity="0.16"/>'
        median = _path(axes, ((p.evaluations, p.median) for p in curve.points))
        yield f'<path d="M{median}" fill="none" stroke="{colour}" stroke-width="1" stroke-opacity="0.75"/>'
        best = _path(axes, ((p.evaluations, p.best) for p in curve.points))
        yield f'<path d="M{best}" fill="none" stroke="{colour}" stroke-width="2.5"{dashed}/>'
        x, last = axes.x(curve.points[-1].evaluations), curve.points[-1]
        yield f'<circle cx="{x:.1f}" cy="{axes.y(last.best):.1f}" r="4" fill="{colour}"/>'
        if len(curve.points) == 1:  # a band without width
            yield f'<path d="M{x:.1f} {axes.y(last.low):.1f}V{axes.y(last.high):.1f}" stroke="{colour}"/>'
    y = TITLE + LEGEND * index
    name = f"{curve.label}: best, median, quartiles"
    yield f'<path d="M{LEFT} {y}h36" stroke="{colour}" stroke-width="2.5"{dashed}/>'
    yield f'<text x="{LEFT + 44}" y="{y + 4}">{escape(printable(name))}</text>'


def _path(axes: _Axes, points: Iterable[tuple[int, float]]) -> str:
    return "L".join(f"{axes.x(x):.1f} {axes.y(y):.1f}" for x, y in points)


def _finite(point: Point) -> bool:
    return all(abs(loss) < LARGEST for loss in (point.best, point.low, point.median, point.high))
