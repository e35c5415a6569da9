"""Of the documents as a site (`mkdocs.yml`): what docstrings here say of names, a line each, as a list.

A line `name: what it is`, or `name, other: what they are`, begins an entry; indented lines go on with it.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

from griffe import Extension, Object

ENTRY = re.compile(r"([a-z_]\w*(?:, [a-z_]\w*)*): +(\S.*)")


def as_markdown(text: str) -> str:
    """The docstring with its entries as items of a list."""
    lines = list[str]()
    in_list = False
    for line in inspect.cleandoc(text).splitlines():
        if match := ENTRY.fullmatch(line):
            names = ", ".join(f"`{name}`" for name in match[1].split(", "))
            lines += [*([] if in_list else [""]), f"- {names}: {match[2]}"]
            in_list = True
        elif in_list and line.startswith(" "):
            lines.append(f"    {line.strip()}")
        else:
            lines += ["", line] if in_list and line else [line]
            in_list = False
    return "\n".join(lines).strip()


class Entries(Extension):
    def on_instance(self, *, obj: Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
