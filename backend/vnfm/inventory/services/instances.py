"""Changes of instances: their locks, versions and events."""

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from uuid import UUID

from django.db.models import F

from vnfm.inventory.models import VnfInstance
from vnfm.kit.durable import outbox

LOCK_BATCH = 50
"""Instances changed in one transaction: few enough that an operation never waits long for its row."""


def instance_changed(instance: VnfInstance) -> None:
    """Increment the version and publish the change; call it in the transaction that changed the instance."""
    VnfInstance.objects.filter(id=instance.id).update(version=F("version") + 1)
    instance.version = VnfInstance.objects.values_list("version", flat=True).get(id=instance.id)
    outbox.publish("vnf_instance.changed", instance.id, instance.version)


def instances_lock(ids: Collection[UUID]) -> list[VnfInstance]:
    """The rows of these instances, locked until the transaction ends, always in the order of their ids."""
    return list(VnfInstance.objects.select_for_update(no_key=True).filter(id__in=ids).order_by("id"))


def lock_batches(ids: Iterable[UUID], size: int = LOCK_BATCH) -> Iterator[list[UUID]]:
    """The ids in the order of `instances_lock`, in as many batches as there should be transactions."""
    ordered = iter(sorted(ids))
    while batch := list(islice(ordered, size)):
        yield batch
