"""Statements by which a router that is about to go sends its neighbours to other paths while it still forwards.

FRR: `bgp graceful-shutdown` (RFC 8326), and the worst metric in OSPF. SR OS and VRP of these releases have no RFC 8326:
they announce by BGP with the worst MED and local preference, and are overloaded in OSPF and IS-IS (RFC 6987, RFC 3277).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from vnfm.configuration.domain.dialects import DIALECTS, Dialect
from vnfm.configuration.domain.statements import lines_of, statements
from vnfm.kit.patterns import pattern

WORST_MED = 4_294_967_295


@dataclass(frozen=True, slots=True)
class DrainRule:
    """`context`: expression of the statement of a protocol. `line` drains it; it replaces a line with the same
    words but the last.
    """

    context: str
    line: str
    inner: tuple[str, ...] = ()
    """Contexts within that one, around the line."""


@dataclass(frozen=True, slots=True)
class DrainChange:
    """A line that drains a protocol, in its contexts, and the one that takes it back."""

    contexts: tuple[str, ...]
    line: str
    undo: str


_FRR = (
    DrainRule(r"router bgp \d+(?: vrf \S+)?", "bgp graceful-shutdown"),
    DrainRule(r"router ospf(?: \d+| vrf \S+)*", "max-metric router-lsa administrative"),
    DrainRule(r"router ospf6(?: vrf \S+)?", "stub-router administrative"),
    DrainRule(r"router isis \S+(?: vrf \S+)?", "set-overload-bit"),
)
_SROS = (
    DrainRule(r"configure router bgp", f"med-out {WORST_MED}"),
    DrainRule(r"configure router bgp", "local-preference 0"),
    DrainRule(r"configure router ospf", "overload"),
    DrainRule(r"configure router isis", "overload"),
)
_VRP = (
    DrainRule(r"bgp \S+", f"default med {WORST_MED}", ("ipv4-family unicast",)),
    DrainRule(r"bgp \S+", "default local-preference 0", ("ipv4-family unicast",)),
    DrainRule(r"ospf \d+(?: router-id \S+)?", "stub-router"),
    DrainRule(r"isis \d+", "set-overload"),
)
RULES: Mapping[str, Sequence[DrainRule]] = MappingProxyType({"frr": _FRR, "nokia-sros": _SROS, "huawei-vrp": _VRP})
"""The rules by driver."""


def drain_changes(driver: str, running: str) -> tuple[DrainChange, ...]:
    """The changes that drain a router with this running configuration; those that it has already are left out."""
    dialect = DIALECTS[driver]
    present = list(dict.fromkeys(statements(dialect.syntax, lines_of(dialect.syntax, running))))
    return tuple(change for rule in RULES[driver] for change in _changes(dialect, rule, present))


def _changes(dialect: Dialect, rule: DrainRule, present: Sequence[str]) -> Iterator[DrainChange]:
    for context in (one for one in present if pattern(rule.context).fullmatch(one)):
        around = " ".join((context, *rule.inner))
        if f"{around} {rule.line}" in present:
            continue
        words, last = rule.line.rpartition(" ")[0], rule.line.rpartition(" ")[2]
        numbered = last.isdigit()
        before = next((one for one in present if numbered and one.startswith(f"{around} {words} ")), "")
        undo = before.removeprefix(f"{around} ") or f"{dialect.syntax.negation} {words if numbered else rule.line}"
        yield DrainChange((context, *rule.inner), rule.line, undo)


def drained_changes(driver: str, running: str, changes: Sequence[DrainChange]) -> list[DrainChange]:
    """Those of the changes that are in force; none of them where the router got another disk since."""
    syntax = DIALECTS[driver].syntax
    present = set(statements(syntax, lines_of(syntax, running)))
    return [one for one in changes if f"{' '.join(one.contexts)} {one.line}" in present]


def drain_text(driver: str, changes: Sequence[DrainChange]) -> str:
    return _text(driver, [(change.contexts, change.line) for change in changes])


def undrain_text(driver: str, changes: Sequence[DrainChange]) -> str:
    return _text(driver, [(change.contexts, change.undo) for change in reversed(changes)])


def _text(driver: str, lines: Sequence[tuple[tuple[str, ...], str]]) -> str:
    """SR OS takes a line with its contexts; the others enter them and leave them again."""
    if driver == "nokia-sros":
        named = [(" ".join(contexts).replace("router ", "router Base ", 1), line) for contexts, line in lines]
        return "".join(f"/{contexts} {line}\n" for contexts, line in named)
    closer, text = DIALECTS[driver].syntax.closer, ""
    for contexts, line in lines:
        text += "".join(f"{' ' * depth}{context}\n" for depth, context in enumerate((*contexts, line)))
        text += "".join(f"{' ' * depth}{closer}\n" for depth in reversed(range(len(contexts))))
    return text
