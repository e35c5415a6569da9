"""What a person does before the answer to what they did before has come."""

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import TRAP, by, pick, ply

pytestmark = pytest.mark.browser


class Link:
    """Between the page and the studio: what the studio says of this type waits until it is let through."""

    def __init__(self, page: Page) -> None:
        self.held = ""
        self._waiting: list[tuple[WebSocketRoute, str | bytes]] = []
        page.route_web_socket("**/ws", self._join)
        page.reload()

    def _join(self, socket: WebSocketRoute) -> None:
        def told(message: str | bytes) -> None:
            if self.held and f'"type":"{self.held}"' in str(message):
                self._waiting.append((socket, message))
            else:
                socket.send(message)

        socket.connect_to_server().on_message(told)

    def let_through(self) -> None:
        self.held = ""
        for socket, message in self._waiting:
            socket.send(message)
        self._waiting.clear()


def test_two_steps_back_are_two(open_page: Open) -> None:
    page = open_page(address="#triple:" + TRAP, own=True)
    link = Link(page)
    page.wait_for_selector("body[data-standing=playing]")
    for number, tile in enumerate((0, 1, 3), 1):
        pick(page, tile)
        ply(page, number)
    link.held = "state"
    by(page, "undo").click()
    page.keyboard.press("u")
    by(page, "timeline").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    link.let_through()
    ply(page, 1, 3)
    by(page, "undo").click()
    ply(page, 0, 3)


def test_a_calendar_that_is_asked_for_before_the_days_are_known_opens(open_page: Open) -> None:
    page = open_page(address="", ready="[data-testid=front-2048]", own=True)
    link = Link(page)
    link.held = "days"
    page.reload()
    by(page, "front-2048-days").click()
    expect(page.locator("#days-dialog")).to_be_hidden()
    link.let_through()
    expect(by(page, "day").last).to_be_focused()


def test_what_needs_the_studio_waits_for_it(open_page: Open) -> None:
    page = open_page(address="", ready="[data-testid=front-2048]", own=True)
    link = Link(page)
    link.held = "hello"
    page.reload()
    for name in ("new", "tune", "compare"):
        expect(by(page, name)).to_be_disabled()
    link.let_through()
    for name in ("new", "tune", "compare"):
        expect(by(page, name)).to_be_enabled()
