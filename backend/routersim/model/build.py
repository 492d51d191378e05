"""Elements from what somebody asks for: the JSON of the control API and of scenario files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address, ip_network
from typing import Any

from routersim.model.element import Chassis, Element
from routersim.model.kinds import KINDS, make_chassis
from routersim.model.parts import Peer

Wish = Mapping[str, Any]
LOOPBACK = ip_network("127.0.0.0/8")
_TEXTS = {
    "community": "community", "writeCommunity": "write_community", "user": "user", "password": "password",
    "location": "location", "contact": "contact", "software": "software", "vnfInstance": "vnf_instance",
    "managementPort": "management_port",
}  # fmt: skip
_SWITCHES = {"oldSsh": "old_ssh", "informs": "informs"}
_KNOWN = frozenset(
    ("name", "kind", "address", "snmpPort", "sshPort", "netconfPort", "cards", "mdas", "ports", "trapTargets", "peers",
     "virtualSystems", "links", "bootSeconds", "lldpHoldSeconds", "fibSize", "licenseBound", *_TEXTS, *_SWITCHES)
)  # fmt: skip


class BadWish(ValueError):
    """What is asked for makes no sense; the message says why."""


def _number(wish: Wish, name: str, default: int, least: int, most: int) -> int:
    value = wish.get(name, default)
    if not isinstance(value, int) or not least <= value <= most:
        raise BadWish(f"{name} is {value!r}: a number from {least} to {most} is wanted")
    return value


def _address(wish: Wish) -> str:
    try:
        address = IPv4Address(wish.get("address", ""))
    except ValueError as error:
        raise BadWish(f"address: {error}") from error
    if address not in LOOPBACK:
        raise BadWish(f"address {address}: simulated elements live in {LOOPBACK} alone")
    return str(address)


def _peers(wish: Wish) -> list[Peer]:
    peers = []
    for number, given in enumerate(wish.get("peers", ())):
        try:
            peers.append(
                Peer(
                    address=str(IPv4Address(given["address"])),
                    remote_as=int(given.get("remoteAs", 65001 + number)),
                    local_as=int(given.get("localAs", 65000)),
                    port=str(given.get("port", "")),
                    description=str(given.get("description", "")),
                    prefixes=int(given.get("prefixes", 1000)),
                )
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadWish(f"peers[{number}]: {error!r}") from error
    return peers


def build(
    wish: Wish, *, snmp_port: int, ssh_port: int, trap_targets: list[str], now: float, netconf_port: int = 0
) -> list[Element]:
    """The element asked for, and its virtual systems. Raises BadWish."""
    unknown = set(wish) - _KNOWN
    if unknown:
        raise BadWish(f"unknown: {', '.join(sorted(unknown))}; known are {', '.join(sorted(_KNOWN))}")
    name, kind = wish.get("name"), wish.get("kind")
    if not isinstance(name, str) or not name or kind not in KINDS:
        raise BadWish(f"a name and one of the kinds {', '.join(KINDS)} are wanted")
    counts = {
        "cards": _number(wish, "cards", 2, 0, KINDS[kind].slots),
        "mdas": _number(wish, "mdas", 1, 1, 4),
        "ports": _number(wish, "ports", 10, 0, 60),
    }
    chassis = make_chassis(KINDS[kind], name, **counts)
    element = _element(wish, name, _address(wish), kind, chassis=chassis, now=now)
    element.snmp_port = _number(wish, "snmpPort", snmp_port, 0, 65535)
    element.ssh_port = _number(wish, "sshPort", ssh_port, 0, 65535)
    element.netconf_port = _number(wish, "netconfPort", netconf_port, 0, 65535)
    element.trap_targets = list(wish.get("trapTargets", trap_targets))
    elements = [element, *_virtual_systems(wish, element, now)]
    _link(wish, elements)
    return elements


def _link(wish: Wish, elements: list[Element]) -> None:
    """Who is at the other end of which port."""
    for number, given in enumerate(wish.get("links", ())):
        try:
            port = next(port for element in elements if (port := element.port(given["port"])))
            port.neighbour, port.neighbour_port = str(given["neighbour"]), str(given["neighbourPort"])
        except (KeyError, TypeError, StopIteration) as error:
            raise BadWish(f"links[{number}]: a port of it, neighbour and neighbourPort are wanted") from error


def _element(wish: Wish, name: str, address: str, kind: str, *, chassis: Chassis, now: float) -> Element:
    shape = KINDS[kind]
    element = Element(
        name=name, kind=kind, address=address, chassis=chassis, snmp_port=0, ssh_port=0,
        software=shape.software, description=shape.description, object_id=shape.object_id, sys_name=name,
    )  # fmt: skip
    for given, field in {**_TEXTS, **_SWITCHES}.items():
        if given in wish:
            setattr(element, field, type(getattr(element, field))(wish[given]))
    element.peers = _peers(wish)
    element.boot_seconds = float(wish.get("bootSeconds", element.boot_seconds))
    element.lldp_hold = float(wish.get("lldpHoldSeconds", element.lldp_hold))
    element.card_ports = _number(wish, "ports", element.card_ports, 0, 60)
    element.fib_size = _number(wish, "fibSize", element.fib_size, 1, 100_000_000)
    element.license.bound = bool(wish.get("licenseBound", False))
    element.booted = now
    return element


def _virtual_systems(wish: Wish, host: Element, now: float) -> Iterator[Element]:
    """Each line card's ports go to one virtual system, in turn."""
    systems = wish.get("virtualSystems", ())
    if systems and KINDS[host.kind].family != "vrp":
        raise BadWish(f"a {host.kind} has no virtual systems")
    for number, given in enumerate(systems):
        name = f"{host.name}-{given['name']}"
        element = _element(
            {**wish, "peers": given.get("peers", ())}, name, _address(given), host.kind, chassis=host.chassis, now=now
        )
        element.system = given["name"]
        element.snmp_port, element.ssh_port, element.netconf_port = host.snmp_port, host.ssh_port, host.netconf_port
        element.trap_targets = list(host.trap_targets)
        lines = [card for card in host.chassis.cards if card.role == "line"]
        for card in lines[number :: len(systems)]:
            for mda in card.mdas:
                for port in mda.ports:
                    port.owner = given["name"]
        yield element


def fleet(wish: Wish) -> Iterator[Wish]:
    """`count` wishes alike, on the addresses of `network` and named `name-0001` and on. Raises BadWish."""
    count, network = _number(wish, "count", 1, 1, 10_000), ip_network(wish.get("network", "127.10.0.0/16"))
    hosts = network.hosts()
    rest = {key: value for key, value in wish.items() if key not in ("count", "network", "name")}
    for number in range(1, count + 1):
        host = next(hosts, None)
        if host is None:
            raise BadWish(f"{network} has no room for {count} elements")
        yield {**rest, "name": f"{wish.get('name', 'ne')}-{number:04}", "address": str(host)}
