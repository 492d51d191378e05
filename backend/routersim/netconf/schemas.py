"""NETCONF schemas by family, and the command line statement of each leaf."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from routersim.cli.config import SEPARATOR
from routersim.netconf.tree import Branch, Leaf, Tree

_HUAWEI = "http://www.huawei.com/netconf/vrp/"
_ADMIN = Leaf("admin-state", "enable|disable")

_ACCESS = Branch("access", (
    Leaf("group"), Leaf("context"), Leaf("security-model", "usm"),
    Leaf("security-level", "no-auth-no-privacy|auth-no-privacy|privacy"), Leaf("read"), Leaf("write"), Leaf("notify"),
), key="group")  # fmt: skip
"""The access of a group; the key in nokia-conf is the first four leaves, here a group has one access."""
_AUTHENTICATION = Branch("authentication", (
    Leaf("authentication-protocol", "hmac-(?:md5-96|sha1-96|sha2-(?:224|256|384|512))"),
    Leaf("authentication-key", "[0-9a-fA-F]+"),
    Branch("privacy", (
        Leaf("privacy-protocol", "cbc-des|cfb128-aes-(?:128|192|256)"), Leaf("privacy-key", "[0-9a-fA-F]+"),
    )),
))  # fmt: skip
_SECURITY = Branch("security", (
    Branch("snmp", (
        Branch("community", (
            Leaf("community-string"), Leaf("access-permissions", "r|rw|rwa"), Leaf("version", "v1|v2c|both"),
        ), key="community-string"),
        _ACCESS,
    )),
    Branch("user-params", (Branch("local-user", (Branch("user", (
        Leaf("user-name"), Branch("access", (Leaf("snmp", "true|false"),)),
        Branch("snmp", (Leaf("group"), _AUTHENTICATION)),
    ), key="user-name"),)),)),
))  # fmt: skip
_LOG = Branch("log", (
    Branch("log-id", (
        Leaf("name"), _ADMIN,
        Branch("source", tuple(Leaf(stream, "true|false") for stream in ("main", "security", "change"))),
        Branch("destination", (Branch("snmp", (), presence=True),)),
    ), key="name"),
    Branch("snmp-trap-group", (
        Leaf("log-name"),
        Branch("trap-target", (
            Leaf("name"), Leaf("address"), Leaf("port", r"\d+"), Leaf("version", "snmpv2c|snmpv3"),
            Leaf("notify-community"), Leaf("security-level", "no-auth-no-privacy|auth-no-privacy|privacy"),
        ), key="name"),
    ), key="log-name"),
))  # fmt: skip
"""The logs of nokia-conf since SR OS 22.2; before 21.2 `name` and `log-name` were numbers, and protocols differed."""
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
                    Branch("management-interface", (
                        Branch("snmp", (_ADMIN, Leaf("packet-size", r"\d+"))),
                    )),
                    _SECURITY,
                )),
                _LOG,
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


_PLACE = re.compile(r"\{([\w/-]+)\}")


@dataclass(frozen=True, slots=True)
class Row:
    """A container or an entry of a list, and its statement.

    `path` has `*` for keys; `statement` has {0}, {1} for keys, and the paths of leaves for values. A part in brackets
    is omitted if its leaf has no value.
    """

    path: str
    statement: str
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The words of the statement by leaf and value; a leaf that is not listed uses its value."""
    unless: str = ""
    """The leaf with which another row applies."""


