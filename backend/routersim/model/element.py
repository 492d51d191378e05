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
"""Privacy protocols of SNMPv3 users."""
ENTERPRISE_ENGINES = frozenset({"NE9000"})
"""Kinds whose SNMP engine id begins with Huawei's number 2011 and a MAC address (RFC 3411, SnmpEngineID)."""


@dataclass(slots=True)
class Chassis:
    """The hardware of an element; the virtual systems of an NE9000 share it."""

    type: str
    slots: int
    serial: str
    mac: str
    cards: list[Card] = field(default_factory=list)
    fans: list[Unit] = field(default_factory=list)
    power: list[Unit] = field(default_factory=list)
    active_control: str = ""
    """The slot of the active control card; "" while there is none."""
    down_until: float = 0.0
    """The end of a reboot, before which none of its elements answers."""
    structure: int = 0
    """Incremented when cards are added or removed."""
    unprovisioned: list[Card] = field(default_factory=list)
    """Cards that were removed from the configuration and whose VMs still run."""

    def card(self, slot: str) -> Card | None:
        return next((card for card in self.cards if card.slot == slot), None)

    def ports(self) -> Iterator[tuple[Card, Mda, Port]]:
        for card in self.cards:
            for mda in card.mdas:
                for port in mda.ports:
                    yield card, mda, port

    def standby(self, now: float) -> Card | None:
        """Return the control card that can take over, or None."""
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
    """A licence; `servers` are the VMs by slot for which it was issued, empty if it is not bound to VMs."""

    valid: bool = True
    reason: str = ""
    bound: bool = False
    servers: dict[str, str] = field(default_factory=dict)
    since: float = 0.0


@dataclass(slots=True)
class Behaviour:
    """Faults in the access to an element, as opposed to faults of the router itself."""

    silent: bool = False
    lose_traps: bool = False
    seconds: float = 0.0
    """The delay of every answer in seconds."""
    repeated: str = ""
    """The OID of a row that GETNEXT and GETBULK repeat instead of the next row; "" for none."""
    repeats: int = 0
    """The remaining number of repetitions; 0 or less is unlimited."""
    no_bulk: bool = False
    """Whether GETBULK stays without an answer, as from an agent of SNMPv1."""
    hidden: str = ""
    """The OID of a subtree of which the agent has no object; "" for none."""
    broken: str = ""
    """The OID of a subtree for which requests are not answered; "" for none."""
    broken_answers: bool = False
    """It says whether requests for the broken subtree are answered with genErr."""
    confirm_seconds: float = 0.0
    """Seconds before an unconfirmed commit is rolled back; 0 uses the requested time."""
    rpc_errors: dict[str, str] = field(default_factory=dict)
    """NETCONF operations that fail: error-tag, error-message and error-path, joined by tabs."""
    command_line: str = ""
    """The command line if it is not the family's usual one: `md-cli` (SR OS) or `vrp5` (VRP)."""
    greeting: str = ""
    """The text before the first prompt."""
    login_questions: list[str] = field(default_factory=list)
    """Questions before the first prompt; a Yes ends the session, as only the password could then be changed."""
    cli_answers: dict[str, str] = field(default_factory=dict)
    """Replaced answers by command."""
    netconf_texts: dict[str, str] = field(default_factory=dict)
    """Replacements by text in NETCONF replies, octet for octet."""
    locks_dirty: bool = False
    """Whether a candidate with uncommitted changes can be locked (contrary to RFC 6241, 7.5, as on some servers)."""


@dataclass(slots=True)
class SnmpUser:
    """The SNMPv3 user that an element has from the start; "" means no user, or no protocol."""

    name: str = ""
    auth: str = ""
    """One of AUTH_PROTOCOLS."""
    auth_password: str = ""
    priv: str = ""
    """One of PRIV_PROTOCOLS."""
    priv_password: str = ""


