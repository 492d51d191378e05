"""Gives a router the SNMP access of its mediation policy, and takes it back (ADR-0051)."""

import asyncio
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
from vnfm.configuration.domain.snmp_access_vrp import (
    VrpAccess,
    VrpUser,
    absent_parts,
    is_foreign_user,
    vrp_access_lines,
    vrp_access_problem,
    vrp_access_removals,
)
from vnfm.configuration.domain.snmp_access_xml import snmp_access_removals_xml, snmp_access_xml, snmp_on_xml
from vnfm.configuration.reconcilers import push
from vnfm.configuration.session.session import Session, open_cli
from vnfm.devices.errors import DeviceError, Garbled, NotSupported
from vnfm.devices.registry import provider
from vnfm.devices.traps.usm import localised_keys
from vnfm.devices.types import Community, SnmpTarget, SnmpUser
from vnfm.elements.models import NetworkElement
from vnfm.elements.selectors import snmp_target_of
from vnfm.elements.traps.udp_socket import address_of
from vnfm.kit.patterns import pattern

_ENGINE_ID = pattern(r"SNMP Engine ID\s*:\s*(?:0x)?([0-9A-Fa-f]{10,64})\b")
_DISCOVERY_RETRIES = 4
_SYS_UP_TIME = "1.3.6.1.2.1.1.3.0"
VRP = "huawei-vrp"
_SHOW_ENGINE, _SHOW_SECONDS = "show system information", 30.0


def load_snmp_access(
    element: NetworkElement, begin: Callable[[list[str]], None], noted: Collection[str] = ()
) -> push.LoadedConfiguration:
    """Add what the element needs to be polled and to send notifications; what is there already stays.

    `begin` is called before anything changes but that SNMP is on, with the names of the parts that are absent: what
    `unload_snmp_access` may remove again. `noted` are those of an attempt before, which may have added them.

    Blocks; for workers. Raises DeviceError, and ValueError with a sentence for a policy that the router cannot have.
    """
    if element.driver == VRP:
        return _load_at_vrp(element, begin, noted)
    by_netconf = element.netconf_policy is not None
    access = access_of(element)
    removals = _removals(element, access)

    def note_absent(session: Session, running: str) -> None:
        begin([name for name, text in removals.items() if not session.removal(running, [text])])

    if not by_netconf:
        lines = snmp_access_lines(_with_keys(element, access, _engine_id_at_cli))
        return push.load(element, lines, timeout=0, begin=note_absent)
    first = push.load(element, snmp_on_xml(), timeout=0)
    edit = snmp_access_xml(_with_keys(element, access, _engine_id_by_snmp))
    second = push.load(element, edit, timeout=0, begin=note_absent)
    return replace(second, changed=first.changed or second.changed, diff=first.diff + second.diff)


def unload_snmp_access(element: NetworkElement, added: Collection[str]) -> push.LoadedConfiguration:
    """Remove the parts of these names, as `load_snmp_access` gave them to `begin`. Blocks and raises as that."""
    if element.driver == VRP:
        lines = vrp_access_removals(vrp_access_of(element), added)
        return push.load(element, lines, timeout=0) if lines else push.LoadedConfiguration(False, "", None)
    texts = [text for name, text in _removals(element, access_of(element)).items() if name in added]
    return push.unload(element, texts, begin=lambda: None, timeout=0)


def _load_at_vrp(
    element: NetworkElement, begin: Callable[[list[str]], None], noted: Collection[str]
) -> push.LoadedConfiguration:
    """Its configuration does not show communities, so what is there is found out by asking it. A user that we may have
    added is ours, also while the router does not answer yet.
    """
    access = vrp_access_of(element)
    answers = _answers(element)
    with open_cli(element, timeout=0) as session:
        running = session.running()
    if not answers and access.reader not in noted and is_foreign_user(access, running):
        words = f"It has a user {access.name} who cannot read it with the passwords of the SNMP policy."
        raise ValueError(f"{words} Correct the policy, or take another name.")
    absent = absent_parts(access, running, answers=answers)
    begin(absent)
    if not absent:
        return push.LoadedConfiguration(changed=False, diff="", version_id=None)
    return push.load(element, vrp_access_lines(access, absent), timeout=0)


def vrp_access_of(element: NetworkElement) -> VrpAccess:
    """The access by the element's SNMP policy. Raises ValueError as `access_of`."""
    known = _credentials(element)
    principal: str | VrpUser = known.name
    if isinstance(known, SnmpUser):
        principal = VrpUser(
            known.name, known.auth_protocol, known.auth_password, known.priv_protocol, known.priv_password
        )
    access = VrpAccess(principal, trap_receiver(element.management_address))
    if problem := vrp_access_problem(access):
        raise ValueError(problem)
    return access


def _credentials(element: NetworkElement) -> Community | SnmpUser:
    assert element.snmp_policy is not None, "planned for an element with an SNMP policy"
    return snmp_target_of(element.snmp_policy, element.management_address).credentials


def _answers(element: NetworkElement) -> bool:
    """Return whether the element answers by its SNMP policy now."""
    assert element.snmp_policy is not None, "as in _credentials"
    target = snmp_target_of(element.snmp_policy, element.management_address)

    async def read() -> bool:
        async with provider().snmp(target) as client:
            return bool(await client.get([_SYS_UP_TIME]))

    try:
        return asyncio.run(read())
    except DeviceError:
        return False


def _removals(element: NetworkElement, access: SnmpAccess) -> dict[str, str]:
    return snmp_access_removals(access) if element.netconf_policy is None else snmp_access_removals_xml(access)


def access_of(element: NetworkElement) -> SnmpAccess:
    """By the element's SNMP policy; a user of SNMPv3 is without keys."""
    credentials = _credentials(element)
    receiver = trap_receiver(element.management_address)
    keys = None
    if isinstance(credentials, SnmpUser):
        keys = V3Keys(credentials.auth_protocol, "", credentials.priv_protocol, "")
    access = SnmpAccess(credentials.name, keys, receiver)
    problem = access_problem(access, by_netconf=element.netconf_policy is not None)
    if problem:
        raise ValueError(problem)
    return access


def _with_keys(
    element: NetworkElement, access: SnmpAccess, engine_id: Callable[[NetworkElement, SnmpTarget], bytes]
) -> SnmpAccess:
    """The user with its keys: those of SNMPv3 belong to one engine (RFC 3414, 2.6)."""
    assert element.snmp_policy is not None, "as in access_of"
    target = snmp_target_of(element.snmp_policy, element.management_address)
    if access.keys is None or not access.keys.auth_protocol or not isinstance(target.credentials, SnmpUser):
        return access
    auth, priv = localised_keys(target.credentials, engine_id(element, target))
    return replace(access, keys=replace(access.keys, auth_key=auth.hex(), priv_key=priv.hex()))


def _engine_id_by_snmp(_element: NetworkElement, target: SnmpTarget) -> bytes:
    """As its agent tells it, which has been switched on just now: no data model of a router has it."""
    patient = replace(target, retries=max(target.retries, _DISCOVERY_RETRIES))
    return asyncio.run(provider().snmp_engine_id(patient))


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
    """Read the routing table: connecting a UDP socket sends nothing."""
    family = socket.AF_INET6 if ip_address(address).version == 6 else socket.AF_INET  # noqa: PLR2004 - IPv6
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((address, 9))
        host: str = probe.getsockname()[0]
    return host


def _engine_id_at_cli(element: NetworkElement, _target: SnmpTarget) -> bytes:
    """The engine id as SR OS shows it at its command line."""
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
