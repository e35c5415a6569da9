"""winnable: the analysis board for single-player puzzle games.

What is public stands in `__init__.pyi` and is imported when it is first asked for (SPEC 1 of Scientific
Python); everything else may change from one version to the next.
"""

import lazy_loader

__version__ = "0.1.0"
_public = lazy_loader.attach_stub(__name__, __file__)  # pyright: ignore[reportUnknownVariableType]
__getattr__, __dir__, __all__ = _public  # pyright: ignore[reportUnknownVariableType]
