"""Makes the equipment of an element that which was read, and tells parts that are gone from slots that were empty."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from vnfm.elements.domain.drivers.base import ROW_INDEXES
from vnfm.elements.domain.drivers.ports import NO_HARDWARE
from vnfm.elements.domain.part_states import UNKNOWN_ACCEPTED
from vnfm.elements.domain.snapshot import ObservedEquipment
from vnfm.elements.models import Equipment, NetworkElement
from vnfm.elements.reconcilers.vnfc_links import vnfc_by_slot

Sync = Callable[..., bool]
"""`row_sync.sync_rows` at the time of the poll."""

REMOVABLE = ("CARD", "CPM", "MDA", "FAN", "POWER_SUPPLY", "FABRIC")
IN_SLOTS = ("CARD", "MDA", "PORT")
MISSING_REASON = "The element does not list it any more."
EMPTIED_REASON = "Its slot is empty."
EQUIPPED_BEFORE = "equippedBefore"
"""Key of `Equipment.extra`: the slot is provisioned, empty or in an unknown state, and held a part before."""

_VACANT = ("EMPTY", "PROVISIONED", "UNKNOWN")
"""States that do not prove that there was a part."""


def sync_equipment(element: NetworkElement, listed: Iterable[ObservedEquipment], sync: Sync) -> bool:
    """Return whether anything differed.

    A part whose slot is empty now, or that is not listed any more (an ENTITY-MIB agent drops the row of a card that is
    pulled out), is MISSING, with all below it: until a resync with `accept`, unless an operation of ours removed its
    slot from the configuration. Such a resync also accepts a state that is unknown.
    """
    parts = {part.fdn: part for part in listed}
    stored = {row.fdn: row for row in Equipment.objects.filter(element=element).order_by("fdn")}
    _keep_renamed(stored, parts)
    vnfc_of_slot = vnfc_by_slot(element)
    rows = {
        (fdn,): {
            **{name: getattr(part, name) for name in part.__dataclass_fields__},
            "extra": dict(part.extra),
            "vnfc_id": vnfc_of_slot(part.slot) if part.equipment_class in ("CARD", "CPM") else None,
        }
        for fdn, part in parts.items()
    }
    for (fdn,), values in rows.items():
        if values["oper_state"] == "UNKNOWN" and (element.resync_accepts or _is_accepted(stored.get(fdn))):
            values["extra"][UNKNOWN_ACCEPTED] = True
        elif fdn in stored and not (element.resync_accepts or _is_leaving(element, stored[fdn])):
            values.update(_emptied(values, stored[fdn]))
    if not element.resync_accepts:
        rows |= _missing(element, stored, parts)
    return sync(Equipment, element, ("fdn",), rows, states=("admin_state", "oper_state"))


def _keep_renamed(stored: dict[str, Equipment], parts: Mapping[str, ObservedEquipment]) -> None:
    """The rows of parts whose FDN changed, as by a release of ours that numbers them otherwise: they are not missing.

    Known by class, name and the index of their row in the element's table.
    """
    found = {_identity(part.equipment_class, part.name, part.extra): fdn for fdn, part in parts.items()}
    for row in [row for fdn, row in stored.items() if fdn not in parts]:
        fdn = found.get(_identity(row.equipment_class, row.name, row.extra), "")
        if fdn and fdn not in stored and any(name in row.extra for name in ROW_INDEXES):
            Equipment.objects.filter(pk=row.pk).update(fdn=fdn)
            del stored[row.fdn]
            row.fdn = fdn
            stored[fdn] = row


def _identity(*parts: Any) -> tuple[Any, ...]:
    *names, extra = parts
    return (*names, *(extra.get(name) for name in ROW_INDEXES))


def _was_equipped(row: Equipment) -> bool:
    """The release before had ports without hardware as out of service, with that reason."""
    if row.oper_state == "OUT_OF_SERVICE" and row.reason == NO_HARDWARE:
        return EQUIPPED_BEFORE in row.extra
    return row.oper_state not in _VACANT or EQUIPPED_BEFORE in row.extra or row.reason == MISSING_REASON


def _is_leaving(element: NetworkElement, row: Equipment) -> bool:
    """An operation of ours removes its slot from the configuration."""
    return row.equipment_class in IN_SLOTS and row.slot.partition("/")[0] in element.slots_leaving


def _is_accepted(row: Equipment | None) -> bool:
    """A resync accepted that its state is unknown, and no poll has found it in a known state since."""
    return row is not None and row.oper_state == "UNKNOWN" and UNKNOWN_ACCEPTED in row.extra


def _emptied(values: Mapping[str, Any], row: Equipment) -> dict[str, Any]:
    """Return the values that replace those that were read of a slot that held a part before; {} for other slots."""
    if values["oper_state"] not in _VACANT or not _was_equipped(row):
        return {}
    extra = {**values["extra"], EQUIPPED_BEFORE: True}
    if values["oper_state"] != "EMPTY":
        return {"extra": extra}
    return {"extra": extra, "oper_state": "MISSING", "reason": values["reason"] or EMPTIED_REASON}


def _missing(
    element: NetworkElement, stored: Mapping[str, Equipment], parts: Mapping[str, ObservedEquipment]
) -> dict[tuple[Any, ...], dict[str, Any]]:
    missing: dict[tuple[Any, ...], dict[str, Any]] = {}
    for fdn, row in sorted(stored.items()):
        if fdn in parts or _is_leaving(element, row):
            continue
        may_have_been = row.oper_state == "UNKNOWN" and not _is_accepted(row)
        removable = row.equipment_class in REMOVABLE and (_was_equipped(row) or may_have_been)
        if removable or (row.parent_fdn,) in missing:
            values = {name: getattr(row, name) for name in ObservedEquipment.__dataclass_fields__}
            missing[(fdn,)] = {**values, "vnfc_id": row.vnfc_id, "oper_state": "MISSING", "reason": MISSING_REASON}
    return missing
