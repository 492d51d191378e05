"""Writes what operations decide about an instance: its stack, rosters and attributes. Only changes are written."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from vnfm.inventory.models import VnfInstance
from vnfm.inventory.services import NO_STACK, instance_changed


def store_values(instance: VnfInstance, **values: Any) -> None:
    """Store the changed columns and publish the instance; raises IntegrityError when another instance has the name."""
    changed = {name: value for name, value in values.items() if getattr(instance, name) != value}
    if not changed:
        return
    for name, value in changed.items():
        setattr(instance, name, value)
    with transaction.atomic():
        VnfInstance.objects.filter(id=instance.id).update(**changed)
        instance_changed(instance)


def assign_stack(instance: VnfInstance, stack_id: str, stack_name: str) -> None:
    """Give the instance this stack, or none ("" and "")."""
    observed = {} if stack_id == instance.stack_id else NO_STACK
    store_values(instance, **{**observed, "stack_id": stack_id, "stack_name": stack_name})


def store_rosters(instance: VnfInstance, rosters: Mapping[str, Any]) -> None:
    store_values(instance, member_slots=dict(rosters))
