"""The equipment tree of ENTITY-MIB (RFC 6933), as VRP and others have it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from vnfm.devices.types import Index, Value
from vnfm.elements.domain.drivers.base import (
    MAX_FDN,
    ROW_INDEXES,
    Reading,
    card_fdn,
    mda_fdn,
    network_fdn,
    number,
    shelf_fdn,
    text,
)
from vnfm.elements.domain.drivers.ports import EquipmentState, implied_chassis, interface_indexes, one_shelf, port_state
from vnfm.elements.domain.snapshot import ObservedEquipment, Omission
from vnfm.kit.patterns import pattern

_ENT = "1.3.6.1.2.1.47.1.1.1.1"
DESCR, PARENT, CLASS, POSITION, NAME = (f"{_ENT}.{n}" for n in (2, 4, 5, 6, 7))
SOFTWARE, SERIAL, MODEL = (f"{_ENT}.{n}" for n in (10, 11, 13))
ALIAS = "1.3.6.1.2.1.47.1.3.2.1.2"
"""entAliasMappingIdentifier: ends in the ifIndex of a port."""

COLUMNS = (DESCR, PARENT, CLASS, POSITION, NAME, SOFTWARE, SERIAL, MODEL, ALIAS)

IDENTITY = (DESCR, PARENT, CLASS, POSITION, NAME)
"""They decide which parts there are, of which class and with which number."""
REQUIRED = (*IDENTITY, SERIAL, MODEL, ALIAS)
"""Also whether a place is empty, and which interface has the state of a port."""

CHASSIS, CONTAINER, POWER, FAN, MODULE, PORT = 3, 5, 6, 7, 9, 10
"""entPhysicalClass."""
NO_PARTS = {4: "backplane", 5: "container", 8: "sensor", 11: "stack", 12: "cpu", 15: "storageDrive"}
"""Classes that are not parts of our tree: what they hold is. All others are, also those that are not known yet."""
_WORDS = {
    POWER: ("powerSupply", "POWER_SUPPLY"),
    FAN: ("fan", "FAN"),
    PORT: ("port", "PORT"),
    MODULE: ("module", "OTHER"),
}
_CONTROL = pattern(
    r"(?i)\b\w*(?:MPU|SRU)[A-Z]?\b|"
    r"\b(?:IPU|CPM|RE|RP|RSP|CMM|supervisor|route (?:switch )?processor|routing engine|control)\b"
)
_FABRIC = pattern(r"(?i)\b\w*SFU[A-Z]?\b|\b(?:SFM|SIB|fabric)\b")
_VACANT = pattern(r"(?i)\b(?:empty|absent|not (?:present|installed|equipped|inserted)|unequipped|vacant)\b")
_NUMBERED = pattern(r"(\d+(?:[/.:]\d+)*)\)?$")
"""The number at the end of a name, as of "FAN 13" and of "GigabitEthernet8/0/1"."""
_LAST_IF_INDEX = 2**31 - 1
_DEEPEST = 20
"""Levels of containment, as an agent's entities may contain each other in a circle."""

State = Callable[[Reading, int], EquipmentState]
"""It reads an entity's state, by the entity's index, from a driver's own table."""


def _by_name_only(reading: Reading, entity: int) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class _Place:
    """A part and its parent in our equipment tree."""

    fdn: str
    parent_fdn: str
    kind: str
    slot: str


