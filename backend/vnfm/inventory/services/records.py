"""The VNFCs, virtual links and stack of an instance, as operations record them; polls update them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from vnfm.clouds.types import Stack, StackInput
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.domain.observation import MISSING, UNKNOWN
from vnfm.inventory.domain.resources import RecordedLink, RecordedPort, RecordedVnfc
from vnfm.inventory.models import CloudAlarm, StackSnapshot, Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.inventory.selectors import flavor_names
from vnfm.inventory.services.instances import instance_changed, instances_lock

NO_STACK: dict[str, Any] = {
    "stack_id": "",
    "stack_name": "",
    "stack_status": "",
    "stack_status_reason": "",
    "stack_updated_at": "",
    "stack_left_at": "",
    "stack_observed_at": None,
}
"""The stack's columns of an instance that has none."""


@transaction.atomic
def record_vnfcs(
    *,
    instance: InstanceRecord,
    vnfcs: Sequence[RecordedVnfc],
    links: Sequence[RecordedLink],
    now: datetime,
    settled: Collection[str] | None = None,
) -> None:
    """Make the record of `instance` exactly this; doing it again changes nothing.

    A VNFC keeps its identity while its server lives, and when another server takes its slot (healing, replacement).
    What is observed of a new server is expected of it from then on; of one that was recorded before only if its id is
    in `settled` (None: all). What others changed stays drift until it is accepted or repaired.
    """
    instances_lock([instance.id])
    known = list(Vnfc.objects.filter(instance=instance.id).prefetch_related("ports"))
    matched = _match(known, vnfcs)
    staying = {row.id for row in matched if row is not None}
    gone = [row.id for row in known if row.id not in staying]
    changed = bool(Vnfc.objects.filter(id__in=gone).delete()[0])
    changed |= _free_slots(matched, vnfcs)
    flavors = flavor_names(instance.vim)
    for row, wanted in zip(matched, vnfcs, strict=True):
        kept = row is not None and row.server_id == wanted.server_id
        settle = not kept or settled is None or wanted.server_id in settled
        changed |= _record(row or Vnfc(instance_id=instance.id), wanted, flavors, now, settle=settle)
    changed |= _record_links(instance, links)
    if changed:
        instance_changed(instance)


@transaction.atomic
def forget_resources(*, instance: InstanceRecord) -> None:
    """After termination: nothing of the instance is left in the cloud, so its records go."""
    instances_lock([instance.id])
    parts = (Vnfc, VnfVirtualLink, CloudAlarm)
    removed = sum(part.objects.filter(instance=instance.id).delete()[0] for part in parts)
    emptied = VnfInstance.objects.filter(id=instance.id).exclude(stack_id="", stack_name="", stack_status="")
    cleared = emptied.update(**NO_STACK)
    for name, value in NO_STACK.items():
        setattr(instance, name, value)
    if removed or cleared:
        instance_changed(instance)


def instance_record(*, instance: InstanceRecord, **values: Any) -> None:
    """Store the columns that change, also in `instance`, and publish it.

    Raises IntegrityError when another instance has the stack.
    """
    changed = {name: value for name, value in values.items() if getattr(instance, name) != value}
    if not changed:
        return
    with transaction.atomic():
        VnfInstance.objects.filter(id=instance.id).update(**changed)
        for name, value in changed.items():
            setattr(instance, name, value)
        instance_changed(instance)


def stack_assign(*, instance: InstanceRecord, stack_id: str, stack_name: str) -> None:
    """Give the instance this stack, or none ("" and "")."""
    observed = {} if stack_id == instance.stack_id else NO_STACK
    instance_record(instance=instance, **{**observed, "stack_id": stack_id, "stack_name": stack_name})


@transaction.atomic
def stack_record(*, instance: InstanceRecord, stack: Stack, now: datetime) -> None:
    """Record the stack as our operation left it: any later update comes from outside."""
    values = {
        "stack_status": stack.status,
        "stack_status_reason": stack.status_reason,
        "stack_updated_at": stack.updated_at,
        "stack_left_at": stack.updated_at,
    }
    instances_lock([instance.id])
    known = VnfInstance.objects.filter(id=instance.id)
    if not known.exclude(**values).update(**values, stack_observed_at=now):
        return
    for name, value in values.items():
        setattr(instance, name, value)
    instance.stack_observed_at = now
    instance_changed(instance)


def stack_input_record(*, instance_id: UUID, stack: StackInput) -> None:
    """Record what Heat is given, which Liberty's Heat cannot return; `stack` has no secrets among its parameters."""
    StackSnapshot.objects.update_or_create(
        instance_id=instance_id,
        defaults={
            "template": stack.template,
            "environment": dict(stack.environment),
            "parameters": dict(stack.parameters),
            "files": dict(stack.files),
        },
    )


def stack_input_forget(*, instance_id: UUID) -> None:
    StackSnapshot.objects.filter(instance_id=instance_id).delete()


