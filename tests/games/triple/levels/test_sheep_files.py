"""The real game's files. The boards in this file are made up; real ones are read where they are at hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.contract.core import LevelError, finish
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.levels.sheep_files import deal_layout, read, seed_words, write
from winnable.games.triple.rules.level import Level, Tile, Tools

DATA = Path(__file__).parents[4] / "../shared/data/triple"
REAL = sorted(DATA.glob("l*/*.json"))

TILES = {"level": "made up", "tiles": [[2, 8 * place, 4, 1 + place, 1 + place % 2] for place in range(3)]}
CELLS = {
    "cells": [[0, 0, 0, 2, 1], [0, 8, 0, 1, 2], [5, 16, 0, 1, 1], [5, 24, 0, 1, 1], [5, 32, 0, 1, 1]]
    + [[0, 8 * place, 8, 3, 1] for place in range(4)],
    "blockTypeData": {"1": 1, "3": 1},
}


def block(layer: int, x: int, y: int, number: int = 0, mold: int = 1, **others: Any) -> dict[str, Any]:
    return {
        "id": f"{layer}-{x}-{y}",
        "type": number,
        "rolNum": x,
        "rowNum": y,
        "layerNum": layer,
        "moldType": mold,
        "blockNode": None,
        **others,
    }


def server(blocks: list[dict[str, Any]], **others: Any) -> dict[str, Any]:
    layers: dict[str, list[dict[str, Any]]] = {"10": []}
    for one in blocks:
        layers.setdefault(str(one["layerNum"]), []).append(one)
    return {"widthNum": 8, "heightNum": 10, "levelKey": 1, "levelData": layers, **others}


def encoded(file: Any) -> bytes:
    return json.dumps(file).encode()


def test_recorded_tiles() -> None:
    assert read(encoded(TILES), 0) == Level(
        tiles=(Tile(1, 0, 4, 0), Tile(1, 8, 4, 1, hidden=True), Tile(1, 16, 4, 2))
    )


def test_cells_are_dealt_layer_by_layer_around_the_preset_ones() -> None:
    level = read(encoded(CELLS), 9)
    assert [(tile.x, tile.layer) for tile in level.tiles[:5]] == [(8, 0), (16, 0), (24, 0), (32, 0), (0, 1)]
    types = [tile.kind + 1 for tile in level.tiles]
    assert types[1:4] == [5, 5, 5]
    assert types[:1] + types[4:] == deal_layout({1: 1, 3: 1}, seed_words(9))
    assert level == read(encoded(CELLS), 9)
    assert len({read(encoded(CELLS), seed).tiles for seed in range(30)}) > 10


def test_the_servers_form_with_and_without_types() -> None:
    places = [(2, 0, 0), (1, 8, 0), (1, 16, 0)]
    dealt = read(encoded(server([block(*place, 4) for place in places])), 0)
    undealt = read(encoded(server([block(*place) for place in places], blockTypeData={"4": 1})), 0)
    assert dealt == undealt
    assert dealt.tiles == (Tile(3, 8, 0, 0), Tile(3, 16, 0, 0), Tile(3, 0, 0, 1))
    assert read(b"\xef\xbb\xbf" + encoded(server([block(*place, 4) for place in places])), 0) == dealt


def test_the_games_own_shuffle() -> None:
    """Words and result of a game that was recorded in 2022."""
    triples = {1: 5, 2: 5, 3: 5, 4: 5, 5: 5, 6: 5, 7: 5, 8: 5, 9: 4, 10: 4, 11: 4, 14: 4, 15: 4, 16: 4}
    dealt = deal_layout(triples, (1293060287, 549829965, 2397526871, 3203182142))
    assert dealt[:20] == [2, 5, 3, 1, 3, 3, 8, 16, 16, 10, 2, 15, 6, 9, 3, 9, 11, 14, 1, 5]
    assert sorted(dealt) == sorted(number for number, count in triples.items() for _ in range(3 * count))


def test_seed_words_are_those_of_splitmix64() -> None:
    """The first two values for the seed 0, as published with the reference code: e220a8397b1dcdaf, ..."""
    assert seed_words(0) == (0xE220A839, 0x7B1DCDAF, 0x6E789E6A, 0xA1B965F4)
    for seed in (-1, 2**64):
        with pytest.raises(LevelError, match="seed: "):
            seed_words(seed)


@given(st.integers(0, 2**64 - 1))
def test_writing_changes_nothing(seed: int) -> None:
    level = read(encoded(CELLS), seed)
    assert read(write(level), 0) == level


def test_generated_levels_can_be_written() -> None:
    level = finish(generate(Params(layers=12, kinds=13, sets=9), 1))
    file = json.loads(write(level))
    assert file["blockTypeData"] == {str(number): 9 for number in range(1, 14)}
    assert sorted(map(int, file["levelData"])) == list(range(1, 13))
    first = file["levelData"]["1"][0]
    assert list(first) == ["id", "type", "rolNum", "rowNum", "layerNum", "moldType", "blockNode"]
    assert read(write(level), 0).tiles == level.tiles


def test_what_the_form_cannot_say_is_refused() -> None:
    tiles = read(encoded(TILES), 0).tiles
    with pytest.raises(LevelError, match=r"slots: .* 7, this level has 6"):
        write(Level(tiles=tiles, slots=6))
    with pytest.raises(LevelError, match="tools: "):
        write(Level(tiles=tiles, tools=Tools()))


GOOD = [block(1, 8 * place, 0, 4) for place in range(3)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "file: "),
        (b"\xff\xfe{}", "file: not UTF-8 at byte 0"),
        (encoded(TILES)[:-5], "file: .*truncated"),
        (b"[1, 2]", "file: Expected `object`"),
        (b"{}", "file: exactly one of tiles, cells, levelData is needed, not none"),
        (encoded({**TILES, **CELLS}), "file: exactly one of .* not tiles, cells"),
        (b'{"x": ' + b"[" * 1_000_000, "file: "),
        (b'{"tiles": ' + b"[" * 1_000_000, "file: "),
        (b" " * (2**25 + 1), "file: 33554433 bytes"),
        (encoded({"tiles": []}), r"tiles: there are no tiles"),
        (encoded({"tiles": [[1, 2, 3, 4]] * 3}), r"file: .*tiles"),
        (encoded({"tiles": [[1, -8, 3, 4, 1]] * 3}), r"file: .*tiles"),
        (encoded({"tiles": [[0, 8, 3, 4, 1]] * 3}), r"file: .*tiles"),
        (encoded({"tiles": [[65, 8, 3, 4, 1]] * 3}), r"file: .*tiles"),
        (encoded({"tiles": [[1, 8, 3, 4, 3]] * 3}), r"file: .*tiles"),
        (encoded({"tiles": [["1", 8, 3, 4, 1]] * 3}), r"file: .*tiles"),
        (b'{"tiles": [[1e400, 8, 3, 4, 1]]}', "file: "),
        (encoded({"tiles": [[1, 8, 3, 4, 1]] * 3}), r"tiles\[1\]: overlaps tiles\[0\]"),
        (encoded({"tiles": [[1, 8 * x, 3, 4, 1] for x in range(4)]}), r"tiles: type 1 occurs 4 times"),
        (encoded({"cells": CELLS["cells"]}), r"blockTypeData: 0 tiles to deal, but 6 cells"),
        (encoded({**CELLS, "blockTypeData": {"1": 100_000}}), r"blockTypeData: 300000 tiles"),
        (encoded({**CELLS, "blockTypeData": {"1": 10**30}}), "file: "),
        (encoded({**CELLS, "blockTypeData": {"0": 2}}), r"file: .*blockTypeData"),
        (encoded({**CELLS, "blockTypeData": {"1": -2}}), r"file: .*blockTypeData"),
        (encoded(server([])), r"levelData: there are no tiles"),
        (encoded(server([{**GOOD[0], "id": "x"}, {**GOOD[1], "id": "x"}])), r'levelData\["1"\]\[1\]\.id: '),
        (encoded(server([*GOOD, block(2, 0, 0, 1, metaType=3)])), r'\["2"\]\[0\]\.metaType: game mode 3'),
        (encoded(server(GOOD, metaType=2)), r"metaType: game mode 2"),
        (encoded({"levelData": {"7": GOOD}}), r'\["7"\]\[0\]\.layerNum: 1 in layer 7'),
        (encoded({"levelData": {"top": GOOD}}), r"file: .*levelData"),
    ],
    ids=str,
)
def test_bad_files_are_refused_with_their_cause(content: bytes, message: str) -> None:
    with pytest.raises(LevelError, match=message):
        read(content, 0)


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_garbage_is_refused(content: bytes) -> None:
    with pytest.raises(LevelError):
        read(content, 0)


@given(st.integers(0, 2000), st.integers(0, 255))
def test_a_damaged_file_is_read_or_refused(place: int, byte: int) -> None:
    content = bytearray(write(read(encoded(CELLS), 1)))
    content[place % len(content)] = byte
    try:
        level = read(bytes(content), 0)
    except LevelError:
        return
    assert read(write(level), 0) == level


@pytest.mark.skipif(not REAL, reason="the real levels are not at hand")
def test_real_files_are_read_and_survive_writing() -> None:
    for path in REAL:
        content = path.read_bytes()
        level = read(content, 11)
        file = json.loads(content)
        assert len(level.tiles) == len(file.get("tiles") or file["cells"]), path.name
        assert sum(tile.hidden for tile in level.tiles) == sum(
            row[4] == 2 for row in file.get("tiles") or file["cells"]
        )
        assert read(write(level), 0) == level, path.name
