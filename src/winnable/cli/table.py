"""What one may say to a game in the terminal, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from winnable.cli.advice import adviser
from winnable.cli.output import counted, one_line, short_name
from winnable.core import Action, IllegalAction, WinnableError, action_name

HELP = """\
  {example:<11} for example: play the action of this name
  h  hint     the next action of a winning line, or of a player where nothing can be won
  n  next     play the hint
  b  board    after a win in an endless game: the next board
  u  undo     take back, without limit          r  redo
  a  alternate  what else was played: the next branch
  l  lamp     say after each action whether the game can still be won, or what is to come (again: stop that)
  s  save FILE                                  restart
  ?  help                                       q  quit"""
SHORT = {
    "h": "hint",
    "n": "next",
    "b": "board",
    "a": "alternate",
    "u": "undo",
    "r": "redo",
    "l": "lamp",
    "s": "save",
    "?": "help",
    "q": "quit",
}


class Table:
    """The session, and what a person may say to it."""

    def __init__(
        self,
        session: Any,
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
        return action_name(self.session.puzzle, action)

    def values(self) -> dict[str, float]:
        """Of the actions from here."""
        return self._adviser.values(self.session.state)

    def obey(self, line: str) -> bool:
        """False when the person leaves. A line that cannot be obeyed is answered and changes nothing. A
        letter that names an action, as `a` in 2048, is no command."""
        word, _, rest = line.partition(" ")
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
            self._show(one_line(str(error)))
        return True

    def show_board(self) -> None:
        self._show(self.session.game.render(self.session.puzzle, self.session.state))
        if self.session.standing == "won":
            actions = counted(self.session.ply, "action")
            onward = "" if self.session.next_level is None else "b: next board, "
            self._show(f"Won in {actions}. ({onward}u: undo, restart, s FILE: save, q: quit)")
        elif self.session.standing == "lost":
            self._show("Lost: no action is left. (u: undo, restart, q: quit)")
        elif self.session.standing == "over":
            self._show("The game is over. (u: undo, restart, s FILE: save, q: quit)")
        elif self.lamp:
            self._show(f"Lamp    {self._adviser.verdict(self.session.state)}")

    def _help(self) -> None:
        legal = self.session.puzzle.legal_actions(self.session.state)
        self._show(HELP.format(example=short_name(self.name(legal[0] if legal else 0))))

    def _then_board(self, do: Callable[[], None]) -> None:
        do()
        self.show_board()

    def _play(self, text: str) -> None:
        try:
            action = self._parse(text)
        except IllegalAction as error:
            raise IllegalAction(f"{error} (? shows the keys)") from None
        self._then_board(lambda: self.session.act(action))

    def _parse(self, text: str) -> Action:
        parse: Callable[[str], Action] = getattr(self.session.puzzle, "parse_action", _number)
        return parse(text)

    def _is_action(self, text: str) -> bool:
        try:
            self._parse(text)
        except IllegalAction:
            return False
        return True

    def _hint(self) -> Action | None:
        action, verdict = self._adviser.hint(self.session.state)
        self._show(f"No hint: {verdict}" if action is None else f"Hint: {self.name(action)}, {verdict}")
        return action

    def _next(self) -> None:
        action = self._hint()
        if action is not None:
            self._then_board(lambda: self.session.act(action))

    def _alternate(self) -> None:
        session = self.session
        session.alternate()
        at, number = session.place(session.ply - 1)
        self._show(
            f"Move {session.ply}: {self.name(session.actions[session.ply - 1])}, branch {at + 1} of {number}"
        )
        self.show_board()

    def _follow(self) -> None:
        from winnable.library import named_by_content
        from winnable.session import Session

        if (level := self.session.next_level) is None:
            raise WinnableError("board: a next board comes only after a win in an endless game")
        self.session = Session(named_by_content(self.session.game, level))
        self._adviser = self._advise()
        self.show_board()

    def _switch_lamp(self) -> None:
        verdict = "off" if self.lamp else self._adviser.verdict(self.session.state)
        self.lamp = not self.lamp
        self._show(f"Lamp    {verdict}")

    def _save(self, path: str) -> None:
        from winnable.cli.output import write_output

        if not path or path == "-":
            raise WinnableError("save: name a file, as in `save game.json`")
        write_output(path, self.session.save() + b"\n")
        self._show(f"Saved; go on with: winnable play {path}")


def _number(text: str) -> Action:
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise IllegalAction(f"{text[:40]!r} is no action")
    return int(text)
