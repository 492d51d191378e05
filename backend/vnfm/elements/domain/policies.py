"""Mediation policies: settings and secrets of each protocol, validation, and conversion to targets of `devices`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from vnfm.devices.types import AuthProtocol, Community, PrivProtocol, SnmpTarget, SnmpUser, SshTarget
from vnfm.kit.problem import FieldError

SNMP = ("SNMPv2c", "SNMPv3")
ROLES: Mapping[str, str] = {
    "snmpPolicy": "snmp_policy",
    "sshPolicy": "ssh_policy",
    "netconfPolicy": "netconf_policy",
}
"""Name of a policy in requests → the element's column."""
SHORTEST_KEY = 8
"""Characters of an SNMPv3 password (RFC 3414, 11.2)."""


@dataclass(frozen=True, slots=True)
class Needs:
    """Names as in `MediationPolicy.settings` and its secrets; the values of settings are defaults."""

    port: int
    settings: Mapping[str, Any]
    secrets: tuple[str, ...]
    required: tuple[str, ...]


_SNMP_DEFAULTS: Mapping[str, Any] = {"timeout_seconds": 2.0, "retries": 1, "max_repetitions": 40}

NEEDS: Mapping[str, Needs] = {
    "SNMPv2c": Needs(161, _SNMP_DEFAULTS, ("community",), ("community",)),
    "SNMPv3": Needs(
        161,
        {"username": "", "auth_protocol": "", "priv_protocol": "", **_SNMP_DEFAULTS},
        ("auth_password", "priv_password"),
        ("username",),
    ),
    "SSH": Needs(22, {"username": "", "old_algorithms": False}, ("password", "private_key"), ("username",)),
    "NETCONF": Needs(830, {"username": "", "old_algorithms": False}, ("password", "private_key"), ("username",)),
}

SECRETS = ("community", "auth_password", "priv_password", "password", "private_key")
SETTINGS = tuple(dict.fromkeys(name for needs in NEEDS.values() for name in needs.settings))
AUTH_PROTOCOLS: tuple[str, ...] = get_args(AuthProtocol)
PRIV_PROTOCOLS: tuple[str, ...] = get_args(PrivProtocol)

POINTERS: Mapping[str, str] = {
    "timeout_seconds": "/timeoutSeconds",
    "max_repetitions": "/maxRepetitions",
    "auth_protocol": "/authProtocol",
    "priv_protocol": "/privProtocol",
    "auth_password": "/authPassword",
    "priv_password": "/privPassword",
    "private_key": "/privateKey",
    "old_algorithms": "/oldAlgorithms",
}


def pointer(name: str) -> str:
    """JSON pointer of a setting or secret in a request."""
    return POINTERS.get(name, f"/{name}")


def policy_faults(protocol: str, settings: Mapping[str, Any], secrets: Mapping[str, str]) -> list[FieldError]:
    """Invalid and missing values."""
    needs = NEEDS[protocol]
    given = {**needs.settings, **settings, **secrets}
    faults = [
        FieldError(pointer(name), f"{protocol} has no such setting.")
        for name in (*settings, *secrets)
        if name not in needs.settings and name not in needs.secrets
    ]
    faults += [FieldError(pointer(name), "This is needed.") for name in needs.required if not given.get(name)]
    if protocol == "SNMPv3":
        faults += _user_faults(given)
    elif protocol in ("SSH", "NETCONF") and not (given.get("password") or given.get("private_key")):
        faults.append(FieldError("/password", "Give a password or a private key."))
    return faults


def _user_faults(given: Mapping[str, Any]) -> list[FieldError]:
    faults = []
    if given["priv_protocol"] and not given["auth_protocol"]:
        faults.append(FieldError("/authProtocol", "Privacy needs authentication (RFC 3411, 3.4.3)."))
    for kind in ("auth", "priv"):
        password = given.get(f"{kind}_password", "")
        if given[f"{kind}_protocol"] and len(password) < SHORTEST_KEY:
            faults.append(
                FieldError(pointer(f"{kind}_password"), f"At least {SHORTEST_KEY} characters (RFC 3414, 11.2).")
            )
    return faults


def snmp_target(
    *, protocol: str, port: int, settings: Mapping[str, Any], secrets: Mapping[str, str], address: str
) -> SnmpTarget:
    """The SNMP agent at `address`, by a valid policy."""
    known = {**NEEDS[protocol].settings, **settings}
    credentials = (
        Community(secrets["community"])
        if protocol == "SNMPv2c"
        else SnmpUser(
            known["username"],
            known["auth_protocol"],
            secrets.get("auth_password", ""),
            known["priv_protocol"],
            secrets.get("priv_password", ""),
        )
    )
    return SnmpTarget(
        address=address,
        port=port,
        credentials=credentials,
        timeout=known["timeout_seconds"],
        retries=known["retries"],
        repetitions=known["max_repetitions"],
    )


def ssh_target(
    *, port: int, settings: Mapping[str, Any], secrets: Mapping[str, str], address: str, host_key: str
) -> SshTarget:
    """The SSH server at `address`, for SSH and NETCONF."""
    return SshTarget(
        address=address,
        port=port,
        username=settings["username"],
        password=secrets.get("password", ""),
        private_key=secrets.get("private_key", ""),
        host_key=host_key,
        old_algorithms=settings.get("old_algorithms", False),
    )
