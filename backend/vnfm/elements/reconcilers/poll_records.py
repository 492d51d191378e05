"""What a look changes in the database. The cost grows with what changed: a quiet element costs its time of day."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.snapshot import (
    ObservedAdjacency,
    ObservedBgpPeer,
    ObservedEquipment,
    ObservedFact,
    ObservedInterface,
    Snapshot,
    SystemGroup,
)
from vnfm.elements.domain.traps import STORM
from vnfm.elements.models import Adjacency, BgpPeer, ElementFact, Equipment, Interface, NetworkElement
from vnfm.elements.reconcilers.element_poll import PollResult
from vnfm.elements.reconcilers.row_sync import sync_rows
from vnfm.elements.reconcilers.vnfc_links import vnfc_by_slot
from vnfm.elements.services.versioned_rows import publish_change

REBOOT = timedelta(seconds=30)
"""A start that is later by more is another start; less is the clocks' and the network's doing."""

REMOVABLE = ("CARD", "CPM", "MDA", "FAN", "POWER_SUPPLY", "FABRIC")
IN_SLOTS = ("CARD", "MDA", "PORT")
MISSING_REASON = "The element does not list it any more."

Resync = NetworkElement.ResyncState


def record_unchanged(ids: Collection[UUID], now: datetime) -> None:
    """These answered, and nothing is another than before."""
    managed = NetworkElement.objects.filter(id__in=ids, state=NetworkElement.State.MANAGED)
    managed.update(observed_at=now, equipment_observed_at=now)


@transaction.atomic
def record_resync_start(element_id: UUID) -> None:
    """A resync that was asked for is under way."""
    element = _locked(element_id)
    if element is not None:
        _write(element, {"resync_state": Resync.RUNNING, "resync_progress": 0})


@transaction.atomic
def record_progress(element_id: UUID, percent: int) -> None:
    """How far it is; too late when it has ended meanwhile."""
    element = _locked(element_id)
    if element is not None and element.resync_state == Resync.RUNNING:
        _write(element, {"resync_progress": percent})


def record_failure(element_id: UUID, *, reason: str, message: str, lost: bool, now: datetime) -> None:
    """It did not answer as it should. `lost`: that is enough to say that it cannot be reached."""
    with transaction.atomic():
        element = _locked(element_id)
        if element is None:
            return
        columns: dict[str, Any] = {}
        if lost:
            columns = _reachability(element, "False", reason, message, now)
        if element.resync_state in (Resync.WAITING, Resync.RUNNING):
            columns |= {"resync_state": Resync.FAILED, "resync_problem": message}
        _write(element, columns)


def record_poll(element_id: UUID, seen: PollResult, *, requested_at: datetime | None, now: datetime) -> bool:
    """What it answered; whether any part is another. `now` was read before it was asked; `requested_at` is the resync
    that this look began for.
    """
    with transaction.atomic():
        element = _locked(element_id)
        if element is None or (element.observed_at is not None and element.observed_at > now):
            return False
        columns = _reachability(element, "True", "Answers", f"{element.name} answers.", now)
        columns |= _system(element, seen, now)
        moved = _parts(element, seen.snapshot, now) if seen.snapshot is not None else False
        columns |= _resynced(element, seen, requested_at, now)
        read = {"equipment_observed_at": now} if "EQUIPMENT" in seen.parts else {}
        _write(element, columns, moved=moved, observed_at=now, **read)
        return moved


def _locked(element_id: UUID) -> NetworkElement | None:
    """The row, unless it is not managed any more: what was read of it came too late."""
    rows = NetworkElement.objects.select_for_update(no_key=True)
    return rows.filter(id=element_id, state=NetworkElement.State.MANAGED).first()


def _write(element: NetworkElement, columns: Mapping[str, Any], *, moved: bool = False, **silent: Any) -> None:
    """A new version, and the news of it, when a column or a part is another; `silent` columns are no news."""
    news = {name: value for name, value in columns.items() if getattr(element, name) != value}
    if news or moved:
        news["version"] = element.version + 1
    if news or silent:
        NetworkElement.objects.filter(id=element.id).update(**news, **silent)
    if news:
        element.version += 1
        publish_change(element)


def _reachability(element: NetworkElement, truth: str, reason: str, message: str, now: datetime) -> dict[str, Any]:
    columns: dict[str, Any] = {"reachable": truth, "reachable_reason": reason, "reachable_message": message}
    return columns if element.reachable == truth else {**columns, "reachable_since": now}


def _system(element: NetworkElement, seen: PollResult, now: datetime) -> dict[str, Any]:
    system: SystemGroup = seen.system
    up_since = now - timedelta(seconds=system.uptime)
    known = element.up_since
    same = known is not None and abs(known - up_since) < REBOOT
    return {
        "driver": seen.driver,
        "sys_name": system.sys_name[:255],
        "sys_descr": system.sys_descr,
        "sys_object_id": system.sys_object_id[:255],
        "location": system.location[:255],
        "chassis_type": system.chassis_type[:100],
        "software_version": system.software_version[:255],
        "up_since": known if same else up_since,
    }


def _resynced(
    element: NetworkElement, seen: PollResult, requested_at: datetime | None, now: datetime
) -> dict[str, Any]:
    """A whole look is as good as the resync that somebody waits for, unless it began before that was asked for."""
    columns: dict[str, Any] = {}
    whole = seen.parts.issuperset(PARTS)
    if whole:
        columns = {"last_full_resync_at": now, "first_full_resync_at": element.first_full_resync_at or now}
    asked = element.resync_requested_at
    in_time = asked is None or asked == requested_at or asked <= now
    answered = in_time and seen.parts.issuperset(element.resync_scope or PARTS)
    if answered and element.resync_state != Resync.DONE:
        columns |= {"resync_state": Resync.DONE, "resync_progress": 100, "resync_problem": "", "resync_accepts": False}
    gap_seen_at = element.trap_gap_seen_at or now
    if whole and element.trap_gap_since is not None and gap_seen_at <= now:
        _expire_trap_facts(element, gap_seen_at)
        columns |= {"trap_gap_since": None, "trap_gap_seen_at": None}
    return columns


def _expire_trap_facts(element: NetworkElement, gap_seen_at: datetime) -> None:
    """Forget what was heard before notifications were missed: one that took it back may have been among them."""
    heard = ElementFact.objects.filter(element=element, polled=False, since__lt=gap_seen_at)
    heard.exclude(name=STORM).delete()


def _columns(
    seen: ObservedEquipment | ObservedInterface | ObservedBgpPeer | ObservedFact | ObservedAdjacency,
) -> dict[str, Any]:
    """Its fields as they are. dataclasses.asdict copies each value deeply: too slow for a quarter of a million rows."""
    return {name: getattr(seen, name) for name in seen.__dataclass_fields__}


def _parts(element: NetworkElement, snapshot: Snapshot, now: datetime) -> bool:
    moved = False
    if snapshot.equipment is not None:
        moved |= _equipment(element, snapshot.equipment, now)
    if snapshot.interfaces is not None:
        rows = {(seen.if_index,): {**_columns(seen), "addresses": list(seen.addresses)} for seen in snapshot.interfaces}
        moved |= sync_rows(Interface, element, ("if_index",), rows, states=("admin", "oper"), now=now)
    if snapshot.bgp_peers is not None:
        peers = {(seen.vrf, seen.peer_address): _columns(seen) for seen in snapshot.bgp_peers}
        moved |= sync_rows(BgpPeer, element, ("vrf", "peer_address"), peers, states=("admin_state", "state"), now=now)
    if snapshot.facts is not None:
        facts = {(seen.name, seen.subject): {**_columns(seen), "polled": True} for seen in snapshot.facts}
        heard = Q(polled=False)
        moved |= sync_rows(
            ElementFact, element, ("name", "subject"), facts, states=("value",), now=now, untouched=heard
        )
    if snapshot.adjacencies is not None:
        moved |= _adjacencies(element, snapshot.adjacencies, now)
    return moved


ADJACENCY = ("protocol", "local_port", "remote_id", "remote_port")


def _adjacencies(element: NetworkElement, heard: Iterable[ObservedAdjacency], now: datetime) -> bool:
    """A neighbour that is heard no more is LOST until another is heard on that port, or what is there is accepted."""
    rows = {tuple(getattr(seen, name) for name in ADJACENCY): _columns(seen) for seen in heard}
    taken = {(protocol, port) for protocol, port, *_ in rows}
    for row in () if element.resync_accepts else Adjacency.objects.filter(element=element):
        key = tuple(getattr(row, name) for name in ADJACENCY)
        if key not in rows and (row.protocol, row.local_port) not in taken:
            names = ObservedAdjacency.__dataclass_fields__
            rows[key] = {name: getattr(row, name) for name in names} | {"state": Adjacency.State.LOST}
    return sync_rows(Adjacency, element, ADJACENCY, rows, states=("state",), now=now)


def _equipment(element: NetworkElement, seen: Iterable[ObservedEquipment], now: datetime) -> bool:
    component = vnfc_by_slot(element)
    rows = {
        (part.fdn,): {
            **_columns(part),
            "extra": dict(part.extra),
            "vnfc_id": component(part.slot) if part.equipment_class in ("CARD", "CPM") else None,
        }
        for part in seen
    }
    if not element.resync_accepts:
        rows |= _missing_equipment(element, {key[0] for key in rows})
    return sync_rows(Equipment, element, ("fdn",), rows, states=("admin_state", "oper_state"), now=now)


def _missing_equipment(element: NetworkElement, listed: set[str]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Cards and the like that were there and are not listed any more, with all below them: kept, and EMPTY.

    An agent of ENTITY-MIB drops the row of a card that is pulled out. It is missing, not forgotten, until somebody asks
    for a full resync and thereby takes what is there for what should be; or we took it out of the configuration.
    """
    kept: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in Equipment.objects.filter(element=element).exclude(fdn__in=listed).order_by("fdn"):
        if row.equipment_class in IN_SLOTS and row.slot.partition("/")[0] in element.slots_leaving:
            continue
        if row.equipment_class in REMOVABLE or (row.parent_fdn,) in kept:
            names = list(ObservedEquipment.__dataclass_fields__)
            values = {name: getattr(row, name) for name in names}
            kept[(row.fdn,)] = {**values, "vnfc_id": row.vnfc_id, "oper_state": "EMPTY", "reason": MISSING_REASON}
    return kept
