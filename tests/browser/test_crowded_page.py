"""What a page says when the studio has no place or no time for it, in its reader's language."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.web.studio_harness import Studio, running_studio
from winnable.web import seats
from winnable.web.limits import Limits

pytestmark = pytest.mark.browser
LEVEL = "#triple/1-first-steps"


def opened(browser: Browser, studio: Studio, language: str) -> Page:
    page = browser.new_context(locale=language).new_page()
    page.goto(f"http://127.0.0.1:{studio.port}/{LEVEL}")
    return page


def test_a_page_without_a_place_says_so_and_gets_the_next_one(browser: Browser, tmp_path: Path) -> None:
    with running_studio(tmp_path, limits=Limits(pages=1, idle_seconds=60)) as studio:
        first = opened(browser, studio, "en-US")
        expect(first.locator("body[data-standing=playing]")).to_be_visible()
        second = opened(browser, studio, "zh-CN")
        expect(second.get_by_test_id("offline")).to_contain_text("打开的页面太多")
        first.context.close()
        expect(second.locator("body[data-standing=playing]")).to_be_visible()
        expect(second.get_by_test_id("offline")).to_be_hidden()
        second.context.close()


def test_an_idle_page_makes_room_and_comes_back_when_it_is_used(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "GREET_SECONDS", 0.5)
    with running_studio(tmp_path, limits=Limits(pages=1, idle_seconds=0.5)) as studio:
        first = opened(browser, studio, "en-US")
        expect(first.locator("body[data-standing=playing]")).to_be_visible()
        first.wait_for_timeout(1000)
        second = opened(browser, studio, "zh-CN")
        expect(second.locator("body[data-standing=playing]")).to_be_visible()
        expect(first.get_by_test_id("offline")).to_contain_text("This page was idle")
        second.wait_for_timeout(1000)
        first.locator("h1, header").first.click()
        expect(first.get_by_test_id("offline")).to_be_hidden()
        expect(second.get_by_test_id("offline")).to_contain_text("本页闲置时")
        first.context.close()
        second.context.close()


def test_a_lamp_that_has_to_wait_says_why(browser: Browser, studio: Studio) -> None:
    def busy(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            event = json.loads(message)
            if event["type"] == "lamp":
                event |= {"verdict": "unknown", "searching": True, "busy": True}
            if event["type"] in ("lamp", "state"):
                event["known"] = {"winnable": -1, "lost": None}
            socket.send(json.dumps(event))

        server.on_message(pass_on)

    page = browser.new_context(locale="en-US").new_page()
    page.route_web_socket("**/ws", busy)
    page.goto(f"http://127.0.0.1:{studio.port}/#drops:012/340")
    expect(page.locator("#lamp-detail")).to_contain_text("busy")
    page.context.close()
