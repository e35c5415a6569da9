import sys

import pytest

from bench.studio import load as studio_load


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from Linux's account of a process")
def test_a_small_crowd_is_admitted_and_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studio_load, "WARM_SECONDS", 0.0)
    monkeypatch.setattr(studio_load, "SETTLE_SECONDS", 0.0)
    rows = {row.name.partition(": ")[2]: row for row in studio_load.rows(games=3, seconds=5.0)}
    assert rows["admitted"].value == 3
    assert rows["turned away with a word"].value == rows["dropped without one"].value == 0
    assert rows["action, median"].n >= 3
    assert 0 < rows["action, median"].value <= rows["action, worst"].value
    assert 0 < rows["memory before"].value <= rows["memory at most"].value
    assert sum(row.value for name, row in rows.items() if name.startswith("lamps ")) == pytest.approx(1)
