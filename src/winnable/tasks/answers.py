"""What an answer says: moves by name, or the claim that no moves win. Leniently about how it is written, and
exactly about what it says: nothing that cannot be read is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from winnable.contract.core import Action, IllegalAction, Named, WinnableError

Move: TypeAlias = str | Action
"""As the game writes it, such as `(2,1)`; or its number."""
Answer: TypeAlias = str | Sequence[Move]

CLAIMS = ("unsolvable", "无解")
MOST_CHARACTERS = 100_000
"""Of the answer itself; what stands before it may be as long as it likes."""

_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)
_LABEL = re.compile(r"^[ \t*#>]*(?:final )?(?:answer|答案)[ \t*]*[:：]", re.IGNORECASE | re.MULTILINE)
_BETWEEN_MOVES = re.compile(r"[;|\n]|->|=>|→")
_ITEM = re.compile(r"(?:[-•]|([0-9]+)[.)])\s+")
_TOKEN = re.compile(r"\([^()]*\)|[()]|[^\s()]+")
_PLAIN = str.maketrans(
    {"，": ",", "；": ";", "（": "(", "）": ")", "、": ";"} | dict.fromkeys("`'\"*[]", " ")
)


class Piece(NamedTuple):
    """action: None: `text` is no move, as `fault` says"""

    text: str
    action: Action | None
    fault: IllegalAction | None = None


def read(answer: Answer, puzzle: Any) -> bool | Iterator[Piece]:
    """The moves, read as they are asked for, up to the first that is none; or True: it claims that there are
    none. Raises WinnableError for an answer that is empty or longer than MOST_CHARACTERS."""
    if not isinstance(answer, str):
        return _listed(answer, puzzle)
    text = _answer_in(answer)
    if len(text) > MOST_CHARACTERS:
        raise WinnableError("task.long", given=len(text), most=MOST_CHARACTERS)
    if text.startswith("["):
        try:
            return _listed(msgspec.json.decode(text, type=list[str | int]), puzzle)
        except msgspec.MsgspecError:
            pass
    text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("```"))
    text = text.translate(_PLAIN).strip()
    if text.strip(" .!。！").casefold() in CLAIMS:
        return True
    if not text:
        raise WinnableError("task.empty")
    return _written(text, puzzle)


def _answer_in(text: str) -> str:
    """What stands between the last `<answer>` and its end; else after the last line's begin `answer:`; else
    all of it."""
    start, end, inside = 0, len(text), False
    for tag in _TAG.finditer(text):
        if not tag[1]:
            start, end, inside = tag.end(), len(text), True
        elif inside:
            end, inside = tag.start(), False
    if not start:
        for label in _LABEL.finditer(text):
            start = label.end()
    return text[start:end].strip()


def _listed(moves: Sequence[Move], puzzle: Any) -> Iterator[Piece]:
    if not moves:
        raise WinnableError("task.empty")
    for move in moves:
        if isinstance(move, str):
            yield _piece(move, puzzle)
        elif 0 <= move < puzzle.num_actions:
            yield Piece(str(move), move)
        else:
            yield Piece(str(move), None, IllegalAction("action.here", given=move))


def _written(text: str, puzzle: Any) -> Iterator[Piece]:
    """Between semicolons, arrows or ends of lines: a move, or several with spaces or commas between."""
    parts = [part.strip() for part in _BETWEEN_MOVES.split(text)]
    for number, part in enumerate(filter(None, parts), 1):
        item = _ITEM.match(part)
        if item is not None and item[1] in (None, str(number)):
            part = part[item.end() :]
        pieces, whole = _tokens(part, puzzle), _piece(part, puzzle)
        all_moves = pieces and pieces[-1].action is not None
        yield from [whole] if whole.action is not None and not all_moves else pieces or [whole]


def _tokens(part: str, puzzle: Any) -> list[Piece]:
    """Up to the first that is no move."""
    found: list[Piece] = []
    for token in filter(None, (match[0].strip(",.。") for match in _TOKEN.finditer(part))):
        piece = _piece(token, puzzle)
        several = [] if piece.action is not None else [_piece(one, puzzle) for one in token.split(",") if one]
        found += several if several and all(one.action is not None for one in several) else [piece]
        if found[-1].action is None:
            break
    return found


def _piece(text: str, puzzle: Any) -> Piece:
    try:
        if isinstance(puzzle, Named):
            return Piece(text, puzzle.parse_action(text))
        if text.isascii() and text.isdigit() and len(text) < 10 and int(text) < puzzle.num_actions:
            return Piece(text, int(text))
    except IllegalAction as error:
        return Piece(text, None, error)
    return Piece(text, None, IllegalAction("cli.action", given=text[:40]))
