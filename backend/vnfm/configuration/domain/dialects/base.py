"""A dialect: the commands of a family's command line, and patterns of its answers. No I/O."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from vnfm.configuration.domain.statements import CONTROL_CHARACTER, Syntax

MASK = "<secret>"
"""Replaces a secret where it is displayed."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and the answer to a question that it may ask; "" expects none."""

    text: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The command line of a family of elements. Patterns match single lines, without the line end."""

    name: str
    """For display."""
    syntax: Syntax
    prompt: str
    """Any prompt of the family, with any host name, as a push may change that. Without the line before."""
    login_prompt: str
    """The prompt after login; its group `name` is the host name."""
    top_prompt: str
    """The prompt at the top of the configuration, where leaving a context would leave the configuration; `{name}`
    stands for the host name at login."""
    errors: str
    """Lines by which it rejects a command."""
    warnings: str
    """Those of `errors` that are only warnings; "" for none."""
    operations: str
    """Lines that do more than change the edited configuration, or that leave it; see `rejection`. Case-insensitive."""
    disable_paging: tuple[Command, ...]
    show_running: Command
    enter: tuple[Command, ...]
    """Starts editing. With a candidate, lines have no effect before `commit`."""
    show_candidate: Command | None
    """Prints what the running configuration would be after `commit`; None where it cannot."""
    commit: tuple[Command, ...]
    """Makes the candidate the running configuration, atomically; empty where every line takes effect at once."""
    commit_trial: Command | None
    """As `commit`, but the element reverts it unless `commit` follows within `{seconds}`; None where it cannot, or only
    with preparation. Requires `show_candidate`: a candidate that changes nothing needs no trial."""
    abort_trial: Command | None
    """Reverts a trial at once."""
    discard: tuple[Command, ...]
    """Discards the candidate and ends editing."""
    exit: tuple[Command, ...]
    """Ends editing after `commit`."""
    save: Command
    """Makes the running configuration the startup configuration."""
    secrets: tuple[str, ...]
    """Patterns of lines with a secret, which is their group `secret`."""
    admin_lines: Mapping[tuple[str, str], tuple[str, ...]]
    """Lines that set a part's admin state, by equipment class and UP | DOWN; with `{name}` and `{slot}`."""
    by_file: bool = False
    """Changes are loaded from a file by the shell behind the command line, see `session.frr_session`; commands of
    candidates are not used."""
    restores_files: bool = True
    """With `by_file`: the element has the tool that restores a configuration."""

    @property
    def atomic(self) -> bool:
        """Whether a rejected line leaves nothing in force."""
        return bool(self.commit) or (self.by_file and self.restores_files)

    @property
    def takes_back(self) -> bool:
        """Whether the element itself reverts a change that cuts us off."""
        return self.commit_trial is not None or (self.by_file and self.restores_files)

    @property
    def can_preview(self) -> bool:
        """Whether the element itself computes the result of a push."""
        return self.show_candidate is not None

    def quoted(self, name: str) -> str:
        """A part's name, as it is written in a line."""
        return name

    def rejection(self, line: str) -> str:
        """Why the line must not be pushed; "" when it may be. Lines that leave a context may be pushed."""
        if CONTROL_CHARACTER.search(line):
            return "it has a control character"
        if line in self.syntax.closers or not re.fullmatch(self.operations, line, re.IGNORECASE):
            return ""
        return "this is an operation, and no configuration"

    def error_in(self, output: str) -> str:
        """The element's error message in `output`; "" for none."""
        found = [match[0].strip() for match in re.finditer(self.errors, output, re.MULTILINE)]
        errors = [words for words in found if not (self.warnings and re.search(self.warnings, words, re.IGNORECASE))]
        return "; ".join(errors)[:500]

    def masked(self, text: str) -> str:
        """The text with every secret masked."""
        for pattern in self.secrets:
            text = re.sub(pattern, _without_secret, text, flags=re.MULTILINE)
        return text

    def masked_diff(self, diff: str) -> str:
        """As `masked`, for a difference, whose lines begin with a sign."""
        return "".join(line[:1] + self.masked(line[1:]) for line in diff.splitlines(keepends=True))


def begins_with(*words: str) -> str:
    """A pattern of lines that begin with one of the words or an abbreviation; `|` marks the shortest abbreviation."""
    return rf"(?:{'|'.join(_abbreviated(*word.split('|')) for word in words)})(?:\s.*)?"


def _abbreviated(shortest: str, rest: str = "") -> str:
    return shortest + "".join(f"(?:{letter}" for letter in rest) + ")?" * len(rest)


def _without_secret(found: re.Match[str]) -> str:
    start, end = (place - found.start() for place in found.span("secret"))
    return found[0][:start] + MASK + found[0][end:]
