"""Kernels by Numba: how one is declared, kept on disk and compiled, and those that several games use."""
