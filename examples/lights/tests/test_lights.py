from itertools import combinations

from winnable_lights.game import GAME, Lights
from winnable_lights.solver import lines

from winnable import tasks
from winnable.contract.core import Budget, finish
from winnable.testing import GameContract


class TestLights(GameContract):
    name = "lights"


def test_the_fewest_presses_are_those_of_brute_force() -> None:
    for seed in range(20):
        puzzle = Lights(finish(GAME.generate(GAME.params_type(rows=3, columns=3, par=1 + seed % 4), seed)))
        lit, every = puzzle.initial().lit, range(puzzle.num_actions)
        sets = (chosen for count in range(10) for chosen in combinations(every, count))
        shortest = next(chosen for chosen in sets if _puts_out(puzzle, lit, chosen))
        assert min(len(line) for line in lines(puzzle, lit) if line is not None) == len(shortest)
        found = finish(GAME.solvers["fewest"](puzzle, puzzle.initial(), Budget(), 0))
        assert (found.cost, found.optimal) == (len(shortest), True)


def _puts_out(puzzle: Lights, lit: int, chosen: tuple[int, ...]) -> bool:
    for cell in chosen:
        lit ^= puzzle.switches[cell]
    return lit == 0


def test_each_word_has_tasks() -> None:
    for word in GAME.tasks:
        task = tasks.make("lights", seed=1, difficulty=word, solvable=True)
        assert task.difficulty == word
        assert task.score(list(task.line)).value == 1
        assert tasks.make("lights", seed=1, difficulty=word, solvable=False).answer == "unsolvable"
