"""The lines that change one configuration into another, computed from their texts.

A statement that is there and should not be is removed by the family's negation. How much of the line must follow the
negation differs from command to command (SR OS: `no description`, `no static-route 10.0.0.0/8 next-hop 10.0.0.1`), so
the longest form comes first, with shorter ones for when it is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from vnfm.configuration.domain.statements import Line, Syntax, lines_of, normalized

_INDENT = "    "


@dataclass(slots=True)
class _Node:
    """A line with the lines indented under it, by their normalized text."""

    text: str = ""
    children: "dict[str, _Node]" = field(default_factory=dict)


def changes_between(syntax: Syntax, running: str, target: str, *, explicit: bool = False) -> list[Line]:
    """The lines to send, in order: removals before additions. Empty when nothing differs.

    A value that another one of the same word replaces is not removed. With `explicit` it is: for differences that are
    left after a first pass, as some words may stand several times.
    """
    forms = _changes(_Options(syntax, explicit), _tree(syntax, running), _tree(syntax, target), 0)
    return [Line(number, text, others) for number, (text, others) in enumerate(forms, start=1)]


@dataclass(frozen=True, slots=True)
class _Options:
    syntax: Syntax
    explicit: bool


def _tree(syntax: Syntax, text: str) -> _Node:
    root = _Node()
    stack: list[tuple[int, _Node]] = [(-1, root)]
    for line in lines_of(syntax, text):
        if line.text.strip() in syntax.closers:
            continue
        depth = len(line.text) - len(line.text.lstrip())
        while stack[-1][0] >= depth:
            stack.pop()
        node = stack[-1][1].children.setdefault(
            normalized(syntax, line.text.strip().removesuffix(syntax.opener)), _Node(line.text.strip())
        )
        stack.append((depth, node))
    return root


_Forms = tuple[str, tuple[str, ...]]
"""A line and its other forms."""


def _changes(options: _Options, now: _Node, then: _Node, depth: int) -> Iterator[_Forms]:
    for key, node in now.children.items():
        if key not in then.children:
            staying = [other for same, other in then.children.items() if same in now.children]
            yield from _removal(options, node, then, staying, depth)
    for key, node in then.children.items():
        before = now.children.get(key)
        inner = list(_changes(options, before or _Node(), node, depth + 1))
        if before is None or inner:
            yield _INDENT * depth + node.text, ()
        if inner:
            yield from inner
            yield _INDENT * depth + options.syntax.closer, ()


def _removal(options: _Options, node: _Node, then: _Node, staying: list[_Node], depth: int) -> Iterator[_Forms]:
    indent, negation = _INDENT * depth, options.syntax.negation
    words = node.text.removesuffix(" create").removesuffix(options.syntax.opener).split()
    if words[0] == negation:
        opposite = " ".join(words[1:])
        if not any(other.text.startswith(opposite) for other in then.children.values()):
            yield indent + opposite, ()
        return
    if not node.children and _replaced(options, words, then):
        return
    if any(child.text == f"{negation} shutdown" for child in node.children.values()):
        yield from ((indent + text, ()) for text in (node.text, "shutdown", options.syntax.closer))
    forms = [f"{negation} {' '.join(shorter)}" for shorter in _shorter(words, node, staying)]
    yield f"{indent}{negation} {' '.join(words)}", tuple(forms)


def _shorter(words: list[str], node: _Node, staying: list[_Node]) -> Iterator[list[str]]:
    """Prefixes of a statement that may identify it, the longest first.

    No prefix of a statement that stays: `no router bgp 65000` removes more than `router bgp 65000 vrf A`. Of a context
    at least two words, as the router may not print all contexts of the first word; of a value one: `no location`.
    """
    for count in range(len(words) - 1, 1 if node.children else 0, -1):
        if not any(other.text.split()[:count] == words[:count] for other in staying):
            yield words[:count]


def _replaced(options: _Options, words: list[str], then: _Node) -> bool:
    """Return whether the target replaces this leaf: by its negation, or by another value of the same word."""
    others = [other.text.split() for other in then.children.values() if not other.children]
    if any(other[0] == options.syntax.negation and words[: len(other) - 1] == other[1:] for other in others):
        return True
    value = [words[0]] == words[:-1]
    return value and not options.explicit and any(other[:-1] == words[:-1] for other in others)
