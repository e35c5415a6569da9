"""Makes levels of drops. All chance comes from `random.Random(seed).random()`, the same on every platform."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import Budget, LevelError, Search, unreadable
from winnable.contract.game import GaveUp, keep_to
from winnable.contract.provenance import Certificate, Provenance
from winnable.games.drops.rules.level import FULL, MAX_DROPS, MAX_ROUND, MAX_SIDE, Flash, Level, RuleName
from winnable.search.meter import Meter

if TYPE_CHECKING:
    from winnable.games.drops.measure.examination import Examination

MAX_PAR = FULL * MAX_SIDE**2
"""What cells of one drop lack, all together."""
EFFORT = 4_000_000
"""Chains that may be run for one level before it is given up: a count, not a clock, so that the same
arguments give the same level (or error) on a slow machine."""
FIRST_SHARE = 8_000
"""Of these, for each of the first boards: many are looked at briefly before any is looked at for long."""
MOST_BOARDS = 20_000
"""Drawn for one level."""
MOST_PASSED = 100
"""Boards that are too easy, before one is taken all the same."""

ONE_BOARD = {"only": {"mode": ["budget"]}}
Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]
Par = Annotated[int, Meta(ge=0, le=MAX_PAR, extra=ONE_BOARD)]
PerCent = Annotated[int, Meta(ge=0, le=100, extra=ONE_BOARD)]
Slack = Annotated[Literal["quick", "none", "0", "1", "2", "3", "4", "5", "10"], Meta(extra=ONE_BOARD)]


class Params(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `generate` takes. Whatever follows `mode` is for single boards, not for an endless series. Where
    nothing is asked of par, boards that one or two clicks clear are passed by, as far as there are others.

    density: units of water in hundredths per cell of the board; 0: as they are drawn, each amount as likely
             as any other
    filled:  per cent of the cells that hold drops; 0: as they are drawn
    par_min, par_max: bounds of the fewest clicks; 0: any
    keys:    how many cells are a good first click, one after which par - 1 clicks suffice; 0: any
    greedy_over, a_over: how many clicks more than par the player `greedy` and the article's algorithm A take
             at the least; 0: any
    slack:   the level gives par + slack drops; `quick`: as many as the best of a hundred games by chance
             takes; `none`: as many as it takes
    """

    rows: Side = 6
    columns: Side = 6
    rules: RuleName = "classic"
    mode: Literal["budget", "flash"] = "budget"
    density: Annotated[int, Meta(ge=0, le=100 * FULL, extra=ONE_BOARD)] = 0
    filled: PerCent = 0
    par_min: Par = 0
    par_max: Par = 0
    keys: Annotated[int, Meta(ge=0, le=MAX_SIDE**2, extra=ONE_BOARD)] = 0
    greedy_over: Par = 0
    a_over: Par = 0
    slack: Slack = "quick"

    @property
    def asks_for_par(self) -> bool:
        """Whether boards are to be solved."""
        wanted = (self.par_min, self.par_max, self.keys, self.greedy_over, self.a_over)
        return any(wanted) or self.slack not in ("none", "quick")


ONE_BOARD_FIELDS = Params.__struct_fields__[Params.__struct_fields__.index("mode") + 1 :]


def generate(params: Params, seed: int, budget: Budget | None = None) -> Search[Level]:
    """The level of `(params, seed)`: always the same one. When its par matters it has a certificate, whose
    line is the shortest there is. Raises LevelError, GaveUp when no board that fits is found."""
    _check(params, seed)
    rng = random.Random(seed)
    if params.asks_for_par:
        level = yield from _find(params, rng, budget or Budget())
    elif params.mode == "flash":
        level = draw(params, rng)
    else:
        level = yield from _draw_playable(params, rng, budget or Budget())
    return msgspec.structs.replace(
        level,
        flash=Flash(seed) if params.mode == "flash" else None,
        provenance=Provenance(
            f"drops/{params.mode}", __version__, msgspec.to_builtins(params, str_keys=True), seed
        ),
    )


def _draw_playable(params: Params, rng: random.Random, budget: Budget) -> Search[Level]:
    """Passes by what one or two clicks clear, where there are other boards."""
    from winnable.games.drops.measure.examination import Clicks  # compiles: only when needed

    level, meter = draw(params, rng), Meter(budget)
    for passed in range(MOST_PASSED):
        yield from keep_to(budget, passed)
        if not (yield from Clicks(level).clear_within_two(meter)):
            break
        level = draw(params, rng)
    if params.slack == "none":
        return level
    line = yield from Clicks(level).quick(rng, meter)
    certificate = Certificate("solved", "drops/quick", __version__, tuple(line), len(line))
    return msgspec.structs.replace(level, drops=len(line), certificate=certificate)


def next_flash_board(level: Level, tank: int) -> Level | None:
    """The board after `level` in its series, of the same size, with `tank` drops; None after the last."""
    assert level.flash is not None
    if level.flash.round == MAX_ROUND:
        return None
    flash = Flash(level.flash.series, level.flash.round + 1)
    # A string, because Python keeps the meaning of such seeds on every platform.
    rng = random.Random(f"{flash.series}.{flash.round}")
    board = draw(Params(rows=level.rows, columns=level.columns), rng).board
    return Level(board=board, rules=level.rules, drops=min(tank, MAX_DROPS), open=level.open, flash=flash)


