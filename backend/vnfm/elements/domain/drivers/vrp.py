"""Huawei VRP: NE9000 and its Virtual Systems. ENTITY-MIB with HUAWEI-ENTITY-EXTENT-MIB, -ALARM-MIB and -BGP-VPN-MIB."""

import re
from collections.abc import Iterator

from vnfm.elements.domain.drivers import bfd, entity, standard
from vnfm.elements.domain.drivers.base import Driver, Reading, TableSource, enum_name, number, text
from vnfm.elements.domain.snapshot import ObservedBgpPeer, ObservedEquipment, ObservedFact

_HUAWEI = "1.3.6.1.4.1.2011.5.25"
_STATE = f"{_HUAWEI}.31.1.1.1.1"
ADMIN, OPER, STANDBY = f"{_STATE}.1", f"{_STATE}.2", f"{_STATE}.3"
ALARM_TEXT = f"{_HUAWEI}.180.1.8.1.3"
"""hwActiveAlarmPara."""

_BGP = f"{_HUAWEI}.177.1.1"
PEER_VRF = f"{_BGP}.1.1.6"
PEER_AS, PEER_STATE, PEER_ADMIN = (f"{_BGP}.2.1.{n}" for n in (2, 5, 11))
"""hwBgpPeerAddrFamilyTable and hwBgpPeerTable, by instance, address family (AFI, SAFI) and the peer's InetAddress."""
PUBLIC = 0
"""The instance of the base router."""

CONFIGURED = "1.3.6.1.4.1.2011.6.10.1.1.1.0"
"""hwCfgRunModifiedLast: sysUpTime at the last change of the running configuration."""

ADMINS = {2: "DOWN", 3: "DOWN", 4: "UP", 11: "UP", 12: "DOWN", 13: "UP"}
"""HwAdminState: locked, shuttingDown, unlocked, up, down, loopback."""
OPERS = {
    2: "OUT_OF_SERVICE",
    3: "IN_SERVICE",
    4: "BOOTING",  # offline: in its slot, and not registered with the main control board
    11: "IN_SERVICE",
    12: "OUT_OF_SERVICE",
    13: "IN_SERVICE",
    15: "IN_SERVICE",
    16: "IN_SERVICE",
    17: "OUT_OF_SERVICE",
}
"""HwOperState: disabled, enabled, offline, up, down, connect, protocolUp, linkUp, linkDown."""
STANDBYS = {2: "hotStandby", 3: "coldStandby", 4: "providingService"}
"""HwStandbyStatus."""


def _state(reading: Reading, index: int, if_index: int | None) -> tuple[str, str]:
    """A chassis without a state of its own is in service, as it has just answered."""
    admin = enum_name(reading.column(ADMIN).get((index,)), ADMINS)
    oper = enum_name(reading.column(OPER).get((index,)), OPERS)
    chassis = reading.column(entity.CLASS).get((index,)) == entity.CHASSIS
    return admin, "IN_SERVICE" if chassis and oper == "UNKNOWN" else oper


def equipment(reading: Reading) -> tuple[ObservedEquipment, ...]:
    return entity.equipment(reading, _state)


def facts(reading: Reading) -> Iterator[ObservedFact]:
    """Redundancy of the control boards, the time of the last configuration, and the element's own active alarms."""
    boards = {part.extra["entPhysicalIndex"]: part.fdn for part in equipment(reading) if part.equipment_class == "CPM"}
    for index, value in reading.column(STANDBY).items():
        if index[0] in boards and (standby := enum_name(value, STANDBYS, "")):
            yield ObservedFact("redundancy", boards[index[0]], standby)
    if (configured := number(reading.scalars.get(CONFIGURED))) is not None:
        yield ObservedFact("configuration_changed", "", str(configured))
    yield from (ObservedFact("active_alarm", words, "") for words in _active_alarms(reading))


def _active_alarms(reading: Reading) -> list[str]:
    return sorted({text(value)[:255] for value in reading.column(ALARM_TEXT).values()} - {""})


def bgp_peers(reading: Reading) -> tuple[ObservedBgpPeer, ...]:
    """Of all VPN instances, IPv4 and IPv6, each once for all its address families; and those of BGP4-MIB."""
    found = {("", peer.peer_address): peer for peer in standard.bgp_peers(reading)}
    standard_peers = dict(found)
    for index, state in reading.column(PEER_STATE).items():
        address = standard.inet_address(index[3:])
        vrf = text(reading.column(PEER_VRF).get(index)) or f"VPN instance {index[0]}"
        key = ("" if index[0] == PUBLIC else vrf, address)
        if not address or (key in found and key not in standard_peers):
            continue
        known = standard_peers.pop(key, None)
        otherwise = known.admin_state if known is not None else "UP"  # older software has no column for it
        found[key] = ObservedBgpPeer(
            *key,
            remote_as=number(reading.column(PEER_AS).get(index)),
            admin_state=enum_name(reading.column(PEER_ADMIN).get(index), standard.BGP_ADMIN_STATES, otherwise),
            state=enum_name(state, standard.BGP_STATES),
        )
    return tuple(found.values())


_PRODUCT = re.compile(r"\b(NE\w+(?:-\w+)?)\b")


def _software(descr: str) -> str:
    """From: Huawei Versatile Routing Platform Software VRP (R) software, Version 8.160 (NE9000 V800R009C10)."""
    found = re.search(r"Version\s+(\S+)(?:\s+\(\S+\s+(V\w+)\))?", descr)
    return " ".join(filter(None, found.groups())) if found else ""


DRIVER = Driver(
    name="huawei-vrp",
    object_ids=("1.3.6.1.4.1.2011",),
    sources={
        "EQUIPMENT": TableSource(columns=(*entity.COLUMNS, ADMIN, OPER), states=(ADMIN, OPER)),
        "INTERFACES": standard.INTERFACES,
        "BGP": TableSource(
            columns=(*standard.BGP.columns, PEER_VRF, PEER_AS, PEER_STATE, PEER_ADMIN),
            states=(*standard.BGP.states, PEER_STATE, PEER_ADMIN),
        ),
        "NEIGHBOURS": bfd.VRP,
        "FACTS": TableSource(
            columns=(*entity.COLUMNS, ADMIN, OPER, STANDBY, ALARM_TEXT),
            states=(STANDBY, ALARM_TEXT),
            scalars=(CONFIGURED,),
        ),
    },
    equipment=equipment,
    interfaces=standard.interfaces,
    bgp_peers=bgp_peers,
    adjacencies=bfd.vrp_adjacencies,
    facts=facts,
    chassis_type=lambda descr: found[1] if (found := _PRODUCT.search(descr)) else "",
    software_version=_software,
    lists_alarms=True,
    counts_traps=True,
)
