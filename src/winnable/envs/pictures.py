"""Pictures of boards as arrays."""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from winnable.contract.core import WinnableError


@cache
def _font() -> tuple[Path, str]:
    """Pillow's own, as a file that this process removes at its end, and its family: so pictures are the same
    everywhere."""
    font: Any = import_module("PIL.ImageFont").load_default(16)
    folder = Path(mkdtemp(prefix="winnable-font-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / "font.ttf"
    path.write_bytes(font.font_bytes)
    return path, font.getname()[0]


def rasterised(svg: str, size: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """uint8 [height, width, 3], on white. size: width and height; a picture of another size is fitted into
    it. Raises WinnableError without what draws them."""
    try:
        draw: Any = import_module("resvg_py")
        image: Any = import_module("PIL.Image")
    except ModuleNotFoundError as error:
        raise WinnableError("extra", field="render_mode", name=error.name, extra="gym") from error
    path, family = _font()
    png: bytes = draw.svg_to_bytes(
        svg_string=svg,
        background="#ffffff",
        skip_system_fonts=True,
        font_files=[str(path)],
        font_family=family,
        sans_serif_family=family,
    )
    drawn = image.open(BytesIO(png)).convert("RGB")
    if size is not None and drawn.size != size:
        drawn = import_module("PIL.ImageOps").pad(drawn, size, color="white")
    return np.array(drawn)
