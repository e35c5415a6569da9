"""The benchmark of a site comes to its end, and each figure stands beside its goal."""

import pytest

from bench.site import figures
from bench.studio.browser import find_browser
from tests import sites

pytestmark = pytest.mark.browser


def test_rows(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    if find_browser() is None:
        pytest.skip("no Chromium found")
    site = sites.written(tmp_path_factory)
    for name, small in {"RUNS": 1, "CLICKS": 12, "TIMED": 5, "LONGEST": 2}.items():
        monkeypatch.setattr(figures, name, small)
    monkeypatch.setattr(figures, "LONG", {"drops": 1000})
    rows = {row.name: row for row in figures.rows(games=20, targets=f"drops,{site}")}
    assert 5 < rows["packed, to the first board"].value < 9
    assert [rows[f"first board, {start}"].n for start in ("cold", "warm", "offline")] == [1, 1, 1]
    assert rows["drops: positions that differ"].value == 0
    assert rows["drops: positions that differ"].n == 20
    assert rows["drops: the same answers"].value == 2
    assert rows["drops: memory of the tab"].value > 30
    click = rows["a phone's click while the lamp searches, 95th percentile"]
    assert (click.unit, click.reference) == ("ms", figures.CLICK_MS)
