"""Actions of users on many alarms at once."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from vnfm.accounts.services import audit
from vnfm.faults.models import Alarm
from vnfm.faults.selectors import AlarmPolicies, alarm_policies
from vnfm.faults.services.alarms import apply_acknowledgement, apply_assignment, apply_clearance
from vnfm.faults.services.lifecycle import AlarmEvent, alarms_publish
from vnfm.kit.problem import Problem, ProblemError, conflict, not_found, unprocessable

MATCH_LIMIT = 5000
"""Alarms that one request may change by a filter instead of by their ids."""

BULK_BATCH = 500
"""Alarms of one transaction among those: an evaluation that clears one of them waits for at most one batch."""

BULK_COLUMNS = (
    "assigned_to",
    "ack_state",
    "acked_by",
    "acked_at",
    "perceived_severity",
    "previous_severity",
    "highest_severity",
    "severity_changed_at",
    "cleared_at",
    "cleared_by",
    "dismissed",
    "due_at",
    "changed_at",
    "version",
)
"""Columns that a bulk action may change."""


@dataclass(frozen=True, slots=True)
class BulkAction:
    """An action of a user on many alarms; `assigned_to` only with ASSIGN, "" for none."""

    action: Literal["ACKNOWLEDGE", "UNACKNOWLEDGE", "CLEAR", "ASSIGN"]
    by: str
    assigned_to: str = ""

    def apply(self, alarm: Alarm, policies: AlarmPolicies, now: datetime) -> list[AlarmEvent]:
        """In memory; the events to publish. Raises a 409 problem when it is impossible or has been done already."""
        if self.action == "CLEAR":
            return apply_clearance(alarm, policies, self.by, now)
        if self.action == "ASSIGN":
            return apply_assignment(alarm, self.assigned_to, now)
        return apply_acknowledgement(alarm, f"{self.action}D", policies, self.by, now)

    def audit(self, done: int, detail: dict[str, Any]) -> None:
        """One entry for all alarms."""
        assigned = {"assignedTo": self.assigned_to} if self.action == "ASSIGN" else {}
        name = f"alarms.{self.action.lower()}"
        audit(actor=self.by, action=name, target=f"{done} alarms", detail=assigned | detail)


@dataclass(frozen=True, slots=True)
class AlarmRefusal:
    """An alarm that could not be changed, and why."""

    id: UUID
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class AlarmBulkResult:
    done: tuple[UUID, ...]
    refused: tuple[AlarmRefusal, ...]


@dataclass(frozen=True, slots=True)
class AlarmMatchResult:
    done: int
    matched: int
    """The others were in that state already, or match no longer."""


@dataclass(frozen=True, slots=True)
class AlarmMatchCount:
    count: int
    """At most `limit`."""
    is_more: bool
    """There are more than `limit`: they cannot be changed at once."""
    limit: int
    as_of: datetime


@transaction.atomic
def alarms_apply(*, action: BulkAction, ids: Collection[UUID], now: datetime) -> AlarmBulkResult:
    """Apply to these alarms; those that do not exist or cannot be changed are refused."""
    missing = {alarm_id: not_found("alarm", alarm_id).problem for alarm_id in ids}
    done, rejected = _apply(Alarm.objects.filter(id__in=ids), action, now)
    action.audit(len(done), {"alarms": [str(alarm_id) for alarm_id in done]})
    refused = [(alarm_id, each) for alarm_id, each in (missing | rejected).items() if alarm_id not in set(done)]
    return AlarmBulkResult(tuple(done), tuple(AlarmRefusal(each, why.code, why.detail) for each, why in refused))


def alarms_apply_matching(
    *, action: BulkAction, rows: QuerySet[Alarm], as_of: datetime, confirmed: int, query: dict[str, str], now: datetime
) -> AlarmMatchResult:
    """Apply to all of `rows` that existed at `as_of`.

    Alarms that match no longer when their batch comes, and those in the desired state already, are skipped. `query`
    describes `rows` in the audit trail. Raises a 422 problem when more than MATCH_LIMIT match, and 409 when more than
    `confirmed` do; then no alarm is changed.
    """
    matching = rows.filter(created_at__lte=as_of)
    ids = sorted(matching.order_by().values_list("id", flat=True)[: MATCH_LIMIT + 1])
    if len(ids) > MATCH_LIMIT:
        words = f"More than {MATCH_LIMIT} alarms match; so many cannot be changed at once."
        raise unprocessable("TOO_MANY_ALARMS", words, [], "Narrow the filters, and do it in several steps.")
    if len(ids) > confirmed:
        words = f"{len(ids)} alarms match by now, and {confirmed} were confirmed."
        raise conflict("MORE_ALARMS_MATCH", words, "Look at the list again, and confirm again.", count=len(ids))
    done = 0
    try:
        for first in range(0, len(ids), BULK_BATCH):
            with transaction.atomic():
                batch, _ = _apply(matching.filter(id__in=ids[first : first + BULK_BATCH]), action, now)
            done += len(batch)
    finally:  # batches that are done stay done, and are audited, even when a later one fails
        action.audit(done, {"asked": query, "asOf": as_of.isoformat(), "matched": len(ids)})
    return AlarmMatchResult(done, len(ids))


def alarms_count(rows: QuerySet[Alarm], *, as_of: datetime) -> AlarmMatchCount:
    """Count those that existed at `as_of`, up to MATCH_LIMIT."""
    count = rows.filter(created_at__lte=as_of).order_by().values("id")[: MATCH_LIMIT + 1].count()
    return AlarmMatchCount(min(count, MATCH_LIMIT), count > MATCH_LIMIT, MATCH_LIMIT, as_of)


def _apply(rows: QuerySet[Alarm], action: BulkAction, now: datetime) -> tuple[list[UUID], dict[UUID, Problem]]:
    """Lock the rows, change them with few statements, and publish an event of each."""
    policies = alarm_policies()
    rejected: dict[UUID, Problem] = {}
    changed: list[Alarm] = []
    events: list[tuple[Alarm, AlarmEvent]] = []
    for alarm in rows.select_for_update(no_key=True, of=("self",)).order_by("id"):
        try:
            events += [(alarm, event) for event in action.apply(alarm, policies, now)]
        except ProblemError as error:
            rejected[alarm.id] = error.problem
        else:
            changed.append(alarm)
    Alarm.objects.bulk_update(changed, BULK_COLUMNS)
    alarms_publish(events, now=now)
    return [alarm.id for alarm in changed], rejected
