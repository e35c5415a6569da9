"""For pytest: the tests that every game passes, ours and those of other packages."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any, ClassVar, cast
from xml.etree import ElementTree

import msgspec
import pytest

from winnable import words
from winnable.contract.abilities import (
    MOST_MARKED,
    Commands,
    ForeseesActions,
    GivesArrays,
    Pages,
    PointsOut,
    Rates,
    Recording,
    Refutes,
    SetsTasks,
    Solves,
    formats_of,
    repairs_of,
    solvers_of,
    tunables_of,
)
from winnable.contract.chance import Seeded
from winnable.contract.core import (
    Budget,
    IllegalAction,
    LevelError,
    Named,
    Observed,
    Puzzle,
    Reason,
    WinnableError,
    finish,
    replay,
)
from winnable.contract.game import Game
from winnable.contract.methods import choose, parse_methods
from winnable.contract.params import describe_params, make_params
from winnable.contract.registry import GAMES, load_game
from winnable.inert.arrays import np
from winnable.levels.files import NamedLevel, decode, encode_level, shipped_level, shipped_levels
from winnable.levels.find import find_level, is_kind
from winnable.levels.identity import Identity, content_id, parse_identity, parse_params
from winnable.play.playing import RandomPlayer
from winnable.play.session import Session


class Solvable(Game, Solves):
    """As types see a game that has a goal."""


SEEDS = (0, 1, 20261121)
RATING = 200
"""States that a rating may look at: of a large level it may end without one."""
RAISED = {"WinnableError", "LevelError", "IllegalAction", "GaveUp"}
"""What is raised with a code; and whatever a package derives from these."""
MOST_HELP = 10_000
"""Steps in which a level may lose what helps."""
MOST_STATES = 150
"""Of a random game; those of some games never end."""


def some_levels(game: Game) -> list[Any]:
    return _some_levels(game.name)


@cache
def _some_levels(name: str) -> list[Any]:
    game = load_game(name)
    made = [finish(game.generate(game.daily, seed)) for seed in SEEDS]
    return made + [level for _, level in shipped_levels(game)]


def _some_actions(game: Game, level: Any) -> list[int]:
    session = Session(NamedLevel(game, level, "x"))
    while session.ply < 10 and (legal := session.puzzle.legal_actions(session.state)):
        session.act(legal[session.ply * 5 % len(legal)])
    return session.actions


def random_game(puzzle: Puzzle, seed: int) -> list[Any]:
    """The states of one random game, or its first."""
    rng, states = random.Random(seed), [puzzle.initial()]
    while len(states) < MOST_STATES and (legal := puzzle.legal_actions(states[-1])):
        states.append(puzzle.apply(states[-1], rng.choice(list(legal))))
    return states


def takes(make: Callable[[Puzzle, int], Any], puzzle: Puzzle) -> bool:
    """Whether the player does not refuse the level."""
    try:
        make(puzzle, 0)
    except WinnableError:
        return False
    return True


def without_words(keys: list[str]) -> list[str]:
    """Those that are missing, each with its language."""
    return [
        f"{key} ({language})"
        for language in words.LANGUAGES
        for key in keys
        if not words.catalogue(language).get(key)
    ]


def raised_codes(game: Game) -> Iterator[str]:
    """Of the errors that the game's own modules raise."""
    folder = GAMES[game.name].folder
    for path in sorted(folder.rglob("*.py")) if folder else ():
        tree = ast.parse(path.read_bytes())
        own = {
            node.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) in RAISED for base in node.bases)
        }
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=kind), args=[ast.Constant(value=str(code)), *_]) if (
                    kind in RAISED | own and " " not in code
                ):
                    yield code
                case _:
                    pass


