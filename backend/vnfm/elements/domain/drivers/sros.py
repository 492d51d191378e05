"""Nokia SR OS: 7750 SR, VSR, VMG. Objects of TIMETRA-CHASSIS-MIB, -PORT-MIB, -SYSTEM-MIB, -BGP-MIB and -VRTR-MIB."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from vnfm.devices.types import Index
from vnfm.elements.domain.drivers import bfd, standard
from vnfm.elements.domain.drivers.base import (
    Driver,
    Reading,
    TableSource,
    card_fdn,
    enum_name,
    first_by_fdn,
    mda_fdn,
    network_fdn,
    number,
    shelf_fdn,
    text,
)
from vnfm.elements.domain.snapshot import ObservedBgpPeer, ObservedEquipment, ObservedFact, ObservedInterface

_TIMETRA = "1.3.6.1.4.1.6527.3.1.2"
_HW = f"{_TIMETRA}.2.1.8.1"
HW_SERIAL, HW_CLASS, HW_NAME = (f"{_HW}.{n}" for n in (5, 7, 8))
HW_ADMIN, HW_OPER, HW_SOFTWARE, HW_REASON = (f"{_HW}.{n}" for n in (15, 16, 21, 30))
_CARDS = f"{_TIMETRA}.2.3"
CARD_TYPE, CARD_HW = f"{_CARDS}.2.1.5", f"{_CARDS}.2.1.6"
CPM_TYPE, CPM_HW = f"{_CARDS}.4.1.6", f"{_CARDS}.4.1.7"
MDA_TYPE, MDA_HW = f"{_CARDS}.8.1.5", f"{_CARDS}.8.1.6"
CARD_TYPE_NAME, MDA_TYPE_NAME = f"{_CARDS}.9.1.2", f"{_CARDS}.10.1.2"
_PORT = f"{_TIMETRA}.2.4.2.1"
PORT_DESCRIPTION, PORT_NAME = f"{_PORT}.5", f"{_PORT}.6"
PORT_ADMIN, PORT_OPER, PORT_STATE = (f"{_PORT}.{n}" for n in (37, 38, 39))
_PEER = f"{_TIMETRA}.14.4.7.1"
PEER_SHUTDOWN, PEER_STATE, PEER_AS = (f"{_PEER}.{n}" for n in (6, 59, 66))
ROUTER_NAME = f"{_TIMETRA}.3.1.1.4"
ROUTER_IF_PORT = f"{_TIMETRA}.3.4.1.5"
"""vRtrIfPortID, by vRtrID and vRtrIfIndex. The latter is an ifIndex; the MIB has it unique in its router only."""
SYNC_STATUS, FAILOVER_REASON = f"{_TIMETRA}.1.4.18.0", f"{_TIMETRA}.1.4.28.0"
CONFIG_STATUS = f"{_TIMETRA}.1.5.1.0"
LICENCE_STATUS = f"{_TIMETRA}.1.30.1.0"
CPM_REDUNDANT = f"{_CARDS}.4.1.14"
_ALARM = "1.3.6.1.2.1.118.1.2.2.1"
ALARM_NOTIFICATION, ALARM_TEXT = f"{_ALARM}.9", f"{_ALARM}.11"
"""alarmActiveTable (RFC 3877)."""

CLASSES = {
    3: "CHASSIS",
    5: "POWER_SUPPLY",
    6: "FAN",
    8: "CARD",
    9: "CPM",
    10: "FABRIC",
    11: "MDA",
}
"""TmnxHwClass. Sensors and flash disks are no parts of the tree; ports come from their own table."""

ADMIN = {2: "UP", 3: "DOWN"}
OPER = {
    1: "UNKNOWN",
    2: "IN_SERVICE",
    3: "OUT_OF_SERVICE",
    4: "DIAGNOSING",
    5: "FAILED",
    6: "BOOTING",
    7: "EMPTY",
    8: "PROVISIONED",  # a slot is configured and has no card: what a dead VM looks like (domain facts, 4.1)
    9: "OUT_OF_SERVICE",
    10: "BOOTING",
    11: "BOOTING",
    12: "IN_SERVICE",
    13: "IN_SERVICE",
    14: "BOOTING",
    15: "BOOTING",
}
WORDS = {9: "unprovisioned", 10: "upgrade", 11: "downgrade", 14: "resetPending", 15: "softReset"}
"""tmnxHwOperState where our state is less specific."""
PORT_OPERS = {1: "UNKNOWN", 2: "IN_SERVICE", 3: "OUT_OF_SERVICE", 4: "DIAGNOSING", 5: "FAILED"}
PORT_ADMINS = {2: "UP", 3: "DOWN", 4: "DOWN"}
PORT_STATES = {
    1: "none",
    2: "ghost: its card is not there",
    3: "link down",
    4: "link up, not operational",
    5: "up",
    6: "diagnose",
}

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

_IN_SLOT = re.compile(r"(?:slot|card|cpm)\s+(\w+)$", re.IGNORECASE)
_CPM_LETTERS = "ABCD"


def _places(reading: Reading) -> dict[int, tuple[str, str, str]]:
    """By tmnxHwIndex: slot, sub-slot and equipped type, from the tables of cards, CPMs and MDAs."""
    names, found = reading.column(CARD_TYPE_NAME), {}
    for index, value in reading.column(CARD_HW).items():
        found[number(value) or 0] = (str(index[-1]), "", _type(names, reading.column(CARD_TYPE).get(index)))
    for index, value in reading.column(CPM_HW).items():
        letter = _CPM_LETTERS[index[-1] - 1] if 1 <= index[-1] <= len(_CPM_LETTERS) else str(index[-1])
        found[number(value) or 0] = (letter, "", _type(names, reading.column(CPM_TYPE).get(index)))
    mda_names = reading.column(MDA_TYPE_NAME)
    for index, value in reading.column(MDA_HW).items():
        kind = _type(mda_names, reading.column(MDA_TYPE).get(index))
        found[number(value) or 0] = (str(index[-2]), str(index[-1]), kind)
    found.pop(0, None)
    return found


def _type(names: Mapping[Index, object], code: object) -> str:
    known = names.get((code,)) if isinstance(code, int) else None
    return text(known) if isinstance(known, str | bytes) else ""


def _bits(hw: int) -> tuple[int, int]:
    """Slot and number of a tmnxHwIndex: class(8) | physChassisClass(8) | slot(8) | number(8)."""
    return hw >> 8 & 0xFF, hw & 0xFF


def _place(hw: int, kind: str, name: str, places: Mapping[int, tuple[str, str, str]]) -> tuple[str, str, str]:
    if hw in places:
        slot, sub, equipped = places[hw]
        named = _IN_SLOT.search(name) if kind == "CPM" else None
        return (named[1].upper() if named else slot), sub, equipped
    slot_bits, number_bits = _bits(hw)
    if kind == "MDA":
        return str(slot_bits), str(number_bits), ""
    named = _IN_SLOT.search(name)
    return (named[1].upper() if named else str(slot_bits or number_bits)), "", ""


def equipment(reading: Reading) -> tuple[ObservedEquipment, ...]:
    """tmnxHwTable, and the ports below it."""
    places = _places(reading)
    parts = [part for index in reading.column(HW_CLASS) if (part := _hardware(reading, index, places)) is not None]
    return first_by_fdn([*parts, *_ports(reading)])


def _hardware(reading: Reading, index: Index, places: Mapping[int, tuple[str, str, str]]) -> ObservedEquipment | None:
    kind = enum_name(reading.column(HW_CLASS).get(index), CLASSES, "")
    if not kind:
        return None
    hw, name, address = index[-1], text(reading.column(HW_NAME).get(index)), reading.address
    slot, sub, equipped = _place(hw, kind, name, places)
    shelf, count = shelf_fdn(address, str(index[0])), str(_bits(hw)[1] or 1)
    card = card_fdn(address, slot, str(index[0]))
    fdn, parent = {
        "CHASSIS": (shelf_fdn(address, count), network_fdn(address)),
        "CARD": (card, shelf),
        "CPM": (card, shelf),
        "MDA": (mda_fdn(card, sub), card),
        "FAN": (f"{shelf}:fan-{count}", shelf),
        "POWER_SUPPLY": (f"{shelf}:powerSupply-{count}", shelf),
        "FABRIC": (f"{shelf}:fabric-{slot}", shelf),
    }[kind]
    state = reading.column(HW_OPER).get(index)
    return ObservedEquipment(
        fdn=fdn,
        parent_fdn=parent,
        equipment_class=kind,
        slot=f"{slot}/{sub}" if kind == "MDA" else slot if kind in ("CARD", "CPM", "FABRIC") else count,
        name=name,
        type=equipped,
        serial_number=text(reading.column(HW_SERIAL).get(index)),
        software_version=text(reading.column(HW_SOFTWARE).get(index)),
        admin_state=enum_name(reading.column(HW_ADMIN).get(index), ADMIN),
        oper_state=enum_name(state, OPER),
        reason=text(reading.column(HW_REASON).get(index)) or enum_name(state, WORDS, ""),
        extra={"hwIndex": hw},
    )


def _ports(reading: Reading) -> Iterator[ObservedEquipment]:
    for index, value in reading.column(PORT_NAME).items():
        name = text(value)
        slot, *rest = name.split("/")
        if not rest:
            continue  # a LAG or the like: an interface, and no hardware
        card = card_fdn(reading.address, slot, str(index[0]))
        parent = mda_fdn(card, rest[0]) if len(rest) > 1 else card
        oper = enum_name(reading.column(PORT_OPER).get(index), PORT_OPERS)
        admin = enum_name(reading.column(PORT_ADMIN).get(index), PORT_ADMINS)
        state = enum_name(reading.column(PORT_STATE).get(index), PORT_STATES, "")
        yield ObservedEquipment(
            fdn=f"{parent}:port-{'/'.join(rest[1:] or rest)}",
            parent_fdn=parent,
            equipment_class="PORT",
            slot=name,
            name=f"Port {name}",
            admin_state=admin,
            oper_state=oper,
            reason="" if oper == "IN_SERVICE" else "administratively down" if admin == "DOWN" else state,
            if_index=index[-1],
            extra={"description": text(reading.column(PORT_DESCRIPTION).get(index))},
        )


def interfaces(reading: Reading) -> Iterator[ObservedInterface]:
    """The rows of ifTable: ports, aggregations and router interfaces; vRtrIfTable has the ports of the latter."""
    ports: dict[int, set[int | None]] = {}
    for index, value in reading.column(ROUTER_IF_PORT).items():
        ports.setdefault(index[-1], set()).add(number(value) or None)  # 0: a loopback, or of no port yet
    for interface in standard.interfaces(reading):
        known = ports.get(interface.if_index, {None})
        yield replace(interface, port_if_index=next(iter(known)) if len(known) == 1 else None)  # of several: not known


def bgp_peers(reading: Reading) -> Iterator[ObservedBgpPeer]:
    """tBgpPeerNgTable, all routing instances; software without it has BGP4-MIB."""
    rows = reading.column(PEER_STATE)
    if not rows:
        yield from standard.bgp_peers(reading)
    shut = reading.column(PEER_SHUTDOWN)
    for index, state in rows.items():
        router = text(reading.column(ROUTER_NAME).get((index[0],))) or f"vRouter {index[0]}"
        yield ObservedBgpPeer(
            vrf="" if router == "Base" else router,
            peer_address=standard.inet_address(index[1:]),
            remote_as=number(reading.column(PEER_AS).get(index)),
            admin_state=enum_name(shut.get(index), {1: "DOWN", 2: "UP"}),
            state=enum_name(state, standard.BGP_STATES),
        )


def facts(reading: Reading) -> Iterator[ObservedFact]:
    """Boot configuration, licence, synchronisation of the control cards, and the element's own active alarms."""
    for name, scalar, words in (("boot_config", CONFIG_STATUS, CONFIG), ("redundancy_sync", SYNC_STATUS, SYNC)):
        if scalar in reading.scalars:
            yield ObservedFact(name, "", enum_name(reading.scalars[scalar], words, "unknown"))
    for name, scalar in (("last_failover_reason", FAILOVER_REASON), ("licence", LICENCE_STATUS)):
        if reason := text(reading.scalars.get(scalar)):
            yield ObservedFact(name, "", reason[:255])
    cards = {part.extra["hwIndex"]: part.fdn for part in equipment(reading) if part.equipment_class == "CPM"}
    for index, value in reading.column(CPM_REDUNDANT).items():
        card = cards.get(number(reading.column(CPM_HW).get(index)) or 0)
        if card is not None:
            yield ObservedFact("redundancy", card, enum_name(value, REDUNDANT, "unknown"))
    yield from _open_alarms(reading)


