"""Writes the levels that ship with drops: pictures drawn here or picked from what the generator made.

    .venv/bin/python scripts/make_drops_levels.py

Each gets a certificate of the fewest clicks and two drops more, so that three, two or one star can be earned.
The difficulty (see difficulty.py) must rise from level to level; that of the last one is not known.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from winnable import __version__
from winnable.games.drops import all_ones
from winnable.games.drops.difficulty import EFFORT, difficulty
from winnable.games.drops.examination import Examination
from winnable.games.drops.game import GAME
from winnable.games.drops.level import Level, RuleName
from winnable.games.drops.rules import need
from winnable.library import encode_level, write_file
from winnable.provenance import Certificate

SPARE = 2


class Picture(NamedTuple):
    en: str
    zh: str
    board: str
    rules: RuleName = "classic"


PICTURES = (
    Picture("First drops", "初试水滴", "4444/4004/4004/4444"),
    Picture("Crosswise", "交叉", "4004/0440/0440/4004"),
    Picture("Chequers", "棋盘格", "40404/04040/40304/04040/40404"),
    Picture("X marks the spot", "藏宝图", "40004/04040/00300/04040/40004"),
    Picture("Puddle", "小水洼", "2222/2442/2442/2222"),
    Picture("Little star", "小星星", "00400/03230/42424/03230/00400"),
    Picture("Butterfly", "蝴蝶", "240042/412214/024420/024420/412214/240042"),
    Picture("Cottage", "小屋", "00300/04240/24342/22222/14041"),
    Picture("Plus", "加号", "00300/00300/33333/00300/00300"),
    Picture("Heart", "爱心", "040040/324423/333333/013310/003300/000000"),
    Picture("Windmill", "风车", "343003/003004/002233/332200/400300/300343"),
    Picture("Drizzle", "毛毛雨", "34324/13334/13234/30234/34043"),
    Picture("Hourglass", "沙漏", "332233/011110/003300/004400/023320/343343"),
    Picture("Kitten", "小猫", "100001/230032/433334/403304/342243/043340"),
    Picture("Diamond", "钻石", "002200/014410/242242/242242/014410/002200"),
    Picture("Fir tree", "圣诞树", "001100/013310/342243/014410/414414/002200"),
    Picture("Shower", "阵雨", "34404/30320/40321/22140/02433"),
    Picture("Umbrella", "雨伞", "004400/042240/424424/002200/002200/032200"),
    Picture("Smile", "笑脸", "244442/202202/342243/301103/240042/222222"),
    Picture("Cloudburst", "骤雨", "322440/330110/241430/434331/444232/000102"),
    Picture("Crossroads", "十字路口", "004400/002200/142241/422224/003300/004400"),
    Picture("Downpour", "倾盆大雨", "413012/012243/142402/124010/322202/341220"),
    Picture("Checkmate", "将军", "304040/040200/002000/000200/002040/040403"),
    Picture("Invader", "太空来客", "300003/023320/320023/134431/401104/100001"),
    Picture("Old tomcat", "老猫", "400004/130031/332233/204402/222222/023320"),
    Picture("Slow motion", "慢动作", "314413/203302/142241/203302/230032/311113", "snappers"),
    Picture("Broken heart", "心碎", "040040/142241/341143/021120/003300/000000"),
    Picture("Moth", "飞蛾", "430034/244442/041140/031130/321123/230032"),
    Picture("Nothing to spare", "滴水不漏", "022412/413320/342244/132113/332232/322220", "symmetric"),
    Picture("Ones", "满盘皆一", "111111/111111/111111/111111/111111/111111"),
)


def certificate_and_difficulty(level: Level) -> tuple[Certificate, float]:
    if set(level.cells) == {1}:
        line = tuple(all_ones.construct(level.rows, level.columns))
        fewest = all_ones.fewest(level.rows, level.columns)
        assert len(line) == fewest
        return Certificate("solved", "drops/all-ones", __version__, line, fewest, fewest), float("inf")
    examination = Examination(level, EFFORT, need(level.cells))
    good, greedy = examination.good_first_clicks(len(level.cells)), examination.greedy
    assert examination.par is not None
    assert good is not None
    assert greedy is not None
    choices = len(level.cells) - level.cells.count(0)
    figure = difficulty(examination.par, choices, len(good), greedy - examination.par)
    return examination.certificate(), figure


def file_name(number: int, picture: Picture) -> str:
    return f"{number:02}-{picture.en.lower().replace(' ', '-')}.json"


def main() -> None:
    made: list[tuple[str, Level, float]] = []
    for number, picture in enumerate(PICTURES, 1):
        level = Level((*picture.board.split("/"),), rules=picture.rules)
        certificate, figure = certificate_and_difficulty(level)
        assert certificate.cost is not None
        level = Level(
            level.board,
            rules=level.rules,
            drops=certificate.cost + SPARE,
            title={"en": picture.en, "zh-CN": picture.zh},
            certificate=certificate,
        )
        made.append((file_name(number, picture), level, figure))
        print(f"{made[-1][0]:<28} par {certificate.cost:>2}  difficulty {figure:.1f}")
    assert all(easier[2] < harder[2] for easier, harder in pairwise(made)), "the difficulty must rise"
    for old in GAME.levels.glob("*.json"):
        if old.name not in {name for name, _, _ in made}:
            old.unlink()
    for name, level, _ in made:
        write_file(Path(GAME.levels / name), encode_level(level) + b"\n")


if __name__ == "__main__":
    main()