class GameContract:
    """What every game must hold. A package that brings one tests it with three lines:

    from winnable.testing import GameContract

    class TestLights(GameContract):
        name = "lights"
    """

    name: ClassVar[str] = ""

    @pytest.fixture
    def game(self, request: pytest.FixtureRequest) -> Game:
        return load_game(self.name)

    @pytest.fixture
    def solvable(self, game: Game) -> Solvable:
        """Only of games that have a goal."""
        if not isinstance(game, Solves):
            pytest.skip("has no goal")
        return cast(Solvable, game)

    def test_the_registry_agrees_with_the_game(self, game: Game) -> None:
        assert GAMES[game.name].name == game.name
        assert game.players
        chance = isinstance(game.puzzle(some_levels(game)[0]), Seeded)
        assert chance != isinstance(game, Solves), "what has a goal has a solver"

    def test_everything_that_people_choose_from_has_a_name(self, game: Game) -> None:
        keys = [f"method.{method}" for method in (*solvers_of(game), *game.players, *repairs_of(game))]
        keys += [f"tunable.{tunable}" for tunable in tunables_of(game)]
        assert without_words(keys) == []

    def test_its_comparisons_can_be_made(self, game: Game) -> None:
        known: dict[str, Any] = {**game.players, **solvers_of(game)}
        for name, one in game.comparisons.items():
            assert without_words([f"comparison.{game.name}.{name}{part}" for part in ("", ".about")]) == []
            assert min(one.games, one.seconds) > 0, name
            methods = [choose("by", known, by, game.name) for by in parse_methods(",".join(one.by))]
            for level in one.levels:
                colon = "" if ":" in level else ":"
                named = find_level(f"{level}{colon}#{one.seed}" if is_kind(level) else level)
                assert named.game.name == game.name, level
                puzzle = game.puzzle(named.level)
                unwilling = [by for by in methods if by.name in game.players and not takes(by.method, puzzle)]
                assert unwilling == [], level
            labels = [method.label for method in methods]
            assert set(one.told) <= {(level, label) for level in one.levels for label in labels}, name

    def test_the_cover_is_a_level(self, game: Game) -> None:
        if game.cover.startswith(f"{game.name}/"):
            assert shipped_level(game.cover) is not None, game.cover
        else:
            game.parse_board(game.cover)

    def test_its_words_are_there_in_both_languages(self, game: Game) -> None:
        name, level = game.name, some_levels(game)[0]
        keys = [f"game.{name}", f"game.{name}.about", f"rules.{name}.1"]
        keys += [f"fact.{fact}" for fact in game.facts(level, Budget(seconds=1))]
        if isinstance(game, SetsTasks):
            keys += [f"task.{name}", f"task.{name}.moves"]
        if isinstance(game, Commands):
            keys += [f"command.{command}" for command in game.commands()]
        if isinstance(game, Pages):
            keys += [f"page.{page}{part}" for page in game.pages for part in ("", ".about", ".go", ".invite")]
        assert without_words(keys) == []
        english, chinese = (GAMES[name].words(language) for language in words.LANGUAGES)
        assert list(english) == list(chinese)
        assert [key for key, text in (*english.items(), *chinese.items()) if not text.strip()] == []

    def test_errors_have_words_in_both_languages(self, game: Game) -> None:
        assert without_words([f"error.{code}" for code in raised_codes(game)]) == []
        puzzle = game.puzzle(some_levels(game)[0])
        asked: list[Callable[[], object]] = [lambda: game.parse_board("no such board ☃")]
        asked += [lambda action=action: puzzle.apply(puzzle.initial(), action) for action in (-1, 10**9)]
        if isinstance(puzzle, Named):
            asked.append(lambda: puzzle.parse_action("no such action ☃"))
        for ask in asked:
            with pytest.raises(WinnableError) as caught:
                ask()
            for language in words.LANGUAGES:
                said = caught.value.said(language)
                assert not said.endswith(caught.value.code), said
                assert "{" not in said

    def test_a_level_is_rated_alike_each_time(self, game: Game) -> None:
        if not isinstance(game, Rates):
            pytest.skip("says nothing of how hard a level is")
        shipped = some_levels(game)[len(SEEDS) :] or some_levels(game)
        for level in (shipped[0], shipped[-1]):
            first, again = (finish(game.rate(level, Budget(expanded=RATING), 1)) for _ in range(2))
            assert first == again

    def test_each_word_for_how_hard_has_levels_for_tasks(self, game: Game) -> None:
        if not isinstance(game, SetsTasks):
            pytest.skip("sets no tasks")
        assert game.tasks
        for choices in game.tasks.values():
            assert choices
            for text in choices:
                finish(game.generate(parse_params(game, text), 1))
        for level in some_levels(game)[:3]:
            seen = [level]
            while (tighter := game.tighter(seen[-1])) != seen[-1]:
                seen.append(tighter)
                assert len(seen) < MOST_HELP

    def test_arrays_keep_to_their_fields(self, game: Game) -> None:
        if not isinstance(game, GivesArrays):
            pytest.skip("says nothing of its states as arrays")
        puzzle = game.puzzle(some_levels(game)[0])
        arrays = game.arrays(puzzle)
        into = {name: np.full(field.shape, field.low, field.dtype) for name, field in arrays.fields.items()}
        for state in random_game(puzzle, 3)[::10]:
            arrays.fill(state, into)
            for name, field in arrays.fields.items():
                assert field.low <= into[name].min(), name
                assert into[name].max() <= field.high, name

    def test_generation_is_deterministic_and_levels_round_trip(self, game: Game) -> None:
        for seed in SEEDS:
            level = finish(game.generate(game.daily, seed))
            assert level == finish(game.generate(game.daily, seed))
            assert level.provenance.seed == seed
            assert decode(encode_level(level), game.level_type) == level
            identity = str(Identity(game, game.daily, seed))
            assert parse_identity(identity) == (game, game.daily, seed)
            assert find_level(identity) == NamedLevel(game, level, identity)

    def test_text_notation_round_trips(self, game: Game) -> None:
        for level in some_levels(game):
            again = game.parse_board(game.format_board(level))
            assert content_id(game, again) == content_id(game, level)

    def test_parameters_have_defaults_and_refuse_what_is_unknown(self, game: Game) -> None:
        assert make_params(game.params_type, {}, game.name) == game.params_type()
        with pytest.raises(LevelError, match="no_such_thing"):
            make_params(game.params_type, {"no_such_thing": "1"}, game.name)

    def test_parameters_that_do_not_count_are_refused(self, game: Game) -> None:
        params = {param.name: param for param in describe_params(game.params_type)}
        for param in params.values():
            for name, choices in param.only.items():
                others = params[name].choices
                assert others is not None
                assert set(choices) < set(others)
                values = param.choices or [param.minimum, param.maximum]
                value = next(value for value in values if value != param.default)
                for other in set(others) - set(choices):
                    chosen = {name: other, param.name: str(value)}
                    with pytest.raises(LevelError, match=param.name):
                        finish(game.generate(make_params(game.params_type, chosen, game.name), 1))

    def test_legal_actions_and_apply(self, game: Game) -> None:
        for level in some_levels(game):
            puzzle = game.puzzle(level)
            for state in random_game(puzzle, 1)[::7]:
                legal = list(puzzle.legal_actions(state))
                before = hash(state)
                assert legal == sorted(set(legal))
                assert all(0 <= action < puzzle.num_actions for action in legal)
                assert not (legal and puzzle.is_goal(state))
                for action in legal:
                    assert puzzle.apply(state, action) == puzzle.apply(state, action)
                    assert puzzle.cost(state, action) > 0
                illegal = set(range(min(puzzle.num_actions, 200))) - set(legal)
                for action in [-1, puzzle.num_actions, 10**12, *illegal]:
                    with pytest.raises(IllegalAction):
                        puzzle.apply(state, action)
                assert hash(state) == before

    def test_actions_have_names(self, game: Game) -> None:
        for level in some_levels(game):
            puzzle = game.puzzle(level)
            assert isinstance(puzzle, Named)
            for action in range(min(puzzle.num_actions, 300)):
                assert puzzle.parse_action(puzzle.action_name(action)) == action

    def test_what_is_seen_can_be_sent_and_drawn(self, game: Game) -> None:
        for level in some_levels(game):
            puzzle = game.puzzle(level)
            assert isinstance(puzzle, Observed)
            observed = cast("Observed", puzzle)
            for state in random_game(puzzle, 2)[::20]:
                assert msgspec.json.encode(observed.observe(state))
                assert game.render(puzzle, state).strip()
                drawn = game.svg(puzzle, state)
                assert drawn.lstrip().startswith("<svg")
                assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"

    def test_players_choose_legal_actions_and_follow_their_seed(self, game: Game) -> None:
        puzzle = game.puzzle(some_levels(game)[0])
        default, *others = game.players.values()
        for make in (default, *(make for make in others if takes(make, puzzle))):
            games: list[list[int]] = []
            for seed in (5, 5):
                player, state = make(puzzle, seed), puzzle.initial()
                chosen: list[int] = []
                while puzzle.legal_actions(state) and len(chosen) < 12:
                    chosen.append(finish(player.choose(state)))
                    assert chosen[-1] in puzzle.legal_actions(state)
                    state = puzzle.apply(state, chosen[-1])
                games.append(chosen)
            assert games[0] == games[1]

    def test_a_game_ships_levels_with_titles(self, game: Game) -> None:
        levels = list(shipped_levels(game))
        assert levels
        for name, level in levels:
            assert set(level.title) == {"en", "zh-CN"}, name

    def test_shipped_levels_are_judged_by_the_default_solver(self, solvable: Solvable) -> None:
        solve = next(iter(solvable.solvers.values()))
        solvable.warm()  # which may take longer than the budget
        for name, level in shipped_levels(solvable):
            puzzle = solvable.puzzle(level)
            result = finish(solve(puzzle, puzzle.initial(), Budget(seconds=5, expanded=50_000), 0))
            if level.certificate is not None and level.certificate.status == "unsolvable":
                assert result.status == "unsolvable", name
                continue
            assert result.status == "solved", name
            assert puzzle.is_goal(replay(puzzle, result.actions)), name
            assert result.cost == len(result.actions)

    def test_every_solver_keeps_to_a_budget_that_is_spent(self, game: Game) -> None:
        puzzle = game.puzzle(some_levels(game)[0])
        for solve in solvers_of(game).values():
            budget = Budget()
            budget.cancel()
            result = finish(solve(puzzle, puzzle.initial(), budget, 0))
            assert result.status == "budget"
            assert result.actions == ()

    def test_the_default_solver_wins_a_session(self, solvable: Solvable) -> None:
        session = Session(NamedLevel(solvable, some_levels(solvable)[0], "x"))
        solve = next(iter(solvable.solvers.values()))
        for action in finish(solve(session.puzzle, session.state, Budget(seconds=30), 0)).actions:
            session.act(action)
        assert session.standing == "won"

    def test_sessions_undo_and_reload(self, game: Game) -> None:
        session = Session(NamedLevel(game, some_levels(game)[0], "x"))
        states = [session.state]
        while (legal := session.puzzle.legal_actions(session.state)) and len(states) < 40:
            session.act(legal[len(states) * 5 % len(legal)])
            states.append(session.state)
        loaded = Session.load(session.save())
        assert (loaded.states, loaded.actions, loaded.ply) == (states, session.actions, len(states) - 1)
        for expected in reversed(states[:-1]):
            session.undo()
            assert session.state == expected
        session.redo()
        assert session.state == states[1]

    def test_foreign_formats_keep_the_meaning(self, game: Game) -> None:
        """A format may be unable to say some levels, but then it says so; others come back the same."""
        for form in formats_of(game).values():
            if form.write is None:
                continue
            written: list[bytes] = []
            for level in some_levels(game):
                with suppress(LevelError):
                    written.append(form.write(Recording(level)))
                    written.append(form.write(Recording(level, _some_actions(game, level))))
            assert written
            for content in written:
                played = form.read(content, 0)
                assert played == form.read(form.write(played), 0)
                assert Session.read(content).game is game

    def test_areas_hold_where_to_look_and_have_names_in_both_languages(self, game: Game) -> None:
        if not isinstance(game, PointsOut):
            pytest.skip("it says nothing of where to look")
        for level in some_levels(game)[:12]:
            puzzle = game.puzzle(level)
            for state in random_game(puzzle, 5)[:40]:
                for action in puzzle.legal_actions(state)[:200]:
                    area = game.area(puzzle, state, action)
                    for across in ((area.left, area.right), (area.top, area.bottom)):
                        assert None in across or across[0] < across[1]  # type: ignore[operator]
                    for language in words.LANGUAGES:
                        text = words.catalogue(language)[f"area.{area.name}"]
                        assert "{" not in words.fill(text, area.values)

    def test_formats_have_names_in_both_languages(self, game: Game) -> None:
        for language in words.LANGUAGES:
            for name in formats_of(game):
                assert f"format.{game.name}.{name}" in words.catalogue(language)

    def test_the_schema_can_be_exported(self, game: Game) -> None:
        assert msgspec.json.schema(game.level_type)["$defs"]
        assert msgspec.json.schema(game.params_type)

    def test_reasons_hold_and_are_said_in_words(self, game: Game) -> None:
        if not isinstance(game, Refutes):
            pytest.skip("gives no reasons")
        found = 0
        for level in some_levels(game):
            puzzle = game.puzzle(level)
            player, state = RandomPlayer(puzzle), puzzle.initial()
            while puzzle.legal_actions(state):
                assert game.reason_fault(puzzle, state, Reason("", (), {})) is not None
                if (reason := finish(game.reason(puzzle, state, Budget(seconds=1)))) is not None:
                    found += 1
                    assert game.reason_fault(puzzle, state, reason) is None
                    assert len(reason.marked) <= MOST_MARKED
                    said = words.t(f"reason.{reason.why}", **reason.values)
                    assert said != f"reason.{reason.why}"
                    assert "{" not in said
                state = puzzle.apply(state, finish(player.choose(state)))
        assert found

    def test_actions_have_values_where_the_game_says_so(self, game: Game) -> None:
        """And the studio offers a report of what they cost."""
        if not isinstance(game, ForeseesActions):
            pytest.skip("does not weigh actions")
        assert not isinstance(game, Solves)
        for level in some_levels(game):
            puzzle = game.puzzle(level)
            state, budget = puzzle.initial(), Budget()
            budget.cancel()
            values = finish(game.outlook(puzzle, state, budget, 0)).values
            assert [action for action, _ in values] == list(puzzle.legal_actions(state))
