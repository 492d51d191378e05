"""Nokia SR OS: 7750 SR, VSR, VMG. Objects of TIMETRA-CHASSIS-MIB, -PORT-MIB, -SYSTEM-MIB, -BGP-MIB and -VRTR-MIB."""

from collections.abc import Iterator
from dataclasses import replace

from vnfm.devices.types import Index, Value
from vnfm.elements.domain.drivers import bfd, sros_hardware, standard
from vnfm.elements.domain.drivers.base import ROW_INDEXES, Driver, Reading, TableSource, enum_name, number, text
from vnfm.elements.domain.drivers.sros_hardware import CPM_HW, CPM_REDUNDANT
from vnfm.elements.domain.snapshot import ObservedBgpPeer, ObservedFact, ObservedInterface, PrefixCounts
from vnfm.kit.patterns import pattern

_TIMETRA = "1.3.6.1.4.1.6527.3.1.2"
_PEERS = f"{_TIMETRA}.14.4"
PEER_SHUTDOWN, PEER_STATE, PEER_AS = (f"{_PEERS}.7.1.{n}" for n in (6, 59, 66))
PEER_LAST_ERROR = f"{_PEERS}.10.1.11"
PEER_PREFIXES = {
    "IPv4 unicast": (5, 7, 6),
    "IPv6 unicast": (27, 29, 28),
    "IPv4 VPN": (13, 15, 14),
    "IPv6 VPN": (40, 42, 41),
    "L2VPN VPLS": (49, 51, 50),
    "L2VPN EVPN": (88, 90, 89),
    "IPv4 labeled": (116, 118, 117),
    "IPv6 labeled": (122, 124, 123),
}
"""Columns of tBgpPeerNgOperTable by address family: received, active, sent. A router has 0 for a family that a peer
does not use.
"""
ROUTER_NAME = f"{_TIMETRA}.3.1.1.4"
ROUTER_IF_PORT = f"{_TIMETRA}.3.4.1.5"
"""vRtrIfPortID, by vRtrID and vRtrIfIndex. The latter is an ifIndex; the MIB has it unique in its router only."""
SYNC_STATUS, FAILOVER_REASON = f"{_TIMETRA}.1.4.18.0", f"{_TIMETRA}.1.4.28.0"
CONFIG_STATUS = f"{_TIMETRA}.1.5.1.0"
LICENCE_STATUS = f"{_TIMETRA}.1.30.1.0"
_ALARM = "1.3.6.1.2.1.118.1.2.2.1"
ALARM_NOTIFICATION, ALARM_TEXT = f"{_ALARM}.9", f"{_ALARM}.11"
"""alarmActiveTable (RFC 3877)."""

SYNC = {
    0: "unknown",
    1: "configOnly",
    2: "bootEnv",
    3: "configFail",
    4: "bootEnvFail",
    5: "configInProgress",
    6: "bootEnvInProgress",
}
REDUNDANT = {
    1: "singleton",
    2: "redundantActive",
    3: "redundantStandby",
    4: "redundantSplit",
    5: "redundantDisabled",
    6: "redundantSynching",
}
CONFIG = {1: "configRead", 2: "configOK", 3: "defaultBooted", 4: "bootConfigFailed", 5: "bootRestoreFailed"}


def interfaces(reading: Reading) -> Iterator[ObservedInterface]:
    """The rows of ifTable: ports, aggregations and router interfaces; vRtrIfTable has the ports of the latter."""
    ports: dict[int, set[int | None]] = {}
    for if_index, port in reading.rows(ROUTER_IF_PORT, lambda index, value: (index[-1], number(value) or None)):
        ports.setdefault(if_index, set()).add(port)  # None: a loopback, or of no port yet
    for interface in standard.interfaces(reading):
        known = ports.get(interface.if_index, {None})
        yield replace(interface, port_if_index=next(iter(known)) if len(known) == 1 else None)  # of several: not known


def bgp_peers(reading: Reading) -> tuple[ObservedBgpPeer, ...]:
    """tBgpPeerNgTable, all routing instances; BGP4-MIB adds what it has of the peers of the base instance."""

    def peer(index: Index, value: Value) -> ObservedBgpPeer:
        router = text(reading.column(ROUTER_NAME).get((index[0],))) or f"vRouter {index[0]}"
        address = standard.inet_address(index[1:], with_zone=True)
        return ObservedBgpPeer(
            vrf="" if router == "Base" else router,
            peer_address=address,
            remote_as=number(reading.column(PEER_AS).get(index)),
            admin_state=enum_name(reading.column(PEER_SHUTDOWN).get(index), {1: "DOWN", 2: "UP"}),
            state=enum_name(value, standard.BGP_STATES),
            last_error=standard.error_of(reading.column(PEER_LAST_ERROR).get(index)),
            families=tuple(_families(reading, index, "IPv6 unicast" if ":" in address else "IPv4 unicast")),
        )

    reading.omit_partial(PEER_STATE, PEER_AS)
    return standard.merged_peers(reading.rows(PEER_STATE, peer, PEER_AS), reading)


