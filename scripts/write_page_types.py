"""Writes the types that the page is checked against: `.venv/bin/python scripts/write_page_types.py`.

The messages of each protocol and what boards show of their games, as msgspec reads and writes them, and which
element each id of the pages has.
tests/web/test_page_types.py holds what is written equal to what these functions return.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import inspect

from winnable import games
from winnable.web import events, protocol

Made: TypeAlias = inspect.StructType | inspect.DataclassType | inspect.NamedTupleType
STATIC = Path(protocol.__file__).parent / "static"
GAMES = Path(games.__file__).parent
SHOWN = ("Observation", "Frame", "Explanation", "Events")
"""What a game's page shows, as its rules call it: a state, a step to it, why it is so, what happened."""
HEAD = "// Written by scripts/write_page_types.py: to change it, change what it is made from, and run that.\n"
PLAIN: dict[type[inspect.Type], str] = {
    inspect.AnyType: "unknown",
    inspect.RawType: "unknown",
    inspect.NoneType: "null",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.DateType: "string",
    inspect.BytesType: "string",
}


def type_text(kind: inspect.Type) -> str:
    """In TypeScript."""
    match kind:
        case inspect.Metadata(type=inner):
            return type_text(inner)
        case inspect.LiteralType(values=values):
            return " | ".join(msgspec.json.encode(value).decode() for value in values)
        case inspect.UnionType(types=types):
            return " | ".join(dict.fromkeys(map(type_text, types)))
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return f"Array<{type_text(item)}>"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(map(type_text, items))}]"
        case inspect.DictType(key_type=key, value_type=value):
            return f"Record<{type_text(key)}, {type_text(value)}>"
        case inspect.StructType(cls=made) | inspect.DataclassType(cls=made):
            return made.__name__
        case inspect.NamedTupleType(fields=fields):
            return f"[{', '.join(type_text(field.type) for field in fields)}]"
        case _:
            return PLAIN[type(kind)]


def struct_text(struct: Made, partial: bool) -> str:
    """partial: what has a default may be left out."""
    tag = (
        [f'{struct.tag_field}: "{struct.tag}"']
        if isinstance(struct, inspect.StructType) and struct.tag
        else []
    )
    fields = [
        f"{field.encode_name}{'?' if partial and not field.required else ''}: {type_text(field.type)}"
        for field in struct.fields
    ]
    body = "".join(f"  {line};\n" for line in tag + fields)
    return f"export interface {struct.cls.__name__} {{\n{body}}}\n"


def structs_in(kind: inspect.Type, found: dict[str, Made]) -> None:
    """All that it is made of, each after its parts."""
    if isinstance(kind, Made):
        if kind.cls.__name__ in found:
            return
        parts: Iterable[inspect.Type] = [field.type for field in kind.fields]
    else:
        names = ("type", "types", "item_type", "item_types", "key_type", "value_type")
        inner: list[inspect.Type | tuple[inspect.Type, ...]] = [getattr(kind, name, ()) for name in names]
        parts = [one for part in inner for one in (part if isinstance(part, tuple) else (part,))]
    for part in parts:
        structs_in(part, found)
    if isinstance(kind, inspect.StructType | inspect.DataclassType):
        found[kind.cls.__name__] = kind


def messages(request: Any, event: Any) -> str:
    """The types of a protocol: `PageRequest`, `ServerEvent` and all that they are made of."""
    blocks = [HEAD]
    said: dict[str, Made] = {}
    for name, union in (("PageRequest", request), ("ServerEvent", event)):
        kind = inspect.type_info(union)
        before = set(said)
        structs_in(kind, said)
        fresh = [struct for struct in said if struct not in before]
        blocks += [struct_text(said[struct], name == "PageRequest") for struct in fresh]
        blocks.append(f"export type {name} = {type_text(kind)};\n")
    return "\n".join(blocks)


def views(shown: Iterable[type]) -> str:
    """The types of what is shown and all that it is made of. Of a named tuple only what is new is told."""
    said: dict[str, Made] = {}
    for cls in shown:
        kind = inspect.type_info(cls)
        structs_in(kind, said)
        said[cls.__name__] = cast(Made, kind)
    return "\n".join(
        [HEAD, *(struct_text(kind, isinstance(kind, inspect.NamedTupleType)) for kind in said.values())]
    )


class Ids(HTMLParser):
    """The tag of each id; `svg:` stands before those within a picture."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: dict[str, str] = {}
        self.in_svg = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.in_svg |= tag == "svg"
        if name := dict(attrs).get("id"):
            self.tags[name] = f"{'SVG' if self.in_svg else 'HTML'}ElementTagNameMap['{tag}']".replace(
                "'", '"'
            )

    def handle_endtag(self, tag: str) -> None:
        self.in_svg &= tag != "svg"


def ids() -> str:
    """Which element has which id, on all pages."""
    found: dict[str, set[str]] = {}
    for page in (STATIC / "icons.svg", STATIC / "index.html", *sorted(GAMES.rglob("*.html"))):
        reader = Ids()
        reader.feed(page.read_text("utf-8"))
        for name, tag in reader.tags.items():
            found.setdefault(name, set()).add(tag)
    body = "".join(f'  "{name}": {" | ".join(sorted(tags))};\n' for name, tags in sorted(found.items()))
    return f"{HEAD}\nexport interface Ids {{\n{body}}}\n"


def module_of(path: Path) -> ModuleType:
    return import_module(".".join(path.relative_to(GAMES.parents[1]).with_suffix("").parts))


def shown_by(page: Path) -> list[type]:
    """The classes with these names in the rules beside it."""
    modules = [module_of(path) for path in sorted(page.with_name("rules").glob("*.py"))]
    found = [vars(module).get(name) for name in SHOWN for module in modules]
    return list(dict.fromkeys(cls for cls in found if cls))


def written() -> dict[Path, str]:
    """What each file of types is to hold. Games' pages and protocols are found by their places."""
    found = {
        STATIC / "base/messages.d.ts": messages(protocol.Request, events.Event),
        STATIC / "base/ids.d.ts": ids(),
    }
    for page in sorted(GAMES.rglob("page")):
        folder = page / "static" if (page / "static").is_dir() else page
        found[folder / "views.d.ts"] = views(shown_by(page))
        if (page / "protocol.py").is_file():
            own = module_of(page / "protocol.py")
            found[folder / "messages.d.ts"] = messages(own.Request, own.Event)
    return found


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, "utf-8")
        print(f"wrote {path}", file=sys.stderr)
