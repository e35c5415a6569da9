import pytest

from bench.rotate import page as rotate_page
from bench.studio import browser

pytestmark = pytest.mark.browser


def test_each_block_has_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    if browser.find_browser() is None:
        pytest.skip("no Chromium found")
    monkeypatch.setattr(rotate_page, "BOARDS", ((6, 6, (2, 6)),))
    rows = list(rotate_page.rows(games=2, seed=3))
    assert [row.name.partition(":")[0] for row in rows] == ["6 × 6, block of 2"] * 4 + [
        "6 × 6, block of 6"
    ] * 4
    for row in rows:
        assert row.value >= 0
        assert row.n >= 2
