"""The tuning view in a real browser."""

import json
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open
from tests.browser.test_compiling_page import compiled, hear, said
from tests.browser.test_studio_page import words
from tests.waiting import wait_until
from tests.web.toy_tunable import Bowl
from winnable.contract.abilities import tunables_of
from winnable.contract.registry import load_game

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]


@pytest.fixture(autouse=True)
def bowls(monkeypatch: pytest.MonkeyPatch) -> None:
    """triple's tunables are quick ones for a while."""
    tunables = cast(MutableMapping[str, Any], tunables_of(load_game("triple")))
    monkeypatch.setitem(tunables, "beam-backward", lambda: Bowl("beam-backward", seconds=0.002))
    monkeypatch.setitem(tunables, "beam-forward", lambda: Bowl("beam-forward", seconds=0.02))


def by(page: Page, name: str) -> Locator:
    return page.get_by_test_id(name)


def begin(page: Page, tunable: str, evaluations: int, seed: int = 1) -> None:
    by(page, "tune-what").select_option(f"triple/{tunable}")
    by(page, "tune-evaluations").fill(str(evaluations))
    by(page, "tune-seed").fill(str(seed))
    by(page, "tune-start").click()


def status(page: Page, word: str) -> None:
    expect(by(page, "tune-status")).to_have_attribute("data-status", word)


def test_tuning_from_start_to_comparison(open_page: Open, look: Look, tmp_path: Path) -> None:
    page = open_page(1280, 900)
    page.keyboard.press("t")
    expect(by(page, "tune-dialog")).to_be_visible()
    begin(page, "beam-backward", 300)
    status(page, "running")
    expect(by(page, "tune-start")).to_be_disabled()
    status(page, "finished")
    expect(by(page, "tune-verdict")).to_have_attribute("data-kind", "better")
    look(page, "t1-finished")

    begin(page, "beam-forward", 5000, seed=2)
    status(page, "running")
    expect(by(page, "curve-first")).not_to_have_attribute("data-points", "0")
    look(page, "t2-running")
    page.reload()  # the run goes on, and is shown again
    page.wait_for_selector("body[data-standing=playing]")
    expect(by(page, "tune")).to_have_attribute("aria-busy", "true")
    by(page, "tune").click()
    status(page, "running")
    by(page, "tune-stop").click()
    status(page, "stopped")
    by(page, "tune-resume").click()
    status(page, "running")
    by(page, "tune-stop").click()
    status(page, "stopped")

    by(page, "run-compare").nth(1).click()
    expect(by(page, "curve-second")).not_to_have_attribute("data-points", "0")
    look(page, "t3-compared")
    for button, beginning in (("tune-jsonl", '{"id":'), ("tune-svg", "<svg ")):
        with page.expect_download() as download:
            by(page, button).click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        assert path.read_text("utf-8").startswith(beginning)
    by(page, "run-delete").nth(1).click()
    expect(by(page, "run-open")).to_have_count(1)
    by(page, "run-delete").first.click()
    expect(by(page, "run-open")).to_have_count(0)
    expect(by(page, "tune-run")).to_be_hidden()


@pytest.mark.parametrize("language", ["en-US", "zh-CN"])
def test_tuning_on_a_small_phone(open_page: Open, look: Look, language: str) -> None:
    page = open_page(360, 740, language)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    look(page, f"t4-phone-closed-{language}")
    by(page, "tune").tap()
    look(page, f"t4-phone-empty-{language}")
    begin(page, "beam-backward", 100)
    status(page, "finished")
    expect(by(page, "tune-verdict")).to_be_visible()
    dialog = by(page, "tune-dialog")
    assert dialog.evaluate("node => node.scrollWidth <= node.clientWidth")
    look(page, f"t5-phone-{language}")
    for name in ("tune-start", "tune-jsonl", "run-open", "run-delete"):
        box = by(page, name).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 36, f"{name} is too small for a finger"
    dialog.evaluate("node => node.scrollTo(0, 9999)")
    look(page, f"t6-phone-end-{language}")
    by(page, "run-delete").tap()
    expect(by(page, "tune-run")).to_be_hidden()


