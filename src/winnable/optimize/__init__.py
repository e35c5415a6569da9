"""Optimisers, asked for genomes and told their losses; they minimise, and the caller owns the loop."""

from winnable.optimize.differential_evolution import DifferentialEvolution

__all__ = ["DifferentialEvolution"]