class _Tree:
    """`is_control`: whether an entity is a control board for other reasons than its name."""

    def __init__(self, reading: Reading, is_control: Callable[[Reading, int], bool]) -> None:
        self._reading, self._is_control = reading, is_control
        self.classes = {index: number(value) or 0 for index, value in reading.by_number(CLASS).items()}
        self._parents = {index: number(value) or 0 for index, value in reading.by_number(PARENT).items()}
        self._positions = {index: number(value) for index, value in reading.by_number(POSITION).items()}
        self._chassis = sorted(index for index, kind in self.classes.items() if kind == CHASSIS)
        above = {entity: self._above(entity) for entity in self.classes}
        self._owners = {
            entity: next((each for each in chain if self.is_part(each)), 0) for entity, chain in above.items()
        }
        """The nearest part that contains an entity, skipping containers and backplanes; 0 for none."""
        self._numbers = self._numbered()
        self.places: dict[int, _Place] = {}
        self._fdns: set[str] = set()
        for entity in sorted(filter(self.is_part, self.classes), key=lambda each: (len(above[each]), each)):
            self.places[entity] = self._locate(entity)

    def is_part(self, entity: int) -> bool:
        return entity in self.classes and self.classes[entity] not in NO_PARTS

    def words(self, entity: int) -> str:
        """Return the agent's name and description of the entity."""
        return " ".join(text(self._reading.column(column).get((entity,))) for column in (NAME, DESCR))

    def _above(self, entity: int) -> list[int]:
        """The entities that contain it, the nearest first."""
        chain: list[int] = []
        parent = self._parents.get(entity, 0)
        while parent and parent not in (*chain, entity) and len(chain) < _DEEPEST:
            chain.append(parent)
            parent = self._parents.get(parent, 0)
        return chain

    def _numbered(self) -> Mapping[int, str]:
        """The number of each part among those of its class in the same part: as on the front of the router.

        Positions count within a container; where each part has one of its own, the container's position distinguishes
        them. Where that does not either, their names may.
        """
        housed = Counter((self._parents.get(entity, 0), kind) for entity, kind in self.classes.items())
        found = {entity: self._position(entity, housed) for entity in self.classes}
        siblings: dict[tuple[int, int], list[int]] = defaultdict(list)
        for entity, kind in self.classes.items():
            siblings[self._owners[entity], kind].append(entity)
        for entities in siblings.values():
            count = Counter(found[entity] for entity in entities)
            repeated = [entity for entity in entities if count[found[entity]] > 1]
            names = {entity: self._number_of_name(entity) for entity in repeated}
            kept = {found[entity] for entity in entities if entity not in names}
            if len({*names.values()} - kept - {""}) == len(repeated):
                found |= names
        return found

    def _position(self, entity: int, housed: Mapping[tuple[int, int], int]) -> str:
        parent, kind = self._parents.get(entity, 0), self.classes[entity]
        alone = kind == MODULE or housed[parent, kind] == 1
        holder = parent if self.classes.get(parent) == CONTAINER and alone else entity
        position = self._positions.get(holder)
        if kind == MODULE:
            return str(position or 0)
        return str(position) if position is not None and position >= 0 else self._number_of_name(entity) or str(entity)

    def _number_of_name(self, entity: int) -> str:
        for column in (NAME, DESCR):
            if found := _NUMBERED.search(text(self._reading.column(column).get((entity,)))):
                return found[1]
        return ""

    def _locate(self, entity: int) -> _Place:
        kind, address, own = self.classes[entity], self._reading.address, self._numbers[entity]
        if kind == CHASSIS:
            shelf = str(self._chassis.index(entity) + 1)
            return self._once(_Place(shelf_fdn(address, shelf), network_fdn(address), "CHASSIS", shelf), entity)
        above = self.places.get(self._owners[entity])
        if above is None or len(above.fdn) > MAX_FDN:
            implied = implied_chassis(address)
            above = _Place(implied.fdn, implied.parent_fdn, "CHASSIS", "1")
        if kind == MODULE and above.kind == "CHASSIS":
            place = _Place(card_fdn(address, own, above.slot), above.fdn, self._card_kind(entity), own)
        elif kind == MODULE and above.kind in ("CARD", "CPM", "FABRIC"):
            place = _Place(mda_fdn(above.fdn, own), above.fdn, "MDA", f"{above.slot}/{own}")
        else:
            word, name = _WORDS.get(kind, ("part", "OTHER"))
            place = _Place(f"{above.fdn}:{word}-{own}", above.fdn, name, own)
        return self._once(place, entity)

    def _once(self, place: _Place, entity: int) -> _Place:
        """Add a suffix where another part has the FDN: the two cannot be distinguished otherwise."""
        if place.fdn in self._fdns:
            place = _Place(f"{place.fdn}.{entity}", place.parent_fdn, place.kind, place.slot)
        self._fdns.add(place.fdn)
        return place

    def _card_kind(self, entity: int) -> str:
        words = self.words(entity)
        if _FABRIC.search(words) and not _CONTROL.search(words):
            return "FABRIC"
        return "CPM" if _CONTROL.search(words) or self._is_control(self._reading, entity) else "CARD"


