"""What the solver panel shows while a search runs, and that one sees what it found."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, lamp, words

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]

ENDLESS = {"generations": "1000000", "population": "1000"}
"""A genetic algorithm that goes on until it is stopped."""
WATCH_PROGRESS = """() => {
  const node = document.getElementById("solve-progress");
  new MutationObserver(() => (window.shown ||= !node.hidden)).observe(node, { attributes: true });
}"""


def set_to(page: Page, solver: str, values: dict[str, str]) -> None:
    by(page, f"settings-{solver}").click()
    for name, value in values.items():
        field = by(page, "solve-settings").get_by_test_id(f"setting-{name}")
        field.fill(value)
        field.blur()


def proved(page: Page) -> None:
    """The lamp knows which line is the shortest."""
    lamp(page, "winnable")
    expect(by(page, "lamp-detail")).to_contain_text(re.compile("at best|最少还需"))


def test_m9_figures_are_shown_of_searches_that_last(open_page: Open) -> None:
    page = open_page(address="#drops/05-puddle", own=True)
    page.clock.install()
    page.reload()
    proved(page)
    page.clock.pause_at("2100-01-01")
    page.evaluate(WATCH_PROGRESS)
    by(page, "solve-optimal").click()
    expect(by(page, "solve-result")).to_have_count(1)
    assert not page.evaluate("window.shown"), "figures flash for an answer that is there at once"
    set_to(page, "genetic", ENDLESS)
    by(page, "solve-genetic").click()
    expect(page.locator("[data-method=genetic]")).to_have_class("busy")
    expect(by(page, "solve-progress")).to_be_hidden()
    page.clock.run_for(400)
    expect(by(page, "solve-progress")).to_be_visible()
    by(page, "solve-cancel").click()
    expect(by(page, "solve-progress")).to_be_hidden()


def test_m9_a_search_says_its_time_its_best_and_what_is_proved_without_it(
    open_page: Open, look: Look
) -> None:
    text = words("zh-CN")
    page = open_page(1280, 800, "zh-CN", address="#drops/05-puddle")
    proved(page)
    set_to(page, "genetic", ENDLESS)
    by(page, "solve-genetic").click()
    expect(by(page, "solve-progress")).to_be_in_viewport(ratio=0.99)
    used = text["solve.used"].split("{time}")[0]
    expect(by(page, "solve-used")).to_have_text(re.compile(re.escape(used) + r"\d.*60"))
    clicks = text["count.moves.drops.other"].replace("{n}", "3")
    expect(by(page, "solve-proved")).to_have_text(text["solve.proved"].replace("{moves}", clicks))
    best = text["stage.genetic.line"].split("{generation}")[1].split("{best}")[0]
    expect(page.locator("#solve-figures")).to_contain_text(best)
    look(page, "solver-1-running")
    by(page, "solve-cancel").click()
    result = by(page, "solve-result").first
    expect(result).to_contain_text(text["solve.optimal.by"].replace("{name}", text["solve.lamp"]))
    expect(result).to_be_in_viewport(ratio=0.99)
    look(page, "solver-2-stopped")


def test_m9_a_line_that_another_proved_the_fewest_says_so(open_page: Open) -> None:
    page = open_page(address="#drops/05-puddle")
    proved(page)
    by(page, "solve-a").click()
    by_the_lamp = words("en")["solve.optimal.by"].replace("{name}", words("en")["solve.lamp"])
    expect(by(page, "solve-result").first).to_contain_text(by_the_lamp)


@pytest.mark.parametrize(("language", "dark"), [("en-US", False), ("zh-CN", True)])
def test_m10_what_a_solver_found_comes_into_view(
    open_page: Open, look: Look, language: str, dark: bool
) -> None:
    page = open_page(1280, 800, language, dark=dark, address="#drops/05-puddle")
    side = page.locator(".side")
    expect(side).to_have_attribute("data-more", "true")
    proved(page)
    by(page, "settings-genetic").click()
    by(page, "solve-a").click()
    result = by(page, "solve-result").first
    expect(result).to_be_in_viewport(ratio=0.99)
    foot = result.bounding_box()
    assert foot is not None
    assert foot["y"] + foot["height"] <= 800 - 40, "the fade covers it"
    look(page, f"solver-3-result-{language}-{'dark' if dark else 'light'}")
    side.evaluate("node => node.scrollTo(0, node.scrollHeight)")
    expect(side).to_have_attribute("data-more", "false")


def test_m10_nobody_is_taken_away_from_where_they_are(open_page: Open) -> None:
    page = open_page(360, 740, address="#drops/05-puddle")
    lamp(page, "winnable")
    by(page, "tab-help").click()
    set_to(page, "genetic", ENDLESS)
    by(page, "solve-genetic").click()
    expect(by(page, "solve-progress")).to_be_visible()
    by(page, "tab-play").click()
    by(page, "solve-cancel").evaluate("node => node.click()")
    expect(by(page, "solve-result")).to_have_count(1)
    expect(by(page, "board")).to_be_visible()
    assert page.evaluate("scrollY") == 0


def test_a14_c9_one_field_for_the_time_and_the_articles_length(open_page: Open) -> None:
    """Left empty, each method has its own limit; what is entered is everybody's. Turns stand there by their
    side and by their radius."""
    page = open_page(1280, 900, address="#drops/article-30-all-ones")
    field = by(page, "solve-seconds")
    expect(field).to_have_value("")
    by(page, "settings-bfs").click()
    expect(field).to_have_attribute("placeholder", "30")
    expect(by(page, "setting-depth")).to_have_value("4")
    expect(by(page, "setting-seconds")).to_have_count(0)
    field.fill("0.2")
    by(page, "setting-depth").fill("9")
    by(page, "setting-depth").blur()
    by(page, "solve-bfs").click()
    expect(by(page, "solve-limit").first).to_contain_text("0.2")
    page.goto(page.url.partition("#")[0] + "#rotate/05-little-chequers")
    expect(page.locator("body[data-game=rotate]")).to_be_visible()
    by(page, "settings-genetic").click()
    expect(by(page, "setting-length")).to_have_value("6")
    field.fill("")
    by(page, "solve-optimal").click()
    first = by(page, "solve-clicks").first.locator("li").first
    expect(first).to_contain_text("r:")
    side, radius = first.inner_text().split(" · r:")
    x, y, block, quarters = (int(number) for number in side.split(" ")[0].split(","))
    assert radius == f"{x - 1},{y - 1},{block // 2},{quarters}"
