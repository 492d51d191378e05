"""Alarm policies: create, change, delete."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from vnfm.accounts.services import audit
from vnfm.faults.models import AlarmPolicy
from vnfm.kit.durable import tasks
from vnfm.kit.problem import conflict

APPLY = "faults.apply_policies"


@transaction.atomic
def policy_create(*, values: Mapping[str, Any], by: str, now: datetime) -> AlarmPolicy:
    """Raises a 409 problem when the fault type has a policy already."""
    policy = AlarmPolicy(pending=True, changed_by=by, changed_at=now, **values)
    try:
        with transaction.atomic():
            policy.save(force_insert=True)
    except IntegrityError as error:
        what = policy.fault_type or "all fault types"
        raise conflict("POLICY_EXISTS", f"There is a policy for {what} already.", "Change that one.") from error
    _record(policy, "alarm_policy.create", by)
    return policy


@transaction.atomic
def policy_update(*, policy: AlarmPolicy, values: Mapping[str, Any], by: str, now: datetime) -> AlarmPolicy:
    """The severity of open alarms follows within seconds; the other settings hold for later events."""
    for name, value in values.items():
        setattr(policy, name, value)
    policy.pending, policy.changed_by, policy.changed_at = True, by, now
    policy.version += 1
    policy.save()
    _record(policy, "alarm_policy.update", by)
    return policy


@transaction.atomic
def policy_delete(*, policy: AlarmPolicy, by: str, now: datetime) -> None:
    """Its alarms follow the global policy again. Raises a 409 problem for the global policy itself."""
    if policy.fault_type:
        AlarmPolicy.objects.filter(id=policy.id).delete()
        general, _ = AlarmPolicy.objects.get_or_create(fault_type="", defaults={"changed_by": by, "changed_at": now})
        AlarmPolicy.objects.filter(id=general.id).update(pending=True)
        _record(policy, "alarm_policy.delete", by)
        return
    raise conflict("GLOBAL_POLICY", "The global policy cannot be deleted.", "Set what it says to null instead.")


def _record(policy: AlarmPolicy, action: str, by: str) -> None:
    audit(actor=by, action=action, target=policy.fault_type or "global")
    tasks.enqueue_on_commit(APPLY, policy.id)
