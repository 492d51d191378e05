"""The equipment tree of ENTITY-MIB (RFC 6933), as VRP and others have it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from vnfm.devices.types import Index
from vnfm.elements.domain.drivers.base import (
    Reading,
    card_fdn,
    first_by_fdn,
    mda_fdn,
    network_fdn,
    number,
    shelf_fdn,
    text,
)
from vnfm.elements.domain.snapshot import ObservedEquipment

_ENT = "1.3.6.1.2.1.47.1.1.1.1"
DESCR, PARENT, CLASS, POSITION, NAME = (f"{_ENT}.{n}" for n in (2, 4, 5, 6, 7))
SOFTWARE, SERIAL, MODEL = (f"{_ENT}.{n}" for n in (10, 11, 13))
ALIAS = "1.3.6.1.2.1.47.1.3.2.1.2"
"""entAliasMappingIdentifier: ends in the ifIndex of a port."""

COLUMNS = (DESCR, PARENT, CLASS, POSITION, NAME, SOFTWARE, SERIAL, MODEL, ALIAS)

CHASSIS, CONTAINER, POWER, FAN, MODULE, PORT = 3, 5, 6, 7, 9, 10
"""entPhysicalClass."""
_CONTROL = re.compile(r"\b(?:MPU|CPM|RE|RP|supervisor|route processor|control)\b", re.IGNORECASE)
_FABRIC = re.compile(r"\b(?:SFU|SFM|fabric)\b", re.IGNORECASE)
_DEEPEST = 20
"""Levels of containment, as an agent's entities may contain each other in a circle."""

State = Callable[[Reading, int, int | None], tuple[str, str]]
"""Administrative and operational state of an entity, by its index and the ifIndex of a port."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A part and its parent in our equipment tree."""

    fdn: str
    parent_fdn: str
    kind: str
    slot: str


class _Tree:
    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._classes = {index[0]: number(value) for index, value in reading.column(CLASS).items()}
        self._parents = {index[0]: number(value) for index, value in reading.column(PARENT).items()}
        self._positions = {index[0]: number(value) for index, value in reading.column(POSITION).items()}
        self._places: dict[int, _Place | None] = {}

    def place(self, entity: int, depth: int = 0) -> _Place | None:
        """None for entities without a place in the tree (containers), or without an ancestor in it."""
        if entity not in self._places:
            self._places[entity] = None  # ends a circle
            if depth < _DEEPEST:
                self._places[entity] = self._locate(entity, depth)
        return self._places[entity]

    def _locate(self, entity: int, depth: int) -> _Place | None:
        kind, address = self._classes.get(entity), self._reading.address
        if kind == CHASSIS:
            shelf = shelf_fdn(address, self._shelf(entity))
            return _Place(shelf, network_fdn(address), "CHASSIS", self._shelf(entity))
        ancestor = self._ancestor(entity, depth)
        if ancestor is None:
            return None
        slot, position = self._slot(entity), str(self._positions.get(entity) or entity)
        fields = {
            (MODULE, "CHASSIS"): (card_fdn(address, slot, ancestor.slot), self._card_kind(entity), slot),
            (MODULE, "CARD"): (mda_fdn(ancestor.fdn, slot), "MDA", f"{ancestor.slot}/{slot}"),
            (POWER, "CHASSIS"): (f"{ancestor.fdn}:powerSupply-{position}", "POWER_SUPPLY", position),
            (FAN, "CHASSIS"): (f"{ancestor.fdn}:fan-{position}", "FAN", position),
            (PORT, "CHASSIS"): (f"{ancestor.fdn}:port-{position}", "PORT", position),
            (PORT, "CARD"): (f"{ancestor.fdn}:port-{position}", "PORT", position),
            (PORT, "MDA"): (f"{ancestor.fdn}:port-{position}", "PORT", position),
        }.get((kind or 0, "CARD" if ancestor.kind in ("CPM", "FABRIC") else ancestor.kind))
        return _Place(fields[0], ancestor.fdn, *fields[1:]) if fields is not None else None

    def _ancestor(self, entity: int, depth: int) -> _Place | None:
        """The nearest ancestor with a place in the tree, skipping containers and backplanes."""
        parent = self._parents.get(entity)
        for _ in range(_DEEPEST):
            if not parent:
                return None
            if (place := self.place(parent, depth + 1)) is not None:
                return place
            parent = self._parents.get(parent)
        return None

    def _shelf(self, entity: int) -> str:
        chassis = sorted(index for index, kind in self._classes.items() if kind == CHASSIS)
        return str(chassis.index(entity) + 1)

    def _slot(self, entity: int) -> str:
        """A module's slot is the position of the container that holds it."""
        parent = self._parents.get(entity) or 0
        holder = parent if self._classes.get(parent) == CONTAINER else entity
        return str(self._positions.get(holder) or 0)

    def _card_kind(self, entity: int) -> str:
        words = " ".join(text(self._reading.column(column).get((entity,))) for column in (NAME, DESCR))
        return "CPM" if _CONTROL.search(words) else "FABRIC" if _FABRIC.search(words) else "CARD"


def interfaces_of_ports(reading: Reading) -> Mapping[int, int]:
    """By the index of the port's entity, its ifIndex."""
    found = {}
    for index, value in reading.column(ALIAS).items():
        last = text(value).rpartition(".")[2]
        if last.isdigit():
            found[index[0]] = int(last)
    return found


def equipment(reading: Reading, state: State) -> tuple[ObservedEquipment, ...]:
    """The tree. `state` supplies the states of a part, which ENTITY-MIB does not have."""
    tree, if_indexes = _Tree(reading), interfaces_of_ports(reading)
    return first_by_fdn(list(_parts(reading, tree, if_indexes, state)))


def _parts(reading: Reading, tree: _Tree, if_indexes: Mapping[int, int], state: State) -> Iterator[ObservedEquipment]:
    for index in reading.column(CLASS):
        place = tree.place(index[0])
        if place is not None:
            if_index = if_indexes.get(index[0])
            admin, oper = state(reading, index[0], if_index)
            yield ObservedEquipment(
                fdn=place.fdn,
                parent_fdn=place.parent_fdn,
                equipment_class=place.kind,
                slot=place.slot,
                name=text(reading.column(NAME).get(index)) or text(reading.column(DESCR).get(index)),
                type=_type(reading, index),
                serial_number=text(reading.column(SERIAL).get(index)),
                software_version=text(reading.column(SOFTWARE).get(index)),
                admin_state=admin,
                oper_state=oper,
                if_index=if_index,
                extra={"entPhysicalIndex": index[0]},
            )


def _type(reading: Reading, index: Index) -> str:
    return text(reading.column(MODEL).get(index)) or text(reading.column(DESCR).get(index))
