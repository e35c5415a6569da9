"""The players of rotate."""

from collections import Counter

from winnable.games.rotate.levels.text import parse_board
from winnable.games.rotate.players.by_name import PLAYERS, Greedy
from winnable.games.rotate.rules.clusters import cluster_numbers
from winnable.games.rotate.rules.puzzle import Rotate


def test_greedy_leaves_the_fewest_clusters() -> None:
    rotate = Rotate(parse_board("112/231/323"))
    state = rotate.initial()
    left = {action: rotate.apply(state, action).cells for action in rotate.legal_actions(state)}
    counts = {action: max(cluster_numbers(cells, 3)) for action, cells in left.items()}
    assert counts[Greedy(rotate).choose(state)] == min(counts.values())


def test_greedy_does_not_stand_still() -> None:
    """No turn of this board leaves fewer clusters, so any may follow."""
    rotate = Rotate(parse_board("12/21"))
    chosen = Counter(Greedy(rotate, seed).choose(rotate.initial()) for seed in range(30))
    assert set(chosen) == {0, 1, 2}


def test_greedy_and_chance_follow_their_seed() -> None:
    rotate = Rotate(parse_board("/".join(["12" * 32, "21" * 32] * 32)))
    state = rotate.initial()
    for player in PLAYERS.values():
        assert len({player(rotate, seed).choose(state) for seed in range(5)}) > 1
        assert player(rotate, 7).choose(state) == player(rotate, 7).choose(state)
