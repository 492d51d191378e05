"""Makes root causes at least as severe as what they cause."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Case, F, Value, When

from vnfm.faults.domain.fault_type import Severity
from vnfm.faults.domain.policy import SEVERITY_ORDER
from vnfm.faults.domain.root_cause import severities_of_roots
from vnfm.faults.models import OPEN, UNSUPPRESSED, Alarm
from vnfm.faults.selectors import alarm_policies
from vnfm.faults.services.lifecycle import alarm_promote, alarms_publish


def promote_root_causes(severities: Mapping[UUID, Severity], now: datetime) -> None:
    """Make these root causes, and their own root causes, at least this severe.

    Each is changed in a transaction of its own: a lock on the rows of one object never waits for those of another.
    """
    policies = alarm_policies()
    for alarm_id, severity in severities.items():
        current: UUID | None = alarm_id
        while current is not None:
            with transaction.atomic():
                root = Alarm.objects.select_for_update(no_key=True).filter(OPEN, id=current).first()
                if root is None:
                    break
                before = root.promoted_severity
                raised = alarm_promote(alarm=root, severity=severity, policy=policies.of(root.fault_type), now=now)
                if raised:
                    root.version += 1
                    root.changed_at = root.event_time = now
                    alarms_publish([(root, "changed")], now=now)
                if raised or before != root.promoted_severity:
                    root.save()
            current = root.root_cause_id if raised else None


def promotions_by(changed: Iterable[Alarm]) -> Mapping[UUID, Severity]:
    """Return the root causes of these alarms, with the highest severity of what they cause among them."""
    return severities_of_roots(
        (alarm.root_cause_id, Severity(alarm.perceived_severity))
        for alarm in changed
        if alarm.root_cause_id is not None and not alarm.suppression
    )


def overdue_promotions() -> Mapping[UUID, Severity]:
    """Return root causes less severe than what they cause: the process that was to promote them died before."""
    caused = Alarm.objects.filter(OPEN, UNSUPPRESSED, root_cause__isnull=False, root_cause__cleared_at__isnull=True)
    ranked = caused.annotate(own=_rank("perceived_severity"), of_root=_rank("root_cause__perceived_severity"))
    rows = ranked.filter(own__gt=F("of_root")).values_list("root_cause_id", "perceived_severity")
    return severities_of_roots((root_id, Severity(severity)) for root_id, severity in rows)


def _rank(column: str) -> Case:
    """The severity as a number."""
    whens = (When(**{column: severity}, then=Value(rank)) for rank, severity in enumerate(SEVERITY_ORDER))
    return Case(*whens, default=0)
