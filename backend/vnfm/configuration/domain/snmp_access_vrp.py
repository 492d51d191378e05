"""The configuration by which a Huawei router lets us poll it by SNMP and sends us its notifications (ADR-0051).

VRP 8, "SNMP Configuration Commands" of its command reference. Not tried on a real router.

VRP prints communities and passwords encrypted, each time another way, so its configuration does not tell whether ours
is there. Whether it answers us does.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from itertools import pairwise
from types import MappingProxyType

from vnfm.kit.patterns import escape, pattern

COMMUNITY, USER, TARGET = "community", "user", "trap target"
"""Parts of the access."""
NAME = "vnfm"
"""The name of our group and view."""
_USUAL_PORT = 162
"""The port of notifications, as IANA assigns it (snmptrap)."""
_AUTHENTICATION: Mapping[str, str] = MappingProxyType(
    {"MD5": "md5", "SHA": "sha", "SHA-256": "sha2-256", "SHA-512": "sha2-512"}
)
_PRIVACY: Mapping[str, str] = MappingProxyType({"DES": "des56", "AES": "aes128", "AES-256": "aes256"})
_WORD = pattern(r"[^\s\pZ\"?#\x00-\x1f\x7f-\x{9f}]{1,32}")
"""A community or a user name; a question mark would ask the router for help."""
_TARGET_HOST = pattern(r"(?m)^[ \t]*snmp-agent target-host\b(.*)$")
_PASSWORD = pattern(r"[^\s\pZ\"?\x00-\x1f\x7f-\x{9f}]{8,64}")


@dataclass(frozen=True, slots=True)
class VrpUser:
    """VRP takes the passwords themselves, and computes the keys; protocols are "" for what the user has not."""

    name: str
    auth_protocol: str = ""
    auth_password: str = field(default="", repr=False)
    priv_protocol: str = ""
    priv_password: str = field(default="", repr=False)

    @property
    def level(self) -> str:
        """The level of security, in VRP's words."""
        if not self.auth_protocol:
            return "noauthentication"
        return "privacy" if self.priv_protocol else "authentication"


@dataclass(frozen=True, slots=True)
class VrpAccess:
    """The facts that a router must know of us; `principal` is the community (SNMPv2c) or the user (SNMPv3)."""

    principal: str | VrpUser
    receiver: tuple[str, int] | None
    """Address and port to which notifications go; None: nowhere."""

    @property
    def name(self) -> str:
        return self.principal if isinstance(self.principal, str) else self.principal.name

    @property
    def reader(self) -> str:
        """The part by which we read."""
        return COMMUNITY if isinstance(self.principal, str) else USER


def vrp_access_problem(access: VrpAccess) -> str:
    """Why VRP cannot be given this, as a sentence; "" where it can."""
    user = access.principal
    if not _WORD.fullmatch(access.name):
        what = "has blanks, quotation or question marks, or more than 32 characters"
        return f"The {access.reader} of the SNMP policy {what}."
    if isinstance(user, str):
        return ""
    if user.auth_protocol and user.auth_protocol not in _AUTHENTICATION:
        return f"VRP has no {user.auth_protocol} for SNMPv3: its policy needs {', '.join(_AUTHENTICATION)}."
    if user.priv_protocol and user.priv_protocol not in _PRIVACY:
        return f"VRP has no {user.priv_protocol} for SNMPv3: its policy needs {', '.join(_PRIVACY)}."
    given = [
        *([user.auth_password] if user.auth_protocol else []),
        *([user.priv_password] if user.priv_protocol else []),
    ]
    if not all(map(_PASSWORD.fullmatch, given)):
        return "VRP takes passwords of SNMPv3 of 8 to 64 characters without blanks, quotation and question marks."
    return ""


def absent_parts(access: VrpAccess, running: str, *, answers: bool) -> list[str]:
    """The parts that the router lacks; `answers`: whether it answers us by SNMP already."""
    parts = [] if answers else [access.reader]
    if access.receiver is not None and not _has_target(access, running):
        parts.append(TARGET)
    return parts


def is_foreign_user(access: VrpAccess, running: str) -> bool:
    """Return whether the router has a user of that name: if it does not answer us, with other passwords or rights."""
    user = pattern(rf"(?m)^[ \t]*snmp-agent usm-user v3 {escape(access.name)}(?:\s|\z)")
    return access.reader == USER and user.search(running) is not None


def vrp_access_lines(access: VrpAccess, parts: Collection[str]) -> str:
    """The lines that switch SNMP on and add these parts."""
    own = _target(access) if TARGET in parts else []
    if access.reader in parts:
        own = [*_reader(access.principal), *own]
    return "\n".join(("snmp-agent", *own, ""))


def vrp_access_removals(access: VrpAccess, parts: Collection[str]) -> str:
    """The lines that take them back. SNMP stays on: others may use it."""
    lines: list[str] = []
    if TARGET in parts and access.receiver is not None:
        lines.append(f"undo {_destination(access)}")
    if access.reader in parts:
        lines += _reader_removals(access.principal)
    return "\n".join((*lines, "")) if lines else ""


def _reader(principal: str | VrpUser) -> list[str]:
    if isinstance(principal, str):
        return ["snmp-agent sys-info version v2c v3", f"snmp-agent community read cipher {principal}"]
    user = f"snmp-agent usm-user v3 {principal.name}"
    keys = []
    if principal.auth_protocol:
        word = _AUTHENTICATION[principal.auth_protocol]
        keys.append(f"{user} authentication-mode {word} cipher {principal.auth_password}")
    if principal.auth_protocol and principal.priv_protocol:
        keys.append(f"{user} privacy-mode {_PRIVACY[principal.priv_protocol]} cipher {principal.priv_password}")
    return [
        f"snmp-agent mib-view included {NAME} iso",
        f"snmp-agent group v3 {NAME} {principal.level} read-view {NAME} notify-view {NAME}",
        user,
        f"{user} group {NAME}",
        *keys,
    ]


def _reader_removals(principal: str | VrpUser) -> Sequence[str]:
    if isinstance(principal, str):
        return [f"undo snmp-agent community read cipher {principal}"]
    return [
        f"undo snmp-agent usm-user v3 {principal.name}",
        f"undo snmp-agent group v3 {NAME} {principal.level}",
        f"undo snmp-agent mib-view included {NAME}",
    ]


def _target(access: VrpAccess) -> list[str]:
    if access.receiver is None:
        return []
    user = access.principal
    version = "v2c" if isinstance(user, str) else " ".join(("v3", *([] if not user.auth_protocol else [user.level])))
    return ["snmp-agent trap enable", f"{_destination(access)} {version}"]


def _destination(access: VrpAccess) -> str:
    assert access.receiver is not None, "the part is absent without one"
    host, port = access.receiver
    cipher = "cipher " if isinstance(access.principal, str) else ""
    return (
        f"snmp-agent target-host trap address udp-domain {ip_address(host)} udp-port {port} "
        f"params securityname {cipher}{access.name}"
    )


def _has_target(access: VrpAccess, running: str) -> bool:
    """VRP may leave the usual port out. A community is encrypted, so only the user of SNMPv3 is compared."""
    assert access.receiver is not None, "as in _destination"
    host, port = access.receiver
    for found in _TARGET_HOST.finditer(running):
        words = found[1].split()
        given = dict(pairwise(words))
        same_port = given.get("udp-port", str(_USUAL_PORT)) == str(port)
        same_user = access.reader == COMMUNITY or given.get("securityname") == access.name
        if given.get("udp-domain") == str(ip_address(host)) and same_port and same_user:
            return True
    return False
