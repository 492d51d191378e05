"""SNMP access to an element and the receivers of its notifications, by its fields and its configuration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from routersim.model.element import Element
from routersim.model.kinds import KINDS
from routersim.snmp.access_vrp import vrp_communities, vrp_targets, vrp_users
from routersim.snmp.usm import KEY_OCTETS, Clock, User, localised

Target = tuple[str, int]
Principal = bytes | User
"""The sender of a notification: a community, or an SNMPv3 user."""

_SYSTEM = "configure\tsystem\tsnmp\t"
_COMMUNITY = re.compile(r'configure\tsystem\tsecurity\tsnmp\tcommunity "?([^\s"]+)"? (rw?a?)\b.*')
_TARGET = re.compile(
    r"configure\tlog\tsnmp-trap-group (\d+)\ttrap-target \S+ address (\S+) port (\d+) (?P<version>snmpv2c|snmpv3) "
    r'notify-community "?(?P<principal>[^\s"]+)"?(?: security-level (?P<level>\S+))?'
)
_USER = r'configure\tsystem\tsecurity\tuser "?(?P<name>[^\s"]+)"?\t'
_AUTH = {"md5": "MD5", "sha": "SHA", **{f"hmac-sha2-{bits}": f"SHA-{bits}" for bits in (224, 256, 384, 512)}}
_PRIV = {"des-key": "DES", "aes-128-cfb-key": "AES", "cfb128-aes-192": "AES-192", "cfb128-aes-256": "AES-256"}
_PROTOCOLS = {**_AUTH, **_PRIV}
_KEYS = re.compile(
    rf"{_USER}snmp\tauthentication (?:none|(?P<auth>{'|'.join(_AUTH)}) (?P<auth_key>[0-9a-fA-F]+)"
    rf" privacy (?:none|(?P<priv>{'|'.join(_PRIV)}) (?P<priv_key>[0-9a-fA-F]+)))"
)
_GROUP = re.compile(rf'{_USER}snmp\tgroup "?(?P<group>[^\s"]+)"?')
_ACCESS = re.compile(rf"{_USER}access (?:.* )?snmp(?: .*)?")
_MAY = re.compile(
    r'configure\tsystem\tsecurity\tsnmp\taccess group "?(?P<group>[^\s"]+)"? security-model usm'
    r" security-level (?P<level>\S+)(?P<rest>.*)"
)
_LEVELS = {"no-auth-no-privacy": 0, "auth-no-privacy": 1, "privacy": 3}
"""Security levels as msgFlags."""


@dataclass(frozen=True, slots=True)
class Configured:
    """The access that the configuration allows."""

    communities: frozenset[bytes] = frozenset()
    users: Mapping[bytes, User] = field(default_factory=dict)
    targets: tuple[tuple[Target, Principal], ...] = ()
    """The receivers of notifications."""


class Access:
    """The access to one element; a changed configuration is read again."""

    def __init__(self, element: Element) -> None:
        self._element = element
        self._read: list[str] | None = None
        self._configured = Configured()

    def admits(self, community: bytes, *, write: bool) -> bool:
        """Return whether a community has access; an element with an initial SNMPv3 user has no own community."""
        element = self._element
        has_own = not element.factory and not element.snmp_user.name
        if has_own and community == element.write_community.encode():
            return True
        return not write and (
            (has_own and community == element.community.encode()) or community in self._now().communities
        )

    def user(self, name: bytes) -> User | None:
        """Return the SNMPv3 user with keys for this engine, or None."""
        own = self._own_user()
        return own if own is not None and own.name == name else self._now().users.get(name)

    def clock(self, now: float) -> Clock:
        """Return the engine's id and time (snmpEngineBoots, snmpEngineTime)."""
        element = self._element
        return Clock(element.engine_id, element.boots, max(0, int(now - element.booted)) % 2**31)

    def targets(self) -> list[tuple[Target, Principal]]:
        """Return the receivers of notifications, each once."""
        element = self._element
        principal: Principal = self._own_user() or element.community.encode()
        own = {address(text): principal for text in element.trap_targets}
        return [*(dict(self._now().targets) | own).items()]

    def _own_user(self) -> User | None:
        element, user = self._element, self._element.snmp_user
        if not user.name or element.factory:
            return None
        auth_key = localised(user.auth, user.auth_password, element.engine_id) if user.auth else b""
        size = KEY_OCTETS.get(user.priv, 0)
        priv_key = localised(user.auth, user.priv_password, element.engine_id, size) if user.priv else b""
        return User(user.name.encode(), user.auth, auth_key, user.priv, priv_key, writes=True)

    def _now(self) -> Configured:
        if self._read is not self._element.config:
            self._read = self._element.config
            vrp = KINDS[self._element.kind].family == "vrp"
            self._configured = _configured_vrp(self._read, self._element.engine_id) if vrp else configured(self._read)
        return self._configured


