"""What the article's methods for rotate can be set to. Nothing here compiles."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

Seconds: TypeAlias = Annotated[float, Meta(ge=0, le=86_400)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Population: TypeAlias = Annotated[int, Meta(ge=2, le=100_000)]
Length: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
Generations: TypeAlias = Annotated[int, Meta(ge=1, le=10_000_000)]


class GeneticSettings(Struct, frozen=True):
    """The article's numbers, and its names of them; what it calls M, L, MAX_M and MAX_N is `population`,
    `length`, `generations` and `stalled`. length: 0: several, one after the other."""

    population: Population = 50
    length: Length = 6
    pc: Share = 0.6
    pm: Share = 0.15
    generations: Generations = 10_000
    stalled: Generations = 1000
    seconds: Seconds = 300


class ImprovedSettings(Struct, frozen=True):
    """mutated: turns of a sequence that mutate, in the mean; tournament: how many of which the best is a
    parent; elites: how many of the best survive."""

    population: Population = 50
    length: Length = 0
    pc: Share = 0.6
    mutated: Annotated[float, Meta(ge=0, le=1000)] = 1
    tournament: Annotated[int, Meta(ge=1, le=100_000)] = 3
    elites: Annotated[int, Meta(ge=0, le=100_000)] = 1
    generations: Generations = 10_000
    stalled: Generations = 1000
    seconds: Seconds = 300


class SearchSettings(Struct, frozen=True):
    """depth: turns of the longest line; 0: any."""

    depth: Length = 0
    seconds: Seconds = 300
