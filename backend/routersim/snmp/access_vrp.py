"""SNMP access to a Huawei router and the receivers of its notifications, by its configuration."""

from __future__ import annotations

import re
from collections.abc import Mapping

from routersim.snmp.usm import KEY_OCTETS, User, localised

_COMMUNITY = re.compile(r"snmp-agent community (?:read|write) (?:cipher )?(\S+).*")
_GROUP = re.compile(
    r"snmp-agent group v3 (?P<group>\S+) (?P<level>privacy|authentication|noauthentication)(?P<views>.*)"
)
_OF_USER = re.compile(r"snmp-agent usm-user v3 (?P<name>\S+)(?: (?P<what>\S+) (?P<words>.*))?")
_TARGET = re.compile(
    r"snmp-agent target-host trap address udp-domain (?P<host>\S+)(?: udp-port (?P<port>\d+))? params securityname "
    r"(?:cipher )?(?P<principal>\S+)(?: (?P<version>v2c|v3)(?: (?P<level>privacy|authentication))?)?"
)
_AUTH = {"md5": "MD5", "sha": "SHA", "sha2-256": "SHA-256", "sha2-512": "SHA-512"}
_PRIV = {"des56": "DES", "aes128": "AES", "aes256": "AES-256"}
_LEVELS = {"noauthentication": 0, "authentication": 1, "privacy": 3}
"""Security levels as msgFlags."""
_VERSION = "snmp-agent sys-info version "
_DEFAULT_PORT = 162

Principal = bytes | User


def vrp_communities(statements: list[str]) -> frozenset[bytes]:
    """Return the communities; SNMPv2c is off until the configuration names the version."""
    versions = [text.removeprefix(_VERSION).split() for text in statements if text.startswith(_VERSION)]
    if "snmp-agent" not in statements or not any({"v2c", "all"} & {*words} for words in versions):
        return frozenset()
    return frozenset(found[1].encode() for text in statements if (found := _COMMUNITY.fullmatch(text)))


def vrp_users(statements: list[str], engine_id: bytes) -> dict[bytes, User]:
    """Return users whose group allows their security level and has a read view."""
    if "snmp-agent" not in statements:
        return {}
    groups = {found["group"]: found for text in statements if (found := _GROUP.fullmatch(text))}
    users: dict[bytes, User] = {}
    for name, own in _words_of_users(statements).items():
        group = groups.get(own.get("group", ""))
        user = _user(name, own, engine_id)
        if group is not None and "read-view" in group["views"] and _LEVELS[group["level"]] == user.level:
            users[user.name] = user
    return users


def _words_of_users(statements: list[str]) -> dict[str, dict[str, str]]:
    """Return the words after group, authentication-mode and privacy-mode, by user."""
    found: dict[str, dict[str, str]] = {}
    for match in filter(None, map(_OF_USER.fullmatch, statements)):
        own = found.setdefault(match["name"], {})
        if match["what"]:
            own[match["what"]] = match["words"]
    return found


def _user(name: str, own: Mapping[str, str], engine_id: bytes) -> User:
    auth, auth_password = _protocol(own.get("authentication-mode", ""), _AUTH)
    priv, priv_password = _protocol(own.get("privacy-mode", ""), _PRIV)
    if not auth:
        return User(name.encode())
    auth_key = localised(auth, auth_password, engine_id)
    priv_key = localised(auth, priv_password, engine_id, KEY_OCTETS.get(priv, 0)) if priv else b""
    return User(name.encode(), auth, auth_key, priv, priv_key)


def _protocol(words: str, known: Mapping[str, str]) -> tuple[str, str]:
    """Return protocol and password of words such as `sha cipher PASSWORD`."""
    parts = words.split()
    return (known.get(parts[0], ""), parts[-1]) if parts else ("", "")


def vrp_targets(statements: list[str], users: Mapping[bytes, User]) -> tuple[tuple[tuple[str, int], Principal], ...]:
    """Return the receivers; none unless traps are enabled."""
    if not {"snmp-agent", "snmp-agent trap enable"} <= {*statements}:
        return ()
    found = []
    for match in filter(None, map(_TARGET.fullmatch, statements)):
        name = match["principal"].encode()
        principal: Principal | None = users.get(name) if match["version"] == "v3" else name
        if principal is not None:
            found.append(((match["host"], int(match["port"] or _DEFAULT_PORT)), principal))
    return tuple(found)
