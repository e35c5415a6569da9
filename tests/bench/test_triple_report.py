"""The report on triple, of two small boards in place of the real game's."""

from pathlib import Path

import pytest

from bench.triple import decide as triple_decide
from bench.triple import report as triple_report
from bench.triple.article_table import PUBLISHED
from winnable.contract.core import finish
from winnable.games.triple.levels.generator import Params, generate
from winnable.levels.files import encode_level

GOOD = finish(generate(Params(layers=6, sets=1, kinds=5, side=2, slots=8), 0))
LOST = finish(generate(Params(layers=6, sets=1, kinds=5, side=2, slots=4), 0))


def test_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "good_1.json").write_bytes(encode_level(GOOD))
    (tmp_path / "lost_1.json").write_bytes(encode_level(LOST))
    monkeypatch.setenv("WINNABLE_LAYOUTS", str(tmp_path))
    monkeypatch.setenv("WINNABLE_RECORDED", str(tmp_path))
    monkeypatch.setattr(triple_decide, "FEWEST_TILES", 1)
    monkeypatch.setattr(triple_report, "PUBLISHED", {12: PUBLISHED[12]})
    monkeypatch.setattr(triple_report, "FAIR_GAMES", 20)
    rows = list(triple_report.rows(games=1))
    values = {row.name: row.value for row in rows}
    assert (values["real: good: winnable"], values["real: lost: unsolvable"]) == (1, 1)
    assert [name for name in values if name.startswith("tools: good")] == []
    assert (values["tools: lost: won with more slots"], values["tools: lost: slots"]) == (1, 8)
    assert values["article: 12 layers: winnable"] == 1
    assert 0 <= values["daily: good_1 (winnable): won by careful"] <= 1
    assert 0 < values["daily: good_1 (winnable): tiles taken by careful"] <= 1
    assert (values["real: all: winnable"], values["real: all: unsolvable"]) == (0.5, 0.5)
    assert values["daily: lost_1 (unsolvable): tiles"] == 15
    text = triple_report.as_document(rows)
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# Triple: the real game, proved",
        "## Can the real game be won?",
        "## What tools are worth",
        "## The article's boards",
        "## How hard are daily levels?",
    ]
    assert "| lost | 15 | 0.0 (0.0 - 79.3) % | 100.0 (20.7 - 100.0) % | 0.0 (0.0 - 79.3) % |" in text
    assert [row.value for row in triple_report.rows(games=1)] == [row.value for row in rows], "kept"