_UP = {"admin-state": {"enable": "no shutdown", "disable": "shutdown"}}
_PROTOCOLS = {
    "authentication/authentication-protocol": {"hmac-md5-96": "md5", "hmac-sha1-96": "sha"},
    "authentication/privacy/privacy-protocol": {"cbc-des": "des-key", "cfb128-aes-128": "aes-128-cfb-key"},
}
"""Protocols whose name differs on the command line."""
_NEIGHBOR = 'configure|router {0}|bgp|group "peers"|neighbor {1}'
_SNMP, _USER = "configure/system/security/snmp", "configure/system/security/user-params/local-user/user/*"
_USERS = 'configure|system|security|user "{0}"'
_AUTH = "snmp|authentication {authentication/authentication-protocol} {authentication/authentication-key}"
_PRIVACY = "authentication/privacy/privacy-"
ROWS: Mapping[str, tuple[Row, ...]] = {
    "sros": (
        Row("configure/system", 'configure|system|name "{name}"'),
        Row("configure/system", 'configure|system|location "{location}"'),
        Row("configure/system", 'configure|system|contact "{contact}"'),
        Row("configure/system/management-interface/snmp", "configure|system|snmp|packet-size {packet-size}"),
        Row("configure/system/management-interface/snmp", "configure|system|snmp|{admin-state}", _UP),
        Row(f"{_SNMP}/community/*",
            'configure|system|security|snmp|community "{0}" {access-permissions}[ version {version}]'),
        Row(f"{_SNMP}/access/*",
            'configure|system|security|snmp|access group "{0}" security-model {security-model} security-level '
            '{security-level}[ read "{read}"][ write "{write}"][ notify "{notify}"]'),
        Row(f"{_USER}/access", f"{_USERS}|access{{snmp}}", {"snmp": {"true": " snmp"}}),
        Row(f"{_USER}/snmp", f"{_USERS}|{_AUTH} privacy {{{_PRIVACY}protocol}} {{{_PRIVACY}key}}", _PROTOCOLS),
        Row(f"{_USER}/snmp", f"{_USERS}|{_AUTH} privacy none", _PROTOCOLS, unless=f"{_PRIVACY}key"),
        Row(f"{_USER}/snmp", f'{_USERS}|snmp|group "{{group}}"'),
        Row("configure/card/*", "configure|card {0}|card-type {card-type}"),
        Row("configure/card/*/mda/*", "configure|card {0}|mda {1}|mda-type {mda-type}"),
        Row("configure/card/*/mda/*", "configure|card {0}|mda {1}|{admin-state}", _UP),
        Row("configure/card/*", "configure|card {0}|{admin-state}", _UP),
        Row("configure/port/*", 'configure|port {0}|description "{description}"'),
        Row("configure/port/*", "configure|port {0}|{admin-state}", _UP),
        Row("configure/router/*/bgp/neighbor/*", f"{_NEIGHBOR}|peer-as {{peer-as}}"),
        Row("configure/router/*/bgp/neighbor/*", f"{_NEIGHBOR}|{{admin-state}}", _UP),
        Row("configure/log/snmp-trap-group/*/trap-target/*",
            'configure|log|snmp-trap-group {0}|trap-target "{1}" address {address} port {port} {version} '
            'notify-community "{notify-community}"[ security-level {security-level}]'),
        Row("configure/log/log-id/*/source", "configure|log|log-id {0}|from[{main}][{security}][{change}]",
            {stream: {"true": f" {stream}"} for stream in ("main", "security", "change")}),
        Row("configure/log/log-id/*/destination/snmp", "configure|log|log-id {0}|to snmp"),
        Row("configure/log/log-id/*", "configure|log|log-id {0}|{admin-state}", _UP),
    ),
    "vrp": (
        Row("system/systemInfo", "sysname {sysName}"),
        Row("ifm/interfaces/interface/*", "interface {0}|description {ifDescr}"),
        Row("ifm/interfaces/interface/*", "interface {0}|{ifAdminStatus}",
            {"ifAdminStatus": {"up": "undo shutdown", "down": "shutdown"}}),
        Row("snmp/communitys/community/*", "snmp-agent community {accessRight} {0}"),
    ),
}  # fmt: skip


