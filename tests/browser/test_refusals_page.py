"""H2: what is refused is said in the reader's language, beside the field, and nothing is lost."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, words

pytestmark = pytest.mark.browser


def dialog(open_page: Open, language: str = "zh-CN") -> Page:
    page = open_page(language=language)
    by(page, "new").click()
    return page


@pytest.mark.parametrize(("language", "name"), [("en-US", "en"), ("zh-CN", "zh-CN")])
def test_a_number_out_of_range_is_said_beside_its_field(open_page: Open, language: str, name: str) -> None:
    page = dialog(open_page, language)
    field = by(page, "param-layers")
    field.fill("5000")
    text = by(page, "new-text").input_value()
    by(page, "new-start").click()
    error = by(page, "field-error")
    low, high = field.get_attribute("min"), field.get_attribute("max")
    said = words(name)["error.params.range"].format(low=low, high=high, given=5000)
    expect(error).to_have_text(said)
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-invalid", "true")
    assert field.get_attribute("aria-describedby") == error.get_attribute("id")
    expect(by(page, "new-text")).to_have_value(text)
    field.fill("5")
    expect(error).to_have_count(0)


def test_what_the_server_refuses_leaves_the_dialog_as_it_is(open_page: Open) -> None:
    page = dialog(open_page)
    by(page, "new-text").fill("hello world")
    by(page, "new-start").click()
    expect(by(page, "field-error")).to_be_visible()
    expect(by(page, "new-text")).to_have_value("hello world")
    expect(by(page, "new-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    by(page, "new").click()
    expect(by(page, "new-text")).to_have_value("hello world")
    by(page, "new-text").fill("triple:nothing=3#1")
    by(page, "new-start").click()
    error = by(page, "new-error")
    expect(error).to_contain_text("马了个马 没有这个参数；可用：层数、")
    expect(by(page, "toast")).to_have_count(0)


def test_a_broken_file_is_named(open_page: Open, tmp_path: Path) -> None:
    page = dialog(open_page)
    by(page, "param-layers").fill("7")
    broken = tmp_path / "broken.json"
    broken.write_text('{"format":"winnable.chess/1"}')
    by(page, "load-file").set_input_files(broken)
    expect(by(page, "new-error")).to_contain_text("broken.json")
    expect(by(page, "param-layers")).to_have_value("7")


def test_the_dialog_goes_when_the_level_is_there(open_page: Open) -> None:
    page = dialog(open_page)
    by(page, "param-layers").fill("15")
    by(page, "new-start").click()
    expect(by(page, "new-dialog")).to_be_hidden()
    expect(by(page, "level-id")).to_contain_text("层数 15")
