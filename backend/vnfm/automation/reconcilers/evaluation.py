"""Evaluates the policies of an instance, and does what was decided.

Safe to run at the same time in several processes, and after a crash at any point: the instance's row is locked, and
the operation, the decision and the policy's status are written in one transaction.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from vnfm.automation.domain.evaluate import Decision, DecisionOutcome, evaluate
from vnfm.automation.domain.policy import PolicyKind
from vnfm.automation.domain.policy_input import Reason
from vnfm.automation.models import AutomationDecision, AutomationPolicy, AutomationStatus
from vnfm.automation.selectors.policies import (
    as_policy,
    in_scope,
    policies_for,
    rule_words,
    vnfc_down_alarms,
    windows_open,
)
from vnfm.automation.selectors.policy_input import policy_input
from vnfm.automation.services.triggers import EVALUATE
from vnfm.faults.domain.alarm_changes import Suppression
from vnfm.installation.selectors import on_hold
from vnfm.inventory.models import VnfInstance
from vnfm.inventory.services import instances_lock
from vnfm.kit import clock
from vnfm.kit.durable import lease, outbox, tasks
from vnfm.kit.problem import ProblemError
from vnfm.lcm.domain.requests import parse_request
from vnfm.lcm.domain.states import DRIVEN_STATES, Operation
from vnfm.lcm.selectors.instance_status import InstanceStatus, instance_status
from vnfm.lcm.services.operations import op_start, require_valid

BLOCKED_RETRY = timedelta(seconds=5)
"""A blocker may go without an event: a maintenance window that ends, a cloud that answers again."""
LOAD_PERIOD = timedelta(seconds=15)
"""Loads have no events; Liberty's telemetry measures once a minute or slower."""
UNKNOWN_RETRY = timedelta(seconds=60)

ACTOR = "automation"
"""With the policy's name, the actor of an operation."""
SWEEP_LEASE = "automation:sweep"
TOPIC = "automation_policy.decided"

log = structlog.get_logger(__name__)


@transaction.atomic
def evaluate_instance(instance_id: UUID, now: datetime) -> None:
    """Evaluate each policy of the instance. After an action the others wait for the operation's end.

    Nothing is evaluated while on hold after a restore; the sweep finds what is due afterwards.
    """
    if on_hold() or not instances_lock([instance_id]):
        return
    item = instance_status(instance_id=instance_id)
    policies = policies_for(item.instance)
    statuses = {row.policy_id: row for row in AutomationStatus.objects.filter(instance=instance_id)}
    strays = statuses.keys() - {policy.id for policy in policies}
    if strays:
        AutomationStatus.objects.filter(instance=instance_id, policy__in=strays).delete()
    for policy in policies:
        status = statuses.get(policy.id)
        if status is not None and _is_running(status, item):
            return  # its end is an event
        if _evaluate_policy(policy, item, status, now):
            return


def _is_running(status: AutomationStatus, item: InstanceStatus) -> bool:
    """Whether the policy's own operation is under way, and not waiting for an operator."""
    running = item.running
    return running is not None and running.id == status.op_id and running.state in DRIVEN_STATES


@dataclass(frozen=True, slots=True)
class _Result:
    """A decision and its effect."""

    decision: Decision
    request: dict[str, Any] | None = None
    """The request of the operation that it led to, or would have led to."""
    op_id: UUID | None = None


def _evaluate_policy(
    policy: AutomationPolicy, item: InstanceStatus, status: AutomationStatus | None, now: datetime
) -> bool:
    """Returns whether it has started an operation."""
    decision = evaluate(as_policy(policy), policy_input(policy, item, status, now), now)
    result = _execute(policy, item, decision) if decision.reason is Reason.DUE else _Result(decision)
    _record_status(policy, item.instance, status, result, now)
    return result.op_id is not None


def _execute(policy: AutomationPolicy, item: InstanceStatus, decision: Decision) -> _Result:
    """Start the operation through the service that the API uses; a dry run only checks it."""
    operation, request = _request(policy, decision)
    try:
        if decision.outcome is DecisionOutcome.WOULD_ACT:
            require_valid(item.instance, parse_request(operation, request))
            return _Result(decision, request)
        op = op_start(
            instance_id=item.instance.id,
            request=parse_request(operation, request),
            actor=f"{ACTOR}:{policy.name}",
            automatic=True,
        )
    except ProblemError as error:
        words = f"{decision.message} The operation is refused: {error.problem.detail}"
        return _Result(Decision(DecisionOutcome.HELD_BACK, Reason.REFUSED, words, decision.actions), request)
    log.info("automation.acted", policy=policy.name, op_id=str(op.id), operation=operation)
    return _Result(decision, request, op.id)


def _request(policy: AutomationPolicy, decision: Decision) -> tuple[Operation, dict[str, Any]]:
    if policy.kind == PolicyKind.HEAL:
        vnfcs = sorted({candidate.subject for candidate in decision.actions})
        return Operation.HEAL, {"cause": f"{policy.name}: {decision.message}"[:500], "vnfcInstanceId": vnfcs}
    scale_type = decision.actions[0].action
    return Operation.SCALE, {"type": scale_type.value, "aspectId": policy.aspect_id, "numberOfSteps": 1}


