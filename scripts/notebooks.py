"""The notebooks among the documents, with the outputs that stand in them: a hook of MkDocs. (mkdocs-jupyter
does not go together with documents in two languages.)"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "notebooks"
"""Not in git. The plugin for languages takes no page from anywhere else."""
ENGLISH_ONLY = "*本页只有英文；[词汇表](../glossary.md)有中文。*"


def on_config(config: MkDocsConfig) -> None:
    """Writes a page for each notebook."""
    PAGES.mkdir(exist_ok=True)
    for path in (ROOT / "examples" / "notebooks").glob("*.ipynb"):
        (PAGES / f"{path.stem}.md").write_text(as_markdown(path.read_text("utf-8")), "utf-8")


def as_markdown(notebook: str) -> str:
    """Raises KeyError for an output that is neither a drawing nor text."""
    text = "\n\n".join(part for cell in json.loads(notebook)["cells"] for part in _parts(cell))
    return text.replace("\n\n", f"\n\n{ENGLISH_ONLY}\n\n", 1)


def _parts(cell: Any) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        data = output["data"]
        if drawn := data.get("image/svg+xml"):
            yield "<div>" + "".join("".join(drawn).splitlines()) + "</div>"
        else:
            yield "```text\n" + "".join(data["text/plain"]) + "\n```"
