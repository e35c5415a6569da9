"""Controllers that look one piece further.

A placement is worth what its own features and those of the best placement that follows come to: the landing
height, the eroded cells and the lines of both, as rewards are summed, and the wall that both leave, counted
once (a search two pieces deep; without preview, expectimax with the mean over the pieces that may come). To
count the wall between them, too, cleared fewer lines.

A next piece that has no placement left is worse than anything: the fewest such pieces come first, then the
value, over those that remain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from winnable.contract.core import Action, Budget, Search, finish
from winnable.games.tetris.players.controllers import CONTROLLERS, DANGER, Controller
from winnable.games.tetris.players.placement import Placement
from winnable.games.tetris.players.surface import SURFACE
from winnable.games.tetris.rules.puzzle import State, Tetris
from winnable.search.meter import Meter

OF_PLACEMENTS = ("landing_height", "eroded_cells", "lines")
"""Features of how a piece is set down; the others are of the wall."""


def looks_ahead(weights: Mapping[str, float]) -> bool:
    """Whether a controller can: the kernels count the published features alone, and know no danger."""
    return not any(name.endswith(DANGER) or name in SURFACE for name in weights)


def of_placements(controller: Controller) -> Controller:
    """The controller without its weights of the wall."""
    kept = {name: weight for name, weight in controller.weights.items() if name in OF_PLACEMENTS}
    return replace(controller, weights=kept)


@dataclass(frozen=True, slots=True)
class LooksAhead:
    controller: Controller

    @property
    def name(self) -> str:
        """The name of the controller, with `-ahead`."""
        return f"{self.controller.name}-ahead"

    def choose(self, game: Tetris, state: State) -> Action:
        """A legal action of a state that has one; the first of equals. By the readable features, some
        thousands of placements: a second, where the next piece is not seen."""
        return finish(self.choosing(game, state))

    def choosing(self, game: Tetris, state: State) -> Search[Action]:
        """Choose as `choose` does, step by step."""
        first, actions, meter = of_placements(self.controller), game.legal_actions(state), Meter(Budget())
        best: tuple[tuple[int, float], Action] | None = None
        for action in actions:
            placed = Placement(game, state, action)
            if placed.over:
                continue
            deadly, follow_up = yield from self._follow_up(game, state, action, meter)
            rank = -deadly, first.value(placed) + follow_up
            if best is None or rank > best[0]:
                best = rank, action
        return actions[0] if best is None else best[1]

    def _follow_up(
        self, game: Tetris, state: State, action: Action, meter: Meter
    ) -> Search[tuple[int, float]]:
        """How many of the next pieces have no placement, and the mean of the others' best."""
        after, _ = game.afterstate(state, action)
        states = {outcome.piece: outcome for _, outcome in game.outcomes(after)}.values()
        total, alive = 0.0, 0
        for following in states:
            if meter.is_due:
                yield from meter.allows("outlook")
            placements = [Placement(game, following, legal) for legal in game.legal_actions(following)]
            if values := [self.controller.value(placed) for placed in placements if not placed.over]:
                total, alive = total + max(values), alive + 1
        return len(states) - alive, total / alive if alive else 0.0


LOOKING_AHEAD: dict[str, LooksAhead] = {
    player.name: player
    for player in map(LooksAhead, CONTROLLERS.values())
    if looks_ahead(player.controller.weights)
}
