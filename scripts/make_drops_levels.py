"""Writes the levels that ship with drops, two series: our own, pictures drawn here or picked from what the
generator made, and thirty of the article's kind.

    .venv/bin/python scripts/make_drops_levels.py

Each of our own gets a certificate of the fewest clicks and two drops more, so that three, two or one star can
be earned. In each series the difficulty (see difficulty.py, for play without clicks on empty cells) must rise
from level to level; that of the last one is not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from winnable import __version__
from winnable.contract.core import Budget, Limit, finish
from winnable.contract.provenance import Certificate
from winnable.games.drops.article.settings import WithinDepth
from winnable.games.drops.article.solver import solve_bfs
from winnable.games.drops.game import GAME
from winnable.games.drops.measure.difficulty import EFFORT, difficulty
from winnable.games.drops.measure.examination import Examination
from winnable.games.drops.rules.level import TANK, Level, RuleName
from winnable.games.drops.rules.puzzle import BURSTS_PER_DROP, Drops, lasts, need
from winnable.games.drops.solve import all_ones
from winnable.games.drops.solve.solver import solve_optimal
from winnable.levels.files import encode_level, write_file

SPARE = 2


class Picture(NamedTuple):
    en: str
    zh: str
    board: str
    rules: RuleName = "classic"


class Made(NamedTuple):
    name: str
    """Of its file."""
    level: Level
    figure: float
    """How hard it is."""


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


ARTICLE = (
    Picture("Fountain", "喷泉", "000000/000000/044440/402204/044440/222222"),
    Picture("Pond", "池塘", "200002/422224/104401/104401/422224/200002"),
    Picture("Dew", "露珠", "131342/334240/141443/324012/444110/203200"),
    Picture("Pinwheel", "小风轮", "110041/431231/024410/014420/132134/140011"),
    Picture("Mist", "薄雾", "143341/414414/220022/042240/210012/424424"),
    Picture("Window", "窗格", "033330/030030/330033/330033/030030/033330"),
    Picture("Whirl", "漩涡", "230102/001303/134410/014431/303100/201032"),
    Picture("Picture frame", "相框", "420024/204402/002200/002200/204402/420024"),
    Picture("Propeller", "螺旋桨", "012100/004001/104442/244401/100400/001210"),
    Picture("Ripples", "涟漪", "220204/242223/020433/224400/023003/433031"),
    Picture("Lattice", "花格", "300103/033330/033133/131303/033030/303301"),
    Picture("Sluice", "水闸", "200002/200002/400004/402204/220022/220022"),
    Picture("Turnstile", "转门", "041140/434034/101141/141101/430434/041140"),
    Picture("Four leaves", "四叶草", "203302/404404/120021/120021/404404/203302"),
    Picture("Vase", "花瓶", "121121/210012/104401/000000/304403/244442"),
    Picture("Hillside", "山坡", "123344/232001/324140/301002/404040/410203"),
    Picture("Spring", "泉眼", "044440/022220/222222/002200/002200/440044"),
    Picture("Hail", "冰雹", "303131/013003/333003/100000/300031/133011"),
    Picture("Lantern", "灯笼", "010010/304403/020020/400004/303303/120021"),
    Picture("Watermill", "水车", "141001/040044/003301/103300/440040/100141"),
    Picture("Canal", "运河", "000000/444444/011110/011110/444444/000000"),
    Picture("Delta", "三角洲", "313303/103001/333030/300301/003030/310103"),
    Picture("Reservoir", "水库", "321123/131131/233332/233332/131131/321123"),
    Picture("Stone bridge", "石桥", "333333/001100/110011/330033/000000/033330"),
    Picture("Brook", "溪流", "030013/330333/000010/030300/131013/330031"),
    Picture("Well", "水井", "213312/323323/222222/233332/332233/332233"),
    Picture("Slant", "斜雨", "110040/101100/011440/014134/404314/000443"),
    Picture("Tide", "潮水", "331112/322313/123322/133223/112222/232323"),
    Picture("Storm", "暴风雨", "200200/010142/002443/214101/044011/023113"),
    Picture("All ones", "满盘皆一", "111111/111111/111111/111111/111111/111111"),
)
"""The series of the article's kind: boards with some symmetry, drawn at random, as hard as 3.5 to 37."""


def certificate_and_difficulty(level: Level) -> tuple[Certificate, float]:
    if set(level.cells) == {1}:
        line = tuple(all_ones.construct(level.rows, level.columns))
        fewest = all_ones.fewest(level.rows, level.columns)
        assert len(line) == fewest
        return Certificate("solved", "drops/all-ones", __version__, line, fewest, fewest), float("inf")
    examination = Examination(level, EFFORT, need(level.cells))
    good = finish(examination.good_first_clicks(len(level.cells)))
    greedy = finish(examination.greedy())
    assert examination.par is not None
    assert good is not None
    assert greedy is not None
    choices = len(level.cells) - level.cells.count(0)
    figure = difficulty(examination.par, choices, len(good), greedy - examination.par)
    return examination.certificate(), figure


def own_levels() -> Iterator[Made]:
    for number, picture in enumerate(PICTURES, 1):
        level = Level((*picture.board.split("/"),), rules=picture.rules)
        certificate, figure = certificate_and_difficulty(level)
        assert certificate.cost is not None
        level = replace(level, drops=certificate.cost + SPARE, certificate=certificate)
        yield Made(f"{number:02}-{file_name(picture)}", titled(level, picture), figure)


def article_levels() -> Iterator[Made]:
    """6 × 6 cells, all of them clickable, ten drops and one more for every third burst. That no two clicks do
    is proved by the article's `bfs`. The last level, as hard as the article says, cannot be won without a
    cheat."""
    for number, picture in enumerate(ARTICLE, 1):
        board = (*picture.board.split("/"),)
        certificate, figure = certificate_and_difficulty(Level(board))
        level = Level(board, drops=TANK, every=BURSTS_PER_DROP, open=True)
        puzzle = Drops(level)
        if number == len(ARTICLE):
            assert finish(solve_optimal(puzzle, puzzle.initial(), Budget(), 0)).status == "unsolvable"
            certificate = Certificate("unsolvable", "drops/optimal", __version__)
        else:
            assert lasts(puzzle, puzzle.initial(), certificate.actions), (
                "a line for which the tank does not last"
            )
            quick = finish(solve_bfs(puzzle, puzzle.initial(), Budget(), 0, WithinDepth(depth=2)))
            assert (quick.limit, quick.lower_bound) == (Limit("depth", 2), 3), "won in two clicks"
            certificate = replace(certificate, lower_bound=quick.lower_bound)
        level = replace(level, certificate=certificate)
        yield Made(f"article-{number:02}-{file_name(picture)}", titled(level, picture), figure)


def titled(level: Level, picture: Picture) -> Level:
    return replace(level, title={"en": picture.en, "zh-CN": picture.zh})


def file_name(picture: Picture) -> str:
    return f"{picture.en.lower().replace(' ', '-')}.json"


def main() -> None:
    names: set[str] = set()
    for series in (own_levels, article_levels):
        made = list(series())
        assert all(easier.figure < harder.figure for easier, harder in pairwise(made)), "it must get harder"
        for name, level, figure in made:
            write_file(Path(GAME.levels / name), encode_level(level) + b"\n")
            cost = level.certificate.cost if level.certificate else None
            print(f"{name:<32} clicks {cost or '-':>2}  difficulty {figure:.1f}")
        names |= {name for name, _, _ in made}
    for old in GAME.levels.glob("*.json"):
        if old.name not in names:
            old.unlink()


if __name__ == "__main__":
    main()
