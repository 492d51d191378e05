"""Huawei VRP: NE9000 and its Virtual Systems. ENTITY-MIB with HUAWEI-ENTITY-EXTENT-MIB, -ALARM-MIB and -BGP-VPN-MIB."""

from collections.abc import Iterator
from dataclasses import replace

from vnfm.devices.types import Index, Value
from vnfm.elements.domain.drivers import bfd, bgp4v2, entity, ports, standard
from vnfm.elements.domain.drivers.base import ROW_INDEXES, Driver, Reading, TableSource, enum_name, number, text
from vnfm.elements.domain.drivers.ports import EquipmentState
from vnfm.elements.domain.snapshot import ObservedBgpPeer, ObservedEquipment, ObservedFact, PrefixCounts
from vnfm.kit.patterns import pattern

_HUAWEI = "1.3.6.1.4.1.2011.5.25"
_STATE = f"{_HUAWEI}.31.1.1.1.1"
ADMIN, OPER, STANDBY = f"{_STATE}.1", f"{_STATE}.2", f"{_STATE}.3"
ALARM_TEXT = f"{_HUAWEI}.180.1.8.1.3"
"""hwActiveAlarmPara."""

_BGP = f"{_HUAWEI}.177.1.1"
PEER_VRF = f"{_BGP}.1.1.6"
PEER_AS, PEER_STATE, PEER_TRANSITIONS, PEER_TIME = (f"{_BGP}.2.1.{n}" for n in (2, 5, 6, 7))
PEER_LAST_ERROR, PEER_DOWN_REASON, PEER_ADMIN = (f"{_BGP}.2.1.{n}" for n in (9, 10, 11))
PREFIXES = tuple(f"{_BGP}.3.1.{n}" for n in (1, 2, 3))
"""hwBgpPeerAddrFamilyTable, hwBgpPeerTable and hwBgpPeerRouteTable (received, active, advertised), by instance, address
family (AFI, SAFI) and the peer's InetAddress.
"""
_FAMILY = 3
"""Arcs of an index before the address."""
DOWN_REASONS = {
    1: "closed by a change of the configuration",
    2: "notification received",
    3: "packet with an error received",
    4: "hold timer expired",
    5: "peer not reachable",
    6: "interface to the peer down",
    7: "maximum number of prefixes reached",
}
"""hwBgpPeerUnAvaiReason."""
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
    18: "IN_SERVICE",
    19: "EMPTY",
}
"""HwOperState: disabled, enabled, offline, up, down, connect, protocolUp, linkUp, linkDown, present, absent. Many say
enabled and unlocked of every port, so a port's state is that of its interface.
"""
STANDBYS = {2: "hotStandby", 3: "coldStandby", 4: "providingService"}
NOT_STANDBYS = (None, 0, 1)
"""HwStandbyStatus: the states of control boards, and the numbers of boards without redundancy (notSupported is 1)."""


def _state(reading: Reading, index: int) -> EquipmentState:
    return EquipmentState(
        enum_name(reading.column(ADMIN).get((index,)), ADMINS),
        enum_name(reading.column(OPER).get((index,)), OPERS),
    )


def _is_control(reading: Reading, index: int) -> bool:
    """A board with a state of redundancy is a control board, whatever its name."""
    return number(reading.column(STANDBY).get((index,))) in STANDBYS


def equipment(reading: Reading) -> Iterator[ObservedEquipment]:
    return entity.equipment(reading, _state, _is_control)


def facts(reading: Reading) -> Iterator[ObservedFact]:
    """Redundancy of the control boards, the time of the last configuration, and the element's own active alarms."""
    parts = equipment(reading.apart()) if reading.column(entity.CLASS) else ()
    boards = {part.extra.get(ROW_INDEXES[0]): part.fdn for part in parts if part.equipment_class == "CPM"}
    for index, value in reading.by_number(STANDBY).items():
        if index in boards and number(value) not in NOT_STANDBYS:
            yield ObservedFact("redundancy", boards[index], enum_name(value, STANDBYS, "unknown"))
    if (configured := number(reading.scalars.get(CONFIGURED))) is not None:
        yield ObservedFact("configuration_changed", "", str(configured))
    yield from (ObservedFact("active_alarm", words, "") for words in _active_alarms(reading))


def _active_alarms(reading: Reading) -> list[str]:
    return sorted({text(value)[:255] for value in reading.column(ALARM_TEXT).values()} - {""})


