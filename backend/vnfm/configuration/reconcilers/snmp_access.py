"""Gives a router the SNMP access of its mediation policy, and takes it back (ADR-0051)."""

import re
import socket
from collections.abc import Callable, Collection
from dataclasses import replace
from ipaddress import ip_address

from django.conf import settings

from vnfm.configuration.domain.snmp_access import (
    SnmpAccess,
    V3Keys,
    access_problem,
    snmp_access_lines,
    snmp_access_removals,
)
from vnfm.configuration.reconcilers import push
from vnfm.configuration.session.session import Session, open_cli
from vnfm.devices.errors import Garbled, NotSupported
from vnfm.devices.traps.usm import localised_keys
from vnfm.devices.types import Community
from vnfm.elements.models import NetworkElement
from vnfm.elements.selectors import snmp_target_of
from vnfm.elements.traps.udp_socket import address_of

_ENGINE_ID = re.compile(r"SNMP Engine ID\s*:\s*(?:0x)?([0-9A-Fa-f]{10,64})\b")
_SHOW_ENGINE, _SHOW_SECONDS = "show system information", 30.0


def load_snmp_access(element: NetworkElement, begin: Callable[[list[str]], None]) -> push.LoadedConfiguration:
    """Add what the element needs to be polled and to send notifications; what is there already stays.

    `begin` is called before anything changes, with the names of the parts that are absent: what `unload_snmp_access`
    may remove again.

    Blocks; for workers. Raises DeviceError, and ValueError with a sentence for a policy that SR OS cannot have.
    """
    access = access_of(element)

    def note_absent(session: Session, running: str) -> None:
        removals = snmp_access_removals(access)
        begin([name for name, text in removals.items() if not session.removal(running, [text])])

    return push.load(element, snmp_access_lines(access), timeout=0, begin=note_absent)


def unload_snmp_access(element: NetworkElement, added: Collection[str]) -> push.LoadedConfiguration:
    """Remove the parts of these names, as `load_snmp_access` gave them to `begin`. Blocks and raises as that."""
    texts = [text for name, text in snmp_access_removals(access_of(element)).items() if name in added]
    return push.unload(element, texts, begin=lambda: None, timeout=0)


def access_of(element: NetworkElement) -> SnmpAccess:
    """By the element's SNMP policy; of SNMPv3 with keys for the engine that the element itself names."""
    assert element.snmp_policy is not None, "planned for an element with an SNMP policy"
    credentials = snmp_target_of(element.snmp_policy, element.management_address).credentials
    receiver = trap_receiver(element.management_address)
    if isinstance(credentials, Community):
        access = SnmpAccess(credentials.name, None, receiver)
    else:
        access = SnmpAccess(
            credentials.name, V3Keys(credentials.auth_protocol, "", credentials.priv_protocol, ""), receiver
        )
    problem = access_problem(access)
    if problem:
        raise ValueError(problem)
    if isinstance(credentials, Community) or access.keys is None or not credentials.auth_protocol:
        return access
    auth, priv = localised_keys(credentials, _engine_id(element))
    return replace(access, keys=replace(access.keys, auth_key=auth.hex(), priv_key=priv.hex()))


def trap_receiver(address: str) -> tuple[str, int] | None:
    """Where a router at this address sends its notifications; None where none of our addresses can be reached from it.

    VNFM_TRAP_ADDRESS, else the address that the receiver listens on, else the one of ours that faces the router.
    """
    host, port = address_of(settings.TRAP_ADDRESS or settings.TRAP_LISTEN)
    if ip_address(host).is_unspecified:
        host = _own_address_towards(address)
    if ip_address(host).is_loopback and not ip_address(address).is_loopback:
        return None
    return host, port


def _own_address_towards(address: str) -> str:
    """By the routing table: connecting a UDP socket sends nothing."""
    family = socket.AF_INET6 if ip_address(address).version == 6 else socket.AF_INET  # noqa: PLR2004 - IPv6
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((address, 9))
        host: str = probe.getsockname()[0]
    return host


def _engine_id(element: NetworkElement) -> bytes:
    """Keys of SNMPv3 belong to one engine, whose id SR OS shows at its command line."""
    if element.ssh_policy is None:
        words = f"{element.name} has no SSH policy, so its SNMP engine id cannot be read."
        raise NotSupported(words, address=element.management_address)
    with open_cli(element, timeout=0) as session:
        output = session.output_of(_SHOW_ENGINE, seconds=_SHOW_SECONDS)
    found = _ENGINE_ID.search(output)
    if found is None:
        words = f"{element.name} shows no SNMP Engine ID by {_SHOW_ENGINE!r}, so no SNMPv3 user can be made."
        raise Garbled(words, address=element.management_address)
    return bytes.fromhex(found[1])
