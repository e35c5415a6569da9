"""The store of whoever uses the command line."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from winnable.cli.output import note
from winnable.words import language

if TYPE_CHECKING:
    from winnable.store.database import Store


@contextmanager
def opened_store(whole: bool = False) -> Generator[Store]:
    """The user's own; that it was damaged is told. Raises StoreError where it cannot be opened, and where it
    must be whole and was damaged."""
    from winnable.store.database import Store, data_folder

    store = Store(data_folder(), in_memory=False)
    try:
        if store.fault is not None and whole:
            raise store.fault
        if store.fault is not None:
            note(store.fault.said(language()))
        yield store
    finally:
        store.close()
