"""What an answer says: moves by name, or the claim that no moves win. Leniently about how it is written, and
exactly about what it says: nothing that cannot be read is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from operator import index
from typing import Any, NamedTuple, TypeAlias, cast

import msgspec

from winnable.contract.core import Action, IllegalAction, Named, Puzzle, WinnableError
from winnable.tasks.replies import MOST_CHARACTERS, OR, Reader, answer_in

Move: TypeAlias = str | Action
"""As the game writes it, such as `(2,1)`; or its number."""
Reply: TypeAlias = str | Sequence[Move]

_Item: TypeAlias = str | int | float | bool | None

MOST_MOVES = MOST_CHARACTERS
"""In a list: a text that is as long as one may be has fewer."""
CLAIMS = ("unsolvable", "无解")

_THIS = r"it|this|(?:the|this) (?:puzzle|level|board|game|position|task)|(?:the|my) (?:final )?answer"
_CLAIM = re.compile(
    rf"(?:(?:so|thus|hence|therefore),? )?(?:(?:{_THIS}) is:? )?unsolvable"
    r"|[因此所以故，,]*[此这该本]?一?[个道]?(?:题目|题|局面|局|关卡|关|谜题|棋盘)?(?:最终)?(?:答案)?[是为：:]?\s*[无無]解的?",
    re.IGNORECASE,
)
_SPOKEN_CLAIM = re.compile(r"\bunsolvable\b|[无無]解", re.IGNORECASE)
_BETWEEN_MOVES = re.compile(
    r"[;|\n]|[-=–—]{1,3}>|[→⇒⟶⟹]|(?=[①-⑳])|(?<!\w)(?:and then|then|and)(?!\w)|然后|接着", re.IGNORECASE
)
_ITEM = re.compile(
    r"[-•+]\s+|[①-⑳]\s*|第[一二三四五六七八九十]{1,3}步[:,.]?\s*"
    r"|(?:(step|move|步骤|第) ?)?([0-9]+) ?步?(?(1)\s*[-–.):,]\s*|[.):]\s+)",
    re.IGNORECASE,
)
"""Group 2: the number of its place."""
_CHINESE_ITEM = re.compile(r"^([ \t]*[0-9]+)、(?=[ \t]*(?:[(（]|[0-9０-９]+[,，]))", re.MULTILINE)
"""Where a tile may have a number, the mark stands between tiles."""
_TOKEN = re.compile(r"\([^()]*\)|[()]|[^\s()]+")
_LATEX = (
    (re.compile(r"\\(?:long)?(?:right|Right)arrow(?![a-z])|\\to(?![a-z])"), "->"),
    (re.compile(r"\\(?:text|math|operatorname)[a-z]*\s*(?=\{)"), " "),
    (re.compile(r"\\(?:left|right|displaystyle|quad|qquad)(?![a-z])|\\[,;:! (){}\[\]]|\$"), " "),
    (re.compile(r"\\\\"), "\n"),
)
_ORNAMENTS = re.compile("[\u200b\u2600-\u27bf\u2b00-\u2bff\ufe0f\ufeff\U0001f000-\U0001faff]+")
_PLAIN = str.maketrans(
    {chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
    | {"\u3000": " ", "、": ";"}
    | dict.fromkeys("`'\"*[]{}“”‘’「」『』【】《》", " ")
)


class Piece(NamedTuple):
    """action: None: `text` is no move, as `fault` says"""

    text: str
    action: Action | None
    fault: IllegalAction | None = None


def read(answer: object, puzzle: Puzzle) -> bool | Iterator[Piece]:
    """The moves, read as they are asked for, up to the first that is none; or True: it claims that there are
    none. Raises WinnableError for an answer that is empty, longer than MOST_CHARACTERS, more than one, or
    neither text nor a list."""
    if isinstance(answer, str):
        reader = Reader(partial(_wholly, puzzle=puzzle), partial(_begins, puzzle=puzzle))
        return _said(answer_in(answer, reader), puzzle)
    if (moves := _as_list(answer)) is None:
        raise WinnableError("task.kind" if answer is not None else "task.empty", given=_described(answer))
    if len(moves) > MOST_MOVES:
        raise WinnableError("task.many", most=MOST_MOVES)
    return _listed(moves, puzzle)


def _said(text: str, puzzle: Puzzle) -> bool | Iterator[Piece]:
    if len(text) > MOST_CHARACTERS:
        raise WinnableError("task.long", given=len(text), most=MOST_CHARACTERS)
    if (moves := _from_json(text)) is not None:
        return _listed(moves, puzzle)
    parts = [part for part in map(_plain, OR.split(text)) if part]
    if not parts:
        raise WinnableError("task.empty")
    if sum(_claims(part) or _begins(part, puzzle) for part in parts) > 1:
        raise WinnableError("task.several")
    plain = _plain(text)
    if all(_claims(part) for part in re.split(r"[;\n]", plain) if part.strip(" ,.")):
        return True
    if _SPOKEN_CLAIM.search(plain):
        raise WinnableError("task.several")
    return _written(plain, puzzle)


def _from_json(text: str) -> list[Any] | None:
    """A list, or the one that an object has under the name of an answer."""
    try:
        if text.startswith("["):
            return msgspec.json.decode(text, type=list[_Item | list[_Item]])
        if text.startswith("{"):
            found = msgspec.json.decode(text, type=dict[str, _Item | list[_Item | list[_Item]]])
            said = [found[name] for name in ("answer", "moves", "solution") if name in found]
            return None if len(said) != 1 else said[0] if isinstance(said[0], list) else [said[0]]
    except msgspec.MsgspecError:
        pass
    return None


def _as_list(answer: object) -> list[Any] | None:
    """At most MOST_MOVES + 1. Arrays of any package too, which have `tolist`; None: it is no list, or none
    that can be read."""
    try:
        if callable(tolist := getattr(answer, "tolist", None)):
            answer = tolist()
        if not isinstance(answer, Sequence) or isinstance(answer, str | bytes | bytearray | memoryview):
            return None
        return [*islice(cast("Sequence[Any]", answer), MOST_MOVES + 1)]
    except Exception:  # of somebody else's class
        return None


def _listed(moves: list[Any], puzzle: Puzzle) -> bool | Iterator[Piece]:
    """A list of one text is that text."""
    if not moves:
        raise WinnableError("task.empty")
    if len(moves) == 1 and isinstance(moves[0], str):
        return _said(moves[0].strip(), puzzle)
    claims = [isinstance(move, str) and _claims(_plain(move)) for move in moves]
    if any(claims):
        raise WinnableError("task.several")
    return (_move(move, puzzle, place) for place, move in enumerate(moves, 1))


def _move(move: object, puzzle: Puzzle, place: int) -> Piece:
    """By its name, its number, or the numbers that its name is made of."""
    if isinstance(move, str):
        return _piece(_without_item(_plain(move), place), puzzle)
    number = _number(move)
    if number is not None:
        if 0 <= number < puzzle.num_actions:
            return Piece(str(number), number)
        return Piece(_described(number), None, IllegalAction("action.here", given=number))
    numbers = [*map(_number, _as_list(move) or [None])]
    if None not in numbers:
        return _piece(",".join(map(_described, numbers)), puzzle)
    return Piece(_described(move), None, IllegalAction("cli.action", given=_described(move)))


def _number(move: object) -> int | None:
    """True and numpy's are answers to other questions, and 1.0 is a measure."""
    if isinstance(move, bool) or type(move).__name__ == "bool":
        return None
    try:
        return index(cast("Any", move))
    except TypeError:
        return None


