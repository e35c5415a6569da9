"""The JSON Schemas that are published, and `$schema` in level files, which changes nothing."""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.cli_support import Run, document, one_error
from winnable.contract.registry import OURS, load_game
from winnable.levels.files import encode_level, read_level, shipped_levels
from winnable.levels.schemas import level_schema

ROOT = Path(__file__).parents[2]
WHERE = "https://example.org/drops-1.json"


def test_the_schemas_are_those_of_now() -> None:
    written = runpy.run_path(str(ROOT / "scripts/write_schemas.py"))["written"]()
    assert {path.name for path in written} == {f"{name}-1.json" for name in OURS}
    assert {path.name for path in (ROOT / "docs" / "schemas").iterdir()} == {path.name for path in written}
    for path, text in written.items():
        assert path.read_text("utf-8") == text, f"{path}: run scripts/write_schemas.py"


def patterns(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for name, value in schema.items():  # pyright: ignore[reportUnknownVariableType]
            if name == "pattern":
                yield value
            yield from patterns(value)
    elif isinstance(schema, list):
        for value in schema:  # pyright: ignore[reportUnknownVariableType]
            yield from patterns(value)


@pytest.mark.parametrize("name", OURS)
def test_a_schema_is_one_for_other_programs(name: str, run: Run) -> None:
    schema = level_schema(load_game(name))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    level = schema["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    assert level["properties"]["format"] == {"enum": [f"winnable.{name}/1"]}
    assert "$schema" in level["properties"]
    assert all(re.fullmatch(r"\^.*\$", pattern) and "\\" + "A" not in pattern for pattern in patterns(schema))
    for _, shipped in shipped_levels(load_game(name)):
        fields = json.loads(encode_level(shipped))
        assert fields.keys() <= level["properties"].keys()
        assert fields.keys() >= set(level["required"])
    assert document(run("games", "--schema", name)) == schema


def test_the_patterns_of_drops_fit_its_boards() -> None:
    (pattern,) = patterns(level_schema(load_game("drops")))
    for _, level in shipped_levels(load_game("drops")):
        assert all(re.search(pattern, row) for row in level.board)
    assert not re.search(pattern, "5")


def test_a_level_that_names_its_schema_is_the_same_level(run: Run) -> None:
    run("export", "drops/05-puddle", "-o", "plain.json")
    run("export", "drops/05-puddle", "--schema", WHERE, "-o", "named.json")
    named = json.loads(Path("named.json").read_text())
    assert named.pop("$schema") == WHERE
    assert named == json.loads(Path("plain.json").read_text())
    plain, told = (read_level(Path(f"{name}.json").read_bytes()) for name in ("plain", "named"))
    assert told.id == plain.id
    assert encode_level(told.level) + b"\n" == Path("named.json").read_bytes()
    rows = document(run("check", "plain.json", "named.json", "--json"))
    assert rows[1]["same_as"] == "plain.json"


def test_only_json_names_it_and_only_as_text(run: Run) -> None:
    one_error(run("export", "drops/05-puddle", "--schema", WHERE, "--format", "text", code=2), "only json")
    Path("bad.json").write_text('{"format":"winnable.drops/1","board":["13"],"$schema":3}')
    (row,) = document(run("check", "bad.json", "--json", code=1))
    assert row["problem"].startswith("$schema:")
    Path("bad.json").write_text('{"format":"winnable.drops/1","board":["13"],"$other":"x"}')
    assert "$other" in document(run("check", "bad.json", "--json", code=1))[0]["problem"]
