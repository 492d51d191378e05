"""Looks at an instance, decides for each policy that holds for it, and does what was decided.

Safe to run at the same time in several processes, and after a crash at any point: the instance's row is locked, and
the operation, the line of the audit trail and the policy's course are written in that one transaction.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from vnfm.automation.domain.decide import Decision, Outcome, decide
from vnfm.automation.domain.policy import Kind
from vnfm.automation.domain.sight import Reason
from vnfm.automation.events import CONSIDER
from vnfm.automation.models import AutomationCourse, AutomationDecision, AutomationPolicy
from vnfm.automation.selectors import alarms_down, as_policy, in_scope, policies_for, rule_words, windows_open
from vnfm.automation.sights import sight_of
from vnfm.faults.domain.alarm_changes import Suppression
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.services import instances_lock
from vnfm.kit import clock, lease, outbox, tasks
from vnfm.kit.problem import ProblemError, unprocessable
from vnfm.lcm.domain.asked import check
from vnfm.lcm.domain.states import DRIVEN_STATES, Operation
from vnfm.lcm.domain.target import Refused
from vnfm.lcm.selectors.instance_status import InstanceStatus, instance_status
from vnfm.lcm.services.operations import op_start
from vnfm.lcm.services.request_reader import read_request

HELD_BACK_LOOK = timedelta(seconds=5)
"""What holds it back may go without a ring: a maintenance window that ends, a cloud that answers again."""
LOAD_LOOK = timedelta(seconds=15)
"""Loads ring no bell; telemetry of that time measures once a minute or slower."""
UNKNOWN_LOOK = timedelta(seconds=60)

ACTOR = "automation"
"""Before the policy's name, as who started an operation."""
SWEEP_LEASE = "automation:sweep"
TOPIC = "automation_policy.decided"

log = structlog.get_logger(__name__)


@transaction.atomic
def consider(instance_id: UUID, now: datetime) -> None:
    """Decide for each policy that holds for the instance. After an action the rest waits for the operation's end."""
    if not instances_lock([instance_id]):
        return
    item = instance_status(instance_id=instance_id)
    policies = policies_for(item.instance)
    courses = {row.policy_id: row for row in AutomationCourse.objects.filter(instance=instance_id)}
    strays = courses.keys() - {policy.id for policy in policies}
    if strays:
        AutomationCourse.objects.filter(instance=instance_id, policy__in=strays).delete()
    for policy in policies:
        course = courses.get(policy.id)
        if course is not None and _at_work(course, item):
            return  # and rings when it is over
        if _considered(policy, item, course, now):
            return


def _at_work(course: AutomationCourse, item: InstanceStatus) -> bool:
    """What the policy has started goes on; one that waits for a person is another matter."""
    running = item.running
    return running is not None and running.id == course.op_id and running.state in DRIVEN_STATES


@dataclass(frozen=True, slots=True)
class _Result:
    """A decision as it came out."""

    decision: Decision
    request: dict[str, Any] | None = None
    """Of the operation that it led to, or would have led to."""
    op_id: UUID | None = None


def _considered(policy: AutomationPolicy, item: InstanceStatus, course: AutomationCourse | None, now: datetime) -> bool:
    """Whether it has started an operation."""
    decision = decide(as_policy(policy), sight_of(policy, item, course, now), now)
    result = _carried_out(policy, item, decision) if decision.reason is Reason.DUE else _Result(decision)
    _record(policy, item.instance, course, result, now)
    return result.op_id is not None


def _carried_out(policy: AutomationPolicy, item: InstanceStatus, decision: Decision) -> _Result:
    """Start the operation as a person would; a dry run only checks it."""
    operation, request = _request(policy, decision)
    try:
        if decision.outcome is Outcome.WOULD_ACT:
            _require_possible(item, operation, request)
            return _Result(decision, request)
        op = op_start(
            instance_id=item.instance.id,
            operation=operation,
            request=request,
            actor=f"{ACTOR}:{policy.name}",
            automatic=True,
        )
    except ProblemError as error:
        words = f"{decision.message} The operation is refused: {error.problem.detail}"
        return _Result(Decision(Outcome.HELD_BACK, Reason.REFUSED, words, decision.demands), request)
    log.info("automation.acted", policy=policy.name, op_id=str(op.id), operation=operation)
    return _Result(decision, request, op.id)


def _request(policy: AutomationPolicy, decision: Decision) -> tuple[Operation, dict[str, Any]]:
    """What a person would ask for."""
    if policy.kind == Kind.HEAL:
        vnfcs = sorted({demand.subject for demand in decision.demands})
        return Operation.HEAL, {"cause": f"{policy.name}: {decision.message}"[:500], "vnfcInstanceId": vnfcs}
    scale_type = decision.demands[0].action
    return Operation.SCALE, {"type": scale_type.value, "aspectId": policy.aspect_id, "numberOfSteps": 1}


