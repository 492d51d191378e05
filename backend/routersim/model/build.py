"""Builds elements from specifications: the JSON of the control API and of scenario files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address, ip_network
from typing import Any

from routersim.model.element import AUTH_PROTOCOLS, PRIV_PROTOCOLS, Chassis, Element, SnmpUser
from routersim.model.kinds import KINDS, make_chassis
from routersim.model.parts import Peer, Port

ElementSpec = Mapping[str, Any]
RECORDED_KIND = "7750-SR-12"
"""The default kind of an element that answers the rows of a file; it matters for everything except SNMP."""
LOOPBACK = ip_network("127.0.0.0/8")
_TEXTS = {
    "community": "community", "writeCommunity": "write_community", "user": "user", "password": "password",
    "location": "location", "contact": "contact", "software": "software", "vnfInstance": "vnf_instance",
    "managementPort": "management_port", "rows": "rows",
}  # fmt: skip
_SNMP_USER = {
    "name": "name", "auth": "auth", "authPassword": "auth_password", "priv": "priv", "privPassword": "priv_password",
}  # fmt: skip
_SWITCHES = {"oldSsh": "old_ssh", "informs": "informs", "factory": "factory"}
_KNOWN = frozenset(
    ("name", "kind", "address", "snmpPort", "sshPort", "netconfPort", "cards", "mdas", "ports", "trapTargets", "peers",
     "virtualSystems", "links", "snmpUser", "bootSeconds", "lldpHoldSeconds", "fibSize", "licenseBound",
     *_TEXTS, *_SWITCHES)
)  # fmt: skip


class InvalidSpec(ValueError):
    """The specification is invalid; the message says why."""


def _number(spec: ElementSpec, name: str, default: int, least: int, most: int) -> int:
    value = spec.get(name, default)
    if not isinstance(value, int) or not least <= value <= most:
        raise InvalidSpec(f"{name} is {value!r}, but must be a number from {least} to {most}")
    return value


def _address(spec: ElementSpec) -> str:
    try:
        address = IPv4Address(spec.get("address", ""))
    except ValueError as error:
        raise InvalidSpec(f"address: {error}") from error
    if address not in LOOPBACK:
        raise InvalidSpec(f"address {address} is outside of {LOOPBACK}, the network of simulated elements")
    return str(address)


def _peers(spec: ElementSpec) -> list[Peer]:
    peers = []
    for number, entry in enumerate(spec.get("peers", ())):
        try:
            peers.append(
                Peer(
                    address=str(IPv4Address(entry["address"])),
                    remote_as=int(entry.get("remoteAs", 65001 + number)),
                    local_as=int(entry.get("localAs", 65000)),
                    port=str(entry.get("port", "")),
                    description=str(entry.get("description", "")),
                    prefixes=int(entry.get("prefixes", 1000)),
                )
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidSpec(f"peers[{number}]: {error!r}") from error
    return peers


def build(
    spec: ElementSpec, *, snmp_port: int, ssh_port: int, trap_targets: list[str], now: float, netconf_port: int = 0
) -> list[Element]:
    """Return the element and its virtual systems. Raises InvalidSpec."""
    unknown = set(spec) - _KNOWN
    if unknown:
        raise InvalidSpec(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(sorted(_KNOWN))}")
    name, kind = spec.get("name"), spec.get("kind", RECORDED_KIND if "rows" in spec else None)
    if not isinstance(name, str) or not name or kind not in KINDS:
        raise InvalidSpec(f"an element needs a name and one of the kinds {', '.join(KINDS)}")
    counts = {
        "cards": _number(spec, "cards", 2, 0, KINDS[kind].slots),
        "mdas": _number(spec, "mdas", 1, 1, 4),
        "ports": _number(spec, "ports", 10, 0, 60),
    }
    chassis = make_chassis(KINDS[kind], name, **counts)
    element = _element(spec, name, _address(spec), kind, chassis=chassis, now=now)
    element.snmp_port = _number(spec, "snmpPort", snmp_port, 0, 65535)
    element.ssh_port = _number(spec, "sshPort", ssh_port, 0, 65535)
    element.netconf_port = _number(spec, "netconfPort", netconf_port, 0, 65535)
    element.trap_targets = [] if element.factory else list(spec.get("trapTargets", trap_targets))
    systems = list(_virtual_systems(spec, element, now))
    if systems:
        element.object_id = KINDS[kind].host_object_id
    elements = [element, *systems]
    _link(spec, elements)
    return elements


def _link(spec: ElementSpec, elements: list[Element]) -> None:
    """Set the neighbours of ports."""
    for number, entry in enumerate(spec.get("links", ())):
        try:
            port = next(port for element in elements if (port := element.port(entry["port"])))
            port.neighbour, port.neighbour_port = str(entry["neighbour"]), str(entry["neighbourPort"])
            port.bfd = entry.get("bfd") is True
        except (KeyError, TypeError, StopIteration) as error:
            raise InvalidSpec(f"links[{number}] needs an own port, neighbour and neighbourPort") from error


def _element(spec: ElementSpec, name: str, address: str, kind: str, *, chassis: Chassis, now: float) -> Element:
    shape = KINDS[kind]
    element = Element(
        name=name, kind=kind, address=address, chassis=chassis, snmp_port=0, ssh_port=0,
        software=shape.software, description=shape.description, object_id=shape.object_id, sys_name=name,
    )  # fmt: skip
    for entry, field in {**_TEXTS, **_SWITCHES}.items():
        if entry in spec:
            setattr(element, field, type(getattr(element, field))(spec[entry]))
    element.snmp_user = _snmp_user(spec)
    element.peers = _peers(spec)
    element.boot_seconds = float(spec.get("bootSeconds", element.boot_seconds))
    element.lldp_hold = float(spec.get("lldpHoldSeconds", element.lldp_hold))
    element.card_ports = _number(spec, "ports", element.card_ports, 0, 60)
    element.fib_size = _number(spec, "fibSize", element.fib_size, 1, 100_000_000)
    element.license.bound = bool(spec.get("licenseBound", False))
    element.booted = now
    return element


def _snmp_user(spec: ElementSpec) -> SnmpUser:
    given = spec.get("snmpUser", {})
    try:
        user = SnmpUser(**{_SNMP_USER[key]: str(value) for key, value in given.items()})
    except (AttributeError, KeyError) as error:
        raise InvalidSpec(f"snmpUser: {', '.join(_SNMP_USER)} are known") from error
    protocols = user.auth in ("", *AUTH_PROTOCOLS) and user.priv in ("", *(PRIV_PROTOCOLS if user.auth else ()))
    if not protocols or (user.auth and not user.auth_password) or (user.priv and not user.priv_password):
        raise InvalidSpec(f"snmpUser needs passwords and protocols of {', '.join((*AUTH_PROTOCOLS, *PRIV_PROTOCOLS))}")
    return user


def _virtual_systems(spec: ElementSpec, host: Element, now: float) -> Iterator[Element]:
    """Yield the virtual systems with their named ports; without names each gets the ports of a line card, in turn."""
    systems = spec.get("virtualSystems", ())
    if systems and not KINDS[host.kind].system_object_id:
        raise InvalidSpec(f"a {host.kind} has no virtual systems")
    for number, entry in enumerate(systems):
        name = f"{host.name}-{entry['name']}"
        element = _element(
            {**spec, "peers": entry.get("peers", ())}, name, _address(entry), host.kind, chassis=host.chassis, now=now
        )
        element.system, element.object_id = entry["name"], KINDS[host.kind].system_object_id
        element.snmp_port, element.ssh_port, element.netconf_port = host.snmp_port, host.ssh_port, host.netconf_port
        element.trap_targets = list(host.trap_targets)
        for port in _ports_of_system(host.chassis, entry, number, len(systems)):
            port.owner = entry["name"]
        yield element


def _ports_of_system(chassis: Chassis, entry: ElementSpec, number: int, count: int) -> list[Port]:
    lines = [card for card in chassis.cards if card.role == "line"]
    if "ports" not in entry:
        return [port for card in lines[number::count] for mda in card.mdas for port in mda.ports]
    free = {port.name: port for card in lines for mda in card.mdas for port in mda.ports if not port.owner}
    missing = [name for name in entry["ports"] if name not in free]
    if missing:
        raise InvalidSpec(f"virtual system {entry['name']}: the ports {', '.join(missing)} are not free")
    return [free[name] for name in entry["ports"]]


def fleet(spec: ElementSpec) -> Iterator[ElementSpec]:
    """Yield `count` equal specifications on the addresses of `network`, named from `name-0001`. Raises InvalidSpec."""
    count, network = _number(spec, "count", 1, 1, 10_000), ip_network(spec.get("network", "127.10.0.0/16"))
    hosts = network.hosts()
    rest = {key: value for key, value in spec.items() if key not in ("count", "network", "name")}
    for number in range(1, count + 1):
        host = next(hosts, None)
        if host is None:
            raise InvalidSpec(f"{network} has no room for {count} elements")
        yield {**rest, "name": f"{spec.get('name', 'ne')}-{number:04}", "address": str(host)}
