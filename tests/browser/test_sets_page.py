"""Sets of levels in a real browser: made, taken in, looked at, changed, put in order and taken along."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open
from tests.browser.test_studio_page import by, words
from tests.cli.cli_support import Run, document
from tests.web.studio_harness import Studio
from tests.web.test_sets import encoded, triple

pytestmark = pytest.mark.browser

Look = Callable[[Page, str], None]
HOME = "[data-testid=sets-first-make]"
BOARDS = ["111/131/111", "141/131/111", "444/444/441", "434/343/414", "222/222/222", "111/131/141"]
"""The last one is the second, turned."""
NUMBERS = """([selector, numbers]) =>
    [...document.querySelectorAll(selector)].map(row => row.dataset.number).join() === numbers"""
LOST = triple("ABABAB", slots=3)


def filled(studio: Studio, *files: tuple[str, str]) -> str:
    """A set of what these files have, looked into."""
    with studio.page() as page:
        id = page.ask("set_new", "set", title="Mine")["set"]["id"]
        for name, content in files:
            page.send("set_add", set=id, name=name, content=content)
        page.wait("set_work", where=lambda event: event["stage"] == "all")
    return id


def several(boards: list[str]) -> str:
    return b"\n".join(encoded(board) for board in boards).decode()


def places(page: Page) -> list[int]:
    """The numbers of the rows in sight, from above."""
    return [int(row.get_attribute("data-number") or "") for row in by(page, "sets-row").all()]


def row(page: Page, number: int) -> Locator:
    return page.locator(f"#set-row-{number}")


def shows(page: Page, *numbers: int) -> None:
    """As soon as it does."""
    page.wait_for_function(NUMBERS, arg=["[data-testid=sets-row]", ",".join(map(str, numbers))])


def chooses(page: Page, *numbers: int) -> None:
    """As soon as these are selected, and no others."""
    selector = "[data-testid=sets-row][aria-selected=true]"
    page.wait_for_function(NUMBERS, arg=[selector, ",".join(map(str, numbers))])


def opened(open_page: Open, id: str, **how: Any) -> Page:
    return open_page(address=f"#sets/{id}", ready="[data-testid=sets-row]", **how)


def idle(page: Page) -> None:
    expect(by(page, "sets-stop")).to_be_hidden()
    expect(by(page, "sets-row").first).to_be_visible()


def saved(page: Page, kind: str) -> tuple[str, bytes]:
    by(page, "sets-format").select_option(kind)
    with page.expect_download() as download:
        by(page, "sets-save").click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


@pytest.mark.parametrize(("language", "width"), [("en-US", 1280), ("zh-CN", 360)])
def test_levels_are_made_edited_and_judged_by_the_command_line(
    open_page: Open, look: Look, run: Run, tmp_path: Path, language: str, width: int
) -> None:
    page = open_page(width, 800, language, address="", ready="[data-testid=front-triple]")
    by(page, "front-sets").click()
    by(page, "sets-first-make").click()
    by(page, "make-game").select_option("drops")
    by(page, "make-hard").select_option("easy")
    by(page, "make-count").fill("20")
    for name in ("rows", "columns"):
        by(page, f"make-param-{name}").fill("3")
    by(page, "make-start").click()
    expect(by(page, "make-dialog")).to_be_hidden()
    expect(by(page, "sets-selected")).to_be_visible()
    expect(by(page, "sets-grid")).to_have_attribute("aria-rowcount", "21")
    idle(page)
    assert {one.text_content() for one in page.locator("[data-testid=sets-row] .rating").all()} == {
        words("en" if language == "en-US" else language)["fact.word.easy"]
    }
    expect(by(page, "sets-row").first.locator("img")).to_be_visible()
    look(page, f"sets-1-made-{width}")

    by(page, "sets-row").first.click()
    by(page, "sets-edit").click()
    before = by(page, "editor-code").input_value()
    by(page, "editor-code").fill("111/141/111")
    look(page, f"sets-2-edited-{width}")
    by(page, "editor-keep").click()
    expect(by(page, "editor-dialog")).to_be_hidden()
    idle(page)
    by(page, "sets-edit").click()
    expect(by(page, "editor-code")).to_have_value("111/141/111")
    assert before != "111/141/111"
    by(page, "editor-close").click()

    page.keyboard.press("Escape") if width > 600 else by(page, "sets-row").first.locator(".set-check").click()
    name, content = saved(page, "jsonl")
    (tmp_path / name).write_bytes(content)
    rows = document(run("check", str(tmp_path / name), "--solve", "--json"))
    assert [one["verdict"] for one in rows] == ["solved"] * 20
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_sorted_filtered_and_selected(studio: Studio, open_page: Open) -> None:
    id = filled(studio, ("pack.jsonl", several(BOARDS)), ("lost.json", LOST), ("none.json", "{}"))
    page = opened(open_page, id)
    shows(page, *range(8))
    expect(by(page, "sets-only-doubled")).to_contain_text("1")
    by(page, "sets-only-doubled").click()
    shows(page, 5)
    by(page, "sets-twin").click()  # leads to what the filter hides
    shows(page, *range(8))
    chooses(page, 1)
    by(page, "sets-only-wrong").click()
    shows(page, 7)
    expect(row(page, 7).locator(".sets-problem")).not_to_be_empty()
    by(page, "sets-only-lost").click()
    shows(page, 6)
    by(page, "sets-only-all").click()
    by(page, "sets-find").fill("PACK.jsonl:3")
    shows(page, 2)
    by(page, "sets-find").fill("")
    by(page, "sets-sort-kind").click()
    assert places(page)[:2] == [7, 6]
    by(page, "sets-sort-kind").click()
    assert places(page)[-2:] == [6, 7]
    expect(by(page, "sets-keep-order")).to_be_visible()
    expect(page.locator("[role=columnheader][aria-sort=descending]")).to_have_count(1)
    by(page, "sets-sort-place").click()
    shows(page, *range(8))
    row(page, 1).click()
    row(page, 4).click(modifiers=["Shift"])
    row(page, 2).click(modifiers=["Control"])
    row(page, 0).locator(".set-check").click()
    chooses(page, 0, 1, 3, 4)
    expect(by(page, "sets-selected")).to_have_text("4 selected")
    by(page, "sets-check-all").click()
    chooses(page, *range(8))
    by(page, "sets-check-all").click()
    chooses(page)
    row(page, 2).click()
    page.keyboard.press("Escape")
    chooses(page)


def test_the_keyboard_alone(studio: Studio, open_page: Open) -> None:
    id = filled(studio, ("pack.jsonl", several(BOARDS)))
    page = opened(open_page, id)
    shows(page, *range(6))
    row(page, 0).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    chooses(page, 1, 2)
    page.keyboard.press("Alt+ArrowUp")
    shows(page, 1, 2, 0, 3, 4, 5)
    expect(row(page, 2)).to_be_focused()
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowDown")
    shows(page, 0, 3, 1, 2, 4, 5)
    page.keyboard.press("Delete")
    shows(page, 0, 3, 4, 5)
    expect(row(page, 4)).to_be_focused()
    expect(by(page, "toast").last).to_contain_text("2 levels removed")
    page.keyboard.press("Control+z")
    shows(page, 0, 3, 1, 2, 4, 5)
    page.keyboard.press("Control+a")
    chooses(page, 0, 3, 1, 2, 4, 5)
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    chooses(page, 5)
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    chooses(page)
    page.reload()
    shows(page, 0, 3, 1, 2, 4, 5)
    row(page, 0).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-standing=playing]")
    expect(by(page, "sets-take")).to_have_text("Add to “Mine”")
    by(page, "sets-take").click()
    expect(by(page, "toast").last).to_have_text("The level is added to the set.")
    page.go_back()
    shows(page, 0, 3, 1, 2, 4, 5, 6)
    expect(row(page, 6).get_by_test_id("sets-twin")).to_have_text("same as 1")


def test_dragged_to_another_place(studio: Studio, open_page: Open, look: Look) -> None:
    id = filled(studio, ("pack.jsonl", several(BOARDS)))
    page = opened(open_page, id)
    shows(page, *range(6))
    grip, target = row(page, 0).locator(".set-grip"), row(page, 3)
    drag(page, grip, target, 0.9)
    shows(page, 1, 2, 3, 0, 4, 5)
    point = page.locator(".set-curve [data-number='5'] .hand")
    drag(page, point, page.locator(".set-curve [data-number='1'] .hand"), 0.1)
    shows(page, 5, 1, 2, 3, 0, 4)
    chooses(page, 5)
    by(page, "sets-undo").click()
    by(page, "sets-undo").click()
    shows(page, *range(6))
    by(page, "sets-sort-rating").click()
    expect(row(page, 0).locator(".set-grip")).to_have_count(0)
    by(page, "sets-keep-order").click()
    expect(by(page, "sets-keep-order")).to_be_hidden()
    kept = places(page)
    page.reload()
    shows(page, *kept)
    look(page, "sets-3-ordered")


def drag(page: Page, thing: Locator, target: Locator, down: float) -> None:
    """Onto this part of the target, from above or from the left."""
    thing.scroll_into_view_if_needed()
    begin, end = thing.bounding_box(), target.bounding_box()
    assert begin is not None
    assert end is not None
    page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2)
    page.mouse.down()
    page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2 + 8, steps=2)
    page.mouse.move(end["x"] + end["width"] * down, end["y"] + end["height"] * down, steps=5)
    page.wait_for_timeout(50)  # a frame, in which the line follows
    page.mouse.up()


def test_taken_along_in_each_format(studio: Studio, open_page: Open) -> None:
    id = filled(studio, ("pack.jsonl", several(BOARDS[:3])))
    page = opened(open_page, id)
    shows(page, 0, 1, 2)
    name, content = saved(page, "jsonl")
    assert name == "Mine.jsonl"
    assert len(content.splitlines()) == 3
    name, content = saved(page, "csv")
    assert (name, content.count(b"\n")) == ("Mine.csv", 4)
    for kind in ("folder", "tiled", "ldtk"):
        name, content = saved(page, kind)
        assert name == "Mine.zip"
        assert len(zipfile.ZipFile(io.BytesIO(content)).namelist()) == 3
    name, content = saved(page, "sheet")
    assert name == "Mine.html"
    assert content.count(b"<figure>") == 3
    row(page, 1).click()
    expect(by(page, "sets-save")).to_have_text("Export 1")
    assert len(saved(page, "jsonl")[1].splitlines()) == 1


def test_files_are_dropped(open_page: Open) -> None:
    page = open_page(address="#sets", ready=HOME)
    files = {f"{place}.json": encoded(board).decode() for place, board in enumerate(BOARDS)}
    files["broken.json"] = "{}"
    drop = """files => {
        const data = new DataTransfer();
        for (const name in files) data.items.add(new File([files[name]], name));
        document.getElementById("sets").dispatchEvent(
            new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(drop, files)
    expect(by(page, "sets-grid")).to_have_attribute("aria-rowcount", "8")
    idle(page)
    expect(by(page, "sets-title")).to_have_value("0")
    by(page, "sets-title").fill("Dropped")
    by(page, "sets-title").press("Enter")
    names = page.locator("[data-testid=sets-row] strong").all_text_contents()
    assert names == [f"{place}.json" for place in range(6)] + ["broken.json"]
    expect(by(page, "sets-adding")).to_be_hidden()
    by(page, "sets-back").click()
    first = page.locator("[data-testid=sets-list] li").first
    expect(first).to_contain_text("Dropped")
    first.get_by_test_id("sets-delete").click()
    expect(first).to_contain_text("Really delete?")
    kept = by(page, "sets-delete").count()
    first.get_by_test_id("sets-delete").click()
    expect(by(page, "sets-delete")).to_have_count(kept - 1)


def test_a_folder_is_taken_in(open_page: Open, tmp_path: Path) -> None:
    folder = tmp_path / "levels" / "deep"
    folder.mkdir(parents=True)
    for name, board in zip(("10.json", "9.json", ".hidden"), BOARDS, strict=False):
        (folder / name).write_bytes(encoded(board))
    page = open_page(address="#sets", ready=HOME)
    by(page, "sets-first-files").set_input_files(folder / "9.json")
    expect(by(page, "sets-grid")).to_have_attribute("aria-rowcount", "2")
    by(page, "sets-folder").set_input_files(tmp_path / "levels")
    expect(by(page, "sets-grid")).to_have_attribute("aria-rowcount", "4")
    names = page.locator("[data-testid=sets-row] strong").all_text_contents()
    assert names == ["9.json", "levels/deep/9.json", "levels/deep/10.json"]
    idle(page)


def test_work_is_stopped_and_gone_on_with(open_page: Open) -> None:
    page = open_page(address="#sets", ready=HOME)
    by(page, "sets-first-make").click()
    by(page, "make-game").select_option("drops")
    by(page, "make-count").fill("0")
    by(page, "make-start").click()
    expect(by(page, "make-count")).to_have_attribute("aria-invalid", "true")
    expect(by(page, "field-error")).to_be_visible()
    by(page, "make-count").fill("60")
    by(page, "make-start").click()
    expect(by(page, "sets-row").first).to_be_visible()
    by(page, "sets-stop").click()
    expect(by(page, "sets-go-on")).to_be_visible()
    page.reload()
    expect(by(page, "sets-told")).to_have_text("The work was interrupted. What has come is kept.")
    by(page, "sets-go-on").click()
    expect(by(page, "sets-told")).to_contain_text("Making levels")
    by(page, "sets-stop").click()
    expect(by(page, "sets-go-on")).to_be_visible()


def test_what_is_refused_is_said_beside_the_field(open_page: Open) -> None:
    page = open_page(address="#sets", ready=HOME)
    by(page, "sets-first-make").click()
    by(page, "make-game").select_option("triple")
    by(page, "make-hard").select_option("share")
    by(page, "make-by").select_option("greedy")
    by(page, "make-start").click()
    expect(by(page, "make-by")).to_have_attribute("aria-invalid", "true")
    expect(by(page, "field-error")).to_be_visible()
    expect(by(page, "toast")).to_have_count(0)
    by(page, "make-close").click()
    page.evaluate("location.hash = '#sets/000000000000'")
    expect(by(page, "toast").last).to_be_visible()
    expect(by(page, "sets-first-make")).to_be_visible()
    assert page.evaluate("location.hash") == "#sets"


@pytest.mark.parametrize(("language", "width"), [("en-US", 1280), ("zh-CN", 360)])
def test_a_file_is_judged_and_its_five_worst_repaired(
    open_page: Open, look: Look, tmp_path: Path, language: str, width: int
) -> None:
    pack = tmp_path / "pack.jsonl"
    lost = [triple("ABABAB" + kind * 3, slots=3) for kind in "CDEFGHI"]
    pack.write_text("\n".join([*[triple("AAA", slots=3)] * 3, *lost]))
    page = open_page(width, 800, language, address="#sets", ready=HOME)
    by(page, "sets-first-files").set_input_files(pack)
    expect(by(page, "sets-grid")).to_have_attribute("aria-rowcount", "11")
    idle(page)
    expect(by(page, "sets-only-lost").locator("small")).to_have_text("7")
    if width > 600:
        by(page, "sets-sort-kind").click()
        by(page, "sets-row").first.click()
        by(page, "sets-row").nth(4).click(modifiers=["Shift"])
    else:
        by(page, "sets-sort").select_option("kind false")
        for place in range(5):
            by(page, "sets-row").nth(place).locator(".set-check").click()
    expect(by(page, "sets-repair")).to_be_enabled()
    look(page, f"sets-5-worst-{width}")
    by(page, "sets-repair").click()
    told = words("en" if language == "en-US" else language)["sets.stage.repair.all"]
    expect(by(page, "sets-told")).to_have_text(told.replace("{done}", "5").replace("{total}", "5"))
    expect(by(page, "sets-only-lost").locator("small")).to_have_text("2")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_one_more_like_a_level_stands_after_it(studio: Studio, open_page: Open) -> None:
    id = filled(studio, ("pack.jsonl", several(["212/131/112", "123/321/213"])))
    page = opened(open_page, id)
    shows(page, 0, 1)
    row(page, 0).click()
    by(page, "sets-like").click()
    shows(page, 0, 2, 1)
    idle(page)


def test_ten_thousand_levels_are_a_few_rows(open_page: Open, look: Look) -> None:
    """What a studio would tell of them is told by the test."""
    page = open_page(address="#sets", ready=HOME, own=True)
    page.evaluate(TOLD, [10_000, 200])
    expect(by(page, "sets-grid")).to_have_attribute("aria-rowcount", "10001")
    assert by(page, "sets-row").count() <= 60
    box = page.locator("#sets-box")
    for share in (0.1, 0.5, 0.9, 1.0):
        box.evaluate("(box, share) => { box.scrollTop = box.scrollHeight * share; }", share)
        expect(row(page, min(9_999, int(10_000 * share)))).to_be_attached()
        assert by(page, "sets-row").count() <= 60
    look(page, "sets-4-ten-thousand")
    by(page, "sets-find").fill("9876")
    expect(by(page, "sets-grid")).to_have_attribute("aria-rowcount", "2")


TOLD = """async ([count, part]) => {
    const { emit } = await import("/static/base/bus.js");
    const { game } = await import("/static/desk/game.js");
    game.connection.onEvent = () => {};  // the real studio is not heard any more
    const info = { id: "0123456789ab", title: "Many", levels: count, updated: 0, works: false, rests: false };
    history.replaceState(null, "", "#sets/0123456789ab");
    emit("sets", { type: "sets", sets: [info] });
    emit("set", { type: "set", set: info, order: Array.from({ length: count }, (_, number) => number) });
    const words = ["easy", "medium", "tricky", "hard", "fiendish"];
    for (let from = 0; from < count; from += part) {
        emit("set_rows", { type: "set_rows", set: info.id, rows: Array.from({ length: part }, (_, i) => ({
            number: from + i, name: `pack.jsonl:${from + i}`, title: {}, code: null, judged: true,
            problem: null, same_as: null, twin_of: null,
            look: {
                source: "", ok: true, problem: null, fault: null,
                level_id: `triple@${from + i}`, game: "triple",
                certificate: null, verdict: "solved",
                cost: 30 + (i % 9), lower_bound: 30, optimal: i % 9 === 0,
                expanded: null, generated: null, seconds: null, same_as: null, twin_of: null,
                facts: { tiles: 30 + (i % 50), kinds: i % 7, layers: i % 5, hidden: i % 11 },
                rating: 800 + ((from + i) * 7919) % 1500, word: words[i % 5],
                rating_low: 700, rating_high: 2500, luck: (i % 10) / 10, figures: { traps: (i % 9) / 9 },
            },
        })) });
    }
}"""


def test_a_new_level_is_as_hard_as_asked(open_page: Open) -> None:
    page = open_page(address="#drops/05-puddle")
    by(page, "new").click()
    hard = by(page, "new-hard")
    assert "20%" not in hard.locator("option").evaluate_all("all => all.map(one => one.value)")
    for name in ("rows", "columns"):
        by(page, f"param-{name}").fill("3")
    hard.select_option("fiendish")
    by(page, "new-start").click()
    expect(by(page, "new-error")).to_be_visible()
    hard.select_option("easy")
    expect(by(page, "new-error")).to_be_hidden()
    by(page, "new-start").click()
    expect(by(page, "new-dialog")).to_be_hidden()
    expect(page.locator("#rating, [data-testid=rating]").first).to_contain_text(words("en")["fact.word.easy"])
