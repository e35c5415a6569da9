"""Layouts: drawings, those that ship with the game, those that grow, and what is dealt onto them."""

import hashlib
import random
from pathlib import Path
from typing import Literal, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.triple.layouts import floor_tiles, rows
from tests.reference.layout_writer import format_layout
from winnable.contract.core import LevelError, finish, replay
from winnable.contract.params import describe_params
from winnable.games.triple.game import GAME
from winnable.games.triple.levels import layout_text
from winnable.games.triple.levels.generator import SHIPPED, Params, deal, generate
from winnable.games.triple.levels.grown import Grown, grow
from winnable.games.triple.levels.layout import Layout, Place, layout_of, make_layout
from winnable.games.triple.levels.layout_text import FOLDER, parse_layout, shipped_layout
from winnable.games.triple.levels.sheep_files import write
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple
from winnable.levels.find import find_level

BRIDGE = "\n".join(line[4:] for line in (layout_text.__doc__ or "").splitlines() if line.startswith("    "))
"""The drawing in the description of the format."""

places = st.builds(
    Place, st.integers(0, 40), st.integers(0, 40), st.sampled_from([0, 1, 2, 3, 7]), st.booleans()
)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """Most tiles lie between the lines of the grid; some in stacks."""
    taken: list[Place] = []
    for start in draw(st.lists(places, min_size=6, max_size=30)):
        dx, dy = draw(st.sampled_from([(0, 0), (1, 0), (-4, 4), (3, -7)]))
        for above in range(draw(st.integers(1, 4))):
            x, y = start.x + 40 + above * dx, start.y + 40 + above * dy
            place = Place(x, y, start.layer + above, start.hidden)
            if all(
                place.layer != other.layer or abs(x - other.x) >= 8 or abs(y - other.y) >= 8
                for other in taken
            ):
                taken.append(place)
    count = len(taken) // 3 * 3
    return make_layout(taken[:count] if count else [Place(0, 0, 0), Place(8, 0, 0), Place(16, 3, 0)])


def test_a_drawing_is_read() -> None:
    layout = parse_layout(BRIDGE)
    assert layout.title == {"en": "Bridge", "zh-CN": "桥"}
    assert layout.symmetry == ("left-right",)
    assert len(layout.places) == 12
    assert layout.places[:2] == (Place(8, 0, 0), Place(16, 0, 0))
    assert Place(12, 0, 2, True) in layout.places
    assert [place.x for place in layout.places if place.y == 12] == [0, 24, 1, 23, 2, 22, 3, 21]
    assert floor_tiles(layout) == 4


@given(layouts())
def test_writer_and_parser_are_inverse(layout: Layout) -> None:
    assert parse_layout(format_layout(layout)) == layout


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "tiles: 0 is not a multiple of 3"),
        ("layer 0:\nx.x.x.x.", "tiles: 4 is not a multiple of 3"),
        ("layer 0:\nxx..x", r"tiles\[1\]: overlaps tiles\[0\] in layer 0"),
        ("x.x.x.", "line 1: a row before the first 'layer N:'"),
        ("layer 0:\nx.y.", "line 2: 'x.y.': a row consists of"),
        ("layer 0:\n\nlayer 0:", "line 3: layer 0 is drawn twice"),
        ("layer 100001:\nx", "line 2: layer: from 0 to 100000, not 100001"),
        ("layer x:", "line 1: 'layer x:' is not known; there are: title en"),
        ("colour: red", "line 1: 'colour: red' is not known"),
        ("title en:", "line 1: title: 0 characters"),
        (f"title en: {'x' * 201}", "line 1: title: 201 characters"),
        ("symmetry: diagonal", "line 1: symmetry: 'diagonal' is none of left-right"),
        ("symmetry: left-right\nlayer 0:\nx.x..x", "symmetry: left-right: the tile at x 8, y 0 in layer 0"),
        ("symmetry: quarter-turn\nlayer 0:\nx.x.x", "symmetry: quarter-turn: the tile at x 0"),
        ("stack: x=0", "line 1: stack: y is missing"),
        ("stack: x=0 y=0 tiles=0", "line 1: tiles: from 1 to 100000, not 0"),
        ("stack: x=0 y=0 z=1", "line 1: stack: 'z=1' is no whole number for one of x, y, layer"),
        ("stack: x=0 y=one", "line 1: stack: 'y=one' is no"),
        ("stack: x=1 y=0 tiles=3 dx=-1", "line 1: x: from 0 to 100000, not -1"),
        ("stack: x=0 y=0 layer=99999 tiles=3", "line 1: layer: from 0 to 100000, not 100001"),
        ("stack: x=0 y=0 tiles=99999\n" * 2, "line 2: tiles: more than 100000"),
        ("." * 2**20 + "x", "layout: 1048577 characters, over 1048576 allowed"),
    ],
)
def test_bad_drawings_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(LevelError, match=complaint):
        parse_layout(text)


