"""The types that the page is checked against are those of the protocol, the games and its HTML."""

import json
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_declarations_are_what_the_protocol_and_the_pages_say() -> None:
    written = runpy.run_path(str(ROOT / "scripts/write_page_types.py"))["written"]()
    names = ("views.d.ts", "messages.d.ts", "ids.d.ts")
    assert written.keys() == {path for name in names for path in (ROOT / "src").rglob(name)}
    for path, text in written.items():
        assert path.read_text("utf-8") == text, f"{path}: run scripts/write_page_types.py"


def test_every_module_of_the_page_is_checked() -> None:
    project = json.loads((ROOT / "tsconfig.json").read_text("utf-8"))
    assert {"checkJs": True, "strict": True}.items() <= project["compilerOptions"].items()
    assert "src/winnable/**/*.js" in project["include"]
    assert "exclude" not in project
    modules = sorted((ROOT / "src").rglob("*.js"))
    assert len(modules) > 80
    assert [path for path in modules if "@ts-" in path.read_text("utf-8")] == []