def _open_alarms(reading: Reading) -> Iterator[ObservedFact]:
    """By their texts, as row numbers are arbitrary; the value is the notification that raised the alarm."""
    notifications = reading.column(ALARM_NOTIFICATION)
    found = {text(words)[:255]: text(notifications.get(index)) for index, words in reading.column(ALARM_TEXT).items()}
    yield from (ObservedFact("active_alarm", words, oid) for words, oid in sorted(found.items()) if words)


_SOFTWARE = re.compile(r"TiMOS-[\w.-]+")
_PRODUCT = re.compile(r"(?:nokia|alcatel-lucent|alcatel)\s+(.+?)\s+(?:copyright|\(c\))", re.IGNORECASE)

DRIVER = Driver(
    name="nokia-sros",
    object_ids=("1.3.6.1.4.1.6527",),
    sources={
        "EQUIPMENT": TableSource(
            columns=(
                *(HW_SERIAL, HW_CLASS, HW_NAME, HW_ADMIN, HW_OPER, HW_SOFTWARE, HW_REASON),
                *(CARD_TYPE, CARD_HW, CPM_TYPE, CPM_HW, MDA_TYPE, MDA_HW, CARD_TYPE_NAME, MDA_TYPE_NAME),
                *(PORT_DESCRIPTION, PORT_NAME, PORT_ADMIN, PORT_OPER, PORT_STATE),
            ),
            states=(HW_ADMIN, HW_OPER, PORT_ADMIN, PORT_OPER),
        ),
        "INTERFACES": replace(standard.INTERFACES, columns=(*standard.INTERFACES.columns, ROUTER_IF_PORT)),
        "NEIGHBOURS": bfd.SROS,
        "BGP": TableSource(
            columns=(PEER_SHUTDOWN, PEER_STATE, PEER_AS, ROUTER_NAME, *standard.BGP.columns),
            states=(PEER_SHUTDOWN, PEER_STATE, *standard.BGP.states),
        ),
        "FACTS": TableSource(
            columns=(
                *(HW_CLASS, HW_NAME, HW_OPER, CARD_HW, MDA_HW, CPM_HW, CPM_REDUNDANT),
                *(ALARM_NOTIFICATION, ALARM_TEXT),
            ),
            states=(CPM_REDUNDANT, ALARM_TEXT),
            scalars=(CONFIG_STATUS, SYNC_STATUS, FAILOVER_REASON, LICENCE_STATUS),
        ),
    },
    equipment=equipment,
    interfaces=interfaces,
    bgp_peers=bgp_peers,
    adjacencies=bfd.sros_adjacencies,
    facts=facts,
    chassis_type=lambda descr: found[1] if (found := _PRODUCT.search(descr)) else "",
    software_version=lambda descr: found[0] if (found := _SOFTWARE.search(descr)) else "",
    lists_alarms=True,
    counts_traps=True,
)
