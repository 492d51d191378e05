"""Configurations as lists of statements, and the grammar that turns lines into statements.

A statement is its contexts and its leaf, joined by tabs: `configure⇥port 1/1/1⇥no shutdown`. The grammar is a table of
the words that open a context, with their number of arguments. Everything else is a leaf.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from routersim.cli.sros_words import LEAVES
from routersim.cli.vrp_cipher import encrypted

SEPARATOR = "\t"
Path = tuple[str, ...]


class RejectedLine(ValueError):
    """A line that the element rejects; the message is the element's output."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The grammar of a family's lines."""

    negation: str
    contexts: Mapping[str, int]
    """The number of arguments by word that opens a context."""
    roots: frozenset[str]
    """Words at the top level."""
    many: frozenset[str]
    """Leaves that a context may have several times, with different first arguments."""
    bad_line: str
    incomplete: str
    leaves: frozenset[str]
    """Words that begin a leaf; empty if any word does."""
    indent: str


SROS = Grammar(
    negation="no",
    contexts={
        "configure": 0, "system": 0, "snmp": 0, "security": 0, "time": 0, "ntp": 0, "login-control": 0, "ssh": 0,
        "card": 1, "mda": 1, "port": 1, "ethernet": 0, "network": 0, "access": 0, "router": 1, "interface": 1, "bgp": 0,
        "group": 1, "neighbor": 1, "ospf": 1, "isis": 1, "area": 1, "ldp": 0, "mpls": 0, "rsvp": 0, "service": 0,
        "user": 1, "vprn": 1, "ies": 1, "vpls": 1, "epipe": 1, "sap": 1, "customer": 1, "log": 0, "log-id": 1,
        "snmp-trap-group": 1, "filter": 0, "ip-filter": 1, "entry": 1, "qos": 0, "redundancy": 0, "mobile-gateway": 0,
        "pdn": 1, "policy-options": 0, "lag": 1,
    },
    roots=frozenset({
        "system", "card", "port", "router", "service", "log", "filter", "qos", "redundancy", "mobile-gateway", "lag",
    }),
    many=frozenset({"trap-target", "static-route", "static-route-entry", "community", "server", "prefix-list"}),
    bad_line="Error: Bad command.",
    incomplete="Error: Missing parameter.",
    leaves=LEAVES,
    indent="    ",
)  # fmt: skip
VRP = Grammar(
    negation="undo",
    contexts={"interface": 1, "bgp": 1, "ipv4-family": 1, "aaa": 0, "ospf": 1, "isis": 1, "area": 1, "route-policy": 4},
    roots=frozenset({
        "sysname", "interface", "bgp", "aaa", "ospf", "isis", "route-policy", "snmp-agent", "info-center", "ip", "ntp",
        "ntp-service", "stelnet", "ssh", "vlan", "mpls", "license", "ftp",
    }),
    many=frozenset({"peer", "snmp-agent", "ip", "ntp", "ntp-service", "ssh", "stelnet", "info-center", "local-user"}),
    bad_line="Error: Unrecognized command found at '^' position.",
    incomplete="Error: Incomplete command found at '^' position.",
    leaves=frozenset(),
    indent=" ",
)  # fmt: skip
GRAMMARS = {"sros": SROS, "vrp": VRP}
_OPTIONAL = {"router": "Base", "ospf": "0", "isis": "0"}
"""The default by context with an optional argument."""
_LEAVES = frozenset(
    {("user", "access"), ("security", "access"), ("snmp", "access"), ("snmp", "group"), ("log-id", "log")}
)
"""Words that are a leaf in this context and open a context elsewhere."""
_NOISE = frozenset({"create", "exclusive"})
_SNMP_KEYS = {"community": 5, "usm-user": 5, "group": 4, "mib-view": 4, "target-host": 20}
"""The number of leading words by which a line replaces another, by the second word of VRP's `snmp-agent`."""


def split_words(line: str) -> list[str]:
    """Return the line's words with their quotes. Raises RejectedLine for an unclosed quote."""
    try:
        return list(shlex.shlex(line, posix=False, punctuation_chars=False)) and _shell_split(line)
    except ValueError as error:
        raise RejectedLine(f"Error: {error}.") from error


def _shell_split(line: str) -> list[str]:
    splitter = shlex.shlex(line, posix=False)
    splitter.whitespace_split, splitter.commenters = True, ""
    return list(splitter)


def parse(grammar: Grammar, context: Path, line_words: list[str]) -> tuple[Path, str]:
    """Return the context that a line leads to, and its leaf ("" if it only opens contexts). Raises RejectedLine."""
    line_words = [word for word in line_words if word not in _NOISE]
    if line_words and line_words[0] == grammar.negation:
        return _negated(grammar, context, line_words)
    at = 0
    while at < len(line_words) and line_words[at] in grammar.contexts and not _is_leaf(context, line_words[at]):
        opened, at = _open(grammar, line_words, at)
        context = (*context, opened)
    leaf = " ".join(line_words[at:])
    _check_root(grammar, context, leaf)
    _check_leaf(grammar, context, line_words[at:])
    return context, leaf