@dataclass(slots=True)
class Element:
    """A managed network element, which answers at one address."""

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
    """The TCP port of NETCONF; 0 for no NETCONF."""
    management_port: str = ""
    """The port without which the element is unreachable; "" if a port of the control card serves management."""
    system: str = ""
    """The name of its virtual system; "" for the chassis' own element."""
    sys_name: str = ""
    """The value of sysName, at first the element's name."""
    card_ports: int = 2
    """The number of data ports of each new line card VM."""
    rows: str = ""
    """The path of a file with the rows that its agent answers (`snmp.recording`); "" for the rows of this model."""
    factory: bool = False
    """Whether SNMP is off until the configuration enables it, as on a factory-new router."""
    snmp_user: SnmpUser = field(default_factory=SnmpUser)
    """The SNMPv3 user; with one, the element has no community, and it sends its notifications as this user."""
    community: str = "public"
    write_community: str = "private"
    user: str = "admin"
    password: str = "admin"
    old_ssh: bool = False
    """Whether SSH offers only old key exchanges and host keys, as TiMOS 13."""
    location: str = ""
    contact: str = ""
    booted: float = 0.0
    boots: int = 1
    """The value of snmpEngineBoots."""
    down_until: float = 0.0
    """The end of a reboot of its virtual system, which does not answer before."""
    peers: list[Peer] = field(default_factory=list)
    license: License = field(default_factory=License)
    behaviour: Behaviour = field(default_factory=Behaviour)
    fib_routes: int = 500_000
    fib_size: int = FIB_SIZE
    cpu: int = 9
    memory: int = 31
    """The CPU and memory in use, in per cent."""
    sequence: int = 0
    """The number of the last notification, sent or lost."""
    trap_targets: list[str] = field(default_factory=list)
    """Receivers as host:port; each gets every notification."""
    informs: bool = False
    """Whether notifications are InformRequests, repeated until they are acknowledged."""
    boot_seconds: float = 2.0
    lldp_hold: float = 120.0
    """The TTL of an LLDP neighbour in seconds (IEEE 802.1AB)."""
    config: list[str] = field(default_factory=list)
    """Statements of the running configuration without an effect on this model; see `cli.config`."""
    checkpoints: list[list[str]] = field(default_factory=list)
    """Earlier configurations, newest first, for rollback."""
    configured: float = 0.0
    """The time of the last change of the running configuration; 0 for never."""
    vnf_instance: str = ""
    """The VNF instance whose VMs are its cards; "" for hardware."""
    adopted: bool = False
    """Whether it was added for a VNF instance on a cloud, and is removed with it."""
    structure: int = 0
    """Incremented when peers are added or removed."""
    version: int = 0
    """Incremented with each change."""

    @property
    def engine_id(self) -> bytes:
        """The snmpEngineID: enterprise number and MAC address of the chassis in SR OS; in VRP as in RFC 3411.

        A virtual system has its own engine.
        """
        mac = bytes.fromhex(self.chassis.mac)
        if self.kind not in ENTERPRISE_ENGINES:
            return bytes.fromhex("0000197f0000") + mac
        own = hashlib.sha256(self.system.encode()).digest()[:3] if self.system else mac[3:]
        return bytes.fromhex("800007db03") + mac[:3] + own

    def ports(self) -> Iterator[tuple[Card, Mda, Port]]:
        """Yield this element's own ports with their cards and adapters."""
        for card, mda, port in self.chassis.ports():
            if port.owner == self.system:
                yield card, mda, port

    def port(self, name: str) -> Port | None:
        return next((port for _, _, port in self.ports() if port.name == name), None)

    def peer(self, address: str) -> Peer | None:
        return next((peer for peer in self.peers if peer.address == address), None)

    def is_down(self, now: float) -> bool:
        """Return whether it reboots or has no active control card."""
        return now < max(self.down_until, self.chassis.down_until) or self.chassis.active_control == ""

    def answers(self, now: float) -> bool:
        """Return whether it is reachable."""
        port = self.port(self.management_port) if self.management_port else None
        return not self.behaviour.silent and not self.is_down(now) and (port is None or port.up)


def equip(element: Element, card: Card, equipped: bool, now: float) -> None:
    """Remove a card, or insert it, after which it boots."""
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