def _require_possible(item: InstanceStatus, operation: Operation, request: dict[str, Any]) -> None:
    """The check that `op_start` makes. Raises a 422 problem."""
    target = check(read_request(operation, request, item.instance))
    if isinstance(target, Refused):
        raise unprocessable("REQUEST_REFUSED", " ".join(error.message for error in target.errors), target.errors)


def _record(
    policy: AutomationPolicy, instance: VnfInstance, course: AutomationCourse | None, result: _Result, now: datetime
) -> None:
    """Bring the course up to date; what is new is told, and rung for when time alone may change it."""
    decision = result.decision
    causes = [demand.cause for demand in decision.demands]
    as_before = course is not None and (course.outcome, course.reason, course.causes) == (
        decision.outcome,
        decision.reason,
        causes,
    )
    news = decision.reason is Reason.DUE or not as_before
    values: dict[str, Any] = {"message": decision.message, "due_at": _due_at(policy, decision, now)}
    if news:
        values |= {"outcome": decision.outcome, "reason": decision.reason, "causes": causes, "since": now}
    if result.op_id is not None:
        values["op_id"] = result.op_id
    if decision.stops:
        values["stopped_at"] = now
    AutomationCourse.objects.update_or_create(policy=policy, instance=instance, defaults=values)
    if decision.again_at is not None and news:
        tasks.enqueue_on_commit(CONSIDER, instance.id, after=(decision.again_at - now).total_seconds())
    first_and_well = course is None and decision.outcome is Outcome.AT_REST
    if news and not first_and_well:
        _note(policy, instance, result, now)


def _note(policy: AutomationPolicy, instance: VnfInstance, result: _Result, now: datetime) -> None:
    """One line of the audit trail, and everyone hears of it."""
    decision = result.decision
    row = AutomationDecision.objects.create(
        policy=policy,
        instance=instance,
        at=now,
        outcome=decision.outcome,
        reason=decision.reason,
        message=decision.message,
        rule=rule_words(policy),
        seen=[
            {"cause": d.cause, "subject": d.subject, "words": d.words, "since": d.since.isoformat()}
            for d in decision.demands
        ],
        action=decision.demands[0].action if result.request is not None else "",
        request=result.request,
        op_id=result.op_id,
    )
    outbox.publish(TOPIC, policy.id, row.id)


def _due_at(policy: AutomationPolicy, decision: Decision, now: datetime) -> datetime | None:
    """When the sweep looks again. What rests and heals waits for an alarm."""
    if decision.reason is Reason.SOURCE_UNKNOWN:
        return now + UNKNOWN_LOOK
    if decision.outcome is Outcome.AT_REST:
        return now + LOAD_LOOK if policy.kind == Kind.SCALE else None
    soon = now + HELD_BACK_LOOK
    return max(decision.again_at, soon) if decision.again_at is not None else soon


def sweep() -> int:
    """Consider every instance that is due, or whose ring was lost; returns how many. One sweep at a time."""
    with lease.hold(SWEEP_LEASE) as held:
        if held is None:
            return 0
        ids = due_instances(clock.now())
        for instance_id in ids:
            try:
                consider(instance_id, clock.now())
            except Exception:  # whatever is wrong with one instance must not keep the others from being considered
                log.exception("automation.not_considered", instance_id=str(instance_id))
        return len(ids)


def due_instances(now: datetime) -> list[UUID]:
    """Those with a course that is due; with an alarm to heal that no course knows; with a load never looked at."""
    due = set(AutomationCourse.objects.filter(due_at__lte=now).values_list("instance_id", flat=True))
    due |= _down_unheard(now)
    scales = AutomationPolicy.objects.filter(kind=Kind.SCALE)
    known = AutomationCourse.objects.filter(instance=OuterRef("pk"), policy__kind=Kind.SCALE)
    unknown = VnfInstance.objects.filter(in_scope(scales), ~Exists(known))
    return sorted(due.union(unknown.values_list("id", flat=True)))


def _down_unheard(now: datetime) -> set[UUID]:
    """Instances with an alarm to heal that no course waits for. Nobody rings for those of a maintenance window."""
    heals = AutomationPolicy.objects.filter(kind=Kind.HEAL)
    waits = AutomationCourse.objects.filter(instance=OuterRef("pk"), due_at__gt=now, policy__kind=Kind.HEAL)
    concerned = VnfInstance.objects.filter(in_scope(heals), ~Exists(waits))
    told = alarms_down().filter(suppression=Suppression.NONE).values("managed_object_id")
    covered = windows_open(now=now).values("managed_object_id")
    silent = alarms_down().filter(suppression=Suppression.MAINTENANCE, managed_object_id=OuterRef("pk"))
    in_maintenance = concerned.filter(Q(id__in=covered) | Q(vim__in=covered)).filter(Exists(silent))
    found = set(concerned.filter(id__in=told).values_list("id", flat=True))
    return found.union(in_maintenance.values_list("id", flat=True))