def _is_leaf(context: Path, word: str) -> bool:
    return bool(context) and (context[-1].split()[0], word) in _LEAVES


def _open(grammar: Grammar, line_words: list[str], at: int) -> tuple[str, int]:
    word, count = line_words[at], grammar.contexts[line_words[at]]
    arguments = line_words[at + 1 : at + 1 + count]
    optional = word in _OPTIONAL and (
        not arguments or arguments[0] in grammar.contexts or arguments[0] == grammar.negation
    )
    if optional:
        return f"{word} {_OPTIONAL[word]}", at + 1
    if len(arguments) < count:
        raise RejectedLine(grammar.incomplete)
    return " ".join((word, *arguments)), at + 1 + count


def _negated(grammar: Grammar, context: Path, line_words: list[str]) -> tuple[Path, str]:
    """Parse a line with `no`: `no card 3` deletes a context, `no shutdown` is a leaf; `no` may precede a whole path."""
    inner, leaf = parse(grammar, context, line_words[1:])
    if leaf:
        return inner, f"{grammar.negation} {leaf}"
    return inner[:-1], f"{grammar.negation} {inner[-1]}"


def _check_root(grammar: Grammar, context: Path, leaf: str) -> None:
    below = [word for word in (*context, leaf) if word and word != "configure"]
    if below and below[0].removeprefix(f"{grammar.negation} ").split()[0] not in grammar.roots:
        raise RejectedLine(grammar.bad_line)


def _check_leaf(grammar: Grammar, context: Path, leaf: list[str]) -> None:
    """Raise RejectedLine if the router does not know the word."""
    word = next((each for each in leaf if each != grammar.negation), "")
    known = word in grammar.leaves or word in grammar.contexts or _is_leaf(context, word)
    if grammar.leaves and word and not known:
        raise RejectedLine(grammar.bad_line)


def _key(grammar: Grammar, leaf: str) -> Path:
    """Return the key of a leaf: leaves of one context with equal keys replace each other."""
    parts = leaf.split()
    if parts[0] == grammar.negation:
        parts = parts[1:]
    if parts[0] == "snmp-agent":
        return tuple(parts[: _SNMP_KEYS.get("".join(parts[1:2]), 3)])
    return tuple(parts[:3]) if parts[0] in grammar.many else tuple(parts[:1])


def apply_line(grammar: Grammar, statements: list[str], context: Path, leaf: str) -> None:
    """Apply one line to a configuration. `no shutdown` is a statement; any other `no` deletes."""
    if not leaf:
        return
    prefix = SEPARATOR.join(context)
    removed = leaf.removeprefix(grammar.negation + " ") if leaf.startswith(grammar.negation + " ") else ""
    if removed and removed.split()[0] in grammar.contexts and not _is_leaf(context, removed.split()[0]):
        deleted = SEPARATOR.join((*context, removed))
        statements[:] = [text for text in statements if text != deleted and not text.startswith(deleted + SEPARATOR)]
        return
    key, at = _key(grammar, leaf), len(statements)
    if removed and removed != "shutdown":
        statements[:] = [text for text in statements if not _is_of(grammar, text, prefix, key)]
        return
    for place, text in enumerate(statements):
        where, _, old = text.rpartition(SEPARATOR)
        if where == prefix and _key(grammar, old) == key:
            del statements[place]
            at = place
            break
        if where == prefix:
            at = place + 1
    statements.insert(at, SEPARATOR.join((*context, leaf)))


def _is_of(grammar: Grammar, statement: str, prefix: str, key: Path) -> bool:
    """Return whether a statement is a leaf of the context `prefix` and begins with the key."""
    where, _, leaf = statement.rpartition(SEPARATOR)
    return where == prefix and _key(grammar, leaf)[: len(key)] == key


def render(grammar: Grammar, statements: Iterable[str]) -> str:
    """Return the configuration as displayed: contexts are indented, and closed by `exit` (SR OS) or `#` (VRP)."""
    lines: list[str] = []
    open_: Path = ()
    for text in statements:
        *context, leaf = text.split(SEPARATOR)
        path = tuple(context)
        shared = _shared(open_, path)
        lines += _closing(grammar, len(open_), shared)
        lines += [grammar.indent * depth + path[depth] for depth in range(shared, len(path))]
        lines.append(grammar.indent * len(path) + (encrypted(leaf) if grammar is VRP else leaf))
        open_ = path
    lines += _closing(grammar, len(open_), 0)
    return "\n".join(lines)


def _shared(one: Path, other: Path) -> int:
    same = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += 1
    return same


def _closing(grammar: Grammar, depth: int, down_to: int) -> list[str]:
    if grammar is VRP:
        return ["#"] if depth > down_to else []
    return [grammar.indent * level + "exit" for level in range(depth - 1, down_to - 1, -1)]
