"""A pack of levels as people review it, and what changed in it since another revision."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.cli_support import Run, document, encoded, one_error
from winnable import words
from winnable.batches.pack import BARS, MOST_BARS, MOST_ROWS, curve, markdown
from winnable.batches.revisions import Change, changes, kept_checks
from winnable.contract.registry import load_game
from winnable.levels.checking import Checked, Checking, Doubles, Looked

DROPS = load_game("drops")
ONE, OTHER, TURNED = "111/131/111", "141/131/111", "111/131/141"


def level(board: str) -> bytes:
    return encoded(DROPS.parse_board(board))


def row(source: str, level_id: str | None = None, rating: float | None = None, ok: bool = True) -> Checked:
    return Checked(source, ok, None if ok else "bad", level_id=level_id or source, rating=rating)


def said(before: list[Checked], after: list[Checked]) -> list[tuple[str, str]]:
    return [(change.source, change.said()) for change in changes(before, after)]


def test_the_report_of_a_pack(run: Run) -> None:
    Path("pack.jsonl").write_bytes(b"\n".join([level(ONE), level(OTHER), level(TURNED), b"{}", level(ONE)]))
    run("check", "pack.jsonl", "--solve", "--markdown", "report.md", code=1)
    text = Path("report.md").read_text()
    rows = document(run("check", "pack.jsonl", "--solve", "--rate", "--json", code=1))
    figures = [one["rating"] for one in rows if one["ok"]]
    assert text.startswith("# Levels: 4 of 5 are fine\n")
    assert "## What is wrong\n\n- <code>pack.jsonl:4</code>: the file has no" in text
    assert "- <code>pack.jsonl:3</code>: looks like pack.jsonl:2, perhaps turned or mirrored" in text
    assert "- <code>pack.jsonl:5</code>: the same level as pack.jsonl:1" in text
    assert f"Difficulty from {min(figures):.1f} to {max(figures):.1f}, in order: `{curve(figures)}`" in text
    cells = f"| {rows[0]['cost']} | {rows[0]['lower_bound']} | {figures[0]:.1f} |"
    assert f"| <code>pack.jsonl:1</code> | winnable {cells}" in text
    assert "clicks at par" in text


def test_it_speaks_chinese(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    run("check", "drops/05-puddle", "--markdown", "report.md")
    assert Path("report.md").read_text("utf-8").startswith("# 关卡：共 1 关，1 关没有问题\n")


def test_figures_of_the_game_are_facts(run: Run) -> None:
    (found,) = document(run("check", "triple/1-first-steps", "--rate", "--json"))
    assert {"traps", "forced", "smallest_tray"} <= found["facts"].keys()
    assert "verdict" not in found["facts"]
    assert found["facts"]["dead_tiles"] == "0 of 18, of kinds that lie over nothing"
    run("check", "triple/1-first-steps", "--markdown", "report.md")
    assert f"forced: {found['facts']['forced']}" in Path("report.md").read_text()


def test_a_level_that_is_played_has_an_interval_and_a_share_of_luck(run: Run) -> None:
    run("generate", "triple", "layers=6", "sets=3", "kinds=4", "side=3", "--count", "2", "-o", "pack.jsonl")
    found = document(run("check", "pack.jsonl", "drops/05-puddle", "--json", "--rate"))
    told = run("check", "pack.jsonl", "drops/05-puddle", "--rate", "--markdown", "report.md").stdout
    text = Path("report.md").read_text()
    for one in found[:2]:
        assert one["rating_low"] < one["rating"] < one["rating_high"]
        assert 0 < one["luck"] < 1
        figures = f"{one['rating']:.1f} ({one['rating_low']:.0f} - {one['rating_high']:.0f})"
        assert f"difficulty {figures}, {one['word']}, share of luck {one['luck']:.0%}" in told
        assert f"| {figures} | {one['luck']:.0%} |" in text
    shares = sorted(one["luck"] for one in found[:2])
    assert f"Share of luck from {shares[0]:.0%} to {shares[1]:.0%}, in order: `" in text
    assert not {"luck", "rating_low", "rating_high"} & found[2].keys()


def test_the_curve() -> None:
    assert curve([0, 7, 3.5, None, -7]) == "▅█▆·▁"
    assert curve([5, 5]) == "▁▁"
    assert curve([None]) == "·"
    assert curve([]) == ""
    many = curve([float(number) for number in range(1000)])
    assert len(many) == MOST_BARS
    assert list(many) == sorted(many, key=BARS.index)
    assert {many[0], many[-1]} == {"▁", "█"}


def test_nothing_is_markup_and_nothing_is_without_end() -> None:
    hostile = Checked("a|b`*_[x](y)<b>\\|\x1b\n&amp;", False, "<!-- | $x$ ~~a~~", "invalid", game="none")
    text = markdown([hostile] * (MOST_ROWS + 2)).decode()
    escaped = r"a&#124;b\`\*\_\[x\](y)\<b\>\\&#124;\\x1b \&amp;"
    assert f"- <code>{escaped}</code>: \\<!-- &#124; \\$x\\$ \\~\\~a\\~\\~\n" in text
    (cells,) = {line for line in text.splitlines() if line.startswith("| <code>")}
    assert cells.count("|") == 7
    assert text.count("... and 2 more") == 2
    assert len(text.splitlines()) < 2 * MOST_ROWS + 30


def test_what_was_not_checked_is_said() -> None:
    assert "**not checked: the check was interrupted: 2**" in markdown([], ["a", "b"]).decode()


# -- revisions -----------------------------------------------------------------------------------------------


def test_levels_are_found_again() -> None:
    before = [row("old/p.jsonl:1", "a", 10), row("old/p.jsonl:2", "b", 200), row("old/p.jsonl:3", "c")]
    after = [row("new/p.jsonl:1", "d"), row("new/p.jsonl:2", "a", 10), row("new/p.jsonl:3", "b", 60)]
    assert said(before, after) == [
        ("new/p.jsonl:1", "added"), ("new/p.jsonl:2", ""), ("new/p.jsonl:3", "easier by 140"),
        ("old/p.jsonl:3", "gone"),
    ]  # fmt: skip
    assert said([row("old.jsonl#2", "a", 1)], [row("new.jsonl:2", "b", 1.24)]) == [
        ("new.jsonl:2", "changed, harder by 0.2")
    ]
    after = [row("y/b.json", "c"), row("y/c.json", "d")]
    assert said([row("x/a.json", "a"), row("x/b.json", "b")], after) == [
        ("y/b.json", "changed"), ("y/c.json", "added"), ("x/a.json", "gone"),
    ]  # fmt: skip
    assert said([], [row("a")]) == [("a", "added")]
    assert said([row("/a/b")], [row("a/c", "d")]) == [("a/c", "changed")]


def test_doubles_are_paired_one_by_one_where_they_lie() -> None:
    same = [row("p:1", "a"), row("p:2", "a"), row("p:3", "a")]
    assert said(same, same[1:]) == [("p:2", ""), ("p:3", ""), ("p:1", "gone")]


def test_what_changed_of_a_level() -> None:
    before = replace(row("a"), verdict="budget", cost=5)
    after = replace(row("a", ok=False), verdict="solved", cost=3)
    assert Change(before, after).said() == ("no longer fine, verdict winnable, was undecided, cost 3, was 5")
    assert Change(after, before).said().startswith("fine now")
    words.use("zh-CN")
    try:
        assert Change(row("a", None, 10), row("a", None, 150)).said() == "难了 140"
    finally:
        words.use("en")


def test_a_pack_is_compared_with_another_revision(run: Run) -> None:
    for folder, boards in {"old": (ONE, OTHER), "new": (TURNED, OTHER, ONE)}.items():
        Path(folder).mkdir()
        for number, board in enumerate(boards):
            Path(folder, f"{number}.json").write_bytes(level(board))
    told = run("check", "new", "--rate", "--against", "old").stdout
    assert "new/0.json: added\n" in told
    assert "new/2.json: ok" in told
    assert told.count("added") == 1
    run("check", "old", "--rate", "-o", "rows.jsonl")
    kept = kept_checks(Path("rows.jsonl"))
    assert kept is not None
    assert [one.source for one in kept] == ["old/0.json", "old/1.json"]
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text().splitlines()]
    rows[1]["rating"] += 140
    Path("rows.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    for more in ((), ("--workers", "2")):
        found = run("check", "new", "--against", "rows.jsonl", "--markdown", "report.md", *more)
        assert "new/1.json: easier by 140\n" in found.stdout
        text = Path("report.md").read_text()
        assert "## What changed\n\nadded 1, gone 0, changed 1, as before 1\n" in text
        assert "- <code>new/1.json</code>: easier by 140\n" in text


def test_what_is_refused_was_refused_before_too(run: Run) -> None:
    Path("pack.jsonl").write_bytes(b"\n".join([level(OTHER), level(TURNED)]))
    told = run("check", "pack.jsonl", "--distinct", "--against", "pack.jsonl", code=1).stdout
    assert "no longer fine" not in told
    assert "FAILED: it is, or looks like" in told


def test_an_interrupted_comparison_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.json").write_bytes(level(ONE))
    judged, seen = Doubles.judged, list[str]()

    def judge(self: Doubles, looked: Looked, how: Checking) -> Looked:
        """Ctrl-C while the second one, that of the other revision, is looked into."""
        seen.append(looked.checked.source)
        if len(seen) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return judged(self, looked, how)

    monkeypatch.setattr(Doubles, "judged", judge)
    told = run("check", "a.json", "--against", "a.json", "--markdown", "report.md")
    assert "what changed is not said" in told.stderr
    assert "What changed" not in Path("report.md").read_text()


def test_no_such_revision(run: Run) -> None:
    Path("a.json").write_bytes(level(ONE))
    one_error(run("check", "a.json", "--against", "none", code=2), "none")
    one_error(run("check", "a.json", "--against", "a.json", "--shard", "1/2", code=2), "--shard")
    run("check", "a.json", "-o", "rows.jsonl")
    with Path("rows.jsonl").open("a") as file:
        file.write('{"source": 3}\n')
    one_error(run("check", "a.json", "--against", "rows.jsonl", code=2), "rows.jsonl:2")
