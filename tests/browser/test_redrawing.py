"""What is drawn anew on a page keeps what says the same, with whoever is at it."""

import pytest

from tests.browser.conftest import Open

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
