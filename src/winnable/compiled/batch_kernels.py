"""What every batch of games keeps, whatever the game: who plays on, what was paid, which seed comes next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from winnable.compiled.jit import borrowing_kernel
from winnable.compiled.philox_kernels import following_seed
from winnable.contract.abilities import Ledger, Terms
from winnable.inert.arrays import I64, Bools, NDArray, np

NONE = -1


class Conditions(NamedTuple):
    """See `abilities.Terms`."""

    limit: int
    illegal: float
    strict: bool


class KernelBatch:
    """A `Batch` by a game's kernels `begin_all(workspace, rules, ledger)` and `step(actions, workspace,
    rules, ledger, conditions)`, whatever its workspace and its rules are.

    shown: the arrays of the workspace that are its fields
    """

    def __init__(
        self,
        kernels: tuple[Callable[..., None], Callable[..., int]],
        workspace: Any,
        rules: Any,
        shown: Mapping[str, NDArray[Any]],
        games: int,
        actions: int,
        terms: Terms,
    ) -> None:
        self.arrays, self.ledger = shown, new_ledger(games, actions)
        self._begin_all, self._step = kernels
        self._workspace, self._rules = workspace, rules
        self._conditions = Conditions(terms.limit, float(terms.illegal), terms.strict)

    @property
    def written(self) -> list[NDArray[Any]]:
        """Kernels write into no array that is read-only."""
        return [array for array in _arrays((self._workspace, self.ledger)) if array.flags.writeable]

    def begin(self, chosen: Bools | None = None) -> None:
        """What the others are is kept aside meanwhile, as the kernel begins all. A table of as many entries
        as there are games is put back with them, as it is."""
        games, others = self.ledger.seeds.size, slice(0) if chosen is None else ~chosen
        kept = [(array, array[others]) for array in self.written if array.ndim and len(array) == games]
        self._begin_all(self._workspace, self._rules, self.ledger)
        for array, values in kept:
            array[others] = values

    def warm(self) -> None:
        """Compiles the kernels: plays an action of each game."""
        self.begin()
        self.step(np.zeros(self.ledger.seeds.size, np.int64))

    def step(self, actions: I64) -> int:
        """Plays an action of each game; the first one that is refused, or NONE."""
        return self._step(actions, self._workspace, self._rules, self.ledger, self._conditions)


def _arrays(workspace: tuple[Any, ...]) -> Iterator[NDArray[Any]]:
    """The arrays of a workspace, and of the workspaces in it."""
    for part in workspace:
        if isinstance(part, np.ndarray):
            yield part
        elif isinstance(part, tuple):
            yield from _arrays(cast("tuple[Any, ...]", part))


def new_ledger(games: int, actions: int) -> Ledger:
    """A ledger of zeros for so many games."""
    return Ledger(
        np.zeros((games, actions), np.int8),
        np.zeros(games),
        np.zeros(games, np.bool_),
        np.zeros(games, np.bool_),
        np.zeros(games, np.int64),
        np.zeros(games, np.int64),
        np.zeros(games, np.int64),
    )


@borrowing_kernel
def first_refused(actions: I64, ledger: Ledger, conditions: Conditions) -> int:
    """The first game whose action is none of its level's, or is not legal and must be; NONE. What is said to
    a game that begins anew does not count."""
    for game in range(actions.size):
        action = actions[game]
        if ledger.over[game] or ledger.cut[game]:
            continue
        if not 0 <= action < ledger.masks.shape[1] or (conditions.strict and not ledger.masks[game, action]):
            return game
    return NONE


@borrowing_kernel
def begun_anew(game: int, ledger: Ledger) -> bool:
    """Whether the game had ended: then it has its next seed now."""
    if not (ledger.over[game] or ledger.cut[game]):
        return False
    ledger.seeds[game] = following_seed(ledger.seeds[game])
    return True


@borrowing_kernel
def begin_entry(game: int, ledger: Ledger) -> None:
    """All of it but the mask. A level may begin where no action is legal: its first step says that it is
    over."""
    ledger.rewards[game], ledger.over[game], ledger.cut[game] = 0.0, False, False
    ledger.steps[game] = ledger.turns[game] = 0


@borrowing_kernel
def pay(game: int, reward: float, ledger: Ledger, conditions: Conditions) -> None:
    """Pays for the action that was just played."""
    ledger.rewards[game] = reward
    ledger.steps[game] += 1
    ledger.cut[game] = ledger.steps[game] == conditions.limit


@borrowing_kernel
def pay_illegal(game: int, ledger: Ledger, conditions: Conditions) -> None:
    """Pays for an action that does nothing."""
    over = True
    for action in range(ledger.masks.shape[1]):
        over = over and ledger.masks[game, action] == 0
    ledger.over[game] = over
    pay(game, conditions.illegal, ledger, conditions)
