"""What is refused, said in the reader's language."""

from __future__ import annotations

import errno
import logging
import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, Self, cast

from winnable import words

MOST_QUOTED = 120
"""Characters of a value: a line. Inputs may be as long as they like."""
MOST_SENTENCE = 600
"""Characters of a whole English sentence in place of a code."""
MOST_LISTED = 50
log = logging.getLogger("winnable")


class WinnableError(ValueError):
    """Any input we refuse. Shells say it in the reader's language and exit with 2.

    code:   what it is about: the words stand in the catalogues under `error.CODE`. A whole English sentence
            that names the field or the cause will do where no page and no terminal of a player meets it
    values: of the template, errors and lists of them too; `field` names what was entered wrongly, and stands
            before the sentence. Of what is longer than a line its two ends are kept. Where `given` is none
            of the names in the list `known`, the nearest of these becomes `near`: what was probably meant
    """

    def __init__(self, code: str, /, **values: Any) -> None:
        code = shortened(code, MOST_SENTENCE)
        super().__init__(code)
        self.code = code
        if isinstance(known := values.get("known"), list | tuple) and "near" not in values:
            values["near"] = nearest(str(values.get("given", "")), map(str, cast("list[Any]", known)))
        self.values: dict[str, Any] = {name: _quotable(value) for name, value in values.items()}
        self._templates: dict[str, str] = {}
        """By language; of one that comes from a process that may know more games than this one."""

    def __str__(self) -> str:
        return self.said("en")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        known = {"_templates": {language: self._template(language) for language in words.LANGUAGES}}
        return _raised_elsewhere, (type(self), self.code, self.values), vars(self) | known

    def _template(self, language: str) -> str:
        known = words.catalogue(language).get(f"error.{self.code}")
        return known or self._templates.get(language, self.code)

    def said(self, language: str) -> str:
        """The sentence in this language."""
        template = self._template(language)
        text = words.fill(template, {name: _told(value, language) for name, value in self.values.items()})
        text += with_near(self.values.get("near"), language)
        if "field" in self.values:
            text = f"{_told(str(self.values['field']), language)}: {text}"
        return printable(text, kept="\n")

    def within(self, where: object) -> Self:
        """The same of a part: `where` stands before its field."""
        field = self.values.get("field")
        return type(self)(self.code, **self.values | {"field": f"{where}: {field}" if field else str(where)})


def nearest(given: str, known: Iterable[str]) -> str | None:
    """The name that was probably meant; None: none is like it, or it is one of them."""
    names = {name.casefold(): name for name in known}
    sought = given.strip().casefold()[:MOST_QUOTED]
    close = get_close_matches(sought, names, 1) or [
        name for name in names if len(sought) > 1 and name.startswith(sought)
    ]
    found = names[close[0]] if close else None
    return None if found == given else found


def with_near(near: str | None, language: str | None = None) -> str:
    """What is added to the sentence about a name that is unknown."""
    spoken = words.catalogue(language or words.language())
    return words.fill(spoken["error.near"], {"near": _told(near, "")}) if near else ""


def shortened(text: str, most: int = MOST_QUOTED) -> str:
    """Its two ends, where it is longer than `most`."""
    if len(text) <= most:
        return text
    tail = most // 3
    return f"{text[: most - tail - 3]} … {text[-tail:]}"


