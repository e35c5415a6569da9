"""Where in a model's reply its answer stands. What is picked is read by `answers.py`."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

Reads: TypeAlias = Callable[[str], bool]
"""Whether a text is an answer and nothing else."""


class Reader(NamedTuple):
    """What `answers.py` knows of a text: whether it is an answer from its beginning to its end, and whether
    it begins with a move."""

    wholly: Reads
    begins: Reads


OR = re.compile(r"\b(?:or|either|alternatively|otherwise)\b|或者?|要么|否则", re.IGNORECASE)
MOST_CHARACTERS = 100_000
"""Of the answer itself; what stands around it may be as long as it likes."""
MOST_PLACES = 20
"""From the end; so many tags, boxes and labels are looked at, so that no reply takes long."""

_THOUGHT = re.compile(
    r"[<◁](/?)(?:\w{1,20}:)?(?:think|thinking|thought|reasoning|scratchpad|reflection|analysis)[>▷]",
    re.IGNORECASE,
)
_CHANNEL = re.compile(
    r"<\|channel\|>(?:analysis|commentary)\b.*?(?:<\|end\|>|(?=<\|channel\|>final)|\Z)", re.DOTALL
)
"""Likewise a thought."""
_TAG = re.compile(r"<(/?)(?:final[_-]?)?(?:answer|solution|答案)(?:\s[^<>\n]{0,80})?>", re.IGNORECASE)
_TURN = re.compile(
    r"<\|(?:im_start|start_header_id)\|>\s*\w+|<\|(?:start|channel)\|>\w+|<｜[^｜<>\n]{1,40}｜>|<start_of_turn>\s*\w+|<\|\w+\|>|<end_of_turn>|</?s>|<(?:bos|eos)>|\ufeff"
)
"""What stands between the turns of a talk, and comes along with replies now and then."""
_BOX = re.compile(r"\\boxed\s*\{")
_BRACE = re.compile(r"[{}]")
_FENCE = re.compile(r"^[ \t]*```[ \t]*\w*[ \t]*$", re.MULTILINE)

_NO_ITEM = r"(?![ \t]*[0-9]+[ \t]*[.):：、-])"
"""`Move 3: ...` is a line of a list."""
_ENGLISH = (
    r"(?:(?:so|thus|hence|therefore|finally|in conclusion),?[ \t]+)?(?:(?:the|my)[ \t]+)?"
    r"(?:(?:final|correct|winning|right|full)[ \t_]+)*"
    r"(?:(?P<answer>answer|solution|output)|sequence|moves?|line|order|conclusion|result)"
    + _NO_ITEM
    + r"(?:[ \t]+(?:of moves|that wins?))?[ \t*_]*(?:(?:is|are|would be)\b)?"
)
_CHINESE = (
    r"(?:(?:因此|所以|综上(?:所述)?|故|那么|于是)[,，]?[ \t]*)?"
    r"(?:我的|本题的?|正确的?|最终的?|最后的?|完整的?)*"
    r"(?:(?P<answer_zh>答案|解答)|操作|步骤|顺序|走法|结论)" + _NO_ITEM + r"[ \t*_]*(?:就?是|为|如下)?"
)
_LABEL = re.compile(
    rf"(?:^|(?<=[.!?。！？]))[ \t*_#>]*(?:{_ENGLISH}|{_CHINESE})"
    r"(?:[ \t*_]*(?P<colon>[:：]|=(?!>))|(?=[ \t*_\n])|(?<=[是为]))",
    re.IGNORECASE | re.MULTILINE,
)
_OR_ALONE = re.compile(rf"[\s\W_]*(?:{OR.pattern})[\s\W_]*", re.IGNORECASE)
_OPEN_END = re.compile(rf"(?:{OR.pattern})[\s\W_]*$", re.IGNORECASE)
_NOTHING = re.compile(r"[\s\W_]*(?:and|和|与|及|tags?|your answer|moves)?[\s\W_]*", re.IGNORECASE)


def answer_in(text: str, reader: Reader) -> str:
    """The part of the reply that is its answer: what is tagged, else boxed or labelled, whichever comes last,
    else the last lines that are an answer each, else all of it. Thoughts never are."""
    text = _without_thoughts(_TURN.sub("", _CHANNEL.sub("", text)))
    tagged = _tagged(text, reader)
    whole = _TAG.sub("\n", text) if tagged is None else tagged
    text = whole[-2 * MOST_CHARACTERS :]
    at, found = _labelled(text, reader)
    box, boxed = _boxed(text)
    if boxed is not None and box > at:
        found = boxed
    elif found is None:
        found = _last_lines(text, reader)
        found = found or (
            _first_lines(text, reader) if reader.begins(text) else _only_lines(text, reader) or whole
        )
    return _FENCE.sub("", found).strip()


def _without_thoughts(text: str) -> str:
    """A thought that has no beginning began with the reply, one without an end ends with it."""
    kept, start, thinking = list[str](), 0, False
    for tag in _THOUGHT.finditer(text):
        if not tag[1]:
            if not thinking:
                kept.append(text[start : tag.start()])
            thinking = True
        else:
            if not thinking:
                kept.clear()
            start, thinking = tag.end(), False
    return "".join(kept if thinking else [*kept, text[start:]])


def _tagged(text: str, reader: Reader) -> str | None:
    """Tags that are only spoken of, as in "between <answer> and </answer>", hold no answer."""
    places, start, before = deque[tuple[int, int, bool]](maxlen=MOST_PLACES), None, 0
    for tag in _TAG.finditer(text):
        if start is not None:
            places.append((start, tag.start(), bool(tag[1])))
        start = None if tag[1] else tag.end()
    if start is not None:
        places.append((start, len(text), False))
    found = None
    for begin, end, closed in reversed(places):
        inside = text[begin:end]
        if found is not None:
            either = _OR_ALONE.fullmatch(_TAG.sub("", text[end:before][:100])) is not None
            return f"{inside}\nor\n{found}" if either else found
        if not _says_nothing(inside) and (closed or reader.begins(inside)):
            found, before = inside, begin
    return found


def _boxed(text: str) -> tuple[int, str | None]:
    """Where the last box that is not empty begins, and what is in it."""
    at, found = -1, None
    for box in reversed(deque(_BOX.finditer(text), MOST_PLACES)):
        rest = text[box.end() : box.end() + MOST_CHARACTERS]
        open_braces, inside, after = 1, rest, ""
        for brace in _BRACE.finditer(rest):
            open_braces += 1 if brace[0] == "{" else -1
            if not open_braces:
                inside, after = rest[: brace.start()], text[box.end() + brace.end() : at]
                break
        if found is not None:
            either = _OR_ALONE.fullmatch(after[:100]) is not None
            return at, f"{inside}\nor\n{found}" if either else found
        if not _says_nothing(inside):
            at, found = box.start(), inside
    return at, found


def _says_nothing(text: str) -> bool:
    return len(text) < 100 and _NOTHING.fullmatch(text) is not None


def _labelled(text: str, reader: Reader) -> tuple[int, str | None]:
    """Where the last label stands, and the answer that follows it. `Answer:` is one whatever follows; others
    are where an answer follows in their line or, after a heading, below it."""
    for label in reversed(deque(_LABEL.finditer(text), MOST_PLACES)):
        rest = text[label.end() :]
        line, _, below = rest.lstrip(" \t*_").partition("\n")
        if label["colon"] and (label["answer"] or label["answer_zh"]):
            return label.start(), _first_lines(rest, reader)
        if line.strip() and reader.wholly(line):
            return label.start(), line
        if not line.strip() and reader.wholly(below.lstrip().partition("\n")[0]):
            return label.start(), _first_lines(below, reader)
    return -1, None


def _first_lines(text: str, reader: Reader) -> str:
    """The longest beginning of the text whose lines are answers, each by itself; else its end."""
    end = 0
    for line in re.finditer(r"[^\n]+", text):
        if line.start() > MOST_CHARACTERS:
            return text
        if not _empty(line[0]):
            if not _answers(line[0], reader):
                break
            end = line.end()
    return text[:end] or (text if reader.begins(text) else _last_lines(text, reader) or text)


def _last_lines(text: str, reader: Reader) -> str:
    """The longest end of the text whose lines are answers, each by itself, with the line before it where that
    offers a choice; "" where there is none."""
    whole, text = text, text[-MOST_CHARACTERS:]
    fences = deque(_FENCE.finditer(text), 2)
    if len(fences) == 2 and not text[fences[1].end() :].strip():
        block = text[fences[0].end() : fences[1].start()]
        if reader.wholly(block):
            return block
    found = end = len(text)
    while end > 0:
        begin = text.rfind("\n", 0, end) + 1
        line = text[begin:end]
        if not _empty(line):
            if not _answers(line, reader):
                return text[begin if found < len(text) and _offers_a_choice(line) else found :]
            found = begin
        end = begin - 1
    return whole if found == 0 else text[found:]


def _only_lines(text: str, reader: Reader) -> str:
    """Lines of moves, or a fenced answer, with prose before and after; "" where there are none, or another
    answer, or a choice."""
    text = text[-MOST_CHARACTERS:]
    fences = deque(_FENCE.finditer(text), 3)
    if len(fences) == 2 and reader.wholly(fenced := text[fences[0].end() : fences[1].start()]):
        around = f"{text[: fences[0].start()]}\n{text[fences[1].end() :]}".splitlines()
        others = (reader.wholly(line) or _offers_a_choice(line) for line in around if not _empty(line))
        return "" if any(others) else fenced
    blocks, in_block = list[list[str]](), False
    for line in text.splitlines():
        if _empty(line):
            continue
        if _offers_a_choice(line):
            return ""
        was, in_block = in_block, reader.wholly(line)
        if in_block and not was:
            blocks.append([])
        if in_block:
            blocks[-1].append(line)
    return "\n".join(blocks[0]) if len(blocks) == 1 and reader.begins(blocks[0][0]) else ""


def _offers_a_choice(line: str) -> bool:
    return OR.match(line.strip()) is not None or _OPEN_END.search(line[-100:]) is not None


def _empty(line: str) -> bool:
    return not line.strip(" \t\r`*_>#-$") or _FENCE.fullmatch(line) is not None


def _answers(line: str, reader: Reader) -> bool:
    """Several are found out where they are read."""
    return reader.wholly(line) or (OR.search(line) is not None and reader.wholly(OR.sub(" ", line)))
