"""What a check came to, for programs that build: JUnit's XML, and SARIF 2.1.0 (OASIS, 2020), each level with
its file and line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args
from urllib.parse import quote
from xml.etree import ElementTree

import msgspec

from winnable import __version__
from winnable.contract.core import WinnableError
from winnable.contract.errors import printable
from winnable.levels.checking import Checked, Fault
from winnable.levels.files import lines_of, read_file
from winnable.levels.find import in_file
from winnable.words import t

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
Rule: TypeAlias = Fault | Literal["unchecked", "undecided", "like"]
RULES: tuple[Rule, ...] = (*get_args(Fault), "unchecked", "undecided", "like")
"""What may be found of a level, besides its faults: it could not be checked, no verdict was reached, it is
like an earlier one."""
_LEVELS = {"undecided": "warning", "like": "note"}
"""SARIF's; all others are errors."""


class Place(NamedTuple):
    """Where a level lies: a file, and the line in which it begins, from 1."""

    path: str
    line: int


class Places:
    """Of levels, by what they were read from; each file is looked into once."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[int, int]] = {}

    def of(self, source: str) -> Place | None:
        """None: it is in no file."""
        if (found := in_file(source)) is None:
            return None
        if found.line is None:
            return Place(found.path, 1)
        if found.path not in self._lines:
            self._lines[found.path] = _counted(found.path)
        return Place(found.path, self._lines[found.path].get(found.line, found.line))


def _counted(path: str) -> dict[int, int]:
    """In a list levels are counted; else their number is that of the line, and there is nothing to tell."""
    try:
        content = read_file(Path(path))
    except WinnableError:
        return {}
    return lines_of(content) if content.lstrip().startswith(b"[") else {}


def rule_of(row: Checked) -> Rule | None:
    """The gravest of what was found of the level; None: nothing."""
    if not row.ok:
        return row.fault or "unchecked"
    if row.verdict == "budget":
        return "undecided"
    return "like" if row.same_as or row.twin_of else None


def finding(row: Checked) -> str:
    """The same as a sentence, of printable characters alone."""
    if not row.ok:
        return printable(" ".join((row.problem or "").split()))
    if row.verdict == "budget":
        return t("cli.check.verdict.budget")
    if row.same_as is not None:
        return t("cli.check.same", source=printable(row.same_as))
    return t("cli.check.twin", source=printable(row.twin_of or ""))


def junit(rows: Sequence[Checked], left: Sequence[str] = ()) -> bytes:
    """A test case for each level: a failure where it is not fine, an error where no verdict was reached.
    left: sources of those that were not checked, which are skipped"""
    suite = ElementTree.Element("testsuite", name="winnable check")
    counts, places = {"failures": 0, "errors": 0}, Places()
    for row in rows:
        case = _case(suite, row.source, places, row.seconds or 0)
        if (rule := rule_of(row)) is not None and rule != "like":
            kind = "error" if rule == "undecided" else "failure"
            counts[f"{kind}s"] += 1
            ElementTree.SubElement(case, kind, type=rule, message=finding(row)).text = finding(row)
    for source in left:
        ElementTree.SubElement(_case(suite, source, places), "skipped", message=t("report.left"))
    figures = {"tests": len(rows) + len(left), **counts}
    seconds = f"{sum(row.seconds or 0 for row in rows):.3f}"
    suite.attrib |= {name: str(count) for name, count in figures.items()}
    suite.attrib |= {"skipped": str(len(left)), "time": seconds}
    root = ElementTree.Element("testsuites", {name: str(count) for name, count in figures.items()})
    root.append(suite)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def _case(suite: ElementTree.Element, source: str, places: Places, seconds: float = 0) -> ElementTree.Element:
    """XML 1.0 has no control characters, not even as references: they are written as escapes."""
    place = places.of(source)
    name, where = printable(source), {} if place is None else {"file": printable(place.path)}
    about = {"classname": where.get("file", name), "name": name, "time": f"{seconds:.3f}", **where}
    return ElementTree.SubElement(suite, "testcase", about | ({"line": str(place.line)} if place else {}))


def sarif(rows: Sequence[Checked], left: Sequence[str] = ()) -> bytes:
    """A result for each level of which something is to be said. left: sources of those that were not
    checked"""
    invocation: dict[str, Any] = {"executionSuccessful": not left}
    if left:
        told = {"level": "error", "message": {"text": f"{t('report.left')}: {len(left)}"}}
        invocation["toolExecutionNotifications"] = [told]
    driver = {"name": "winnable", "version": __version__, "rules": [*map(_rule, RULES)]}
    run = {"tool": {"driver": driver}, "invocations": [invocation], "results": [*_results(rows)]}
    return msgspec.json.encode({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}) + b"\n"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule,
        "shortDescription": {"text": t(f"report.rule.{rule}")},
        "defaultConfiguration": {"level": _LEVELS.get(rule, "error")},
    }


def _results(rows: Sequence[Checked]) -> Iterator[dict[str, Any]]:
    places = Places()
    for row in rows:
        if (rule := rule_of(row)) is not None:
            yield {
                "ruleId": rule,
                "ruleIndex": RULES.index(rule),
                "level": _LEVELS.get(rule, "error"),
                "message": {"text": finding(row).replace("](", "] (")},  # which would be a link
                "locations": [_location(row.source, places.of(row.source))],
            }


def _location(source: str, place: Place | None) -> dict[str, Any]:
    if place is None:
        return {"logicalLocations": [{"fullyQualifiedName": printable(source)}]}
    path = Path(place.path)
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
    region = {"startLine": place.line}
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
