"""Configurations as text: what of it counts, which statements it holds, and how two of them differ.

A statement is a line with the contexts around it, in one line: `port 1/1/1` with an indented `no shutdown` under
`configure` is `configure port 1/1/1 no shutdown`. It needs no grammar: routers indent what they print.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff

CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
"""Characters that are no text: a router ends a line, or does more, where one is in it."""

MOST_DIFF_LINES = 5_000
"""Lines of a difference that are shown; the configuration of a large router has a hundred thousand."""

MOST_WORK = 10_000_000
"""Lines, times lines that only one side has, that are still aligned: difflib takes about a second for these."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """How a family writes its configuration."""

    negation: str
    noise: str
    """Lines that say nothing: comments, separators, and what stands around a printed configuration."""
    closers: frozenset[str]
    """Lines that leave a context."""
    closer: str
    """The one that leaves the innermost, whatever it is."""
    volatile: str
    """Lines that differ from reading to reading though nothing was configured."""
    same: tuple[tuple[str, str], ...] = ()
    """What of a statement may be written in another way: pattern and what it is taken for."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of configuration to be sent; `number` counts from 1 in the text that it comes from."""

    number: int
    text: str
    others: tuple[str, ...] = ()
    """Other forms of it, tried in turn when the element refuses this one."""


def canonical(syntax: Syntax, text: str) -> str:
    """The configuration without what changes by itself, so that equal ones are equal texts. Ends with a newline."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    kept = [line for line in lines if not re.fullmatch(syntax.volatile, line)]
    return "\n".join(kept).strip("\n") + "\n"


def lines_of(syntax: Syntax, text: str) -> list[Line]:
    """What of the text is to be sent, in its order."""
    numbered = enumerate(text.replace("\r\n", "\n").split("\n"), start=1)
    return [Line(number, line.rstrip()) for number, line in numbered if not _is_noise(syntax, line)]


def _is_noise(syntax: Syntax, line: str) -> bool:
    return not line.strip() or re.fullmatch(syntax.noise, line.strip()) is not None


def statements(syntax: Syntax, lines: Iterable[Line]) -> Iterator[str]:
    """Contexts and leaves, each with the contexts around it, in their order; a context's own line is one too."""
    around: list[tuple[int, str]] = []
    for line in lines:
        text = line.text.strip()
        depth = len(line.text) - len(line.text.lstrip())
        while around and around[-1][0] >= depth:
            around.pop()
        if text in syntax.closers:
            continue
        around.append((depth, text))
        yield plain(syntax, " ".join(words for _, words in around))


def plain(syntax: Syntax, statement: str) -> str:
    for pattern, instead in syntax.same:
        statement = re.sub(pattern, instead, statement)
    return " ".join(statement.split())


def missing(syntax: Syntax, running: str, lines: Sequence[Line]) -> list[str]:
    """The statements of `lines` that are not literally in the running configuration.

    None missing: sending the lines would change nothing. Some missing: it may still change nothing, as routers do not
    print what is so by default.
    """
    there = set(statements(syntax, lines_of(syntax, running)))
    return [statement for statement in statements(syntax, lines) if statement not in there]


def has_gone(syntax: Syntax, running: str, lines: Sequence[Line]) -> bool:
    """Whether nothing of what the lines take away is in the running configuration: they have been sent before."""
    taken = [gone for statement in statements(syntax, lines) if (gone := _undone(syntax, statement))]
    there = list(statements(syntax, lines_of(syntax, running)))
    return bool(taken) and not any(old == gone or old.startswith(f"{gone} ") for gone in taken for old in there)


def foreseen(syntax: Syntax, running: str, lines: Sequence[Line]) -> str:
    """The difference that the lines would make, for an element that cannot tell: statements to come and to go."""
    there = list(statements(syntax, lines_of(syntax, running)))
    told: list[str] = []
    for statement in missing(syntax, running, lines):
        gone = _undone(syntax, statement)
        hit = [f"-{old}" for old in there if gone and (old == gone or old.startswith(f"{gone} "))]
        told += hit or [f"+{statement}"]
    return _bounded(["--- running", "+++ foreseen", *dict.fromkeys(told)]) if told else ""


def _undone(syntax: Syntax, statement: str) -> str:
    """The statement that this one takes away; "" when it takes none."""
    words = statement.split()
    if syntax.negation not in words:
        return ""
    words.reverse()
    words.remove(syntax.negation)
    return " ".join(reversed(words))


def difference(before: str, after: str, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Unified, with three lines of context, and bounded; "" when they are the same."""
    if before == after:
        return ""
    old, new = before.splitlines(), after.splitlines()
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    start, old_end, new_end = max(0, head - 3), min(len(old), len(old) - tail + 3), min(len(new), len(new) - tail + 3)
    middle, other = old[start:old_end], new[start:new_end]
    work = len(set(middle) ^ set(other)) * max(len(middle), len(other))
    if work > MOST_WORK:
        lines = [f"--- {names[0]}", f"+++ {names[1]}", *_unaligned(middle, other)]
    else:
        lines = [_moved(line, start) for line in unified_diff(middle, other, *names, lineterm="")]
    return _bounded(lines)


def _unaligned(old: list[str], new: list[str]) -> Iterator[str]:
    """What is only on one side, for texts that differ too much to be aligned."""
    was, is_ = set(old), set(new)
    yield from (f"-{line}" for line in old if line not in is_)
    yield from (f"+{line}" for line in new if line not in was)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines both begin with."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _moved(line: str, by: int) -> str:
    """A hunk's header with line numbers of the whole text."""
    found = re.fullmatch(r"@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@", line)
    if found is None:
        return line
    return f"@@ -{int(found[1]) + by}{found[2] or ''} +{int(found[3]) + by}{found[4] or ''} @@"


def _bounded(lines: list[str]) -> str:
    left_out = len(lines) - MOST_DIFF_LINES
    if left_out > 0:
        lines = [*lines[:MOST_DIFF_LINES], f"… and {left_out} lines more"]
    return "\n".join(lines) + "\n"
