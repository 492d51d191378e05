"""The equipment tree of Nokia SR OS: TIMETRA-CHASSIS-MIB and TIMETRA-PORT-MIB."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from vnfm.devices.types import Index, Value
from vnfm.elements.domain.drivers.base import (
    ROW_INDEXES,
    Reading,
    UnusableRowError,
    card_fdn,
    enum_name,
    mda_fdn,
    network_fdn,
    number,
    shelf_fdn,
    text,
)
from vnfm.elements.domain.snapshot import ObservedEquipment, Omission
from vnfm.kit.patterns import pattern

_TIMETRA = "1.3.6.1.4.1.6527.3.1.2"
_HW = f"{_TIMETRA}.2.1.8.1"
HW_SERIAL, HW_CLASS, HW_NAME = (f"{_HW}.{n}" for n in (5, 7, 8))
HW_ADMIN, HW_OPER, HW_SOFTWARE, HW_REASON = (f"{_HW}.{n}" for n in (15, 16, 21, 30))
_CARDS = f"{_TIMETRA}.2.3"
CARD_TYPE, CARD_HW = f"{_CARDS}.2.1.5", f"{_CARDS}.2.1.6"
CPM_TYPE, CPM_HW, CPM_REDUNDANT = (f"{_CARDS}.4.1.{n}" for n in (6, 7, 14))
MDA_TYPE, MDA_HW = f"{_CARDS}.8.1.5", f"{_CARDS}.8.1.6"
CARD_TYPE_NAME, MDA_TYPE_NAME = f"{_CARDS}.9.1.2", f"{_CARDS}.10.1.2"
_PORT = f"{_TIMETRA}.2.4.2.1"
PORT_DESCRIPTION, PORT_NAME = f"{_PORT}.5", f"{_PORT}.6"
PORT_ADMIN, PORT_OPER, PORT_STATE = (f"{_PORT}.{n}" for n in (37, 38, 39))

COLUMNS = (
    *(HW_SERIAL, HW_CLASS, HW_NAME, HW_ADMIN, HW_OPER, HW_SOFTWARE, HW_REASON),
    *(CARD_TYPE, CARD_HW, CPM_TYPE, CPM_HW, MDA_TYPE, MDA_HW, CARD_TYPE_NAME, MDA_TYPE_NAME),
    *(PORT_DESCRIPTION, PORT_NAME, PORT_ADMIN, PORT_OPER, PORT_STATE),
)
STATES = (HW_ADMIN, HW_OPER, PORT_ADMIN, PORT_OPER)
IDENTITY = (HW_CLASS, HW_NAME, CARD_HW, CPM_HW, MDA_HW)
"""They decide which parts there are, and where."""

CLASSES = {
    3: "CHASSIS",
    5: "POWER_SUPPLY",
    6: "FAN",
    8: "CARD",
    9: "CPM",
    10: "FABRIC",
    11: "MDA",
    24: "XIOM",
}
"""TmnxHwClass. An XIOM is a card in a card, which holds MDAs."""
OTHER_CLASSES = {
    14: "mcm",
    15: "ccm",
    16: "oesCard",
    17: "oesControlCard",
    18: "oesUserPanel",
    19: "alarmInputModule",
    20: "pcm",
    21: "powerShelf",
    22: "powerShelfController",
    23: "cpmCarrier",
}
"""Parts without a class of ours. A class that is not known yet is one, too."""
NO_PARTS = {4: "container", 7: "sensor", 12: "flashDiskModule", 13: "port"}
"""Not in the tree; ports come from their own table."""

ADMIN = {2: "UP", 3: "DOWN"}
OPER = {
    1: "UNKNOWN",
    2: "IN_SERVICE",
    3: "OUT_OF_SERVICE",
    4: "DIAGNOSING",
    5: "FAILED",
    6: "BOOTING",
    7: "EMPTY",  # a slot without a card, for which none is configured
    8: "PROVISIONED",  # a slot is configured and has no card: what a dead VM looks like (domain facts, 4.1)
    9: "OUT_OF_SERVICE",
    10: "BOOTING",
    11: "BOOTING",
    12: "IN_SERVICE",
    13: "IN_SERVICE",
    14: "BOOTING",
    15: "BOOTING",
    16: "EMPTY",
    17: "BOOTING",
}
WORDS = {
    9: "unprovisioned",
    10: "upgrade",
    11: "downgrade",
    14: "resetPending",
    15: "softReset",
    16: "preExtension",
    17: "downloading",
}
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

LONGEST_NAME = 100
"""Characters of a name that a place is read from; TNamedItem has 32 (TIMETRA-TC-MIB)."""
_IN_SLOT = pattern(r"(?i)(?:slot|card|cpm)\s+(\w+)$")
_PATH = pattern(r"(?i)(?:XIOM|MDA)\s+((?:\w+/)+\w+)$")
_LAST_NUMBER = pattern(r"(\d+)\s*$")
_XIOM = pattern(r"x\d+$")
_SATELLITE = pattern(r"[a-z]sat-\d+$")
_CPM_LETTERS = "ABCD"


@dataclass(frozen=True, slots=True)
class _Slot:
    """Where tables of cards have a part, and its equipped type."""

    slot: str
    sub: str = ""
    type: str = ""


def _slots(reading: Reading) -> dict[int, _Slot]:
    """By tmnxHwIndex, from the tables of cards, CPMs and MDAs."""
    names, mda_names = reading.column(CARD_TYPE_NAME), reading.column(MDA_TYPE_NAME)

    def card(index: Index, value: Value) -> tuple[int, _Slot]:
        kind = _type(names, reading.column(CARD_TYPE).get(index))
        return number(value) or 0, _Slot(str(index[-1]), type=kind)

    def cpm(index: Index, value: Value) -> tuple[int, _Slot]:
        letter = _CPM_LETTERS[index[-1] - 1] if 1 <= index[-1] <= len(_CPM_LETTERS) else str(index[-1])
        return number(value) or 0, _Slot(letter, type=_type(names, reading.column(CPM_TYPE).get(index)))

    def mda(index: Index, value: Value) -> tuple[int, _Slot]:
        kind = _type(mda_names, reading.column(MDA_TYPE).get(index))
        return number(value) or 0, _Slot(str(index[-2]), str(index[-1]), kind)

    found = dict(reading.rows(CARD_HW, card)) | dict(reading.rows(CPM_HW, cpm)) | dict(reading.rows(MDA_HW, mda))
    found.pop(0, None)
    return found


def _type(names: Mapping[Index, object], code: object) -> str:
    known = names.get((code,)) if isinstance(code, int) else None
    return text(known) if isinstance(known, str | bytes) else ""


def _bits(hw: int) -> tuple[int, int]:
    """Slot and number of a tmnxHwIndex: class(8) | physChassisClass(8) | slot(8) | number(8)."""
    return hw >> 8 & 0xFF, hw & 0xFF


def equipment(reading: Reading) -> Iterator[ObservedEquipment]:
    """tmnxHwTable, and the ports below it."""
    parts = list(hardware(reading))
    fdns = {part.fdn for part in parts}
    yield from parts
    reading.omit_partial(PORT_NAME)
    ports = list(reading.rows(PORT_NAME, lambda index, value: _port(reading, index, text(value))))
    yield from _satellites(reading, ports, fdns)
    for port in ports:
        yield replace(port, parent_fdn=_nearest(port.parent_fdn, fdns))


def hardware(reading: Reading) -> Iterator[ObservedEquipment]:
    """The rows of tmnxHwTable that are parts."""
    slots = _slots(reading)
    not_parts = Counter(NO_PARTS.get(number(value) or 0, "") for value in reading.column(HW_CLASS).values())

    def part(index: Index, value: Value) -> ObservedEquipment | None:
        return None if number(value) in NO_PARTS else _hardware(reading, index, number(value) or 0, slots)

    reading.omit_partial(HW_CLASS)
    yield from filter(None, reading.rows(HW_CLASS, part))
    for name, count in sorted(not_parts.items()):
        if name:
            words = f"{count} rows of the class {name} are no parts of the equipment tree."
            reading.omissions.append(Omission("tmnxHwTable", "", words))


@dataclass(frozen=True, slots=True)
class _Place:
    fdn: str
    parent_fdn: str
    equipment_class: str
    slot: str
    type: str = ""


def _hardware(reading: Reading, index: Index, code: int, slots: Mapping[int, _Slot]) -> ObservedEquipment:
    chassis, hw = index  # ValueError for half an index
    row = _Row(
        reading.address, str(chassis), hw, text(reading.column(HW_NAME).get(index))[:LONGEST_NAME], slots.get(hw)
    )
    place, state = _place(row, code), reading.column(HW_OPER).get(index)
    unknown = f"tmnxHwOperState {number(state)}" if number(state) not in (None, *OPER) else ""
    return ObservedEquipment(
        fdn=place.fdn,
        parent_fdn=place.parent_fdn,
        equipment_class=place.equipment_class,
        slot=place.slot,
        name=row.name,
        type=place.type,
        serial_number=text(reading.column(HW_SERIAL).get(index)),
        software_version=text(reading.column(HW_SOFTWARE).get(index)),
        admin_state=enum_name(reading.column(HW_ADMIN).get(index), ADMIN),
        oper_state=enum_name(state, OPER),
        reason=text(reading.column(HW_REASON).get(index)) or enum_name(state, WORDS, unknown),
        extra={ROW_INDEXES[1]: hw},
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """Values that say where a part is: its index, its name, and its slot in the tables of cards (None without one)."""

    address: str
    chassis: str
    hw: int
    name: str
    known: _Slot | None

    @property
    def type(self) -> str:
        return self.known.type if self.known is not None else ""


def _place(row: _Row, code: int) -> _Place:
    shelf, kind, count = shelf_fdn(row.address, row.chassis), CLASSES.get(code, ""), str(_bits(row.hw)[1] or 1)
    if kind in ("MDA", "XIOM"):
        return _in_card(row, kind)
    if kind in ("CARD", "CPM", "FABRIC"):
        slot = _slot(row, kind)
        fdn = f"{shelf}:fabric-{slot}" if kind == "FABRIC" else card_fdn(row.address, slot, row.chassis)
        return _Place(fdn, shelf, kind, slot, row.type)
    if kind == "CHASSIS":
        return _Place(shelf_fdn(row.address, count), network_fdn(row.address), kind, count)
    if kind in ("FAN", "POWER_SUPPLY"):
        return _Place(f"{shelf}:{'fan' if kind == 'FAN' else 'powerSupply'}-{count}", shelf, kind, count)
    found = _LAST_NUMBER.search(row.name)
    own, word = found[1] if found else count, OTHER_CLASSES.get(code, f"hardware-{code}")
    return _Place(f"{shelf}:{word}-{own}", shelf, "OTHER", own, OTHER_CLASSES.get(code, f"tmnxHwClass {code}"))


def _slot(row: _Row, kind: str) -> str:
    """The letter of a control card is in its name only."""
    named = _IN_SLOT.search(row.name)
    if row.known is not None and (kind != "CPM" or not named):
        return row.known.slot
    slot_bits, number_bits = _bits(row.hw)
    return named[1].upper() if named else str(slot_bits or number_bits)


def _in_card(row: _Row, kind: str) -> _Place:
    """An XIOM, or an MDA in a card or an XIOM: by its name, as "MDA 1/x1/2", which has all of its place."""
    named, known = _PATH.search(row.name), row.known
    if known is not None and not (named and len(named[1].split("/")) > 2):  # noqa: PLR2004 - card and MDA
        path = [known.slot, known.sub]
    else:
        path = named[1].split("/") if named else [str(each) for each in _bits(row.hw)]
    fdn, parent = _path_fdn(row.address, row.chassis, path, xiom=kind == "XIOM")
    return _Place(fdn, parent, "CARD" if kind == "XIOM" else "MDA", "/".join(path), row.type)


def _path_fdn(address: str, chassis: str, path: list[str], *, xiom: bool = False) -> tuple[str, str]:
    """FDN and that of the parent, of what is in a card: 1/2, 1/x1 and 1/x1/2."""
    slot, *rest = path
    fdn = parent = card_fdn(address, slot, chassis)
    for each in rest:
        parent = fdn
        is_xiom = _XIOM.match(each) is not None or (xiom and each == rest[-1])
        fdn = f"{parent}:xiomSlot-{each}:xiom" if is_xiom else mda_fdn(parent, each)
    return fdn, parent


def _port(reading: Reading, index: Index, name: str) -> ObservedEquipment:
    chassis, if_index = index  # ValueError for half an index
    slot, *rest = name.split("/")
    if len(name) > LONGEST_NAME:
        raise UnusableRowError("Its name is too long for that of a port.")
    if not rest:
        raise UnusableRowError("It is an interface, and no port of hardware.")
    if _SATELLITE.match(slot):
        parent, own = f"{shelf_fdn(reading.address, str(chassis))}:{slot}", rest
    else:
        inner = 2 if len(rest) > 2 and _XIOM.match(rest[0]) else 1 if len(rest) > 1 else 0  # noqa: PLR2004 - x1/1/1
        parent, own = _path_fdn(reading.address, str(chassis), [slot, *rest[:inner]])[0], rest[inner:]
    oper = enum_name(reading.column(PORT_OPER).get(index), PORT_OPERS)
    admin = enum_name(reading.column(PORT_ADMIN).get(index), PORT_ADMINS)
    state = enum_name(reading.column(PORT_STATE).get(index), PORT_STATES, "")
    return ObservedEquipment(
        fdn=f"{parent}:port-{'/'.join(own)}",
        parent_fdn=parent,
        equipment_class="PORT",
        slot=name,
        name=f"Port {name}",
        admin_state=admin,
        oper_state=oper,
        reason="" if oper == "IN_SERVICE" else "administratively down" if admin == "DOWN" else state,
        if_index=if_index,
        extra={"description": text(reading.column(PORT_DESCRIPTION).get(index))},
    )


def _satellites(reading: Reading, ports: Iterable[ObservedEquipment], fdns: set[str]) -> Iterator[ObservedEquipment]:
    """Those that ports are on: no table that is read has them, so their state is not known."""
    for fdn in sorted({port.parent_fdn for port in ports} - fdns):
        shelf, _, name = fdn.rpartition(":")
        if _SATELLITE.match(name):
            fdns.add(fdn)
            yield ObservedEquipment(fdn, shelf, "OTHER", slot=name, name=name, type="satellite")


def _nearest(fdn: str, fdns: set[str]) -> str:
    """The part itself where it is listed, else the nearest that is listed and contains it: not all lists are whole."""
    found = fdn
    while found and found not in fdns:
        found = found.rpartition(":")[0]
    return found or fdn
