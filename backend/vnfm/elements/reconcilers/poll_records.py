"""Records the result of a poll. The cost grows with what changed: an unchanged element costs one timestamp."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from vnfm.elements.domain.parts import PARTS
from vnfm.elements.domain.snapshot import (
    ObservedAdjacency,
    ObservedInterface,
    ObservedPart,
    PrefixCounts,
    Snapshot,
    SystemGroup,
)
from vnfm.elements.domain.trap_losses import MAX_LOSS_AGE
from vnfm.elements.domain.traps import STORM
from vnfm.elements.models import Adjacency, BgpPeer, ElementFact, Interface, NetworkElement
from vnfm.elements.reconcilers.element_poll import PollResult
from vnfm.elements.reconcilers.equipment_sync import Sync, sync_equipment
from vnfm.elements.reconcilers.omission_records import record_omissions
from vnfm.elements.reconcilers.row_sync import sync_rows
from vnfm.elements.services.neighbours import cancel_expected_loss
from vnfm.elements.services.versioned_rows import publish_change
from vnfm.kit import clock

REBOOT = timedelta(seconds=30)
"""A start time that is later by more means a reboot; by less, clock drift and network delay."""

PEER_CLOCK = timedelta(seconds=30)
"""The element's time since which a peer is established may differ this much from the known one, as with `REBOOT`."""

Resync = NetworkElement.ResyncState


def record_unchanged(ids: Collection[UUID], now: datetime) -> None:
    """These elements answered, and nothing changed."""
    managed = NetworkElement.objects.filter(id__in=ids, state=NetworkElement.State.MANAGED)
    managed.update(observed_at=now)
    managed.exclude(stale_parts__has_key="EQUIPMENT").update(equipment_observed_at=now)


@transaction.atomic
def record_resync_start(element_id: UUID) -> None:
    """A requested resync is running."""
    element = _locked(element_id)
    if element is not None:
        _write(element, {"resync_state": Resync.RUNNING, "resync_progress": 0})


@transaction.atomic
def record_progress(element_id: UUID, percent: int) -> None:
    """Progress of a resync; ignored when the resync has ended."""
    element = _locked(element_id)
    if element is not None and element.resync_state == Resync.RUNNING:
        _write(element, {"resync_progress": percent})


def record_failure(element_id: UUID, *, reason: str, message: str, lost: bool, now: datetime) -> None:
    """A poll failed. `lost`: the element counts as unreachable."""
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


def record_poll(element_id: UUID, result: PollResult, *, requested_at: datetime | None, now: datetime) -> bool:
    """Record what it answered; False when newer states are known, and some or all were not recorded.

    `now`: before the poll began. `requested_at`: of the last resync that was known then.
    """
    with transaction.atomic():
        element = _locked(element_id)
        if element is None or clock.is_newer(element.observed_at, now):
            return False
        columns = _reachability(element, "True", "Answers", f"{element.name} answers.", now)
        columns["up_since"] = _up_since(element, result.system, now)
        unknown, changed = _unknown_request(element, requested_at), False
        if result.snapshot is not None:
            columns |= _system(element, result, result.snapshot)
            losses_since = None if unknown is None else min(unknown, now) - MAX_LOSS_AGE
            changed = _sync_parts(element, result.snapshot, result.system, losses_since, now)
        columns |= _resync_columns(element, result, in_time=unknown is None, now=now)
        columns |= record_omissions(element, result, now)
        observed = {"equipment_observed_at": now} if "EQUIPMENT" in result.parts - result.stale else {}
        _write(element, columns, parts_changed=changed, observed_at=now, **observed)
        if "first_full_resync_at" in columns and element.first_full_resync_at is None:
            cancel_expected_loss(element_id=element_id)
        return unknown is None


def _unknown_request(element: NetworkElement, requested_at: datetime | None) -> datetime | None:
    """When a resync was requested of which this poll does not know: it may have begun too early, and another follows.

    Known by the request itself: the time at which this poll began is of another machine's clock.
    """
    pending = element.resync_state in (Resync.WAITING, Resync.RUNNING)
    return element.resync_requested_at if pending and element.resync_requested_at != requested_at else None


