"""Chassis and the elements on it, and their derived states."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from routersim.model.parts import Card, Mda, Oper, Peer, Port, Unit, card_state, port_up, set_port_state

FIB_SIZE = 5_120_000
"""IPv4 routes that a line card of an NE9000 holds (seed 003, table of FIB capacity)."""
AUTH_PROTOCOLS = ("MD5", "SHA", "SHA-224", "SHA-256", "SHA-384", "SHA-512")
PRIV_PROTOCOLS = ("DES", "AES", "AES-192", "AES-256")
"""Of SNMPv3 users."""
ENTERPRISE_ENGINES = frozenset({"NE9000"})
"""Kinds whose SNMP engine id begins with Huawei's number 2011 and a MAC address (RFC 3411, SnmpEngineID)."""


@dataclass(slots=True)
class Chassis:
    """The hardware. Usually one element's; an NE9000's is shared by its virtual systems."""

    type: str
    slots: int
    serial: str
    mac: str
    cards: list[Card] = field(default_factory=list)
    fans: list[Unit] = field(default_factory=list)
    power: list[Unit] = field(default_factory=list)
    active_control: str = ""
    """Slot of the active control card; "" while there is none."""
    down_until: float = 0.0
    """Until then it reboots, and none of its elements answers."""
    structure: int = 0
    """Incremented when cards are added or removed."""
    unprovisioned: list[Card] = field(default_factory=list)
    """Cards that the configuration does not name any more, and whose VMs still run."""

    def card(self, slot: str) -> Card | None:
        return next((card for card in self.cards if card.slot == slot), None)

    def ports(self) -> Iterator[tuple[Card, Mda, Port]]:
        for card in self.cards:
            for mda in card.mdas:
                for port in mda.ports:
                    yield card, mda, port

    def standby(self, now: float) -> Card | None:
        """The control card that can take over."""
        return next(
            (
                card
                for card in self.cards
                if card.role == "control"
                and card.slot != self.active_control
                and card_state(card, now) is Oper.IN_SERVICE
            ),
            None,
        )


@dataclass(slots=True)
class License:
    """`servers` are the VMs that it was issued for, by slot; empty where it is bound to none."""

    valid: bool = True
    reason: str = ""
    bound: bool = False
    servers: dict[str, str] = field(default_factory=dict)
    since: float = 0.0


@dataclass(slots=True)
class Behaviour:
    """Faults of the access to it, as opposed to faults of the router."""

    silent: bool = False
    lose_traps: bool = False
    seconds: float = 0.0
    """Delay of every answer."""
    repeated: str = ""
    """OID of a row after which GETNEXT and GETBULK answer that same row; "": none."""
    repeats: int = 0
    """How often still; 0 or less: for ever."""
    no_bulk: bool = False
    """GETBULK is not answered, as by an agent that knows SNMPv1 only."""
    broken: str = ""
    """OID of a subtree: requests for it are not answered; "": none."""
    broken_answers: bool = False
    """They are answered, with genErr."""
    confirm_seconds: float = 0.0
    """After which an unconfirmed commit is rolled back, instead of the requested time; 0: the requested time."""
    rpc_errors: dict[str, str] = field(default_factory=dict)
    """NETCONF operations that fail: error-tag, error-message and error-path, joined by tabs."""
    command_line: str = ""
    """Another one than the family's usual: `md-cli` (SR OS), `vrp5` (VRP)."""
    greeting: str = ""
    """Printed before the first prompt."""
    login_questions: list[str] = field(default_factory=list)
    """Asked before the first prompt; after a Yes the session ends, as only the password can be changed."""
    cli_answers: dict[str, str] = field(default_factory=dict)
    """Commands with another answer than theirs."""
    netconf_texts: dict[str, str] = field(default_factory=dict)
    """Texts that are replaced in NETCONF replies, octet for octet."""
    locks_dirty: bool = False
    """A candidate with uncommitted changes can be locked all the same (not by RFC 6241, 7.5; some servers do)."""


@dataclass(slots=True)
class SnmpUser:
    """A user of SNMPv3 that an element has from the start; "" for no user, or no protocol."""

    name: str = ""
    auth: str = ""
    """One of AUTH_PROTOCOLS."""
    auth_password: str = ""
    priv: str = ""
    """One of PRIV_PROTOCOLS."""
    priv_password: str = ""