def draw(params: Params, rng: random.Random) -> Level:
    """A board of the wanted size, density and filling, never an empty one; the amounts of all cells that may
    hold drops are drawn alike, then changed by one here and there until the density is right."""
    n, least = params.rows * params.columns, 1 if params.filled else 0
    while True:
        cells = _chosen(n, _share(params, params.filled), rng) if params.filled else range(n)
        drops = [0] * n
        for cell in cells:
            drops[cell] = least + int(rng.random() * (FULL + 1 - least))
        if params.density:
            _change_to(_share(params, params.density), drops, cells, least, rng)
        if any(drops):
            digits = "".join(map(str, drops))
            board = tuple(digits[start : start + params.columns] for start in range(0, n, params.columns))
            return Level(board=board, rules=params.rules)


def _chosen(n: int, count: int, rng: random.Random) -> list[int]:
    """So many of n cells, each set as likely as any other (Fisher and Yates, stopped early)."""
    cells = list(range(n))
    for place in range(count):
        other = place + int(rng.random() * (n - place))
        cells[place], cells[other] = cells[other], cells[place]
    return cells[:count]


def _change_to(
    water: int, drops: list[int], cells: range | list[int], least: int, rng: random.Random
) -> None:
    """One unit more or less in a cell drawn at random, until there is so much water in all of them."""
    missing = water - sum(drops)
    step = 1 if missing > 0 else -1
    while missing:
        cell = cells[int(rng.random() * len(cells))]
        if least <= drops[cell] + step <= FULL:
            drops[cell] += step
            missing -= step


def _share(params: Params, per_cent: int) -> int:
    """So many hundredths of the number of cells, rounded, at least one."""
    return max(1, (per_cent * params.rows * params.columns + 50) // 100)


def _check(params: Params, seed: int) -> None:
    try:
        msgspec.convert(msgspec.to_builtins(params), Params)
    except msgspec.ValidationError as error:
        raise unreadable(error).within("params") from None
    if not 0 <= seed <= MAX_SEED:
        raise LevelError("params.range", field="seed", given=seed, low=0, high=MAX_SEED)
    for name in ONE_BOARD_FIELDS if params.mode == "flash" else ():
        if getattr(params, name) != getattr(Params(), name):
            raise LevelError("drops.flash", field=name)
    if 0 < params.par_max < params.par_min:
        raise LevelError(
            "params.between", field="par_min", low=params.par_min, name="par_max", high=params.par_max
        )
    if params.density and params.filled:
        cells, water = _share(params, params.filled), _share(params, params.density)
        if not cells <= water <= FULL * cells:
            raise LevelError("drops.water", field="density", water=water, cells=cells)
    _check_possible(params)


def _check_possible(params: Params) -> None:
    """By what holds for every board (see bounds.py): clicks are cells - water + droplets lost, of which a row
    and a column lose 2 each at the least; and they are no more than all cells lack."""
    n, water = params.rows * params.columns, _share(params, params.density) if params.density else 0
    cells = _share(params, params.filled) if params.filled else min(n, water or n)
    least = cells - water + 4 if params.filled and water else 1
    most = (FULL + 1) * cells - (water or cells)
    if params.keys > cells:
        raise LevelError("drops.keys", field="keys", given=params.keys, cells=cells)
    if 0 < params.par_max < least:
        raise LevelError("drops.least", field="par_max", given=params.par_max, cells=cells, clicks=least)
    for name in ("par_min", "greedy_over", "a_over"):
        par = 0 if name == "par_min" else max(least, params.par_min)
        if (wanted := getattr(params, name)) and par + wanted > most:
            raise LevelError("drops.most", field=name, given=par + wanted, cells=cells, clicks=most)


def _find(params: Params, rng: random.Random, budget: Budget) -> Search[Level]:
    """Draws boards until one fits."""
    # They compile: only when needed.
    from winnable.games.drops.measure.examination import Examination, expected_par

    spent, boards, meter = 0, 0, Meter(budget)
    yield from keep_to(budget)
    while spent < EFFORT and boards < MOST_BOARDS and budget.limit(boards) is None:
        if meter.is_due:
            yield from meter.allows("making")
        level = draw(params, rng)
        boards += 1
        if not params.par_min - 3 <= expected_par(level) <= (params.par_max or MAX_PAR):
            continue
        most = max(FIRST_SHARE, spent // 16)
        examination = Examination(level, most, params.par_max or MAX_PAR, budget.counting())
        if (yield from _fits(params, examination)):
            drops = yield from _drops(params, examination, rng, meter)
            return msgspec.structs.replace(level, drops=drops, certificate=examination.certificate())
        spent += examination.chains
    code = "drops.none" if budget.limit(boards) is None else "drops.none.yet"
    raise GaveUp(code, field="params", boards=boards)


def _drops(params: Params, examination: Examination, rng: random.Random, meter: Meter) -> Search[int | None]:
    """That the level gives."""
    assert examination.par is not None
    if params.slack == "quick":
        return len((yield from examination.clicks.quick(rng, meter)))
    return None if params.slack == "none" else examination.par + int(params.slack)


def _fits(params: Params, examination: Examination) -> Search[bool]:
    """What is cheap is asked first."""
    par = yield from examination.prove()
    if par is None or par < params.par_min or (params.par_max and par > params.par_max):
        return False
    for wanted, rival in ((params.greedy_over, examination.greedy), (params.a_over, examination.a)):
        clicks = (yield from rival()) if wanted else None
        if wanted and (clicks is None or clicks - par < wanted):
            return False
    if not params.keys:
        return True
    good = yield from examination.good_first_clicks(params.keys + 1)
    return good is not None and len(good) == params.keys
