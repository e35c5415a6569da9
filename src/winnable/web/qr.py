"""QR codes of links (ISO/IEC 18004)."""

from __future__ import annotations

MOST_VERSION = 25
"""117 modules a side: a phone reads no finer ones off a wall."""


def qr_rows(text: str) -> list[str] | None:
    """The modules, a row each, `1` for a dark one, without the light margin of four. A code that bears more
    damage where it is small enough; None where the text is too long."""
    import segno  # here alone: few pages ask for one

    for error in ("m", "l"):
        try:
            code = segno.make_qr(text, error=error)
        except segno.DataOverflowError:
            continue
        if int(code.version) <= MOST_VERSION:
            return ["".join(map(str, row)) for row in code.matrix]
    return None
