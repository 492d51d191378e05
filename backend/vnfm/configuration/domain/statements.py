"""Configurations as text: their canonical form, their statements, and the difference between two of them.

A statement is a line with the contexts around it, in one line: `port 1/1/1` with an indented `no shutdown` under
`configure` is `configure port 1/1/1 no shutdown`. It needs no grammar: routers indent what they print.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from functools import partial

from vnfm.kit.patterns import Match, pattern

CONTROL_CHARACTER = pattern(r"[\x00-\x08\x0a-\x1f\x7f-\x{9f}]")
"""Characters that must not be sent: a router ends the line, or does more, at one."""

REPLACED_OCTETS = "\N{REPLACEMENT CHARACTER}"
"""Stands for octets of a router's answer that are not text. It is never sent: the router has something else there."""

_HUNK = pattern(r"@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")

MAX_DIFF_LINES = 5_000
"""Lines of a difference that are kept; the configuration of a large router has a hundred thousand."""

MAX_ALIGNMENT_WORK = 10_000_000
"""Number of lines, times lines that only one side has, up to which difflib aligns: that takes about a second."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """The syntax of a family's configuration. Expressions are of RE2."""

    negation: str
    noise: str
    """Lines without meaning: comments, separators, header and footer of a printed configuration."""
    closers: frozenset[str]
    """Lines that leave a context."""
    closer: str
    """The one that leaves the innermost context."""
    volatile: str
    """Lines that differ between two readings of the same configuration."""
    same: tuple[tuple[str, str], ...] = ()
    """Other spellings within a statement: an expression, and what replaces its group `other`."""
    leave_all: frozenset[str] = frozenset()
    """Those of `closers` that leave all contexts."""
    opener: str = ""
    """The end of a line that opens a context."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of configuration to be sent; `number` counts from 1 in the text that it comes from."""

    number: int
    text: str
    others: tuple[str, ...] = ()
    """Other forms of it, tried in turn when the element refuses this one."""


def canonical(syntax: Syntax, text: str) -> str:
    """The configuration without volatile lines, so that equal configurations are equal texts. Ends with a newline."""
    lines = "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return pattern(rf"(?m)^(?:{syntax.volatile})(?:\n|\z)").sub("", lines).strip("\n") + "\n"


def lines_of(syntax: Syntax, text: str) -> list[Line]:
    """The lines of the text that are to be sent, in order."""
    noise = pattern(rf"(?m)^[ \t]*(?:{syntax.noise})[ \t]*$")
    numbered = enumerate(noise.sub("", text.replace("\r\n", "\n")).split("\n"), start=1)
    return [Line(number, line.rstrip()) for number, line in numbered if line.strip()]


def statements(syntax: Syntax, lines: Iterable[Line]) -> Iterator[str]:
    """Contexts and leaves, each with the contexts around it, in order."""
    around: list[tuple[int, str]] = []
    for line in lines:
        text = line.text.strip()
        depth = len(line.text) - len(line.text.lstrip())
        while around and around[-1][0] >= depth:
            around.pop()
        if text in syntax.closers:
            continue
        around.append((depth, text.removesuffix(syntax.opener)))
        yield normalized(syntax, " ".join(words for _, words in around))


def normalized(syntax: Syntax, statement: str) -> str:
    for expression, instead in syntax.same:
        statement = pattern(expression).sub(partial(_respelled, instead), statement)
    return " ".join(statement.split())


def _respelled(instead: str, found: Match) -> str:
    return found.replaced("other", instead)


def missing_statements(syntax: Syntax, running: str, lines: Sequence[Line]) -> list[str]:
    """The statements of `lines` that are not literally in the running configuration.

    If none is missing, sending the lines changes nothing. If some are, it may still change nothing, as routers do not
    print defaults.
    """
    present = set(statements(syntax, lines_of(syntax, running)))
    return [statement for statement in statements(syntax, lines) if statement not in present]


def is_removed(syntax: Syntax, running: str, lines: Sequence[Line]) -> bool:
    """Return whether all that the lines remove is absent from the running configuration: they were sent before."""
    removed = [gone for statement in statements(syntax, lines) if (gone := _removed_by(syntax, statement))]
    present = list(statements(syntax, lines_of(syntax, running)))
    return bool(removed) and not any(old == gone or old.startswith(f"{gone} ") for gone in removed for old in present)


def predicted_difference(syntax: Syntax, running: str, lines: Sequence[Line]) -> str:
    """The difference that the lines would make, for an element that cannot preview it: statements added and removed."""
    present = list(statements(syntax, lines_of(syntax, running)))
    changes: list[str] = []
    for statement in missing_statements(syntax, running, lines):
        gone = _removed_by(syntax, statement)
        hit = [f"-{old}" for old in present if gone and (old == gone or old.startswith(f"{gone} "))]
        changes += hit or [f"+{statement}"]
    return _bounded(["--- running", "+++ foreseen", *dict.fromkeys(changes)]) if changes else ""


def _removed_by(syntax: Syntax, statement: str) -> str:
    """The statement that this one removes; "" for none."""
    words = statement.split()
    if syntax.negation not in words:
        return ""
    words.reverse()
    words.remove(syntax.negation)
    return " ".join(reversed(words))


def difference(before: str, after: str, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Unified, with three lines of context, at most MAX_DIFF_LINES; "" when they are the same."""
    if before == after:
        return ""
    old, new = before.splitlines(), after.splitlines()
    head = _common_prefix(old, new)
    tail = _common_prefix(old[head:][::-1], new[head:][::-1])
    start, old_end, new_end = max(0, head - 3), min(len(old), len(old) - tail + 3), min(len(new), len(new) - tail + 3)
    middle, other = old[start:old_end], new[start:new_end]
    work = len(set(middle) ^ set(other)) * max(len(middle), len(other))
    if work > MAX_ALIGNMENT_WORK:
        lines = [f"--- {names[0]}", f"+++ {names[1]}", *_unaligned(middle, other)]
    else:
        lines = [_renumbered(line, start) for line in unified_diff(middle, other, *names, lineterm="")]
    return _bounded(lines)


def _unaligned(old: list[str], new: list[str]) -> Iterator[str]:
    """Lines that only one side has, for texts that differ too much to be aligned."""
    was, is_ = set(old), set(new)
    yield from (f"-{line}" for line in old if line not in is_)
    yield from (f"+{line}" for line in new if line not in was)


def _common_prefix(one: Sequence[str], other: Sequence[str]) -> int:
    """The number of equal lines at the start."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _renumbered(line: str, by: int) -> str:
    """A hunk's header with line numbers of the whole text."""
    found = _HUNK.fullmatch(line)
    if found is None:
        return line
    return f"@@ -{int(found[1]) + by}{found[2] or ''} +{int(found[3]) + by}{found[4] or ''} @@"


def _bounded(lines: list[str]) -> str:
    left_out = len(lines) - MAX_DIFF_LINES
    if left_out > 0:
        lines = [*lines[:MAX_DIFF_LINES], f"… and {left_out} lines more"]
    return "\n".join(lines) + "\n"
