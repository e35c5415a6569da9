import pytest

from bench.studio import browser
from bench.tetris import arcade_latency
from winnable.contract.core import WinnableError


@pytest.mark.browser
def test_frames_and_keys_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """That it measures, not how much."""
    if browser.find_browser() is None:
        pytest.skip("no Chromium found")
    monkeypatch.setattr(arcade_latency, "FRAMES_SECONDS", 0.6)
    rows = {row.name: row for row in arcade_latency.rows(games=5, seed=1)}
    assert set(rows) > {
        "arcade page, bot on it: frames per second",
        "arcade page, bot beside: its pieces per second",
    }
    for load in ("bot idle", "bot beside"):
        assert rows[f"arcade page, {load}: frames per second"].n > 5
        assert rows[f"arcade key, {load}: median"].n == 5
        assert 0 < rows[f"arcade key, {load}: median"].value <= rows[f"arcade key, {load}: worst"].value


def test_without_a_browser_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WINNABLE_BROWSER", raising=False)
    monkeypatch.setenv("PATH", "")
    with (
        pytest.raises(WinnableError, match=r"no Chromium found .* WINNABLE_BROWSER"),
        browser.open_page(800, 600),
    ):
        pass


def test_what_is_no_browser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNABLE_BROWSER", "/nowhere/chromium")
    with pytest.raises(WinnableError, match="/nowhere/chromium does not start"), browser.open_page(800, 600):
        pass


def test_without_playwright_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        return None

    monkeypatch.setenv("WINNABLE_BROWSER", "chromium")
    monkeypatch.setattr(browser, "find_spec", missing)
    with pytest.raises(WinnableError, match=r"playwright.*\.\[bench\]"), browser.open_page(800, 600):
        pass
