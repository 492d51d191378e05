"""Admin states of ports and cards: the lines that set them, and whether a part carries our management traffic."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from vnfm.configuration.domain.language import Language


class SwitchablePart(Protocol):
    """A row of the equipment tree."""

    equipment_class: str
    fdn: str
    name: str
    slot: str
    if_index: int | None


class AddressedInterface(Protocol):
    """An interface with its addresses, as 192.0.2.1/24."""

    if_index: int
    name: str
    addresses: Sequence[str]
    port_if_index: int | None


def admin_state_text(language: Language, part: SwitchablePart, state: str) -> str:
    """The lines that set a part UP or DOWN; "" where the language has none for its class."""
    lines = language.admin_lines.get((part.equipment_class, state), ())
    name, slot = language.quoted(_own_name(part)), language.quoted(part.slot)
    return "\n".join(line.format(name=name, slot=slot) for line in lines)


def _own_name(part: SwitchablePart) -> str:
    """The element's name of it: the tree has `Port 1/1/1`, and no family has a port with a space in its name."""
    return part.name.rpartition(" ")[2]


def management_interface_on(
    part: SwitchablePart, ports: Iterable[SwitchablePart], interfaces: Iterable[AddressedInterface], address: str
) -> str | None:
    """The name of the interface with the management address that is on the part, or on a port in it; "" for none.

    None where that is unknown: no interface has the address (a floating IP), or the interface is on no port, as
    loopbacks and link aggregations are. A router interface of SR OS is on the port that `port_if_index` names.
    """
    all_ports = list(ports)
    own = [port for port in all_ports if port.fdn == part.fdn or port.fdn.startswith(f"{part.fdn}:")]
    managing = [one for one in interfaces if address in {each.partition("/")[0] for each in one.addresses}]
    for interface in managing:
        if _is_on(interface, own):
            return interface.name
    return "" if managing and all(_is_on(interface, all_ports) for interface in managing) else None


def _is_on(interface: AddressedInterface, ports: Iterable[SwitchablePart]) -> bool:
    """Whether it is one of the ports, a unit of one (eth1.100), or a router interface on one."""
    return any(
        port.if_index in (interface.if_index, interface.port_if_index or interface.if_index)
        or (port.name and interface.name.startswith(f"{_own_name(port)}."))
        for port in ports
    )
