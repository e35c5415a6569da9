"""What games say of their arrays, as Gymnasium says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

import numpy as np
from gymnasium.spaces import Box, Dict, Space
from numpy.typing import NDArray

from winnable.contract.abilities import Field

Observation: TypeAlias = dict[str, NDArray[Any]]


def observation_space(fields: Mapping[str, Field]) -> Space[Observation]:
    """The space of what `fields` describe."""
    spaces: dict[str, Space[Any]] = {
        name: Box(field.low, field.high, field.shape, np.dtype(field.dtype).type)
        for name, field in fields.items()
    }
    return cast("Space[Observation]", Dict(spaces))
