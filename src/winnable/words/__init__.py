"""Words for people, out of the catalogues that the page has too: `LANGUAGE.json` beside this file, and what
each game brings of its own.

A template holds `{name}` for each value; counts take `key.one` or `key.other`, or, within a sentence, what
depends on one is `{name|this for one|that for more}`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "zh-CN")
_VALUE = re.compile(r"\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}")
_chosen: list[str] = ["en"]
_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)
_brought: list[Callable[[str], Mapping[str, str]]] = []


def locale_language(environ: Mapping[str, str] = os.environ) -> str:
    """The one of LANGUAGES that LC_ALL, LC_MESSAGES or LANG asks for; English for all others."""
    locale = next(filter(None, map(environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return "zh-CN" if locale.lower().startswith("zh") else "en"


def use(language: str) -> None:
    """Sets the language of this process from now on."""
    _chosen[0] = language


@contextmanager
def speaking(language: str) -> Generator[None]:
    """Sets the language of what is said within, in this thread alone."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def language() -> str:
    """The language of this thread, else of this process."""
    return _spoken.get() or _chosen[0]


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """The words of one of LANGUAGES."""
    path = Path(__file__).parent / f"{language}.json"
    words: dict[str, str] = json.loads(path.read_bytes())
    for words_of in _brought:
        words = {**words_of(language), **words}
    return words


def bring(words_of: Callable[[str], Mapping[str, str]]) -> None:
    """Adds to the catalogues what `words_of(language)` says; a word that was there stays."""
    _brought.append(words_of)
    catalogue.cache_clear()


def has(key: str) -> bool:
    """Whether the catalogue of the language has this word."""
    return key in catalogue("en")


def own_key(key: str, game: str) -> str:
    """A game may have its own words for something: the key of those, else the common one."""
    own = f"{key}.{game}"
    return own if has(own) or has(f"{own}.other") else key


def t(key: str, /, **values: Any) -> str:
    """The text for a key; the key itself where there is none."""
    return fill(catalogue(language()).get(key, key), values)


def tn(key: str, n: int, /, **values: Any) -> str:
    """The text for a count, which fills `{n}`."""
    return t(f"{key}.{'one' if n == 1 and language() == 'en' else 'other'}", n=f"{n:,}", **values)


def fill(template: str, values: Mapping[str, Any]) -> str:
    """A value that is a list is joined by commas; a name without a value stays."""

    def filled(match: re.Match[str]) -> str:
        name, one, more = match.groups()
        if name not in values:
            return match[0]
        shown = _shown(values[name])
        return shown if one is None else one if shown == "1" else more

    return _VALUE.sub(filled, template)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)  # type: ignore[arg-type]
