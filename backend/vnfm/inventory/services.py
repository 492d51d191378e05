"""What an instance consists of: recorded by operations, corrected by looks at the cloud."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import islice
from uuid import UUID

from django.db import transaction
from django.db.models import F

from vnfm.inventory.domain.observation import UNKNOWN
from vnfm.inventory.models import Vnfc, VnfcPort, VnfInstance, VnfVirtualLink
from vnfm.kit import outbox
from vnfm.vims.models import Vim

LOCK_BATCH = 50
"""Instances changed in one transaction: few enough that an operation never waits long for its row."""


@dataclass(frozen=True, slots=True)
class RecordedPort:
    """A port of a VNFC's server; `cp_id` is the VNFD's connection point that it realises."""

    port_id: str
    network_id: str
    cp_id: str = ""
    mac_address: str = ""
    ip_addresses: tuple[str, ...] = ()
    vnic_type: str = ""
    status: str = ""
    vif_type: str = ""


@dataclass(frozen=True, slots=True)
class RecordedVnfc:
    """A VNFC that an operation made or kept, with its server as it was then."""

    vdu_id: str
    server_id: str
    name: str
    slot: str = ""
    group_index: int | None = None
    status: str = UNKNOWN
    fault: str = ""
    host: str = ""
    flavor: str = ""
    ports: tuple[RecordedPort, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedLink:
    """A network that the instance uses."""

    vl_id: str
    network_id: str
    name: str
    created_by_stack: bool


def instance_changed(instance: VnfInstance) -> None:
    """Bump the version and tell everyone; call it in the transaction that changed the instance."""
    VnfInstance.objects.filter(id=instance.id).update(version=F("version") + 1)
    instance.version = VnfInstance.objects.values_list("version", flat=True).get(id=instance.id)
    outbox.publish("vnf_instance.changed", instance.id, instance.version)


def instances_lock(ids: Collection[UUID]) -> list[VnfInstance]:
    """The rows of these instances, locked until the transaction ends, in one order for everybody."""
    return list(VnfInstance.objects.select_for_update(no_key=True).filter(id__in=ids).order_by("id"))


def flavor_names(vim: Vim | None) -> dict[str, str]:
    """Names of the VIM's flavors by id, as last probed: Liberty's Nova tells a server's flavor by its id alone."""
    return {item["id"]: item["name"] for item in vim.resources.get("flavors", ())} if vim is not None else {}


def lock_batches(ids: Iterable[UUID]) -> Iterator[list[UUID]]:
    """The ids in the order in which everybody locks them, in as many pieces as there should be transactions."""
    ordered = iter(sorted(ids))
    while batch := list(islice(ordered, LOCK_BATCH)):
        yield batch


@transaction.atomic
def record_vnfcs(
    *, instance: VnfInstance, vnfcs: Sequence[RecordedVnfc], links: Sequence[RecordedLink], now: datetime
) -> None:
    """Make the record of `instance` exactly this; doing it again changes nothing.

    A VNFC keeps its identity while its server lives, and when another server takes its slot (healing, replacement).
    """
    instances_lock([instance.id])
    known = list(instance.vnfcs.prefetch_related("ports"))
    matched = _match(known, vnfcs)
    kept = {row.id for row in matched if row is not None}
    gone = [row.id for row in known if row.id not in kept]
    changed = bool(Vnfc.objects.filter(id__in=gone).delete()[0])
    changed |= _free_slots(matched, vnfcs)
    flavors = flavor_names(instance.vim)
    for row, wanted in zip(matched, vnfcs, strict=True):
        named = replace(wanted, flavor=flavors.get(wanted.flavor, wanted.flavor))
        changed |= _record(instance, row, named, now)
    changed |= _record_links(instance, links)
    if changed:
        instance_changed(instance)


@transaction.atomic
def forget_resources(*, instance: VnfInstance) -> None:
    """After termination: nothing of the instance is left in the cloud, so nothing is left on record."""
    instances_lock([instance.id])
    removed = instance.vnfcs.all().delete()[0] + instance.virtual_links.all().delete()[0]
    emptied = VnfInstance.objects.filter(id=instance.id).exclude(stack_id="", stack_name="", stack_status="")
    cleared = emptied.update(
        stack_id="", stack_name="", stack_status="", stack_status_reason="", stack_observed_at=None
    )
    instance.stack_id = instance.stack_name = instance.stack_status = instance.stack_status_reason = ""
    instance.stack_observed_at = None
    if removed or cleared:
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
    """Let go of slots that change hands first, or the unique index would refuse a swap."""
    moving = [row.id for row, item in zip(matched, wanted, strict=True) if row is not None and row.slot != item.slot]
    return bool(moving) and bool(Vnfc.objects.filter(id__in=moving).update(slot=""))


def _record(instance: VnfInstance, row: Vnfc | None, wanted: RecordedVnfc, now: datetime) -> bool:
    values = asdict(wanted)
    values.pop("ports")
    if row is not None and row.server_id == wanted.server_id and wanted.status == UNKNOWN:
        # The operation did not look at the server; what the watcher saw stands.
        for seen in ("status", "fault", "host", "flavor"):
            values.pop(seen)
    if row is None:
        row = Vnfc(instance=instance, status_since=now, observed_at=now, server_name=wanted.name, **values)
        row.save(force_insert=True)
        _record_ports(row, wanted.ports, now)
        return True
    changed = {name for name, value in values.items() if getattr(row, name) != value}
    if changed:
        if changed & {"status", "server_id"}:
            row.status_since = now
        for name in changed:
            setattr(row, name, values[name])
        row.server_name = wanted.name
        row.observed_at = now
        row.save()
    return _record_ports(row, wanted.ports, now) or bool(changed)


def _record_ports(row: Vnfc, wanted: Sequence[RecordedPort], now: datetime) -> bool:
    known = {port.port_id: port for port in row.ports.all()}
    gone = known.keys() - {port.port_id for port in wanted}
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


def _record_links(instance: VnfInstance, wanted: Sequence[RecordedLink]) -> bool:
    known = {RecordedLink(x.vl_id, x.network_id, x.name, x.created_by_stack) for x in instance.virtual_links.all()}
    if known == set(wanted):
        return False
    instance.virtual_links.all().delete()
    VnfVirtualLink.objects.bulk_create([VnfVirtualLink(instance=instance, **asdict(link)) for link in wanted])
    return True