def _locked(element_id: UUID) -> NetworkElement | None:
    """The locked row; None when the element is no longer managed."""
    rows = NetworkElement.objects.select_for_update(no_key=True)
    return rows.filter(id=element_id, state=NetworkElement.State.MANAGED).first()


def _write(
    element: NetworkElement, columns: Mapping[str, Any], *, parts_changed: bool = False, **unversioned: Any
) -> None:
    """A new version and an event when a column or a part changed; `unversioned` columns cause neither."""
    changes = {name: value for name, value in columns.items() if getattr(element, name) != value}
    if changes or parts_changed:
        changes["version"] = element.version + 1
    if changes or unversioned:
        NetworkElement.objects.filter(id=element.id).update(**changes, **unversioned)
    if changes:
        element.version += 1
        publish_change(element)


def _reachability(element: NetworkElement, truth: str, reason: str, message: str, now: datetime) -> dict[str, Any]:
    columns: dict[str, Any] = {"reachable": truth, "reachable_reason": reason, "reachable_message": message}
    return columns if element.reachable == truth else {**columns, "reachable_since": now}


def _up_since(element: NetworkElement, system: SystemGroup, now: datetime) -> datetime | None:
    """Return when the element started; the known time where it does not say its uptime, or hardly another one."""
    known = element.up_since
    up_since = known if system.uptime is None else now - timedelta(seconds=system.uptime)
    same = known is not None and up_since is not None and abs(known - up_since) < REBOOT
    return known if same else up_since


def _system(element: NetworkElement, result: PollResult, snapshot: Snapshot) -> dict[str, Any]:
    """Return what the element is. A poll without a snapshot found its scalars unchanged, and says nothing of it."""
    system = result.system
    return {
        "driver": result.driver,
        "sys_name": system.sys_name[:255],
        "sys_descr": system.sys_descr,
        "sys_object_id": system.sys_object_id[:255],
        "location": system.location[:255],
        "chassis_type": (system.chassis_type or _of_boards(element, system, snapshot, "type"))[:100],
        "software_version": (system.software_version or _of_boards(element, system, snapshot, "software_version"))[
            :255
        ],
    }


def _of_boards(element: NetworkElement, system: SystemGroup, snapshot: Snapshot, column: str) -> str:
    """Read a value that sysDescr lacks from the chassis or else its boards; the known one where these were not read."""
    if snapshot.equipment is None:
        known: str = {"type": element.chassis_type, "software_version": element.software_version}[column]
        return known if element.sys_object_id == system.sys_object_id else ""
    classes = ("CHASSIS",) if column == "type" else ("CHASSIS", "CPM", "CARD")
    parts = sorted(snapshot.equipment, key=lambda part: [*classes, part.equipment_class].index(part.equipment_class))
    return next((value for part in parts if part.equipment_class in classes and (value := getattr(part, column))), "")


def _resync_columns(element: NetworkElement, result: PollResult, *, in_time: bool, now: datetime) -> dict[str, Any]:
    """A full poll completes any resync that waits, unless the poll began before the request (`in_time`)."""
    columns: dict[str, Any] = {}
    full = result.parts.issuperset(PARTS)
    if full:
        columns = {"last_full_resync_at": now, "first_full_resync_at": element.first_full_resync_at or now}
    completed = in_time and result.parts.issuperset(element.resync_scope or PARTS)
    if completed and element.resync_state != Resync.DONE:
        columns |= {"resync_state": Resync.DONE, "resync_progress": 100, "resync_problem": "", "resync_accepts": False}
    gap_noticed_at = element.trap_gap_noticed_at or now
    if full and element.trap_gap_since is not None and gap_noticed_at <= now:
        _expire_trap_facts(element, gap_noticed_at)
        columns |= {"trap_gap_since": None, "trap_gap_noticed_at": None}
    return columns


def _expire_trap_facts(element: NetworkElement, gap_noticed_at: datetime) -> None:
    """Delete facts that traps raised before some traps were lost: the lost ones may have cleared them."""
    facts = ElementFact.objects.filter(element=element, polled=False, since__lt=gap_noticed_at)
    facts.exclude(name=STORM).delete()


