"""The picture is well-formed, stands alone, and shows no more than a player sees."""

from typing import Any
from xml.etree import ElementTree

import msgspec

from winnable.contract.core import finish
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.levels.svg import GLYPHS, svg
from winnable.games.triple.levels.text import parse_board
from winnable.games.triple.rules.level import Level, Tile, Tools
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.rules.tools import TripleWithTools

SVG = "{http://www.w3.org/2000/svg}"


def tiles(picture: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    return [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]


def test_one_group_for_each_tile_and_pure() -> None:
    puzzle = Triple(finish(generate(Params(layers=12), 4)))
    state = puzzle.apply(0, puzzle.legal_actions(0)[0])
    picture = svg(puzzle, state)
    assert picture == svg(puzzle, state)
    assert len(tiles(picture)) == 359
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", ""), "it loads nothing"


def test_all_64_kinds_are_drawn_and_no_two_alike() -> None:
    level = Level(tiles=tuple(Tile(index // 3, index * 8, 0, 0) for index in range(192)))
    faces = [ElementTree.tostring(group).split(b"</ns0:title>")[1] for group in tiles(svg(Triple(level), 0))]
    assert len(set(faces)) == 64


def test_hidden_faces_do_not_leak() -> None:
    shown = [svg(Triple(parse_board(f"7:{kinds}")), 0) for kinds in (
        "0@0.0,1@8.0,1@16.0,1@24.0/0@0.0,0@32.0",
        "1@0.0,0@8.0,1@16.0,1@24.0/0@0.0,0@32.0",
    )]  # fmt: skip
    assert shown[0] != shown[1]
    first = [ElementTree.tostring(tiles(picture)[0]) for picture in shown]
    assert first[0] == first[1], "tile 0 is wholly covered: its kind must not show"


def test_tools_and_what_lies_aside() -> None:
    level = msgspec.structs.replace(parse_board("7:0@0.0,0@8.0,0@16.0"), tools=Tools())
    puzzle = TripleWithTools(level)
    state = puzzle.apply(puzzle.apply(puzzle.initial(), 0), puzzle.parse_action("move_out"))
    assert len(tiles(svg(puzzle, state))) == 2
    assert svg(puzzle, state).count("<circle") == 3


def test_tiles_have_the_pictures_of_the_page() -> None:
    """What is shared of a game shows the shapes that were played."""
    drawings: list[tuple[str, list[Any]]] = msgspec.json.decode(GLYPHS.read_bytes())
    level = Level(tiles=tuple(Tile(index // 3, index * 8, 0, 0) for index in range(3 * len(drawings))))
    faces = [ElementTree.tostring(group).decode() for group in tiles(svg(Triple(level), 0))][::3]
    for face, (name, parts) in zip(faces, drawings, strict=True):
        paths = [part[1]["d"] for part in parts if part[0] == "path"]
        assert paths or name == "carrot"
        assert all(path in face for path in paths), name
