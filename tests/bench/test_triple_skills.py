"""The picture of what players' skills and levels' difficulties are worth."""

import sys
import xml.etree.ElementTree as ElementTree
from math import inf

import pytest

from bench.report import Row
from bench.triple.skills import COLUMNS, LEFT_OUT, NAMES, as_document
from winnable.contract.core import WinnableError

ROWS = [
    *(
        Row(f"skill of {name}", 400.0 * place, "points", 350 * place, 450 * place)
        for place, name in enumerate(NAMES)
    ),
    Row(f"rank correlation with {LEFT_OUT}", 0.9),
    Row("rank correlation of two halves", 0.95),
    *(
        Row(f"level {level}: {column}", 1000.0 * level + place if level < 3 else inf)
        for place, column in enumerate(COLUMNS)
        for level in range(1, 4)
    ),
]


def test_the_picture_shows_players_and_levels() -> None:
    picture = as_document(ROWS)
    texts = " ".join(ElementTree.fromstring(picture).itertext())
    assert all(name in texts for name in NAMES)
    assert "rank correlation 0.900" in texts
    assert "rank correlation 0.950" in texts
    assert picture == as_document(ROWS)


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(WinnableError, match=r"pip install -e '\.\[bench\]'"):
        as_document(ROWS)
