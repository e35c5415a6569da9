"""`winnable completion`: what shells ask for at Tab. Click's own scripts know neither that bash takes `:` and
`=` for ends of words, nor values that go on, nor, in fish, commas.

Each script hands over the line up to the cursor, and reads a line for each candidate: its kind, its value and
what it is, parted by tabs. Kinds: `plain`; `open`, after which no space is put; `file`: the shell's own.
"""

from __future__ import annotations

import os
from typing import Any, ClassVar

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, split_arg_string

from winnable.cli.options import Command, json_option
from winnable.cli.output import emit_json, say
from winnable.contract.core import WinnableError
from winnable.words import t

_BASH = r"""%(complete_func)s() {
    local kind value about
    COMPREPLY=()
    while IFS=$'\t' read -r kind value about; do
        case $kind in
            file)
                while IFS= read -r value; do
                    compopt -o filenames
                    COMPREPLY+=("$value")
                done < <(compgen -f -- "$2") ;;
            open)
                compopt -o nospace
                COMPREPLY+=("$value") ;;
            *)
                COMPREPLY+=("$value") ;;
        esac
    done < <(COMP_LINE=${COMP_LINE:0:COMP_POINT} COMP_WORD=$2 %(complete_var)s=bash_complete "$1" 2>/dev/null)
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""
_ZSH = r"""#compdef %(prog_name)s
%(complete_func)s() {
    local kind value about files
    local -a closed open
    COMP_LINE="${(j: :)words[1,CURRENT-1]} $IPREFIX$QIPREFIX$PREFIX" \
    %(complete_var)s=zsh_complete $words[1] 2>/dev/null |
    while IFS=$'\t' read -r kind value about; do
        value=${value//:/\\:}${about:+:$about}
        case $kind in
            file) files=1 ;;
            open) open+=("$value") ;;
            *) closed+=("$value") ;;
        esac
    done
    (( $#closed )) && _describe -V '' closed
    (( $#open )) && _describe -V '' open -S ''
    [[ -n $files ]] && _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""
_FISH = r"""function %(complete_func)s
    set -l program (commandline -opc)[1]
    set -lx COMP_LINE (commandline -cp | string collect)
    %(complete_var)s=fish_complete $program 2>/dev/null | while read -l line
        set -l parts (string split -m 2 \t -- $line)
        if test $parts[1] = file
            __fish_complete_path (commandline -ct)
        else
            printf '%%s\t%%s\n' $parts[2] $parts[3]
        end
    end
end
complete --no-files --command %(prog_name)s --arguments '(%(complete_func)s)'
"""


class _ByLine(ShellComplete):
    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)
        goes_on = line[-1:].strip() or (words and words[-1][-1:].isspace())  # else a blank has ended the word
        incomplete = words.pop() if goes_on else ""
        return words[1:], incomplete

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """With what stands before the value in `--option=value`, as in the line; none where what stands
        before cannot be read."""
        self.ctx_args["obj"] = args
        try:
            found = super().get_completions(args, incomplete)
        except WinnableError:
            return []
        option = incomplete[: incomplete.find("=") + 1] if incomplete.startswith("--") else ""
        for item in found:
            if item.type != "file" and not item.value.startswith(option):
                item.value = option + item.value
        return found

    def format_completion(self, item: CompletionItem[str]) -> str:
        return "\t".join((item.type, item.value, " ".join((item.help or "").split())))


class Bash(_ByLine):
    name = "bash"
    source_template: ClassVar[str] = _BASH

    def format_completion(self, item: CompletionItem[str]) -> str:
        """A candidate from the last `:` or `=` on: what stands before, bash keeps."""
        kept = max(0, len(self.get_completion_args()[1]) - len(os.environ["COMP_WORD"]))
        return "\t".join((item.type, item.value if item.type == "file" else item.value[kept:], ""))


class Zsh(_ByLine):
    name = "zsh"
    source_template: ClassVar[str] = _ZSH


class Fish(_ByLine):
    name = "fish"
    source_template: ClassVar[str] = _FISH


SHELLS: dict[str, type[_ByLine]] = {kind.name: add_completion_class(kind) for kind in (Bash, Zsh, Fish)}


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(list(SHELLS)), required=False)
@json_option
@click.pass_context
def completion_command(ctx: click.Context, shell: str | None, as_json: bool) -> int:
    """Print the script that has SHELL complete commands, options, levels, games, players, solvers and
    parameters at Tab; without SHELL, say how that is set up. Bash must be 4.4 or newer.

    Examples:
      echo 'source <(winnable completion bash)' >> ~/.bashrc
      echo 'source <(winnable completion zsh)' >> ~/.zshrc
      winnable completion fish > ~/.config/fish/completions/winnable.fish
    """
    root: Any = ctx.find_root().command
    scripts = {
        name: kind(root, {}, "winnable", "_WINNABLE_COMPLETE").source().rstrip()
        for name, kind in SHELLS.items()
        if shell in (name, None)
    }
    if as_json:
        emit_json(scripts)
    else:
        say(t("cli.completion.setup") if shell is None else scripts[shell])
    return 0