@dataclass(slots=True)
class Element:
    """A managed network element: what answers at one address."""

    name: str
    kind: str
    """A key of `kinds.KINDS`."""
    address: str
    chassis: Chassis
    snmp_port: int
    ssh_port: int
    software: str
    description: str
    object_id: str
    netconf_port: int = 0
    """0: no NETCONF."""
    management_port: str = ""
    """Management port: while that is down, the element is unreachable; "": a port of the control card."""
    system: str = ""
    """Name of its virtual system; "" is the chassis' own element."""
    sys_name: str = ""
    """sysName; at first the element's name."""
    card_ports: int = 2
    """Data ports of each new line card VM."""
    rows: str = ""
    """Path of a file with the rows that its agent answers (`snmp.recording`); "": those of this model."""
    factory: bool = False
    """SNMP is off and sends nothing until the configuration says otherwise, as when a router leaves the factory."""
    snmp_user: SnmpUser = field(default_factory=SnmpUser)
    """With one the element knows no community, and its notifications are this user's."""
    community: str = "public"
    write_community: str = "private"
    user: str = "admin"
    password: str = "admin"
    old_ssh: bool = False
    """True: only old key exchanges and host keys (TiMOS 13)."""
    location: str = ""
    contact: str = ""
    booted: float = 0.0
    boots: int = 1
    """snmpEngineBoots."""
    down_until: float = 0.0
    """Until then its virtual system reboots, and does not answer."""
    peers: list[Peer] = field(default_factory=list)
    license: License = field(default_factory=License)
    behaviour: Behaviour = field(default_factory=Behaviour)
    fib_routes: int = 500_000
    fib_size: int = FIB_SIZE
    cpu: int = 9
    memory: int = 31
    """CPU and memory in use, per cent."""
    sequence: int = 0
    """Of the last notification, sent or lost."""
    trap_targets: list[str] = field(default_factory=list)
    """host:port; each gets every notification."""
    informs: bool = False
    """True: notifications are InformRequests, repeated until they are acknowledged."""
    boot_seconds: float = 2.0
    lldp_hold: float = 120.0
    """TTL of an LLDP neighbour in seconds (IEEE 802.1AB)."""
    config: list[str] = field(default_factory=list)
    """Statements of the running configuration without an effect on this model; see `cli.config`."""
    checkpoints: list[list[str]] = field(default_factory=list)
    """Earlier configurations, newest first, for rollback."""
    configured: float = 0.0
    """When the running configuration last changed; 0: never."""
    vnf_instance: str = ""
    """The VNF instance whose VMs are its cards; "" for hardware."""
    adopted: bool = False
    """Added for a VNF instance on a cloud, and removed with it."""
    structure: int = 0
    """Incremented when peers are added or removed."""
    version: int = 0
    """Incremented with each change."""

    @property
    def engine_id(self) -> bytes:
        """snmpEngineID: SR OS makes it from its enterprise number and the chassis' MAC address, VRP as RFC 3411 says.

        A virtual system has its own.
        """
        mac = bytes.fromhex(self.chassis.mac)
        if self.kind not in ENTERPRISE_ENGINES:
            return bytes.fromhex("0000197f0000") + mac
        own = hashlib.sha256(self.system.encode()).digest()[:3] if self.system else mac[3:]
        return bytes.fromhex("800007db03") + mac[:3] + own

    def ports(self) -> Iterator[tuple[Card, Mda, Port]]:
        """The ports that are this element's."""
        for card, mda, port in self.chassis.ports():
            if port.owner == self.system:
                yield card, mda, port

    def port(self, name: str) -> Port | None:
        return next((port for _, _, port in self.ports() if port.name == name), None)

    def peer(self, address: str) -> Peer | None:
        return next((peer for peer in self.peers if peer.address == address), None)

    def is_down(self, now: float) -> bool:
        """It boots, or has no control card."""
        return now < max(self.down_until, self.chassis.down_until) or self.chassis.active_control == ""

    def answers(self, now: float) -> bool:
        """Whether it is reachable."""
        port = self.port(self.management_port) if self.management_port else None
        return not self.behaviour.silent and not self.is_down(now) and (port is None or port.up)


def equip(element: Element, card: Card, equipped: bool, now: float) -> None:
    """Remove a card, or insert one, which then boots."""
    card.equipped, card.failure, card.since = equipped, "", now
    card.booting_until = now + element.boot_seconds if equipped else 0.0


def settle(element: Element, now: float) -> None:
    """Update the states of ports and peers. Idempotent; call after each change and when a boot ends."""
    for card, mda, port in element.ports():
        up = port_up(card, mda, port, now)
        if up != port.up:
            set_port_state(port, up, now)
    for peer in element.peers:
        port_of_peer = element.port(peer.port) if peer.port else None
        established = peer.admin_up and peer.reachable and (port_of_peer is None or port_of_peer.up)
        if established != peer.established:
            peer.established, peer.since = established, now
    element.version += 1
