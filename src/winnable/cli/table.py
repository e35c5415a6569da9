"""What one may say to a game in the terminal, and what it answers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from unicodedata import normalize

import click

from winnable.cli.advice import adviser
from winnable.cli.output import one_line, short_name
from winnable.contract import ending
from winnable.contract.core import Action, IllegalAction, WinnableError, action_name, parsed_action, reached
from winnable.words import language, t, tn

if TYPE_CHECKING:
    from winnable.play.session import Session

WORDS = ("hint", "next", "board", "alternate", "undo", "redo", "lamp", "save", "help", "quit")
SHORT = {"?" if word == "help" else word[0]: word for word in WORDS}


def _help_lines() -> Iterator[str]:
    """`restart` has no letter."""
    letters = {word: letter for letter, word in SHORT.items()}
    for word in (*SHORT.values(), "restart"):
        name = f"{word} FILE" if word == "save" else word
        yield f"  {letters.get(word, ' ')}  {name:<11}{t(f'cli.play.help.{word}')}".rstrip()


class Table:
    """The session, and what a person may say to it."""

    def __init__(
        self,
        session: Session,
        solver: str | None,
        by: str | None,
        seconds: float,
        lamp: bool,
        show: Callable[[str], None],
    ) -> None:
        self.session, self.lamp, self._show = session, lamp, show
        self._advise = lambda: adviser(self.session, solver, by, seconds)
        self._adviser = self._advise()

    def name(self, action: Action) -> str:
        """The action's name."""
        return action_name(self.session.puzzle, action)

    def values(self) -> dict[str, float]:
        """The worth of each action from here, by its name."""
        return self._adviser.values()

    def obey(self, line: str) -> bool:
        """False when the person leaves. A line that cannot be obeyed is answered and changes nothing. A
        letter that names an action, as `a` in 2048, is no command."""
        word, _, rest = line.partition(" ")
        word = normalize("NFKC", word)
        if line not in SHORT or not self._is_action(line):
            word = SHORT.get(word, word)
        commands: dict[str, Callable[[], object]] = {
            "": lambda: None,
            "help": self._help,
            "undo": lambda: self._then_board(self.session.undo),
            "redo": lambda: self._then_board(self.session.redo),
            "alternate": self._alternate,
            "restart": lambda: self._then_board(lambda: self.session.go_to(0)),
            "hint": self._hint,
            "next": self._next,
            "board": self._follow,
            "lamp": self._switch_lamp,
            "save": lambda: self._save(rest.strip()),
        }
        if word == "quit":
            return False
        try:
            commands.get(word, lambda: self._play(line))()
        except WinnableError as error:
            self._show(one_line(error.said(language())))
        return True

    def show_board(self) -> None:
        """Shows the board, and how the game stands."""
        self._show(self.session.game.render(self.session.puzzle, self.session.state))
        if self.session.standing == "won":
            onward = "" if self.session.next_level is None else t("cli.play.onward")
            self._show(t("cli.play.won", actions=tn("cli.actions", self.session.ply), onward=onward))
        elif self.session.standing in ("lost", "over"):
            made = reached(self.session.puzzle, self.session.state)
            goal = "" if made is None else t("cli.play.made" if made else "cli.play.missed")
            self._show(goal + t(f"cli.play.{self.session.standing}"))
        elif self.lamp:
            self._show(t("cli.play.lamp", verdict=self._adviser.verdict()))

    def _help(self) -> None:
        legal = self.session.puzzle.legal_actions(self.session.state)
        example = short_name(self.name(legal[0] if legal else 0))
        self._show("\n".join(["  " + t("cli.play.help.action", example=example.ljust(11)), *_help_lines()]))

    def _then_board(self, do: Callable[[], None]) -> None:
        do()
        self.show_board()

    def _play(self, text: str) -> None:
        try:
            action = parsed_action(self.session.puzzle, text)
        except IllegalAction as error:
            raise IllegalAction("cli.keys", error=error) from None
        self._then_board(lambda: self.session.act(action))

    def _is_action(self, text: str) -> bool:
        try:
            parsed_action(self.session.puzzle, text)
        except IllegalAction:
            return False
        return True

    def _hint(self) -> Action | None:
        action, verdict = self._adviser.hint()
        known = "no_hint" if action is None else "hint"
        self._show(
            t(f"cli.play.{known}", action="" if action is None else self.name(action), verdict=verdict)
        )
        return action

    def _next(self) -> None:
        action = self._hint()
        if action is not None:
            self._then_board(lambda: self.session.act(action))

    def _alternate(self) -> None:
        session = self.session
        session.alternate()
        at, number = session.place(session.ply - 1)
        action = self.name(session.actions[session.ply - 1])
        self._show(t("cli.play.branch", ply=session.ply, action=action, at=at + 1, number=number))
        self.show_board()

    def _follow(self) -> None:
        from winnable.levels.files import named_by_content
        from winnable.play.session import Session

        if (level := self.session.next_level) is None:
            raise WinnableError("cli.next", field="board")
        self.session = Session(named_by_content(self.session.game, level))
        self._adviser = self._advise()
        self.show_board()

    def _switch_lamp(self) -> None:
        verdict = t("cli.play.off") if self.lamp else self._adviser.verdict()
        self.lamp = not self.lamp
        self._show(t("cli.play.lamp", verdict=verdict))

    def _save(self, path: str) -> None:
        from winnable.cli.output import write_output

        if not path or path == "-":
            raise WinnableError("cli.save", field="save")
        write_output(path, self.session.save() + b"\n")
        self._show(t("cli.play.saved", path=path))


def lines(prompt: str) -> Iterator[str]:
    """Reads the lines of stdin until it ends; a prompt only where a person sits."""
    asks, mark = sys.stdin.isatty(), "\ufeff"
    while True:
        if asks:
            click.echo(prompt, nl=False, err=True)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:  # leaves like `quit`
            ending.call_off()
            line = ""
        except UnicodeDecodeError:
            raise WinnableError("file.text", field="stdin") from None
        if not line:
            return
        yield line.removeprefix(mark)
        mark = ""
