"""Reading alarms. One that a running operation explains is recorded but shown to nobody."""

from uuid import UUID

from django.db.models import Count, Prefetch, QuerySet

from vnfm.faults.domain.dictionary import Severity
from vnfm.faults.models import Alarm
from vnfm.kit.problem import not_found


def alarm_list() -> QuerySet[Alarm]:
    """Open and recently cleared alarms, each with the open ones that it causes as `correlated_open`."""
    open_ones = Alarm.objects.filter(cleared_at__isnull=True, suppressed_by__isnull=True).only("id", "root_cause_id")
    correlated = Prefetch("correlated", queryset=open_ones, to_attr="correlated_open")
    return Alarm.objects.filter(suppressed_by__isnull=True).prefetch_related(correlated)


def alarm_get(*, alarm_id: UUID) -> Alarm:
    """Raises a 404 problem when there is none."""
    alarm = alarm_list().filter(id=alarm_id).first()
    if alarm is None:
        raise not_found("alarm", alarm_id)
    return alarm


def alarm_summary() -> dict[str, int]:
    """Number of open alarms by severity, every severity named."""
    rows = Alarm.objects.filter(cleared_at__isnull=True, suppressed_by__isnull=True)
    counted = dict(rows.values_list("perceived_severity").annotate(Count("id")))
    return {severity.value: counted.get(severity.value, 0) for severity in Severity}
