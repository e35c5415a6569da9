"""Layouts of triple as drawings that a person can make in any editor.

    title en: Bridge
    title zh-CN: 桥
    symmetry: left-right
    blind stack: x=0 y=12 tiles=4 dx=1
    blind stack: x=24 y=12 tiles=4 dx=-1

    layer 0:
    ..x.x...
    layer 1:
    ...x....
    layer 2:
    ...o....

A character is half a tile wide and high, and a mark stands where a tile has its upper left quarter: `x`, or
`o` for a blind one, whose face is hidden while anything lies on it; `.` is free. What lies between the lines
of this grid is a stack: `tiles` (1) of them, from the one at x, y (in eighths of a tile) in `layer` (0) up,
each further by dx, dy (0) than the one below it; those of a `blind stack` are blind. Lines that begin with
`#` are skipped. Where `symmetry` is given, it is checked.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Literal

from winnable.contract.arguments import whole
from winnable.contract.core import LevelError
from winnable.games.triple.levels.layout import SYMMETRIES, Layout, Place, Symmetry, make_layout
from winnable.games.triple.rules.level import MAX_TILES, SIDE

FOLDER = Path(__file__).parent / "layouts"
"""Of the layouts that ship with the game."""
STEP = SIDE // 2
MAX_CHARACTERS = 2**20
_FARTHEST = 100_000
_ROW = re.compile(r"[.xo]+")
_LAYER = re.compile(r"layer ([0-9]{1,6})")
_NUMBER = re.compile(r"([a-z]+)=(-?[0-9]{1,6})")
_OF_A_STACK = ("x", "y", "layer", "tiles", "dx", "dy")
_DEFAULTS = {"layer": 0, "tiles": 1, "dx": 0, "dy": 0}


def knows(content: bytes) -> bool:
    """Whether a layer begins in it."""
    return re.search(rb"^\s*layer\s*[0-9]+\s*:", content[:MAX_CHARACTERS], re.MULTILINE) is not None


@cache
def shipped_layout(name: str) -> Layout:
    """The layout of that name that ships with the game."""
    return parse_layout((FOLDER / f"{name}.txt").read_text("utf-8"))


def parse_layout(text: str) -> Layout:
    """Raises LevelError that names the line, or what is wrong with the whole."""
    if len(text) > MAX_CHARACTERS:
        raise LevelError("triple.characters", field="layout", given=len(text), most=MAX_CHARACTERS)
    drawing = _Drawing()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            drawing.read(line.strip())
        except LevelError as error:
            raise error.within(f"line {number}") from None
    return make_layout(drawing.places, drawing.title, drawing.symmetry)


class _Drawing:
    """What was read so far, and the row that the next line of marks draws."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.title: dict[Literal["en", "zh-CN"], str] = {}
        self.symmetry: tuple[Symmetry, ...] = ()
        self._layer: int | None = None
        self._row = 0
        self._drawn: set[int] = set()

    def read(self, line: str) -> None:
        if not line or line.startswith("#"):
            return
        head, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            self._read_row(line)
        elif head == "title en":
            self.title["en"] = _title(value)
        elif head == "title zh-CN":
            self.title["zh-CN"] = _title(value)
        elif head == "symmetry":
            self.symmetry = _symmetries(value)
        elif head in ("stack", "blind stack"):
            self._read_stack(value, head == "blind stack")
        elif (layer := _LAYER.fullmatch(head)) is not None and not value:
            self._begin_layer(int(layer[1]))
        else:
            raise LevelError("triple.line", given=line[:40])

    def _read_stack(self, value: str, hidden: bool) -> None:
        given = dict(_DEFAULTS)
        for part in value.split():
            match = _NUMBER.fullmatch(part)
            if match is None or match[1] not in _OF_A_STACK:
                raise LevelError("triple.stack", field="stack", given=part[:40], known=list(_OF_A_STACK))
            given[match[1]] = int(match[2])
        for name in _OF_A_STACK:
            if name not in given:
                raise LevelError("triple.stack.missing", field="stack", name=name)
        x, y, layer, tiles, dx, dy = (given[name] for name in _OF_A_STACK)
        for above in range(whole("tiles", tiles, 1, MAX_TILES)):
            self._add(x + above * dx, y + above * dy, layer + above, hidden)

    def _begin_layer(self, layer: int) -> None:
        if layer in self._drawn:
            raise LevelError("triple.layer.twice", layer=layer)
        self._layer, self._row = layer, 0
        self._drawn.add(layer)

    def _read_row(self, line: str) -> None:
        if _ROW.fullmatch(line) is None:
            raise LevelError("triple.row", given=line[:40])
        if self._layer is None:
            raise LevelError("triple.row.first")
        for mark in re.finditer("[xo]", line):
            self._add(STEP * mark.start(), STEP * self._row, self._layer, mark[0] == "o")
        self._row += 1

    def _add(self, x: int, y: int, layer: int, hidden: bool) -> None:
        for name, value in (("x", x), ("y", y), ("layer", layer)):
            whole(name, value, 0, _FARTHEST)
        if len(self.places) == MAX_TILES:
            raise LevelError("triple.tiles", field="tiles", most=MAX_TILES)
        self.places.append(Place(x, y, layer, hidden))


def _title(value: str) -> str:
    if not 0 < len(value) <= 200:
        raise LevelError("triple.title", field="title", given=len(value))
    return value


def _symmetries(value: str) -> tuple[Symmetry, ...]:
    names = value.split()
    for name in names:
        if name not in SYMMETRIES:
            raise LevelError("given.option", field="symmetry", given=name[:40], known=list(SYMMETRIES))
    return tuple(symmetry for symmetry in SYMMETRIES if symmetry in names)