def test_the_shipped_layouts_are_those_that_can_be_asked_for() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == list(SHIPPED)
    assert len(SHIPPED) >= 12
    layouts = [shipped_layout(name) for name in SHIPPED]
    assert sum(any(place.hidden for place in layout.places) for layout in layouts) >= 4
    assert sum(bool(layout.symmetry) for layout in layouts) >= 12
    floors = sorted(map(floor_tiles, layouts))
    assert floors[3] <= 5, "some are narrow"
    assert floors[-4] >= 40, "some are wide"


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_layout(name: Literal["pagoda"]) -> None:
    layout = shipped_layout(name)
    assert set(layout.title) == {"en", "zh-CN"}
    assert 90 <= len(layout.places) <= 330
    assert format_layout(layout) == (FOLDER / f"{name}.txt").read_text("utf-8")
    level = finish(generate(Params(layout=name, kinds=14), 5))
    assert layout_of(level).places == layout.places
    assert level.title == layout.title


@settings(max_examples=25)
@given(
    st.integers(20, 133).map(lambda triples: 3 * triples),
    st.sampled_from(["any", *get_args(Grown)]),
    st.integers(0, 2**53 - 1),
)
def test_grown_layouts(tiles: int, symmetry: Literal["any"], seed: int) -> None:
    """Whole, symmetric (which `Layout` checks), and all rests on the lowest tiles."""
    layout = finish(grow(tiles, symmetry, random.Random(seed).random))
    assert layout == finish(grow(tiles, symmetry, random.Random(seed).random))
    assert len(layout.places) == tiles
    assert layout.symmetry
    visible = [place for place in layout.places if not place.hidden]
    bottom = [place for place in visible if place.layer == 0]
    stacks = [place for place in layout.places if place.hidden and place.layer == 0]
    assert floor_tiles(layout) == len(bottom) + len(stacks)
    assert {place.layer for place in visible} == set(range(1 + max(place.layer for place in visible)))
    assert parse_layout(format_layout(layout)) == layout


