"""Sets of levels as files: for the command line, for other programs, and to be printed."""

from __future__ import annotations

import io
import re
import zipfile
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from msgspec import to_builtins

from winnable.batches.pack import rating_said
from winnable.batches.tables import csv_of
from winnable.contract.abilities import Recording, formats_of
from winnable.contract.core import WinnableError
from winnable.levels.checking import Checked
from winnable.levels.files import read_level
from winnable.web.set_protocol import SetFile, SetFormat
from winnable.words import language, speaking, t


class Entry(NamedTuple):
    number: int
    level: bytes
    look: Checked


def file_of(title: str, entries: Sequence[Entry], form: SetFormat, said_in: str) -> SetFile:
    """said_in: the language of what people read. Raises WinnableError for a level that the format cannot
    say."""
    stem = re.sub(r"[^\w.=-]+", "-", title)[:60].strip("-.") or "levels"
    match form:
        case "jsonl":
            content = b"".join(entry.level.replace(b"\n", b" ") + b"\n" for entry in entries)
            return _file(f"{stem}.jsonl", "application/x-ndjson", content)
        case "csv":
            return _file(f"{stem}.csv", "text/csv", csv_of([_flat(entry) for entry in entries]))
        case "sheet":
            with speaking(said_in):
                return _file(f"{stem}.html", "text/html", _sheet(title, entries).encode())
        case "folder":
            files = [(f"{place:04}.json", entry.level) for place, entry in enumerate(entries, 1)]
        case _:
            files = [*_maps(entries, form)]
    return _file(f"{stem}.zip", "application/zip", _zipped(files))


def _file(name: str, media: str, content: bytes) -> SetFile:
    return SetFile(name, media, b64encode(content).decode())


def _flat(entry: Entry) -> dict[str, Any]:
    known = {name: value for name, value in to_builtins(entry.look).items() if value not in (None, {})}
    return {"number": entry.number, **known}


def _zipped(files: Sequence[tuple[str, bytes]]) -> bytes:
    """The same for the same files: without a date."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    return content.getvalue()


def _maps(entries: Sequence[Entry], form: str) -> Iterator[tuple[str, bytes]]:
    for place, entry in enumerate(entries, 1):
        named = read_level(entry.level)
        written = formats_of(named.game).get(form)
        if written is None or written.write is None:
            raise WinnableError("none", field="format", game=named.game.name)
        try:
            yield f"{place:04}{written.suffix}", written.write(Recording(named.level))
        except WinnableError as error:
            raise error.within(str(place)) from None


def _sheet(title: str, entries: Sequence[Entry]) -> str:
    """A page of its own, which fetches nothing: two levels beside each other, to be printed."""
    cells = "".join(_cell(place, entry) for place, entry in enumerate(entries, 1))
    style = (
        "body{font:11pt system-ui,sans-serif;margin:1cm;background:#fff;color:#000}"
        "main{display:grid;grid-template-columns:1fr 1fr;gap:.8cm}"
        "figure{margin:0;break-inside:avoid}figure img{width:100%;max-height:10cm;object-fit:contain}"
        "h1{font-size:15pt}figcaption{text-align:center}"
    )
    head = f'<!doctype html><html lang="{language()}"><meta charset="utf-8"><title>{escape(title)}</title>'
    return f"{head}<style>{style}</style><h1>{escape(title)}</h1><main>{cells}</main></html>\n"


def _cell(place: int, entry: Entry) -> str:
    named = read_level(entry.level)
    puzzle = named.game.puzzle(named.level)
    picture = b64encode(named.game.svg(puzzle, puzzle.initial()).encode()).decode()
    title: dict[str, str] = named.level.title or {}
    look, words = entry.look, [title.get(language(), "")]
    if look.verdict is not None:
        words.append(t(f"cli.check.verdict.{look.verdict}"))
    if look.cost is not None:
        words.append(t("sets.sheet.cost", cost=look.cost))
    if look.rating is not None:
        words.append(f"{rating_said(look)} {t(f'fact.word.{look.word}')}")
    told = escape(t("list.comma").join(filter(None, words)))
    source = f"data:image/svg+xml;base64,{picture}"
    return f'<figure><img src="{source}" alt=""><figcaption><b>{place}</b> {told}</figcaption></figure>'
