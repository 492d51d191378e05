"""A dialect: the commands of a family's command line, and patterns of its answers. No I/O."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from vnfm.configuration.domain.statements import CONTROL_CHARACTER, REPLACED_OCTETS, Line, Syntax
from vnfm.kit.patterns import Pattern, pattern

MASK = "<secret>"
"""Replaces a secret where it is displayed."""
_REFUSALS = pattern(
    r"(?im)^[ \t]*(%? ?(?:(?:command )?authori[sz]ation failed|permission denied|access denied|not authori[sz]ed"
    r"|(?:command )?not allowed for this user|unauthori[sz]ed command)\b.*)$"
)
"""Lines by which any family refuses a command to a user, also those of an accounting or authorization server."""
_CARETS = pattern(r"(?m)^[ \t]*\^+[ \t]*$")
"""Points at the word that a command line does not understand."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and the answer to a question that it may ask; "" expects none."""

    text: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The command line of a family of elements. Expressions are of RE2, and match single lines without the line end."""

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
    editing: Pattern
    """The prompt, after the line of its context where there is one, while the configuration is edited."""
    begin: Pattern
    """Finds the line by which a printed configuration begins to be one."""
    end: Pattern
    """The last line of a printed configuration: without it, what was printed is none, or was cut short."""
    errors: Pattern
    """Finds lines by which it rejects a command."""
    operations: Pattern
    """Lines that do more than change the edited configuration, or that leave it; see `rejections`."""
    disable_paging: tuple[Command, ...]
    show_running: Command
    enter: tuple[Command, ...]
    """Starts editing. With a candidate, lines have no effect before `commit`."""
    show_candidate: Command | None
    """Prints what the running configuration would be after `commit`; None where it cannot."""
    commit: tuple[Command, ...]
    """Makes the candidate the running configuration, atomically; empty where every line takes effect at once."""
    commit_trial: Command | None
    """As `commit`, but the element reverts it unless `confirm_trial` follows within `{seconds}` or `{minutes}`; None
    where it cannot, or only with preparation. Requires `show_candidate` or `compare`: a candidate that changes nothing
    needs no trial."""
    abort_trial: Command | None
    """Reverts a trial at once."""
    discard: tuple[Command, ...]
    """Discards the candidate and ends editing."""
    exit: tuple[Command, ...]
    """Ends editing after `commit`."""
    save: Command
    """Makes the running configuration the startup configuration."""
    secrets: tuple[Pattern, ...]
    """Find lines with a secret, which is their group `secret`; a match without that group has none."""
    admin_lines: Mapping[tuple[str, str], tuple[str, ...]]
    """Lines that set a part's admin state, by equipment class and UP | DOWN; with `{name}` and `{slot}`."""
    warnings: Pattern | None = None
    """Finds those of `errors` that are only warnings."""
    root: Pattern | None = None
    """Lines outside of all contexts; None where any word may begin one."""
    confirm_trial: tuple[Command, ...] = ()
    """Confirms a trial, where that is not `commit`."""
    compare: Command | None = None
    """Prints how the candidate differs from what runs, for elements without `show_candidate`."""
    validate: Command | None = None
    """Checks the candidate before it is committed."""
    renames: Pattern | None = None
    """A line that changes the host name in prompts at once, to its group `name`."""
    context_line: Pattern | None = None
    """The line before each prompt, where prompts have two."""
    in_use: Pattern | None = None
    """Finds errors that say that another session edits, or has committed on trial."""
    unknown: Pattern | None = None
    """Finds errors that say that there is no such command."""
    without_candidate: "Dialect | None" = None
    """The same family's older command line, whose prompts do not match `editing`."""
    model_driven: "Dialect | None" = None
    """The same family's other command line, recognised by its `context_line` or `mode_error`."""
    mode_error: Pattern | None = None
    """Finds errors that only this command line has."""
    by_file: bool = False
    """Changes are loaded from a file by the shell behind the command line, see `session.frr_session`; commands of
    candidates are not used."""
    restores_files: bool = True
    """The element has, with `by_file`, the tool that restores a configuration."""

    @property
    def atomic(self) -> bool:
        """Return whether a rejected line leaves nothing in force."""
        return bool(self.commit) or (self.by_file and self.restores_files)

    @property
    def takes_back(self) -> bool:
        """Return whether the element itself reverts a change that cuts us off."""
        return self.commit_trial is not None or (self.by_file and self.restores_files)

    @property
    def can_preview(self) -> bool:
        """Return whether the element itself computes the result of a push."""
        return self.show_candidate is not None or self.compare is not None

    def quoted(self, name: str) -> str:
        """A part's name, as it is written in a line."""
        return name

    def rejections(self, lines: Sequence[Line]) -> Iterator[tuple[Line, str]]:
        """The lines that must not be pushed, and why. Lines that leave a context may be pushed."""
        inside = self.root is None
        for line in lines:
            text = line.text.strip()
            leaves = text in self.syntax.closers
            if self.root is not None:
                is_root = self.root.fullmatch(text) is not None
                inside = (inside and text not in self.syntax.leave_all) or is_root
                if not inside and not leaves:
                    yield line, f"outside of all contexts {self.name} has no configuration that begins so"
                    continue
            words = "" if leaves else self.rejection(text)
            if words:
                yield line, words

    def rejection(self, line: str) -> str:
        """Why the line must not be pushed in any context; "" when it may be."""
        if CONTROL_CHARACTER.search(line):
            return "it has a control character"
        if REPLACED_OCTETS in line:
            return "it has octets that were no text, and were replaced when they were read"
        if line in self.syntax.closers or (self.root is not None and self.root.fullmatch(line)):
            return ""
        if not self.operations.fullmatch(line):
            return ""
        return "this is an operation, and no configuration"

    def fault_in_configuration(self, text: str) -> str:
        """Say in half a sentence why the text is not a configuration of this family; "" when it is one."""
        lines = text.strip().rsplit("\n", 1)
        if self.begin.search(text) and self.end.fullmatch(lines[-1].strip()):
            return ""
        words = self.error_in(text)
        if words:
            return words
        if not text.strip():
            return "it printed nothing"
        if not self.begin.search(text):
            return f"it printed {text.strip()[:200]!r}"
        return f"what it printed ends with {lines[-1].strip()[-80:]!r}, so it was cut short"

    def error_in(self, output: str) -> str:
        """The element's error message in `output`; "" for none."""
        errors: list[str] = []
        for one in (self.errors, _REFUSALS):
            for found in islice(one.finditer(output), _MOST_MATCHES):
                words = found[0].strip()
                if words not in errors and not (self.warnings and self.warnings.search(words)):
                    errors.append(words[:500])
                if len(errors) == _MOST_ERRORS:
                    break
        if not errors and _CARETS.search(output):
            errors = [" ".join(output.split())[-200:]]
        return "; ".join(errors)[:500]

    def masked(self, text: str) -> str:
        """The text with every secret masked."""
        for secret in self.secrets:
            text = secret.sub(lambda found: found.replaced("secret", MASK), text)
        return text

    def masked_diff(self, diff: str) -> str:
        """As `masked`, for a difference, whose lines begin with a sign."""
        return "".join(line[:1] + self.masked(line[1:]) for line in diff.splitlines(keepends=True))


_MOST_ERRORS = 10
_MOST_MATCHES = 1_000
"""Lines looked at: an element may print an error a million times."""


def begins_with(*words: str) -> str:
    """An expression of lines that begin with one of the words or an abbreviation; `|` marks the shortest one."""
    return rf"(?:{'|'.join(_abbreviated(*word.split('|')) for word in words)})(?:\s.*)?"


def _abbreviated(shortest: str, rest: str = "") -> str:
    return shortest + "".join(f"(?:{letter}" for letter in rest) + ")?" * len(rest)
