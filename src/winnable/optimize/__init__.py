"""Optimisers, asked for genomes and told their losses; they minimise, and the caller owns the loop."""

from winnable.optimize.differential_evolution import DifferentialEvolution
from winnable.optimize.lshade import JSO, LSHADE, AdaptiveDE

__all__ = ["JSO", "LSHADE", "AdaptiveDE", "DifferentialEvolution"]
