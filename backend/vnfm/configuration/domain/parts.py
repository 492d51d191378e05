"""Bringing ports and cards up and down: the lines, and whether that would cut the way by which we manage them."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from vnfm.configuration.domain.language import Language


class Part(Protocol):
    """A row of the equipment tree."""

    equipment_class: str
    fdn: str
    name: str
    slot: str
    if_index: int | None


class Address(Protocol):
    """An interface with its addresses, as 192.0.2.1/24."""

    if_index: int
    name: str
    addresses: Sequence[str]
    port_if_index: int | None


def admin_text(language: Language, part: Part, state: str) -> str:
    """What brings it UP or DOWN; "" where the language has nothing for its class."""
    lines = language.admin_lines.get((part.equipment_class, state), ())
    name, slot = language.quoted(_own_name(part)), language.quoted(part.slot)
    return "\n".join(line.format(name=name, slot=slot) for line in lines)


def _own_name(part: Part) -> str:
    """What the element calls it: the tree shows `Port 1/1/1`, and no family has a port with a space in its name."""
    return part.name.rpartition(" ")[2]


def managed_by(part: Part, ports: Iterable[Part], interfaces: Iterable[Address], address: str) -> str | None:
    """The name of the interface with the management address that is on the part, or on a port in it; "" for none.

    None where nobody knows: no interface has the address (it is translated, a floating IP), or one that is on no port.
    Loopbacks and link aggregations are on none, and the router interfaces of SR OS on the one that it says.
    """
    known = list(ports)
    here = [port for port in known if port.fdn == part.fdn or port.fdn.startswith(f"{part.fdn}:")]
    ours = [one for one in interfaces if address in {its.partition("/")[0] for its in one.addresses}]
    for interface in ours:
        if _is_on(interface, here):
            return interface.name
    return "" if ours and all(_is_on(interface, known) for interface in ours) else None


def _is_on(interface: Address, ports: Iterable[Part]) -> bool:
    """On one of the ports: it is the port, a unit of it (eth1.100), or a router interface on it."""
    return any(
        port.if_index in (interface.if_index, interface.port_if_index or interface.if_index)
        or (port.name and interface.name.startswith(f"{_own_name(port)}."))
        for port in ports
    )
