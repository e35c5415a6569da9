"""Every page goes on in a browser that lacks or refuses what is no part of a game: it remembers
nothing, makes no sound, copies nothing, and complains of nothing."""

from collections.abc import Callable, Generator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_profile
from tests.browser.test_studio_page import TRAP, by, ply
from tests.web.studio_harness import Studio

pytestmark = pytest.mark.browser

REFUSALS = {
    "nothing is there": """
        const denied = () => { throw new DOMException("denied", "SecurityError"); };
        for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
          Object.defineProperty(window, name, { get: denied });
        Object.defineProperty(navigator, "clipboard", { value: undefined });
        for (const name of ["AudioContext", "matchMedia", "ResizeObserver", "IntersectionObserver",
                            "Notification", "BroadcastChannel"]) delete window[name];
    """,
    "all is refused": """
        const refuse = (name) => () => { throw new DOMException("refused", name); };
        Storage.prototype.setItem = Storage.prototype.removeItem = refuse("QuotaExceededError");
        window.AudioContext = class { constructor() { refuse("NotSupportedError")(); } };
        navigator.clipboard.writeText = () => Promise.reject(new DOMException("denied", "NotAllowedError"));
        document.execCommand = () => false;
        Element.prototype.setPointerCapture = refuse("NotFoundError");
        history.pushState = history.replaceState = refuse("SecurityError");
        HTMLCanvasElement.prototype.toBlob = function (work) { work(null); };
    """,
    "what is kept is damaged": """
        const names = ["stars", "sessions", "speed", "watch", "language", "theme", "2048.best",
          "2048.played-for",
          "rotate.races", "arcade.keys", "arcade.handling", "arcade.looks", "arcade.bot", "arcade.setup",
          "arcade.mode", "arcade.session", "editor.drops", "method.drops.exact"];
        names.forEach((name, at) => localStorage.setItem(`winnable.${name}`, DAMAGED[at % DAMAGED.length]));
        names.forEach((name, at) => sessionStorage.setItem(`winnable.${name}`, DAMAGED[at % DAMAGED.length]));
        sessionStorage.setItem("winnable.rotate.race", '{"boards": 5}');
        window.AudioContext = class {
          state = "suspended";
          currentTime = 0;
          resume = () => Promise.reject(new DOMException("denied", "NotAllowedError"));
          createOscillator() { throw new DOMException("closed", "InvalidStateError"); }
        };
    """.replace("DAMAGED", """['[1', 'null', '7', '["a"]', '{"left": 5, "by": [1]}']"""),
}
MOVES: dict[str, Callable[[Page], None]] = {
    f"triple:{TRAP}": lambda page: page.locator(".tile[data-tile='0']").click(),
    "drops:402204/304403,drops=3": lambda page: page.locator("[data-cell='5']").first.click(),
    "rotate:rows=4,columns=4,colours=3#2": lambda page: by(page, "board").press("Enter"),
    "2048:1230/0000/0001/0000,dice=5": lambda page: page.keyboard.press("ArrowDown"),
    "tetris:-,dice=3": lambda page: by(page, "board").press("Enter"),
}


@pytest.fixture(params=REFUSALS)
def page(browser: Browser, request: pytest.FixtureRequest) -> Generator[Page]:
    """Of a browser that refuses these; it complains of nothing until the test ends."""
    context = new_profile(browser)
    opened = context.new_page()
    opened.add_init_script(f"{{ {REFUSALS[request.param]} }}")
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()
    assert complaints == []


def go(page: Page, studio: Studio, address: str) -> None:
    """Anew: a page whose address alone changes keeps what it has in memory."""
    page.goto(f"http://127.0.0.1:{studio.port}/static/icon.svg")
    page.goto(f"http://127.0.0.1:{studio.port}/{address}")


def test_every_page_goes_on(page: Page, studio: Studio) -> None:
    go(page, studio, "")
    by(page, "front-triple").click()
    expect(by(page, "board")).to_be_visible()
    by(page, "played-link").click()
    expect(by(page, "played-heading").or_(by(page, "played"))).to_be_visible()
    for level, move in MOVES.items():
        go(page, studio, f"#{level}")
        expect(by(page, "board")).to_be_visible()
        if by(page, "sound").get_attribute("aria-pressed") == "false":
            by(page, "sound").click()
        expect(by(page, "sound")).to_have_attribute("aria-pressed", "true")
        move(page)
        ply(page, 1)
        expect(page.get_by_test_id("toast")).to_have_count(0)
        expect(by(page, "undo")).to_be_enabled()
        by(page, "undo").click()
        ply(page, 0)
        expect(by(page, "hint")).to_be_enabled()
        by(page, "timeline").click(position={"x": 4, "y": 8})
    by(page, "copy-code").click()
    expect(by(page, "toast")).to_have_count(1)


def test_what_is_drawn_and_raced_and_tuned_goes_on(page: Page, studio: Studio) -> None:
    go(page, studio, "#rotate:rows=4,columns=4,colours=3#2")
    by(page, "edit-level").click()
    by(page, "editor-board").click()
    by(page, "editor-close").click()
    by(page, "race-open").click()
    by(page, "race-start").click()
    expect(by(page, "race-board-0")).to_have_attribute("aria-pressed", "true")
    by(page, "board").press("Enter")
    ply(page, 1)
    by(page, "tune").click()
    expect(by(page, "tune-start")).to_be_visible()


def test_the_arcade_goes_on(page: Page, studio: Studio) -> None:
    go(page, studio, "arcade")
    by(page, "menu-play").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "playing")
    by(page, "sound").click()
    by(page, "touch-hard").dispatch_event("pointerdown", {"pointerId": 7})
    by(page, "touch-hard").dispatch_event("pointerup", {"pointerId": 7})
    expect(by(page, "pps")).not_to_have_text("0.00")
    by(page, "options").click()
    expect(by(page, "options-dialog")).to_be_visible()
    expect(by(page, "toast")).to_have_count(0)
