"""The article's test of its optimiser: the sphere function in 30 dimensions, 60 genomes, 1,000
generations."""

import numpy as np

from winnable.optimize import DifferentialEvolution

GENES = 30


def main() -> None:
    low, high = np.full(GENES, -100.0), np.full(GENES, 100.0)
    optimizer = DifferentialEvolution(low, high, population_size=60, seed=1, max_generations=1000)
    while not optimizer.should_stop():
        genomes = optimizer.ask()
        optimizer.tell(genomes, (genomes**2).sum(axis=1))
    genome, loss = optimizer.best
    print(
        f"loss {loss:.3g} after {optimizer.evaluations} evaluations; largest gene {np.abs(genome).max():.3g}"
    )


if __name__ == "__main__":
    main()
