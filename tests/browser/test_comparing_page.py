"""Comparing players and solvers in a real browser: from an article's table to its rows."""

import csv
import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, copied, words
from tests.cli.cli_support import Run, document
from tests.web.test_comparing import untimed

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]
LONG = "layers=12"
"""Of which a thousand games take a minute: they can be stopped."""
FRONT = "[data-testid=front-triple]"


def begin(page: Page, **numbers: int) -> None:
    for name, value in numbers.items():
        by(page, f"compare-{name}").fill(str(value))
    by(page, "compare-start").click()


def ended(page: Page) -> None:
    expect(by(page, "compare-start")).to_be_enabled()


def chips(page: Page, name: str) -> list[str]:
    return by(page, name).get_by_test_id("chip").all_text_contents()


def test_an_articles_table_from_preset_to_rows(open_page: Open, look: Look, run: Run, tmp_path: Path) -> None:
    page = open_page(address="", ready=FRONT)
    by(page, "compare").click()
    expect(by(page, "compare-preset")).to_have_value("layers")
    expect(by(page, "compare-about")).to_contain_text("36 %")
    assert chips(page, "compare-levels") == [f"Layers {layers}" for layers in range(12, 31)]
    assert chips(page, "compare-by") == ["Greedy"]
    begin(page, games=1, seed=7)
    ended(page)
    rows = by(page, "compare-row")
    expect(rows).to_have_count(19)
    expect(by(page, "compare-told")).to_have_text("All games are played: 19")
    expect(by(page, "compare-heard")).to_have_text("All games are played: 19")
    table = by(page, "compare-table")
    assert table.locator("caption").text_content() == "Triple, seed 7"
    heads = table.locator("thead th").all_text_contents()
    assert heads.count("article") == 2
    first = rows.first.locator("th, td").all_text_contents()
    assert dict(zip(heads, first, strict=True))["level"] == "Layers 12"
    assert first[heads.index("article")] == "36.0%"
    look(page, "c1-table")

    command = by(page, "compare-command").input_value()
    assert copied(page, "compare-copy") == command
    expect(by(page, "toast").last).to_have_text("The command is copied.")
    assert by(page, "toasts").evaluate("box => box.matches(':popover-open')"), "a dialog would cover it"
    with page.expect_download() as download:
        by(page, "compare-json").click()
    download.value.save_as(tmp_path / "rows.json")
    kept = json.loads((tmp_path / "rows.json").read_text())
    assert download.value.suggested_filename == "compare-triple.json"
    program, *arguments = shlex.split(command)
    assert program == "winnable"
    assert untimed(document(run(*arguments, "--json"))) == untimed(kept)
    with page.expect_download() as download:
        by(page, "compare-csv").click()
    download.value.save_as(tmp_path / "rows.csv")
    lines = [*csv.DictReader((tmp_path / "rows.csv").read_text().splitlines())]
    assert [line["level"] for line in lines] == [row["level"] for row in kept]
    assert [json.loads(line["article"]) for line in lines] == [row["article"] for row in kept]


def test_one_s_own_comparison_is_kept_and_stopped(open_page: Open, look: Look) -> None:
    page = open_page()
    by(page, "compare-here").click()
    expect(by(page, "compare-preset")).to_have_value("")
    assert chips(page, "compare-levels") == ["First steps"]
    by(page, "compare-new").locator("summary").click()
    for name, value in (pair.split("=") for pair in LONG.split(",")):
        by(page, f"compare-param-{name}").fill(value)
    by(page, "compare-level-add").click()
    by(page, "compare-method").select_option("random")
    by(page, "compare-method-add").click()
    by(page, "compare-method-add").click()  # twice is once
    assert chips(page, "compare-by") == ["Greedy", "Random"]
    by(page, "compare-levels").get_by_role("button").first.click()
    assert len(chips(page, "compare-levels")) == 1
    expect(by(page, "compare-levels").get_by_role("button")).to_be_focused()
    begin(page, games=1000, seconds=3600, seed=3)
    expect(by(page, "compare-row").first).to_be_visible()
    by(page, "compare-stop").click()
    ended(page)
    expect(by(page, "compare-told")).to_contain_text("Stopped")
    look(page, "c2-stopped")
    page.reload()  # which ends it; the form is as it was
    page.wait_for_selector("body[data-standing=playing]")
    page.keyboard.press("c")
    assert chips(page, "compare-by") == ["Greedy", "Random"]
    expect(by(page, "compare-games")).to_have_value("1000")
    expect(by(page, "compare-seed")).to_have_value("3")
    expect(by(page, "compare-result")).to_be_hidden()


def test_it_goes_on_while_one_plays(open_page: Open) -> None:
    page = open_page(address=f"#triple:{LONG}#1")
    by(page, "compare-here").click()
    begin(page, games=1000, seconds=3600)
    expect(by(page, "compare-row").first).to_be_visible()
    by(page, "compare-close").click()
    expect(by(page, "compare-here")).to_have_attribute("aria-busy", "true")
    by(page, "solve-exact").click()
    expect(by(page, "solve-result")).to_have_count(1)
    page.keyboard.press("c")
    by(page, "compare-stop").click()
    ended(page)


def test_what_is_wrong_is_said_where_it_is(open_page: Open) -> None:
    page = open_page(language="zh-CN", address="", ready=FRONT)
    text = words("zh-CN")
    by(page, "compare").click()
    begin(page, games=0)
    expect(by(page, "field-error")).to_have_text(
        text["error.params.range"].replace("{low}", "1").replace("{high}", "1000").replace("{given}", "0")
    )
    expect(by(page, "compare-games")).to_be_focused()
    by(page, "compare-games").fill("1")
    by(page, "compare-by").get_by_role("button").click()
    by(page, "compare-start").click()
    expect(by(page, "compare-error")).to_have_text(text["compare.none.by"])
    by(page, "compare-game").select_option("2048")
    by(page, "compare-method").select_option("exact")  # which knows small boards alone
    by(page, "compare-method-add").click()
    begin(page, games=1)
    expect(by(page, "compare-error")).to_contain_text("4 × 4")
    expect(by(page, "compare-stop")).to_be_hidden()
