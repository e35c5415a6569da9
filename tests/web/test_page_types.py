"""The types that the page is checked against are those of the protocol and of its HTML."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_declarations_are_what_the_protocol_and_the_pages_say() -> None:
    written = runpy.run_path(str(ROOT / "scripts/write_page_types.py"))["written"]()
    assert len(written) == 9
    for path, text in written.items():
        assert path.read_text("utf-8") == text, f"{path}: run scripts/write_page_types.py"
