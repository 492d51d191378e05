"""Events that trigger an evaluation: changes of an instance's alarms and operations."""

from uuid import UUID

from vnfm.automation.models import AutomationPolicy
from vnfm.automation.selectors.policies import in_scope
from vnfm.inventory.models import VnfInstance
from vnfm.kit.durable import tasks
from vnfm.kit.durable.outbox import Event, Subscriber

EVALUATE = "automation.evaluate"

_INSTANCE = {"alarm.changed": "managedObjectId", "op_occ.changed": "instanceId"}
"""Topic to the member of its payload that names the VNF instance; progress within a state has no payload."""


def instance_enqueue(event: Event) -> None:
    """Have a worker evaluate the instance's policies, if it may have any. Idempotent."""
    instance_id = event.payload.get(_INSTANCE[event.topic])
    if instance_id is None:
        return
    concerned = VnfInstance.objects.filter(in_scope(AutomationPolicy.objects.all()), id=UUID(instance_id))
    if concerned.exists():
        tasks.enqueue_on_commit(EVALUATE, instance_id)


AUTOMATION_TRIGGER = Subscriber("automation", frozenset(_INSTANCE), instance_enqueue)
