"""What all messages have in common: JSON, one object each, told apart by `type`."""

from __future__ import annotations

from msgspec import Struct


class ToServer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    pass


class ToPage(Struct, frozen=True, tag_field="type"):
    pass
