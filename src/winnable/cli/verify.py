"""`winnable verify`: does this line win, can this level not be won? The readable rules alone answer: no
solver, nothing compiled."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import click
from msgspec import Struct
from msgspec.structs import replace

from winnable.cli.options import example, json_option, level_argument, seed_option
from winnable.cli.output import emit_json, note, say
from winnable.contract.core import IllegalAction, Puzzle, Status, WinnableError, parsed_action, split_actions
from winnable.contract.provenance import Certificate, ClosedSet
from winnable.words import language, t, tn


class Verification(Struct, frozen=True):
    """What `verify --json` prints. `length` is of the line; `problem` says why it proves nothing."""

    game: str
    level_id: str
    valid: bool
    length: int
    problem: str | None
    status: Status = "solved"
    """What was to be proved."""


class _SolutionFile(Struct, frozen=True):
    """Of a `solve --json` document, what matters here."""

    actions: list[int]
    status: str = "solved"
    level_id: str = ""
    closed_set: ClosedSet | None = None


@click.command(
    "verify",
    epilog=example(
        "Examples:\n"
        "  winnable verify level.json solution.json\n"
        "  winnable solve level.json --json | winnable verify level.json -\n"
        "  echo 4 8 15 | winnable verify level.json -"
    ),
)
@level_argument
@click.argument("solution", required=False)
@seed_option("Deals a LEVEL that holds a layout only, as it did for `solve`.")
@json_option
def verify_command(level: str, solution: str | None, seed: int, as_json: bool) -> int:
    """Check SOLUTION of LEVEL by the rules and answer yes (exit code 0) or no (1).

    SOLUTION is a file, or `-` for stdin: what `solve --json` printed, a JSON list of action numbers or names,
    or plain text of them. A line is replayed; that no line wins is proved by a closed set of positions, which
    are walked through. Without SOLUTION, the level's own certificate is checked.
    """
    from winnable.cli.levels import load_position, read_content
    from winnable.levels.certificates import certificate_fault

    named, before = load_position(level, seed)
    puzzle = named.game.puzzle(named.level)
    if solution is None:
        claim = None if before else named.level.certificate
        if claim is None:
            raise WinnableError("cli.solution.none", field="solution")
    else:
        claim = read_solution(read_content(solution), puzzle, named.id)
        claim = replace(claim, actions=(*before, *claim.actions))
    problem = certificate_fault(named.game, puzzle, claim)
    if as_json:
        length = len(claim.actions)
        reason = None if problem is None else str(problem)  # in English whatever the locale
        emit_json(Verification(named.game.name, named.id, problem is None, length, reason, claim.status))
    elif problem is None:
        say(_proved(claim, named.id if level == "-" else level))
    else:
        say(t("cli.verify.no", problem=problem.said(language())))
    return 0 if problem is None else 1


def _proved(claim: Certificate, level: str) -> str:
    if claim.closed_set is not None:
        return tn("cli.verify.closed", claim.closed_set.positions, level=level)
    return tn("cli.verify.wins", len(claim.actions), level=level)


def read_solution(content: bytes, puzzle: Puzzle, level_id: str) -> Certificate:
    """What a solution file claims. Raises WinnableError when it cannot be read as one."""
    from winnable.levels.files import decode

    text = content.strip()
    if text.startswith(b"{"):
        document = decode(content, _SolutionFile, "solution")
        refuted = document.status == "unsolvable" and document.closed_set is not None
        if document.status != "solved" and not refuted:
            raise WinnableError("cli.solution.status", field="solution", given=document.status[:40])
        if document.level_id not in ("", level_id):
            note(t("cli.verify.other", level=document.level_id[:100]))
        if refuted:
            return Certificate("unsolvable", "", "", closed_set=document.closed_set)
        return _line(document.actions)
    if text.startswith(b"["):
        entries: list[int | str] = decode(content, list[int | str], "solution")
        return _line([entry if isinstance(entry, int) else _parse(puzzle, entry) for entry in entries])
    try:
        words = split_actions(text.decode())
    except UnicodeDecodeError:
        raise WinnableError("cli.solution.text", field="solution") from None
    if not words:
        raise WinnableError("cli.solution.empty", field="solution")
    return _line([action for word in words for action in _parse_word(puzzle, word)])


def _line(actions: Sequence[int]) -> Certificate:
    return Certificate("solved", "", "", tuple(actions))


def _parse_word(puzzle: Puzzle, word: str) -> list[int]:
    """`1,2,3` is three numbers, unless it is the name of an action."""
    if "," in word and all(character.isdigit() or character == "," for character in word):
        with suppress(IllegalAction):
            return [parsed_action(puzzle, word)]
        return [_parse(puzzle, part) for part in word.split(",") if part]
    return [_parse(puzzle, word)]


def _parse(puzzle: Puzzle, text: str) -> int:
    """A number is taken as it is: whether it can be played is for the replay to say."""
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    try:
        return parsed_action(puzzle, text)
    except IllegalAction:
        raise WinnableError("cli.solution.action", field="solution", given=text[:40]) from None