def interfaces_of_ports(reading: Reading) -> Mapping[int, int]:
    """By the index of the port's entity, its ifIndex: by entAliasMappingTable, else its name, else its description."""
    by_name, classes = interface_indexes(reading), reading.by_number(CLASS)
    found: dict[int, int] = {}
    for column in (DESCR, NAME):
        for entity, value in reading.by_number(column).items():
            if (by_its_name := by_name.get(text(value))) is not None and classes.get(entity) == PORT:
                found[entity] = by_its_name

    def alias(index: Index, value: Value) -> tuple[int, str]:
        return index[0], text(value).rpartition(".")[2]

    for entity, if_index in reading.rows(ALIAS, alias):
        if if_index.isdecimal() and 0 < int(if_index) <= _LAST_IF_INDEX:
            found[entity] = int(if_index)
    return found


def equipment(
    reading: Reading, state: State, is_control: Callable[[Reading, int], bool] = _by_name_only
) -> Iterator[ObservedEquipment]:
    """The tree. `state` supplies the states of a part, which ENTITY-MIB does not have; those of a port are its
    interface's. An element without ENTITY-MIB is a shelf with its ports.
    """
    tree = _Tree(reading, is_control)
    if not tree.places:
        yield from one_shelf(reading)
        return
    if not any(place.kind == "CHASSIS" for place in tree.places.values()):
        yield implied_chassis(reading.address)
    reading.omit_partial(CLASS)
    if_indexes = interfaces_of_ports(reading)
    for entity, place in sorted(tree.places.items()):
        yield _part(reading, entity, place, state, if_indexes.get(entity))
    for kind, count in sorted(Counter(tree.classes.values()).items()):
        if kind in NO_PARTS:
            words = f"{count} rows of the class {NO_PARTS[kind]} are no parts of the equipment tree."
            reading.omissions.append(Omission("entPhysicalTable", "", words))


def _part(reading: Reading, entity: int, place: _Place, state: State, if_index: int | None) -> ObservedEquipment:
    listed = state(reading, entity)
    if place.kind == "PORT" and if_index is not None:
        listed = port_state(reading, if_index, listed)
    elif place.kind == "CHASSIS" and listed.oper == "UNKNOWN":
        listed = EquipmentState(listed.admin, "IN_SERVICE")  # it has just answered
    name, descr, model, serial, software = (
        text(reading.column(column).get((entity,))) for column in (NAME, DESCR, MODEL, SERIAL, SOFTWARE)
    )
    vacant = place.kind != "PORT" and not (model or serial) and _VACANT.search(f"{name} {descr}")
    if vacant and listed.oper in ("OUT_OF_SERVICE", "UNKNOWN"):
        listed = EquipmentState(listed.admin, "EMPTY", listed.reason)
    return ObservedEquipment(
        fdn=place.fdn,
        parent_fdn=place.parent_fdn,
        equipment_class=place.kind,
        slot=place.slot,
        name=name or descr,
        type=model or descr,
        serial_number=serial,
        software_version=software,
        admin_state=listed.admin,
        oper_state=listed.oper,
        reason=listed.reason,
        if_index=if_index,
        extra={ROW_INDEXES[0]: entity},
    )
