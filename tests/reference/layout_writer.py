"""Layouts of triple written as drawings, as the shipped ones are."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.games.triple.levels.layout import Layout, Place
from winnable.games.triple.levels.layout_text import STEP
from winnable.games.triple.rules.level import SIDE

DEFAULTS = {"layer": 0, "tiles": 1, "dx": 0, "dy": 0}


def format_layout(layout: Layout) -> str:
    """Inverse of `parse_layout`: all layers as wide and high as the widest and highest, so that they can be
    laid over each other."""
    stacks, rest = _stacks(layout.places)
    lines = [f"title {language}: {title}" for language, title in layout.title.items()]
    if layout.symmetry:
        lines.append(f"symmetry: {' '.join(layout.symmetry)}")
    lines += [_stack_line(stack) for stack in stacks]
    columns = max((place.x for place in rest), default=0) // STEP + 2
    rows = max((place.y for place in rest), default=0) // STEP + 2
    layers: dict[int, list[list[str]]] = {}
    for place in rest:
        grid = layers.setdefault(place.layer, [["."] * columns for _ in range(rows)])
        grid[place.y // STEP][place.x // STEP] = "o" if place.hidden else "x"
    for layer, grid in layers.items():
        lines += ["", f"layer {layer}:", *("".join(row) for row in grid)]
    return "\n".join(lines) + "\n"


def _stacks(places: Sequence[Place]) -> tuple[list[list[Place]], list[Place]]:
    """The stacks that hold all tiles between the lines of the grid, each as long as it can be; the others."""
    left = dict.fromkeys(places)
    stacks: list[list[Place]] = []
    if any(_is_loose(place) for place in places):
        for place in places:
            if place in left:
                stack = max((_stack(place, step, left) for step in _STEPS), key=len)
                if any(map(_is_loose, stack)):
                    stacks.append(stack)
                    for tile in stack:
                        del left[tile]
    return stacks, list(left)


_STEPS = sorted(
    ((dx, dy) for dx in range(1 - SIDE, SIDE) for dy in range(1 - SIDE, SIDE)),
    key=lambda step: (abs(step[0]) + abs(step[1]), step),
)
"""(dx, dy) from a tile of a stack to the next one, which lies on it; the shortest come first."""


def _stack(place: Place, step: tuple[int, int], left: dict[Place, None]) -> list[Place]:
    stack = [place]
    while (following := _next(stack[-1], step)) in left:
        stack.append(following)
    return stack


def _next(place: Place, step: tuple[int, int]) -> Place:
    return Place(place.x + step[0], place.y + step[1], place.layer + 1, place.hidden)


def _is_loose(place: Place) -> bool:
    return bool(place.x % STEP or place.y % STEP)


def _stack_line(stack: Sequence[Place]) -> str:
    first, second = stack[0], stack[min(1, len(stack) - 1)]
    numbers = {
        "x": first.x,
        "y": first.y,
        "layer": first.layer,
        "tiles": len(stack),
        "dx": second.x - first.x,
        "dy": second.y - first.y,
    }
    said = " ".join(f"{name}={number}" for name, number in numbers.items() if number != DEFAULTS.get(name))
    return f"{'blind stack' if first.hidden else 'stack'}: {said}"
