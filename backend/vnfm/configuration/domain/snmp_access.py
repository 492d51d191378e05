"""The configuration by which a router lets us poll it by SNMP and sends us its notifications (ADR-0051).

SR OS, classic command line: System Management Guide 13.0, "SNMP" and "Event and Accounting Logs". Not tried on a
licensed image.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address

from vnfm.kit.patterns import pattern

LOG_ID = 97
"""The id of our log and trap group: 5620 SAM and its successors take 98, and 99 and 100 exist from the start."""
NAME = "vnfm"
"""The name of our trap target and access group."""
_AUTHENTICATION: Mapping[str, str] = {"MD5": "md5", "SHA": "sha"}
_PRIVACY: Mapping[str, str] = {"DES": "des-key", "AES": "aes-128-cfb-key"}
_WORD = pattern(r'[^\s\pZ"#\x00-\x1f\x7f-\x{9f}]{1,32}')
"""A community or a user name that SR OS takes, and that cannot begin another command."""


@dataclass(frozen=True, slots=True)
class V3Keys:
    """The user's keys at the router's engine (RFC 3414, 2.6), in hexadecimal; empty for what the user has not."""

    auth_protocol: str
    auth_key: str
    priv_protocol: str
    priv_key: str


@dataclass(frozen=True, slots=True)
class SnmpAccess:
    """The facts that a router must know of us."""

    principal: str
    """The community (SNMPv2c), or the user (SNMPv3)."""
    keys: V3Keys | None
    """None: SNMPv2c."""
    receiver: tuple[str, int] | None
    """Address and port to which notifications go; None: nowhere."""


def access_problem(access: SnmpAccess, *, by_netconf: bool = False) -> str:
    """Why SR OS cannot be given this, as a sentence; "" where it can. By NETCONF it has every protocol."""
    if not _WORD.fullmatch(access.principal):
        what = "community" if access.keys is None else "user"
        return f"The {what} of the SNMP policy has blanks, quotation marks or more than 32 characters."
    keys = access.keys if not by_netconf else None
    if keys is not None and keys.auth_protocol and keys.auth_protocol not in _AUTHENTICATION:
        return f"SR OS has no {keys.auth_protocol} for SNMPv3: its policy needs MD5 or SHA."
    if keys is not None and keys.priv_protocol and keys.priv_protocol not in _PRIVACY:
        return f"SR OS has no {keys.priv_protocol} for SNMPv3: its policy needs DES or AES."
    return ""


def snmp_access_lines(access: SnmpAccess) -> str:
    """The lines that switch SNMP on, let us read all of it, and send the events of the main log to us."""
    inner = _community(access) if access.keys is None else _user(access.principal, access.keys)
    return "\n".join(
        ("exit all", "configure", *_indented(_SNMP, 1), *_indented(inner, 1), *_log(access), "exit all", "")
    )


def snmp_access_removals(access: SnmpAccess) -> dict[str, str]:
    """The lines that take that back, in order, by the name of what they remove. SNMP stays on: others may use it."""
    if access.keys is None:
        name, own = "community", _in(("system", "security", "snmp"), [f'no community "{access.principal}"'])
    else:  # the user itself may be one that logs in, too
        lines = ["no access snmp", "snmp", "    no authentication", "    no group", "exit"]
        name, own = "user", _in(("system", "security", f'user "{access.principal}"'), lines)
    log = [f"log-id {LOG_ID}", "    shutdown", "exit", f"no log-id {LOG_ID}"]
    return {"log": _in(("log",), log), "trap group": _in(("log",), [f"no snmp-trap-group {LOG_ID}"]), name: own}


_SNMP = ("system", "    snmp", "        packet-size 9216", "        no shutdown", "    exit", "exit")


def _community(access: SnmpAccess) -> list[str]:
    return _context(("system", "security", "snmp"), [f'community "{access.principal}" r version v2c'])


def _user(name: str, keys: V3Keys) -> list[str]:
    words = "none"
    if keys.auth_protocol:
        privacy = f"{_PRIVACY[keys.priv_protocol]} {keys.priv_key}" if keys.priv_protocol else "none"
        words = f"{_AUTHENTICATION[keys.auth_protocol]} {keys.auth_key} privacy {privacy}"
    group = f'access group "{NAME}" security-model usm security-level {security_level(keys)} read "iso" notify "iso"'
    own = ["access snmp", "snmp", f"    authentication {words}", f'    group "{NAME}"', "exit"]
    return [
        *_context(("system", "security", "snmp"), [group]),
        *_context(("system", "security", f'user "{name}"'), own),
    ]


def security_level(keys: V3Keys) -> str:
    """The level of a user with these keys, in the words of SR OS."""
    if not keys.auth_protocol:
        return "no-auth-no-privacy"
    return "privacy" if keys.priv_protocol else "auth-no-privacy"


def _log(access: SnmpAccess) -> list[str]:
    if access.receiver is None:
        return []
    address, port = access.receiver
    version = "snmpv2c" if access.keys is None else "snmpv3"
    level = f" security-level {security_level(access.keys)}" if access.keys is not None else ""
    target = f'trap-target "{NAME}" address {ip_address(address)} port {port} {version}'
    own = [
        *_context((f"snmp-trap-group {LOG_ID}",), [f'{target} notify-community "{access.principal}"{level}']),
        *_context((f"log-id {LOG_ID}",), ["from main security change", "to snmp", "no shutdown"]),
    ]
    return _indented(_context(("log",), own), 1)


def _in(contexts: Sequence[str], lines: Sequence[str]) -> str:
    return "\n".join(("exit all", "configure", *_indented(_context(contexts, lines), 1), "exit all", ""))


def _context(contexts: Sequence[str], lines: Sequence[str]) -> list[str]:
    """The lines within contexts that are opened and left again."""
    for context in reversed(contexts):
        lines = [context, *_indented(lines, 1), "exit"]
    return [*lines]


def _indented(lines: Sequence[str], depth: int) -> list[str]:
    return ["    " * depth + line for line in lines]
