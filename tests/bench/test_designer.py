"""The benchmark of a designer's waits comes to its end."""

import pytest

from bench.studio import designer


def test_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(designer, "SETS", {"drops": ("drops", [{"rows": 3, "columns": 3}], 60.0)})
    monkeypatch.setattr(designer, "EDITS", 3)
    rows = {row.name: row for row in designer.rows(games=4)}
    assert rows["drops: made and judged"].n == 4
    assert rows["drops: made and judged"].value >= rows["drops: the first row"].value > 0
    assert rows["a verdict on a drawing: median"].n == 3