def _described(value: object) -> str:
    """In few characters, however deep a list is, and whatever stands in it."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**40 else "10…"
    return repr(value) if value is None or isinstance(value, bool | float) else type(value).__name__


def _plain(text: str) -> str:
    """Without fences, quotes, emphasis, ornaments, LaTeX and full-width signs."""
    if "\\" in text or "$" in text:
        for pattern, instead in _LATEX:
            text = pattern.sub(instead, text)
    return _ORNAMENTS.sub(" ", _CHINESE_ITEM.sub(r"\1. ", text).translate(_PLAIN)).strip()


def _claims(plain: str) -> bool:
    item = _ITEM.match(plain)
    text = plain[item.end() :] if item is not None else plain
    return _CLAIM.fullmatch(text.strip(" \n\t.!,;。！_>#()-")) is not None


def _wholly(text: str, puzzle: Puzzle) -> bool:
    if len(text) > MOST_CHARACTERS:
        return False
    if _from_json(text.strip()) is not None:
        return True
    plain = _plain(text)
    if _claims(plain):
        return True
    last = None
    for last in _written(plain, puzzle, any_number=True):
        if last.action is None:
            return False
    return last is not None


def _begins(text: str, puzzle: Puzzle) -> bool:
    plain = _plain(text[:MOST_CHARACTERS])
    first = next(_written(plain, puzzle, any_number=True), None)
    return first is not None and first.action is not None


def _written(text: str, puzzle: Puzzle, any_number: bool = False) -> Iterator[Piece]:
    """Between semicolons, arrows or ends of lines: a move, or several with spaces or commas between."""
    parts = [part.strip(" \t\r>#") for part in _BETWEEN_MOVES.split(text)]
    for place, part in enumerate(filter(None, parts), 1):
        part = _without_item(part, None if any_number else place)
        pieces, whole = _tokens(part, puzzle), _piece(part, puzzle)
        all_moves = pieces and pieces[-1].action is not None
        yield from [whole] if whole.action is not None and not all_moves else pieces or [whole]


def _without_item(text: str, place: int | None) -> str:
    """place: that a number before it must be; None: any."""
    item = _ITEM.match(text)
    is_item = item is not None and (place is None or item[2] in (None, str(place)))
    return text[item.end() :] if item is not None and is_item else text


def _tokens(part: str, puzzle: Puzzle) -> list[Piece]:
    """Up to the first that is no move."""
    found: list[Piece] = []
    for token in filter(None, (match[0].strip(",.。") for match in _TOKEN.finditer(part))):
        piece = _piece(token, puzzle)
        several = [] if piece.action is not None else [_piece(one, puzzle) for one in token.split(",") if one]
        found += several if several and all(one.action is not None for one in several) else [piece]
        if found[-1].action is None:
            break
    return found


def _piece(text: str, puzzle: Puzzle) -> Piece:
    try:
        if isinstance(puzzle, Named):
            return Piece(text, puzzle.parse_action(text))
        if text.isascii() and text.isdigit() and len(text) < 10 and int(text) < puzzle.num_actions:
            return Piece(text, int(text))
    except IllegalAction as error:
        return Piece(text, None, error)
    return Piece(text, None, IllegalAction("cli.action", given=text[:40]))