def printable(text: str, kept: str = "") -> str:
    """Characters that control a terminal, or the order of what is read (ESC, bidi marks), as escapes; all but
    those that are to be kept."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in kept else ascii(char)[1:-1] for char in text)


def _quotable(value: Any) -> Any:
    if isinstance(value, list | tuple):
        parts = cast("list[Any]", value)
        kept = [*map(_quotable, parts[:MOST_LISTED]), *(["…"] if len(parts) > MOST_LISTED else [])]
        return kept if isinstance(value, list) else tuple(kept)
    if isinstance(value, str) or (type(value) is int and abs(value) >= 10**MOST_QUOTED):
        return shortened(hex(value) if isinstance(value, int) and value.bit_length() > 14_000 else str(value))
    if isinstance(value, Exception) and not isinstance(value, WinnableError):
        return shortened(str(value))
    return value


def _told(value: Any, language: str) -> Any:
    if isinstance(value, WinnableError):
        return value.said(language)
    if isinstance(value, str):
        return value if value.isprintable() else shortened(printable(value))
    if not isinstance(value, list):
        return value
    parts = cast("list[Any]", value)
    if not parts:
        return words.catalogue(language)["list.none"]
    return "; ".join(part.said(language) for part in parts) if isinstance(parts[0], WinnableError) else parts


def _raised_elsewhere(kind: type[WinnableError], code: str, values: dict[str, Any]) -> WinnableError:
    """One that comes from another process."""
    return kind(code, **values)


class LevelError(WinnableError):
    """A level, its parameters or its text notation breaks a rule; the message names the field."""


class GaveUp(LevelError):
    """What makes levels tried as often, or as long, as it may; another seed may do."""


class IllegalAction(WinnableError):
    """The action exists in no state, or not in this one."""


@contextmanager
def failing_rules() -> Generator[None]:
    """Around what a stranger's game does with one of many records: what it raises becomes a WinnableError,
    which takes no other with it."""
    try:
        yield
    except WinnableError:
        raise
    except Exception as error:
        log.debug("rules failed", exc_info=error)
        raise WinnableError("game.raised", reason=f"{type(error).__name__}: {error}") from error


def unusable(path: object, error: Exception) -> WinnableError:
    """A file that the system refuses, by its errno; a ValueError is a null character in the path."""
    code = f"file.{errno.errorcode.get(getattr(error, 'errno', None) or 0, 'other')}"
    known = code if words.has(f"error.{code}") else "file.other"
    return WinnableError(known, field=str(path), reason=getattr(error, "strerror", None) or str(error))


_SHAPES = {
    r"Expected `(?P<kind>[^`]+)`, got `(?P<given>[^`]+)`": "shape.kind",
    r"Expected `(?P<kind>\w+)` >= (?P<low>\S+)": "shape.least",
    r"Expected `(?P<kind>\w+)` <= (?P<high>\S+)": "shape.most",
    r"Expected `(?P<kind>\w+)` of length (?P<length>.+)": "shape.length",
    r"Expected `(?P<kind>\w+)` matching regex (?P<pattern>.+)": "shape.pattern",
    r"Object missing required field `(?P<name>[^`]+)`": "shape.missing",
    r"Object contains unknown field `(?P<name>[^`]+)`": "shape.unknown",
    r"Invalid (?:enum )?value (?P<given>.+)": "shape.value",
}
"""What msgspec says of a value that does not fit its type."""


def unreadable(error: Exception, content: bytes = b"") -> LevelError:
    """What msgspec refuses, with the path in the JSON as the field; what a struct of ours raised about itself
    stays as it is. content: the JSON, to say where it breaks"""
    text, _, path = str(error).rpartition(" - at ") if " - at `" in str(error) else (str(error), "", "")
    path = path.replace("`", "").removeprefix("key in ").removeprefix("$").removeprefix(".")
    path = path.removesuffix("[...]")  # somewhere in a mapping
    if isinstance(ours := error.__cause__, WinnableError):
        found = LevelError(ours.code, **ours.values)
    elif match := next(filter(None, (re.fullmatch(shape, text) for shape in _SHAPES)), None):
        found = LevelError(_SHAPES[match.re.pattern], **match.groupdict())
    else:
        malformed = isinstance(error, UnicodeError) or "JSON" in text or "truncated" in text
        reason = _placed(text.removeprefix("JSON is malformed: "), content)
        found = LevelError("shape.json" if malformed else "shape.other", reason=reason)
    return found.within(path) if path else found


def _placed(reason: str, content: bytes) -> str | WinnableError:
    """The reason with line and column in place of the byte. Of a text that is one line, perhaps of many in a
    file, the column will do."""
    if content and (match := re.fullmatch(r"(.+) \(byte (\d+)\)", reason)):
        told, at = match[1], int(match[2])
    else:
        try:
            content.decode()
            return reason
        except UnicodeDecodeError as error:  # what msgspec says of it counts from somewhere inside
            told, at = WinnableError("file.text"), error.start
    *before, line = content[:at].decode(errors="replace").split("\n")
    code = "shape.line" if b"\n" in content.strip() else "shape.column"
    return WinnableError(code, reason=told, line=len(before) + 1, column=len(line) + 1)
