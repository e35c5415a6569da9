"""winnable: the analysis board for single-player puzzle games."""

__version__ = "0.1.0"
