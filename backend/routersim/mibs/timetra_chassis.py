"""TIMETRA-CHASSIS-MIB with chassis, all hardware, cards, control cards and adapters.

tmnxHwIndex is class (8 bits), class of chassis (8), slot (8), number (8). Control cards have slot numbers after those
of the line cards, as on a 7750 SR-12 (10 line cards, A is 11 and B is 12).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from routersim.clock import date_and_time
from routersim.mibs.standard import base_mac
from routersim.model.element import Chassis, Element
from routersim.model.kinds import SROS_CONTROLS
from routersim.model.parts import Card, Mda, Oper, Unit, card_state, mda_state
from routersim.snmp.ber import Oid, Tag, Value
from routersim.snmp.mib import Column, NotWritable, Scope, Table

TIMETRA: Oid = (1, 3, 6, 1, 4, 1, 6527, 3, 1, 2)
HW: Oid = (*TIMETRA, 2)
HW_ENTRY: Oid = (*HW, 1, 8, 1)
CHASSIS_CLASS, POWER_CLASS, FAN_CLASS, IOM_CLASS, CPM_CLASS, MDA_CLASS = 3, 5, 6, 8, 9, 11
IN_SERVICE, OUT_OF_SERVICE = 2, 3
TYPES = (
    "unassigned", "iom3-xp", "iom-v", "iom-v-mg", "sfm4-12", "cpm-v",
    "m10-10gb-sfp+", "m20-v", "isa-mg-v", "isa-ms-v", "7750 SR-12", "VSR",
)  # fmt: skip
"""The types, whose position from 1 is their number; the tables of types map numbers to names, as on a router."""


def slot_number(element: Element, slot: str) -> int:
    """TmnxSlotNum."""
    return element.chassis.slots + 1 + SROS_CONTROLS.index(slot) if slot in SROS_CONTROLS else int(slot)


def type_number(name: str) -> int:
    return TYPES.index(name) + 1 if name in TYPES else 1


@dataclass(frozen=True, slots=True)
class Hardware:
    """A row of tmnxHwTable."""

    index: int
    hw_class: int
    name: str
    parent: int
    position: int
    row: Oid
    """The RowPointer to the table of its class."""
    part: Chassis | Card | Mda | Unit
    card: Card | None = None

    def state(self, now: float) -> Oper:
        match self.part:
            case Card() as card:
                return card_state(card, now)
            case Mda() as mda:
                assert self.card is not None
                return mda_state(self.card, mda, now)
            case Unit() as unit:
                return Oper.FAILED if unit.failure else Oper.IN_SERVICE
        return Oper.IN_SERVICE

    def present(self, now: float) -> bool:
        return self.state(now) is not Oper.PROVISIONED

    def failure(self) -> str:
        return getattr(self.part, "failure", "")


CHASSIS_INDEX = CHASSIS_CLASS << 24 | 1


def card_index(element: Element, card: Card) -> int:
    number = slot_number(element, card.slot)
    return CPM_CLASS << 24 | number << 8 | 1 if card.role == "control" else IOM_CLASS << 24 | number


def mda_index(element: Element, card: Card, mda: Mda) -> int:
    return MDA_CLASS << 24 | slot_number(element, card.slot) << 8 | mda.slot


def _card_hardware(element: Element, card: Card) -> Iterator[Hardware]:
    index, number = card_index(element, card), slot_number(element, card.slot)
    control = card.role == "control"
    row = (*HW, 3, 4, 1, 7, 1, number, 1) if control else (*HW, 3, 2, 1, 6, 1, number)
    hw_class = CPM_CLASS if control else IOM_CLASS
    yield Hardware(index, hw_class, f"Slot {card.slot}", CHASSIS_INDEX, number, row, card)
    for mda in card.mdas:
        place = mda_index(element, card, mda)
        row = (*HW, 3, 8, 1, 6, 1, number, mda.slot)
        yield Hardware(place, MDA_CLASS, f"MDA {card.slot}/{mda.slot}", index, mda.slot, row, mda, card)


def hardware(element: Element) -> Iterator[Hardware]:
    """Yield every part, the chassis first."""
    chassis = element.chassis
    yield Hardware(CHASSIS_INDEX, CHASSIS_CLASS, "Chassis 1", 0, -1, (*HW, 1, 3, 1, 4, 1), chassis)
    for card in chassis.cards:
        yield from _card_hardware(element, card)
    for fan in chassis.fans:
        row = (*HW, 1, 4, 1, 2, 1, fan.number)
        yield Hardware(
            FAN_CLASS << 24 | fan.number, FAN_CLASS, f"Fan {fan.number}", CHASSIS_INDEX, fan.number, row, fan
        )
    for unit in chassis.power:
        row, name = (*HW, 1, 5, 1, 6, 1, unit.number), f"Power Supply {unit.number}"
        yield Hardware(POWER_CLASS << 24 | unit.number, POWER_CLASS, name, CHASSIS_INDEX, unit.number, row, unit)


def _hw(read: Callable[[Hardware], Value | None]) -> Callable[[Scope, Hardware], Value | None]:
    return lambda _scope, hw: read(hw)


def _if_present(read: Callable[[Element, Hardware], Value]) -> Callable[[Scope, Hardware], Value]:
    """Return a reader of text that is empty for a part that is configured but absent."""
    return lambda scope, hw: read(scope.element, hw) if hw.present(scope.now) else ""


def _serial(_element: Element, hw: Hardware) -> str:
    return getattr(hw.part, "serial", "")


def _software(element: Element, hw: Hardware) -> str:
    return element.software if hw.hw_class in (IOM_CLASS, CPM_CLASS) else ""


def _since(scope: Scope, hw: Hardware) -> bytes:
    return date_and_time(max(scope.element.booted, getattr(hw.part, "since", 0.0)))


def _temperature(scope: Scope, hw: Hardware) -> int:
    if hw.hw_class not in (IOM_CLASS, CPM_CLASS, MDA_CLASS) or not hw.present(scope.now):
        return -1
    return 38 + hw.index % 7


def _admin(_scope: Scope, hw: Hardware) -> int:
    return IN_SERVICE if getattr(hw.part, "admin_up", True) else OUT_OF_SERVICE


def _set_admin(_scope: Scope, hw: Hardware, value: int) -> None:
    if value not in (IN_SERVICE, OUT_OF_SERVICE) or not isinstance(hw.part, Card | Mda):
        raise NotWritable(f"tmnxHwAdminState {value} of {hw.name}")
    hw.part.admin_up = value == IN_SERVICE


def _alarm(scope: Scope, hw: Hardware) -> int:
    """alarmActive 1, alarmCleared 2."""
    return 1 if hw.state(scope.now) in (Oper.FAILED, Oper.PROVISIONED) else 2


HW_TABLE = Table(
    "tmnxHwTable",
    HW_ENTRY,
    lambda scope: {(1, hw.index): hw for hw in hardware(scope.element)},
    (
        Column(2, "tmnxHwID", Tag.OID, _hw(lambda h: h.row)),
        Column(3, "tmnxHwMfgString", Tag.OCTETS, _hw(lambda _: "Nokia")),
        Column(5, "tmnxHwSerialNumber", Tag.OCTETS, _if_present(_serial)),
        Column(7, "tmnxHwClass", Tag.INTEGER, _hw(lambda h: h.hw_class)),
        Column(8, "tmnxHwName", Tag.OCTETS, _hw(lambda h: h.name)),
        Column(9, "tmnxHwAlias", Tag.OCTETS, _hw(lambda _: "")),
        Column(12, "tmnxHwIsFRU", Tag.INTEGER, _hw(lambda h: 2 if h.hw_class == CHASSIS_CLASS else 1)),
        Column(13, "tmnxHwContainedIn", Tag.INTEGER, _hw(lambda h: h.parent)),
        Column(14, "tmnxHwParentRelPos", Tag.INTEGER, _hw(lambda h: h.position)),
        Column(15, "tmnxHwAdminState", Tag.INTEGER, _admin, _set_admin),
        Column(16, "tmnxHwOperState", Tag.INTEGER, lambda s, h: int(h.state(s.now))),
        Column(17, "tmnxHwTempSensor", Tag.INTEGER, lambda s, h: 2 if _temperature(s, h) < 0 else 1),
        Column(18, "tmnxHwTemperature", Tag.INTEGER, _temperature),
        Column(19, "tmnxHwTempThreshold", Tag.INTEGER, lambda s, h: -1 if _temperature(s, h) < 0 else 75),
        Column(21, "tmnxHwSoftwareCodeVersion", Tag.OCTETS, _if_present(_software)),
        Column(22, "tmnxHwSwLastBoot", Tag.OCTETS, _since),
        Column(24, "tmnxHwAlarmState", Tag.INTEGER, _alarm),
        Column(29, "tmnxHwBaseMacAddress", Tag.OCTETS, lambda s, h: base_mac(s.element, h.index & 0xFFFF)),
        Column(30, "tmnxHwFailureReason", Tag.OCTETS, _hw(Hardware.failure)),
    ),
)


def _chassis(read: Callable[[Chassis], Value]) -> Callable[[Scope, Chassis], Value]:
    return lambda _scope, chassis: read(chassis)


CHASSIS_TABLE = Table(
    "tmnxChassisTable",
    (*HW, 1, 3, 1),
    lambda scope: {(1,): scope.element.chassis},
    (
        Column(3, "tmnxChassisName", Tag.OCTETS, lambda s, _: s.element.sys_name),
        Column(4, "tmnxChassisType", Tag.GAUGE32, _chassis(lambda c: type_number(c.type))),
        Column(5, "tmnxChassisLocation", Tag.OCTETS, lambda s, _: s.element.location),
        Column(7, "tmnxChassisNumSlots", Tag.GAUGE32, _chassis(lambda c: c.slots + 2)),
        Column(8, "tmnxChassisNumPorts", Tag.GAUGE32, _chassis(lambda c: sum(1 for _ in c.ports()))),
        Column(9, "tmnxChassisNumPwrSupplies", Tag.GAUGE32, _chassis(lambda c: len(c.power))),
        Column(10, "tmnxChassisNumFanTrays", Tag.GAUGE32, _chassis(lambda c: len(c.fans))),
        Column(15, "tmnxChassisBaseMacAddress", Tag.OCTETS, lambda s, _: base_mac(s.element, 0)),
    ),
)


def _units(which: str) -> Callable[[Scope], Mapping[Oid, Unit]]:
    return lambda scope: {(1, unit.number): unit for unit in getattr(scope.element.chassis, which)}


def _device(_scope: Scope, unit: Unit) -> int:
    """TmnxDeviceState: deviceStateOk 3, deviceStateFailed 4."""
    return 4 if unit.failure else 3


FAN_TABLE = Table(
    "tmnxChassisFanTable", (*HW, 1, 4, 1), _units("fans"),
    (Column(2, "tmnxChassisFanOperStatus", Tag.INTEGER, _device),
     Column(3, "tmnxChassisFanSpeed", Tag.INTEGER, lambda *_: 2)),
)  # fmt: skip
POWER_TABLE = Table(
    "tmnxChassisPowerSupplyTable", (*HW, 1, 5, 1), _units("power"),
    (Column(6, "tmnxChassisPowerSupply1Status", Tag.INTEGER, _device),),
)  # fmt: skip


def _cards(role: str, tail: Oid) -> Callable[[Scope], Mapping[Oid, Card]]:
    def rows(scope: Scope) -> Mapping[Oid, Card]:
        cards = (card for card in scope.element.chassis.cards if card.role == role)
        return {(1, slot_number(scope.element, card.slot), *tail): card for card in cards}

    return rows


def _assigned(_scope: Scope, part: Any) -> int:
    return type_number(part.type)


def _equipped(_scope: Scope, part: Any) -> int:
    return type_number(part.type) if part.equipped else 1


CARD_TABLE = Table(
    "tmnxCardTable",
    (*HW, 3, 2, 1),
    _cards("line", ()),
    (
        Column(4, "tmnxCardAssignedType", Tag.GAUGE32, _assigned),
        Column(5, "tmnxCardEquippedType", Tag.GAUGE32, _equipped),
        Column(6, "tmnxCardHwIndex", Tag.INTEGER, lambda s, c: card_index(s.element, c)),
        Column(11, "tmnxCardNumMdaSlots", Tag.GAUGE32, lambda _, c: max(2, len(c.mdas))),
        Column(12, "tmnxCardNumMdas", Tag.GAUGE32, lambda _, c: len(c.mdas)),
    ),
)


def _redundant(scope: Scope, card: Card) -> int:
    """singleton 1, redundantActive 2, redundantStandby 3, redundantDisabled 5."""
    controls = [other for other in scope.element.chassis.cards if other.role == "control"]
    if card.slot == scope.element.chassis.active_control:
        return 2 if len(controls) > 1 else 1
    return 3 if card_state(card, scope.now) is Oper.IN_SERVICE else 5


def _switch_over(scope: Scope, card: Card, value: int) -> None:
    """tmnxCpmCardSwitchToRedundantCard: doAction 1."""
    if value != 1 or not scope.parts["switch_over"]():
        raise NotWritable("no standby is ready")


CPM_TABLE = Table(
    "tmnxCpmCardTable",
    (*HW, 3, 4, 1),
    _cards("control", (1,)),
    (
        Column(5, "tmnxCpmCardAssignedType", Tag.GAUGE32, _assigned),
        Column(6, "tmnxCpmCardEquippedType", Tag.GAUGE32, _equipped),
        Column(7, "tmnxCpmCardHwIndex", Tag.INTEGER, lambda s, c: card_index(s.element, c)),
        Column(14, "tmnxCpmCardRedundant", Tag.INTEGER, _redundant),
        Column(19, "tmnxCpmCardSwitchToRedundantCard", Tag.INTEGER, lambda *_: 2, _switch_over),
    ),
)


def _mdas(scope: Scope) -> Mapping[Oid, tuple[Card, Mda]]:
    element = scope.element
    return {
        (1, slot_number(element, card.slot), mda.slot): (card, mda)
        for card in element.chassis.cards
        for mda in card.mdas
    }


MDA_TABLE = Table(
    "tmnxMDATable",
    (*HW, 3, 8, 1),
    _mdas,
    (
        Column(4, "tmnxMDAAssignedType", Tag.GAUGE32, lambda s, row: _assigned(s, row[1])),
        Column(5, "tmnxMDAEquippedType", Tag.GAUGE32,
               lambda s, row: _equipped(s, row[1]) if row[0].equipped else 1),
        Column(6, "tmnxMDAHwIndex", Tag.INTEGER, lambda s, row: mda_index(s.element, *row)),
        Column(7, "tmnxMDAMaxPorts", Tag.INTEGER, lambda _, row: len(row[1].ports)),
        Column(8, "tmnxMDAEquippedPorts", Tag.GAUGE32,
               lambda s, row: len(row[1].ports) if row[0].equipped and row[1].equipped else 0),
    ),
)  # fmt: skip


def _type_table(name: str, entry: Oid) -> Table:
    return Table(
        name,
        entry,
        lambda _: {(number,): text for number, text in enumerate(TYPES, start=1)},
        (Column(2, f"{name[:-5]}Name", Tag.OCTETS, lambda _, text: text),),
    )


TABLES: tuple[Table, ...] = (
    CHASSIS_TABLE, FAN_TABLE, POWER_TABLE, HW_TABLE, CARD_TABLE, CPM_TABLE, MDA_TABLE,
    _type_table("tmnxChassisTypeTable", (*HW, 1, 6, 1)),
    _type_table("tmnxCardTypeTable", (*HW, 3, 9, 1)),
    _type_table("tmnxMdaTypeTable", (*HW, 3, 10, 1)),
)  # fmt: skip