def tree_of(family: str, statements: Iterable[str]) -> tuple[Tree, list[str]]:
    """Return the configuration as a tree, and the statements outside the schema."""
    tree: Tree = {}
    rest = []
    for text in statements:
        for row, pattern in _PATTERNS[family]:
            found = pattern.fullmatch(text)
            if found:
                _plant(tree, row, found)
                break
        else:
            rest.append(text)
    return tree, rest


def _pattern(row: Row) -> re.Pattern[str]:
    """Return the pattern of a row's statement, with groups k0, k1 … for keys, and `_group` for leaves."""

    def place(found: re.Match[str]) -> str:
        name = found[1]
        if name.isdecimal():
            return rf'(?P<k{name}>[^\s"]+)'
        words = row.words.get(name)
        exact = "|".join(map(re.escape, words.values())) if words else ""
        other = "" if words and name not in _PROTOCOLS else r'[^\t"]+?'
        return f"(?P<{_group(name)}>{'|'.join(filter(None, (exact, other)))})"

    text = row.statement.replace("|", SEPARATOR).replace('"', '"?')
    return re.compile(_PLACE.sub(place, text.replace("[", "(?:").replace("]", ")?")))


def _group(leaf: str) -> str:
    return "v_" + re.sub(r"\W", "_", leaf)


_PATTERNS = {family: [(row, _pattern(row)) for row in rows] for family, rows in ROWS.items()}


def _plant(tree: Tree, row: Row, found: re.Match[str]) -> None:
    groups, keys = found.groupdict(), 0
    for step in row.path.split("/"):
        name = step
        if step == "*":
            name, keys = groups[f"k{keys}"], keys + 1
        tree = tree.setdefault(name, {})
    for leaf in _leaves(row.statement):
        text = groups[_group(leaf)]
        if text is not None:
            *inner, last = leaf.split("/")
            within = tree
            for name in inner:
                within = within.setdefault(name, {})
            words = row.words.get(leaf, {})
            within[last] = next((value for value, word in words.items() if word == text), text)


def _leaves(template: str) -> list[str]:
    return [name for name in _PLACE.findall(template) if not name.isdecimal()]


def statements_of(family: str, tree: Tree) -> list[str]:
    """Return the tree as statements."""
    return [text for row in ROWS[family] for text in _statements(tree, row.path.split("/"), (), row)]


def _statements(tree: Tree, path: list[str], keys: tuple[str, ...], row: Row) -> Iterator[str]:
    if not path:
        text = _filled(tree, row, keys)
        if text is not None:
            yield text
        return
    step, *rest = path
    if step == "*":
        for key, entry in tree.items():
            yield from _statements(entry, rest, (*keys, key), row)
    elif step in tree:
        yield from _statements(tree[step], rest, keys, row)


def _filled(tree: Tree, row: Row, keys: tuple[str, ...]) -> str | None:
    """Return the row's statement; None if a required leaf is missing, or with the leaf that excludes the row."""
    values = {leaf: value for leaf in _leaves(row.statement) if (value := _word(tree, row, leaf))}
    if row.unless and _value(tree, row.unless):
        return None
    wanted = re.sub(r"\[[^]]*\]", "", row.statement)
    if any(leaf not in values for leaf in _leaves(wanted)):
        return None
    own = re.sub(
        r"\[([^]]*)\]", lambda part: part[1] if all(leaf in values for leaf in _leaves(part[1])) else "", row.statement
    )
    return _PLACE.sub(lambda place: keys[int(place[1])] if place[1].isdecimal() else values[place[1]], own).replace(
        "|", SEPARATOR
    )


def _word(tree: Tree, row: Row, leaf: str) -> str:
    """Return the statement's word for the leaf's value; "" for a value without one, such as a false flag."""
    value, words = _value(tree, leaf), row.words.get(leaf)
    if words is None or leaf in _PROTOCOLS:
        return (words or {}).get(value, value)
    return words.get(value, "")


def _value(tree: Tree, leaf: str) -> str:
    found: Any = tree
    for name in leaf.split("/"):
        found = found.get(name) if isinstance(found, dict) else None
    return found or ""
