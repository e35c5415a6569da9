"""What the server hands to browsers: our page, which knows no game, and what games bring of their own."""

import http.client
import json
import re
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

import winnable
from bench.studio.process import talk
from tests.waiting import PATIENCE
from tests.web.studio_harness import Studio
from winnable.contract.registry import GAMES

STATIC = Path(winnable.__file__).parent / "web" / "static"


def get(studio: Studio, path: str) -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.headers["Content-Type"], response.read().decode()
    finally:
        connection.close()


def test_our_page_names_no_game() -> None:
    # `rotate(` turns a picture.
    names = re.compile(rf"\b({'|'.join([*GAMES, 'arcade'])})s?\b(?!\()", re.IGNORECASE)
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    found = [
        f"{path.relative_to(STATIC)}: {match[0]}"
        for path in files
        for match in names.finditer(path.read_text("utf-8"))
    ]
    assert files
    assert found == []


OWNED = {
    r"\b(localStorage|sessionStorage|indexedDB|document\.cookie)\b": {"storage.js", "early.js"},
    r"\b(matchMedia|ResizeObserver|IntersectionObserver)\(|PointerCapture\(": {"browser.js"},
    r"\.clipboard\b|execCommand|navigator\.(share|canShare)": {"browser.js"},
    r"\bAudioContext\(": {"sound.js"},
    r"\bnavigator\.(share|canShare)\b": {"browser.js"},
    r"\bevent\.(key|code|keyCode|which|isComposing)\b|\{ key\b[^}]*\} = event": {"keyboard.js"},
}
"""What differs between browsers and between keyboards, and the modules that alone ask for it."""


def test_what_differs_between_browsers_has_one_owner() -> None:
    files = [path for folder in (STATIC, STATIC.parents[1] / "games") for path in folder.rglob("*.js")]
    found = {
        pattern: {path.name for path in files if re.search(pattern, path.read_text("utf-8"))}
        for pattern in OWNED
    }
    assert found == OWNED
    others = ["requestFullscreen", "vibrate", "BroadcastChannel", "Notification"]
    others += ["wakeLock", "pushState(", "replaceState("]
    assert [path.name for path in files for name in others if name in path.read_text("utf-8")] == []


def test_rooms_of_the_page_stand_on_each_other() -> None:
    games = STATIC.parents[1] / "games"
    rooms = [
        games,
        STATIC / "base",
        STATIC / "boards",
        STATIC / "desk",
        STATIC / "front",
        STATIC / "tuning",
        STATIC / "comparing",
        STATIC / "sets",
        STATIC,
    ]
    below = {
        "base": set[str](),
        "boards": {"base"},
        "desk": {"base", "boards"},
        "front": {"base", "desk"},
        "tuning": {"base", "desk"},
        "comparing": {"base", "desk"},
        "sets": {"base", "desk"},
        "static": {"base", "boards", "desk", "front", "tuning", "comparing", "sets"},
        "games": {"base", "boards", "desk"},
    }
    wrong: list[str] = []
    for path in [*STATIC.rglob("*.js"), *games.rglob("*.js")]:
        room = next(room for room in rooms if room in path.parents)
        for name in re.findall(
            r"""^(?:import|export|/\*\* @import) .*from "([^"]+)"(?:;| \*/)""",
            path.read_text("utf-8"),
            re.MULTILINE,
        ):
            target = (
                STATIC / name.removeprefix("/static/") if name.startswith("/static/") else path.parent / name
            )
            other = target.resolve().parent
            if other not in (room, path.parent) and other.name not in below[room.name]:
                wrong.append(f"{path.relative_to(STATIC.parents[1])}: {name}")
    assert wrong == []


def test_the_styles_of_all_boards_are_one_sheet(studio: Studio) -> None:
    status, kind, sheet = get(studio, "/boards.css")
    assert (status, kind) == (200, "text/css; charset=utf-8")
    assert [
        name
        for name in ("board-field", "drops-field", "tetris-field", "rotate-field", "g2048-field")
        if f".{name}" not in sheet
    ] == []
    assert sheet.endswith(".toy { display: grid; }\n"), "the other games come after ours"


def test_a_board_is_drawn_by_modules_in_its_game_s_folder(studio: Studio) -> None:
    for name in GAMES:
        connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=PATIENCE)
        connection.request("GET", f"/boards/{name}.js")
        assert connection.getresponse().headers["Location"] == f"/games/{name}/board.js"
        connection.close()
        status, kind, module = get(studio, f"/games/{name}/board.js")
        assert (status, kind.partition(";")[0]) == (200, "text/javascript")
        assert name == "toy" or "createBoard" in module


def test_a_game_has_pages_of_its_own(studio: Studio) -> None:
    with talk(f"127.0.0.1:{studio.port}") as socket:
        games = {info["name"]: info["pages"] for info in json.loads(socket.recv(PATIENCE))["games"]}
    assert {name: pages for name, pages in games.items() if pages} == {
        "tetris": ["arcade"],
        "toy": ["toyshop", "toymuseum", "toyhouse"],
    }
    status, kind, page_of_toy = get(studio, "/toyshop")
    assert (status, kind) == (200, "text/html; charset=utf-8")
    assert "Toys" in page_of_toy
    assert 'id="i-undo"' in page_of_toy, "the pictures that all pages have"
    assert get(studio, "/toyshop/card.svg")[:2] == (200, "image/svg+xml")
    assert get(studio, "/arcade/main.js")[0] == 200
    assert get(studio, "/arcade/nothing.js")[0] == 404
    assert get(studio, "/workshop/card.svg")[0] == 404
    assert [get(studio, f"/arcade/{path}")[0] for path in ("../arcade.py", "arcade.py", "protocol.py")] == [
        404
    ] * 3


def test_a_page_talks_with_its_game_and_keeps_games_of_its_own(studio: Studio) -> None:
    host = f"127.0.0.1:{studio.port}"
    with talk(host, "/ws/toyshop") as one, talk(host, "/ws/toyshop") as other:
        one.send("doll")
        assert json.loads(one.recv(PATIENCE)) == {"toy": "doll", "number": 1}
        other.send("drum")
        assert json.loads(other.recv(PATIENCE)) == {"toy": "drum", "number": 2}
    assert {entry.level_id for entry in studio.store.sessions()} >= {"toyshop:doll", "toyshop:drum"}
    with talk(host) as socket:
        sessions = json.loads(socket.recv(PATIENCE))["sessions"]
    assert not [session for session in sessions if session["level_id"].startswith("toyshop:")]


def test_nobody_answers_other_pages(studio: Studio, caplog: pytest.LogCaptureFixture) -> None:
    for page in ("toymuseum", "toyhouse", "workshop", "triple"):
        with pytest.raises(InvalidStatus, match="403"), talk(f"127.0.0.1:{studio.port}", f"/ws/{page}"):
            pass
    assert [record.getMessage() for record in caplog.records] == ["the page toyhouse cannot be answered"]


@pytest.mark.parametrize(
    "path", ["../../board.js", "%2e%2e/board.js", "..%2fboard.js", "/etc/passwd", "%00", "a" * 5000]
)
def test_no_file_beside_a_page_is_served(studio: Studio, path: str) -> None:
    assert get(studio, f"/toyshop/{path}")[0] == 404
