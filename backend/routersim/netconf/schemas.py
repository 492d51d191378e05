"""NETCONF schemas by family, and the command line statement of each leaf."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from routersim.cli.config import SEPARATOR
from routersim.netconf.tree import Branch, Leaf, Tree

_HUAWEI = "http://www.huawei.com/netconf/vrp/"
_ADMIN = Leaf("admin-state", "enable|disable")

SROS = Branch(
    "",
    (
        Branch(
            "configure",
            (
                Branch("card", (
                    Leaf("slot-number", r"\d+"), _ADMIN, Leaf("card-type"),
                    Branch("mda", (Leaf("mda-slot", r"\d"), _ADMIN, Leaf("mda-type")), key="mda-slot"),
                ), key="slot-number"),
                Branch("port", (Leaf("port-id"), _ADMIN, Leaf("description", r".{0,160}")), key="port-id"),
                Branch("router", (
                    Leaf("router-name"),
                    Branch("bgp", (
                        Branch("neighbor", (Leaf("ip-address", r"[\d.]+"), _ADMIN, Leaf("peer-as", r"\d+")),
                               key="ip-address"),
                    )),
                ), key="router-name"),
                Branch("system", (
                    Leaf("name", r".{1,64}"), Leaf("location", r".{0,80}"), Leaf("contact", r".{0,80}"),
                    Branch("security", (
                        Branch("snmp", (
                            Branch("community", (Leaf("community-string"), Leaf("access-permissions", "r|rw|rwa")),
                                   key="community-string"),
                        )),
                    )),
                )),
            ),
            namespace="urn:nokia.com:sros:ns:yang:sr:conf",
        ),
    ),
)  # fmt: skip
VRP = Branch(
    "",
    (
        Branch("system", (Branch("systemInfo", (Leaf("sysName", r"\S{1,64}"),)),), namespace=f"{_HUAWEI}huawei-system"),
        Branch(
            "ifm",
            (
                Branch("interfaces", (
                    Branch("interface", (
                        Leaf("ifName"), Leaf("ifDescr", r".{0,242}"), Leaf("ifAdminStatus", "up|down"),
                    ), key="ifName"),
                )),
            ),
            namespace=f"{_HUAWEI}huawei-ifm",
        ),
        Branch(
            "snmp",
            (
                Branch("communitys", (
                    Branch("community", (
                        Leaf("communityName"), Leaf("accessRight", "read|write"),
                    ), key="communityName"),
                )),
            ),
            namespace=f"{_HUAWEI}huawei-snmp",
        ),
    ),
)  # fmt: skip
SCHEMAS: Mapping[str, Branch] = {"sros": SROS, "vrp": VRP}


@dataclass(frozen=True, slots=True)
class Row:
    """A leaf: its path with `*` for keys, and its statement with {0}, {1} for keys and {v} for the value."""

    path: str
    statement: str
    words: Mapping[str, str] | None = None
    """Value to what stands in the statement; None: the same."""


_UP = {"enable": "no shutdown", "disable": "shutdown"}
_NEIGHBOR = 'configure|router {0}|bgp|group "peers"|neighbor {1}'
ROWS: Mapping[str, tuple[Row, ...]] = {
    "sros": (
        Row("configure/system/name", 'configure|system|name "{v}"'),
        Row("configure/system/location", 'configure|system|location "{v}"'),
        Row("configure/system/contact", 'configure|system|contact "{v}"'),
        Row("configure/system/security/snmp/community/*/access-permissions",
            'configure|system|snmp|community "{0}" {v}'),
        Row("configure/card/*/card-type", "configure|card {0}|card-type {v}"),
        Row("configure/card/*/mda/*/mda-type", "configure|card {0}|mda {1}|mda-type {v}"),
        Row("configure/card/*/mda/*/admin-state", "configure|card {0}|mda {1}|{v}", _UP),
        Row("configure/card/*/admin-state", "configure|card {0}|{v}", _UP),
        Row("configure/port/*/description", 'configure|port {0}|description "{v}"'),
        Row("configure/port/*/admin-state", "configure|port {0}|{v}", _UP),
        Row("configure/router/*/bgp/neighbor/*/peer-as", f"{_NEIGHBOR}|peer-as {{v}}"),
        Row("configure/router/*/bgp/neighbor/*/admin-state", f"{_NEIGHBOR}|{{v}}", _UP),
    ),
    "vrp": (
        Row("system/systemInfo/sysName", "sysname {v}"),
        Row("ifm/interfaces/interface/*/ifDescr", "interface {0}|description {v}"),
        Row("ifm/interfaces/interface/*/ifAdminStatus", "interface {0}|{v}",
            {"up": "undo shutdown", "down": "shutdown"}),
        Row("snmp/communitys/community/*/accessRight", "snmp-agent community {v} {0}"),
    ),
}  # fmt: skip


def tree_of(family: str, statements: Iterable[str]) -> tuple[Tree, list[str]]:
    """The configuration as a tree, and the statements outside the schema."""
    tree: Tree = {}
    rest = []
    patterns = [(row, _pattern(row)) for row in ROWS[family]]
    for text in statements:
        for row, pattern in patterns:
            found = re.fullmatch(pattern, text)
            if found:
                _plant(tree, row, found)
                break
        else:
            rest.append(text)
    return tree, rest


def _pattern(row: Row) -> str:
    pattern = re.escape(row.statement.replace("|", SEPARATOR)).replace('"', '"?')
    values = "|".join(map(re.escape, row.words.values())) if row.words else r"[^\t\"]+"
    pattern = pattern.replace(r"\{v\}", f"(?P<v>{values})")
    return re.sub(r"\\\{(\d)\\\}", r'(?P<k\1>[^\\s"]+)', pattern)


def _plant(tree: Tree, row: Row, found: re.Match[str]) -> None:
    groups, keys = found.groupdict(), 0
    *path, leaf = row.path.split("/")
    for step in path:
        name = step
        if step == "*":
            name, keys = groups[f"k{keys}"], keys + 1
        tree = tree.setdefault(name, {})
    text = groups["v"]
    tree[leaf] = next((value for value, word in row.words.items() if word == text), text) if row.words else text


def statements_of(family: str, tree: Tree) -> list[str]:
    """The tree as statements."""
    return [text for row in ROWS[family] for text in _statements(tree, row.path.split("/"), (), row)]


def _statements(tree: Tree, path: list[str], keys: tuple[str, ...], row: Row) -> Iterator[str]:
    step, *rest = path
    if not rest:
        value = tree.get(step)
        if value:
            word = row.words[value] if row.words else value
            yield row.statement.replace("|", SEPARATOR).format(*keys, v=word)
    elif step == "*":
        for key, entry in tree.items():
            yield from _statements(entry, rest, (*keys, key), row)
    elif step in tree:
        yield from _statements(tree[step], rest, keys, row)
