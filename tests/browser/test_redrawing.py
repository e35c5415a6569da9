"""What is drawn anew on a page keeps what says the same, with whoever is at it."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, ply, start

pytestmark = pytest.mark.browser

DRAWN_TWICE = """async () => {
    const { el, redraw } = await import("/static/base/dom.js");
    const box = document.body.appendChild(el("ul"));
    const pressed = [];
    const row = (turn) => (key) => el("li", { "data-key": key, title: turn === 1 ? "first" : null },
        el("button", { type: "button", onclick: () => pressed.push(`${key}${turn}`) }, `${key} of ${turn}`),
        turn === 2 && key === "b" ? el("b", {}, "new") : null,
        el("details", {}, el("summary", {}, "more")));
    redraw(box, ...["a", "b", "c"].map(row(1)), "text");
    const [a, b, c] = box.children;
    b.querySelector("button").focus();
    b.querySelector("details").open = true;
    redraw(box, null, ...["d", "b", "c", "e"].map(row(2)), "other");
    const button = b.querySelector("button");
    button.click();
    box.children[0].querySelector("button").click();
    const told = {
        stayed: [box.children[1] === b, box.children[2] === c, document.activeElement === button],
        gone: a.isConnected,
        open: b.querySelector("details").open,
        titles: [...box.children].map((one) => one.title),
        text: box.textContent,
        pressed,
    };
    redraw(box);
    return { ...told, left: box.childNodes.length };
}"""


def test_what_stays_the_same_keeps_focus_and_state_and_does_what_the_new_one_does(open_page: Open) -> None:
    page = open_page(address="", ready="[data-testid=front-2048]", own=True)
    assert page.evaluate(DRAWN_TWICE) == {
        "stayed": [True, True, True],
        "gone": False,
        "open": True,
        "titles": [""] * 4,
        "text": "d of 2moreb of 2newmorec of 2moree of 2moreother",
        "pressed": ["b2", "d2"],
        "left": 0,
    }


def test_buttons_that_are_drawn_anew_keep_the_keyboard(open_page: Open) -> None:
    page = open_page(address="#drops/01-first-drops")
    for opened in ("true", "false"):
        gear = by(page, "settings-genetic")
        gear.press("Enter")
        expect(gear).to_have_attribute("aria-expanded", opened)
        expect(gear).to_be_focused()
    start(page, "triple/6-second-chance")
    page.locator(".tile.pickable").first.click()
    ply(page, 1)
    tool = page.locator("#extras button").last
    tool.focus()
    by(page, "undo").dispatch_event("click")
    ply(page, 0)
    expect(tool).to_be_focused()
