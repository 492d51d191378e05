"""Reads policies and their decisions, and finds the policies of an instance."""

from datetime import datetime, timedelta
from typing import cast
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from vnfm.automation.domain.heal_methods import METHODS_BY_FAULT
from vnfm.automation.domain.policy import HealRule, LoadThreshold, Policy, PolicyKind, ScaleRule
from vnfm.automation.domain.policy_condition import InstanceIssue, PolicyCondition, PolicyStatus, watching
from vnfm.automation.domain.policy_input import Reason
from vnfm.automation.models import AutomationDecision, AutomationPolicy, AutomationStatus
from vnfm.faults.domain.alarm_changes import Suppression
from vnfm.faults.domain.evaluation_result import ObjectType
from vnfm.faults.models import Alarm, MaintenanceWindow
from vnfm.faults.selectors import alarm_list
from vnfm.inventory.models import VnfInstance
from vnfm.kit.etsi.query import one

WITH_ISSUES = Q(stopped_at__isnull=False) | Q(reason=Reason.SOURCE_UNKNOWN)


def policy_list() -> QuerySet[AutomationPolicy]:
    """With what `condition_of` needs, in a fixed number of queries."""
    with_issues = AutomationStatus.objects.filter(WITH_ISSUES).select_related("instance").order_by("id")
    evaluated = Exists(AutomationStatus.objects.filter(policy=OuterRef("pk")))
    rows = AutomationPolicy.objects.annotate(evaluated=evaluated).select_related("instance", "package")
    return rows.prefetch_related(Prefetch("statuses", with_issues, to_attr="with_issues"))


def policy_get(*, policy_id: UUID) -> AutomationPolicy:
    """Raises a 404 problem when there is none."""
    return one(policy_list(), "automation policy", policy_id)


def decision_list(*, policy_id: UUID) -> QuerySet[AutomationDecision]:
    """Raises a 404 problem when there is no such policy."""
    return AutomationDecision.objects.filter(policy=policy_get(policy_id=policy_id)).select_related("instance")


def policies_for(instance: VnfInstance) -> list[AutomationPolicy]:
    """Those that hold for the instance, healing first; its own take the place of its package's."""
    rows = AutomationPolicy.objects.filter(Q(instance=instance) | Q(package=instance.package_id))
    own = {(row.kind, row.aspect_id) for row in rows if row.instance_id is not None}
    valid = [row for row in rows if row.instance_id is not None or (row.kind, row.aspect_id) not in own]
    return sorted(valid, key=lambda row: (row.kind, row.name))


def vnfc_down_alarms() -> QuerySet[Alarm]:
    """Outstanding alarms that a VNFC is down: not suppressed, or only by a maintenance window."""
    relevant = Q(suppression__in=(Suppression.NONE, Suppression.MAINTENANCE))
    return alarm_list(suppressed=True).filter(
        relevant, fault_type__in=METHODS_BY_FAULT, managed_object_type=ObjectType.VNF_INSTANCE
    )


def windows_open(*, now: datetime) -> QuerySet[MaintenanceWindow]:
    """Maintenance windows that are open, the one that ends last first."""
    return MaintenanceWindow.objects.filter(starts_at__lte=now, ends_at__gt=now).order_by("-ends_at", "id")


def in_scope(policies: QuerySet[AutomationPolicy]) -> Q:
    """The instances for which these policies may hold."""
    of_instance = policies.filter(instance__isnull=False).values("instance")
    of_package = policies.filter(package__isnull=False).values("package")
    return Q(id__in=of_instance) | Q(package__in=of_package)


def as_policy(row: AutomationPolicy) -> Policy:
    return Policy(
        rule=_heal_rule(row) if row.kind == PolicyKind.HEAL else _scale_rule(row),
        cool_down=timedelta(seconds=row.cool_down_seconds),
        per_hour=row.actions_per_hour,
        dry_run=row.dry_run,
        paused=row.paused,
    )


def _heal_rule(row: AutomationPolicy) -> HealRule:
    return HealRule(timedelta(seconds=row.heal_after_seconds or 0))


def _scale_rule(row: AutomationPolicy) -> ScaleRule:
    return ScaleRule(
        row.aspect_id, _trigger(row.out_above, row.out_after_seconds), _trigger(row.in_below, row.in_after_seconds)
    )


def _trigger(threshold: float | None, seconds: int | None) -> LoadThreshold | None:
    return None if threshold is None else LoadThreshold(threshold, timedelta(seconds=seconds or 0))


def rule_words(row: AutomationPolicy) -> str:
    """The rule as a sentence."""
    if row.kind == PolicyKind.HEAL:
        return f"A VNFC down for {row.heal_after_seconds} s is healed."
    parts = []
    if row.out_above is not None:
        parts.append(f"above {row.out_above:g} for {row.out_after_seconds} s: one step out")
    if row.in_below is not None:
        parts.append(f"below {row.in_below:g} for {row.in_after_seconds} s: one step in")
    return f"{row.aspect_id} by {row.metric}: {'; '.join(parts)}."


def condition_of(row: AutomationPolicy) -> PolicyCondition:
    """The condition of a row of `policy_list`."""
    with_issues = cast("list[AutomationStatus]", row.with_issues)  # type: ignore[attr-defined]  # prefetched by policy_list
    stopped = [InstanceIssue(c.instance.name, c.stopped_at, c.message) for c in with_issues if c.stopped_at is not None]
    unknown = [InstanceIssue(c.instance.name, c.since, c.message) for c in with_issues if c.stopped_at is None]
    evaluated = row.kind == PolicyKind.HEAL or bool(row.evaluated)  # type: ignore[attr-defined]  # annotated by policy_list
    return watching(PolicyStatus(row.paused, row.dry_run, row.changed_at, evaluated, stopped, unknown))
