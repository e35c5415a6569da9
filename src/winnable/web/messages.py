"""What all messages have in common: JSON, one object each, told apart by `type`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Name = Annotated[str, Meta(max_length=64)]
Settings = Annotated[dict[Name, int | float | Name], Meta(max_length=32)]
"""What a method is set to; what is missing has its default."""


class ToServer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """What the page says; whatever does not fit is refused."""


class SetMethod(Struct, frozen=True, forbid_unknown_fields=True):
    """A method as it is named, and set."""

    name: Name
    settings: Settings = {}


class ToPage(Struct, frozen=True, tag_field="type"):
    """What the server says."""