def test_b17_b18_the_articles_settings_and_a_run_that_plays(
    open_page: Open, look: Look, tmp_path: Path
) -> None:
    settings = {"size": 6, "iterations": 1, "low": -10, "high": 10}
    page = open_page(1280, 900)
    by(page, "tune").click()
    by(page, "tune-what").select_option("tetris/article-mean")
    by(page, "tune-optimizer").select_option("de")
    expect(by(page, "setting-cr")).to_have_value("0.3")
    expect(by(page, "setting-f")).to_have_value("0.5")
    by(page, "setting-size").fill("2")
    by(page, "setting-size").blur()
    by(page, "tune-start").click()
    expect(by(page, "tune-settings")).to_contain_text("4")
    for name, value in settings.items():
        by(page, f"setting-{name}").fill(str(value))
        by(page, f"setting-{name}").blur()
    expect(by(page, "tune-evaluations")).to_be_disabled()
    expect(by(page, "tune-evaluations")).to_have_value("12")
    by(page, "tune-start").click()
    status(page, "finished")
    expect(by(page, "tune-weights")).to_contain_text(words("en")["gene.space"])
    with page.expect_download() as download:
        by(page, "tune-json").click()
    download.value.save_as(tmp_path / "weights.json")
    weights = json.loads((tmp_path / "weights.json").read_text("utf-8"))
    assert weights["tunable"] == "article-mean"
    by(page, "tune-play").click()
    expect(by(page, "tune-dialog")).to_be_hidden()
    expect(by(page, "watch-who")).to_have_value(f"tuned:run:{weights['run']}")
    expect(by(page, "watch")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".tetris-article .tetris-wall .tetris-cell").nth(7)).to_be_visible()
    look(page, "t7-a-run-plays")
    by(page, "watch").click()
    by(page, "tune").click()
    expect(by(page, "curve-first")).to_have_attribute("data-points", "2")
    by(page, "run-delete").click()
    expect(by(page, "tune-run")).to_be_hidden()
    by(page, "tune-close").click()
    expect(page.locator("#watch-who option[value^=tuned]")).to_have_count(0)


def test_b16_b17_b28_as_in_the_article_in_lines_and_a_model_of_ones_own(open_page: Open, look: Look) -> None:
    page = open_page(1280, 900, "zh-CN")
    chinese = words("zh-CN")
    by(page, "tune").click()
    by(page, "tune-what").select_option("triple/beam-forward")
    expect(by(page, "tune-article")).to_be_hidden()
    by(page, "tune-what").select_option("tetris/article-mean")
    expect(by(page, "tune-optimizer")).to_have_value("cross-entropy")
    by(page, "tune-article").click()
    expect(by(page, "tune-optimizer")).to_have_value("de")
    article = {"size": 20, "iterations": 1000, "cr": 0.3, "f": 0.5, "low": -10, "high": 10}
    for name, value in article.items():
        expect(by(page, f"setting-{name}")).to_have_value(str(value))
    expect(by(page, "tune-evaluations")).to_have_value("20020")
    by(page, "setting-iterations").fill("2")
    by(page, "setting-iterations").blur()
    by(page, "tune-hold").locator("summary").click()
    by(page, "tune-gene-one_short").uncheck()
    by(page, "tune-hold-one_short").fill("0")
    look(page, "t8-as-in-the-article")
    by(page, "tune-start").click()
    status(page, "finished")
    figures = by(page, "tune-figures")
    expect(figures).to_contain_text(chinese["tune.gain.best"].format(measure="行"))
    expect(figures).to_contain_text(chinese["tune.generation"])
    expect(figures).not_to_contain_text("-")
    expect(by(page, "tune-curve")).to_contain_text("行")
    expect(by(page, "tune-verdict")).to_contain_text("行")
    expect(by(page, "tune-weights")).to_contain_text(chinese["tune.held"])
    look(page, "t9-lines")
    by(page, "tune-live").click()  # the falling game
    expect(by(page, "botbar")).to_be_visible()
    expect(page.locator("body[data-rules=article]")).to_be_visible()
    assert (by(page, "bot-by").input_value()).startswith("run:")
    expect(by(page, "board")).not_to_have_attribute("data-frame", "0")
    page.go_back()
    by(page, "tune").click()
    by(page, "run-delete").click()
    by(page, "tune-close").click()


def test_a_bad_form_is_said_in_words(open_page: Open) -> None:
    page = open_page(language="zh-CN")
    chinese = words("zh-CN")
    by(page, "tune").click()
    begin(page, "beam-backward", 0)
    expect(page.get_by_test_id("toast").last).to_contain_text(chinese["tune.evaluations"])
    expect(by(page, "tune-run")).to_be_hidden()


def test_a_run_that_waits_for_kernels_says_so(open_page: Open) -> None:
    page = open_page(1280, 900)
    page.keyboard.press("t")
    begin(page, "beam-backward", 300)
    status(page, "finished")
    run = by(page, "run-open").first.get_attribute("data-run")
    told = by(page, "tune-status")

    def is_told() -> bool:  # what the server still says of the end takes it away
        hear(page, "tuning", run=run, stage="starting", evaluations=0, course=[])
        compiled(page, "triple", 12, part=None)
        page.wait_for_timeout(50)
        return told.text_content() == said(words("en"), "compiling.few")

    wait_until(is_told, "the kernels")
    compiled(page, "triple", 40, part=None)
    expect(told).to_have_text(words("en")["tune.stage.starting"])
