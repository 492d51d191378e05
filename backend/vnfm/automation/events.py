"""What rings the doorbell: alarms of an instance that change, and operations on it that move."""

from uuid import UUID

from vnfm.automation.models import AutomationPolicy
from vnfm.automation.selectors import in_scope
from vnfm.inventory.models import VnfInstance
from vnfm.kit import tasks
from vnfm.kit.outbox import Event, Subscriber

CONSIDER = "automation.consider"

_INSTANCE = {"alarm.changed": "managedObjectId", "op_occ.changed": "instanceId"}
"""Topic to the member of its payload that names the VNF instance; progress within a state has no payload."""


def ring(event: Event) -> None:
    """Have a worker look at the instance, if a policy may hold for it. Heard twice, it finds nothing new to do."""
    named = event.payload.get(_INSTANCE[event.topic])
    if named is None:
        return
    concerned = VnfInstance.objects.filter(in_scope(AutomationPolicy.objects.all()), id=UUID(named))
    if concerned.exists():
        tasks.enqueue_on_commit(CONSIDER, named)


AUTOMATON = Subscriber("automaton", frozenset(_INSTANCE), ring)
