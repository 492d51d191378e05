"""The lines that turn one configuration into another, as far as texts alone can tell.

A statement that is there and should not be is taken away by the family's negation. How much of a line must be repeated
then is each command's own affair (SR OS: `no description`, `no static-route 10.0.0.0/8 next-hop 10.0.0.1`), so the
longest form comes first, and shorter ones where it is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from vnfm.configuration.domain.statements import Line, Syntax, lines_of, plain

_INDENT = "    "


@dataclass(slots=True)
class _Node:
    """A line with what is indented under it, by its statement."""

    text: str = ""
    children: "dict[str, _Node]" = field(default_factory=dict)


def turned(syntax: Syntax, running: str, wanted: str, *, explicit: bool = False) -> list[Line]:
    """In order: what goes first, then what comes. Empty when nothing differs.

    A value whose place another takes goes by itself. With `explicit` it is taken away all the same: for what is still
    there when the others have been sent, as some words may stand several times.
    """
    drafts = _turned(_Turn(syntax, explicit), _tree(syntax, running), _tree(syntax, wanted), 0)
    return [Line(number, text, others) for number, (text, others) in enumerate(drafts, start=1)]


@dataclass(frozen=True, slots=True)
class _Turn:
    syntax: Syntax
    explicit: bool


def _tree(syntax: Syntax, text: str) -> _Node:
    root = _Node()
    around: list[tuple[int, _Node]] = [(-1, root)]
    for line in lines_of(syntax, text):
        if line.text.strip() in syntax.closers:
            continue
        depth = len(line.text) - len(line.text.lstrip())
        while around[-1][0] >= depth:
            around.pop()
        node = around[-1][1].children.setdefault(plain(syntax, line.text.strip()), _Node(line.text.strip()))
        around.append((depth, node))
    return root


_Draft = tuple[str, tuple[str, ...]]
"""A line and its other forms."""


def _turned(turn: _Turn, now: _Node, then: _Node, depth: int) -> Iterator[_Draft]:
    for key, node in now.children.items():
        if key not in then.children:
            staying = [other for same, other in then.children.items() if same in now.children]
            yield from _removed(turn, node, then, staying, depth)
    for key, node in then.children.items():
        before = now.children.get(key)
        inner = list(_turned(turn, before or _Node(), node, depth + 1))
        if before is None or inner:
            yield _INDENT * depth + node.text, ()
        if inner:
            yield from inner
            yield _INDENT * depth + turn.syntax.closer, ()


def _removed(turn: _Turn, node: _Node, then: _Node, staying: list[_Node], depth: int) -> Iterator[_Draft]:
    indent, negation = _INDENT * depth, turn.syntax.negation
    words = node.text.removesuffix(" create").split()
    if words[0] == negation:
        opposite = " ".join(words[1:])
        if not any(other.text.startswith(opposite) for other in then.children.values()):
            yield indent + opposite, ()
        return
    if not node.children and _replaced(turn, words, then):
        return
    if any(child.text == f"{negation} shutdown" for child in node.children.values()):
        yield from ((indent + text, ()) for text in (node.text, "shutdown", turn.syntax.closer))
    forms = [f"{negation} {' '.join(shorter)}" for shorter in _shorter(words, node, staying)]
    yield f"{indent}{negation} {' '.join(words)}", tuple(forms)


def _shorter(words: list[str], node: _Node, staying: list[_Node]) -> Iterator[list[str]]:
    """The beginnings of a statement that may stand for it, the longest first.

    None that begins another that stays: `no router bgp 65000` takes more away than `router bgp 65000 vrf A`. Of a
    context at least two words, for what its first alone names may not be printed; of a value also one: `no location`.
    """
    for count in range(len(words) - 1, 1 if node.children else 0, -1):
        if not any(other.text.split()[:count] == words[:count] for other in staying):
            yield words[:count]


def _replaced(turn: _Turn, words: list[str], then: _Node) -> bool:
    """Whether what is wanted takes this leaf away: its negation, or another value of the same word."""
    others = [other.text.split() for other in then.children.values() if not other.children]
    if any(other[0] == turn.syntax.negation and words[: len(other) - 1] == other[1:] for other in others):
        return True
    value = [words[0]] == words[:-1]
    return value and not turn.explicit and any(other[:-1] == words[:-1] for other in others)
