"""What is refused, said in the reader's language."""

from __future__ import annotations

from typing import Any

from winnable import words


class WinnableError(ValueError):
    """Any input we refuse. Shells say it in the reader's language and exit with 2.

    code:   what it is about: the words stand in the catalogues under `error.CODE`. A whole English sentence
            that names the field or the cause will do where no page and no terminal of a player meets it
    values: of the template; `field` names what was entered wrongly, and stands before the sentence
    """

    def __init__(self, code: str, /, **values: Any) -> None:
        super().__init__(code)
        self.code, self.values = code, values

    def __str__(self) -> str:
        return self.said("en")

    def __reduce__(self) -> tuple[Any, ...]:
        return _raised_elsewhere, (type(self), self.code, self.values)

    def said(self, language: str) -> str:
        """The sentence in this language."""
        text = words.fill(words.catalogue(language).get(f"error.{self.code}", self.code), self.values)
        return f"{self.values['field']}: {text}" if "field" in self.values else text


def _raised_elsewhere(kind: type[WinnableError], code: str, values: dict[str, Any]) -> WinnableError:
    """One that comes from another process."""
    return kind(code, **values)


class LevelError(WinnableError):
    """A level, its parameters or its text notation breaks a rule; the message names the field."""


class IllegalAction(WinnableError):
    """The action exists in no state, or not in this one."""
