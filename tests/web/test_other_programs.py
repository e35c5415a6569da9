"""What other programs write is opened as text or as a file, and games are written so."""

from __future__ import annotations

import base64
import struct

from tests.web.studio_harness import Page
from winnable.contract.registry import load_game
from winnable.levels.files import encode_level

REPLAY = 'replay_ "B'
"""A 2 in the corner and one below the middle row, and a move."""


def test_a_replay_opens_with_its_moves_ahead_and_is_written_again(page: Page) -> None:
    state = page.new(REPLAY, game="drops")
    assert (state["game"], state["ply"], state["length"]) == ("2048", 0, 1)
    state = page.ask("goto", "state", ply=1)
    assert page.ask("write", "written", format="replay")["content"] == REPLAY
    hexadecimal = page.ask("write", "written", format="hex")["content"]
    assert int(hexadecimal, 16) == int("".join(f"{cell:x}" for cell in state["view"]["cells"]), 16)
    again = page.new(hexadecimal, game="triple")
    assert again["view"]["cells"] == state["view"]["cells"]


def test_a_file_of_bytes_is_opened(page: Page) -> None:
    record = struct.pack("<QBIIII", 0x1000000000000002, 0 << 5 | 1 << 1, 0xFFFFFFFF, 0, 0, 0)
    content = record + struct.pack("<QBIIII", 0, 88, 666666666, 233333333, 314159265, 987654321)
    address = "data:application/octet-stream;base64," + base64.b64encode(content).decode()
    state = page.ask("load", "state", content=address)
    assert (state["game"], state["length"]) == ("2048", 1)
    assert page.ask("load", "error", content="data:;base64,!!")["code"] == "binary"


def test_a_map_is_a_file_and_opens_again(page: Page) -> None:
    for game, code in (("drops", "120/304,drops=7"), ("tetris", "x.../xx..,height=12")):
        view = page.new(code, game=game)["view"]
        for form, suffix in (("tiled", ".tmx"), ("ldtk", ".ldtk")):
            file = page.ask("write", "file", format=form)
            assert file["name"].endswith(suffix)
            page.new("triple/1-first-steps")
            assert page.ask("load", "state", content=file["content"])["view"] == view
    unnamed = '<map width="1" height="1" tilewidth="8" tileheight="8"/>'
    assert page.ask("load", "error", content=unnamed)["code"] == "map.format"


def test_a_fumen_is_a_position_or_a_game(page: Page) -> None:
    state = page.new("https://fumen.zui.jp/?v115@9gI8AeI8AeI8AeI8KeAgH", game="triple")
    assert state["view"]["wall"] == ["xxxxxxxxx."] * 4
    page.ask("act", "state", action=state["legal"][0])
    text = page.ask("write", "written", format="fumen-game")["content"]
    state = page.new(text, game="triple")
    assert (state["game"], state["length"]) == ("tetris", 1)


def test_what_is_wrong_is_said_by_the_format_that_is_meant(page: Page) -> None:
    assert page.ask("new", "error", level="v105@vhAAgH", game="triple")["code"] == "fumen.version"
    assert page.ask("new", "error", level="replay_!", game="triple")["code"] == "2048.replay.short"
    page.new("triple/1-first-steps")
    assert page.ask("write", "error", format="hex")["code"] == "none"
    assert page.ask("write", "error", format="svg", ply=1)["field"] == "ply"
    assert page.ask("write", "written", format="sheep")["content"].startswith('{"widthNum"')


def test_a_board_is_drawn_as_it_stands_or_stood(page: Page) -> None:
    state = page.new("012/340", game="drops")
    page.ask("act", "state", action=state["legal"][0])
    game = load_game("drops")
    puzzle = game.puzzle(game.parse_board("012/340"))
    first = puzzle.initial()
    for ply, shown in ((0, first), (None, puzzle.apply(first, state["legal"][0]))):
        assert page.ask("write", "written", format="svg", ply=ply)["content"] == game.svg(puzzle, shown)


def test_a_file_of_several_levels_opens_at_its_first(page: Page) -> None:
    boards = map(load_game("drops").parse_board, ("4/3", "44/31", "4/1"))
    levels = [encode_level(board).decode() for board in boards]
    for content in ("\n".join(levels), "\ufeff" + "\r\n".join(levels) + "\r\n", f"[{','.join(levels)}]"):
        assert page.ask("load", "state", content=content)["code"].startswith("4/3")
        assert page.wait("several")["levels"] == 3
    assert page.ask("load", "state", content="\ufeff" + levels[2])["code"].startswith("4/1")


def test_a_drawing_opens_dealt_and_a_wrong_line_is_one_error(page: Page) -> None:
    drawing = "layer 0:\nx.x.x.\n"
    state = page.ask("load", "state", content=drawing)
    assert (state["game"], len(state["view"]["tiles"])) == ("triple", 3)
    error = page.ask("load", "error", content=drawing + "x?x\n")
    assert (error["code"], error["field"]) == ("triple.row", "line 3")
    error = page.ask("load", "error", content="anything else")
    assert error["code"] == "level.foreign"
    assert error["message"].count(";") == 1
