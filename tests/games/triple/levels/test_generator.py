"""Generated levels: as many tiles as asked, always the same, winnable where that is promised."""

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.contract.core import LevelError, finish, replay
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple


@st.composite
def small_params(draw: st.DrawFn, method: str, min_slots: int = 1) -> Params:
    layers, side = draw(st.integers(1, 6)), draw(st.integers(2, 5))
    cells = (layers + 1) // 2 * side**2 + layers // 2 * (side - 1) ** 2
    kinds = draw(st.integers(1, max(1, min(8, cells // 3))))
    sets = draw(st.integers(1, max(1, cells // (3 * kinds))))
    return msgspec.convert(
        {
            "layers": layers,
            "side": side,
            "kinds": kinds,
            "sets": sets,
            "slots": draw(st.integers(min_slots, 8)),
            "method": method,
            "variant": draw(st.sampled_from(["plain", "tools"])),
        },
        Params,
    )


seeds = st.integers(0, 2**53 - 1)


@given(small_params("random"), seeds)
def test_random_boards_hold_what_was_asked_for(params: Params, seed: int) -> None:
    level = finish(generate(params, seed))
    counts = [tile.kind for tile in level.tiles]
    assert sorted(counts) == sorted(kind for kind in range(params.kinds) for _ in range(3 * params.sets))
    places = [(tile.layer, tile.y, tile.x) for tile in level.tiles]
    assert places == sorted(set(places)), "layer by layer from the bottom up, row-major"
    for tile in level.tiles:
        side, start = (params.side - 1, 4) if tile.layer % 2 else (params.side, 0)
        assert 0 <= tile.layer < params.layers
        assert (tile.x - start) % 8 == 0 == (tile.y - start) % 8
        assert start <= min(tile.x, tile.y) <= max(tile.x, tile.y) < start + 8 * side
    assert (level.tools is not None) == (params.variant == "tools")
    assert level.slots == params.slots
    assert level.certificate is None


@given(small_params("backwards", min_slots=3), seeds)
def test_backwards_boards_are_won_by_their_certificate(params: Params, seed: int) -> None:
    level = finish(generate(params, seed))
    assert level.certificate is not None
    puzzle = Triple(level)
    assert puzzle.is_goal(replay(puzzle, level.certificate.actions))
    assert level.certificate.cost == len(level.tiles)


@pytest.mark.parametrize("slots", [3, 4, 7])
def test_backwards_fills_the_tray_to_the_limit(slots: int) -> None:
    level = finish(generate(Params(method="backwards", slots=slots), 1))
    assert level.certificate is not None
    puzzle, state, most = Triple(level), 0, 0
    for action in level.certificate.actions:
        state = puzzle.apply(state, action)
        most = max(most, len(puzzle.tray(state)))
    assert most == slots - 1


@pytest.mark.parametrize("method", ["random", "backwards", "de-repair"])
def test_the_same_arguments_give_the_same_level_and_it_survives_a_file(method: str) -> None:
    params = msgspec.convert({"method": method, "layers": 14, "sets": 8}, Params)
    level = finish(generate(params, 3))
    assert level == finish(generate(params, 3))
    assert level.tiles != finish(generate(params, 4)).tiles
    assert msgspec.json.decode(msgspec.json.encode(level), type=Level) == level
    assert level.provenance is not None
    assert level.provenance.generator == f"triple/{method}"
    assert finish(generate(msgspec.convert(level.provenance.params, Params), level.provenance.seed)) == level


def test_de_repair_gives_a_certified_board() -> None:
    level = finish(generate(Params(method="de-repair", layers=16, variant="tools"), 7))
    assert level.certificate is not None
    assert level.tools is not None
    puzzle = Triple(level)
    assert puzzle.is_goal(replay(puzzle, level.certificate.actions))


@pytest.mark.parametrize(
    ("method", "digest"),
    [("random", "64742706e17467e1"), ("backwards", "6fae130b91794b17")],
)
def test_levels_stay_what_they_were(method: str, digest: str) -> None:
    """Published (params, seed) pairs must keep their level on every platform."""
    params = msgspec.convert({"method": method}, Params)
    tiles = msgspec.json.encode([finish(generate(params, seed)).tiles for seed in range(3)])
    assert hashlib.sha256(tiles).hexdigest()[:16] == digest


@pytest.mark.parametrize(
    ("params", "seed", "message"),
    [
        (Params(layers=11), 0, "sets: 12 kinds × 10 sets × 3 = 360 tiles, but 11 layers .* only 341 cells"),
        (Params(layers=0), 0, r"params: layers"),
        (Params(kinds=65), 0, r"params: kinds"),
        (Params(layers=1000, side=300), 0, "layers: .* 89700500 cells, over 100000"),
        (Params(method="backwards", slots=2), 0, "slots: with 2 nothing can be won"),
        (Params(method="de-repair", slots=1), 0, "slots: with 1 nothing can be won"),
        (Params(), -1, "seed: .*not -1"),
        (Params(), 2**53, "seed: "),
    ],
)
def test_refused_arguments_are_named(params: Params, seed: int, message: str) -> None:
    with pytest.raises(LevelError, match=message):
        finish(generate(params, seed))


def test_params_of_files_are_checked_too() -> None:
    with pytest.raises(msgspec.ValidationError, match="method"):
        msgspec.json.decode(b'{"method": "magic"}', type=Params)
    with pytest.raises(msgspec.ValidationError, match="unknown"):
        msgspec.json.decode(b'{"layer": 3}', type=Params)