def _columns(part: ObservedPart | PrefixCounts) -> dict[str, Any]:
    """Its fields. dataclasses.asdict would copy each value deeply: too slow for a quarter of a million rows."""
    return {name: getattr(part, name) for name in part.__dataclass_fields__}


def _interfaces_since(
    interfaces: Iterable[ObservedInterface], system: SystemGroup, now: datetime
) -> dict[tuple[int], datetime]:
    """When interfaces entered their states, by ifIndex; left out where ifLastChange is absent or later than now, as
    after sysUpTime's wrap.
    """
    uptime = system.uptime
    if uptime is None:
        return {}
    return {
        (row.if_index,): now - timedelta(seconds=uptime - row.last_change / 100)
        for row in interfaces
        if row.last_change is not None and row.last_change / 100 <= uptime
    }


def _sync_parts(
    element: NetworkElement, snapshot: Snapshot, system: SystemGroup, losses_since: datetime | None, now: datetime
) -> bool:
    changed, sync = False, partial(sync_rows, losses_since=losses_since, now=now)
    if snapshot.equipment is not None:
        changed |= sync_equipment(element, snapshot.equipment, sync)
    if snapshot.interfaces is not None:
        rows = {(row.if_index,): {**_columns(row), "addresses": list(row.addresses)} for row in snapshot.interfaces}
        for columns in rows.values():
            del columns["last_change"]
        since = _interfaces_since(snapshot.interfaces, system, now)
        changed |= sync(Interface, element, ("if_index",), rows, states=("admin", "oper"), since=since)
    if snapshot.bgp_peers is not None:
        peers = {
            (row.vrf, row.peer_address): {**_columns(row), "families": [_columns(each) for each in row.families]}
            for row in snapshot.bgp_peers
        }
        for columns in peers.values():
            del columns["established_seconds"]
        known = {
            (row.vrf, row.peer_address): now - timedelta(seconds=row.established_seconds)
            for row in snapshot.bgp_peers
            if row.established_seconds is not None
        }
        key, states = ("vrf", "peer_address"), ("admin_state", "state")
        changed |= sync(BgpPeer, element, key, peers, states=states, since=known, clock_tolerance=PEER_CLOCK)
    if snapshot.facts is not None:
        facts = {(row.name, row.subject): {**_columns(row), "polled": True} for row in snapshot.facts}
        from_traps = Q(polled=False)
        changed |= sync_rows(
            ElementFact, element, ("name", "subject"), facts, states=("value",), now=now, exclude=from_traps
        )
    if snapshot.adjacencies is not None:
        changed |= _sync_adjacencies(element, snapshot.adjacencies, sync)
    return changed


ADJACENCY_KEY = ("protocol", "local_port", "remote_id", "remote_port")


def _sync_adjacencies(element: NetworkElement, listed: Iterable[ObservedAdjacency], sync: Sync) -> bool:
    """A neighbour that disappears is LOST until another one replaces it, or a resync with `accept`.

    One that an operation of ours removes is forgotten. A BFD session may learn its port later, and lose it again.
    """
    listed = list(listed)
    rows = {tuple(getattr(row, name) for name in ADJACENCY_KEY): _columns(row) for row in listed}
    places = {_place(row) for row in listed}
    sessions = {(row.remote_address, bool(row.local_port)) for row in listed if row.protocol == Adjacency.Protocol.BFD}
    for row in () if element.resync_accepts else Adjacency.objects.filter(element=element, loss_expected=False):
        key = tuple(getattr(row, name) for name in ADJACENCY_KEY)
        moved = row.protocol == Adjacency.Protocol.BFD and (row.remote_address, not row.local_port) in sessions
        if key not in rows and _place(row) not in places and not moved:
            names = ObservedAdjacency.__dataclass_fields__
            rows[key] = {name: getattr(row, name) for name in names} | {"state": Adjacency.State.LOST}
    return sync(Adjacency, element, ADJACENCY_KEY, rows, states=("state",))


def _place(row: Adjacency | ObservedAdjacency) -> tuple[str, ...]:
    """Return the place that has one neighbour at a time: a port for LLDP, a port and a remote address otherwise."""
    if row.protocol != Adjacency.Protocol.LLDP:
        return row.protocol, row.local_port, row.remote_address
    return row.protocol, row.local_port
