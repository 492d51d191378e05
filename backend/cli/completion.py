"""Shell completion, derived from the parser itself, so that it covers every command."""

import argparse
from collections.abc import Iterator, Mapping

SHELLS = ("bash", "zsh")
LAUNCHER = "up down status token logs test version backup restore upgrade demo sbom shell manage"
"""Commands of `./vnfm` outside of this package."""

_SCRIPT = """{head}_vnfm() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" path="" index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$path" in {commands}) break ;; esac
    path="$path ${{COMP_WORDS[index]}}"
  done
  case "$path" in
{cases}
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}}
complete -F _vnfm vnfm ./vnfm
"""


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    choices = dict(_choices(parser))
    choices[""] = f"{LAUNCHER} {choices['']}"
    commands = [path for path in choices if not any(other.startswith(f"{path} ") for other in choices)]
    with_files = {path for path in commands if path.count(" ") > 1}
    cases = "\n".join(
        f'    "{path}") COMPREPLY=($(compgen -W "{found}" {"-f " if path in with_files else ""}-- "$word")) ;;'
        for path, found in choices.items()
    )
    head = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return _SCRIPT.format(head=head, cases=cases, commands="|".join(f'"{path}"' for path in commands))


def _choices(parser: argparse.ArgumentParser, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield each path of commands with the words that may follow it."""
    found = [option for action in parser._actions for option in action.option_strings]  # noqa: SLF001 - no public way
    choices: Mapping[str, argparse.ArgumentParser] = {}
    for action in parser._actions:  # noqa: SLF001 - as above
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            choices = action.choices
        elif action.choices and not action.option_strings:
            found += map(str, action.choices)
    yield path, " ".join([*choices, *found])
    for name, sub in choices.items():
        yield from _choices(sub, f"{path} {name}")
