"""Changes of instances: their locks, versions and events."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import F

from vnfm.catalog.domain.package_record import PackageRecord
from vnfm.inventory.domain.instance_record import InstanceRecord
from vnfm.inventory.models import VnfInstance
from vnfm.kit.durable import outbox
from vnfm.kit.etsi.query import one

LOCK_BATCH = 50
"""Instances changed in one transaction: few enough that an operation never waits long for its row."""


def instance_changed(instance: InstanceRecord) -> None:
    """Increment the version and publish the change; call it in the transaction that changed the instance."""
    VnfInstance.objects.filter(id=instance.id).update(version=F("version") + 1)
    instance.version = VnfInstance.objects.values_list("version", flat=True).get(id=instance.id)
    outbox.publish("vnf_instance.changed", instance.id, instance.version)


def instance_create(
    *, name: str, description: str, package: PackageRecord, metadata: Mapping[str, Any], actor: str
) -> VnfInstance:
    """Create an instance that is not instantiated; without a name it is called after its product. Publishes nothing."""
    instance = VnfInstance(
        name=name, description=description, package_id=package.id, metadata=dict(metadata), created_by=actor
    )
    instance.name = name or f"{package.product_name}-{str(instance.id)[:8]}"
    instance.save(force_insert=True)
    return instance


def instance_delete(*, instance_id: UUID) -> None:
    VnfInstance.objects.filter(id=instance_id).delete()


def instance_lock(*, instance_id: UUID) -> VnfInstance:
    """The row with its package and VIM, locked until the transaction ends. Raises a 404 problem when there is none."""
    rows = VnfInstance.objects.select_for_update(no_key=True, of=("self",)).select_related("package", "vim")
    return one(rows, "VNF instance", instance_id)


def instances_lock(ids: Collection[UUID]) -> list[VnfInstance]:
    """The rows of these instances, locked until the transaction ends, always in the order of their ids."""
    return list(VnfInstance.objects.select_for_update(no_key=True).filter(id__in=ids).order_by("id"))


def lock_batches(ids: Iterable[UUID], size: int = LOCK_BATCH) -> Iterator[list[UUID]]:
    """The ids in the order of `instances_lock`, in as many batches as there should be transactions."""
    ordered = iter(sorted(ids))
    while batch := list(islice(ordered, size)):
        yield batch
