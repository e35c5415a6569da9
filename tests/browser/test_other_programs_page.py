"""Boards and games go to other programs and come from them: by the clipboard, as text, as a file."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, copied, ply, words
from winnable.board import load
from winnable.contract.registry import load_game
from winnable.games.tetris.levels import fumen
from winnable.levels.files import encode_level

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]
REPLAY = 'replay_ "B'


def pasted(page: Page, text: str) -> None:
    by(page, "new").click()
    by(page, "new-text").fill(text)
    by(page, "new-start").click()


def copied_as(page: Page, format: str) -> str:
    if by(page, "tab-game").is_visible():
        by(page, "tab-game").click()
    return copied(page, f"copy-{format}")


@pytest.mark.parametrize(
    ("language", "name", "width", "dark"), [("en-US", "en", 1280, False), ("zh-CN", "zh-CN", 360, True)]
)
def test_a_replay_is_pasted_played_on_and_copied(
    open_page: Open, look: Look, language: str, name: str, width: int, dark: bool
) -> None:
    page = open_page(width=width, language=language, dark=dark)
    pasted(page, REPLAY)
    expect(by(page, "tile")).to_have_count(2)
    page.keyboard.press("r")
    expect(by(page, "tile")).to_have_count(3)
    assert copied_as(page, "replay") == REPLAY
    expect(by(page, "toast").last).to_contain_text(words(name)["format.2048.replay"])
    by(page, "copy-as").scroll_into_view_if_needed()
    look(page, f"copy-as-{name}")
    page.keyboard.press("ArrowLeft")
    ply(page, 2)  # what changes the board turns to it, from any tab
    assert copied_as(page, "hex").startswith("0x")


def test_a_fumen_is_pasted_and_what_is_wrong_with_one_is_said(open_page: Open) -> None:
    page = open_page(language="zh-CN")
    pasted(page, "v105@vhAAgH")
    expect(by(page, "field-error")).to_contain_text("105")
    expect(by(page, "new-text")).to_have_value("v105@vhAAgH")
    by(page, "new-text").fill("https://fumen.zui.jp/?v115@9gI8AeI8AeI8AeI8KeAgH")
    by(page, "new-start").click()
    expect(by(page, "copy-fumen")).to_be_visible()
    assert fumen.decode(copied_as(page, "fumen"))[0].board == ("XXXXXXXXX.",) * 4


def test_a_recorded_file_of_bytes_is_opened(open_page: Open, tmp_path: Path) -> None:
    page = open_page()
    record = struct.pack("<QBIIII", 0x1000000000000002, 1 << 1, 0xFFFFFFFF, 0, 0, 0)
    end = struct.pack("<QBIIII", 0, 88, 666666666, 233333333, 314159265, 987654321)
    (tmp_path / "game.rpl").write_bytes(record + end)
    by(page, "new").click()
    by(page, "load-file").set_input_files(tmp_path / "game.rpl")
    expect(by(page, "tile")).to_have_count(2)
    ply(page, 0, 1)


def test_a_file_of_several_levels_opens_at_its_first_and_that_is_told(
    open_page: Open, tmp_path: Path
) -> None:
    boards = map(load_game("drops").parse_board, ("4/3", "44/31"))
    (tmp_path / "levels.jsonl").write_bytes(b"\r\n".join(map(encode_level, boards)))
    page = open_page(360, language="zh-CN")
    by(page, "new").click()
    by(page, "load-file").set_input_files(tmp_path / "levels.jsonl")
    expect(by(page, "toast")).to_contain_text("文件里的关卡数：2")
    expect(by(page, "board").locator(".cell")).to_have_count(2)


def test_a_map_is_opened_and_saved_as_a_file(open_page: Open, tmp_path: Path) -> None:
    page, level = open_page(), load("drops:120/304,drops=7")
    (tmp_path / "level.tmx").write_text(level.export("tiled"))
    by(page, "new").click()
    by(page, "load-file").set_input_files(tmp_path / "level.tmx")
    if by(page, "tab-game").is_visible():
        by(page, "tab-game").click()
    with page.expect_download() as saved:
        by(page, "copy-ldtk").click()
    assert saved.value.suggested_filename.endswith(".ldtk")
    saved.value.save_as(tmp_path / "again.ldtk")
    assert load(tmp_path / "again.ldtk").code == level.code