@transaction.atomic
def vnfcs_power_record(
    *, instance: InstanceRecord, vnfc_ids: Collection[UUID], status: str, now: datetime, desired: str | None = None
) -> None:
    """Record `status` as the observed one of these VNFCs' servers, and `desired` (STARTED, STOPPED) if it changes."""
    instances_lock([instance.id])
    rows = Vnfc.objects.filter(instance=instance.id, id__in=vnfc_ids)
    rows.exclude(status=status).update(status=status, fault="", status_since=now, observed_at=now)
    if desired is not None:
        rows.update(desired=desired)
    instance_changed(instance)


def _match(known: Iterable[Vnfc], wanted: Sequence[RecordedVnfc]) -> list[Vnfc | None]:
    by_server = {row.server_id: row for row in known}
    matched = [by_server.get(item.server_id) for item in wanted]
    taken = {row.id for row in matched if row is not None}
    by_slot = {(row.vdu_id, row.slot): row for row in known if row.slot and row.id not in taken}
    return [
        row if row is not None else by_slot.pop((item.vdu_id, item.slot), None)
        for row, item in zip(matched, wanted, strict=True)
    ]


def _free_slots(matched: Sequence[Vnfc | None], wanted: Sequence[RecordedVnfc]) -> bool:
    """Clear slots that change owners first: the unique index would refuse a swap."""
    moving = [row.id for row, item in zip(matched, wanted, strict=True) if row is not None and row.slot != item.slot]
    return bool(moving) and bool(Vnfc.objects.filter(id__in=moving).update(slot=""))


def _record(row: Vnfc, wanted: RecordedVnfc, flavors: Mapping[str, str], now: datetime, *, settle: bool) -> bool:
    new = row._state.adding  # noqa: SLF001 - Django documents it
    values = _values(row, wanted, flavors, settle=settle)
    changed = {name for name, value in values.items() if getattr(row, name) != value}
    if changed or new:
        if new or changed & {"status", "server_id"}:
            row.status_since = now
        for name in changed:
            setattr(row, name, values[name])
        row.observed_at = now
        row.save(force_insert=new)
    return _record_ports(row, wanted.ports, now, settle=settle) or bool(changed) or new


def _values(row: Vnfc, wanted: RecordedVnfc, flavors: Mapping[str, str], *, settle: bool) -> dict[str, Any]:
    """The new values of the columns of `row`."""
    values: dict[str, Any] = {
        "vdu_id": wanted.vdu_id,
        "server_id": wanted.server_id,
        "slot": wanted.slot,
        "group_index": wanted.group_index,
        "server_name": wanted.name,
    }
    observed = wanted.status != UNKNOWN or row.server_id != wanted.server_id
    if observed:  # else what the watch observed is newer
        values |= {
            "status": wanted.status,
            "fault": wanted.fault,
            "host": wanted.host,
            "flavor": flavors.get(wanted.flavor, wanted.flavor),
            "flavor_id": wanted.flavor,
        }
        if row.host_hash != wanted.host_hash:
            values |= {"host_hash": wanted.host_hash, "host_since": None}
    if settle:
        values["name"] = wanted.name
    if observed and (settle or not row.expected_flavor_id):
        values["expected_flavor_id"] = wanted.flavor
    if observed and (settle or not row.expected_host):
        values["expected_host"] = wanted.host
    return values


def _record_ports(row: Vnfc, wanted: Sequence[RecordedPort], now: datetime, *, settle: bool) -> bool:
    known = {port.port_id: port for port in row.ports.all()}
    gone = known.keys() - {port.port_id for port in wanted}
    if not settle:
        replaced = {port.cp_id for port in wanted}
        gone -= {port.port_id for port in known.values() if port.status == MISSING and port.cp_id not in replaced}
    changed = bool(gone) and bool(row.ports.filter(port_id__in=gone).delete()[0])
    for item in wanted:
        values = asdict(item) | {"ip_addresses": list(item.ip_addresses)}
        port = known.get(item.port_id)
        if port is None:
            VnfcPort.objects.create(vnfc=row, status_since=now, **values)
        elif any(getattr(port, name) != value for name, value in values.items()):
            since = now if port.status != item.status else port.status_since
            row.ports.filter(port_id=item.port_id).update(status_since=since, **values)
        else:
            continue
        changed = True
    return changed


def _record_links(instance: InstanceRecord, wanted: Sequence[RecordedLink]) -> bool:
    """A link that stays on its network keeps its row, and with it its id."""
    rows = {(row.vl_id, row.network_id): row for row in VnfVirtualLink.objects.filter(instance=instance.id)}
    changed = False
    for link in wanted:
        row = rows.pop((link.vl_id, link.network_id), None) or VnfVirtualLink(instance_id=instance.id)
        values = {name: value for name, value in asdict(link).items() if getattr(row, name) != value}
        for name, value in values.items():
            setattr(row, name, value)
        if values:
            row.save()
            changed = True
    return bool(VnfVirtualLink.objects.filter(id__in=[row.id for row in rows.values()]).delete()[0]) or changed
