"""Maintenance windows: open, change, end."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from vnfm.accounts.services import audit
from vnfm.elements.selectors import element_names
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.models import Alarm, Assessment, MaintenanceWindow
from vnfm.inventory.selectors import instance_names
from vnfm.kit.problem import FieldError, conflict, unprocessable
from vnfm.vims.selectors import vim_names

NAMES: Mapping[str, Callable[[Collection[UUID]], Mapping[UUID, str]]] = {
    ObjectType.VNF_INSTANCE: instance_names,
    ObjectType.NETWORK_ELEMENT: element_names,
    ObjectType.VIM: vim_names,
}
"""The types of objects that can have a maintenance window, and what reads the names of these objects."""


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
    """Raises a 422 problem for an object that does not exist, and for an end that is not after now and the start."""
    names = NAMES[managed_object_type]([managed_object_id]) if managed_object_type in NAMES else {}
    if managed_object_id not in names:
        words = f"There is no {managed_object_type} {managed_object_id}."
        raise unprocessable("NO_SUCH_OBJECT", words, [FieldError("/managedObjectId", words)], "Choose an existing one.")
    _check_times(starts_at, ends_at, now)
    window = MaintenanceWindow.objects.create(
        managed_object_type=managed_object_type,
        managed_object_id=managed_object_id,
        managed_object_name=names[managed_object_id],
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
    """Change its end or reason. Raises a 409 problem when it is over, 422 for an end that is not after now."""
    if window.ends_at <= now:
        raise conflict("WINDOW_OVER", "The maintenance window is over.", "Open another.")
    _check_times(window.starts_at, values.get("ends_at", window.ends_at), now)
    for name, value in values.items():
        setattr(window, name, value)
    window.version += 1
    window.save()
    _reevaluate(window)
    audit(actor=by, action="maintenance_window.update", target=str(window.id))
    return window


@transaction.atomic
def window_end(*, window: MaintenanceWindow, by: str, now: datetime) -> None:
    """End it now; delete one that has not begun. Raises a 409 problem when it is over."""
    if window.ends_at <= now:
        raise conflict("WINDOW_OVER", "The maintenance window is over.", "Nothing to do.")
    if window.starts_at >= now:
        window.delete()
    else:
        window.ends_at = now
        window.version += 1
        window.save()
        _reevaluate(window)
    audit(actor=by, action="maintenance_window.end", target=str(window.managed_object_id))


def _check_times(starts_at: datetime, ends_at: datetime, now: datetime) -> None:
    if ends_at <= starts_at or ends_at <= now:
        words = "It must end after its begin, and in the future."
        raise unprocessable("INVALID_TIMES", words, [FieldError("/endsAt", words)], "Choose a later end.")


def _reevaluate(window: MaintenanceWindow) -> None:
    """Evaluate the objects of alarms that it suppresses at the next poll: it may end earlier than they are due."""
    suppressed = Alarm.objects.filter(suppressed_by=window.id, cleared_at__isnull=True).values("managed_object_id")
    Assessment.objects.filter(managed_object_id__in=suppressed).update(due_at=window.starts_at)
