"""ENTITY-MIB (RFC 6933), HUAWEI-ENTITY-EXTENT-MIB, -ALARM-MIB and -CONFIG-MAN-MIB of a VRP router.

An absent board has no row, but its slot has one. Every virtual system has rows for all boards and for its own ports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from routersim.mibs.logs import notifier
from routersim.mibs.standard import bfd_ports, bfd_state, dotted
from routersim.model.conditions import Condition, conditions
from routersim.model.element import Chassis, Element
from routersim.model.parts import Card, Oper, Port, Unit, card_state
from routersim.snmp.ber import Oid, Tag, Value
from routersim.snmp.mib import Column, NotWritable, Scope, Table, scalars

CHASSIS_CLASS, CONTAINER_CLASS, POWER_CLASS, FAN_CLASS, MODULE_CLASS, PORT_CLASS = 3, 5, 6, 7, 9, 10
_ENTITY: Oid = (1, 3, 6, 1, 2, 1, 47, 1)
HUAWEI: Oid = (1, 3, 6, 1, 4, 1, 2011, 5, 25)
CONFIG_MAN: Oid = (1, 3, 6, 1, 4, 1, 2011, 6, 10)
STATE_ENTRY: Oid = (*HUAWEI, 31, 1, 1, 1, 1)
CHASSIS_INDEX = 0x0100_0000
SLOT_STEP = 0x0004_0000
NOT_SUPPORTED = 1


@dataclass(frozen=True, slots=True)
class Entity:
    """A row of entPhysicalTable."""

    index: int
    entity_class: int
    name: str
    parent: int
    position: int
    part: Chassis | Card | Port | Unit | None
    description: str = ""
    serial: str = ""
    card: Card | None = None


def slot_index(slot: str) -> int:
    return CHASSIS_INDEX + int(slot) * SLOT_STEP


def board_index(card: Card) -> int:
    return slot_index(card.slot) + 1


BOARD_WORDS = {"line": "LPU", "control": "MPU", "fabric": "SFU"}


def board_name(card: Card) -> str:
    return f"{BOARD_WORDS[card.role]} Board {card.slot}"


def _slot(element: Element, card: Card) -> Iterator[Entity]:
    slot, board = slot_index(card.slot), board_index(card)
    yield Entity(slot, CONTAINER_CLASS, f"Slot {card.slot}", CHASSIS_INDEX, int(card.slot), None)
    if not card.equipped:
        return
    yield Entity(board, MODULE_CLASS, board_name(card), slot, 1, card, card.type, card.serial, card)
    for mda in card.mdas:
        for number, port in enumerate(mda.ports, start=1):
            if port.owner == element.system:
                place = board + mda.slot * 0x1000 + number
                yield Entity(place, PORT_CLASS, port.name, board, number, port, "100GE port", card=card)


def entities(element: Element) -> Iterator[Entity]:
    chassis = element.chassis
    yield Entity(CHASSIS_INDEX, CHASSIS_CLASS, f"{chassis.type} frame", 0, 1, chassis, chassis.type, chassis.serial)
    for card in chassis.cards:
        yield from _slot(element, card)
    for number, unit in enumerate((*chassis.fans, *chassis.power)):
        fan = unit in chassis.fans
        name = f"{'FAN' if fan else 'PWR'} {unit.number}"
        index = CHASSIS_INDEX + (100 + number) * SLOT_STEP
        yield Entity(index, FAN_CLASS if fan else POWER_CLASS, name, CHASSIS_INDEX, 100 + number, unit, unit.type)


def _rows(scope: Scope) -> Mapping[Oid, Entity]:
    return {(entity.index,): entity for entity in entities(scope.element)}


def _entity(read: Callable[[Entity], Value | None]) -> Callable[[Scope, Entity], Value | None]:
    return lambda _scope, entity: read(entity)


def _software(scope: Scope, entity: Entity) -> str:
    return scope.element.software if entity.entity_class in (MODULE_CLASS, CHASSIS_CLASS) else ""


PHYSICAL = Table(
    "entPhysicalTable",
    (*_ENTITY, 1, 1, 1),
    _rows,
    (
        Column(2, "entPhysicalDescr", Tag.OCTETS, _entity(lambda e: e.description or e.name)),
        Column(3, "entPhysicalVendorType", Tag.OID, _entity(lambda _: (0, 0))),
        Column(4, "entPhysicalContainedIn", Tag.INTEGER, _entity(lambda e: e.parent)),
        Column(5, "entPhysicalClass", Tag.INTEGER, _entity(lambda e: e.entity_class)),
        Column(6, "entPhysicalParentRelPos", Tag.INTEGER, _entity(lambda e: e.position)),
        Column(7, "entPhysicalName", Tag.OCTETS, _entity(lambda e: e.name)),
        Column(10, "entPhysicalSoftwareRev", Tag.OCTETS, _software),
        Column(11, "entPhysicalSerialNum", Tag.OCTETS, _entity(lambda e: e.serial)),
        Column(12, "entPhysicalMfgName", Tag.OCTETS, _entity(lambda _: "Huawei")),
        Column(13, "entPhysicalModelName", Tag.OCTETS, _entity(lambda e: e.description)),
        Column(16, "entPhysicalIsFRU", Tag.INTEGER, _entity(lambda e: 1 if e.entity_class == MODULE_CLASS else 2)),
    ),
    live=True,
)


def _aliases(scope: Scope) -> Mapping[Oid, Port]:
    """The index is the entity, and logical entity 0 (all)."""
    return {(e.index, 0): e.part for e in entities(scope.element) if isinstance(e.part, Port)}


ALIASES = Table(
    "entAliasMappingTable",
    (*_ENTITY, 3, 2, 1),
    _aliases,
    (Column(2, "entAliasMappingIdentifier", Tag.OID, lambda _, port: (1, 3, 6, 1, 2, 1, 2, 2, 1, 1, port.index)),),
    live=True,
)


def _oper(scope: Scope, entity: Entity) -> int:
    """HwOperState: notSupported 1, disabled 2, enabled 3, offline 4."""
    match entity.part:
        case Card() as card:
            states = {Oper.IN_SERVICE: 3, Oper.OUT_OF_SERVICE: 2, Oper.FAILED: 2, Oper.BOOTING: 4}
            return states.get(card_state(card, scope.now), 4)
        case Port() as port:
            return 3 if port.up else 2
        case Unit() as unit:
            return 2 if unit.failure else 3
    return NOT_SUPPORTED


def _admin(_scope: Scope, entity: Entity) -> int:
    """HwAdminState: locked 2, unlocked 4."""
    return 4 if getattr(entity.part, "admin_up", True) else 2


def _set_admin(_scope: Scope, entity: Entity, value: int) -> None:
    if value not in (2, 4) or not isinstance(entity.part, Card | Port):
        raise NotWritable(f"hwEntityAdminStatus {value} of {entity.name}")
    entity.part.admin_up = value == 4


def _standby(scope: Scope, entity: Entity) -> int:
    """HwStandbyStatus: notSupported 1, hotStandby 2, coldStandby 3, providingService 4."""
    card = entity.part
    if not isinstance(card, Card) or card.role != "control":
        return NOT_SUPPORTED
    if card.slot == scope.element.chassis.active_control:
        return 4
    return 2 if card_state(card, scope.now) is Oper.IN_SERVICE else 3


def _alarm_light(scope: Scope, entity: Entity) -> Value:
    """HwAlarmStatus, BITS: critical is bit 3, major bit 4; none is all zero."""
    failed = isinstance(entity.part, Card | Unit) and bool(entity.part.failure)
    return b"\x10" if failed else b"\x00"


def _usage(which: str) -> Callable[[Scope, Entity], Value]:
    """Return a reader of the load of running boards; it is 0 for other entities, as in VRP."""

    def read(scope: Scope, entity: Entity) -> int:
        running = isinstance(entity.part, Card) and card_state(entity.part, scope.now) is Oper.IN_SERVICE
        return int(getattr(scope.element, which)) if running else 0

    return read


STATE = Table(
    "hwEntityStateTable",
    STATE_ENTRY,
    _rows,
    (
        Column(1, "hwEntityAdminStatus", Tag.INTEGER, _admin, _set_admin),
        Column(2, "hwEntityOperStatus", Tag.INTEGER, _oper),
        Column(3, "hwEntityStandbyStatus", Tag.INTEGER, _standby),
        Column(4, "hwEntityAlarmLight", Tag.OCTETS, _alarm_light),
        Column(5, "hwEntityCpuUsage", Tag.INTEGER, _usage("cpu")),
        Column(6, "hwEntityCpuUsageThreshold", Tag.INTEGER, lambda *_: 95),
        Column(7, "hwEntityMemUsage", Tag.INTEGER, _usage("memory")),
        Column(8, "hwEntityMemUsageThreshold", Tag.INTEGER, lambda *_: 95),
        Column(11, "hwEntityTemperature", Tag.INTEGER, lambda _, e: 33 if isinstance(e.part, Card) else 0),
    ),
    live=True,
)


def _alarms(scope: Scope) -> Mapping[Oid, tuple[int, Condition]]:
    """The index is the first trap target (1) and a number."""
    found = enumerate(conditions(scope.element, scope.now), start=1)
    return {(1, number): (number, condition) for number, condition in found}


def _parameters(_scope: Scope, row: tuple[int, Condition]) -> str:
    """hwActiveAlarmPara: its real format is proprietary; ours is text."""
    condition = row[1]
    return f"{condition.severity}: {condition.name}: {condition.where}: {condition.text}"


ALARMS = Table(
    "hwAlarmActiveTable",
    (*HUAWEI, 180, 1, 8, 1),
    _alarms,
    (
        Column(2, "hwActiveAlarmId", Tag.COUNTER64, lambda _, row: row[0]),
        Column(3, "hwActiveAlarmPara", Tag.OCTETS, _parameters),
    ),
    live=True,
)
SYNC = Table(
    "hwSnmpTargetSyncIndexTable",
    (*HUAWEI, 180, 1, 28, 1),
    lambda scope: {(1,): scope.element},
    (
        Column(1, "hwMinAlmSyncIndex", Tag.GAUGE32, lambda s, e: e.sequence - len(notifier(s).log) + 1),
        Column(2, "hwMaxAlmSyncIndex", Tag.GAUGE32, lambda _, e: e.sequence),
    ),
)


def _configured(_scope: Scope, element: Element) -> int:
    """Return sysUpTime of the last change of the configuration; 0 if that was before the last boot."""
    return max(0, int(100 * (element.configured - element.booted)))


CONFIGURED = scalars("hwCfgLog", (*CONFIG_MAN, 1, 1), Column(1, "hwCfgRunModifiedLast", Tag.TIMETICKS, _configured))
BFD: Oid = (*HUAWEI, 38)
BFD_SESSIONS = Table(
    "hwBfdSessionTable",
    (*BFD, 2, 3, 1),
    lambda scope: {(port.index,): port for port in bfd_ports(scope)},
    (
        Column(5, "hwBfdSessPeerAddr", Tag.IP_ADDRESS, lambda _, port: bytes(dotted(port.far_address))),
        Column(6, "hwBfdSessBindIfIndex", Tag.INTEGER, lambda _, port: port.index),
        Column(7, "hwBfdSessBindIfName", Tag.OCTETS, lambda _, port: port.name),
        Column(17, "hwBfdSessState", Tag.INTEGER, lambda _, port: bfd_state(port)),
    ),
    live=True,
)
TABLES: tuple[Table, ...] = (PHYSICAL, ALIASES, STATE, ALARMS, SYNC, CONFIGURED, BFD_SESSIONS)
