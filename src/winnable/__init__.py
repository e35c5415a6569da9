"""winnable: the analysis board for single-player puzzle games.

What is public stands in `__init__.pyi`, for type checkers and for this module alike, and is imported when it
is first asked for; everything else may change from one version to the next.
"""

__version__ = "0.4.0"

with open(f"{__file__.rstrip('c')}i", encoding="utf-8") as _stub:
    _PLACES = {words[3]: words[1] for words in map(str.split, _stub) if words[:1] == ["from"]}
"""Names -> the modules that have them. Read so because Python's own parser takes 10 ms to load."""
__all__ = [*_PLACES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        from difflib import get_close_matches  # what errors look with comes here itself, for `winnable.words`

        near = "".join(f"; did you mean {close}?" for close in get_close_matches(name, __all__, 1))
        # Without the module: else Python, where it shows the error, says once more what was meant.
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{near}", name=name, obj=None)
    from importlib import import_module

    found = globals()[name] = getattr(import_module(_PLACES[name], __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
