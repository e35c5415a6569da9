"""Fumen strings: those whose content is published, round trips, and what is refused."""

import string
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnable.contract.core import LevelError
from winnable.games.tetris.levels import fumen_games
from winnable.games.tetris.levels.fumen import (
    EMPTY_FIELD,
    HEIGHT,
    LETTERS,
    MAX_PAGES,
    WIDTH,
    Operation,
    Page,
    decode,
    encode,
    field_after,
    page_of,
)
from winnable.games.tetris.modern.rules.level import Level

FOUR_LINES = ("XXXXXXXXX.",) * 4
OPENER = ("LLL.......", "LOO.......", "JOO.......", "JJJ.......")
PUBLISHED = {
    "empty": "v115@vhAAgH",
    "spin": "v115@vhGRQYHAvItJEJmhCAUGJKJJvMJTNJGBJFKYPAUEzP?EJG98AQmqhECDdCA",
    "spin, colours on the first page": "v115@vhGRQYHAvItJEJmhCAUmBKpBvsBTtBGhBFqQPAUEzP?EJG98AQmqhECDdCA",
    "four": "v115@9gI8AeI8AeI8AeI8KeAgH",
    "four with I": "v115@9gI8AeI8AeI8AeI8Ke5IYJA0no2AMOprDTBAAA",
    "opener": "v115@9gilGeglRpGeg0RpGei0GeI8AeAgWYAQIKvDll2TAS?"
    "IvBElCyTASIqPEFGNXEvhE9tB0sBXjBAwSYATwgkDlt0TAz?B88AQx2vAx178AwngHBAAPMAFbuYCJciNEyoAVB",
}
"""Strings that the documentation of tetris-fumen shows together with what is in them."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_strings_are_written_again_to_the_letter(name: str) -> None:
    assert encode(decode(PUBLISHED[name])) == PUBLISHED[name]


def test_one_empty_page() -> None:
    assert decode(PUBLISHED["empty"]) == (Page(),)
    assert encode([Page()]) == PUBLISHED["empty"]


def test_pieces_of_an_opening() -> None:
    pages = decode(PUBLISHED["spin"])
    assert len(pages) == 7
    assert pages[0].comment == "Opening"
    operation = Operation("I", 0, 4, 0)
    assert pages[0].operation == operation
    assert operation.cells == ((3, 0), (4, 0), (5, 0), (6, 0))
    assert pages[0].field == EMPTY_FIELD
    assert pages[6].comment == "T-Spin Double"
    assert pages[6].board == ("...JJJ....", "L..ZZJS...", "L...ZZSSOO", "LL.IIIISOO")


def test_four_lines_and_an_upright_piece() -> None:
    (page,) = decode(PUBLISHED["four"])
    assert page == page_of(FOUR_LINES)
    assert page.board == FOUR_LINES
    page = page_of(FOUR_LINES, Operation("I", 3, 9, 1), "4 Lines")
    assert encode([page]) == PUBLISHED["four with I"]
    assert field_after(page) == EMPTY_FIELD, "the rows are full and go"


def test_an_opener_with_garbage_below_and_a_mirror() -> None:
    first = page_of(OPENER, comment="Perfect Clear Opener")
    pages = [first._replace(field=(*first.field[:-1], "XXXXXXXXX."))]
    for operation in (Operation("T", 3, 9, 1), Operation("Z", 0, 7, 0), Operation("S", 0, 8, 2)):
        pages.append(Page(field_after(pages[-1]), operation, pages[-1].comment, colorize=False))
    pages.append(Page(field_after(pages[-1]), None, "Success: 61.19 %", mirror=True, colorize=False))
    pages.append(Page(field_after(pages[-1]), None, "(Mirror)", colorize=False))
    assert encode(pages) == PUBLISHED["opener"]
    assert decode(PUBLISHED["opener"]) == tuple(pages)
    assert pages[-1].field[-2:] == ("TZZ....JJJ", ".XXXXXXXXX")


def test_a_page_s_board_is_a_level_s() -> None:
    pages = decode(PUBLISHED["spin"])
    level = Level(board=pages[6].board)
    assert level.board == pages[6].board
    assert page_of(level.board).field == pages[6].field


def test_links_and_spaces_are_read_too() -> None:
    link = "https://example.org/fumen/?v115@9gI8AeI8AeI8AeI8KeAgH\n"
    assert decode(link) == decode(PUBLISHED["four"])
    assert decode("m115@vhAAgH") == decode("d115@vhAAgH") == (Page(),)


@pytest.mark.parametrize("fumen", PUBLISHED.values())
@pytest.mark.parametrize(
    "link",
    [
        "https://fumen.zui.jp/?{}",
        "http://example.org/fumen/#?d={}&lng=en",
        "https://example.org/?lng=en&d={}#top",
        "<a href='https://example.org/?{}'>",
        "(https://example.org/?d={})",
        "See https://example.org/?{}.",
    ],
)
def test_links_of_all_sites_are_read(fumen: str, link: str) -> None:
    escaped = quote(fumen, safe="")
    others = [fumen.replace("v115", kind) for kind in ("D115", "m115", "V115")]
    for text in (fumen, *others, escaped, quote(escaped)):
        assert decode(link.format(text)) == decode(fumen)
        assert fumen_games.knows(link.format(text).encode())


def test_the_version_before_has_two_rows_less() -> None:
    assert decode("v110@7eAAgH") == (Page(),)
    (page,) = decode("v110@neI3qbRZI")
    assert (page.board, page.operation) == (("XXXXXXXXX.",), Operation("I", 0, 4, 1))


def test_what_follows_a_page() -> None:
    page = page_of(("X.........", "XXXX.XXXXX"))
    risen = field_after(page._replace(field=(*page.field[:-1], "XX.XXXXXXX"), rise=True))
    assert risen[-4:] == ("X.........", "XXXX.XXXXX", "XX.XXXXXXX", "..........")
    placed = page._replace(operation=Operation("T", 2, 4, 1))
    assert field_after(placed)[-3:-1] == ("..........", "X..TTT....")
    assert field_after(placed._replace(lock=False)) == page.field


ROWS = st.text(LETTERS, min_size=WIDTH, max_size=WIDTH)
OPERATIONS = st.builds(
    Operation, st.sampled_from("ILOZTJS"), st.integers(0, 3), st.integers(0, 9), st.integers(0, 22)
).filter(lambda it: all(0 <= x < WIDTH and 0 <= y < HEIGHT for x, y in it.cells))
FIELDS = st.lists(ROWS, min_size=HEIGHT + 1, max_size=HEIGHT + 1).map(tuple) | st.lists(ROWS, max_size=5).map(
    lambda rows: (*EMPTY_FIELD[: HEIGHT + 1 - len(rows)], *rows)
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@st.composite
def page_lists(draw: st.DrawFn) -> list[Page]:
    """Pages whose field is drawn, or follows from the page before."""
    pages: list[Page] = []
    for _ in range(draw(st.integers(1, 8))):
        follows = draw(st.booleans())
        field = draw(FIELDS) if not follows else field_after(pages[-1]) if pages else EMPTY_FIELD
        flags = [draw(st.booleans()) for _ in range(4)]
        pages.append(Page(field, draw(st.none() | OPERATIONS), draw(TEXTS), *flags))
    return pages


@settings(max_examples=75, deadline=None)
@given(page_lists())
def test_round_trip(pages: list[Page]) -> None:
    assert decode(encode(pages)) == tuple(pages)


@pytest.mark.parametrize("count", [63, 64, 65, 130, MAX_PAGES])
def test_pages_that_repeat(count: int) -> None:
    pages = [Page(colorize=index == 0) for index in range(count)]
    assert decode(encode(pages)) == tuple(pages)


@pytest.mark.parametrize("piece", "ILOZTJS")
@pytest.mark.parametrize("turn", range(4))
def test_every_place_of_every_piece(piece: str, turn: int) -> None:
    places = (Operation(piece, turn, x, y) for x in range(10) for y in range(23))
    pages = [
        Page(operation=place, lock=False)
        for place in places
        if all(0 <= x < WIDTH and 0 <= y < HEIGHT for x, y in place.cells)
    ]
    assert decode(encode(pages)) == tuple(pages)


def piece_at(piece: str, orientation: int, place: int) -> frozenset[tuple[int, int]]:
    """The cells that an action written by hand stands for."""
    number = (place * 4 + orientation) * 8 + LETTERS.index(piece)
    alphabet = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
    digits = "".join(alphabet[number // 64**index % 64] for index in range(3))
    operation = decode("v115@vhA" + digits)[0].operation
    assert operation is not None
    return frozenset(operation.cells)


@pytest.mark.parametrize("piece", "IOSZ")
def test_opposite_orientations_of_a_symmetric_piece_at_one_place_are_the_same_cells(piece: str) -> None:
    """They are reverse, right, spawn, left. Fumen draws I, S and Z in two ways, and O in one."""
    place = 10 * 10 + 4
    reverse, right, spawn, left = (piece_at(piece, orientation, place) for orientation in range(4))
    assert reverse == spawn
    assert right == left
    assert (right == spawn) == (piece == "O")


def test_comments_keep_any_script() -> None:
    comment = "开局 🧩 100% %u1234 日本語\n\x00"
    assert decode(encode([Page(comment=comment)]))[0].comment == comment


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begins with v115@"),
        ("v105@7eAAgH", "version 105 is not read, only 115, 110"),
        ("115@vhAAgH", "begins with v115@"),
        ("v115@v", "page 1, field"),
        ("v115@vh", "page 1, repeats"),
        ("v115@vhAAg", "page 1, action"),
        ("v115@vhAAgHvhA", "page 2, action"),
        ("v115@vhA!gH", "'!'"),
        ("v115@AAAAAAAgH", "page 1, field: -8 is no colour"),
        ("v115@", "no page"),
        ("v115@w/", "page 1, field: 9 is no colour"),
        ("v115@thAAvhAAAA", "page 1, field"),
        ("v115@vhAAgW", "page 1, comment"),
        ("v115@vhARAA", "page 1, operation: the piece is not on the board"),
        ("v115@" + "A" * 200_000, "at most 200000"),
        ("v115@" + "vhAAgH" * 2001, "more than 2000 pages"),
    ],
)
def test_bad_strings_are_refused(text: str, message: str) -> None:
    with pytest.raises(LevelError, match=message):
        decode(text)


@settings(max_examples=300, deadline=None)
@given(
    st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/?", max_size=120)
    | st.text(max_size=30).map(lambda text: "vhAAgH" + text)
)
def test_any_string_is_read_or_refused(text: str) -> None:
    try:
        pages = decode("v115@" + text)
    except LevelError:
        return
    assert decode(encode(pages)) == pages


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ([], "0 pages"),
        ([Page()] * (MAX_PAGES + 1), "2001 pages"),
        ([Page(("." * 10,) * 23)], "page 1, field: 23 rows"),
        ([Page(), page_of(("XXXXXXXXX",))], r"page 2, field\[22\]"),
        ([page_of(("?.........",))], r"page 1, field\[22\]"),
        ([Page(operation=Operation("I", 0, 0, 0))], "page 1, operation"),
        ([Page(operation=Operation("X", 0, 4, 4))], "page 1, operation"),
        ([Page(operation=Operation("T", 4, 4, 4))], "page 1, operation"),
        ([Page(comment="x" * 4096)], "page 1, comment: longer"),
        ([Page(comment="\ud800")], "page 1, comment: not valid Unicode"),
    ],
)
def test_what_cannot_be_written_is_refused(pages: list[Page], message: str) -> None:
    with pytest.raises(LevelError, match=message):
        encode(pages)