def configured(statements: list[str]) -> Configured:
    """Read SR OS statements: SNMP needs `no shutdown`; a trap group sends the events of the log with its number."""
    if f"{_SYSTEM}no shutdown" not in statements:
        return Configured()
    communities = [found for text in statements if (found := _COMMUNITY.fullmatch(text))]
    users = _users(statements)
    targets = [
        ((found[2], int(found[3])), principal)
        for text in statements
        if (found := _TARGET.fullmatch(text)) and _sends(statements, found[1])
        if (principal := _principal(found, users)) is not None
    ]
    return Configured(frozenset(found[1].encode() for found in communities), users, tuple(targets))


def _configured_vrp(statements: list[str], engine_id: bytes) -> Configured:
    users = vrp_users(statements, engine_id)
    return Configured(vrp_communities(statements), users, vrp_targets(statements, users))


def _users(statements: list[str]) -> dict[bytes, User]:
    """Return users with SNMP access whose group allows their security level; without keys it is the lowest."""
    keys = {found["name"]: found for text in statements if (found := _KEYS.fullmatch(text))}
    admitted = {found["name"] for text in statements if (found := _ACCESS.fullmatch(text))}
    readers = {
        (found["group"], _LEVELS.get(found["level"]))
        for text in statements
        if (found := _MAY.fullmatch(text)) and " read " in found["rest"]
    }
    users = {}
    for text in statements:
        found = _GROUP.fullmatch(text)
        if found is not None and found["name"] in admitted:
            user = _user(found["name"], keys.get(found["name"]))
            if (found["group"], user.level) in readers:
                users[user.name] = user
    return users


def _user(name: str, keys: re.Match[str] | None) -> User:
    if keys is None or not keys["auth"]:
        return User(name.encode())
    auth, priv = (_PROTOCOLS.get(keys[kind] or "", "") for kind in ("auth", "priv"))
    priv_key = bytes.fromhex(keys["priv_key"] or "")[: KEY_OCTETS.get(priv)]
    return User(name.encode(), auth, bytes.fromhex(keys["auth_key"]), priv, priv_key)


def _principal(target: re.Match[str], users: Mapping[bytes, User]) -> Principal | None:
    name = target["principal"].encode()
    if target["version"] == "snmpv2c":
        return name
    user = users.get(name)
    return user if user is not None and _LEVELS.get(target["level"] or "no-auth-no-privacy") == user.level else None


def _sends(statements: list[str], log: str) -> bool:
    own = f"configure\tlog\tlog-id {log}\t"
    on = any(text.startswith(f"{own}from main") for text in statements)
    return on and {f"{own}to snmp", f"{own}no shutdown"} <= {*statements}


def address(text: str) -> Target:
    """Return a socket address from text such as `127.0.0.1:162`. Raises ValueError."""
    host, _, port = text.rpartition(":")
    return host, int(port)
