"""Optimisers' states as JSON values, and their reading: a damaged state is refused, never half loaded.

Floats are written as such (their text gives them back bit by bit), what JSON has no number for as the words
"inf", "-inf" and "nan".
"""

from __future__ import annotations

from math import isfinite
from typing import Any, cast

from winnable.inert.arrays import np
from winnable.optimize.base import Floats, Genomes

PCG_BITS = 128


def to_json(values: Genomes) -> list[Any]:
    """The array as nested lists of numbers."""
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return values.tolist()
    return [_words(value) for value in values.tolist()]


def _words(value: Any) -> Any:
    if isinstance(value, list):
        return [_words(item) for item in cast("list[Any]", value)]
    return value if isfinite(value) else str(value)


def rng_to_json(rng: np.random.Generator) -> dict[str, Any]:
    """The state of a generator over PCG64; its 128-bit numbers as hexadecimal text, since not every JSON
    reader knows numbers so large."""
    state = cast("dict[str, Any]", rng.bit_generator.state)
    return {
        "state": f"{state['state']['state']:x}",
        "inc": f"{state['state']['inc']:x}",
        "has_uint32": int(state["has_uint32"]),
        "uinteger": int(state["uinteger"]),
    }


class StateReader:
    """Reads the fields of a mapping. Every method raises ValueError `WHERE: FIELD: ...`."""

    def __init__(self, value: Any, where: str = "state") -> None:
        self._where, self._fields = where, _mapping(where, value)

    def check_header(self, kind: str, settings: dict[str, Any]) -> None:
        """kind, settings: as written by `header`; a state of another optimiser is refused."""
        if self.value("optimizer") != kind:
            raise ValueError(f"state: optimizer: {self.value('optimizer')!r} is not {kind!r}")
        theirs = self.part("settings")
        for name in sorted(settings.keys() | theirs.keys()):
            if name not in settings or name not in theirs or theirs[name] != settings[name]:
                raise ValueError(
                    f"state: settings: {name} is {theirs.get(name)!r}, "
                    f"but this optimizer has {settings.get(name)!r}"
                )

    def value(self, name: str) -> Any:
        """The field, whatever it is; it must be there."""
        if name not in self._fields:
            raise ValueError(f"{self._where}: {name}: missing")
        return self._fields[name]

    def part(self, name: str) -> dict[str, Any]:
        """A mapping with text keys."""
        return _mapping(f"{self._where}: {name}", self.value(name))

    def integer(self, name: str, low: int = 0, high: int = 2**53) -> int:
        """A whole number in low ... high."""
        value = self.value(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"{self._where}: {name}: {value!r} is no whole number")
        if not low <= value <= high:
            raise ValueError(f"{self._where}: {name}: {value} is out of range")
        return value

    def number(self, name: str, infinite: bool = False) -> float:
        """A number; infinite ones only where they are allowed."""
        return float(self.floats(name, (), infinite=infinite))

    def floats(self, name: str, shape: tuple[int, ...], infinite: bool = False, nan: bool = False) -> Floats:
        """shape: -1 for any length; infinite, nan: whether these are allowed."""
        values = _array(f"{self._where}: {name}", self.value(name), np.dtype(np.float64), shape)
        if (not nan and np.isnan(values).any()) or (not infinite and np.isinf(values).any()):
            raise ValueError(f"{self._where}: {name}: some number is not finite")
        return values

    def genomes(self, name: str, shape: tuple[int, ...], dtype: Any, low: Any, high: Any) -> Genomes:
        """Genomes within the bounds low, high (numbers or [genes])."""
        values = _array(f"{self._where}: {name}", self.value(name), np.dtype(dtype), shape)
        if not ((values >= low) & (values <= high)).all():
            raise ValueError(f"{self._where}: {name}: some gene is out of bounds or not a number")
        return values

    def integers(self, name: str, shape: tuple[int, ...], low: int = 0, high: int = 2**62) -> Genomes:
        """Whole numbers in low ... high; shape: -1 for any length."""
        return self.genomes(name, shape, np.int64, low, high)

    def rng(self, name: str = "rng") -> np.random.Generator:
        """A generator as `rng_to_json` wrote it."""
        fields = self.part(name)
        try:
            numbers = [int(fields[key], 16) for key in ("state", "inc")]
            small = [int(fields[key]) for key in ("has_uint32", "uinteger")]
            if not all(0 <= number < 2**PCG_BITS for number in numbers) or numbers[1] % 2 == 0:
                raise ValueError(numbers)
            if small[0] not in (0, 1) or not 0 <= small[1] < 2**32:
                raise ValueError(small)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{self._where}: {name}: no state of a random generator ({error})") from None
        bits = np.random.PCG64()
        bits.state = {
            "bit_generator": "PCG64",
            "state": {"state": numbers[0], "inc": numbers[1]},
            "has_uint32": small[0],
            "uinteger": small[1],
        }
        return np.random.Generator(bits)


def header(kind: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The first fields of every state. settings: JSON values that must be the same to continue the run."""
    return {"optimizer": kind, "settings": settings}


def _mapping(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name}: a mapping is needed, not {value!r:.50}")
    return cast("dict[str, Any]", value)


def _array(name: str, value: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Genomes:
    """shape: -1 for any length of an axis. An empty list may stand for no rows of any length."""
    if value == [] and shape and shape[0] in (-1, 0):
        return np.zeros([max(length, 0) for length in shape], dtype)
    try:
        values = np.array(value, dtype if dtype.kind == "f" else None)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name}: no array of numbers") from None
    if dtype.kind == "i" and values.dtype.kind != "i":
        raise ValueError(f"{name}: whole numbers are needed")
    if len(values.shape) != len(shape) or any(
        wanted not in (-1, length) for wanted, length in zip(shape, values.shape, strict=False)
    ):
        raise ValueError(f"{name}: shape {values.shape} instead of {shape}")
    return values.astype(dtype)
