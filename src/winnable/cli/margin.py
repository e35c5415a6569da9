"""`winnable margin`: how much room is there, for a player at the start of a level or later in a game?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from msgspec import Struct

from winnable.cli.options import (
    board_argument,
    example,
    json_option,
    level_argument,
    memory_option,
    seed_option,
    time_option,
)
from winnable.cli.output import emit_json, say
from winnable.contract.abilities import Chance, Solves
from winnable.contract.core import (
    Budget,
    Search,
    WinnableError,
    collected,
    parsed_action,
    replay,
    searching,
    split_actions,
)
from winnable.words import t

if TYPE_CHECKING:
    from winnable.analysis.by_proof import ByProof
    from winnable.analysis.margin import Margin, Share
    from winnable.analysis.verdicts import Verdict

EXIT_CODES = {"winnable": 0, "lost": 1, "unknown": 3}
LINE_SHARE, CHANCE_SHARE = 0.5, 0.1
"""Of the time: for the verdict and the fewest actions, and for the estimate."""


class Room(Struct, frozen=True):
    """What `margin --json` prints. `wins` and `fewest`: of how many legal actions it is proved that they do,
    and of how many it is not known; None where that is no question."""

    game: str
    level_id: str
    ply: int
    verdict: Verdict
    legal: int
    wins: Share | None
    fewest: Share | None
    chance: Chance | None


@click.command(
    "margin",
    epilog=example(
        "Examples:\n"
        "  winnable margin triple/3-butterfly\n"
        "  winnable margin drops/07-butterfly --after '(2,1) (1,2)' --time 10 --json"
    ),
)
@level_argument
@board_argument
@click.option(
    "--after", metavar="ACTIONS", default="", help="Actions that were played; blanks or semicolons between."
)
@time_option(20)
@seed_option("Deals a file that holds a layout only; also feeds the estimate's chance.")
@memory_option
@json_option
def margin_command(
    level: str, board: str | None, after: str, seconds: float, seed: int, memory: int, as_json: bool
) -> int:
    """Say how many of the actions that are legal now still win LEVEL (or the BOARD of a GAME), and how many
    keep the fewest; where faces are hidden also what a person may hope for who does not see them.

    Each of them has a line that the rules replayed, each other one a proof; else it says `at least`. Exit
    code: 0 winnable, 1 proved lost, 3 neither within the budget.
    """
    from winnable.analysis import companion_of
    from winnable.analysis.margin import Margin, margins
    from winnable.cli.levels import load_position
    from winnable.cli.work import Work

    named, before = load_position(level, seed, seconds, board)
    game, puzzle = named.game, named.game.puzzle(named.level)
    if not isinstance(game, Solves):
        raise WinnableError("none", field="margin", game=game.name)
    actions = before + [parsed_action(puzzle, action) for action in split_actions(after)]
    state = replay(puzzle, actions)
    known: ByProof = companion_of(game, named.level, puzzle)  # type: ignore[assignment]

    def ask(budget: Budget) -> Search[tuple[Margin, Chance | None]]:
        solver = game.live_solver(puzzle)
        known.learn(state, (yield from searching(solver(puzzle, state, budget.part(LINE_SHARE), 0))))
        chances = yield from collected(known.chance(state, budget.part(CHANCE_SHARE)))
        found = yield from collected(margins(known, state, budget))
        return found[-1] if found else Margin(0, None, None), chances[-1] if chances else None

    with Work(t("cli.work.solving")) as work:
        margin, chance = work.search(ask, seconds, memory)
    verdict = known.verdict(state)
    if as_json:
        wins, fewest = margin.wins, margin.fewest
        emit_json(Room(game.name, named.id, len(actions), verdict, margin.legal, wins, fewest, chance))
    else:
        _say(verdict, margin, chance)
    return EXIT_CODES[verdict]


def _say(verdict: Verdict, margin: Margin, chance: Chance | None) -> None:
    say(t(f"lamp.{verdict}"))
    for what, share in (("wins", margin.wins), ("fewest", margin.fewest)):
        if share is not None and margin.legal:
            n = t("margin.least", n=share.yes) if share.open else f"{share.yes:,}"
            key = f"margin.{what}.{'one' if share.yes == 1 else 'other'}"
            say(t(key, n=n, legal=f"{margin.legal:,}"))
    if chance is not None:
        say(
            t(
                "margin.chance.long",
                player=t(f"method.{chance.player}"),
                share=f"{chance.won / chance.games:.0%}",
                low=f"{chance.low:.0%}",
                high=f"{chance.high:.0%}",
                games=chance.games,
            )
        )
