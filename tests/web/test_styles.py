"""The style sheets of the page, which all hold for each of its games."""

import re
from collections import Counter
from pathlib import Path

import winnable

PACKAGE = Path(winnable.__file__).parent
ROOT = re.compile(r"^:root \{$(.*?)^\}$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^  (--[\w-]+):", re.MULTILINE)


def test_no_sheet_takes_the_variables_of_another() -> None:
    names: Counter[str] = Counter()
    for path in (*PACKAGE.glob("web/static/css/*.css"), *PACKAGE.glob("games/*/page/board.css")):
        (light,) = ROOT.findall(path.read_text("utf-8")) or [""]
        names.update(NAME.findall(light))
    assert names
    assert not [name for name, sheets in names.items() if sheets > 1]
