"""The parts of a network element, and their states."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Oper(IntEnum):
    """The operational state of a part, with numbers and names of tmnxHwOperState (TIMETRA-CHASSIS-MIB)."""

    IN_SERVICE = 2
    OUT_OF_SERVICE = 3
    FAILED = 5
    BOOTING = 6
    PROVISIONED = 8
    """The slot is configured but empty, as with a dead line card VM."""


@dataclass(slots=True)
class Port:
    """An Ethernet port. Rates are in octets per second while it is up; `speed` is in Mbit/s."""

    name: str
    index: int
    """The ifIndex; in SR OS also the TmnxPortID."""
    speed: int = 10_000
    admin_up: bool = True
    cable: bool = True
    """False if the cable is cut at this end."""
    signal: bool = True
    """False if the simulated neighbour at the other end sends no signal; see `fleet`."""
    owner: str = ""
    """The name of the virtual system that owns it; "" for the chassis' own element."""
    description: str = ""
    mtu: int = 9212
    rate_in: int = 0
    rate_out: int = 0
    octets_in: float = 0.0
    octets_out: float = 0.0
    errors_in: int = 0
    since: float = 0.0
    """The time when it went up or down or was drained; the octets above are of that time."""
    drained: bool = False
    """Whether the neighbours avoid the router, so that only its own protocols use the port."""
    up: bool = False
    """The operational state, set by `settle`."""
    neighbour: str = ""
    """The name of the element at the other end; "" without an LLDP neighbour."""
    neighbour_port: str = ""
    bfd: bool = False
    """It says whether a BFD session with the neighbour runs over the link (RFC 5880)."""
    bfd_lost: bool = False
    """Whether the session fails although the link is up, as when a host in between does not forward."""
    far_name: str = ""
    """The neighbour's sysName; as its address and MAC, it is "" unless the neighbour is simulated here (`fleet`)."""
    far_address: str = ""
    far_mac: str = ""


@dataclass(slots=True)
class Mda:
    """A media adapter in a card: a daughter card with ports."""

    slot: int
    type: str
    ports: list[Port] = field(default_factory=list)
    equipped: bool = True
    failure: str = ""
    admin_up: bool = True


@dataclass(slots=True)
class Card:
    """A card in a slot: a line card (IOM, LPU), a control card (CPM, MPU) or a fabric card (SFU)."""

    slot: str
    role: str
    """One of line, control and fabric."""
    type: str
    serial: str = ""
    mdas: list[Mda] = field(default_factory=list)
    equipped: bool = True
    failure: str = ""
    admin_up: bool = True
    booting_until: float = 0.0
    since: float = 0.0
    server: str = ""
    """The id of its VM, if it is virtual."""


@dataclass(slots=True)
class Unit:
    """A power supply or a fan tray."""

    number: int
    type: str
    failure: str = ""
    since: float = 0.0


@dataclass(slots=True)
class Peer:
    """A BGP neighbour. It is established while it is reachable and admin up, and the port towards it is up."""

    address: str
    remote_as: int
    local_as: int = 65000
    vrf: str = "Base"
    admin_up: bool = True
    reachable: bool = True
    port: str = ""
    """The name of the port towards it; "" for none."""
    description: str = ""
    prefixes: int = 0
    since: float = 0.0
    established: bool = False
    """Whether the session is established, set by `settle`."""


def card_state(card: Card, now: float) -> Oper:
    """Return the operational state of a slot."""
    if not card.equipped:
        return Oper.PROVISIONED
    if card.failure:
        return Oper.FAILED
    if now < card.booting_until:
        return Oper.BOOTING
    return Oper.IN_SERVICE if card.admin_up else Oper.OUT_OF_SERVICE


def mda_state(card: Card, mda: Mda, now: float) -> Oper:
    """Return the state of an adapter, which is provisioned unless its card is in service."""
    if not mda.equipped or card_state(card, now) is not Oper.IN_SERVICE:
        return Oper.PROVISIONED
    if mda.failure:
        return Oper.FAILED
    return Oper.IN_SERVICE if mda.admin_up else Oper.OUT_OF_SERVICE


def sends_signal(card: Card, mda: Mda, port: Port, now: float) -> bool:
    """Return whether the other end of the port's link has a signal."""
    return port.admin_up and port.cable and mda_state(card, mda, now) is Oper.IN_SERVICE


def port_up(card: Card, mda: Mda, port: Port, now: float) -> bool:
    return port.signal and sends_signal(card, mda, port, now)


def bfd_up(port: Port) -> bool:
    return port.up and not port.bfd_lost


def set_port_state(port: Port, up: bool, now: float) -> None:
    """Set a port up or down, after updating its counters."""
    if port.up:
        port.octets_in, port.octets_out = octets(port, now)
    port.up, port.since = up, now


def set_drained(port: Port, drained: bool, now: float) -> None:
    if port.drained != drained:
        port.octets_in, port.octets_out = octets(port, now)
        port.drained, port.since = drained, now if port.up else port.since


def octets(port: Port, now: float) -> tuple[float, float]:
    """Return the octets in and out until now."""
    seconds = max(0.0, now - port.since) if port.up and not port.drained else 0.0
    return port.octets_in + seconds * port.rate_in, port.octets_out + seconds * port.rate_out
