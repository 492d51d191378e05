"""What a dialect is: tables of what to say to a command line, and of what its answers mean. Nobody speaks here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from vnfm.configuration.domain.statements import CONTROL, Syntax

MASK = "<secret>"
"""What is shown in a secret's place."""


@dataclass(frozen=True, slots=True)
class Say:
    """A command, and what is said when the element asks back; "" expects no question."""

    command: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The command line of a family of elements. Patterns see a line at a time, without what ends it."""

    name: str
    """For people."""
    syntax: Syntax
    prompt: str
    """Any prompt of the family, whatever the element calls itself: a push may rename it. Without the line before."""
    home: str
    """The prompt after login; its group `name` is what the element calls itself then."""
    top: str
    """The prompt at the top of the configuration, where leaving a context would leave the configuration; `{name}` is
    what `home` found."""
    refusal: str
    """Lines by which it says no."""
    harmless: str
    """Those of them that only warn; "" for none."""
    operation: str
    """Lines that do more than change the configuration being edited, or leave it; see `unfit`. Of any case."""
    quiet: tuple[Say, ...]
    """Said first, so that it prints without pages."""
    running: Say
    """Prints the running configuration."""
    begin: tuple[Say, ...]
    """Into editing. What is said then changes nothing before `commit`, where there is a candidate."""
    candidate: Say | None
    """Prints what the running configuration would be after `commit`; None where it cannot."""
    commit: tuple[Say, ...]
    """Makes the candidate the running configuration, as a whole or not at all; empty where every line takes effect at
    once."""
    trial: Say | None
    """As `commit`, and taken back by the element unless `commit` follows within `{seconds}`; None where it cannot, or
    could only by what somebody must have prepared. Only with `candidate`: one that changes nothing is not tried."""
    abort: Say | None
    """Takes a `trial` back at once."""
    discard: tuple[Say, ...]
    """Throws the candidate away and leaves editing."""
    leave: tuple[Say, ...]
    """Leaves editing after `commit`."""
    save: Say
    """Has the running configuration loaded at the next start."""
    secrets: tuple[str, ...]
    """Patterns of a line with a secret: its group `secret` is what must not be shown."""
    admin_lines: Mapping[tuple[str, str], tuple[str, ...]]
    """What brings a part up or down, by equipment class and UP | DOWN; `{name}` is its name, `{slot}` its slot."""

    @property
    def atomic(self) -> bool:
        """Whether a refused line leaves nothing behind."""
        return bool(self.commit)

    @property
    def takes_back(self) -> bool:
        """Whether a change that cuts us off is taken back by the element itself."""
        return self.trial is not None

    @property
    def sees_candidate(self) -> bool:
        """Whether the element says what a push would come to."""
        return self.candidate is not None

    def quoted(self, name: str) -> str:
        """A part's name as it stands in a line."""
        return name

    def unfit(self, line: str) -> str:
        """Why the line does not belong into a push; "" when it does. What a context is left by does."""
        if CONTROL.search(line):
            return "it has a control character"
        if line in self.syntax.closers or not re.fullmatch(self.operation, line, re.IGNORECASE):
            return ""
        return "this is an operation, and no configuration"

    def refused(self, output: str) -> str:
        """The element's own words when it says no in `output`, "" when it does not."""
        found = [match[0].strip() for match in re.finditer(self.refusal, output, re.MULTILINE)]
        no = [words for words in found if not (self.harmless and re.search(self.harmless, words, re.IGNORECASE))]
        return "; ".join(no)[:500]

    def masked(self, text: str) -> str:
        """The text with `MASK` in place of every secret."""
        for pattern in self.secrets:
            text = re.sub(pattern, _without_secret, text, flags=re.MULTILINE)
        return text

    def masked_diff(self, diff: str) -> str:
        """As `masked`, of a difference, whose lines begin with a sign."""
        return "".join(line[:1] + self.masked(line[1:]) for line in diff.splitlines(keepends=True))


def begins_with(*words: str) -> str:
    """A pattern of lines that begin with one of the words or an abbreviation of it, of which `|` ends the shortest."""
    return rf"(?:{'|'.join(_abbreviated(*word.split('|')) for word in words)})(?:\s.*)?"


def _abbreviated(shortest: str, rest: str = "") -> str:
    return shortest + "".join(f"(?:{letter}" for letter in rest) + ")?" * len(rest)


def _without_secret(found: re.Match[str]) -> str:
    start, end = (place - found.start() for place in found.span("secret"))
    return found[0][:start] + MASK + found[0][end:]