@given(st.sampled_from(["shell", "cat", "grown"]), st.integers(1, 64), st.integers(0, 2**53 - 1))
def test_kinds_are_dealt_evenly(name: Literal["grown"], kinds: int, seed: int) -> None:
    level = finish(generate(Params(layout=name, kinds=kinds), seed))
    dealt = [tile.kind for tile in level.tiles]
    triples = [dealt.count(kind) // 3 for kind in range(kinds)]
    assert sum(triples) * 3 == len(dealt)
    assert max(triples) - min(triples) <= 1
    order = [(tile.layer, tile.y, tile.x) for tile in level.tiles]
    assert order == sorted(order)


@pytest.mark.parametrize("method", ["backwards", "de-repair"])
@pytest.mark.parametrize("layout", ["turtle", "grown"])
def test_winnable_methods_and_tools(layout: Literal["turtle"], method: Literal["backwards"]) -> None:
    level = finish(generate(Params(layout=layout, kinds=14, method=method, variant="tools"), 2))
    assert level.tools is not None
    assert level.certificate is not None
    rules = Triple(level)
    assert rules.is_goal(replay(rules, level.certificate.actions))
    if layout == "turtle":
        assert layout_of(level).places == shipped_layout(layout).places


def test_identities() -> None:
    named = find_level("triple:layout=pagoda,kinds=14#5")
    assert named.level == finish(generate(Params(layout="pagoda", kinds=14), 5))
    assert named.id == "triple:kinds=14,layout=pagoda#5"
    assert find_level("triple:layout=grown,tiles=90,symmetry=both#5").level.provenance.params == {
        "kinds": 12, "slots": 7, "method": "random", "variant": "plain",
        "layout": "grown", "tiles": 90, "symmetry": "both",
    }  # fmt: skip
    assert "layout" not in find_level("triple:#5").level.provenance.params, "as before there were any"


@pytest.mark.parametrize(
    ("params", "digest"),
    [
        (Params(layout="pagoda", kinds=14), "7da45ffd5d9852d2"),
        (Params(layout="grown", method="backwards"), "db6754470c29e3e4"),
    ],
    ids=["drawn", "grown"],
)
def test_levels_stay_what_they_were(params: Params, digest: str) -> None:
    """As with the pile: published (params, seed) pairs must keep their level on every platform."""
    tiles = msgspec.json.encode([finish(generate(params, seed)).tiles for seed in range(3)])
    assert hashlib.sha256(tiles).hexdigest()[:16] == digest


def test_levels_of_layouts_make_themselves_again() -> None:
    for params in (Params(layout="arena", kinds=9), Params(layout="grown", tiles=99), Params()):
        level = finish(generate(params, 8))
        assert level.provenance is not None
        assert (
            finish(generate(msgspec.convert(level.provenance.params, Params), level.provenance.seed)) == level
        )


@pytest.mark.parametrize(
    ("params", "complaint"),
    [
        (Params(layout="pagoda", layers=12), "layers: the layout pagoda has no use for it"),
        (Params(layout="pagoda", sets=4), "sets: the layout pagoda has no use for it"),
        (Params(layout="grown", side=4), "side: the layout grown has no use for it"),
        (Params(layout="pagoda", tiles=90), "tiles: the layout pagoda has no use for it"),
        (Params(symmetry="both"), "symmetry: the layout pile has no use for it"),
        (Params(layout="grown", tiles=100), r"params: .*tiles"),
        (Params(layout="grown", tiles=60, kinds=21), "kinds: 21, but the layout has 20 × 3 tiles"),
    ],
)
def test_parameters_without_use_are_named(params: Params, complaint: str) -> None:
    with pytest.raises(LevelError, match=complaint):
        finish(generate(params, 1))


def test_forms_can_offer_them() -> None:
    choices = {param.name: param.choices for param in describe_params(Params)}
    assert choices["layout"] == ["pile", "grown", *SHIPPED]
    assert choices["symmetry"] == ["any", *get_args(Grown)]


def test_dealing_onto_a_level_or_a_drawing() -> None:
    first = finish(generate(Params(layers=6, sets=3, kinds=4), 1))
    again = finish(deal(layout_of(first), Params(kinds=6, method="backwards"), 2))
    assert layout_of(again) == layout_of(first)
    assert len({tile.kind for tile in again.tiles}) == 6
    assert GAME.dealer is not None
    for content in (msgspec.json.encode(first), write(first)):
        assert finish(GAME.dealer(content)(Params(kinds=6, method="backwards"), 2)) == again
    drawn: Level = finish(GAME.dealer(BRIDGE.encode())(Params(kinds=2), 3))
    assert layout_of(drawn).places == parse_layout(BRIDGE).places
    assert drawn.title["en"] == "Bridge"
    with pytest.raises(LevelError, match="layout: the layout of the file has no use for it"):
        finish(GAME.dealer(BRIDGE.encode())(Params(layout="cat"), 3))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\xff", "layout: not UTF-8 at byte 0"),
        (b"layer 0:\nx", "tiles: 1 is not a multiple of 3"),
        (b"{}", "the file has no `format` field"),
        (b'{"format": "winnable.drops/1", "cells": ["11"]}', "."),
    ],
)
def test_files_that_are_no_layout(content: bytes, complaint: str) -> None:
    assert GAME.dealer is not None
    with pytest.raises(LevelError, match=complaint):
        GAME.dealer(content)


def test_the_benchmark_measures_each_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.triple.layouts.SHIPPED", ("turtle",))
    measured = {row.name: row.value for row in rows(games=1)}
    assert measured == {
        "turtle: tiles": 210, "turtle: layers": 8, "turtle: tiles on the floor": 68,
        "turtle: winnable": 1, "turtle: unsolvable": 0, "turtle: tight": 0,
        "turtle: tight levels a second": 0,
    }  # fmt: skip


def test_drawings_travel_with_the_package() -> None:
    import winnable

    assert FOLDER.is_relative_to(Path(winnable.__file__).parent)
