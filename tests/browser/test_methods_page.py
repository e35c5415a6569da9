"""Methods are set on the page, say what ended them, and what they came to is played."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, ply, words

pytestmark = pytest.mark.browser

BOARD = "rotate:1234/2341/3412/4123"


def test_a23_k_is_set_on_the_page_and_stands_with_the_result(open_page: Open) -> None:
    text = words("zh-CN")
    page = open_page(language="zh-CN", address="#drops/05-puddle")
    by(page, "settings-a").click()
    field = by(page, "solve-settings").get_by_test_id("setting-k")
    expect(field).to_have_value("2")
    field.fill("0.5")
    field.blur()
    by(page, "solve-a").click()
    expect(by(page, "solve-result").first).to_contain_text("k = 0.5")
    page.reload()
    by(page, "settings-a").click()
    expect(field).to_have_value("0.5")
    field.fill("-3")
    field.blur()
    expect(by(page, "solve-settings").get_by_role("alert")).to_contain_text(
        text["error.params.range"].split("{")[0].strip()
    )
    by(page, "settings-reset").click()
    expect(field).to_have_value("2")


def test_c12_what_an_unfinished_search_came_to_is_shown_and_played(open_page: Open) -> None:
    text = words("en")
    page = open_page(address=f"#{BOARD}")
    by(page, "settings-genetic").click()
    for name, value in (("length", "2"), ("generations", "3")):
        by(page, "solve-settings").get_by_test_id(f"setting-{name}").fill(value)
    by(page, "setting-length").first.blur()
    by(page, "solve-genetic").click()
    result = by(page, "solve-result").first
    expect(result).to_have_attribute("data-status", "budget")
    expect(by(page, "solve-limit").first).to_have_text(text["limit.generations"].replace("{value}", "3"))
    expect(by(page, "solve-best").first).to_contain_text("F")
    turns = result.get_by_test_id("solve-clicks").locator("li").count()
    assert turns > 0
    by(page, "watch-speed").fill("6")
    by(page, "solve-play").first.click()
    ply(page, turns)


def test_d13_hints_come_from_the_player_that_was_chosen(open_page: Open) -> None:
    page = open_page(address="#2048/2-the-articles-1024")
    by(page, "watch-who").select_option("player:article")
    expect(by(page, "watch-settings").get_by_test_id("setting-depth")).to_be_visible()
    by(page, "hint-by").check()
    page.evaluate(
        "() => { const send = WebSocket.prototype.send; WebSocket.prototype.send = function (text) "
        "{ (window.sent ??= []).push(text); return send.call(this, text); }; }"
    )
    by(page, "hint").click()
    page.wait_for_function("() => window.sent?.some((text) => text.includes('\"hint\"'))")
    sent = page.evaluate("() => window.sent")
    assert any('"by":"article"' in text for text in sent)
    expect(by(page, "live")).not_to_be_empty()


def test_a20_the_page_answers_while_a_search_runs_and_the_search_can_be_stopped(open_page: Open) -> None:
    page = open_page(address="#drops/article-30-all-ones")
    by(page, "settings-a").click()
    by(page, "solve-settings").get_by_test_id("setting-k").fill("4")
    by(page, "solve-settings").get_by_test_id("setting-k").blur()
    by(page, "solve-a").click()
    expect(by(page, "solve-progress")).to_be_visible()
    page.locator("[data-testid=board] .cell[data-cell='0']").click()
    ply(page, 1)
    by(page, "solve-cancel").click()
    expect(by(page, "solve-limit").first).to_have_text(words("en")["limit.cancelled"])
