"""Tuning: joins what has weights (a `Tunable`), an optimiser and an executor."""
