"""Numpy and numba from the first use on: whatever needs them can be imported without."""