def _families(reading: Reading, index: Index, own: str) -> Iterator[PrefixCounts]:
    """Those with prefixes, and unicast of the peer's own address family."""
    for family, columns in PEER_PREFIXES.items():
        received, active, sent = (number(reading.column(f"{_PEERS}.8.1.{n}").get(index)) for n in columns)
        if received or active or sent or (family == own and received is not None):
            yield PrefixCounts(family, received, active, sent)


def facts(reading: Reading) -> Iterator[ObservedFact]:
    """Boot configuration, licence, synchronisation of the control cards, and the element's own active alarms."""
    for name, scalar, words in (("boot_config", CONFIG_STATUS, CONFIG), ("redundancy_sync", SYNC_STATUS, SYNC)):
        if scalar in reading.scalars:
            yield ObservedFact(name, "", enum_name(reading.scalars[scalar], words, "unknown"))
    for name, scalar in (("last_failover_reason", FAILOVER_REASON), ("licence", LICENCE_STATUS)):
        if reason := text(reading.scalars.get(scalar)):
            yield ObservedFact(name, "", reason[:255])
    boards = (part for part in sros_hardware.hardware(reading.apart()) if part.equipment_class == "CPM")
    cards = {part.extra.get(ROW_INDEXES[1]): part.fdn for part in boards}

    def redundancy(index: Index, value: Value) -> ObservedFact | None:
        card = cards.get(number(reading.column(CPM_HW).get(index)) or 0)
        return ObservedFact("redundancy", card, enum_name(value, REDUNDANT, "unknown")) if card is not None else None

    yield from filter(None, reading.rows(CPM_REDUNDANT, redundancy))
    yield from _open_alarms(reading)


def _open_alarms(reading: Reading) -> Iterator[ObservedFact]:
    """By their texts, as row numbers are arbitrary; the value is the notification that raised the alarm."""
    notifications = reading.column(ALARM_NOTIFICATION)
    found = {text(words)[:255]: text(notifications.get(index)) for index, words in reading.column(ALARM_TEXT).items()}
    yield from (ObservedFact("active_alarm", words, oid) for words, oid in sorted(found.items()) if words)


_SOFTWARE = pattern(r"TiMOS-[\w.-]+")
_PRODUCT = pattern(r"(?i)(?:nokia|alcatel-lucent|alcatel)\s+(.+?)\s+(?:copyright|\(c\))")

DRIVER = Driver(
    name="nokia-sros",
    object_ids=("1.3.6.1.4.1.6527",),
    sources={
        "EQUIPMENT": TableSource(
            columns=sros_hardware.COLUMNS,
            states=sros_hardware.STATES,
            required=(*sros_hardware.IDENTITY, sros_hardware.PORT_NAME),
        ),
        "INTERFACES": replace(
            standard.INTERFACES,
            columns=(*standard.INTERFACES.columns, ROUTER_IF_PORT),
            required=(*standard.INTERFACES.required, ROUTER_IF_PORT),  # a router interface is down by its port
        ),
        "NEIGHBOURS": bfd.SROS,
        "BGP": TableSource(
            columns=(
                *(PEER_SHUTDOWN, PEER_STATE, PEER_AS, PEER_LAST_ERROR, ROUTER_NAME, *standard.BGP.columns),
                *(f"{_PEERS}.8.1.{n}" for columns in PEER_PREFIXES.values() for n in columns),
            ),
            states=(PEER_SHUTDOWN, PEER_STATE, *standard.BGP.states),
            required=(ROUTER_NAME,),
        ),
        "FACTS": TableSource(
            columns=(
                *(sros_hardware.HW_CLASS, sros_hardware.HW_NAME, sros_hardware.HW_OPER),
                *(sros_hardware.CARD_HW, sros_hardware.MDA_HW, CPM_HW, CPM_REDUNDANT),
                *(ALARM_NOTIFICATION, ALARM_TEXT),
            ),
            states=(CPM_REDUNDANT, ALARM_TEXT),
            required=(*sros_hardware.IDENTITY, ALARM_NOTIFICATION),
            scalars=(CONFIG_STATUS, SYNC_STATUS, FAILOVER_REASON, LICENCE_STATUS),
        ),
    },
    equipment=sros_hardware.equipment,
    interfaces=interfaces,
    bgp_peers=bgp_peers,
    adjacencies=bfd.sros_adjacencies,
    facts=facts,
    chassis_type=lambda descr: found[1] if (found := _PRODUCT.search(descr)) else "",
    software_version=lambda descr: found[0] if (found := _SOFTWARE.search(descr)) else "",
    gauges=frozenset({"BGP"}),
    many_gauges=True,
    lists_alarms=True,
    counts_traps=True,
)
