"""Documents of benchmarks: a table for each section, and `bench --document`."""

import pytest

from bench import BENCHMARKS, load_document
from bench.document import document
from bench.report import Row, rate_row
from winnable.contract.core import WinnableError

ROWS = [
    rate_row("one: a: winnable", 1, 4),
    Row("two: c: points: old", 1234.5, "points", 1000, 2000),
    Row("one: a: tiles", 300),
    Row("one: b: tiles", 12.345),
]


def test_each_section_has_a_table() -> None:
    text = document("make it", ROWS, {"two": "# Two\n", "none": "# None", "one": "# One\n\nText."})
    assert text.splitlines() == [
        "<!-- Made by `make it`: not to be edited. -->",
        "",
        "# Two",
        "",
        "| | points: old |",
        "|---|---|",
        "| c | 1,234 (1,000 - 2,000) points |",
        "",
        "# One",
        "",
        "Text.",
        "",
        "| | winnable | tiles |",
        "|---|---|---|",
        "| a | 25.0 (4.6 - 69.9) % | 300 |",
        "| b |  | 12.3 |",
    ]


def test_documents_of_benchmarks_can_be_loaded() -> None:
    made = [name for name, entry in BENCHMARKS.items() if entry.document]
    assert made
    for name in made:
        assert callable(load_document(name))
    with pytest.raises(WinnableError, match="document: the benchmark triple-tray makes none"):
        load_document("triple-tray")