def bgp_peers(reading: Reading) -> tuple[ObservedBgpPeer, ...]:
    """Read peers of all VPN instances, IPv4 and IPv6, each once for all its address families; and those of BGP4-MIB."""

    def peer(index: Index, value: Value) -> ObservedBgpPeer:
        state = enum_name(value, standard.BGP_STATES)
        vrf = text(reading.column(PEER_VRF).get(index)) or f"VPN instance {index[0]}"
        received, active, advertised = (number(reading.column(column).get(index)) for column in PREFIXES)
        counts = PrefixCounts(bgp4v2.family_name(index[1], index[2]), received, active, advertised)
        error = standard.error_of(reading.column(PEER_LAST_ERROR).get(index))
        return ObservedBgpPeer(
            vrf="" if index[0] == PUBLIC else vrf,
            peer_address=standard.inet_address(index[_FAMILY:], with_zone=True),
            remote_as=number(reading.column(PEER_AS).get(index)),
            admin_state=enum_name(reading.column(PEER_ADMIN).get(index), standard.BGP_ADMIN_STATES),
            state=state,
            flaps=standard.flaps(reading.column(PEER_TRANSITIONS).get(index), state),
            last_error=error or enum_name(reading.column(PEER_DOWN_REASON).get(index), DOWN_REASONS, ""),
            families=(counts,) if (received, active, advertised) != (None, None, None) else (),
            established_seconds=standard.established_seconds(reading.column(PEER_TIME).get(index), state),
        )

    reading.omit_partial(PEER_STATE, PEER_AS)
    own = list(reading.rows(PEER_STATE, peer, PEER_AS))
    keys = {(each.vrf, each.peer_address) for each in own}
    return tuple(
        replace(each, admin_state="UP")  # older software has no column for the administrative state
        if each.admin_state == "UNKNOWN" and (each.vrf, each.peer_address) in keys
        else each
        for each in standard.merged_peers(own, reading)
    )


_MODEL = r"(?:NetEngine ?\d+\w*(?: [A-Z]\w*)?|[A-Z]{1,4}\d\w*(?:-[\w-]+)?)"
_PRODUCTS = (
    pattern(rf"\bHUAWEI ?({_MODEL})\s*$"),
    pattern(rf"^(?:Huawei |Quidway )?({_MODEL}) Huawei"),
    pattern(rf"^Huawei ({_MODEL})\b"),
    pattern(rf"\(({_MODEL}) V\d"),
)
"""A model at the end or the beginning of sysDescr is more exact than the product line in its parentheses."""
_SOFTWARE = pattern(r"Version\s+(\d\S*)(?:\s+\([^()]*?\b(V\d+R\w+)\))?")


def _product(descr: str) -> str:
    return next((found[1] for one in _PRODUCTS if (found := one.search(descr))), "")


def _software(descr: str) -> str:
    """Read "Huawei Versatile Routing Platform Software VRP (R) software, Version 8.160 (NE9000 V800R009C10)"."""
    found = _SOFTWARE.search(descr)
    return " ".join(filter(None, found.groups())) if found else ""


DRIVER = Driver(
    name="huawei-vrp",
    object_ids=("1.3.6.1.4.1.2011",),
    sources={
        "EQUIPMENT": TableSource(
            columns=(*entity.COLUMNS, ADMIN, OPER, STANDBY, *ports.COLUMNS),
            states=(ADMIN, OPER, *ports.STATES),
            required=(*entity.REQUIRED, STANDBY, *ports.REQUIRED),
        ),
        "INTERFACES": standard.INTERFACES,
        "BGP": TableSource(
            columns=(
                *standard.BGP.columns,
                *(PEER_VRF, PEER_AS, PEER_STATE, PEER_TRANSITIONS, PEER_TIME, PEER_LAST_ERROR, PEER_DOWN_REASON),
                *(PEER_ADMIN, *PREFIXES),
            ),
            states=(*standard.BGP.states, PEER_STATE, PEER_ADMIN),
            required=(PEER_VRF,),
        ),
        "NEIGHBOURS": bfd.VRP,
        "FACTS": TableSource(
            columns=(*entity.COLUMNS, ADMIN, OPER, STANDBY, ALARM_TEXT),
            states=(STANDBY, ALARM_TEXT),
            required=entity.IDENTITY,
            scalars=(CONFIGURED,),
        ),
    },
    equipment=equipment,
    interfaces=standard.interfaces,
    bgp_peers=bgp_peers,
    adjacencies=bfd.vrp_adjacencies,
    facts=facts,
    chassis_type=_product,
    software_version=_software,
    gauges=frozenset({"BGP"}),
    many_gauges=True,
    lists_alarms=True,
    counts_traps=True,
)
