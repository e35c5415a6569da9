"""Optimisers, asked for genomes and told their losses; they minimise, and the caller owns the loop."""

from winnable.optimize.base import Optimizer
from winnable.optimize.cma_es import CMAES
from winnable.optimize.cross_entropy import CrossEntropy
from winnable.optimize.differential_evolution import DifferentialEvolution
from winnable.optimize.genetic import Genetic
from winnable.optimize.genomes import RealGenes, SequenceGenes
from winnable.optimize.lshade import JSO, LSHADE, AdaptiveDE

__all__ = [
    "CMAES",
    "JSO",
    "LSHADE",
    "AdaptiveDE",
    "CrossEntropy",
    "DifferentialEvolution",
    "Genetic",
    "Optimizer",
    "RealGenes",
    "SequenceGenes",
]
