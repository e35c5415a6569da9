"""The checker in JavaScript says of every certificate what the rules here say of it."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from msgspec.structs import replace

import winnable
from tests.games.triple.naive_triple import random_level
from winnable.contract.core import Budget, WinnableError, finish
from winnable.contract.provenance import Certificate, ClosedSet
from winnable.contract.registry import OURS, load_game
from winnable.games.drops.rules import level as drops
from winnable.games.drops.rules.puzzle import Drops, tank_needed
from winnable.games.rotate.rules import level as rotate
from winnable.games.rotate.rules.blocks import turned
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.triple.rules.level import Tools
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.closed_sets import READINGS, find_closed_set
from winnable.games.triple.solve.refutation import refutation_fault
from winnable.levels.certificates import certificate_fault, line_certificate
from winnable.levels.files import decode, encode_level, shipped_levels
from winnable.site.downloads import NODE

CHECKER = Path(__file__).parents[2] / "clients" / "js" / "winnable-check.mjs"
RUNNER = Path(__file__).with_name("check_lines.mjs")
MOST_LINES = 250
REJECTED = 10_000
SHORT = 2500
"""Bytes of the levels that are changed, each of them again and again."""
FORMATS = {f"winnable.{name}/1": name for name in ("triple", "drops", "rotate")}
"""That it knows: 2048 and tetris have no goal that a line could reach."""


FIELD = re.compile(r"(level|certificate|closed_set|actions|cost|lower_bound)\b[^ ]*: ")
"""Begins a reason."""


class Case(NamedTuple):
    """origin: `ours`, `made` or `mutant`"""

    origin: str
    level: bytes
    expected: str
    verdict: str = ""
    reason: str = ""


def expected(level: bytes) -> str:
    """What the rules here say."""
    form = json.loads(level).get("format")
    if isinstance(form, str) and form not in FORMATS:
        return "unchecked"
    try:
        game = load_game(FORMATS.get(form, ""))
        read = decode(level, game.level_type)
        puzzle = game.puzzle(read)
    except (WinnableError, TypeError):
        return "fails"
    if read.certificate is None:
        return "unchecked"
    try:
        return "fails" if certificate_fault(game, puzzle, read.certificate) else "holds"
    except WinnableError as error:
        return "unchecked" if error.code == "closed.lacks" else str(error)


def ask(levels: list[bytes]) -> list[dict[str, str]]:
    """What the checker says of each."""
    given = b"\n".join(levels)
    done = subprocess.run([*NODE, RUNNER, CHECKER], input=given, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """All that the checker is asked, in one process, with its answers."""
    ours = [encode_level(level) for name in OURS for _, level in shipped_levels(load_game(name))]
    made = [*of_commands(), *drawn(random.Random(1)), *edges()]
    asked = [Case("ours", level, expected(level)) for level in ours]
    asked += [Case("made", level, expected(level)) for level in made]
    asked += mutants(random.Random(2), [case.level for case in asked if len(case.level) <= SHORT])
    answers = ask([case.level for case in asked])
    return [case._replace(**answer) for case, answer in zip(asked, answers, strict=True)]


def of_commands() -> Iterator[bytes]:
    """What our solvers certify."""
    for game, params in {
        "drops": "par_min=3",
        "rotate": "par_min=2,rows=4,columns=4",
        "triple": "layers=6,sets=3",
    }.items():
        for board in winnable.generate(game, count=3, seed=1, certify=True, params=params):
            yield encode_level(board.named.level)
    for board in winnable.generate("triple", count=5, seed=1, layers=6, sets=3):
        level = replace(board.named.level, slots=3)
        claim = finish(find_closed_set(Triple(level), 0, Budget()))
        assert claim is not None
        yield with_closed_set(level, claim)


# Lines that are played at random, and sets that the rules count.


def drawn(rng: random.Random) -> Iterator[bytes]:
    for _ in range(300):
        level = random_level(rng, 18)
        yield from closed_sets(rng, level)
        yield from played(rng, level)
        tools = Tools(*(rng.choice([0, 1, 3, 9]) for _ in range(3)), seed=rng.randrange(2**53))
        yield from played(rng, replace(level, tools=tools))
        for _ in range(4):
            for line in played(rng, drawn_drops(rng)):
                yield from (line, *tight(line))
        yield turned_rotate(rng)


def with_closed_set(level: Any, claim: ClosedSet) -> bytes:
    return encode_level(replace(level, certificate=Certificate("unsolvable", "drawn", "1", closed_set=claim)))


def closed_sets(rng: random.Random, level: Any) -> Iterator[bytes]:
    """Of the level, or of some of its kinds, in both readings, where nothing wins."""
    kinds = sorted(set(level.kinds))
    part = rng.sample(kinds, rng.randint(1, len(kinds)))
    for reading in READINGS:
        claim = ClosedSet(reading, 10**6, tuple(rng.choice([[], part])))
        fault = refutation_fault(Triple(level), claim)
        if fault is not None and fault.code == "closed.fewer":
            yield with_closed_set(level, replace(claim, positions=fault.values["found"]))


def played(rng: random.Random, level: Any, most: int = 60) -> Iterator[bytes]:
    """With a line, where one that is played at random wins."""
    puzzle = load_game(FORMATS[json.loads(encode_level(level))["format"]]).puzzle(level)
    state, line = puzzle.initial(), list[int]()
    while len(line) < most and (actions := puzzle.legal_actions(state)):
        tools = actions[-3:] if getattr(level, "tools", None) and rng.random() < 0.3 else actions
        line.append(rng.choice(tools))
        state = puzzle.apply(state, line[-1])
    if puzzle.is_goal(state):
        yield encode_level(replace(level, certificate=line_certificate("drawn", line)))


def drawn_drops(rng: random.Random) -> drops.Level:
    columns, mode = rng.randint(1, 5), rng.choice(["free", "drops", "tank", "flash"])
    rows = ["".join(rng.choice("0233444") for _ in range(columns)) for _ in range(rng.randint(1, 5))]
    return drops.Level(
        board=("4" * columns, *rows),
        rules=rng.choice(["classic", "snappers", "symmetric", "half"]),
        drops=rng.randint(3, 12) if mode in ("drops", "tank") else None,
        every=rng.randint(1, 3) if mode == "tank" else None,
        open=rng.random() < 0.3,
        flash=drops.Flash(7, 2) if mode == "flash" else None,
        title={"en": "Drawn", "zh-CN": "随机"},
    )


def tight(content: bytes) -> Iterator[bytes]:
    """With as many drops as the line takes, and with one fewer."""
    level = decode(content, drops.Level)
    puzzle, line = Drops(level), level.certificate.actions if level.certificate else ()
    needed = tank_needed(puzzle, puzzle.initial(), line)
    for at_hand in (needed, needed - 1):
        if at_hand >= 0:
            yield encode_level(replace(level, drops=at_hand))


def turned_rotate(rng: random.Random) -> bytes:
    """A finished board after a few turns, with a way back; of those that are finished halfway, too."""
    rows, columns, is_pairs = rng.randint(2, 6), rng.choice([2, 4, 6]), rng.random() < 0.5
    board = [
        tuple(row * columns // 2 + column // 2 if is_pairs else row // 2 for column in range(columns))
        for row in range(rows)
    ]
    board[0] = board[0] if is_pairs else (25,) * columns
    level = rotate.Level(board=tuple(board), rules="pairs" if is_pairs else "clusters")
    puzzle, cells, line = Rotate(level), level.cells, list[int]()
    for action in rng.choices(range(puzzle.num_actions), k=rng.randint(1, 4)):
        block, quarters = puzzle.block(action)
        cells = turned(cells, columns, block, quarters)
        line = ([action] * 3 if is_pairs else [action + 4 - 2 * quarters]) + line
    certificate = line_certificate("drawn", line)
    turns = rng.choice([None, len(line), len(line) - 1])
    return encode_level(
        replace(level, board=rotate.rows_of(cells, columns), turns=turns, certificate=certificate)
    )


# Levels at their limits and beyond, and games that nearly win.


def edges() -> Iterator[bytes]:
    def level(game: str, proof: dict[str, Any], **fields: Any) -> bytes:
        claim = {"status": "unsolvable" if "closed_set" in proof else "solved", "solver": "", "version": ""}
        return json.dumps({"format": f"winnable.{game}/1", **fields, "certificate": claim | proof}).encode()

    def tiles(*kinds: int) -> list[dict[str, int]]:
        return [{"kind": kind, "x": 8 * place, "y": 0, "layer": 0} for place, kind in enumerate(kinds)]

    for side in (31, 32):
        yield level("drops", {"actions": [0]}, board=["4" + "0" * side])
        yield level("drops", {"actions": [0]}, board=["4", *"0" * side])
    for series in (2**53 - 1, 2**53):
        yield level("drops", {"actions": [0]}, board=["4"], flash={"series": series})
    made = {"generator": "", "version": "", "seed": 0}
    for params in (
        {"a": ["\ud800"]},
        {"\udc00": 1},
        {"a": [{"b": "\U0001f600", "c": None}, "Infinity", 0.5]},
    ):
        yield level("drops", {"actions": [0]}, board=["4"], provenance={**made, "params": params})
    for colours in (1, 2, 26, 27):
        yield level("rotate", {}, board=[[*range(colours)] * (1 + (colours == 1))] * 2)
    for board in ([[2047, 0]] * 2, [[2048, 0]] * 2, [[0, 0, 0, 0], [1, 1, 2, 2]]):
        for rules in ("clusters", "pairs"):
            yield level("rotate", {}, board=board, rules=rules)
    for kind in (63, 64):
        yield level("triple", {"actions": [0, 1, 2]}, tiles=tiles(kind, kind, kind))
    for slots in (0, 1, 2, 3, 10_000, 10_001):
        yield level("triple", {"actions": [0, 1, 2]}, tiles=tiles(0, 0, 0), slots=slots)
    for tools in ({}, {"seed": 2**53 - 1}, {"seed": 2**53}, {"undo": 1000}, {"undo": 1001}):
        yield level("triple", {"actions": [0, 1, 2]}, tiles=tiles(0, 0, 0), tools=tools)
    # Nothing from beside the tray is undone, one tile is not shuffled, and what is beside the tray counts.
    for line in ([0, 4, 0, 3, 0, 1, 2], [0, 3, 0, 1, 2], [0, 3] * 2 + [0, 1, 2], [0, 1, 5, 2], [0, 5, 1, 2]):
        yield level("triple", {"actions": line}, tiles=tiles(0, 0, 0), tools={})
    for line in ([0, 7, 3, 4, 5, 1, 2, 7], [0, 7, 3, 4, 5, 1, 2, 0]):
        yield level("triple", {"actions": line}, tiles=tiles(0, 0, 0, 1, 1, 1), tools={"move_out": 2})
    for reading in READINGS:
        for positions in (7, 8):
            claim = {"reading": reading, "positions": positions}
            yield level("triple", {"closed_set": claim}, tiles=tiles(0, 0, 0))
    for positions in (0, 1, 2, 10**7, 10**7 + 1):
        claim = {"reading": "forward", "positions": positions}
        for tools in (None, {"undo": 0}):
            yield level("triple", {"closed_set": claim}, tiles=tiles(0, 0, 0), slots=1, tools=tools)
    for many in (1000, 1001):
        claim = {"reading": "forward", "positions": 1, "kinds": [0] * many}
        yield level("triple", {"closed_set": claim}, tiles=tiles(0, 0, 0), slots=1)
    for many in (4095, 4098):
        claim = {"reading": "backward", "positions": 1}
        yield level("triple", {"closed_set": claim}, tiles=tiles(*[0] * many), slots=1)


# Changed levels.

VALUES: list[Any] = [
    *(None, True, False, "", "x", "4", "forward", "backward", "solved", "unsolvable", "classic", "pairs"),
    *(
        -1,
        0,
        1,
        2,
        3,
        4,
        5,
        7,
        63,
        64,
        2**53 - 1,
        2**53,
        2**60,
        -(2**60),
        0.5,
        -3.5,
        1e-9,
        "\ud83d\ude00" * 200,
    ),
    *([], [0], [1, 1], {}, {"x": 1}, [[]], [None], "x" * 201, list(range(1001))),
]
"""2 ** 53 + 1 and 3.0 are others here and the same to JSON.parse."""
PLAIN = [value for value in VALUES if not isinstance(value, dict | list)]


def mutants(rng: random.Random, levels: list[bytes]) -> list[Case]:
    """As many as it takes for REJECTED that fail."""
    found, rejected = list[Case](), 0
    while rejected < REJECTED:
        document = json.loads(rng.choice(levels))
        for _ in range(rng.choice([1, 1, 1, 2])):
            change(rng, document)
        level = json.dumps(document).encode()
        found.append(Case("mutant", level, expected(level)))
        rejected += found[-1].expected == "fails"
    return found


def places(value: Any) -> list[tuple[Any, Any]]:
    """(container, key) of everything in a document."""
    held = cast("dict[Any, Any]", value)
    keys = [*held] if isinstance(value, dict) else [*range(len(held))] if isinstance(value, list) else []
    return [place for key in keys for place in ((held, key), *places(held[key]))]


def change(rng: random.Random, document: dict[str, Any]) -> None:
    """Something in the document, more often than not in its certificate."""
    value = deepcopy(rng.choice(VALUES))
    inside = places(document.get("certificate"))
    container, key = rng.choice(inside if inside and rng.random() < 0.6 else places(document))
    old = container[key]
    match rng.randrange(6):
        case 0:
            del container[key]
        case 1 if isinstance(container, list):
            cast("list[Any]", container).insert(key, old)
        case 1:
            container[rng.choice(["x", "turns", "cost", "hidden", "tools", "__proto__"])] = value
        case 2 if isinstance(container, list):
            other = rng.randrange(len(cast("list[Any]", container)))
            container[key], container[other] = container[other], old
        case 3 if isinstance(old, str) and old:
            at = rng.randrange(len(old))
            container[key] = old[:at] + rng.choice("01234x") + old[at + 1 :]
        case 4:
            container[key] = value
        case _ if type(old) is int:
            container[key] = old + rng.choice([-8, -4, -3, -2, -1, 1, 2, 3, 4, 8])
        case _:
            container[key] = rng.choice([one for one in PLAIN if type(one) is type(old)] or PLAIN)


# What is asked of it.


def test_it_accepts_all_of_ours(cases: list[Case]) -> None:
    told = Counter(
        (json.loads(case.level)["format"], case.verdict) for case in cases if case.origin == "ours"
    )
    assert told == {
        ("winnable.drops/1", "holds"): 59,
        ("winnable.drops/1", "unchecked"): 1,  # lost, and nothing proves it
        ("winnable.rotate/1", "holds"): 30,
        ("winnable.triple/1", "holds"): 6,
        ("winnable.2048/1", "unchecked"): 7,
        ("winnable.tetris/1", "unchecked"): 7,
    }


def test_it_accepts_what_is_played_and_counted(cases: list[Case]) -> None:
    """Of each kind of certificate some; those of tools say with which."""
    made = [json.loads(case.level) for case in cases if (case.origin, case.verdict) == ("made", "holds")]
    seen = Counter[str]()
    for level in made:
        claim, tiles = level["certificate"], len(level.get("tiles", ()))
        tools = {action - tiles for action in claim.get("actions", ()) if action >= tiles > 0}
        seen.update([level["format"], level.get("rules", ""), *level.keys(), *map(str, tools)])
        if closed := claim.get("closed_set"):
            seen.update([closed["reading"], *closed])
    fields = {"drops", "every", "open", "flash", "turns", "tools", "positions", "kinds"}
    rules = {"snappers", "symmetric", "half", "pairs"}
    assert {*FORMATS, *fields, *rules, *READINGS, *"012"} <= {
        one for one, number in seen.items() if number > 20
    }


def test_it_says_what_the_rules_here_say(cases: list[Case]) -> None:
    others = [case for case in cases if case.verdict != case.expected]
    assert others == []
    assert {
        case.reason for case in cases if case.verdict == "fails" and not FIELD.match(case.reason)
    } == set()
    told = Counter(case.verdict for case in cases if case.origin == "mutant")
    assert told["fails"] >= REJECTED
    assert told["holds"] > 500


def test_it_keeps_no_more_at_once_than_the_rules_here_do() -> None:
    """900 tiles side by side: hundreds of positions follow each."""
    tiles = [{"kind": place // 15, "x": 8 * place, "y": 0, "layer": 0} for place in range(900)]
    claim = {"reading": "forward", "positions": 3 * 10**7}
    certificate = {"status": "unsolvable", "solver": "x", "version": "y", "closed_set": claim}
    level = {"format": "winnable.triple/1", "tiles": tiles, "certificate": certificate}
    (told,) = ask([json.dumps(level).encode()])
    assert (told["verdict"], told["reason"]) == ("fails", "closed_set.positions: there are more")


def test_what_the_rules_here_cannot_read_fails() -> None:
    made = {"generator": "", "version": "", "params": {"a": "given"}, "seed": 0}
    certificate = {"status": "solved", "solver": "", "version": "", "actions": [0]}
    document = {"format": "winnable.drops/1", "board": ["4"], "certificate": certificate, "provenance": made}
    text = json.dumps(document).encode()
    given = [b"1e308", b"1e999", b"[-1e999]", *(b"[" * deep + b"]" * deep for deep in (98, 99, 5000))]
    told = [one["verdict"] for one in ask([text.replace(b'"given"', one) for one in given])]
    assert told == ["holds", "fails", "fails", "holds", "fails", "fails"]


def test_it_is_short_and_stands_alone() -> None:
    text = CHECKER.read_text("utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert max(map(len, text.splitlines())) <= 110
    assert "import" not in text