def _record_status(
    policy: AutomationPolicy, instance: VnfInstance, status: AutomationStatus | None, result: _Result, now: datetime
) -> None:
    """Update the status; record the decision if it changed, and enqueue an evaluation for when time may change it."""
    decision = result.decision
    causes = [candidate.cause for candidate in decision.actions]
    unchanged = status is not None and (status.outcome, status.reason, status.causes) == (
        decision.outcome,
        decision.reason,
        causes,
    )
    changed = decision.reason is Reason.DUE or not unchanged
    values: dict[str, Any] = {"message": decision.message, "due_at": _due_at(policy, decision, now)}
    if changed:
        values |= {"outcome": decision.outcome, "reason": decision.reason, "causes": causes, "since": now}
    if result.op_id is not None:
        values["op_id"] = result.op_id
    if decision.stops:
        values["stopped_at"] = now
    AutomationStatus.objects.update_or_create(policy=policy, instance=instance, defaults=values)
    if decision.retry_at is not None and changed:
        tasks.enqueue_on_commit(EVALUATE, instance.id, after=(decision.retry_at - now).total_seconds())
    first_without_action = status is None and decision.outcome is DecisionOutcome.AT_REST
    if changed and not first_without_action:
        _record_decision(policy, instance, result, now)


def _record_decision(policy: AutomationPolicy, instance: VnfInstance, result: _Result, now: datetime) -> None:
    """Add to the audit trail, and publish it."""
    decision = result.decision
    row = AutomationDecision.objects.create(
        policy=policy,
        instance=instance,
        at=now,
        outcome=decision.outcome,
        reason=decision.reason,
        message=decision.message,
        rule=rule_words(policy),
        evidence=[
            {"cause": each.cause, "subject": each.subject, "words": each.words, "since": each.since.isoformat()}
            for each in decision.actions
        ],
        action=decision.actions[0].action if result.request is not None else "",
        request=result.request,
        op_id=result.op_id,
    )
    outbox.publish(TOPIC, policy.id, row.id)


def _due_at(policy: AutomationPolicy, decision: Decision, now: datetime) -> datetime | None:
    """When the sweep evaluates it again; None for a heal policy at rest, which waits for an alarm."""
    if decision.reason is Reason.SOURCE_UNKNOWN:
        return now + UNKNOWN_RETRY
    if decision.outcome is DecisionOutcome.AT_REST:
        return now + LOAD_PERIOD if policy.kind == PolicyKind.SCALE else None
    soon = now + BLOCKED_RETRY
    return max(decision.retry_at, soon) if decision.retry_at is not None else soon


def sweep() -> int:
    """Evaluate every instance that is due, or whose event was lost; returns how many. One sweep at a time."""
    with lease.hold(SWEEP_LEASE) as held:
        if held is None:
            return 0
        ids = due_instances(clock.now())
        for instance_id in ids:
            try:
                evaluate_instance(instance_id, clock.now())
            except Exception:  # an error of one instance must not stop the others
                log.exception("automation.evaluation_failed", instance_id=str(instance_id))
        return len(ids)


def due_instances(now: datetime) -> list[UUID]:
    """With a status that is due; with an alarm to heal and no status that waits; with a load never evaluated."""
    due = set(AutomationStatus.objects.filter(due_at__lte=now).values_list("instance_id", flat=True))
    due |= _unevaluated_alarms(now)
    scales = AutomationPolicy.objects.filter(kind=PolicyKind.SCALE)
    known = AutomationStatus.objects.filter(instance=OuterRef("pk"), policy__kind=PolicyKind.SCALE)
    unknown = VnfInstance.objects.filter(in_scope(scales), ~Exists(known))
    return sorted(due.union(unknown.values_list("id", flat=True)))


def _unevaluated_alarms(now: datetime) -> set[UUID]:
    """Instances with an alarm to heal that no status waits for; alarms in a maintenance window have no events."""
    heals = AutomationPolicy.objects.filter(kind=PolicyKind.HEAL)
    waits = AutomationStatus.objects.filter(instance=OuterRef("pk"), due_at__gt=now, policy__kind=PolicyKind.HEAL)
    candidates = VnfInstance.objects.filter(in_scope(heals), ~Exists(waits))
    alarmed = vnfc_down_alarms().filter(suppression=Suppression.NONE).values("managed_object_id")
    covered = windows_open(now=now).values("managed_object_id")
    suppressed = vnfc_down_alarms().filter(suppression=Suppression.MAINTENANCE, managed_object_id=OuterRef("pk"))
    in_maintenance = candidates.filter(Q(id__in=covered) | Q(vim__in=covered)).filter(Exists(suppressed))
    found = set(candidates.filter(id__in=alarmed).values_list("id", flat=True))
    return found.union(in_maintenance.values_list("id", flat=True))
