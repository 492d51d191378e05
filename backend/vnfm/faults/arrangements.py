"""What operators arrange beforehand: alarm policies and maintenance windows."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Model

from vnfm.accounts.services import audit
from vnfm.elements.models import NetworkElement
from vnfm.faults.domain.verdict import ObjectType
from vnfm.faults.models import Alarm, AlarmPolicy, Assessment, MaintenanceWindow
from vnfm.inventory.models import VnfInstance
from vnfm.kit import tasks
from vnfm.kit.problem import FieldError, conflict, unprocessable
from vnfm.vims.models import Vim

APPLY = "faults.apply_policies"

OBJECTS: Mapping[str, type[Model]] = {
    ObjectType.VNF_INSTANCE: VnfInstance,
    ObjectType.NETWORK_ELEMENT: NetworkElement,
    ObjectType.VIM: Vim,
}
"""What a maintenance window can be of."""


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
    _policy_told(policy, "alarm_policy.create", by)
    return policy


@transaction.atomic
def policy_update(*, policy: AlarmPolicy, values: Mapping[str, Any], by: str, now: datetime) -> AlarmPolicy:
    """Open alarms follow within seconds, whose severity it concerns; the rest holds for what is raised from now on."""
    for name, value in values.items():
        setattr(policy, name, value)
    policy.pending, policy.changed_by, policy.changed_at = True, by, now
    policy.version += 1
    policy.save()
    _policy_told(policy, "alarm_policy.update", by)
    return policy


@transaction.atomic
def policy_delete(*, policy: AlarmPolicy, by: str, now: datetime) -> None:
    """Its alarms follow the global policy again. The global policy itself is emptied, not deleted."""
    if policy.fault_type:
        AlarmPolicy.objects.filter(id=policy.id).delete()
        general, _ = AlarmPolicy.objects.get_or_create(fault_type="", defaults={"changed_by": by, "changed_at": now})
        AlarmPolicy.objects.filter(id=general.id).update(pending=True)
        _policy_told(policy, "alarm_policy.delete", by)
        return
    raise conflict("GLOBAL_POLICY", "The global policy cannot be deleted.", "Set what it says to null instead.")


def _policy_told(policy: AlarmPolicy, action: str, by: str) -> None:
    audit(actor=by, action=action, target=policy.fault_type or "global")
    tasks.enqueue_on_commit(APPLY, policy.id)


@transaction.atomic
def window_create(
    *,
    managed_object_type: str,
    managed_object_id: UUID,
    starts_at: datetime,
    ends_at: datetime,
    reason: str,
    by: str,
    now: datetime,
) -> MaintenanceWindow:
    """Raises a 422 problem for an object that there is not, and for times that cannot be."""
    rows = OBJECTS.get(managed_object_type)
    found = rows._default_manager.filter(pk=managed_object_id).first() if rows is not None else None  # noqa: SLF001
    if found is None:
        words = f"There is no {managed_object_type} {managed_object_id}."
        raise unprocessable(
            "NO_SUCH_OBJECT", words, [FieldError("/managedObjectId", words)], "Choose one that is there."
        )
    _check_times(starts_at, ends_at, now)
    window = MaintenanceWindow.objects.create(
        managed_object_type=managed_object_type,
        managed_object_id=managed_object_id,
        managed_object_name=getattr(found, "name", ""),
        starts_at=starts_at,
        ends_at=ends_at,
        reason=reason,
        created_by=by,
    )
    audit(actor=by, action="maintenance_window.create", target=str(window.id), detail={"reason": reason})
    window.refresh_from_db()
    return window


@transaction.atomic
def window_update(*, window: MaintenanceWindow, values: Mapping[str, Any], by: str, now: datetime) -> MaintenanceWindow:
    """Lengthen, shorten or explain it. Raises a 409 problem when it is over, 422 for an end that cannot be."""
    if window.ends_at <= now:
        raise conflict("WINDOW_OVER", "The maintenance window is over.", "Open another.")
    _check_times(window.starts_at, values.get("ends_at", window.ends_at), now)
    for name, value in values.items():
        setattr(window, name, value)
    window.version += 1
    window.save()
    _judge_again(window)
    audit(actor=by, action="maintenance_window.update", target=str(window.id))
    return window


@transaction.atomic
def window_end(*, window: MaintenanceWindow, by: str, now: datetime) -> None:
    """End it now; one that has not begun never was. Raises a 409 problem when it is over."""
    if window.ends_at <= now:
        raise conflict("WINDOW_OVER", "The maintenance window is over.", "Nothing to do.")
    if window.starts_at >= now:
        window.delete()
    else:
        window.ends_at = now
        window.version += 1
        window.save()
        _judge_again(window)
    audit(actor=by, action="maintenance_window.end", target=str(window.managed_object_id))


def _check_times(starts_at: datetime, ends_at: datetime, now: datetime) -> None:
    if ends_at <= starts_at or ends_at <= now:
        words = "It must end after its begin, and in the future."
        raise unprocessable("INVALID_TIMES", words, [FieldError("/endsAt", words)], "Choose a later end.")


def _judge_again(window: MaintenanceWindow) -> None:
    """What it silences is to be judged at the next look: it may end earlier than was noted."""
    silenced = Alarm.objects.filter(suppressed_by=window.id, cleared_at__isnull=True).values("managed_object_id")
    Assessment.objects.filter(managed_object_id__in=silenced).update(due_at=window.starts_at)
