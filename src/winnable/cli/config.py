"""Defaults of options out of the user's own file, which `WINNABLE_CONFIG` may name: TOML, with a table for
each command, and before them what `winnable` itself takes. Values are read as if they were typed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import click
import platformdirs

from winnable import words
from winnable.cli.options import Command, json_option
from winnable.cli.output import emit_json, say
from winnable.cli.usage import usage_text
from winnable.contract.errors import WinnableError, unusable

SETTING = "WINNABLE_CONFIG"


def config_file() -> Path:
    """The user's file of defaults, which need not be there."""
    named = os.environ.get(SETTING)
    return (
        Path(named) if named else platformdirs.user_config_path("winnable", appauthor=False) / "config.toml"
    )


def read_config() -> dict[str, Any]:
    """Empty where there is no file, and none is named. Raises WinnableError."""
    path = config_file()
    if not (os.environ.get(SETTING) or os.path.exists(path)):
        return {}
    import tomllib

    try:
        with open(path, "rb") as file:
            # As `levels.files.plain` does, which is more than `--help` can wait for.
            return tomllib.loads(file.read().decode("utf-8-sig"))
    except UnicodeError:
        raise WinnableError("file.text", field=str(path)) from None
    except OSError as error:
        raise unusable(path, error) from None
    except (ValueError, RecursionError) as error:
        raise WinnableError("config.toml", field=str(path), reason=str(error)) from None


def defaults(command: click.Command, given: Any, where: str = "") -> dict[str, Any]:
    """What the table `where` says, for `default_map`: by the names of the command's parameters. Raises
    WinnableError that names the file and the key."""
    if not isinstance(given, Mapping):
        raise refusal("config.table", where, given=_shown(given))
    options = {
        name.removeprefix("--"): param
        for param in command.params
        if isinstance(param, click.Option) and param.expose_value
        for name in param.opts
        if name.startswith("--")
    }
    inner: Mapping[str, click.Command] = command.commands if isinstance(command, click.Group) else {}
    found: dict[str, Any] = {}
    for key, value in cast("Mapping[str, Any]", given).items():
        place = f"{where}.{key}" if where else key
        if key in inner:
            found[key] = defaults(inner[key], value, place)
        elif key in options:
            found[options[key].name or ""] = _value(command, options[key], value, place)
        else:
            raise refusal("config.key", place, given=key, known=sorted({*inner, *options}))
    return found


def refusal(code: str, where: str, **values: Any) -> WinnableError:
    """A WinnableError that names the file and the place in it."""
    return WinnableError(code, field=f"{config_file()}: {where}", **values)


def _value(command: click.Command, option: click.Option, value: Any, place: str) -> Any:
    """As click takes it: what might have been typed, or whether a flag is set."""
    given: list[Any] = cast("list[Any]", value) if option.multiple and isinstance(value, list) else [value]
    fits = bool if option.is_flag else (int, float, str)
    if not all(isinstance(one, fits) and option.is_flag == isinstance(one, bool) for one in given):
        raise refusal("config.flag" if option.is_flag else "config.value", place, given=_shown(value))
    typed: Any = given[0] if option.is_flag else tuple(map(str, given)) if option.multiple else str(given[0])
    try:
        option.process_value(click.Context(command), typed)
    except click.UsageError as error:
        raise refusal("config.typed", place, text=usage_text(click.BadParameter(error.message))) from None
    return typed


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


@click.command("config", cls=Command)
@json_option
@click.pass_context
def config_command(ctx: click.Context, as_json: bool) -> int:
    """Say where the file with your defaults of options lies, and what it says; all of it is checked.

    \b
    Options of winnable itself, then a table for each command:
      log-level = "info"
      [solve]
      time = 300

    The command line has the last word. WINNABLE_CONFIG names another file.

    Examples:
      winnable config
      winnable config --json
    """
    from winnable.levels.files import read_file

    path, given = config_file(), read_config()
    root = cast("click.Group", ctx.find_root().command)
    for name, value in given.items():
        if isinstance(value, dict):
            root.get_command(ctx, name)  # which reads its table
    if as_json:
        emit_json({"file": str(path), "exists": path.exists(), "settings": given})
    elif path.exists():
        say(f"{path}\n{read_file(path).decode()}".rstrip())
    else:
        say(words.t("cli.config.none", path=path))
    return 0
