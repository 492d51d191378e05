"""The SNMP access of `snmp_access` for a router that is configured by NETCONF: nokia-conf of SR OS.

Names as in its YANG since release 22.2 (before that the protocols, and before 21.2 the keys of logs, were called
otherwise). Not tried on a licensed image.
"""

from collections.abc import Mapping
from ipaddress import ip_address

from vnfm.configuration.domain.snmp_access import LOG_ID, NAME, SnmpAccess, V3Keys, security_level
from vnfm.configuration.domain.xml import BASE
from vnfm.kit.xml import escaped

_CONFIGURE = "urn:nokia.com:sros:ns:yang:sr:conf"
_AUTHENTICATION: Mapping[str, str] = {
    "MD5": "hmac-md5-96",
    "SHA": "hmac-sha1-96",
    **{f"SHA-{bits}": f"hmac-sha2-{bits}" for bits in (224, 256, 384, 512)},
}
_PRIVACY: Mapping[str, str] = {
    "DES": "cbc-des",
    "AES": "cfb128-aes-128",
    "AES-192": "cfb128-aes-192",
    "AES-256": "cfb128-aes-256",
}
_ENTRY = "<snmp-trap-group{operation}><log-name>{log}</log-name>{more}</snmp-trap-group>"
_LOG = "<log-id{operation}><name>{log}</name>{more}</log-id>"
_REMOVE = ' nc:operation="remove"'


def snmp_on_xml() -> str:
    """The edit that switches SNMP on; only then does a router tell its engine id."""
    own = "<admin-state>enable</admin-state><packet-size>9216</packet-size>"
    return _configure(f"<system><management-interface><snmp>{own}</snmp></management-interface></system>")


def snmp_access_xml(access: SnmpAccess) -> str:
    """The edit that lets us read all of it, and sends the events of the main log to us."""
    inner = _community(access.principal) if access.keys is None else _user(access.principal, access.keys)
    return _configure(f"<system><security>{inner}</security></system>{_log(access)}")


def snmp_access_removals_xml(access: SnmpAccess) -> dict[str, str]:
    """The edits that take that back, by the name of what they remove, as `snmp_access_removals`."""
    name = escaped(access.principal)
    if access.keys is None:
        kind = "community"
        own = f"<snmp><community{_REMOVE}><community-string>{name}</community-string></community></snmp>"
    else:  # the user itself may be one that logs in, too
        kind = "user"
        own = _local_user(name, f"<access><snmp{_REMOVE}/></access><snmp{_REMOVE}/>")
    group = _ENTRY.format(operation=_REMOVE, log=LOG_ID, more="")
    log = _LOG.format(operation=_REMOVE, log=LOG_ID, more="")
    return {
        "log": _configure(f"<log>{log}</log>"),
        "trap group": _configure(f"<log>{group}</log>"),
        kind: _configure(f"<system><security>{own}</security></system>"),
    }


def _configure(content: str) -> str:
    return f'<config><configure xmlns="{_CONFIGURE}" xmlns:nc="{BASE}">{content}</configure></config>'


def _community(name: str) -> str:
    leaves = f"<community-string>{escaped(name)}</community-string><access-permissions>r</access-permissions>"
    return f"<snmp><community>{leaves}<version>v2c</version></community></snmp>"


def _user(name: str, keys: V3Keys) -> str:
    views = "<read>iso</read><notify>iso</notify>"
    model = f"<security-model>usm</security-model><security-level>{security_level(keys)}</security-level>"
    access = f"<access><group>{NAME}</group><context></context>{model}{views}</access>"
    own = f"<access><snmp>true</snmp></access><snmp><group>{NAME}</group>{_authentication(keys)}</snmp>"
    return f"<snmp>{access}</snmp>{_local_user(escaped(name), own)}"


def _local_user(name: str, content: str) -> str:
    user = f"<user><user-name>{name}</user-name>{content}</user>"
    return f"<user-params><local-user>{user}</local-user></user-params>"


def _authentication(keys: V3Keys) -> str:
    if not keys.auth_protocol:
        return ""
    protocol = f"<authentication-protocol>{_AUTHENTICATION[keys.auth_protocol]}</authentication-protocol>"
    privacy = ""
    if keys.priv_protocol:
        name = f"<privacy-protocol>{_PRIVACY[keys.priv_protocol]}</privacy-protocol>"
        privacy = f"<privacy>{name}<privacy-key>{keys.priv_key}</privacy-key></privacy>"
    key = f"<authentication-key>{keys.auth_key}</authentication-key>"
    return f"<authentication>{protocol}{key}{privacy}</authentication>"


def _log(access: SnmpAccess) -> str:
    if access.receiver is None:
        return ""
    address, port = access.receiver
    leaves = {"name": NAME, "address": str(ip_address(address)), "port": str(port)}
    leaves["version"] = "snmpv2c" if access.keys is None else "snmpv3"
    leaves["notify-community"] = access.principal
    if access.keys is not None:
        leaves["security-level"] = security_level(access.keys)
    target = "".join(f"<{leaf}>{escaped(value)}</{leaf}>" for leaf, value in leaves.items())
    source = "<source><main>true</main><security>true</security><change>true</change></source>"
    rest = f"<admin-state>enable</admin-state>{source}<destination><snmp/></destination>"
    group = _ENTRY.format(operation="", log=LOG_ID, more=f"<trap-target>{target}</trap-target>")
    return f"<log>{group}{_LOG.format(operation='', log=LOG_ID, more=rest)}</log>"
