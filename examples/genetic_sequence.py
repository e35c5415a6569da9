"""The article's genetic algorithm on a sequence puzzle: order six tiles by six moves, each of which turns a
stretch of neighbouring tiles around."""

from itertools import combinations

from winnable.optimize.genetic import Genetic

START = [3, 6, 1, 5, 2, 4]
MOVES: list[tuple[int, int]] = list(combinations(range(len(START) + 1), 2))
"""Gene g turns around the tiles MOVES[g][0] ... MOVES[g][1] - 1."""


def played(genome: list[int]) -> list[int]:
    tiles = START.copy()
    for gene in genome:
        first, end = MOVES[gene]
        tiles[first:end] = reversed(tiles[first:end])
    return tiles


def fitness(genome: list[int]) -> int:
    """How many tiles are in place, which is to be as large as possible."""
    return sum(tile == place for place, tile in enumerate(played(genome), 1))


def main() -> None:
    optimizer = Genetic.rotate_article(len(MOVES), seed=1, fitness=lambda losses: -losses, target=-len(START))
    while not optimizer.should_stop():
        genomes = optimizer.ask()
        optimizer.tell(genomes, [-fitness(genome) for genome in genomes.tolist()])
    genome, loss = optimizer.best
    print(f"{-loss:.0f} of {len(START)} tiles in place after {optimizer.generation} generations")
    print("turned:", " ".join(f"{MOVES[gene][0] + 1}-{MOVES[gene][1]}" for gene in genome.tolist()))


if __name__ == "__main__":
    main()
